import { isFailed, type Result } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import { cut, quote } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { pluralize } from '../text/words.ts'
import { describeCode, explain, formatExplanation } from './explain.ts'
import { describeFailure, lookupUrl, type Findings } from './findings.ts'
import type { ShownArtifact } from './page.ts'
import type { RunFailure } from './run-failures.ts'
import { standingOf, standingOfFailure, standings } from './standing.ts'
import { countRegistered, formatFailed } from './verdict.ts'

/** Describes what is left to register, and how much of that is open. */
export function describePlan(plan: Plan): string {
  const found = pluralize(plan.results.length, 'artifact')
  const left = pluralize(plan.toRegister.length, 'distinct hash is', 'distinct hashes are')
  return [`${found} found, ${left} left to register`, ...openWarning(plan)].join('; ')
}

/** Warns if an earlier run sent some of what is left to register; empty if not. */
export function openWarning({ toRegister }: Plan): readonly string[] {
  const open = toRegister.filter(registration => registration.open !== null).length
  if (open === 0) return []
  const hashes = pluralize(open, 'hash is', 'hashes are')
  return [`${hashes} open (sent by an earlier run without a saved answer) and may be charged again`]
}

/** Maximum number of lines before the verdict at the end of the log. */
const maxLines = 100

/** Formats the end of the log: the reasons, each artifact, then `verdict`. */
export function formatLog(findings: Findings, verdict: string): readonly string[] {
  const { ranked, reasons, host } = findings
  const lines = reasons.map(({ failure, results }, index) => {
    const explanation = explain(failure)
    const standing = standings[standingOfFailure(failure)]
    const title = `${standing} (${pluralize(results.length, 'artifact')})`
    const text = `${failure.code}: ${formatExplanation(explanation)}`
    return `${index + 1}. ${title}: ${text}; see ${host.environment.docsUrl}/${explanation.page}`
  })
  const shown = ranked.slice(0, maxLines - lines.length)
  lines.push(...shown.map(result => artifactLine(result, findings)))
  const rest = ranked.length - shown.length
  if (rest > 0) lines.push(`and ${pluralize(rest, 'more artifact')}, see the job summary`)
  return [...lines, verdict]
}

function artifactLine(result: Result, findings: Findings): string {
  const line = formatArtifact(standings[standingOf(result.outcome)], result)
  if (!isFailed(result)) return line
  const text = `${line}: ${describeFailure(result.outcome.failure, findings)}`
  const url = lookupUrl(result, findings)
  return url === undefined ? text : `${text}; look it up at ${url}`
}

/** Formats an artifact for the log of either action. */
export function formatArtifact(state: string, { name, size, hash }: ShownArtifact): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}

/** An annotation must be short enough to read at a glance. */
const maxCauseLength = 90
const maxErrorName = 60

/** Formats the error of a failed run: how many artifacts failed, why the first did, what else. */
export function formatError(
  { ranked, counts }: Findings,
  runFailures: readonly RunFailure[],
): string {
  const [first] = ranked
  const urgent = runFailures.find(({ blocksRerun }) => blocksRerun)
  if (first !== undefined && isFailed(first)) {
    const { failure } = first.outcome
    const count = formatFailed(counts, ` of ${pluralize(counts.total, 'artifact')}`)
    const about = `"${quote(first.name, maxErrorName)}": ${describeCode(failure)}`
    const others = runFailures.filter(({ code }) => code !== failure.code)
    const explanation = explain(failure)
    // Log and summary have all clauses.
    const [cause = '', ...rest] = explanation.what.split('; ')
    const what = cut(cause, maxCauseLength) + (rest.length > 0 ? ' …' : '')
    const remedy = urgent?.remedy ?? explanation.remedy
    const text = formatExplanation({ ...explanation, what, remedy })
    return `${count}. First: ${about}: ${text}${joinShorts(others)}`
  }
  const runFailure = urgent ?? runFailures[0]
  if (runFailure === undefined) return ''
  const { short, reason } = runFailure
  const what = reason === null ? short : `${short} (${cut(reason, maxCauseLength)})`
  const start = counts.registered === 0 ? '' : `${countRegistered(counts)}, but `
  const others = runFailures.filter(other => other !== runFailure)
  return start + formatExplanation({ ...runFailure, what }) + joinShorts(others)
}

function joinShorts(runFailures: readonly RunFailure[]): string {
  return runFailures.map(({ short }) => `. Also: ${short}`).join('')
}
