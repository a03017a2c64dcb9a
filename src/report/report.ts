import { readFile } from 'node:fs/promises'
import type { Source } from '../environment.ts'
import type { Halt } from '../halt.ts'
import type { UsableInputs } from '../inputs.ts'
import { isFailed, type Result } from '../outcome.ts'
import type { Attachment } from '../release/open.ts'
import type { Secrets } from '../secrets.ts'
import type { Problem } from '../stop.ts'
import { describeError } from '../text/system-error.ts'
import { counted } from '../text/words.ts'
import { deliverOutputs, deliverSummary, writeTemporary, type Reporter } from './deliver.ts'
import { evidenceName, renderEvidence } from './evidence.ts'
import { groupReasons } from './explain.ts'
import {
  formatChargedAgain,
  formatDeferral,
  formatFailureError,
  formatLog,
  formatProblems,
} from './log.ts'
import { createPublisher, makeOutputs } from './outputs.ts'
import { formatStopped } from './page.ts'
import { formatSummary } from './summary.ts'
import { countResults, decideVerdict, findTroubles, formatVerdict } from './verdict.ts'

/** A run that stopped. */
export interface Stopped {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
  readonly checksumsPath: string
  /** Whether the run had come to sending, as when a bug of ours ended it: then nobody can say that nothing was sent. */
  readonly mayHaveSent?: boolean
}

/** A run that has a result for each artifact. */
export interface Ended {
  readonly kind: 'ended'
  /** Sorted by name. */
  readonly results: readonly Result[]
  readonly checksumsPath: string
  /** Null if nothing was to be attached. */
  readonly attachment: Attachment | null
  /** Whether somebody removed or cut the records file while the run went on. */
  readonly isRecordsFileGone: boolean
  /** Warnings of the log that change what the reader must do; the summary repeats them. */
  readonly warnings: readonly string[]
  /** How many of the hashes left to register an earlier run sent and read no answer for. */
  readonly openHashes?: number
}

/** How a run ended. */
export type Ending = Stopped | Ended

/** What the report needs of the run. */
export interface ReportOptions {
  readonly runner: Reporter
  readonly inputs: Omit<UsableInputs, 'path' | 'checksums' | 'ifNoFilesFound' | 'attachToRelease'>
  /** Absolute. */
  readonly recordsPath: string
  /** `RUNNER_TEMP`. */
  readonly tempFolder: string
  /** When the period of the subscription ended, in epoch milliseconds; null while it goes on, or if that is not known. */
  readonly periodEndedAt: number | null
  readonly secrets: Secrets
  readonly halt: Pick<Halt, 'isCancelled' | 'hasUnsaved'>
  readonly source: Source
}

/** Writes log, outputs, evidence page and summary, and gives the exit code. Never rejects. */
export async function report(ending: Ending, options: ReportOptions): Promise<0 | 1> {
  return ending.kind === 'stopped' ? reportStop(ending, options) : reportEnd(ending, options)
}

async function reportStop(
  { problems, checksumsPath, mayHaveSent = false }: Stopped,
  options: ReportOptions,
): Promise<1> {
  const { runner, inputs, halt, secrets, source } = options
  const shared = sharedOf(options)
  const paths = { ...shared.paths, 'checksums-path': checksumsPath }
  const outputs = makeOutputs({ ...shared, verdict: 'stopped', results: [], paths })
  const failure = deliverOutputs(outputs, runner)
  const cancelled = `The run was cancelled by a signal${mayHaveSent ? '' : '; nothing was sent'}`
  const messages = [
    ...formatProblems(problems).map(text => secrets.redactText(text)),
    ...(halt.isCancelled ? [cancelled] : []),
    ...(failure === null ? [] : [`The outputs could not be written (${failure}); see the log`]),
  ]
  if (inputs.showSummary) {
    const words = mayHaveSent ? stoppedLate : stoppedEarly(inputs.isDryRun, messages.length)
    const place = { source, service: inputs.baseUrl }
    await deliverSummary(formatStopped({ ...words, messages, place }), runner)
  }
  for (const message of messages) runner.error(message)
  return 1
}

const stoppedLate = {
  verdict: '❌ NOT NOTARIZED: stopped after something may have been sent',
  lead: '<b>Something may be registered and charged.</b> The records file has every record that was read; keep it for the next run. Why it stopped:',
}

