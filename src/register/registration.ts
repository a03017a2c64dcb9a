import { failureIn, mismatchFailure } from '../failure.ts'
import { failed, type Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import type { Notarization, Notarize } from '../service/client.ts'
import { HashJournal, type JournalOptions } from './journal.ts'

/** Makes one registration: logs the intent, makes the calls, checks the record, and saves the result. */
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
  if (problems.length > 0) return failed(mismatchFailure(problems))
  const maybeChargedAgain = answer.maybeChargedAgain || journal.isOpen
  return { state: 'registered', from: 'this-run', record, redacted, maybeChargedAgain }
}
