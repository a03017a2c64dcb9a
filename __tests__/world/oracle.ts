/**
 * What must be true of a run and of the records, whatever happened: a table of promises for each thing that can be looked
 * at. Written from what the product promises: it uses no code of `src`.
 */
import * as z from 'zod/mini'
import type { Run } from './run.ts'
import type { SentCall } from './service.ts'

/** A line of the file, as far as its meaning depends on it. */
interface Line {
  readonly hash: string
  readonly at: string | null
  readonly kind: 'sent' | 'not-registered' | 'good' | 'bad'
  readonly run: number
  readonly isChargedAgain: boolean
}

const lineSchema = z.object({
  hash: z.string(),
  at: z._default(z.nullable(z.string()), null),
  state: z.optional(z.enum(['sent', 'not-registered'])),
  problems: z._default(z.array(z.string()), []),
  source: z.object({ runId: z.string() }),
  maybeChargedAgain: z._default(z.boolean(), false),
})

const parsedLines = new Map<string, Line | null>()

/** The meaning of a line; null for one that is damaged. */
function parse(text: string): Line | null {
  const known = parsedLines.get(text)
  if (known !== undefined) return known
  if (parsedLines.size > 100_000) parsedLines.clear()
  let line: Line | null = null
  try {
    const read = lineSchema.parse(JSON.parse(text))
    const kind = read.state ?? (read.problems.length === 0 ? 'good' : 'bad')
    const run = Number(read.source.runId)
    line = { hash: read.hash, at: read.at, kind, run, isChargedAgain: read.maybeChargedAgain }
  } catch {
    // It stays null.
  }
  parsedLines.set(text, line)
  return line
}

function parseAll(lines: readonly string[]): readonly Line[] {
  return lines.map(parse).filter(line => line !== null)
}

function ofKind(lines: readonly Line[], kind: Line['kind']): readonly Line[] {
  return lines.filter(line => line.kind === kind)
}

/** The hashes with a good record in these lines. */
export function recordedHashes(lines: readonly string[]): ReadonlySet<string> {
  return new Set(ofKind(parseAll(lines), 'good').map(({ hash }) => hash))
}

/** Whether a `sent` line of these, which are all of one hash, is not settled. */
function isOpen(lines: readonly Line[]): boolean {
  const settling = lines.filter(({ kind }) => kind !== 'sent')
  return ofKind(lines, 'sent').some(
    ({ at, run }) => !settling.some(other => other.at === at && other.run === run),
  )
}

function isDoubtful({ answer }: SentCall): boolean {
  return answer === 'busy' || answer === 'lost' || answer === 'bad'
}

function isRecord({ answer }: SentCall): boolean {
  return answer === 'record' || answer === 'bad'
}

/** Whether so many hashes were not to be had since the last record that no further one is begun. */
function isOutage(calls: readonly SentCall[], maxOutages = 5): boolean {
  const since = calls.slice(calls.findLastIndex(({ answer }) => answer === 'record') + 1)
  const out = since.filter(({ answer }) => answer === 'busy' || answer === 'unpaid')
  return new Set(out.map(({ hash }) => hash)).size >= maxOutages
}

function areAllIn(there: readonly string[], lines: readonly string[]): boolean {
  return lines.every(line => there.includes(line))
}

/** By its sentence, whether a promise is kept. */
type Promises<Facts> = Readonly<Record<string, (facts: Facts) => boolean>>

/** The sentences of the promises that are not kept. */
export function findBroken<Facts>(promises: Promises<Facts>, facts: Facts): string[] {
  const broken = Object.entries(promises).filter(([, isKept]) => !isKept(facts))
  return broken.map(([sentence]) => sentence)
}

interface CallFacts {
  readonly run: Run
  readonly call: SentCall
  /** The calls of the run for the same hash before it. */
  readonly earlier: readonly SentCall[]
  /** The lines of the run that are saved or printed. */
  readonly lines: readonly Line[]
}

