import type { Clock } from '../clock.ts'
import type { Environment } from '../environment.ts'
import { FailureError } from '../failure.ts'
import { notNotedFailure, notSavedFailure, type Halt } from '../halt.ts'
import type { NotarizeInputs } from '../inputs.ts'
import type { Registration } from '../plan.ts'
import type { RecordsFile } from '../records/file.ts'
import {
  formatLine,
  isRecord,
  lineOf,
  type Entry,
  type LineHead,
  type RecordEntry,
  type StateEntry,
} from '../records/line.ts'
import type { Runner } from '../runner.ts'
import type { Secrets } from '../secrets.ts'
import type { Intent } from '../service/client.ts'
import { toJsonLogLine } from '../text/escape.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'

/** What the registrations of a run have in common, and where their lines go. */
export interface JournalOptions {
  readonly file: RecordsFile
  readonly inputs: Pick<
    NotarizeInputs,
    'baseUrl' | 'recordsPath' | 'retryUnanswered' | 'verificationUrl'
  >
  readonly environment: Pick<Environment, 'source'>
  /** Takes a line for the log, as the last resort of what could not be saved. */
  readonly runner: Pick<Runner, 'info'>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly halt: Halt
}

/**
 * The lines of one hash in the records file: what is about to be sent, and what came of it. A line that cannot be saved
 * stops all sending and is printed whole, but for `sent` lines, which nothing was sent for then.
 */
export class HashJournal implements Intent {
  readonly #registration: Registration
  readonly #options: JournalOptions
  #sent: StateEntry[] = []

  constructor(registration: Registration, options: JournalOptions) {
    this.#registration = registration
    this.#options = options
  }

  /** Free of the secrets that are known by now: the token comes later than this journal. */
  get artifact(): string {
    return this.#options.secrets.redactText(this.#registration.name)
  }

  /** Whether a `sent` line of this run is on disk. */
  get isNoted(): boolean {
    return this.#sent.length > 0
  }

  /** Writes and syncs a `sent` line; rejects with the failure if it cannot be saved. */
  async note(): Promise<void> {
    const { file, halt, runner } = this.#options
    const entry = { ...this.#head(), state: 'sent', at: this.#now() } as const
    const saved = await file.append(formatLine(entry))
    if (saved.isSaved) {
      this.#sent.push(entry)
      return
    }
    if (halt.reason === null) {
      runner.info(`The records file could not be written: ${saved.reason}`)
    }
    halt.stop(notNotedFailure)
    throw new FailureError(notNotedFailure)
  }

  /** Settles what this run noted: nothing was registered. */
  async settle(): Promise<void> {
    await Promise.all(this.#sent.map(entry => this.#append({ ...entry, state: 'not-registered' })))
  }

  /** Keeps what the service answered. */
  async keep(answer: Omit<RecordEntry, keyof LineHead | 'verificationUrl'>): Promise<void> {
    const { hash } = this.#registration
    const template = this.#options.inputs.verificationUrl
    const verificationUrl = fillVerificationUrl(template, { hash, record: answer.record })
    await this.#append({ ...this.#head(), ...answer, verificationUrl })
  }

  async #append(entry: Entry): Promise<void> {
    const { file, halt, runner } = this.#options
    const saved = await file.append(formatLine(entry))
    if (saved.isSaved) return
    halt.stop(isRecord(entry) ? notSavedFailure : notNotedFailure)
    runner.info(
      `A line could not be saved (${saved.reason}). Add this line to the records file by hand:`,
    )
    runner.info(toJsonLogLine(lineOf(entry)))
  }

  #head(): LineHead {
    const { inputs, environment } = this.#options
    const { size, hash } = this.#registration
    const { source } = environment
    return { artifact: this.artifact, size, hash, service: inputs.baseUrl, source }
  }

  /** ISO time that is not that of an earlier line of this hash: each `sent` line is known by it. */
  #now(): string {
    const last = this.#sent.at(-1)
    const atLeast = last === undefined ? 0 : Date.parse(last.at) + 1
    return new Date(Math.max(this.#options.clock.now(), atLeast)).toISOString()
  }
}
