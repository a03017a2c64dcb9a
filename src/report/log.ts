import { failed, isFailed, type Result } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import { quote } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { counted } from '../text/words.ts'
import { describeState, explain, formatExplanation, lookUpUrl } from './explain.ts'
import type { Findings, Reason } from './findings.ts'
import { docsAddress, type RowArtifact } from './page.ts'
import type { Troubles } from './troubles.ts'
import { countRegistered, formatFailed, type Counts } from './verdict.ts'

/** What the plan is: how much is left to register, and how much of that is open. */
export function describePlan(plan: Plan): string {
  const found = counted(plan.results.length, 'artifact')
  const left = counted(plan.toRegister.length, 'distinct hash is', 'distinct hashes are')
  return [`${found} found, ${left} left to register`, ...openWarning(plan)].join('; ')
}

/** That an earlier run sent some of what is left to register, for log and summary; nothing if it did not. */
export function openWarning({ toRegister }: Plan): readonly string[] {
  const open = toRegister.filter(registration => registration.open !== null).length
  if (open === 0) return []
  const hashes = counted(open, 'hash is', 'hashes are')
  return [`${hashes} open (sent by an earlier run, without a record) and may be registered already`]
}

/** How many lines the log ends with, before the verdict. */
const maxLines = 100

/** The lines that the log ends with: the reasons, each artifact, then `verdict`. */
export function formatLog(findings: Findings, verdict: string): readonly string[] {
  const { ranked, reasons } = findings
  const shown = ranked.slice(0, maxLines - reasons.length)
  const lines = reasons.map(reason => reasonLine(reason, findings))
  lines.push(...shown.map(result => artifactLine(result, findings)))
  const rest = ranked.length - shown.length
  if (rest > 0) lines.push(`and ${counted(rest, 'more artifact')}, see the job summary`)
  return [...lines, verdict]
}

function reasonLine({ failure, results }: Reason, { host }: Findings): string {
  const explanation = explain(failure)
  const page = docsAddress(host.environment.docsUrl, explanation.page)
  const who = `${describeState(failed(failure))}: ${counted(results.length, 'artifact')}`
  return `${who}: ${failure.code}: ${formatExplanation(explanation)}; see ${page}`
}

function artifactLine(result: Result, { host, inputs, reasons }: Findings): string {
  const artifact = { ...result, name: host.secrets.redactText(result.name) }
  const line = formatArtifact(describeState(result.outcome), artifact)
  if (!isFailed(result)) return line
  const { failure } = result.outcome
  const parts = [`${line}: ${failure.code}`]
  const isListed = reasons.some(reason => reason.failure === failure)
  if (!isListed) parts.push(formatExplanation(explain(failure)))
  const url = lookUpUrl(result, inputs.verificationUrl)
  if (url !== undefined) parts.push(`look it up at ${url}`)
  return parts.join('; ')
}

/** The line of an artifact, as it begins in the log of either action. */
export function formatArtifact(state: string, { name, size, hash }: RowArtifact): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}

/** An annotation is read at a glance; the note about what was cut comes on top. */
const maxErrorLength = 280
const minWhatLength = 100
const maxErrorName = 60

/** The error of a run that fails: how many of how many, why the first did, and what else went wrong. */
export function formatError(findings: Findings, troubles: Troubles): string {
  const { ranked, counts, host } = findings
  const [first] = ranked
  const [trouble] = troubles
  const shorts = troubles.map(({ short }) => short)
  if (first !== undefined && isFailed(first)) {
    const { failure } = first.outcome
    const many = formatFailed(counts, ` of ${counted(counts.total, 'artifact')}`)
    const name = quote(host.secrets.redactText(first.name), maxErrorName)
    const start = `${many}. First: "${name}": ${failure.code}: `
    const explanation = explain(failure)
    const others = formatExplanation({ ...explanation, what: '' }).length
    const left = Math.max(maxErrorLength - start.length - others, minWhatLength)
    return [start + formatExplanation(explanation, left), ...shorts].join('. Also: ')
  }
  if (trouble === undefined) return ''
  const registered = counts.registered === 0 ? '' : `${countRegistered(counts)}, but `
  const text = `${registered}${formatExplanation(trouble)}`
  return [text, ...shorts.slice(1)].join('. Also: ')
}

/** What to do after a run that passes although the service was unavailable. */
export const afterDeferral =
  'Run the job again with the same records file before the release is published: an immutable release takes no files after that'

/** The warning about registrations that may have been charged more than once. */
export function formatChargedAgain({ maybeChargedAgain }: Counts): string {
  const artifacts = counted(maybeChargedAgain, 'artifact is', 'artifacts are')
  return `${artifacts} registered, but may have been charged more than once, as a call before got no answer: compare the registrations with what the service charges`
}
