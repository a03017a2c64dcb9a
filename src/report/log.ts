import { failed, isFailed, type Result } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { counted } from '../text/words.ts'
import { describeState, formatExplanation, type Reason, type Reasons } from './explain.ts'
import type { Findings } from './findings.ts'
import { formatFailed, type Counts } from './verdict.ts'

/** How many lines the log ends with, before the verdict. */
const maxLines = 100

/** The lines that the log ends with: the reasons, each artifact, then `verdict`. */
export function formatLog({ ranked, reasons }: Findings, verdict: string): readonly string[] {
  const lines = reasons.shown.map(reasonLine)
  const shown = ranked.slice(0, maxLines - lines.length)
  const rest = ranked.length - shown.length
  return [
    ...lines,
    ...shown.map(result => artifactLine(result, reasons)),
    ...(rest > 0 ? [`and ${counted(rest, 'more artifact')}, see the job summary`] : []),
    verdict,
  ]
}

function reasonLine(reason: Reason): string {
  const { failure, count, examples, what } = reason
  const names = examples.map(({ name }) => `"${quote(name)}"`)
  const who = count === 1 ? names.join() : counted(count, 'artifact')
  const { state } = describeState(failed(failure))
  // What is long is cut so that the remedy stays.
  const message = formatExplanation({ ...reason, what: quote(what, maxMessageLength) })
  return `${who}, ${state}: ${failure.code}: ${quote(message, maxMessageLength * 2)}`
}

function artifactLine(result: Result, reasons: Reasons): string {
  const line = formatArtifact(describeState(result.outcome).state, result)
  if (!isFailed(result)) return line
  const { failure } = result.outcome
  const message = quote(reasons.explain(result), maxMessageLength)
  return `FAILED, ${line}: ${failure.code}${reasons.has(failure) ? '' : `: ${message}`}`
}

/** The line of an artifact, as it begins in the log of either action. */
export function formatArtifact(
  state: string,
  { name, size, hash }: Omit<Result, 'outcome'>,
): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}

/** The error of a run with failures: how many of how many, and why the first did. */
export function formatFailureError({ results, counts, reasons }: Findings): readonly string[] {
  const first = results.find(isFailed)
  if (first === undefined) return []
  const many = formatFailed(counts, ` of ${counted(counts.total, 'artifact')}`)
  const message = quote(reasons.explain(first), maxMessageLength)
  return [`${many}. The first, "${quote(first.name)}": ${first.outcome.failure.code}: ${message}`]
}

/** The warning of a run that passes although the service was not available; `verdict` is its line. */
export function formatDeferral(verdict: string, { unknown }: Counts): string {
  const first = unknown === 0 ? '' : 'look up at the service first what may be registered, then '
  return `${verdict.replace(/^\S+ /, '')}; ${first}run the job again with the same records file to finish them`
}

/** The warning about registrations that may have been charged more than once. */
export function formatChargedAgain({ chargedAgain }: Counts): readonly string[] {
  if (chargedAgain === 0) return []
  const are = chargedAgain === 1 ? 'is' : 'are'
  return [
    `${counted(chargedAgain, 'artifact')} ${are} registered, but may have been charged more than once: a try before got no answer. Compare the registrations of this run with what the service charges`,
  ]
}

/** What the plan is: a line for the log, and what the summary repeats of it if the run goes on to register. */
export function describePlan({ artifacts, toRegister }: Plan): {
  readonly line: string
  readonly warnings: readonly string[]
} {
  const open = toRegister.filter(one => one.open !== null).length
  const held = artifacts.filter(
    ({ hash, outcome }) =>
      hash !== null && outcome.state === 'failed' && outcome.failure.code === 'unavailable',
  ).length
  const left = counted(toRegister.length, 'distinct hash is', 'distinct hashes are')
  const again = `${counted(open, 'hash', 'hashes')} may have been registered by an earlier run that read no answer; this run planned to send ${open === 1 ? 'it' : 'them'} again`
  const line = [
    `${counted(artifacts.length, 'artifact')} found, ${left} left to register`,
    open === 0 ? '' : `; ${open} of them may have been registered by an earlier run`,
    held === 0 ? '' : `; ${held} that may have been registered by an earlier run not sent again`,
  ].join('')
  return { line, warnings: open === 0 ? [] : [again] }
}
