/** Keeps the records of a run as a workflow artifact, and finds them again. */
import { describeError, problemAt, Stop, type Remedy } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Ledger } from '../records/ledger.ts'
import { isRecord, unreadableDocs, type FoundRecords, type Line } from '../records/lines.ts'
import type { ArtifactCall, Host, KeptRecords } from '../runtime/outside.ts'
import { checkProxy } from '../service/proxy.ts'
import { recordsName } from '../text/names.ts'
import { pluralize } from '../text/phrases.ts'

/** How long a call to the artifact service may take, in milliseconds: the library waits up to 15 minutes. */
const patienceMs = 120_000

/** How long keeping may take after a signal, in milliseconds. */
const keepGraceMs = 3000

/** The group of the log with the lines that could not be kept. */
export const logGroup = 'Records that were not kept'

/**
 * Reads what earlier attempts of this run kept; nothing on the first attempt. Throws a `Stop` if that fails, if the proxy
 * cannot be used, or if there is no `folder` to write to.
 */
export async function findKept({ keepRecords }: NotarizeInputs, folder: string | null, host: Host) {
  const { halt, runner, workflowArtifacts } = host
  const { artifactService, proxies, attempt } = host.environment
  if (!keepRecords || artifactService === null || !(attempt > 1)) return []
  // Why there is no folder for the records has been told.
  if (folder === null) throw new Stop()
  checkProxy(artifactService, proxies)
  try {
    const found = await callWithin(0, workflowArtifacts.find, host)
    runner.info(`Found ${pluralize(found.length, 'records file')} of earlier attempts`)
    return found
  } catch (error) {
    if (halt.isCanceled) throw new Stop()
    const text = `the records that earlier attempts kept cannot be read: ${describeError(error)}`
    const next = 'wait 10 minutes'
    const hint = 'if it stops here again, the linked section says what to do'
    const remedy: Remedy = { next, hint, needs: 'nothing', docs: unreadableDocs }
    throw new Stop(problemAt('keep-records', text, remedy))
  }
}

export function nameKept({ name, bytes }: KeptRecords): FoundRecords {
  return { name: `${recordsName} of the workflow artifact ${name}`, bytes, input: 'keep-records' }
}

interface KeepTask {
  readonly inputs: NotarizeInputs
  readonly ledger: Ledger
}

/**
 * Keeps all lines and the evidence page, whose path is empty if there is none, as a workflow artifact, within 2 minutes, or
 * within 3 seconds after a signal. If that fails, prints the lines of the run that are nowhere else. Adds to the lines where
 * they are then. Returns the workflow artifact, null if there is none, and why the upload failed: a clause, null if it did
 * not. Never rejects.
 */
export async function keepRecords({ inputs, ledger }: KeepTask, evidencePath: string, host: Host) {
  const nothing = { workflowArtifact: null, error: null }
  if (inputs.dryRun || !inputs.keepRecords) return nothing
  const { lines, linesOfRun, source } = ledger
  const hasNew = linesOfRun.some(({ entry }) => entry.source.runAttempt === source.runAttempt)
  if (evidencePath === '' && !hasNew) return nothing
  const { artifactService, proxies } = host.environment
  try {
    if (artifactService === null) throw new Error('this server has no artifact service')
    checkProxy(artifactService, proxies)
    const records = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''))
    const files = { records, evidencePath }
    const keep = (call: ArtifactCall) => host.workflowArtifacts.keep(files, call)
    const workflowArtifact = await callWithin(keepGraceMs, keep, host)
    if (lines.some(({ places }) => places.has('log'))) {
      const text =
        'The records file is incomplete, because it could not be written. Use the one in the workflow artifact instead'
      host.runner.warning(text, 'records.md#where-it-is-kept')
    }
    for (const { places } of lines) places.add('workflow-artifact')
    const { name, url } = workflowArtifact
    const link = url === null ? '' : `: ${url}`
    host.runner.info(`The records are kept in the workflow artifact ${name}${link}`)
    return { workflowArtifact, error: null }
  } catch (error) {
    await printLines(linesOfRun.filter(isNotKept), describeError(error), host)
    return { workflowArtifact: null, error: describeError(error) }
  }
}

