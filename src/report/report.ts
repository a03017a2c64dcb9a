import type { Inputs } from '../inputs.ts'
import type { Problem, Result } from '../outcome.ts'
import type { Halt } from '../register/halt.ts'
import type { Source } from '../records/record-line.ts'
import type { Secrets } from '../secrets.ts'
import { deliver, mergeByInput, type Reporter } from './deliver.ts'
import { formatDeferral, formatFailureError, formatLog, formatProblems } from './log.ts'
import {
  countResults,
  decideVerdict,
  formatFailures,
  formatRecords,
  isDeferrable,
  type Counts,
  type Verdict,
} from './outputs.ts'
import { formatStopped, formatSummary } from './summary.ts'
import { fillVerificationUrl } from './verification-url.ts'

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
      /** What is wrong with the records as evidence: not attached, or gone; null if nothing. */
      readonly evidenceError: string | null
    }

/** What the report needs of the run. */
export interface ReportOptions {
  readonly runner: Reporter
  readonly inputs: Pick<
    Inputs,
    'isDryRun' | 'showSummary' | 'recordsPath' | 'verificationUrl' | 'ifServiceUnavailable'
  >
  /** Absolute. */
  readonly recordsPath: string
  readonly secrets: Secrets
  readonly halt: Halt
  readonly source: Source
}

/** Writes log, outputs and summary, and gives the exit code. Never rejects. */
export async function report(ending: Ending, options: ReportOptions): Promise<0 | 1> {
  const { runner, inputs, secrets, halt, recordsPath, source } = options
  const results =
    ending.kind === 'ended'
      ? ending.results.map(result => publish(result, secrets, inputs.verificationUrl))
      : []
  const { isDryRun } = inputs
  const isDeferred = inputs.ifServiceUnavailable === 'warn' && !isDryRun && isDeferrable(results)
  const counts = countResults(results)
  const errors: string[] = []
  if (ending.kind === 'stopped') {
    errors.push(...formatProblems(mergeByInput(ending.problems)))
    if (halt.isCancelled) errors.push('The run was cancelled by a signal; nothing was sent')
  } else {
    for (const line of formatLog(results, isDryRun, isDeferred)) runner.info(line)
    errors.push(...endErrors(ending, { results, halt, isDeferred }))
    if (isDeferred) runner.warning(formatDeferral(counts))
  }
  const verdict = decideEndVerdict(ending, counts, { isDryRun, isDeferred })
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
      ? formatStopped('NOT NOTARIZED: nothing was sent', mergeByInput(ending.problems).length)
      : formatSummary({ results, isDryRun, isDeferred, recordsPath: inputs.recordsPath, source })
  errors.push(...(await deliver(outputs, inputs.showSummary ? summary : null, runner)))
  for (const error of errors) runner.error(error)
  return errors.length === 0 ? 0 : 1
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

function decideEndVerdict(
  ending: Ending,
  counts: Counts,
  { isDryRun, isDeferred }: { readonly isDryRun: boolean; readonly isDeferred: boolean },
): Verdict {
  if (ending.kind === 'stopped') return 'stopped'
  return isDeferred ? 'deferred' : decideVerdict(counts, isDryRun)
}

/** The one error of a run that got as far as sending, or none. */
function endErrors(
  { evidenceError }: Extract<Ending, { kind: 'ended' }>,
  { results, halt, isDeferred }: EndState,
): readonly string[] {
  const parts = [
    isDeferred ? null : formatFailureError(results),
    halt.isCancelled ? 'The run was cancelled by a signal' : null,
    halt.hasUnsaved
      ? 'A record could not be saved to the records file; the log shows its line, add it by hand'
      : null,
    evidenceError,
  ].filter(part => part !== null)
  return parts.length === 0 ? [] : [parts.join('. ')]
}

interface EndState {
  readonly results: readonly Result[]
  readonly halt: Halt
  readonly isDeferred: boolean
}

/** A result as it may leave the action: without secrets, with its link. */
function publish(result: Result, secrets: Secrets, verificationUrl: string | null): Result {
  // A secret that came after the guards of the plan.
  const named = { ...result, name: secrets.redactText(result.name) }
  const { outcome } = named
  switch (outcome.state) {
    case 'planned':
    case 'held':
      return named
    case 'failed':
      return { ...named, outcome: { ...outcome, message: secrets.redactText(outcome.message) } }
    case 'registered': {
      const { record, redacted } = secrets.redact(outcome.record)
      const places = [...new Set([...outcome.redacted, ...redacted])]
      const url = fillVerificationUrl(verificationUrl, { hash: result.hash, record })
      const link = url === undefined ? {} : { verificationUrl: url }
      return { ...named, ...link, outcome: { ...outcome, record, redacted: places } }
    }
  }
}
