import { isRefusal, type Failure } from '../failure.ts'
import { isFailed, type FailedResult, type Result } from '../outcome.ts'
import { formatTime } from '../text/time.ts'

/** What the explanation of a failure needs to know of the run. */
export interface Facts {
  /** The records file as the user gave it. */
  readonly recordsPath: string
  /** When the period of the subscription ended, in epoch milliseconds; null while it goes on, or if that is not known. */
  readonly periodEndedAt: number | null
}

/** The three answers about a failure; clauses without a full stop. */
export interface Explanation {
  /** What happened, the likely cause first. */
  readonly what: string
  /** Whether anything is registered or charged. */
  readonly aftermath: string
  /** What to do next. */
  readonly remedy: string
}

/** Failures with the same consequences: one explanation for all of them. */
export interface Reason {
  readonly failure: Failure
  /** Why, in the words of the first few that differ. */
  readonly whats: readonly string[]
  /** The first few. */
  readonly examples: readonly FailedResult[]
  readonly count: number
}

/** The reasons of a run. */
export type Reasons = ReturnType<typeof groupReasons>

const maxReasons = 10
const maxWhats = 3
const maxExamples = 5

/** Groups the failures by what follows from them: code, state, status and remedy. What may be registered comes first. */
export function groupReasons(results: readonly Result[]) {
  const keyOf = ({ code, registered, status, remedy }: Failure): string =>
    JSON.stringify([code, registered, status, remedy])
  const groups = Map.groupBy(results.filter(isFailed), ({ outcome }) => keyOf(outcome.failure))
  const all = [...groups.values()].flatMap((group): readonly Reason[] => {
    const whats = [...new Set(group.map(({ outcome }) => outcome.failure.what))]
    const examples = group.slice(0, maxExamples)
    return examples.slice(0, 1).map(({ outcome: { failure } }) => ({
      ...{ failure, whats: whats.slice(0, maxWhats), examples, count: group.length },
    }))
  })
  const isUnknown = ({ failure }: Reason): boolean => failure.registered === 'unknown'
  const sorted = [...all.filter(isUnknown), ...all.filter(one => !isUnknown(one))]
  const shown = sorted.slice(0, maxReasons)
  const keys = new Set(shown.map(({ failure }) => keyOf(failure)))
  return {
    shown,
    /** How many failures have another reason. */
    left: sorted.slice(maxReasons).reduce((sum, { count }) => sum + count, 0),
    /** Whether the reason of a failure is among those shown. */
    has: (failure: Failure): boolean => keys.has(keyOf(failure)),
  }
}

/** The three answers about all failures with one reason; for `lookUp` see {@link explain}. */
export function explainReason(
  { failure, whats }: Reason,
  facts: Facts,
  lookUp: string,
): Explanation {
  return explain({ ...failure, what: whats.join('; or: ') }, facts, lookUp)
}

/** The text about one failed artifact, whole; `url` is where its hash can be looked up. */
export function messageOf(failure: Failure, facts: Facts, url: string | undefined): string {
  return formatMessage(explain(failure, facts, lookUpAt(url)))
}

/** The answers as one text. */
export function formatMessage({ what, aftermath, remedy }: Explanation): string {
  return `${what}; ${aftermath}; ${remedy}`
}

const maxShownUrl = 300

/** Where a hash can be looked up, for one artifact. */
export function lookUpAt(url: string | undefined): string {
  if (url === undefined) return 'at the service (the input "verification-url" would link it here)'
  return url.length > maxShownUrl ? 'at the address of "verification-url"' : `at ${url}`
}

/** What became of a failed artifact, in words. */
export function stateInWords(failure: Failure): 'may be registered' | 'refused' | 'not registered' {
  if (failure.registered === 'unknown') return 'may be registered'
  // The service says that it knows the hash: nobody can say "not registered".
  return failure.status === 409 && isRefusal(failure) ? 'refused' : 'not registered'
}

/** The three answers about a failure. `lookUp` says where its hash can be looked up, as in `at https://…`. */
export function explain(failure: Failure, facts: Facts, lookUp: string): Explanation {
  const { cause, remedy } = isRefusal(failure) ? refusal(failure, facts) : {}
  const what = cause === undefined ? likelyCause(failure) : `${cause}; ${failure.what}`
  return { what, aftermath: aftermathOf(failure, lookUp), remedy: remedy ?? failure.remedy }
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

function likelyCause({ code, registered, what }: Failure): string {
  if (code === 'cancelled' && registered === 'unknown') return `${what} before the answer came`
  if (code === 'login-refused') return `the service does not accept the API key; ${what}`
  // An answer to the login: what came after a good one is not a matter of the address.
  const isElsewhere = code === 'invalid-response' && registered === 'no'
  return isElsewhere ? `most likely "base-url" is not the address of the service; ${what}` : what
}

const again = 'run the job again with the same records file'

/** Why the service may have refused a registration, and what to do: by the status, which is all that is known of an error. */
function refusal(
  { code, status, registered }: Failure,
  { recordsPath, periodEndedAt }: Facts,
): { readonly cause?: string; readonly remedy?: string } {
  // The likely causes are those of a hash that was never sent: what may be registered keeps its own advice.
  if (registered === 'unknown' && status !== 409) return {}
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
          periodEndedAt === null
            ? 'payment required: most likely the subscription has ended, or its volume is used up'
            : `payment required: the subscription's period has ended on ${formatTime(periodEndedAt)} UTC`,
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
      if (registered === 'unknown') {
        return {
          cause:
            'the service knows this hash already: most likely a try whose answer was lost has registered it',
        }
      }
      return {
        cause:
          'registered already: the service knows this hash, most likely from an earlier run whose records are not here',
        remedy: `bring the records of that run back as "${recordsPath}" (from its cache, its artifacts or the release), then run the job again; if they are lost, look the hash up at the service and keep what it shows as the proof, or ask it for the record and add that as a line to the file`,
      }
    default:
      return {}
  }
}
