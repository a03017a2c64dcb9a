import { describeError } from '../errors.ts'
import type { Inputs } from '../inputs.ts'
import type { Problem, Result } from '../outcome.ts'
import type { Halt } from '../register/halt.ts'
import type { Secrets } from '../secrets.ts'
import { formatFailureError, formatLog, formatProblems } from './log.ts'
import {
  countResults,
  decideVerdict,
  formatFailures,
  formatRecords,
  type Counts,
  type Verdict,
} from './outputs.ts'
import { formatStopped, formatSummary } from './summary.ts'

/** How a run ended: stopped before anything was sent, or with a result for each artifact. */
export type Ending =
  | {
      readonly kind: 'stopped'
      readonly problems: readonly Problem[]
      readonly checksumsPath: string
    }
  | {
      readonly kind: 'ended'
      /** Sorted by name. */
      readonly results: readonly Result[]
      readonly checksumsPath: string
    }

/** What the report is given to. */
export interface Reporter {
  readonly info: (text: string) => void
  readonly warning: (text: string) => void
  readonly error: (text: string) => void
  readonly setOutput: (name: string, value: string | number) => void
  readonly writeSummary: (markdown: string) => Promise<void>
}

/** What the report needs of the run. */
export interface ReportOptions {
  readonly runner: Reporter
  readonly inputs: Pick<Inputs, 'isDryRun' | 'showSummary' | 'recordsPath'>
  /** Absolute. */
  readonly recordsPath: string
  readonly secrets: Secrets
  readonly halt: Halt
}

/** Writes log, outputs and summary, and gives the exit code. Never rejects. */
export async function report(ending: Ending, options: ReportOptions): Promise<0 | 1> {
  const { runner, inputs, secrets, halt, recordsPath } = options
  const results =
    ending.kind === 'ended' ? ending.results.map(result => redacted(result, secrets)) : []
  const isDryRun = inputs.isDryRun
  const counts = countResults(results)
  const errors: string[] = []
  if (ending.kind === 'stopped') errors.push(...formatProblems(mergeByInput(ending.problems)))
  else {
    for (const line of formatLog(results, isDryRun)) runner.info(line)
    errors.push(...endError(results, halt))
  }
  const verdict = ending.kind === 'stopped' ? 'stopped' : decideVerdict(counts, isDryRun)
  const records = formatRecords(results, isDryRun)
  if (records === '') {
    runner.warning(
      'The output "records" is empty, as it would be longer than the platform takes; read the file of the output "records-path" instead',
    )
  }
  const outputs = {
    verdict,
    records,
    failures: formatFailures(results),
    'records-path': recordsPath,
    'checksums-path': ending.checksumsPath,
    ...countOutputs(counts, verdict),
  }
  const summary =
    ending.kind === 'stopped'
      ? formatStopped(mergeByInput(ending.problems))
      : formatSummary({ results, isDryRun, recordsPath: inputs.recordsPath })
  errors.push(...(await deliver(outputs, inputs.showSummary ? summary : null, runner)))
  for (const error of errors) runner.error(error)
  return errors.length === 0 ? 0 : 1
}

async function deliver(
  outputs: Readonly<Record<string, string | number>>,
  summary: string | null,
  runner: Reporter,
): Promise<readonly string[]> {
  const errors: string[] = []
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
  } catch (error) {
    errors.push(
      `The outputs could not be written (${describeError(error)}); the records file has every record`,
    )
  }
  try {
    if (summary !== null) await runner.writeSummary(summary)
  } catch (error) {
    runner.warning(`The job summary could not be written (${describeError(error)})`)
  }
  return errors
}

function countOutputs(counts: Counts, verdict: Verdict): Readonly<Record<string, number>> {
  const isDryRun = verdict === 'dry-run'
  return {
    'artifact-count': counts.total,
    'registered-count': isDryRun ? 0 : counts.registered,
    'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
    'failed-count': counts.failed,
  }
}

/** The one error of a run that got as far as sending, or none. */
function endError(results: readonly Result[], halt: Halt): readonly string[] {
  const parts = [
    formatFailureError(results),
    halt.isCancelled ? 'The run was cancelled by a signal' : null,
    halt.reason?.code === 'not-saved'
      ? 'A record could not be saved to the records file; the log shows its line, add it by hand'
      : null,
  ].filter(part => part !== null)
  return parts.length === 0 ? [] : [parts.join('. ')]
}

function redacted(result: Result, secrets: Secrets): Result {
  const { outcome } = result
  switch (outcome.state) {
    case 'planned':
    case 'held':
      return result
    case 'failed':
      return { ...result, outcome: { ...outcome, message: secrets.redactText(outcome.message) } }
    case 'registered': {
      const { record, redacted } = secrets.redact(outcome.record)
      const places = [...new Set([...outcome.redacted, ...redacted])]
      return { ...result, outcome: { ...outcome, record, redacted: places } }
    }
  }
}

/** One problem for each input, all its messages in one. */
function mergeByInput(problems: readonly Problem[]): readonly Problem[] {
  const merged = new Map<string | null, Problem>()
  for (const { input, message } of problems) {
    const earlier = merged.get(input)
    merged.set(input, {
      input,
      message: earlier === undefined ? message : `${earlier.message}; ${message}`,
    })
  }
  return [...merged.values()]
}
