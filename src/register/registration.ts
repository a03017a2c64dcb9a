import { failureIn, makeFailure, type Failure } from '../failure.ts'
import { failed, type Failed, type Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import type { Notarization, Notarize } from '../service/client.ts'
import { quote } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { formatTime } from '../text/time.ts'
import { HashJournal, type JournalOptions } from './journal.ts'

/** What a registration is made with. */
export interface RegistrationOptions extends JournalOptions {
  readonly notarize: Notarize
  /** Takes each record as it came. */
  readonly onRecord: (record: JsonObject) => void
}

/** The result of one registration. */
export interface RegistrationResult {
  readonly outcome: Outcome
  /** Why it failed, by what this run sent for it alone; null if it did not fail. */
  readonly failure: Failure | null
}

/** Makes one registration: saves the intent, makes the calls, checks the record, and saves the result. */
export async function registerOne(
  registration: Registration,
  options: RegistrationOptions,
): Promise<RegistrationResult> {
  const journal = new HashJournal(registration, options)
  let answer: Notarization
  try {
    answer = await options.notarize(journal)
  } catch (error) {
    const failure = failureIn(error)
    if (failure.registered === 'no') await journal.settle()
    return { outcome: failedOutcome(registration, failure), failure }
  }
  options.onRecord(answer.record)
  const { record, redacted, problems } = await journal.keep(answer)
  if (problems.length > 0) {
    const failure = contradiction(problems)
    return { outcome: failed(failure), failure }
  }
  const maybeChargedAgain = answer.maybeChargedAgain || journal.isOpen
  const base = { state: 'registered', from: 'this-run' } as const
  return { outcome: { ...base, record, redacted, maybeChargedAgain }, failure: null }
}

/** The failure of a hash whose record breaks the rules. */
function contradiction(problems: readonly string[]): Failure {
  return makeFailure({
    code: 'record-mismatch',
    registered: 'unknown',
    what: `the record of the service contradicts the request (${quote(problems.join('; '), 200)})`,
    remedy:
      'ask the service what became of this hash, then settle it with a line in the records file',
  })
}

/** The outcome of a hash that was not registered. What an earlier run left open stays open. */
export function failedOutcome({ open }: Registration, failure: Failure): Failed {
  if (open === null) return failed(failure)
  const when = formatTime(Date.parse(open.at))
  const what = `${failure.what}; an earlier run sent it on ${when} UTC and got no answer`
  return failed({ ...failure, registered: 'unknown', what })
}
