/** Keeps the records of a run as a workflow artifact, finds those of earlier attempts, and knows where they all are. */
import { describeError, problemAt, Stop, type Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { FoundRecords } from '../records/assess.ts'
import { missingLines } from '../records/lines.ts'
import type { Environment, Source } from '../runtime/environment.ts'
import type { Host, WorkflowArtifact } from '../runtime/outside.ts'
import { proxyProblem } from '../service/proxy.ts'
import { recordsName } from '../text/names.ts'
import { pluralize } from '../text/phrases.ts'
import {
  formatState,
  hasLinesToKeep,
  tellKept,
  tellOnlyInLog,
  wholeLines,
  whyNoService,
} from './state.ts'

/**
 * Where the records of this run and of its earlier attempts are. It decides what a later run is charged for: the worst
 * place of any record counts.
 */
export interface Place {
  readonly kind:
    /** There are no records. */
    | 'none'
    /** The release has all of them: every later run for its tag finds them. */
    | 'release'
    /** A re-run of the failed jobs finds them; a new run has to be given them. */
    | 'workflow-artifact'
    /** After a signal, the post step keeps them; how, only the end of the log tells. */
    | 'post-step'
    /** Nothing but the records file has them, as with `keep-records: false`. */
    | 'file'
    /** No run finds them: the log has lines to save. */
    | 'log'
    /** What an earlier attempt kept cannot be read, or is damaged; nothing was sent. */
    | 'unreadable'
  /** The workflow artifacts with a records file of this run, whatever the worst place is; the newest is the last one. */
  readonly workflowArtifacts: readonly WorkflowArtifact[]
  /** Whether the newest one has everything that the records file has, with the evidence page. */
  readonly isWhole: boolean
  /** Whether an earlier attempt may have registered files, but no line of it was found. */
  readonly isEarlierMissing: boolean
}

/** A records file that an earlier attempt kept. */
export interface EarlierRecords extends FoundRecords {
  readonly input: 'keep-records'
  readonly workflowArtifact: WorkflowArtifact
}

/** Reads what earlier attempts of this run kept; nothing on the first attempt. Throws a `Stop`. */
export async function findKept(
  { keepRecords, githubToken }: NotarizeInputs,
  { environment, clock, halt, runner, workflowArtifacts }: Host,
): Promise<readonly EarlierRecords[]> {
  const input = 'keep-records'
  const { artifactService, proxies, attempt } = environment
  if (!keepRecords || artifactService === null || !(attempt > 1)) return []
  const problem = proxyProblem(artifactService.url, proxies)
  if (problem !== null) throw new Stop(problem)
  try {
    const call = { environment, clock, signal: halt.canceled }
    const found = await workflowArtifacts.find(githubToken, call)
    runner.info(`Found ${pluralize(found.length, 'records file')} of earlier attempts`)
    return found.map(({ name, url, bytes }) => {
      const ofArtifact = `${recordsName} of the workflow artifact ${name}`
      return { name: ofArtifact, bytes, input, workflowArtifact: { name, url } }
    })
  } catch (error) {
    if (halt.isCanceled) throw Stop.canceled()
    const text = `the records that earlier attempts kept cannot be read: ${describeError(error)}`
    throw new Stop(problemAt(input, text, 'nothing'))
  }
}

/** What is known at the end of a run. */
export interface KeepQuery {
  readonly inputs: NotarizeInputs
  /** What the records file holds, or would hold. */
  readonly records: Buffer
  /** Whether the run stopped before it sent anything. */
  readonly isStopped: boolean
  /** Empty if there is no page. */
  readonly evidencePath: string
  /** From {@link findKept}. */
  readonly earlier: readonly EarlierRecords[]
  /** Of the release. */
  readonly released: readonly FoundRecords[]
  /** Why the run stopped; none if it did not. */
  readonly problems: readonly Problem[]
}

/**
 * Keeps the records file as a workflow artifact, or prints it if that fails; after a signal, leaves it to the post step.
 * Returns where all records of the run are then; `before` is from {@link locateRecords}. Never rejects.
 */
export async function keepRecords(query: KeepQuery, before: Place, host: Host): Promise<Place> {
  const kept = await keepOrPrint(query, host)
  if (kept.kind === 'nothing' || before.kind === 'unreadable') return before
  let { kind } = before
  if (kind === 'post-step') kind = placesOfFile[kept.kind]
  const isWhole = kind === 'workflow-artifact'
  if (kept.kind !== 'kept') return { ...before, kind, isWhole }
  return { ...before, kind, isWhole: true, workflowArtifacts: [kept.workflowArtifact] }
}

/** Whether the records file has to be kept. That of a run that stopped has lines of this attempt from another step. */
function isDue(query: KeepQuery, { source }: Environment): boolean {
  const { inputs, records, isStopped, problems } = query
  const isDamaged = problems.some(({ input }) => input === 'records-path')
  if (inputs.dryRun || !inputs.keepRecords || isDamaged) return false
  return hasLinesToKeep(records, source, inputs.releaseTag !== null && !isStopped)
}

/** What became of the records file. */
type Kept =
  | { readonly kind: 'kept'; readonly workflowArtifact: WorkflowArtifact }
  | { readonly kind: 'printed' | 'left' | 'nothing' }

async function keepOrPrint(query: KeepQuery, host: Host): Promise<Kept> {
  const { inputs, records, evidencePath, released, isStopped } = query
  const { environment, clock, halt, runner, workflowArtifacts } = host
  if (inputs.dryRun || isStopped) runner.saveState('records', formatState.free())
  if (!isDue(query, environment)) return { kind: 'nothing' }

  runner.saveState('evidence-path', evidencePath)
  runner.saveState('records', formatState.left(records))
  try {
    halt.canceled.throwIfAborted()
    if (environment.artifactService === null) throw new Error(whyNoService)
    const call = { environment, clock, signal: halt.canceled }
    const workflowArtifact = await workflowArtifacts.keep({ records, evidencePath }, call)
    runner.info(tellKept(workflowArtifact))
    runner.saveState('records', formatState.done(records))
    return { kind: 'kept', workflowArtifact }
  } catch (error) {
    if (halt.isCanceled) {
      runner.info('The post step of this action, at the end of the job, keeps the records')
      return { kind: 'left' }
    }
    const lines = wholeLines(missingLines(bytesOf(released), [records]))
    if (lines.length > 0) runner.passingWarning(tellOnlyInLog(describeError(error)))
    lines.forEach(runner.info)
    runner.saveState('records', formatState.done(records))
    return { kind: 'printed' }
  }
}

/** Where the records are that nothing but the records file had, once they were due. */
const placesOfFile = {
  kept: 'workflow-artifact',
  printed: 'log',
  left: 'post-step',
} as const

/** Finds the worst place of any record, if this process ends before it has kept them: the post step then does. */
export function locateRecords(query: KeepQuery, { environment }: Host): Place {
  const { source, attempt } = environment
  const { records, earlier, released, problems } = query
  const [ofRelease, ofArtifacts] = [bytesOf(released), bytesOf(earlier)]
  const onRelease = findLines(missingLines([], ofRelease), source)
  const inArtifacts = findLines(missingLines(ofRelease, ofArtifacts), source)
  const onlyInFile = findLines(missingLines([...ofRelease, ...ofArtifacts], [records]), source)
  const hasEarlier = [onRelease, inArtifacts, onlyInFile].some(lines => lines.hasEarlierAttempt)

  if (problems.some(isUnreadable)) {
    // A link to what can be read would stand beside the advice to delete what cannot.
    return { kind: 'unreadable', workflowArtifacts: [], isWhole: false, isEarlierMissing: false }
  }
  let kind: Place['kind'] = 'none'
  if (onlyInFile.hasRecord) kind = isDue(query, environment) ? 'post-step' : 'file'
  else if (inArtifacts.hasRecord) kind = 'workflow-artifact'
  else if (onRelease.hasRecord) kind = 'release'
  const workflowArtifacts = earlier.map(({ workflowArtifact }) => workflowArtifact)
  const isWhole = kind === 'workflow-artifact'
  return { kind, workflowArtifacts, isWhole, isEarlierMissing: attempt > 1 && !hasEarlier }
}

/** Whether a run stopped because what an earlier attempt kept cannot be read, or is damaged. */
function isUnreadable({ input, needs }: Problem): boolean {
  return input === 'keep-records' && needs === 'nothing'
}

/** Tells what lines of this run a records file has. Does not parse them: a file may have thousands. */
function findLines(records: Buffer, { runId, runAttempt }: Source) {
  let [hasRecord, hasEarlierAttempt] = [false, false]
  // The text that every line of this run has in its source, before its attempt.
  const ofRun = JSON.stringify({ runId, runAttempt: '' }).slice(1, -2)
  for (const line of records.toString().split('\n')) {
    const at = line.indexOf(ofRun)
    if (at === -1) continue
    hasRecord ||= line.includes('"record":')
    const attempt = parseInt(line.slice(at + ofRun.length))
    hasEarlierAttempt ||= attempt < Number(runAttempt)
  }
  return { hasRecord, hasEarlierAttempt }
}

function bytesOf(files: readonly FoundRecords[]): readonly Buffer[] {
  return files.map(({ bytes }) => bytes)
}
