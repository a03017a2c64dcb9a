import { isRefusal, makeFailure, type Failure } from '../failure.ts'
import type { Halt } from '../halt.ts'
import { failed, type Failed } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { howToSettle } from '../records/known.ts'
import { checkRecord } from '../records/record.ts'
import { quote } from '../text/escape.ts'
import { HashJournal, type JournalOptions } from './journal.ts'
import type { Tried } from './pool.ts'
import type { Notarize } from '../service/notarize.ts'

/** What a registration is made with. */
export interface RegistrationOptions extends JournalOptions {
  readonly notarize: Notarize
  /** False: what was sent and got no answer is not sent again. */
  readonly retryUnanswered: boolean
}

/** What a registration came to; `saved` settles when its line is on disk, or was printed. */
export interface Settled extends Tried {
  readonly saved: Promise<void>
}

/** Makes one registration: notes it, sends it, checks the record and has it on its way to the disk. */
export async function registerOne(
  registration: Registration,
  options: RegistrationOptions,
): Promise<Settled> {
  const journal = new HashJournal(registration, options)
  const answer = await options.notarize(registration, journal)
  if ('failure' in answer) {
    const { failure } = answer
    const saved = failure.registered === 'no' ? journal.settle() : Promise.resolve()
    const isRefused = journal.isNoted && isRefusal(failure)
    const mayBeThere = failure.registered === 'unknown' || registration.open !== null
    // No later try brings the record: none is made, or the service refuses it.
    const isStuck = mayBeThere && (isRefused || !options.retryUnanswered)
    const remedy = isStuck ? howToSettle(allLines(registration, options)) : failure.remedy
    return { outcome: settle(registration, { ...failure, remedy }, isRefused), failure, saved }
  }
  const { hash, open } = registration
  const problems = checkRecord(answer.record, {
    hash,
    paymentId: answer.paymentId,
    redact: text => options.secrets.redactText(text),
  })
  const kept = options.secrets.redact(answer.record)
  const unansweredTries = answer.unansweredTries + (open?.count ?? 0)
  const saved = journal.keep({ kept, problems, unansweredTries })
  if (problems.length === 0) {
    const outcome = { state: 'registered', from: 'this-run', unansweredTries, ...kept } as const
    return { outcome, failure: null, saved }
  }
  await saved
  const failure = mismatch(problems, allLines(registration, options), options.halt)
  return { outcome: failed(failure), failure, saved }
}

function allLines({ hash }: Registration, { recordsPath }: JournalOptions): string {
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

function mismatch(problems: readonly string[], lines: string, { hasUnsaved }: Halt): Failure {
  const where = hasUnsaved
    ? ''
    : `; the records file keeps the answer, and the hash is not sent again: to have it sent, remove ${lines}`
  return makeFailure({
    code: 'record-mismatch',
    registered: 'unknown',
    what: `the service answered with a record that contradicts the request (${quote(problems.join('; '), 500)})`,
    remedy: `ask the service what became of this hash${where}`,
  })
}
