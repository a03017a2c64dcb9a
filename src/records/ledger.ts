/** The ledger: what is known of each hash, and the records file, to which only it writes. */
import assert from 'node:assert'
import { describeError, errorCode, Failure, notSavedFailure } from '../failure.ts'
import { problemAt, Stop, type Problem, type Remedy } from '../failure.ts'
import type { HashedArtifact, Planned, PlannedArtifact, Registered } from '../outcome.ts'
import type { Source } from '../runtime/environment.ts'
import type { AppendedFile, Host } from '../runtime/outside.ts'
import { quote, quoteSaid } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { compareCodeUnits, recordsName } from '../text/names.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { assess, findRecord, groupByHash, readFoundRecords, type FoundRecords } from './assess.ts'
import { formatLine, isRecord, sourceSchema, wholeLines, withoutIncompleteLine } from './lines.ts'
import type { Entry, RecordEntry } from './lines.ts'
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
}

/** All that is known of each hash, and the only writer of the records file. */
export class Ledger {
  /** Damage. If there is any, nothing may be sent. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Artifacts whose record is only printed in the log, because it could not be saved. */
  readonly unsaved: string[] = []
  /** Record fields of an undocumented type, as received by this run. */
  readonly unexpectedFields = new Set<string>()
  /** How many calls of this run may have been charged without returning a record. */
  doubtCount = 0
  /** The hashes of these calls. */
  readonly #doubted = new Set<string>()
  readonly #host: Host
  readonly #query: LedgerQuery
  /** Of all services. */
  readonly #entries: Entry[]
  /** Of the service. */
  readonly #byHash: Map<string, Entry[]>
  readonly #isIncomplete: boolean
  /** What the file lacks, until it is open. */
  #missing = ''
  /** What the file holds. */
  readonly #parts: Buffer[]
  #file: AppendedFile | null = null
  #hasFailed = false

  private constructor(query: LedgerQuery, bytes: Buffer, host: Host) {
    const { name, others, service } = query
    const { entries, problems, warnings } = readFoundRecords([
      { name, bytes, input: 'records-path' },
      ...others,
    ])
    this.problems = problems
    this.warnings = warnings
    this.#host = host
    this.#query = query
    this.#entries = [...entries]
    this.#byHash = groupByHash(entries, service)
    const whole = withoutIncompleteLine(bytes)
    this.#isIncomplete = whole.length < bytes.length
    this.#parts = [whole]
    if (whole.length > 0 && !whole.toString('latin1', whole.length - 1).endsWith('\n'))
      this.#missing = '\n'
    // A damaged line is not copied: the run stops, and leaves the file as it is.
    if (problems.length > 0) return
    const known = new Set(wholeLines(whole))
    const found = new Set(others.flatMap(other => wholeLines(other.bytes)))
    for (const line of found.difference(known)) this.#missing += `${line}\n`
  }

  /** Reads the records file, and adds what was found elsewhere. Writes nothing. Throws a `Stop` if the file cannot be read. */
  static read(query: LedgerQuery, host: Host): Ledger {
    let bytes: Buffer = Buffer.alloc(0)
    try {
      bytes = host.disk.read(query.path)
    } catch (error) {
      // It is created later.
      if (errorCode(error) === 'ENOENT') return new Ledger(query, bytes, host)
      const text = `"${quote(query.name)}" cannot be read: ${describeError(error)}`
      throw new Stop(problemAt('records-path', text, remedyFor(error, query)))
    }
    return new Ledger(query, bytes, host)
  }

  /** Base URL of the service whose records count, in normal form. */
  get service(): string {
    return this.#query.service
  }

