/** Keeps the records of a run as a workflow artifact, finds those of earlier attempts, and knows where they all are. */
import { describeError, problemAt, Stop, type Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { FoundRecords } from '../records/assess.ts'
import { missingLines } from '../records/lines.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host, WorkflowArtifact } from '../runtime/outside.ts'
import { proxyProblem } from '../service/transport.ts'
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
 * Where the records of this run and of its earlier attempts are, the best place first. It decides what a later run is
 * charged for: the worst place of any record counts.
 */
export type Place =
  /** There are none. */
  | { readonly kind: 'none' }
  /** The release has all of them: every later run for its tag finds them. The workflow artifacts have them, too. */
  | { readonly kind: 'release'; readonly artifacts: readonly WorkflowArtifact[] }
  /** A re-run of the failed jobs finds them; a new run has to be given them. */
  | {
      readonly kind: 'artifact'
      /** At least one. */
      readonly artifacts: readonly WorkflowArtifact[]
      /** False if an earlier attempt may have registered files, but no line of it was found. */
      readonly isComplete: boolean
    }
  /** An earlier attempt may have registered files, but no line of it was found. This attempt has no records. */
  | { readonly kind: 'unknown' }
  /** After a signal, the post step keeps them; how, only the end of the log tells. */
  | { readonly kind: 'post-step' }
  /** Nothing but the records file has them, as with `keep-records: false`. */
  | { readonly kind: 'file' }
  /** No run finds them: the log has lines to save. */
  | { readonly kind: 'log' }
  /** What an earlier attempt kept cannot be read, or is damaged; nothing was sent. */
  | { readonly kind: 'unreadable' }

/** A records file that an earlier attempt kept. */
export interface EarlierRecords extends FoundRecords {
  readonly input: 'keep-records'
  readonly artifact: WorkflowArtifact
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
    const call = { environment, clock, signal: halt.cancelled }
    const found = await workflowArtifacts.find(githubToken, call)
    runner.info(`Found ${pluralize(found.length, 'records file')} of earlier attempts`)
    return found.map(({ name, url, bytes }) => {
      const ofArtifact = `${recordsName} of the workflow artifact ${name}`
      return { name: ofArtifact, bytes, input, artifact: { name, url } }
    })
  } catch (error) {
    // The report says that the run was canceled.
    if (halt.isCancelled) throw new Stop()
    const text = `the records that earlier attempts kept cannot be read: ${describeError(error)}`
    throw new Stop(problemAt(input, text, 'nothing'))
  }
}

/** What is known at the end of a run. */
export interface KeepQuery {
  readonly inputs: NotarizeInputs
  /** What the records file holds, or would hold. */
  readonly records: Buffer
  /** Whether the run ended before it registered anything: a dry run, or a run that stopped. It keeps nothing. */
  readonly isFree: boolean
  /** Empty if there is no page. */
  readonly evidencePath: string
  /** From {@link findKept}. */
  readonly earlier: readonly EarlierRecords[]
  /** Of the release. */
  readonly released: readonly FoundRecords[]
  /** Whether the log has records that could not be saved. */
  readonly hasUnsaved: boolean
  /** Why the run stopped; none if it did not. */
  readonly problems: readonly Problem[]
}

/**
 * Keeps the records file as a workflow artifact, or prints it if that fails; after a signal, leaves it to the post step.
 * Returns where all records of the run are. Never rejects.
 */
export async function keepRecords(query: KeepQuery, host: Host): Promise<Place> {
  return locate(query, await keepOrPrint(query, host), host.environment.source)
}

/** What became of the records file. */
type Kept =
  | { readonly kind: 'kept'; readonly artifact: WorkflowArtifact }
  | { readonly kind: 'printed' | 'left' | 'nothing' }

async function keepOrPrint(query: KeepQuery, host: Host): Promise<Kept> {
  const { inputs, records, evidencePath, released, isFree } = query
  const { environment, clock, halt, runner, workflowArtifacts } = host
  const { artifactService, source } = environment
  if (isFree) runner.saveState('records', formatState.free())
  if (isFree || !inputs.keepRecords) return { kind: 'nothing' }
  if (!hasLinesToKeep(records, source, inputs.releaseTag !== null)) return { kind: 'nothing' }

  runner.saveState('evidence-path', evidencePath)
  runner.saveState('records', formatState.left(records))
  try {
    halt.cancelled.throwIfAborted()
    if (artifactService === null) throw new Error(whyNoService)
    const call = { environment, clock, signal: halt.cancelled }
    const artifact = await workflowArtifacts.keep({ records, evidencePath }, call)
    runner.info(tellKept(artifact))
    runner.saveState('records', formatState.kept(records))
    return { kind: 'kept', artifact }
  } catch (error) {
    if (halt.isCancelled) {
      runner.info('The post step of this action, at the end of the job, keeps the records')
      return { kind: 'left' }
    }
    const lines = wholeLines(missingLines(bytesOf(released), [records]))
    if (lines.length > 0) runner.passingWarning(tellOnlyInLog(describeError(error)))
    lines.forEach(runner.info)
    runner.saveState('records', formatState.kept(records))
    return { kind: 'printed' }
  }
}

/** Finds the worst place of any record of this run and its earlier attempts. */
function locate(query: KeepQuery, kept: Kept, source: Source): Place {
  const { records, earlier, released, hasUnsaved, problems } = query
  if (problems.some(isUnreadable)) return { kind: 'unreadable' }
  const [ofRelease, ofArtifacts] = [bytesOf(released), bytesOf(earlier)]
  const onRelease = findLines(missingLines([], ofRelease), source)
  const inArtifacts = findLines(missingLines(ofRelease, ofArtifacts), source)
  const onlyInFile = findLines(missingLines([...ofRelease, ...ofArtifacts], [records]), source)
  const hasEarlier = [onRelease, inArtifacts, onlyInFile].some(lines => lines.hasEarlierAttempt)
  const isComplete = hasEarlier || !(Number(source.runAttempt) > 1)

  // What could not be saved is in the log, but other records may be in a worse place.
  const isOnlyHere = onlyInFile.hasRecord && (kept.kind === 'nothing' || kept.kind === 'left')
  if (hasUnsaved && !isOnlyHere) return { kind: 'log' }
  let artifacts = earlier.map(({ artifact }) => artifact)
  if (kept.kind === 'kept') artifacts = [kept.artifact]
  if (onlyInFile.hasRecord) {
    switch (kept.kind) {
      case 'kept':
        return { kind: 'artifact', artifacts, isComplete }
      case 'printed':
        return { kind: 'log' }
      case 'left':
        return { kind: 'post-step' }
      case 'nothing':
        return { kind: 'file' }
    }
  }
  if (inArtifacts.hasRecord) return { kind: 'artifact', artifacts, isComplete }
  if (!isComplete) return { kind: 'unknown' }
  if (onRelease.hasRecord) return { kind: 'release', artifacts }
  return { kind: 'none' }
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
