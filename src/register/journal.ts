import { FailureError } from '../failure.ts'
import type { Registration } from '../plan.ts'
import type { RecordsFile } from '../records/file.ts'
import {
  formatLine,
  isRecord,
  type Entry,
  type LineHead,
  type RecordEntry,
  type StateEntry,
} from '../records/line.ts'
import { checkRecord, unexpectedTypes } from '../records/record.ts'
import { redactSource } from '../runtime/environment.ts'
import { notSavedFailure } from '../runtime/halt.ts'
import type { Subject } from '../service/attempts.ts'
import type { Notarization } from '../service/client.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { RegisterTask } from './notarize.ts'

/** What the lines of a run share, and the file that they are written to. */
export interface JournalOptions extends RegisterTask {
  readonly file: RecordsFile
  /** Collects the names of record fields of an undocumented type. */
  readonly unexpected: Set<string>
}

/** Writes the lines of one hash to the records file. A line that cannot be saved stops all sending. */
export class HashJournal implements Subject {
  readonly hash: string
  readonly isOpen: boolean
  readonly #registration: Registration
  readonly #options: JournalOptions
  /** The `sent` line, once saved. */
  #sent: StateEntry | null = null

  constructor(registration: Registration, options: JournalOptions) {
    this.hash = registration.hash
    this.isOpen = registration.open !== null
    this.#registration = registration
    this.#options = options
  }

  /** Redacted on each use: some secrets are only known after the login. */
  get artifact(): string {
    return this.#redact(this.#registration.name)
  }

  async logIntent(): Promise<void> {
    if (this.#sent !== null) return
    const at = new Date(this.#options.host.clock.now()).toISOString()
    const sent: StateEntry = { ...this.#head(), at, state: 'sent' }
    if (!(await this.#save(sent))) throw new FailureError(notSavedFailure)
    this.#sent = sent
  }

  /** Saves that nothing was registered, if the hash was sent. */
  async settle(): Promise<void> {
    if (this.#sent !== null) await this.#save({ ...this.#sent, state: 'not-registered' })
  }

  /** Checks a record and saves it without secrets. Returns the saved entry. */
  async keep({ record, paymentId, maybeChargedAgain }: Notarization): Promise<RecordEntry> {
    const { hash } = this
    const { host, inputs, unexpected } = this.#options
    for (const field of unexpectedTypes(record)) unexpected.add(field)
    const problems = checkRecord(record, { hash, paymentId, redacted: [] })
    const { value, redacted } = host.secrets.redactJson(record)
    const url = fillVerificationUrl(inputs.verificationUrl, { hash, record })
    const entry: RecordEntry = {
      ...this.#head(),
      at: this.#sent?.at ?? null,
      record: value,
      redacted,
      problems: problems.map(problem => this.#redact(problem)),
      verificationUrl: url === undefined ? null : this.#redact(url),
      maybeChargedAgain,
    }
    await this.#save(entry)
    return entry
  }

  /** Appends a line and waits until it is on disk. Prints a result that cannot be saved. */
  async #save(entry: Entry): Promise<boolean> {
    const { file, host } = this.#options
    const line = formatLine(entry)
    const reason = await file.append(line)
    if (reason === null) return true
    const { halt, runner } = host
    halt.stop(notSavedFailure)
    runner.info(`A line could not be saved: ${reason}`)
    if (isRecord(entry)) halt.unsaved.push(this.artifact)
    // If a `sent` line cannot be saved, nothing is sent.
    if (isRecord(entry) || entry.state !== 'sent') {
      runner.info('Append this line to the records file by hand:')
      runner.info(line.trimEnd())
    }
    return false
  }

  #head(): LineHead {
    const { inputs, source } = this.#options
    const { hash, size } = this.#registration
    const redacted = redactSource(source, text => this.#redact(text))
    return { artifact: this.artifact, size, hash, service: inputs.baseUrl, source: redacted }
  }

  #redact(text: string): string {
    return this.#options.host.secrets.redactText(text)
  }
}
