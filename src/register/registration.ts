import { failureIn, makeFailure, type Failure } from '../failure.ts'
import { failed, type Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import type { Notarization, Notarize } from '../service/client.ts'
import { quote } from '../text/escape.ts'
import { HashJournal, type JournalOptions } from './journal.ts'

/**
 * Makes one registration: saves the intent, makes the calls, checks the record, and saves the result. A failure speaks of
 * what this run sent alone.
 */
export async function registerOne(
  registration: Registration,
  notarize: Notarize,
  options: JournalOptions,
): Promise<Outcome> {
  const journal = new HashJournal(registration, options)
  let answer: Notarization
  try {
    answer = await notarize(journal)
  } catch (error) {
    const failure = failureIn(error)
    if (failure.registered === 'no') await journal.settle()
    return failed(failure)
  }
  const { record, redacted, problems } = await journal.keep(answer)
  if (problems.length > 0) return failed(contradiction(problems))
  const maybeChargedAgain = answer.maybeChargedAgain || journal.isOpen
  return { state: 'registered', from: 'this-run', record, redacted, maybeChargedAgain }
}

/** The failure of a hash whose record breaks the rules. */
function contradiction(problems: readonly string[]): Failure {
  return makeFailure({
    code: 'record-mismatch',
    registered: 'unknown',
    what: `the record of the service contradicts the request (${quote(problems.join('; '), 200)})`,
    remedy:
      'ask the service what became of this hash, then add the line that settles it to the records file',
  })
}
