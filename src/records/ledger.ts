/** The ledger: what is known of each hash, and the records file, the write-ahead log of all registrations. */
import assert from 'node:assert'
import {
  describeError,
  errorCode,
  mismatchFailure,
  notSavedFailure,
  problemAt,
  Stop,
  type Problem,
} from '../failure.ts'
import type { HashedArtifact, Outcome, PlannedArtifact, Registered } from '../outcome.ts'
import type { Source } from '../runtime/environment.ts'
import type { AppendedFile, Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { baseName, compareCodeUnits } from '../text/names.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { assess, groupByHash, readFound, type FoundRecords } from './assess.ts'
import { AppendQueue, readIfThere } from './disk.ts'
import {
  formatLine,
  isGoodRecord,
  isRecord,
  missingLines,
  missingNewline,
  sourceSchema,
  withoutIncompleteLine,
  type Entry,
  type RecordEntry,
  type StateEntry,
} from './lines.ts'
import { checkRecord, unexpectedTypes } from './record.ts'

export interface LedgerQuery {
  /** Absolute path of the records file. */
  readonly path: string
  /** The path as the user gave it. */
  readonly name: string
  /** What was found elsewhere. */
  readonly others: readonly FoundRecords[]
  /** Base URL in normal form. */
  readonly service: string
  /** The commit and run to write in the lines. */
  readonly source: Source
  /** Template; null if there is no such page. */
  readonly verificationUrl: string | null
}

/** The response to a completion: a record that is not yet checked. */
export interface Completed {
  readonly object: JsonObject
  /** The `id` of the subscription that is charged; null if none. */
  readonly paymentId: string | null
  /** Whether an earlier attempt of the call may have registered the hash too. */
  readonly isRepeated: boolean
}

/** What differs between the records of one artifact. */
interface NewRecord {
  /** ISO time of the `sent` line, or of confirming. */
  readonly at: string
  readonly record: JsonObject
  readonly problems: readonly string[]
  readonly confirmed: boolean
  readonly maybeChargedAgain: boolean
}

/** All that is known of each hash, and the only writer of the records file. */
export class Ledger {
  /** Damage. If there is any, nothing may be sent. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** The commit and run of new lines. */
  readonly source: Source
  /** Artifacts whose record is only printed in the log, because it could not be saved. */
  readonly unsaved: string[] = []
  /** Record fields of an undocumented type, as received by this run. */
  readonly unexpectedFields = new Set<string>()
  readonly #host: Host
  readonly #query: LedgerQuery
  /** Of all services. */
  readonly #entries: Entry[]
  /** Of the service. */
  readonly #byHash: Map<string, Entry[]>
  /** By base name of the artifact; null until it is used. */
  #byBaseName: ReadonlyMap<string, readonly Entry[]> | null = null
  /** The file as it was read, without an incomplete last line. */
  readonly initial: Buffer
  readonly #isIncomplete: boolean
  /** Lines of confirmed records, until the file is open. */
  #confirmed = ''
  /** What the file holds, or will hold once it is open, after its initial content. */
  readonly #added: Buffer[] = []
  #file: AppendQueue | null = null

  private constructor(query: LedgerQuery, bytes: Buffer, host: Host) {
    const { name, others, service } = query
    const { entries, problems, warnings } = readFound([
      { name, bytes, input: 'records-path' },
      ...others,
    ])
    this.problems = problems
    this.warnings = warnings
    this.source = query.source
    this.#host = host
    this.#query = query
    this.#entries = [...entries]
    this.#byHash = groupByHash(entries, service)
    this.initial = withoutIncompleteLine(bytes)
    this.#isIncomplete = this.initial.length < bytes.length
    this.#added.push(missingNewline(this.initial))
    const files = others.map(other => other.bytes)
    this.#added.push(missingLines([bytes], files))
  }

  /** Reads the records file, and adds what was found elsewhere. Writes nothing. Throws a `Stop` if the file cannot be read. */
  static read(query: LedgerQuery, host: Host): Ledger {
    let bytes: Buffer
    try {
      bytes = readIfThere(query.path, host.disk)
    } catch (error) {
      const text = `"${quote(query.name)}" cannot be read: ${describeError(error)}`
      throw new Stop(problemAt('records-path', text))
    }
    return new Ledger(query, bytes, host)
  }

  /** All entries, of every service. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** What the records file holds now; before it is open, that and what it lacks from elsewhere. */
  get content(): Buffer {
    return Buffer.concat([this.initial, ...this.#added])
  }

  /** Whether this run adds a record that a person confirmed. */
  get hasConfirmed(): boolean {
    return this.#confirmed !== ''
  }

  /** Returns what is known of a hash; `planned` without `openSince` if nothing. */
  find(hash: string): Outcome {
    return assess(this.#byHash.get(hash) ?? [])
  }

  /** Whether an earlier attempt of this run wrote a line, for any service. */
  get hasEarlierAttempt(): boolean {
    const { runId, runAttempt } = this.source
    const attempt = Number(runAttempt)
    return this.#entries.some(
      ({ source }) => source.runId === runId && Number(source.runAttempt) < attempt,
    )
  }

  /** Whether a record of the same service and commit has the name of an artifact without one. Of an asset, the base name counts. */
  hasOtherContent({ name, input }: PlannedArtifact): boolean {
    const { sha } = this.source
    if (sha === null) return false
    this.#byBaseName ??= Map.groupBy(this.#entries, ({ artifact }) => baseName(artifact))
    const namesakes = this.#byBaseName.get(baseName(name)) ?? []
    return namesakes.filter(isGoodRecord).some(entry => {
      const isNamed = input === 'release-tag' || entry.artifact === name
      const isOfCommit = entry.service === this.#query.service && entry.source.sha === sha
      return isNamed && isOfCommit
    })
  }

  /** Adds, in memory, a confirmed record for each of these hashes that an artifact has and that has no good record. */
  confirm(artifacts: readonly HashedArtifact[], hashes: ReadonlySet<string>): void {
    const sorted = artifacts.toSorted((a, b) => compareCodeUnits(a.name, b.name))
    for (const artifact of sorted.filter(({ hash }) => hashes.has(hash))) {
      const { hash } = artifact
      const known = this.find(hash)
      if (known.state === 'registered') continue
      const isOpen = known.state === 'planned' && known.openSince !== null
      const description = 'Confirmed by a person after a look-up; not a response of the service'
      const record = { hash, description, status: 'registered', custody: false, signed: false }
      const parts = { at: this.#now(), record, problems: [], confirmed: true }
      const entry = this.entryOf(artifact, { ...parts, maybeChargedAgain: isOpen })
      this.#entries.push(entry)
      this.#byHash.set(hash, (this.#byHash.get(hash) ?? []).concat(entry))
      this.#confirmed += formatLine(entry)
    }
  }

  /**
   * Opens or creates the file, and completes it. Does nothing if there is neither work nor anything to write. Throws a
   * `Stop` if the file cannot be written.
   */
  async startWriting(hasWork: boolean): Promise<void> {
    const confirmed = Buffer.from(this.#confirmed)
    const rest = Buffer.concat([...this.#added, confirmed])
    if (!hasWork && !this.#isIncomplete && rest.length === 0) return
    const { path, name } = this.#query
    let file: AppendedFile | null = null
    try {
      file = await this.#host.disk.openForAppending(path)
      if (this.#isIncomplete) await file.truncate(this.initial.length)
      await file.append(rest)
      await file.sync()
      this.#added.push(confirmed)
      this.#file = new AppendQueue(file, this.initial.length + rest.length)
    } catch (error) {
      // The file must not hold what this run does not report.
      await file?.truncate(this.initial.length).catch(() => undefined)
      await file?.close().catch(() => undefined)
      const needs = errorCode(error) === 'ENOSPC' ? 'nothing' : 'workflow'
      const text = `"${quote(name)}" cannot be written: ${describeError(error)}`
      throw new Stop(problemAt('records-path', text, needs))
    }
  }

  /** Saves that the hash of an artifact is about to be sent. Throws the failure if it cannot be saved. */
  async logIntent(artifact: PlannedArtifact): Promise<Intent> {
    const sent: StateEntry = { ...this.#headOf(artifact), at: this.#now(), state: 'sent' }
    if (!(await this.save(sent))) throw notSavedFailure
    return new Intent(this, artifact, sent)
  }

  /** Creates the entry of a record, without secrets. For {@link Intent}. */
  entryOf(artifact: HashedArtifact, response: NewRecord): RecordEntry {
    const { secrets } = this.#host
    const { hash, status, custody, signed } = response.record
    const problems = response.problems.map(problem => secrets.redactText(problem))
    const redacted = secrets.redactJson(response.record)
    // What the rules fix is no secret, and must pass them again.
    const fixed = { hash, status, custody, signed }
    let record = redacted
    if (problems.length === 0) record = { ...redacted, ...fixed }
    const { verificationUrl: template } = this.#query
    let verificationUrl = fillVerificationUrl(template, { hash: artifact.hash, record })
    if (verificationUrl !== null) verificationUrl = secrets.redactText(verificationUrl)
    return { ...this.#headOf(artifact), ...response, record, problems, verificationUrl }
  }

  /** Appends a line and waits until it is on disk. If that fails, stops all sending and prints what would be lost. For {@link Intent}. */
  async save(entry: Entry): Promise<boolean> {
    assert(this.#file !== null, 'the file is opened before the first line')
    const { halt, runner } = this.#host
    const line = formatLine(entry)
    const reason = await this.#file.append(line)
    if (reason === null) {
      this.#entries.push(entry)
      this.#added.push(Buffer.from(line))
      return true
    }
    halt.stop(notSavedFailure)
    runner.info(`A line could not be saved: ${reason}`)
    if (isRecord(entry)) this.unsaved.push(entry.artifact)
    // If a `sent` line cannot be saved, nothing is sent.
    if (isRecord(entry) || entry.state !== 'sent') {
      runner.info('This line is only in this log:')
      runner.info(line.trimEnd())
    }
    return false
  }

  /** Closes the file once all appended lines are written. Never rejects. */
  async close(): Promise<void> {
    await this.#file?.close()
  }

  /** Returns the fields that every line of an artifact begins with, without secrets. */
  #headOf({ name, size, hash }: HashedArtifact) {
    const { secrets } = this.#host
    const { runId, runAttempt } = this.source
    const redacted = sourceSchema.parse(secrets.redactJson({ ...this.source }))
    // Lines settle each other by the run.
    const source = { ...redacted, runId, runAttempt }
    const { service } = this.#query
    return { artifact: secrets.redactText(name), size, hash, service, source }
  }

  #now(): string {
    return new Date(this.#host.clock.now()).toISOString()
  }
}

/** The proof that a `sent` line is on disk. Only the ledger makes one. */
class Intent {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Name of the artifact, without secrets. */
  readonly artifact: string
  readonly #ledger: Ledger
  readonly #artifact: PlannedArtifact
  readonly #sent: StateEntry

  constructor(ledger: Ledger, artifact: PlannedArtifact, sent: StateEntry) {
    this.hash = artifact.hash
    this.artifact = sent.artifact
    this.#ledger = ledger
    this.#artifact = artifact
    this.#sent = sent
  }

  /** Checks the record of a response, then saves it without secrets. Throws the failure for a record that contradicts its request. */
  async record({ object, paymentId, isRepeated }: Completed): Promise<Registered> {
    const ledger = this.#ledger
    for (const field of unexpectedTypes(object)) ledger.unexpectedFields.add(field)
    const problems = checkRecord(object, { hash: this.hash, paymentId })
    const response = { at: this.#sent.at, record: object, problems, confirmed: false }
    const entry = ledger.entryOf(this.#artifact, { ...response, maybeChargedAgain: isRepeated })
    await ledger.save(entry)
    if (problems.length > 0) throw mismatchFailure(entry.problems)
    const maybeChargedAgain = isRepeated || this.#artifact.outcome.openSince !== null
    const { record } = entry
    return { state: 'registered', from: 'this-run', record, maybeChargedAgain, isConfirmed: false }
  }

  /** Saves that the calls of this run did not register the hash. */
  async refute(): Promise<void> {
    await this.#ledger.save({ ...this.#sent, state: 'not-registered' })
  }
}

export type { Intent }
