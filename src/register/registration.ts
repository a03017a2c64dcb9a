import assert from 'node:assert'
import { Failure, mismatchFailure } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { failed, type Failed, type PlannedArtifact, type Registered } from '../outcome.ts'
import type { RecordsFile } from '../records/file.ts'
import {
  formatLine,
  isRecord,
  sourceSchema,
  type Entry,
  type StateEntry,
} from '../records/lines.ts'
import { checkRecord, unexpectedTypes } from '../records/record.ts'
import type { RecordsStore } from '../records/store.ts'
import type { Source } from '../runtime/environment.ts'
import { notSavedFailure } from '../runtime/halt.ts'
import type { Host } from '../runtime/host.ts'
import type { Client, Notarization, Subject } from '../service/client.ts'
import { fillDescription, type Extensions } from '../service/extensions.ts'
import { completion } from '../service/operations.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'

export interface RegisterTask {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** The commit and run to write in the lines. */
  readonly source: Source
  readonly records: RecordsStore
}

/** What all registrations of a run share. */
export interface RegistrationOptions extends RegisterTask {
  readonly file: RecordsFile
  readonly client: Client
  readonly extensions: Extensions
  /** Collects the names of record fields of an undocumented type. */
  readonly unexpected: Set<string>
}

/** The registration of one hash. */
export class Registration implements Subject {
  readonly hash: string
  readonly isOpen: boolean
  readonly #artifact: PlannedArtifact
  readonly #options: RegistrationOptions
  /** The `sent` line, once saved. */
  #sent: StateEntry | null = null

  constructor(artifact: PlannedArtifact, options: RegistrationOptions) {
    this.hash = artifact.hash
    this.isOpen = artifact.outcome.openSince !== null
    this.#artifact = artifact
    this.#options = options
  }

  /** Makes the calls, which log the intent first; then saves the record, or that there can be none. */
  async run(): Promise<Registered | Failed> {
    try {
      return await this.#keep(await this.#notarize())
    } catch (error) {
      const failure = Failure.from(error)
      if (this.#sent !== null && failure.registered === 'no') {
        await this.#save({ ...this.#sent, state: 'not-registered' })
      }
      return failed(failure)
    }
  }

  /** Redacted on each use: some secrets are only known after the login. */
  get artifact(): string {
    return this.#redact(this.#artifact.name)
  }

  async logIntent(): Promise<void> {
    if (this.#sent !== null) return
    const at = new Date(this.#options.host.clock.now()).toISOString()
    const sent: StateEntry = { ...this.#head(), at, state: 'sent' }
    if (!(await this.#save(sent))) throw notSavedFailure
    this.#sent = sent
  }

  /** Makes the calls that the inputs ask for: the completion, and those of the extensions. */
  async #notarize(): Promise<Notarization> {
    const { client, extensions, inputs, source } = this.#options
    const { payment, requestRegistration } = inputs
    // Without the subscription that all use, no other artifact can be registered.
    const endRun = (error: unknown): never => {
      throw Failure.from(error).with({ endsRun: true })
    }
    const configured =
      payment === 'active' ? await extensions.activeSubscription().catch(endRun) : payment
    if (configured !== null && !requestRegistration) {
      return client.complete(completion, this, configured)
    }
    const names = { artifact: this.artifact, repository: source.repository, ref: source.ref }
    return extensions.notarize(this, configured, fillDescription(inputs.description, names))
  }

  /** Checks the record, then saves it without secrets. */
  async #keep({ object, paymentId, isRepeated }: Notarization): Promise<Registered | Failed> {
    const { hash, isOpen } = this
    const { host, inputs, unexpected } = this.#options
    for (const field of unexpectedTypes(object)) unexpected.add(field)
    const problems = checkRecord(object, { hash, paymentId }).map(text => this.#redact(text))
    const redacted = host.secrets.redactJson(object)
    const { hash: ofRequest, status, custody, signed } = object
    // What the rules fix is no secret, and must pass them again.
    const fixed = { hash: ofRequest, status, custody, signed }
    const record = problems.length > 0 ? redacted : { ...redacted, ...fixed }
    const url = fillVerificationUrl(inputs.verificationUrl, { hash, record })
    const verificationUrl = url === undefined ? null : this.#redact(url)
    const about = { record, verificationUrl, maybeChargedAgain: isRepeated, problems }
    assert(this.#sent !== null, 'the intent is logged before a call')
    await this.#save({ ...this.#head(), at: this.#sent.at, ...about })
    if (problems.length > 0) return failed(mismatchFailure(problems))
    const maybeChargedAgain = isRepeated || isOpen
    return { state: 'registered', from: 'this-run', record, maybeChargedAgain }
  }

  /** Appends a line and waits until it is on disk. If that fails, stops all sending and prints what would be lost. */
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

  /** The fields of every line of this hash. */
  #head() {
    const { host, inputs } = this.#options
    const { hash, size } = this.#artifact
    const { runId, runAttempt } = this.#options.source
    const redacted = sourceSchema.parse(host.secrets.redactJson({ ...this.#options.source }))
    // Lines settle each other by the run.
    const source = { ...redacted, runId, runAttempt }
    return { artifact: this.artifact, size, hash, service: inputs.baseUrl, source }
  }

  #redact(text: string): string {
    return this.#options.host.secrets.redactText(text)
  }
}
