/** Keeps the records of a run as a workflow artifact, finds those of earlier attempts, and knows where they all are. */
import { describeError, problemAt, Stop } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { FoundRecords } from '../records/assess.ts'
import type { Ledger } from '../records/ledger.ts'
import { isDoubtLine, wholeLines } from '../records/lines.ts'
import type { Release } from '../release/release.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host, KeptArtifact, KeptFiles, WorkflowArtifact } from '../runtime/outside.ts'
import { proxyProblem } from '../service/proxy.ts'
import { recordsName } from '../text/names.ts'
import { pluralize } from '../text/phrases.ts'

/** How long a call to the artifact service may take, in milliseconds: the library waits up to 15 minutes. */
const patienceMs = 120_000

/** How long keeping may take after a signal, in milliseconds. */
const keepGraceMs = 3000

/** Where the records of this run and of its earlier attempts are. The worst place of any record counts. */
export interface Place {
  readonly kind:
    /** There are no records. A workflow artifact may hold doubts, which a re-run finds. */
    | 'none'
    /** The release has all of them: every later run for its tag finds them. */
    | 'release'
    /** A re-run of the failed jobs finds them; a new run has to be given them. */
    | 'workflow-artifact'
    /** Nothing but the records file has them, as with `keep-records: false`. */
    | 'file'
    /** No run finds them: the log has lines to save. */
    | 'log'
  /** The workflow artifacts with records of this run, or with what this attempt has kept; the newest is the last one. */
  readonly workflowArtifacts: readonly WorkflowArtifact[]
  /** The one with the evidence page of all that is registered; null if that is uncertain. */
  readonly page: WorkflowArtifact | null
}

/** A records file that an earlier attempt kept. */
export type EarlierRecords = FoundRecords & { readonly workflowArtifact: WorkflowArtifact }

/**
 * Reads what earlier attempts of this run kept; nothing on the first attempt. Throws a `Stop` if that fails, or if the proxy
 * cannot be used.
 */
export async function findKept(
  { keepRecords }: NotarizeInputs,
  host: Host,
): Promise<readonly EarlierRecords[]> {
  const input = 'keep-records'
  const { halt, runner, workflowArtifacts } = host
  const { artifactService, proxies, attempt } = host.environment
  if (!keepRecords || artifactService === null || !(attempt > 1)) return []
  const problem = proxyProblem(artifactService, proxies)
  if (problem !== null) throw new Stop(problem)
  try {
    const found = await callWithin(0, signal => workflowArtifacts.find({ host, signal }), host)
    runner.info(`Found ${pluralize(found.length, 'records file')} of earlier attempts`)
    return found.map(({ name, url, bytes }) => {
      const ofArtifact = `${recordsName} of the workflow artifact ${name}`
      return { name: ofArtifact, bytes, input, workflowArtifact: { name, url } }
    })
  } catch (error) {
    if (halt.isCanceled) throw new Stop()
    const text = `the records that earlier attempts kept cannot be read: ${describeError(error)}`
    const next = 'wait a few minutes'
    const hint = 'if a re-run stops here again, follow the linked section'
    const docs = 'records.md#records-that-cannot-be-read'
    throw new Stop(problemAt(input, text, { next, hint, needs: 'nothing', docs }))
  }
}

/** What is known at the end of a run. */
export interface KeepQuery {
  readonly inputs: NotarizeInputs
  /** Null if the records file could not be read. */
  readonly ledger: Pick<Ledger, 'content' | 'problems'> | null
  /** From {@link findKept}. */
  readonly earlier: readonly EarlierRecords[]
  /** Null without `release-tag`. */
  readonly release: Pick<Release, 'records'> | null
  /** Empty if there is no page. */
  readonly evidencePath: string
  /** Whether the run stopped before it sent anything. */
  readonly isStopped: boolean
}

/**
 * Keeps the records file as a workflow artifact, or prints its lines if that fails: within 2 minutes, or within 3 seconds
 * after a signal. Returns where all records of the run are then. Never rejects.
 */