const ofCall: Promises<CallFacts> = {
  'a "sent" line is saved before the first call that may act for a hash': ({ call, lines }) =>
    ofKind(lines, 'sent').some(({ hash }) => hash === call.hash),
  'after a cancel nothing new is sent': ({ run }) => !run.isCancelled,
  'whether files can be uploaded is tried before anything is spent': ({ run }) => run.isWritable,
  'a call that was refused is not made again': ({ call, earlier }) =>
    !earlier.some(({ kind, answer }) => kind === call.kind && answer === 'refused'),
  'a hash that was not paid for is not sent again': ({ earlier }) =>
    !earlier.some(({ answer }) => answer === 'unpaid'),
  'a request that was answered is not repeated': ({ call, earlier }) =>
    call.kind === 'completion' || !earlier.some(({ answer }) => answer === 'agreed'),
  'a record is saved before its worker goes on': ({ run, earlier, lines }) => {
    const saved = [...ofKind(lines, 'good'), ...ofKind(lines, 'bad')].map(({ hash }) => hash)
    const answered = run.calls.filter(isRecord).map(({ hash }) => hash)
    return earlier.length > 0 || run.inputs.concurrency > 1 || areAllIn(saved, answered)
  },
  'after 5 hashes without a good answer no further one is begun': ({ run, earlier }) => {
    const { concurrency } = run.inputs
    // With several at a time, what was answered may not have ended yet.
    const isUnclear = concurrency > 1 && run.calls.some(isRecord)
    return earlier.length > 0 || isUnclear || !isOutage(run.calls, 4 + concurrency)
  },
}

/** What is wrong with a call that a run is about to make for a hash. */
export function judgeCall(call: SentCall, run: Run): readonly string[] {
  const texts = [...run.disk.syncedLines, ...run.printed]
  const lines = parseAll(texts).filter(line => line.run === run.number)
  const earlier = run.calls.filter(({ hash }) => hash === call.hash)
  return findBroken(ofCall, { run, call, earlier, lines })
}

interface UploadFacts {
  readonly name: string
  /** The name that records of this content have where the usual one is taken. */
  readonly ownName: string
  readonly isUsualTaken: boolean
  /** Whether it has a line that no records asset has. */
  readonly isNew: boolean
  /** The hashes that it has an entry for, if it is a page. */
  readonly entries: ReadonlySet<string>
  /** The hashes with a record on the release. */
  readonly recorded: ReadonlySet<string>
}

/** What must be true of an upload to the release. */
export const ofUpload: Promises<UploadFacts> = {
  'records have the usual name, or where that is taken their own': one =>
    !one.name.includes('records') ||
    one.name === (one.isUsualTaken ? one.ownName : 'notarization-records.jsonl'),
  'records that the release has are not uploaded': ({ name, isNew }) =>
    !name.includes('records') || isNew,
  'the page comes after its records': ({ name, entries, recorded }) =>
    !name.includes('evidence') || (entries.size > 0 && entries.isSubsetOf(recorded)),
}

interface DeletionFacts {
  readonly name: string
  readonly isOwn: boolean
  readonly isUploaded: boolean
}

/** What must be true of a deletion from the release. */
export const ofDeletion: Promises<DeletionFacts> = {
  'nothing that holds records is deleted': one => !one.isUploaded || !one.name.includes('records'),
  'only the page and own uploads are deleted': one => one.isOwn || one.name.includes('evidence'),
}

/** What must be true of a run at any moment. */
export const atAnyMoment: Promises<Run> = {
  'after a signal the missing lines are printed first': run =>
    !run.isAttaching || !run.isCancelled || areAllIn(run.printed, run.lacking),
}

const ofEveryRun: Promises<Run> = {
  'a run goes on unless a full disk, GitHub or a signal stops it': run =>
    run.stop === null ||
    run.stop.includes('no space left') ||
    run.github.isRefusing ||
    run.isCancelled,
  'a run that stops has sent nothing': ({ stop, calls }) => stop === null || calls.length === 0,
  'every line is written whole': ({ disk }) => disk.syncedLines.every(line => parse(line) !== null),
  'a write test that could not be deleted is named in a warning': run =>
    run.isKilled || run.unnamed.every(name => !name.includes('write-test')),
}

