import { failureIn, isRefusal, makeFailure, type Failure } from '../failure.ts'
import { failed, type Failed, type Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { howToSettle } from '../records/known.ts'
import { checkRecord } from '../records/record.ts'
import type { Notarization, Notarize } from '../service/client.ts'
import { quote } from '../text/escape.ts'
import { HashJournal, type JournalOptions } from './journal.ts'

/** What a registration is made with. */
export interface RegistrationOptions extends JournalOptions {
  readonly notarize: Notarize
}

/** What a registration came to. */
export interface Tried {
  readonly outcome: Outcome
  /** Why it failed by what this run sent for it alone; null if it did not. */
  readonly failure: Failure | null
  /** Settles when its line is on disk, or was printed. */
  readonly saved: Promise<void>
}

/** Makes one registration: notes it, sends it, checks the record and has it on its way to the disk. */
export async function registerOne(
  registration: Registration,
  options: RegistrationOptions,
): Promise<Tried> {
  const journal = new HashJournal(registration, options)
  const begun = { ...options, registration, journal }
  let answer: Notarization
  try {
    answer = await options.notarize(registration, journal)
  } catch (error) {
    return giveUp(failureIn(error), begun)
  }
  return keep(answer, begun)
}

interface Begun extends RegistrationOptions {
  readonly registration: Registration
  readonly journal: HashJournal
}

function giveUp(failure: Failure, { registration, journal, inputs }: Begun): Tried {
  const saved = failure.registered === 'no' ? journal.settle() : Promise.resolve()
  const isRefused = journal.isNoted && isRefusal(failure)
  const mayBeThere = failure.registered === 'unknown' || registration.open !== null
  // No later try brings the record: none is made, or the service refuses it.
  const isStuck = mayBeThere && (isRefused || !inputs.retryUnanswered)
  const remedy = isStuck ? howToSettle(allLines(registration, inputs)) : failure.remedy
  const { ofHash } = failure
  const what = ofHash === undefined ? failure.what : `${failure.what}; ${ofHash}`
  return { outcome: settle(registration, { ...failure, what, remedy }, isRefused), failure, saved }
}

async function keep(
  { record, paymentId, ...answer }: Notarization,
  { registration, journal, secrets, halt, inputs }: Begun,
): Promise<Tried> {
  const { hash, open } = registration
  const redact = (text: string): string => secrets.redactText(text)
  const problems = checkRecord(record, { hash, paymentId, redact })
  const kept = secrets.redact(record)
  const unansweredTries = answer.unansweredTries + (open?.count ?? 0)
  const saved = journal.keep({ ...kept, problems, unansweredTries })
  if (problems.length === 0) {
    const outcome = { state: 'registered', from: 'this-run', unansweredTries, ...kept } as const
    return { outcome, failure: null, saved }
  }
  // Whether the file has the line is part of the remedy.
  await saved
  const where = halt.hasUnsaved
    ? ''
    : `; the records file keeps the answer, and the hash is not sent again: to have it sent, remove ${allLines(registration, inputs)}`
  const failure = makeFailure({
    code: 'record-mismatch',
    registered: 'unknown',
    what: `the service answered with a record that contradicts the request (${quote(problems.join('; '), 500)})`,
    remedy: `ask the service what became of this hash${where}`,
  })
  return { outcome: failed(failure), failure, saved }
}

function allLines({ hash }: Registration, { recordsPath }: JournalOptions['inputs']): string {
  return `all lines of its hash (${hash}) from "${recordsPath}"`
}

/**
 * What becomes of a hash that was not registered: what an earlier run left open stays open. `isRefused`: the service
 * refused this very hash.
 */
export function settle({ open }: Registration, failure: Failure, isRefused = false): Failed {
  if (open === null) return failed(failure)
  const when = `${open.at}${open.runUrl === null ? '' : `, ${open.runUrl}`}`
  const earlier = `the earlier run of ${when} sent it and read no answer`
  const what = isRefused
    ? `the service refuses it, and ${earlier}, so it is probably registered`
    : earlier
  return failed({ ...failure, registered: 'unknown', what: `${failure.what}; ${what}` })
}