export async function keepRecords(query: KeepQuery, host: Host): Promise<Place> {
  const { ledger, earlier, release, evidencePath } = query
  const { source } = host.environment
  const records = ledger?.content ?? Buffer.alloc(0)
  const [onRelease, inArtifacts] = [linesOf(release?.records ?? []), linesOf(earlier)]
  const inFile = linesOf([{ bytes: records }]).difference(onRelease)
  let kind: Place['kind'] = 'none'
  if (hasRecord(inFile.difference(inArtifacts), source)) kind = 'file'
  else if (hasRecord(inArtifacts.difference(onRelease), source)) kind = 'workflow-artifact'
  else if (hasRecord(onRelease, source)) kind = 'release'
  const hasPage = evidencePath !== ''
  const workflowArtifacts = earlier.map(one => one.workflowArtifact)
  // Of several, each may have the page of another step.
  const isSame = workflowArtifacts.length === 1 && inFile.isSubsetOf(inArtifacts)
  const before: Place = {
    kind,
    workflowArtifacts: kind === 'none' ? [] : workflowArtifacts,
    page: hasPage && isSame && kind === 'workflow-artifact' ? (workflowArtifacts[0] ?? null) : null,
  }
  if (!isDue(query, records, source)) return before
  try {
    const kept = await uploadRecords({ records, evidencePath }, host)
    const page = hasPage && kept.isUploaded ? kept : null
    return { kind: kind === 'file' ? 'workflow-artifact' : kind, workflowArtifacts: [kept], page }
  } catch (error) {
    // Doubts alone are not worth a warning.
    if (kind !== 'file') return before
    await print(inFile, describeError(error), host)
    return { ...before, kind: 'log' }
  }
}

/** Whether the records file has to be kept. That of a run that stopped has lines of this attempt from another step. */
function isDue(
  { inputs, ledger, isStopped }: KeepQuery,
  records: Buffer,
  { runId, runAttempt }: Source,
): boolean {
  const isDamaged = ledger?.problems.some(({ input: from }) => from === 'records-path') ?? true
  if (inputs.dryRun || !inputs.keepRecords || isDamaged) return false
  const isForRelease = inputs.releaseTag !== null && !isStopped
  if (isForRelease && wholeLines(records).some(line => !isDoubtLine(line))) return true
  // The text that every line of this attempt has in its source.
  return records.includes(JSON.stringify({ runId, runAttempt }).slice(1, -1))
}

/** Whether some lines are records of this run, of any attempt. Does not parse them: there may be thousands. */
function hasRecord(lines: ReadonlySet<string>, { runId }: Source): boolean {
  const ofRun = JSON.stringify({ runId }).slice(1, -1)
  return lines.values().some(line => line.includes(ofRun) && !isDoubtLine(line))
}

/** Uploads a records file. Rejects if that fails, with a reason without secrets. */
async function uploadRecords(files: KeptFiles, host: Host): Promise<KeptArtifact> {
  const { artifactService, proxies } = host.environment
  if (artifactService === null) throw new Error('this server has no artifact service')
  const problem = proxyProblem(artifactService, proxies)
  if (problem !== null) throw new Error(problem.message)
  const call = (signal: AbortSignal) => host.workflowArtifacts.keep(files, { host, signal })
  const kept = await callWithin(keepGraceMs, call, host)
  const url = kept.url === null ? '' : `: ${kept.url}`
  host.runner.info(`The records are kept in the workflow artifact ${kept.name}${url}`)
  return kept
}

/** Prints lines of a records file in a group, under one warning. */
async function print(lines: ReadonlySet<string>, why: string, { runner }: Host): Promise<void> {
  runner.passingWarning(
    `The records could not be kept as a workflow artifact: ${why}. Apart from the records file, they are only in the log, in the group below.`,
  )
  await runner.group('Records of this run', () => {
    for (const line of lines) runner.info(line)
    return Promise.resolve()
  })
}

/** Makes a call, and ends it after 2 minutes, or `afterSignalMs` after a signal. */
async function callWithin<T>(
  afterSignalMs: number,
  call: (signal: AbortSignal) => Promise<T>,
  { clock, halt }: Host,
): Promise<T> {
  const done = new AbortController()
  const late = new AbortController()
  const wait = async (): Promise<void> => {
    await clock.sleep(patienceMs, AbortSignal.any([halt.canceled, done.signal]))
    if (halt.isCanceled) await clock.sleep(afterSignalMs, done.signal)
    late.abort(new Error(halt.isCanceled ? 'the run was canceled' : 'it took more than 2 minutes'))
  }
  void wait()
  try {
    return await call(late.signal)
  } finally {
    done.abort()
  }
}

/** Returns the lines of records files, each once. */
function linesOf(files: readonly Pick<FoundRecords, 'bytes'>[]): Set<string> {
  return new Set(files.flatMap(({ bytes }) => wholeLines(bytes)))
}
