import { isRefusal, type Failure } from '../failure.ts'
import { isFailed, type FailedResult, type Result } from '../outcome.ts'
import { formatTime } from '../text/time.ts'
import { counted } from '../text/words.ts'

/** What the explanation of a failure needs to know of the run. */
export interface Facts {
  /** The records file as the user gave it. */
  readonly recordsPath: string
  /** When the period of the subscription ended, in epoch milliseconds; null while it goes on, or if that is not known. */
  readonly periodEndedMs: number | null
}

/** The three answers about something that went wrong; clauses without a full stop. */
export interface Explanation {
  /** What happened, the likely cause first. */
  readonly what: string
  /** Whether anything is registered or charged. */
  readonly aftermath: string
  /** What to do next. */
  readonly remedy: string
}

/** Failures with the same consequences: one explanation for all of them. */
export interface Reason extends Explanation {
  /** Of the first. */
  readonly failure: Failure
  /** The first few. */
  readonly examples: readonly FailedResult[]
  readonly count: number
}

/** The reasons of a run. */
export type Reasons = ReturnType<typeof groupReasons>

const maxReasons = 10
const maxWhats = 3
const maxExamples = 3

/** Groups the failures by what follows from them: code, state, status and remedy; in the order of the results. */
export function groupReasons(results: readonly Result[], facts: Facts) {
  const keyOf = ({ code, registered, status, remedy }: Failure): string =>
    JSON.stringify([code, registered, status, remedy])
  const groups = [...Map.groupBy(results.filter(isFailed), ({ outcome }) => keyOf(outcome.failure))]
  const listed = new Set(groups.slice(0, maxReasons).map(([key]) => key))
  return {
    /** At most ten. */
    shown: groups.slice(0, maxReasons).flatMap(([, group]) => reasonOf(group, facts)),
    /** How many failures have another reason. */
    left: groups.slice(maxReasons).reduce((sum, [, { length }]) => sum + length, 0),
    /** Whether the reason of a failure is among those shown. */
    has: (failure: Failure): boolean => listed.has(keyOf(failure)),
    /** The text about one failed artifact, whole. */
    explain: ({ outcome: { failure }, verificationUrl }: FailedResult): string =>
      formatExplanation(explain(failure, facts, lookUpAt(verificationUrl))),
  }
}

/** Nothing only for no failure. */
function reasonOf(group: readonly FailedResult[], facts: Facts): readonly Reason[] {
  const whats = new Set(group.map(({ outcome }) => outcome.failure.what))
  const what = [...whats].slice(0, maxWhats).join('; or: ')
  const examples = group.slice(0, maxExamples)
  return examples.slice(0, 1).map(({ outcome: { failure }, verificationUrl }) => ({
    ...{ failure, examples, count: group.length },
    ...explain({ ...failure, what }, facts, lookUpAt(verificationUrl, group.length)),
  }))
}

/** The answers as one text. */
export function formatExplanation({ what, aftermath, remedy }: Explanation): string {
  return `${what}; ${aftermath}; ${remedy}`
}

/** What became of an artifact, or would, in words, with a sign to find it by. */
export function describeState(outcome: Result['outcome']): {
  readonly sign: '✅' | '❌' | '❓' | '⚠️' | '🔎'
  readonly state: string
} {
  switch (outcome.state) {
    case 'planned':
      return outcome.open !== null
        ? { sign: '⚠️', state: 'would be sent again, an earlier run may have registered it' }
        : { sign: '🔎', state: 'would be registered' }
    case 'held':
      return { sign: '⚠️', state: 'not sent again until a person has settled it' }
    case 'registered': {
      const state = outcome.from === 'this-run' ? 'registered' : 'registered before'
      const tries = counted(outcome.unansweredTries, 'try', 'tries')
      const twice = `; ⚠️ may have been charged more than once (${tries} without an answer)`
      return { sign: '✅', state: outcome.unansweredTries === 0 ? state : `${state}${twice}` }
    }
    case 'failed': {
      const { failure } = outcome
      if (failure.registered === 'unknown') return { sign: '❓', state: 'may be registered' }
      // The service says that it knows the hash: nobody can say "not registered".
      const isKnown = failure.status === 409 && isRefusal(failure)
      return { sign: '❌', state: isKnown ? 'refused' : 'not registered' }
    }
  }
}