/** Where the record lines of a workflow run are. */
export interface Whereabouts {
  /**
   * The worst place of any record: every later run finds those on a `release`, a re-run of the failed jobs those in a
   * `workflow-artifact`, and no run those in the `log` or only in the `file`. Doubts count only where they are kept.
   */
  readonly kind: 'none' | 'release' | 'workflow-artifact' | 'log' | 'file'
  /** How many records are only in the log. */
  readonly onlyInLog: number
  /** Whether earlier attempts may have records that are only in their logs. */
  readonly isEarlierInLogs: boolean
  /** Whether all records that are known are on the release of `release-tag`, although none is of this workflow run. */
  readonly isReleased: boolean
  /** Whether some records that were found cannot be read. */
  readonly isDamaged: boolean
  /** The hashes of records that are not on a release, nor, if others are only in the file, saved from the log. */
  readonly recorded: ReadonlySet<string>
}

/** Finds out where the records of a workflow run are; `isUnread` if those of earlier attempts could not be read. */
export function locateRecords(
  { inputs, ledger }: KeepTask,
  isUnread: boolean,
  { environment: { artifactService, attempt } }: Host,
): Whereabouts {
  const isDamaged = ledger.problems.length > 0
  const isKeptDamaged = ledger.problems.some(({ input }) => input === 'keep-records')
  const lines = ledger.linesOfRun
  const isEarlier = ({ entry }: Line): boolean => Number(entry.source.runAttempt) < attempt
  const isPrinting = inputs.keepRecords && artifactService === null
  const isEarlierInLogs = isPrinting && attempt > 1 && !lines.some(isEarlier)
  const unreleased = lines.filter(({ places }) => !places.has('release'))
  const isKept = unreleased.some(({ places }) => places.has('workflow-artifact'))
  const records = unreleased.filter(({ entry }) => isRecord(entry))
  const notKept = records.filter(isNotKept)
  const onlyInLog = notKept.filter(({ places }) => places.has('log')).length
  let kind: Whereabouts['kind'] = lines.some(({ entry }) => isRecord(entry)) ? 'release' : 'none'
  if (isUnread || isKeptDamaged || isKept) kind = 'workflow-artifact'
  if (onlyInLog > 0 || isEarlierInLogs) kind = 'log'
  // A dry run keeps nothing itself: what it finds in the file, an earlier step has kept.
  const isDone = inputs.dryRun && inputs.keepRecords && artifactService !== null
  if (notKept.length > onlyInLog) kind = isDone ? 'workflow-artifact' : 'file'
  // A person can confirm a hash again at no charge.
  const charged = records.filter(({ entry }) => isRecord(entry) && !entry.confirmed)
  const lost = charged.filter(({ places }) => kind !== 'file' || !places.has('log'))
  const recorded = new Set(lost.map(({ entry }) => entry.hash))
  const known = ledger.lines.filter(({ entry }) => isRecord(entry))
  const isOnReleases = known.length > 0 && known.every(({ places }) => places.has('release'))
  const isReleased = kind === 'none' && isOnReleases && !inputs.earlierReleases
  return { kind, onlyInLog, isEarlierInLogs, isReleased, isDamaged, recorded }
}

/** Whether a line is neither on a release nor in a workflow artifact. */
function isNotKept({ places }: Line): boolean {
  return !places.has('release') && !places.has('workflow-artifact')
}

/** Prints lines in a group, under one warning unless all are doubts. */
async function printLines(lines: readonly Line[], why: string, { runner }: Host): Promise<void> {
  if (lines.length === 0) return
  const records = lines.filter(({ entry }) => isRecord(entry)).length
  if (records > 0) {
    const what = pluralize(records, 'record line is', 'record lines are')
    runner.logWarning(
      `The workflow artifact could not be uploaded: ${why}. Outside this runner, ${what} only in the log, in the group "${logGroup}"`,
    )
  }
  await runner.group(logGroup, () => {
    for (const { text, places } of lines) {
      runner.info(text)
      places.add('log')
    }
    return Promise.resolve()
  })
}

/** Makes a call, and ends it after 2 minutes, or `afterSignalMs` after a signal. */
async function callWithin<T>(
  afterSignalMs: number,
  use: (call: ArtifactCall) => Promise<T>,
  host: Host,
): Promise<T> {
  const { clock, halt } = host
  const done = new AbortController()
  const late = new AbortController()
  const wait = async (): Promise<void> => {
    await clock.sleep(patienceMs, AbortSignal.any([halt.canceled, done.signal]))
    if (halt.isCanceled) await clock.sleep(afterSignalMs, done.signal)
    late.abort(new Error(halt.isCanceled ? 'the run was canceled' : 'it took more than 2 minutes'))
  }
  void wait()
  try {
    return await use({ host, signal: late.signal })
  } finally {
    done.abort()
  }
}
