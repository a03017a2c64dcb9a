import { readFile } from 'node:fs/promises'
import { attachedNames } from '../artifacts/own-files.ts'
import type { Source } from '../environment.ts'
import type { Halt } from '../halt.ts'
import type { UsableInputs } from '../inputs.ts'
import type { Result } from '../outcome.ts'
import { renderEvidence } from '../records/evidence.ts'
import type { Attachment } from '../release/open.ts'
import type { Problem } from '../stop.ts'
import { describeError } from '../text/system-error.ts'
import { deliverOutputs, deliverSummary, writeTemporary, type Reporter } from './deliver.ts'
import { findOut, type FindingsOptions } from './findings.ts'
import { formatChargedAgain, formatDeferral, formatFailureError, formatLog } from './log.ts'
import { makeOutputs } from './outputs.ts'
import { reportStop } from './stop.ts'
import { formatSummary } from './summary.ts'
import { findTroubles, formatVerdict } from './verdict.ts'

/** A run that stopped before anything was sent. */
export interface Stopped {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
  readonly checksumsPath: string
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
}

/** How a run ended. */
export type Ending = Stopped | Ended

/** What the report needs of the run. */
export interface ReportOptions extends FindingsOptions {
  readonly runner: Reporter
  readonly inputs: FindingsOptions['inputs'] &
    Pick<UsableInputs, 'baseUrl' | 'releaseTag' | 'showSummary'>
  /** Absolute. */
  readonly recordsPath: string
  /** `RUNNER_TEMP`. */
  readonly tempFolder: string
  readonly halt: Pick<Halt, 'bug' | 'isCancelled' | 'hasUnsaved'>
  readonly source: Source
}

/** Writes log, outputs, evidence page and summary, and gives the exit code. Never rejects. */
export async function report(ending: Ending, options: ReportOptions): Promise<0 | 1> {
  if (ending.kind === 'ended') return reportEnd(ending, options)
  const { inputs, recordsPath } = options
  const paths = { recordsPath, checksumsPath: ending.checksumsPath, evidencePath: '' }
  const texts = {
    verdict: `❌ ${inputs.isDryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: stopped before anything was sent`,
    lead: '<b>Nothing was registered or charged.</b>',
    nothing: 'nothing was sent',
    outputs: makeOutputs(findOut([], options), 'stopped', paths),
  }
  return reportStop(ending.problems, texts, { ...options, ...inputs })
}

async function reportEnd(ending: Ended, options: ReportOptions): Promise<0 | 1> {
  const { runner, inputs, recordsPath, halt, source } = options
  const { attachment, checksumsPath, isRecordsFileGone } = ending
  const findings = findOut(ending.results, options)
  const { counts, verdict } = findings

  const hasEvidence = !inputs.isDryRun && counts.registered > 0 && !isRecordsFileGone
  const evidencePath = hasEvidence ? await writeEvidence(options) : ''
  const outputs = makeOutputs(findings, verdict, { recordsPath, checksumsPath, evidencePath })
  const outputsFailure = deliverOutputs(outputs, runner)

  const troubles = findTroubles({ halt, isRecordsFileGone, attachment, outputsFailure })
  const line = formatVerdict(verdict, counts, troubles)
  const links = attachment?.links ?? []
  for (const text of formatLog(findings, line)) runner.info(text)
  for (const { name, url } of links) runner.info(`attached: ${name}: ${url}`)

  const passes = verdict === 'deferred' && troubles.length === 0
  const chargedAgain = formatChargedAgain(counts)
  const warnings = [
    ...(passes ? [formatDeferral(line, counts)] : []),
    ...chargedAgain,
    ...(outputs.records === '' ? [noRecordsOutput] : []),
  ]
  for (const text of warnings) runner.warning(text)

  if (inputs.showSummary) {
    const summary = formatSummary({
      ...{ ...findings, ...inputs, line, troubles, links },
      warnings: [...chargedAgain, ...ending.warnings],
      place: { source, service: inputs.baseUrl },
    })
    await deliverSummary(summary, runner)
  }
  const errors = [
    ...(passes ? [] : formatFailureError(findings)),
    ...troubles.map(({ what, remedy }) => `${what}; ${remedy}`),
  ]
  if (errors.length > 0) runner.error(errors.join('. '))
  return errors.length === 0 ? 0 : 1
}

/** Gives the path of the page, or the empty string; that it cannot be written takes nothing from the records. */
async function writeEvidence({ runner, recordsPath, tempFolder }: ReportOptions): Promise<string> {
  try {
    const text = renderEvidence(await readFile(recordsPath))
    return text === null
      ? ''
      : await writeTemporary(tempFolder, { name: attachedNames.evidence, text })
  } catch (error) {
    runner.warning(`The evidence page could not be written (${describeError(error)})`)
    return ''
  }
}

const noRecordsOutput =
  'The output "records" is empty, as it would have more than 120,000 bytes; read the file of the output "records-path" instead'
