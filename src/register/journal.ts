import type { Clock } from '../clock.ts'
import type { Source } from '../environment.ts'
import { notNotedFailure, notSavedFailure, type Halt } from '../halt.ts'
import type { KeptRecord } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import type { RecordsFile } from '../records/file.ts'
import { formatLine, isRecord, lineOf, type Entry, type StateEntry } from '../records/line.ts'
import type { Secrets } from '../secrets.ts'
import type { Intent } from '../service/client.ts'
import { toJsonLogLine } from '../text/escape.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'

/** What the lines of a run have in common, and where they go. */
export interface JournalOptions {
  readonly file: RecordsFile
  /** The records file as the user gave it. */
  readonly recordsPath: string
  readonly service: string
  readonly source: Source
  readonly secrets: Secrets
  readonly clock: Clock
  readonly halt: Halt
  /** Template of the input `verification-url`; null without one. */
  readonly verificationUrl: string | null
  /** Takes a line for the log, as the last resort of what could not be saved. */
  readonly log: (line: string) => void
}

/** An answered registration. */
export interface AnsweredRegistration {
  readonly kept: KeptRecord
  readonly problems: readonly string[]
  readonly unansweredTries: number
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

  /** Writes and syncs a `sent` line; false if that failed. */
  async note(): Promise<boolean> {
    const entry = { ...this.#head(), state: 'sent', at: this.#now() } as const
    const saved = await this.#options.file.append(formatLine(entry))
    if (saved.isSaved) this.#sent.push(entry)
    else this.#stop(saved.reason)
    return saved.isSaved
  }

  /** Settles what this run noted: nothing was registered. */
  async settle(): Promise<void> {
    await Promise.all(this.#sent.map(entry => this.#append({ ...entry, state: 'not-registered' })))
  }

  /** Keeps what the service answered. */
  async keep({ kept, problems, unansweredTries }: AnsweredRegistration): Promise<void> {
    const { hash } = this.#registration
    const template = this.#options.verificationUrl
    const verificationUrl = fillVerificationUrl(template, { hash, record: kept.record })
    await this.#append({ ...this.#head(), ...kept, problems, unansweredTries, verificationUrl })
  }

  #stop(reason: string): void {
    const { halt, log } = this.#options
    if (halt.reason === null) log(`The records file could not be written: ${reason}`)
    halt.stop(notNotedFailure)
  }

  async #append(entry: Entry): Promise<void> {
    const { file, halt, log } = this.#options
    const saved = await file.append(formatLine(entry))
    if (saved.isSaved) return
    halt.stop(isRecord(entry) ? notSavedFailure : notNotedFailure)
    log(`A line could not be saved (${saved.reason}). Add this line to the records file by hand:`)
    log(toJsonLogLine(lineOf(entry)))
  }

  #head(): Pick<Entry, 'artifact' | 'size' | 'hash' | 'service' | 'source'> {
    const { service, source } = this.#options
    const { size, hash } = this.#registration
    return { artifact: this.artifact, size, hash, service, source }
  }

  /** ISO time that is not that of an earlier line of this hash: each `sent` line is known by it. */
  #now(): string {
    const last = this.#sent.at(-1)
    const atLeast = last === undefined ? 0 : Date.parse(last.at) + 1
    return new Date(Math.max(this.#options.clock.now(), atLeast)).toISOString()
  }
}
