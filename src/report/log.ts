import { isFailed, type Result } from '../outcome.ts'
import { bugFailure } from '../failure.ts'
import type { Plan } from '../plan.ts'
import { Stop, type Problem } from '../stop.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { describeError } from '../text/system-error.ts'
import { counted } from '../text/words.ts'
import {
  explainReason,
  formatMessage,
  lookUpAt,
  messageOf,
  stateInWords,
  type Facts,
  type Reason,
  type Reasons,
} from './explain.ts'
import { formatFailed, type Counts } from './verdict.ts'

/** How many lines the log ends with, before the verdict. */
const maxLines = 100

/** What the log ends with is made of. */
export interface LogInput {
  /** Sorted by name. */
  readonly results: readonly Result[]
  readonly reasons: Reasons
  readonly facts: Facts
  /** The last line. */
  readonly verdict: string
}

/** The lines that the log ends with: the reasons, each artifact with failures first, then the verdict. */
export function formatLog({ results, reasons, facts, verdict }: LogInput): readonly string[] {
  const lines = reasons.shown.map(reason => reasonLine(reason, facts))
  const sorted = [...results.filter(isFailed), ...results.filter(result => !isFailed(result))]
  const artifacts = sorted.slice(0, maxLines - lines.length)
  const shown = artifacts.map(result => artifactLine(result, reasons, facts))
  const rest = results.length - shown.length
  const more = rest > 0 ? [`and ${counted(rest, 'more artifact')}, see the job summary`] : []
  return [...lines, ...shown, ...more, verdict]
}

function reasonLine(reason: Reason, facts: Facts): string {
  const { failure, count, examples } = reason
  const [first] = examples
  const who =
    count === 1 && first !== undefined ? `"${quote(first.name)}"` : counted(count, 'artifact')
  const url = count === 1 ? lookUpAt(first?.verificationUrl) : 'at the service'
  const { what, ...rest } = explainReason(reason, facts, url)
  // What is long is cut so that the remedy stays.
  const message = formatMessage({ ...rest, what: quote(what, maxMessageLength) })
  return `${who}, ${stateInWords(failure)}: ${failure.code}: ${quote(message, maxMessageLength * 2)}`
}

function artifactLine(result: Result, reasons: Reasons, facts: Facts): string {
  const { name, size, hash, outcome, verificationUrl } = result
  const what = `"${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
  switch (outcome.state) {
    case 'planned':
      return outcome.isOpen
        ? `would be sent again, an earlier run may have registered it: ${what}`
        : `would be registered: ${what}`
    case 'held':
      return `not sent again until a person has settled its line of the records file: ${what}`
    case 'registered': {
      const when = outcome.from === 'this-run' ? 'registered' : 'registered before'
      const twice = outcome.unansweredTries > 0 ? ', may have been charged more than once' : ''
      return `${when}${twice}: ${what}`
    }
    case 'failed': {
      const { failure } = outcome
      const message = reasons.has(failure)
        ? ''
        : `: ${quote(messageOf(failure, facts, verificationUrl), maxMessageLength)}`
      return `FAILED, ${stateInWords(failure)}: ${what}: ${failure.code}${message}`
    }
  }
}

/** The error of a run with failures: how many of how many, and why the first did. */
export function formatFailureError(
  results: readonly Result[],
  counts: Counts,
  facts: Facts,
): readonly string[] {
  const first = results.find(isFailed)
  if (first === undefined) return []
  const { failure } = first.outcome
  const message = quote(messageOf(failure, facts, first.verificationUrl), maxMessageLength)
  const many = formatFailed(counts, ` of ${counted(counts.total, 'artifact')}`)
  return [`${many}. The first, "${quote(first.name)}": ${failure.code}: ${message}`]
}

/** The warning of a run that passes although the service was not available. */
export function formatDeferral({ failed, total, unknown }: Counts): string {
  const mayBe =
    unknown === 0
      ? ''
      : ` (${unknown} of them may be registered: look their hashes up at the service first)`
  return `NOT NOTARIZED: deferred. The service was not available for ${failed} of ${counted(total, 'artifact')}${mayBe}; run the job again with the same records file to finish them`
}

/** The warning about registrations that may have been charged more than once. */
export function formatChargedAgain({ chargedAgain }: Counts): readonly string[] {
  if (chargedAgain === 0) return []
  const are = chargedAgain === 1 ? 'is' : 'are'
  return [
    `${counted(chargedAgain, 'artifact')} ${are} registered, but may have been charged more than once: a try before got no answer. Compare the registrations of this run with what the service charges`,
  ]
}

const maxErrors = 10

/** One problem for each input, all its messages in one: at most ten texts, the last of which counts what is left. */
export function formatProblems(problems: readonly Problem[]): readonly string[] {
  const merged = new Map<string | null, string>()
  for (const { input, message } of problems) {
    const earlier = merged.get(input)
    merged.set(input, earlier === undefined ? message : `${earlier}; ${message}`)
  }
  const texts = [...merged.values()]
  if (texts.length <= maxErrors) return texts
  const left = texts.length - maxErrors + 1
  return [...texts.slice(0, maxErrors - 1), `${left} more inputs are wrong`]
}

/** What an error that ended a run says of it: the problems of a stop, or that it is a bug of ours. */
export function problemsOf(error: unknown, reportTo: string): readonly Problem[] {
  if (error instanceof Stop) return error.problems
  const { code, what, remedy } = bugFailure(describeError(error), reportTo)
  return [{ input: null, message: `${code}: ${what}; ${remedy}` }]
}

/** What the plan is, for the log: how much is left to register, and how much of it an earlier run sent. */
export function formatPlan({ artifacts, toRegister }: Plan): string {
  const open = toRegister.filter(({ open }) => open !== null).length
  const earlier = open === 0 ? '' : `; ${open} of them may have been registered by an earlier run`
  const held = artifacts.filter(
    ({ hash, fate }) =>
      hash !== null && fate.state === 'failed' && fate.failure.code === 'unavailable',
  ).length
  const blocked =
    held === 0 ? '' : `; ${held} that may have been registered by an earlier run not sent again`
  const left = counted(toRegister.length, 'distinct hash is', 'distinct hashes are')
  return `${counted(artifacts.length, 'artifact')} found, ${left} left to register${earlier}${blocked}`
}