  /** The commit and run of new lines, without the secrets that are known by now. */
  get source(): Source {
    const { source } = this.#query
    const { runId, runAttempt } = source
    const redacted = sourceSchema.parse(this.#host.secrets.redactJson({ ...source }))
    // Where the records are is found by the run.
    return { ...redacted, runId, runAttempt }
  }

  /** All entries, of every service. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** The whole lines that the records file holds now. */
  get content(): Buffer {
    return Buffer.concat(this.#parts)
  }

  /** Returns what is known of a hash: registered if it has a record; else planned, in doubt if it has a doubt line, and so sent again. */
  find(hash: string): Planned | Registered {
    return assess(this.#byHash.get(hash) ?? [])
  }

  /** Returns the record of a registered hash. */
  recordOf(hash: string): RecordEntry {
    const entry = findRecord(this.#byHash.get(hash) ?? [])
    assert(entry !== undefined, 'a registered hash has a record')
    return entry
  }

  /** The hashes with a record that a run wrote, for the service. */
  recordedBy(runId: string | null): Set<string> {
    const own = this.#entries.filter(({ source }) => source.runId === runId)
    const ofService = own.filter(({ service }) => service === this.service)
    return new Set(ofService.filter(isRecord).map(({ hash }) => hash))
  }

  /** Whether an earlier attempt of this run wrote a line, for any service. */
  get hasEarlierAttempt(): boolean {
    const { runId, runAttempt } = this.source
    const attempt = Number(runAttempt)
    return this.#entries.some(
      ({ source }) => source.runId === runId && Number(source.runAttempt) < attempt,
    )
  }

  /** Adds a confirmed record, to be written when the file is opened, for each of these hashes that an artifact has and that has no record. */
  confirm(artifacts: readonly HashedArtifact[], hashes: ReadonlySet<string>): void {
    const sorted = artifacts.toSorted((a, b) => compareCodeUnits(a.name, b.name))
    for (const artifact of sorted.filter(({ hash }) => hashes.has(hash))) {
      const { hash } = artifact
      if (this.find(hash).state === 'registered') continue
      const description = 'Confirmed by a person after a look-up; not a response of the service'
      const record = { hash, description, status: 'registered', custody: false, signed: false }
      const entry = this.#makeRecord(artifact, record, { confirmed: true })
      this.#note(entry)
      this.#missing += formatLine(entry)
    }
  }

  /**
   * Opens or creates the file, and completes it. Does nothing if there is neither work nor anything to write. Throws a
   * `Stop` if the file cannot be written.
   */
  open(hasWork: boolean): void {
    if (!hasWork && !this.#isIncomplete && this.#missing === '') return
    const { path, name } = this.#query
    try {
      this.#file = this.#host.disk.openForAppending(path)
      if (this.#isIncomplete) this.#file.truncate(this.#bytes)
      if (this.#missing !== '') this.#append(this.#missing)
      this.#missing = ''
    } catch (error) {
      // The file must not hold what this run does not report.
      this.#truncate()
      this.close()
      const text = `"${quote(name)}" cannot be written: ${describeError(error)}`
      throw new Stop(problemAt('records-path', text, remedyFor(error, this.#query)))
    }
  }

  /** Checks the record of a response, then saves it without secrets. Throws the failure, and saves the doubt, if the record contradicts its request. */
  record(artifact: PlannedArtifact, { object, paymentId }: Completed): Registered {
    for (const field of unexpectedTypes(object)) this.unexpectedFields.add(field)
    const problems = checkRecord(object, { hash: artifact.hash, paymentId })
    if (problems.length > 0) {
      const reason = isPending(object, artifact.hash) ? 'not-yet-registered' : 'record-mismatch'
      const redact = (text: string): string => this.#host.secrets.redactText(text)
      const { message, error } = object
      const observed = redact(problems.join(', ')) + quoteSaid(message ?? error, redact)
      const parts = { observed, registered: 'unknown', response: object } as const
      const failure = new Failure('record-mismatch', reason, parts)
      this.doubt(artifact, failure)
      throw failure
    }
    const maybeChargedAgain = this.#doubted.has(artifact.hash)
    this.#save(this.#makeRecord(artifact, object, { maybeChargedAgain }))
    const outcome = this.find(artifact.hash)
    assert(outcome.state === 'registered', 'a hash with a record is registered')
    return { ...outcome, from: 'this-run' }
  }

  /** Saves that a try of a completion may have registered the hash of an artifact. */
  doubt(artifact: HashedArtifact, { observed, response }: Failure): void {
    const { secrets } = this.#host
    this.doubtCount += 1
    this.#doubted.add(artifact.hash)
    this.#save({
      ...this.#headOf(artifact),
      at: this.#now(),
      state: 'unknown',
      why: secrets.redactLine(observed),
      response: response && secrets.redactJson(response),
    })
  }

  /** Closes the file. */
  close(): void {
    try {
      this.#file?.close()
    } catch {
      // Every line is on disk, or printed.
    }
    this.#file = null
  }

  /** Appends text, and waits until it is on disk. Throws a system error. */
  #append(text: string): void {
    const bytes = Buffer.from(text)
    this.#file?.append(bytes)
    this.#parts.push(bytes)
  }

  /** Appends a line. If that fails, stops all sending and prints the line, and all later ones. */
  #save(entry: Entry): void {
    assert(this.#file !== null, 'the file is opened before the first line')
    const { halt, runner } = this.#host
    const line = formatLine(entry)
    this.#note(entry)
    try {
      // After the first failure, the file may end within a line.
      if (this.#hasFailed) throw new Error('an earlier line could not be saved')
      this.#append(line)
    } catch (error) {
      this.#truncate()
      this.#hasFailed = true
      halt.end(notSavedFailure)
      if (isRecord(entry)) this.unsaved.push(entry.artifact)
      runner.info(`A line could not be saved (${describeError(error)}), and is only in this log:`)
      runner.info(line.trimEnd())
    }
  }

  /** How many bytes the whole lines of the file have. */
  get #bytes(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0)
  }

  /** Removes an incomplete line if possible; otherwise the next run removes it. */
  #truncate(): void {
    try {
      this.#file?.truncate(this.#bytes)
    } catch {
      // The disk is broken.
    }
  }

  /** Adds an entry to what is known. */
  #note(entry: Entry): void {
    this.#entries.push(entry)
    const known = this.#byHash.get(entry.hash)
    if (known === undefined) this.#byHash.set(entry.hash, [entry])
    else known.push(entry)
  }

  /** Creates the entry of a record, without secrets. */
  #makeRecord(
    artifact: HashedArtifact,
    response: JsonObject,
    flags: { readonly confirmed?: boolean; readonly maybeChargedAgain?: boolean },
  ): RecordEntry {
    const { secrets } = this.#host
    const { confirmed = false, maybeChargedAgain = false } = flags
    const { hash, status, custody, signed } = response
    const redacted: JsonObject = secrets.redactJson(response)
    // What the rules fix is no secret, and must pass them again.
    const record: JsonObject = { ...redacted, hash, status, custody, signed }
    const { verificationUrl: template } = this.#query
    let verificationUrl = fillVerificationUrl(template, { hash: artifact.hash, record })
    if (verificationUrl !== null) verificationUrl = secrets.redactText(verificationUrl)
    const head = { ...this.#headOf(artifact), at: this.#now() }
    return { ...head, record, verificationUrl, confirmed, maybeChargedAgain }
  }

  /** Returns the fields that every line of an artifact begins with, without secrets. */
  #headOf({ name, size, hash }: HashedArtifact) {
    const { service } = this.#query
    const { source } = this
    return { artifact: this.#host.secrets.redactText(name), size, hash, service, source }
  }

  #now(): string {
    return new Date(this.#host.clock.now()).toISOString()
  }
}

/** What to do about a records file that cannot be used: permissions and space are put right on the runner, anything else in the workflow. */
function remedyFor(error: unknown, { name, path }: LedgerQuery): Remedy {
  const isOther = /^(?:EISDIR|ENOTDIR|ENOENT|EEXIST|ELOOP|ENAMETOOLONG)$/
  if (!isOther.test(errorCode(error) ?? 'EISDIR')) {
    const next = `make sure that the user of the runner can read and write "${quote(path)}", and that the disk is not full`
    return { next, needs: 'nothing' }
  }
  // The input has its default.
  if (name === recordsName) return { next: `remove what is at "${quote(path)}"` }
  return { next: `change "records-path", because "${quote(path)}" cannot be a file` }
}

/** Whether a response accepts the right hash, with another status than `registered`. */
function isPending({ hash: accepted, status }: JsonObject, hash: string): boolean {
  const isSameHash = typeof accepted === 'string' && accepted.toLowerCase() === hash
  return isSameHash && typeof status === 'string' && status !== 'registered'
}
