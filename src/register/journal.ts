import { FailureError } from '../failure.ts'
import type { Registration } from '../plan.ts'
import type { RecordsFile } from '../records/file.ts'
import {
  formatLine,
  isRecord,
  toJson,
  type Entry,
  type LineHead,
  type StateEntry,
} from '../records/line.ts'
import { redactSource } from '../runtime/environment.ts'
import { notSavedFailure } from '../runtime/halt.ts'
import type { Subject } from '../service/attempts.ts'
import { toJsonLogLine } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { RegisterTask } from './task.ts'

/** What the lines of a run have in common, and the file that they go to. */
export interface JournalOptions extends RegisterTask {
  readonly file: RecordsFile
}

/** A record as it is kept. */
export interface KeptRecord {
  /** Without secrets. */
  readonly record: JsonObject
  /** JSON Pointers of the places where a secret was replaced. */
  readonly redacted: readonly string[]
  readonly problems: readonly string[]
  readonly maybeChargedAgain: boolean
}

/** The lines of one hash in the records file. A line that cannot be saved stops all sending. */
export class HashJournal implements Subject {
  readonly hash: string
  readonly isOpen: boolean
  readonly #registration: Registration
  readonly #options: JournalOptions
  /** The line that is on disk. */
  #sent: StateEntry | null = null

  constructor(registration: Registration, options: JournalOptions) {
    this.hash = registration.hash
    this.isOpen = registration.open !== null
    this.#registration = registration
    this.#options = options
  }

  /** Redacted when it is used: some secrets come after the login. */
  get artifact(): string {
    return this.#options.host.secrets.redactText(this.#registration.name)
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

  /** Saves what the service answered. */
  async keep(kept: KeptRecord): Promise<void> {
    const { hash } = this
    const { host, inputs } = this.#options
    const url = fillVerificationUrl(inputs.verificationUrl, { hash, record: kept.record })
    const verificationUrl = url === undefined ? null : host.secrets.redactText(url)
    const at = this.#sent?.at ?? null
    await this.#save({ ...this.#head(), ...kept, at, verificationUrl })
  }

  /** Appends a line, and waits until it is on disk. A result that cannot be saved is printed whole. */
  async #save(entry: Entry): Promise<boolean> {
    const { file, host } = this.#options
    const saved = await file.append(formatLine(entry))
    if (saved.isSaved) return true
    const { halt, runner } = host
    halt.stop(notSavedFailure)
    runner.info(`A line could not be saved: ${saved.reason}`)
    if (isRecord(entry)) halt.hasUnsavedRecord = true
    // Nothing was sent for a line that comes before it.
    if (isRecord(entry) || entry.state !== 'sent') {
      runner.info('Append this line to the records file by hand:')
      runner.info(toJsonLogLine(toJson(entry)))
    }
    return false
  }

  #head(): LineHead {
    const { host, inputs } = this.#options
    const { hash, size } = this.#registration
    const source = redactSource(this.#options.source, text => host.secrets.redactText(text))
    return { artifact: this.artifact, size, hash, service: inputs.baseUrl, source }
  }
}