const maxShownUrl = 300

/** Where a hash can be looked up, the first of so many. */
function lookUpAt(url: string | undefined, count = 1): string {
  if (url === undefined) return 'at the service (the input "verification-url" would link it here)'
  const isShown = count === 1 && url.length <= maxShownUrl
  return isShown ? `at ${url}` : 'at the address of "verification-url"'
}

function explain(failure: Failure, facts: Facts, lookUp: string): Explanation {
  const { cause, remedy = failure.remedy } = likelyCause(failure, facts)
  const what = cause === undefined ? failure.what : `${cause}; ${failure.what}`
  return { what, aftermath: aftermathOf(failure, lookUp), remedy }
}

function aftermathOf(failure: Failure, lookUp: string): string {
  if (failure.registered === 'unknown')
    return `it may be registered and charged: look its hash up first, ${lookUp}`
  if (failure.status === 409)
    return 'this run spent nothing for it; an earlier run may have registered it'
  return isRefusal(failure)
    ? 'this run did not register it and spent nothing for it; an earlier run whose records file is not here may have registered it'
    : 'this run did not register it, and nothing was spent for it'
}

/** A likely cause, and what to do about that; neither if nothing better is known than the failure says itself. */
interface Likely {
  readonly cause?: string
  readonly remedy?: string
}

const again = 'run the job again with the same records file'
const registeredByLostTry =
  'the service knows this hash already: most likely a try whose answer was lost has registered it'

function likelyCause(failure: Failure, facts: Facts): Likely {
  const { code, status, registered } = failure
  if (code === 'login-refused') return { cause: 'the service does not accept the API key' }
  // An answer to the login: what came after a good one is not a matter of the address.
  if (code === 'invalid-response' && registered === 'no')
    return { cause: 'most likely "base-url" is not the address of the service' }
  if (!isRefusal(failure)) return {}
  // The other causes are those of a hash that was never sent: what may be registered keeps its own advice.
  if (registered === 'unknown') return status === 409 ? { cause: registeredByLostTry } : {}
  // By the status, which is all that is known of an error of the service.
  switch (status ?? 0) {
    case 400:
    case 422:
      return {
        cause:
          'not accepted: most likely the subscription data is out of date, of another account, or not complete',
        remedy: `take the subscription data from the service anew, store it in one line behind the input "subscription", then ${again}`,
      }
    case 402:
      return {
        cause:
          facts.periodEndedMs === null
            ? 'payment required: most likely the subscription has ended, or its volume is used up'
            : `payment required: the subscription's period has ended on ${formatTime(facts.periodEndedMs)} UTC`,
        remedy: `renew the subscription at the service, store its new data behind the input "subscription", then ${again}`,
      }
    case 403:
      return {
        cause:
          'forbidden: most likely the API key and the subscription are of different accounts, or the account may not register',
        remedy: `check that both are of the same account and that it may register, then ${again}`,
      }
    case 404:
      // This run did request it.
      if (code === 'request-refused') return {}
      return {
        cause: 'not found: most likely nobody has requested this registration yet',
        remedy: `request it at the service, or set the input "request-registration" to true, which lets this action do it; then ${again}`,
      }
    case 409:
      return {
        cause:
          'registered already: the service knows this hash, most likely from an earlier run whose records are not here',
        remedy: `bring the records of that run back as "${facts.recordsPath}" (from its cache, its artifacts or the release), then run the job again; if they are lost, look the hash up at the service and keep what it shows as the proof, or ask it for the record and add that as a line to the file`,
      }
    default:
      return {}
  }
}
