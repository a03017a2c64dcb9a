import { failed, isFailed, type Result } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import { quote } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { pluralize } from '../text/words.ts'
import { describeState, explain, formatExplanation, type Explanation } from './explain.ts'
import { describeFailure, lookUpUrl, type Findings } from './findings.ts'
import type { ShownArtifact } from './page.ts'
import { isCoveredBy, type RunFailure } from './run-failures.ts'
import { countRegistered, formatFailed } from './verdict.ts'

/** What the plan is: how much is left to register, and how much of that is open. */
export function describePlan(plan: Plan): string {
  const found = pluralize(plan.results.length, 'artifact')
  const left = pluralize(plan.toRegister.length, 'distinct hash is', 'distinct hashes are')
  return [`${found} found, ${left} left to register`, ...openWarning(plan)].join('; ')
}

/** That an earlier run sent some of what is left to register, for log and summary; nothing if it did not. */
export function openWarning({ toRegister }: Plan): readonly string[] {
  const open = toRegister.filter(registration => registration.open !== null).length
  if (open === 0) return []
  const hashes = pluralize(open, 'hash is', 'hashes are')
  return [
    `${hashes} open (sent by an earlier run that has no record of it) and may be charged again`,
  ]
}

/** How many lines the log ends with, before the verdict. */
const maxLines = 100

/** The lines that the log ends with: the reasons, each artifact, then `verdict`. */
export function formatLog(findings: Findings, verdict: string): readonly string[] {
  const { ranked, reasons, host } = findings
  const lines = reasons.map(({ failure, results }, index) => {
    const explanation = explain(failure)
    const who = `${describeState(failed(failure))}: ${pluralize(results.length, 'artifact')}`
    const text = `${failure.code}: ${formatExplanation(explanation)}`
    return `${index + 1}. ${who}: ${text}; see ${host.environment.docsUrl}/${explanation.page}`
  })
  const shown = ranked.slice(0, maxLines - lines.length)
  lines.push(...shown.map(result => artifactLine(result, findings)))
  const rest = ranked.length - shown.length
  if (rest > 0) lines.push(`and ${pluralize(rest, 'more artifact')}, see the job summary`)
  return [...lines, verdict]
}

function artifactLine(result: Result, findings: Findings): string {
  const line = formatArtifact(describeState(result.outcome), result)
  if (!isFailed(result)) return line
  const text = `${line}: ${describeFailure(result.outcome.failure, findings)}`
  const url = lookUpUrl(result, findings)
  return url === undefined ? text : `${text}; look it up at ${url}`
}

/** The line of an artifact, as it begins in the log of either action. */
export function formatArtifact(state: string, { name, size, hash }: ShownArtifact): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}

/** An annotation is read at a glance. */
const maxErrorLength = 310
const minWhatLength = 80
const maxErrorName = 60

/** The error of a run that fails: how many of how many, why the first did, and what else went wrong. */
export function formatError(
  { ranked, counts }: Findings,
  runFailures: readonly RunFailure[],
): string {
  const [first] = ranked
  if (first !== undefined && isFailed(first)) {
    const { failure } = first.outcome
    const many = formatFailed(counts, ` of ${pluralize(counts.total, 'artifact')}`)
    const start = `${many}. First: "${quote(shorten(first.name, maxErrorName))}": ${failure.code}: `
    const others = runFailures.filter(runFailure => !isCoveredBy(failure, runFailure))
    return joinError(start, explain(failure), others)
  }
  const [runFailure, ...others] = runFailures
  const start = counts.registered === 0 ? '' : `${countRegistered(counts)}, but `
  return runFailure === undefined ? '' : joinError(start, runFailure, others)
}

function joinError(start: string, about: Explanation, others: readonly RunFailure[]): string {
  const end = others.map(({ short }) => `. Also: ${short}`).join('')
  const rest = start + formatExplanation({ ...about, what: '' }) + end
  const what = shorten(about.what, Math.max(maxErrorLength - rest.length, minWhatLength))
  return start + formatExplanation({ ...about, what }) + end
}

/** As many clauses, or else words, as fit: all of them stand in log and summary. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength - 1).replace(/; [^;]*$|\s\S*$/, '')}…`
}