const stoppedEarly = (isDryRun: boolean, count: number): typeof stoppedLate => ({
  verdict: `❌ ${isDryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: stopped before anything was sent`,
  lead: `<b>Nothing was registered or charged.</b> Correct ${count === 1 ? 'this' : 'these'}, then run the job again:`,
})

async function reportEnd(ending: Ended, options: ReportOptions): Promise<0 | 1> {
  const { runner, inputs, halt, source } = options
  const { attachment, checksumsPath, isRecordsFileGone } = ending
  const { isDryRun, releaseTag } = inputs
  const { facts, publish, paths } = sharedOf(options)
  const results = ending.results.map(result => (isFailed(result) ? publish.failed(result) : result))
  const counts = countResults(results)
  const failures = results.filter(isFailed)
  const mayPass = inputs.ifServiceUnavailable === 'warn' && !isDryRun && failures.length > 0
  const isDeferred = mayPass && failures.every(({ outcome }) => outcome.failure.isDeferrable)

  const hasEvidence = !isDryRun && counts.registered > 0 && !isRecordsFileGone
  const evidencePath = hasEvidence ? await writeEvidence(options) : ''
  const outputs = makeOutputs({
    ...{ results, facts, publish, verdict: decideVerdict(counts, { isDryRun, isDeferred }) },
    paths: { ...paths, 'checksums-path': checksumsPath, 'evidence-path': evidencePath },
  })
  const outputsFailure = deliverOutputs(outputs, runner)

  const troubles = findTroubles({ halt, isRecordsFileGone, attachment, outputsFailure })
  const verdict = formatVerdict(counts, { isDryRun, isDeferred, troubles })
  const told = { results, facts, verdict, reasons: groupReasons(results) }
  const links = attachment?.links ?? []
  for (const text of formatLog(told)) runner.info(text)
  for (const { name, url } of links) runner.info(`attached: ${name}: ${url}`)

  const passes = isDeferred && troubles.length === 0
  const chargedAgain = formatChargedAgain(counts)
  if (passes) runner.warning(formatDeferral(counts))
  for (const text of chargedAgain) runner.warning(text)
  if (outputs.records === '') runner.warning(noRecordsOutput)

  if (inputs.showSummary) {
    const open = isDryRun ? [] : formatOpen(ending.openHashes ?? 0)
    const summary = formatSummary({
      ...{ ...told, counts, troubles, isDryRun, links, publish, releaseTag },
      warnings: [...chargedAgain, ...open, ...ending.warnings],
      place: { source, service: inputs.baseUrl },
    })
    await deliverSummary(summary, runner)
  }
  const errors = [
    ...(passes ? [] : formatFailureError(results, counts, facts)),
    ...troubles.map(({ what, remedy }) => `${what}; ${remedy}`),
  ]
  if (errors.length > 0) runner.error(errors.join('. '))
  return errors.length === 0 ? 0 : 1
}

function sharedOf({ inputs, recordsPath, periodEndedAt, secrets }: ReportOptions) {
  return {
    facts: { recordsPath: inputs.recordsPath, periodEndedAt },
    publish: createPublisher(secrets, inputs.verificationUrl),
    paths: { 'records-path': recordsPath, 'checksums-path': '', 'evidence-path': '' },
  }
}

/** Gives the path of the page, or the empty string; that it cannot be written takes nothing from the records. */
async function writeEvidence({ runner, recordsPath, tempFolder }: ReportOptions): Promise<string> {
  try {
    const text = renderEvidence(await readFile(recordsPath))
    return text === null ? '' : await writeTemporary(tempFolder, { name: evidenceName, text })
  } catch (error) {
    runner.warning(`The evidence page could not be written (${describeError(error)})`)
    return ''
  }
}

/** The note about hashes that were sent though an earlier run may have registered them. */
function formatOpen(open: number): readonly string[] {
  if (open === 0) return []
  return [
    `${counted(open, 'hash', 'hashes')} may have been registered by an earlier run that read no answer; this run planned to send ${open === 1 ? 'it' : 'them'} again`,
  ]
}

const noRecordsOutput =
  'The output "records" is empty, as it would have more than 120,000 bytes; read the file of the output "records-path" instead'
