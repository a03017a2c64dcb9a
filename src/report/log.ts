import type { Problem, Result } from '../outcome.ts'
import { maxMessageLength, quote } from './escape.ts'
import { countResults, isFailed, type Counts } from './outputs.ts'
import { formatSize } from './size.ts'
import { formatVerdict } from './summary.ts'

const maxLines = 100

/** The lines that the log ends with: each artifact, failures first, then the verdict. */
export function formatLog(
  results: readonly Result[],
  isDryRun: boolean,
  isDeferred = false,
): readonly string[] {
  const sorted = [...results.filter(isFailed), ...results.filter(result => !isFailed(result))]
  const lines = sorted.slice(0, maxLines).map(logLine)
  const rest = sorted.length - lines.length
  const more = rest > 0 ? [`and ${rest} more artifacts, see the job summary`] : []
  return [...lines, ...more, formatVerdict(countResults(results), { isDryRun, isDeferred })]
}

function logLine({ name, size, hash, outcome }: Result): string {
  const what = `"${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
  switch (outcome.state) {
    case 'planned':
      return `would be registered: ${what}`
    case 'held':
      return `not sent again, as its record has problems: ${what}`
    case 'registered':
      return outcome.from === 'this-run' ? `registered: ${what}` : `registered before: ${what}`
    case 'failed':
      return `FAILED, ${registeredInWords(outcome.registered)}: ${what}: ${outcome.code}: ${quote(outcome.message, maxMessageLength)}`
  }
}

function registeredInWords(registered: 'no' | 'unknown'): string {
  return registered === 'no' ? 'not registered' : 'may be registered'
}

/** The one error of a run with failures: how many of how many, and why the first did. */
export function formatFailureError(results: readonly Result[]): string | null {
  const { total, failed, unknown } = countResults(results)
  const first = results.find(isFailed)
  if (first === undefined) return null
  const certainty = unknown === 0 ? '' : ` (${unknown} of them may be registered)`
  const { code, message } = first.outcome
  return `${failed} of ${total} artifacts failed${certainty}. The first, "${quote(first.name)}": ${code}: ${quote(message, maxMessageLength)}`
}

/** The warning of a run that passes although the service was not available. */
export function formatDeferral({ failed, total, unknown }: Counts): string {
  const unsure =
    unknown === 0
      ? ''
      : ` (${unknown} of them may be registered: look their hashes up at the service first)`
  return `NOT NOTARIZED: deferred. The service was not available for ${failed} of ${total} artifacts${unsure}; run the job again with the same records file to finish them`
}

const maxErrors = 10

/** One error for each input, at most ten; the last tells how many more there are. */
export function formatProblems(problems: readonly Problem[]): readonly string[] {
  if (problems.length <= maxErrors) return problems.map(({ message }) => message)
  const shown = problems.slice(0, maxErrors - 1).map(({ message }) => message)
  return [...shown, `${problems.length - shown.length} more inputs are wrong`]
}
