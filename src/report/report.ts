import { evidenceName } from '../artifacts/own-files.ts'
import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { isRegistered, type Result } from '../outcome.ts'
import { readRegularFile } from '../records/disk.ts'
import { renderEvidence, withShownFields, type NamedHash } from '../records/evidence.ts'
import { parseRecords } from '../records/parse-records.ts'
import type { Attachment } from '../release/attach.ts'
import type { Host } from '../runtime/host.ts'
import { toSingleLine } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { deliverOutputs, deliverSummary, writeTemporary } from './deliver.ts'
import { buildFindings } from './findings.ts'
import { formatError, formatLog } from './log.ts'
import { makeOutputs } from './outputs.ts'
import { charged, explainAttachment, findRunFailures } from './run-failures.ts'
import { reportStop } from './stop.ts'
import { formatSummary } from './summary.ts'
import { formatChargedAgain, formatDeferral, formatVerdict, isRed } from './verdict.ts'

/** A run that stopped before anything was sent. */
export interface StoppedRun {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
  readonly checksumsPath: string
}

/** A run that has a result for each artifact. */
export interface CompletedRun {
  readonly kind: 'completed'
  /** Sorted by name. */
  readonly results: readonly Result[]
  readonly checksumsPath: string
  /** Null if nothing was to be attached. */
  readonly attachment: Attachment | null
  /** Warnings from the log that change what the reader must do; the summary repeats them. */
  readonly warnings: readonly string[]
  /** The registered assets of the release, by their names; null without a release. */
  readonly evidenceChecksums: (hashes: ReadonlySet<string>) => readonly NamedHash[] | null
}

/** How a run ended. */
export type RunEnd = StoppedRun | CompletedRun

export interface ReportOptions {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute. */
  readonly recordsPath: string
}

/** Writes log, outputs, evidence page and summary. Returns the exit code. Never rejects. */
export async function report(end: RunEnd, options: ReportOptions): Promise<0 | 1> {
  return end.kind === 'completed' ? reportCompleted(end, options) : reportStopped(end, options)
}

const nothingSent = 'nothing was registered or charged'

async function reportStopped(end: StoppedRun, options: ReportOptions): Promise<1> {
  const { problems, checksumsPath } = end
  const { host, inputs, recordsPath } = options
  const how = host.halt.isCancelled && problems.length === 0 ? 'cancelled' : 'stopped'
  const paths = { recordsPath, checksumsPath, evidencePath: '' }
  const stop = {
    problems,
    verdict: `❌ ${inputs.dryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: ${how} before anything was sent`,
    nothing: nothingSent,
    page: 'failures.md#stopped-before-anything-was-sent',
    outputs: makeOutputs(buildFindings([], host, inputs), 'stopped', paths),
    showSummary: inputs.showSummary,
  }
  return reportStop(stop, host)
}

async function reportCompleted(end: CompletedRun, options: ReportOptions): Promise<0 | 1> {
  const { host, inputs, recordsPath } = options
  const { runner, halt, secrets } = host
  const { attachment, checksumsPath } = end
  const findings = buildFindings(end.results, host, inputs)
  const { counts, verdict } = findings
  const clean = (text: string): string => toSingleLine(secrets.redactText(text))

  const evidencePath = await writeEvidence(end, options)
  const outputs = makeOutputs(findings, verdict, { recordsPath, checksumsPath, evidencePath })
  const outputsFailure = deliverOutputs(outputs, runner)
  const failures = [...findRunFailures(halt, outputsFailure, inputs.dryRun ? nothingSent : charged)]
  const incomplete = explainAttachment(attachment)
  if (incomplete !== null) failures.push(incomplete)
  // First, because their remedies come before another run.
  failures.sort((a, b) => Number(b.blocksRerun) - Number(a.blocksRerun))
  const runFailures = failures.map(failure => {
    const reason = failure.reason === null ? null : clean(failure.reason)
    return { ...failure, reason, short: clean(failure.short), what: clean(failure.what) }
  })

  const firstLine = formatVerdict(verdict, counts, runFailures)
  const exitCode = isRed(verdict, counts, runFailures) ? 1 : 0
  formatLog(findings, firstLine).forEach(runner.info)
  const warnings = (attachment?.warnings ?? []).map(clean)
  const chargedAgain = formatChargedAgain(counts)
  if (chargedAgain !== null) warnings.push(chargedAgain)
  if (outputs['records'] === '') warnings.push(noRecordsOutput)
  if (verdict === 'deferred' && exitCode === 0) warnings.push(formatDeferral(counts))
  warnings.forEach(runner.warning)
  if (inputs.showSummary) {
    warnings.push(...end.warnings.map(clean))
    const summary = formatSummary(findings, { verdict: firstLine, runFailures, warnings })
    await deliverSummary(summary, runner)
  }
  if (exitCode === 1) runner.error(formatError(findings, runFailures))
  return exitCode
}

const noRecordsOutput =
  'The output "records" is empty, because it would exceed 120,000 bytes; read the file in the output "records-path" instead'

/** Writes the evidence page; a failure is only a warning. Returns its path, or the empty string. */
async function writeEvidence(end: CompletedRun, options: ReportOptions): Promise<string> {
  const { host, inputs, recordsPath } = options
  const registered = end.results.filter(isRegistered)
  if (inputs.dryRun || registered.length === 0) return ''
  const hashes = new Set(registered.map(({ hash }) => hash))
  const checksums = end.evidenceChecksums(hashes) ?? registered
  try {
    const file = readRegularFile(recordsPath)
    const { entries } = parseRecords(file, inputs.recordsPath, withShownFields)
    const page = renderEvidence(entries, checksums)
    if (page === null) return ''
    const text = host.secrets.redactText(page)
    return await writeTemporary(host.environment.tempFolder, evidenceName, text)
  } catch (error) {
    host.runner.warning(`The evidence page could not be written (${describeError(error)})`)
    return ''
  }
}
