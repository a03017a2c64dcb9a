/** The ledger: all lines that are known, what they say of each hash, and the records file, to which only it writes. */
import assert from 'node:assert'
import { describeError, errorCode, Failure, problemAt, Stop, type Problem } from '../failure.ts'
import type { HashedArtifact, Planned, PlannedArtifact, Registered } from '../outcome.ts'
import { sourceSchema, type Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { compareCodeUnits, recordsName } from '../text/names.ts'
import { findRecords, formatLine, isRecord, readRecords } from './lines.ts'
import { withoutIncompleteLine } from './lines.ts'
import type { Entry, FoundRecords, Line, RecordEntry } from './lines.ts'

/** Other system errors are about permissions or space, which are put right on the runner, not in the workflow. */
const wrongPath = /EISDIR|ENOTDIR|ENOENT|EEXIST|ELOOP|ENAMETOOLONG/

interface LedgerQuery {
  /** Absolute path of the records file. */
  readonly path: string
  /** The path as the user gave it. */
  readonly name: string
  /** What was found elsewhere. Of earlier releases, only what a hash needs is taken. */
  readonly others: readonly FoundRecords[]
  readonly service: string
  readonly source: Source
}

export interface Charges {
  /** For certain. */
  readonly least: number
  readonly most: number
}

export class Ledger {
  /** What keeps the records from being used. If there is any, nothing may be sent. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Base URL of the service whose records count, in normal form. */
  readonly service: string
  /** The commit and run of new lines. */
  readonly source: Source
  readonly #host: Host
  readonly #query: LedgerQuery
  readonly #lines = new Map<string, Line>()
  /** What the lines of the service say, by hash. */
  readonly #byHash = new Map<string, Entry[]>()
  /** The lines of this step. */
  readonly #own: Line[] = []
  /** The records file as it was read, and without a last line that is incomplete. */
  readonly #bytes: Buffer
  readonly #whole: Buffer
  #hasFailed = false

  /** Reads the records file, and adds what was found elsewhere. Writes nothing. */
  constructor(query: LedgerQuery, host: Host) {
    const { path, name, others, service, source } = query
    this.service = service
    this.source = sourceSchema.parse(host.secrets.redactJson({ ...source }))
    this.#host = host
    this.#query = query
    const problems: Problem[] = []
    let bytes: Buffer = Buffer.alloc(0)
    try {
      bytes = host.disk.read(path)
    } catch (error) {
      // A missing file is created later.
      if (errorCode(error) !== 'ENOENT') problems.push(unusableFile('read', error, query))
    }
    this.#bytes = bytes
    this.#whole = withoutIncompleteLine(bytes)
    const isEarlier = ({ input }: FoundRecords): boolean => input === 'earlier-releases'
    const file = { name, bytes, input: 'records-path' } as const
    const reading = readRecords([file, ...others.filter(found => !isEarlier(found))])
    const earlier = readRecords(others.filter(isEarlier))
    for (const line of reading.lines.values()) this.#add(line)
    this.#adopt([...earlier.lines.values()])
    this.problems = [...problems, ...reading.problems, ...earlier.problems]
    this.warnings = [...reading.warnings, ...earlier.warnings]
  }

  /** All lines that stand somewhere. A confirmed line of a run that stopped does not: it was not written. */
  get lines(): readonly Line[] {
    return [...this.#lines.values()].filter(({ places }) => places.size > 0)
  }

  /** Those of this workflow run, of any attempt. */
  get linesOfRun(): readonly Line[] {
    return this.lines.filter(({ entry }) => entry.source.runId === this.source.runId)
  }

  /** Returns what is known of a hash: registered if it has a record; else planned, in doubt if it has a doubt line, and so sent again. */
  outcomeOf(hash: string): Planned | Registered {
    return assess(this.#byHash.get(hash) ?? [])
  }

  recordOf(hash: string): RecordEntry {
    const [entry] = findRecords(this.#byHash.get(hash) ?? [])
    assert(entry !== undefined, 'a registered hash has a record')
    return entry
  }

  /** How many registrations this step was charged for: by its records, saved or not, and by its doubts. */
  get charges(): Charges {
    return countLines(this.#own)
  }

  /** The same for this workflow run, as far as its attempts are known. */
  get runCharges(): Charges {
    return countLines(this.linesOfRun)
  }

  /** Adds a confirmed record for each of these hashes that an artifact has and that has no record. */
  confirm(artifacts: readonly HashedArtifact[], hashes: ReadonlySet<string>): void {
    for (const artifact of artifacts.toSorted((a, b) => compareCodeUnits(a.name, b.name))) {
      const { hash } = artifact
      if (!hashes.has(hash) || this.outcomeOf(hash).state === 'registered') continue
      const description = 'Confirmed by a person after a look-up; not a response of the service'
      const record = { hash, description, status: 'registered', custody: false, signed: false }
      this.#add(makeLine({ ...this.#headOf(artifact), record, confirmed: true }))
    }
  }

  /** Appends the lines that the file lacks. For work, also creates it. Throws a `Stop` if it cannot be written. */
  open(hasWork: boolean): void {
    const lacking = [...this.#lines.values()].filter(({ places }) => !places.has('file'))
    const { length } = this.#whole
    const isCut = length < this.#bytes.length
    const newline = this.#whole.lastIndexOf('\n') + 1 < length ? '\n' : ''
    if (!hasWork && !isCut && newline === '' && lacking.length === 0) return
    try {
      if (isCut) this.#host.disk.truncate(this.#query.path, length)
      this.#append(lacking, newline)
    } catch (error) {
      throw new Stop(unusableFile('written', error, this.#query))
    }
  }

  /** Saves a record that matches its request, without secrets. */
  saveRecord(artifact: PlannedArtifact, response: JsonObject): Registered {
    const { hash, status, custody, signed } = response
    // The fields that the rules fix stay as they are: whoever reads the line checks them again.
    const clean = this.#host.secrets.redactJson(response)
    const record = { ...clean, hash, status, custody, signed }
    this.#save({ ...this.#headOf(artifact), record })
    const outcome = this.outcomeOf(artifact.hash)
    assert(outcome.state === 'registered', 'a hash with a record is registered')
    return { ...outcome, from: 'this-run' }
  }

  /** Saves that a completion may have registered the hash of an artifact, without a record. */
  saveDoubt(artifact: HashedArtifact, { observed, said, response }: Failure): void {
    const { secrets } = this.#host
    const why = secrets.redactLine(observed + said)
    const redacted = response && secrets.redactJson(response)
    this.#save({ ...this.#headOf(artifact), state: 'unknown', why, response: redacted })
  }

  /** Takes from earlier releases what hashes without a record need: the oldest record of the service, or without any, the doubts. */
  #adopt(earlier: readonly Line[]): void {
    for (const { text } of earlier) this.#lines.get(text)?.places.add('release')
    const ofService = earlier.filter(({ entry }) => entry.service === this.service)
    ofService.sort((a, b) => compareCodeUnits(a.entry.at, b.entry.at))
    for (const [hash, lines] of Map.groupBy(ofService, ({ entry }) => entry.hash)) {
      if (this.outcomeOf(hash).state === 'registered') continue
      const oldest = lines.find(({ entry }) => isRecord(entry))
      const needed = oldest === undefined ? lines : [oldest]
      for (const line of needed) if (!this.#lines.has(line.text)) this.#add(line)
    }
  }

  /** Appends lines to the file after some text, and waits until they are on disk. Throws a system error. */
  #append(lines: readonly Line[], before = ''): void {
    const bytes = Buffer.from(before + lines.map(({ text }) => `${text}\n`).join(''))
    this.#host.disk.append(this.#query.path, bytes)
    for (const { places } of lines) places.add('file')
  }

  /** Appends a line. If that fails, stops all sending and prints the line, and all later ones. */
  #save(entry: Entry): void {
    const { halt, runner } = this.#host
    const line = makeLine(entry)
    this.#add(line)
    this.#own.push(line)
    try {
      // After the first failure, the file may end within a line, which the next run removes.
      if (this.#hasFailed) throw new Error('an earlier line could not be saved')
      this.#append([line])
    } catch (error) {
      this.#hasFailed = true
      const why = describeError(error)
      const observed = `"${quote(this.#query.name)}": ${why}`
      halt.end(new Failure('not-tried', 'not-saved', { observed }))
      line.places.add('log')
      runner.info(`A line could not be saved (${why}):`)
      runner.info(line.text)
    }
  }

  #add(line: Line): void {
    const { text, entry } = line
    this.#lines.set(text, line)
    if (entry.service !== this.service) return
    const known = this.#byHash.get(entry.hash)
    if (known === undefined) this.#byHash.set(entry.hash, [entry])
    else known.push(entry)
  }

  /** Returns the fields that every line of an artifact begins with. */
  #headOf({ name: artifact, size, hash }: HashedArtifact) {
    const at = new Date(this.#host.clock.now()).toISOString()
    return { artifact, size, hash, service: this.service, at, source: this.source }
  }
}

function makeLine(entry: Entry): Line {
  return { text: formatLine(entry), entry, places: new Set() }
}

/**
 * Assesses all lines of one hash at one service; equal lines, such as after a merge, count once. Beside its record, a doubt (but
 * the one of which a person confirmed what it did) or a record of another time may have been charged, too.
 */
export function assess(entries: readonly Entry[]): Planned | Registered {
  const timesOf = (found: readonly Entry[]) => [...new Set(found.map(({ at }) => at))].sort()
  const doubts = timesOf(entries.filter(entry => !isRecord(entry)))
  const [firstDoubtAt, secondDoubtAt] = doubts
  const records = findRecords(entries)
  const [entry] = records
  if (entry === undefined) return { state: 'planned', lastDoubtAt: doubts.at(-1) ?? null }
  const { record, confirmed: isConfirmed = false } = entry
  const [, recordAt] = isConfirmed ? [] : timesOf(records)
  const doubtAt = isConfirmed ? secondDoubtAt : firstDoubtAt
  let otherCharge: Registered['otherCharge'] = null
  if (recordAt !== undefined) otherCharge = { isDoubt: false, at: recordAt }
  if (doubtAt !== undefined) otherCharge = { isDoubt: true, at: doubtAt }
  return { state: 'registered', from: 'records-file', record, otherCharge, isConfirmed }
}

/** Counts what lines were charged for. A person who confirmed a hash charged nothing. */
function countLines(lines: readonly Line[]): Charges {
  const charged = lines.filter(({ entry }) => !isRecord(entry) || !entry.confirmed)
  return { least: charged.filter(({ entry }) => isRecord(entry)).length, most: charged.length }
}

function unusableFile(
  verb: 'read' | 'written',
  error: unknown,
  { name, path }: LedgerQuery,
): Problem {
  const text = `"${quote(name)}" cannot be ${verb}: ${describeError(error)}`
  const file = `"${quote(path)}"`
  const code = errorCode(error)
  // What has no code is not a regular file.
  if (code !== null && !wrongPath.test(code)) {
    const next = `make sure that the user of the runner can read and write ${file}, and that the disk is not full`
    return problemAt('records-path', text, { next, needs: 'nothing' })
  }
  let next = `change "records-path", because ${file} cannot be a file`
  // The input has its default.
  if (name === recordsName) next = `remove what is at ${file}`
  return problemAt('records-path', text, { next })
}