const ofEndedRun: Promises<Run> = {
  'only if every artifact is registered is a run green': ({ isGreen, results }) =>
    !isGreen || results.every(({ outcome }) => outcome.state === 'registered'),
  'no line is lost, and those of the release come to the file': ({ before, disk }) =>
    areAllIn(disk.syncedLines, before),
  'attaching is patient': run => run.isComplete || run.github.isRefusing || run.isCancelled,
  'a run that does not fail has attached every line': ({ attachment, lacking }) =>
    attachment?.failure !== null || lacking.length === 0,
  'every line that the release lacks is printed': ({ attachment, lacking, printed }) =>
    attachment === null || areAllIn(printed, lacking),
  'the report says that lines were printed': ({ attachment, lacking }) =>
    attachment?.hasPrintedLines !== false || lacking.length === 0,
  'the page has all records that are listed': ({ attachment, isComplete, github }) =>
    attachment === null || !isComplete || github.missingFromPage.length === 0,
  'the whole file is uploaded once, byte for byte': ({ github: { uploads }, disk }) =>
    uploads.length <= 1 && uploads.every(upload => upload === disk.text),
  'an own upload that stopped halfway is not left': ({ attachment, isComplete, unnamed }) =>
    attachment === null || !isComplete || unnamed.length === 0,
}

interface HashFacts {
  readonly run: Run
  /** Those of the run for the hash. */
  readonly calls: readonly SentCall[]
  readonly completions: readonly SentCall[]
  /** The lines of the run for the hash that are saved or printed. */
  readonly kept: readonly Line[]
  /** How many `sent` lines of the run for the hash are saved. */
  readonly intents: number
  /** What earlier runs left. */
  readonly earlier: 'good' | 'bad' | 'open' | 'nothing'
  readonly isAnswered: boolean
  /** Whether a call of the run may have acted without telling. */
  readonly isDoubtful: boolean
  readonly isRegistered: boolean
  readonly failure: { readonly registered: 'no' | 'unknown'; readonly code: string } | null
  /** Whether all went well but for the calls for hashes. */
  readonly isServed: boolean
}

const ofEveryHash: Promises<HashFacts> = {
  'nothing that has a record is sent again': ({ earlier, calls }) =>
    calls.length === 0 || earlier === 'open' || earlier === 'nothing',
  '"not-registered" is written only of what is not registered': ({ kept, calls }) =>
    ofKind(kept, 'not-registered').length === 0 || !calls.some(({ acted }) => acted),
  '"sent" is written once for a hash and a run': ({ intents }) => intents <= 1,
  'each line repeats the time of the "sent" line that it settles': ({ kept }) =>
    new Set(kept.map(({ at }) => at)).size <= 1,
}

