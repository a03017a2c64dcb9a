import { failed, type KeptRecord } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import {
  formatRecordLine,
  recordLine,
  type RecordEntry,
  type Source,
} from '../records/record-line.ts'
import type { RecordsFile } from '../records/records-file.ts'
import { quote } from '../report/escape.ts'
import { fillVerificationUrl } from '../report/verification-url.ts'
import type { Secrets } from '../secrets.ts'
import { checkRecord } from '../service/core/check-record.ts'
import type { Notarize } from '../service/core/notarize.ts'
import { notSaved, type Halt } from './halt.ts'
import type { Settled } from './pool.ts'

/** What a registration is made with. */
export interface RegisterOptions {
  readonly notarize: Notarize
  readonly records: RecordsFile
  readonly service: string
  readonly source: Source
  readonly secrets: Secrets
  readonly halt: Halt
  /** Template of the input `verification-url`; null without one. */
  readonly verificationUrl: string | null
  /** Takes a line that could not be saved, as its last resort. */
  readonly printUnsaved: (line: unknown, reason: string) => void
}

/** Completes one registration, checks its record and has it on disk before it settles. */
export async function registerOne(
  registration: Registration,
  options: RegisterOptions,
): Promise<Settled> {
  const { notarize, halt } = options
  const { completion, paymentId } = await notarize(registration)
  if (completion.kind === 'failed') {
    const { failure, endsRun, isOutage, reason } = completion
    return { outcome: failure, endsRun, isOutage, why: reason }
  }
  const problems = checkRecord(completion.record, {
    hash: registration.hash,
    paymentId,
    redact: text => options.secrets.redactText(text),
  })
  const kept = options.secrets.redact(completion.record)
  await save({ registration, kept, problems }, options)
  const isOutage = false
  if (problems.length === 0) {
    return { outcome: { state: 'registered', from: 'this-run', ...kept }, endsRun: null, isOutage }
  }
  const told = quote(problems.join('; '), 500)
  const advice = 'ask the service what became of this hash'
  const where = halt.hasUnsaved
    ? ''
    : '; the records file keeps the answer, and this hash is not sent again until its line is removed by hand'
  const message = `the service answered with a record that contradicts the request (${told}); it may have been registered and paid for${where}; ${advice}`
  return { outcome: failed('record-mismatch', 'unknown', message), endsRun: null, isOutage }
}

interface Answered {
  readonly registration: Registration
  readonly kept: KeptRecord
  readonly problems: readonly string[]
}

async function save(
  { registration, kept, problems }: Answered,
  {
    records,
    service,
    source,
    secrets,
    halt,
    printUnsaved,
    verificationUrl: template,
  }: RegisterOptions,
): Promise<void> {
  const { size, hash } = registration
  const artifact = secrets.redactText(registration.name)
  const verificationUrl = fillVerificationUrl(template, { hash, record: kept.record })
  const entry: RecordEntry = { artifact, size, hash, service, problems, ...kept, verificationUrl }
  const saved = await records.append(formatRecordLine(entry, source))
  if (saved.isSaved) return
  halt.stop(notSaved)
  printUnsaved(recordLine(entry, source), saved.reason)
}