const ofEndedHash: Promises<HashFacts> = {
  'registered is what has a record': ({ isRegistered, isAnswered, earlier }) =>
    isRegistered === (isAnswered || earlier === 'good'),
  'each record is saved or printed': ({ isAnswered, kept }) =>
    !isAnswered || ofKind(kept, 'good').length > 0,
  'a record that contradicts its request is kept, too': ({ completions, kept }) =>
    !completions.some(({ answer }) => answer === 'bad') || ofKind(kept, 'bad').length > 0,
  'a record says whether a completion before it may have acted': ({ kept, completions }) => {
    const isAgain = completions.slice(0, completions.findIndex(isRecord)).some(isDoubtful)
    return ofKind(kept, 'good').every(({ isChargedAgain }) => isChargedAgain === isAgain)
  },
  '"no" is said only of what cannot be registered, else "unknown"': one => {
    const registered = one.isDoubtful || one.earlier !== 'nothing' ? 'unknown' : 'no'
    return one.isAnswered || one.earlier === 'good' || one.failure?.registered === registered
  },
  '"not-registered" is written exactly when the calls of the run give "no"': one => {
    const isNo = !one.isAnswered && !one.isDoubtful
    return one.intents === 0 || ofKind(one.kept, 'not-registered').length > 0 === isNo
  },
  'a refused request may have been made before: its completion is tried': one => {
    const last = one.calls.at(-1)
    const isRefused = last?.kind === 'request' && last.answer === 'refused'
    return !isRefused || !one.isServed || one.failure?.code !== 'request-refused'
  },
  'each hash is tried unless 5 before it have ended without a good answer': one => {
    const isUntried =
      one.calls.length === 0 && /^(unavailable|refused)$/.test(one.failure?.code ?? '')
    const { calls, inputs } = one.run
    // With several at a time, a record may be saved after calls that were answered later.
    const ended = calls.filter(({ answer }) => inputs.concurrency === 1 || answer !== 'record')
    return !isUntried || !one.isServed || isOutage(ended)
  },
}

function factsOf(hash: string, run: Run): HashFacts {
  const isOfRun = (line: Line): boolean => line.hash === hash && line.run === run.number
  const saved = parseAll(run.disk.syncedLines).filter(isOfRun)
  const before = parseAll(run.before).filter(line => line.hash === hash)
  const calls = run.calls.filter(call => call.hash === hash)
  const completions = calls.filter(({ kind }) => kind === 'completion')
  const requests = calls.filter(({ kind }) => kind === 'request')
  const isRequested = requests.some(({ answer }) => answer === 'agreed')
  const record = (['good', 'bad'] as const).find(kind => ofKind(before, kind).length > 0)
  const outcome = run.results.find(result => result.hash === hash)?.outcome
  return {
    run,
    calls,
    completions,
    kept: [...saved, ...parseAll(run.printed).filter(isOfRun)],
    intents: ofKind(saved, 'sent').length,
    earlier: record ?? (isOpen(before) ? 'open' : 'nothing'),
    isAnswered: completions.some(({ answer }) => answer === 'record'),
    isDoubtful: completions.some(isDoubtful) || (!isRequested && requests.some(isDoubtful)),
    isRegistered: outcome?.state === 'registered',
    failure: outcome?.state === 'failed' ? outcome.failure : null,
    isServed: run.calls.every(one => one.hash !== '' || one.answer === 'agreed'),
  }
}

/** What is wrong with a run at its end; `hashes` are those that it was asked to register. */
export function judgeRun(run: Run, hashes: readonly string[]): readonly string[] {
  const broken = findBroken(ofEveryRun, run)
  if (run.stop !== null) return broken
  for (const hash of hashes) {
    const facts = factsOf(hash, run)
    const ofHash = findBroken(ofEveryHash, facts)
    if (!run.isKilled) ofHash.push(...findBroken(ofEndedHash, facts))
    broken.push(...ofHash.map(sentence => `${sentence} (${hash.slice(0, 4)})`))
  }
  if (!run.isKilled) broken.push(...findBroken(ofEndedRun, run))
  return broken
}

/** Which double registrations of all runs so far no line accounts for. */
export function judgeCharges(texts: readonly string[], calls: readonly SentCall[]): string[] {
  const lines = parseAll(texts)
  const acted = Map.groupBy(
    calls.filter(call => call.acted),
    ({ hash }) => hash,
  )
  const unaccounted = [...acted].filter(([hash, { length }]) => {
    const own = lines.filter(line => line.hash === hash)
    const times = new Set(ofKind(own, 'good').map(({ at }) => at))
    const isFlagged = own.some(({ kind, isChargedAgain }) => kind === 'bad' || isChargedAgain)
    return length > 1 && !isFlagged && times.size < 2 && !isOpen(own)
  })
  return unaccounted.map(([hash]) => `what was registered twice says so: ${hash}`)
}
