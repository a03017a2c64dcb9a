/** Judges calls, runs and records by what the product promises in every case. Uses no code of `src` but what it judges. */
import { mayBeRegistered } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import type { DoubtLine, RecordLine, RecordsFile } from '../support/record-lines.ts'
import { linesOf } from './disk.ts'
import type { Run } from './run.ts'
import { serviceUrl, type SentCall } from './service.ts'

export type Line = RecordLine | DoubtLine

const linesRead = new Map<string, RecordsFile | null>()

/** Returns null for a damaged line. */
function readLine(text: string): RecordsFile | null {
  let line = linesRead.get(text)
  if (line !== undefined) return line
  if (linesRead.size > 100_000) linesRead.clear()
  try {
    line = readRecordsText(`${text}\n`)
  } catch {
    line = null
  }
  linesRead.set(text, line)
  return line
}

function readLines(texts: readonly string[], isSelected: (line: Line) => boolean = Boolean) {
  const lines = texts.map(readLine)
  const records = lines.flatMap(line => line?.records ?? []).filter(isSelected)
  const doubts = lines.flatMap(line => line?.doubts ?? []).filter(isSelected)
  return { records, doubts }
}

/** Returns the lines that are selected. */
export function select(
  texts: readonly string[],
  isSelected: (line: Line) => boolean,
): readonly string[] {
  return texts.filter(text => {
    const { records, doubts } = readLines([text], isSelected)
    return records.length + doubts.length > 0
  })
}

function hashesOf(all: readonly Pick<Line, 'hash'>[]): string[] {
  return all.map(({ hash }) => hash)
}

/** The hashes with a record in these lines. */
export function recordedHashes(texts: readonly string[]): ReadonlySet<string> {
  return new Set(hashesOf(readLines(texts).records))
}

/** Whether nobody can know if the service registered the hash. */
function isDoubtful({ kind, answer }: SentCall): boolean {
  return kind === 'completion' && ['busy', 'lost', 'nonsense', 'bad', 'none'].includes(answer)
}

function hasRecord({ answer }: SentCall): boolean {
  return answer === 'record'
}

/**
 * Says what became of a hash by the answers to its calls: it ended with a record or in `doubt`, it speaks `against` the service or
 * does not (`other`), or another call may follow (`open`). After a refused request, the subscription decides: `maybe`.
 */
function findEnding(calls: readonly SentCall[], maxAttempts: number) {
  const { kind, answer } = calls.at(-1) ?? { kind: 'login', answer: 'none' }
  if (answer === 'agreed' || answer === 'denied' || answer === 'none') return 'open'
  if (answer === 'record') return 'record'
  if (answer === 'refused' && kind === 'request') return 'maybe'
  if (answer === 'refused' || answer === 'exists') return 'other'
  if (calls.slice(-1).some(isDoubtful)) return 'doubt'
  const tries = calls.filter(call => call.kind === kind && call.answer !== 'denied')
  const isFinal = answer === 'unpaid' || answer === 'nonsense'
  return isFinal || tries.length === maxAttempts ? 'against' : 'open'
}

/** Judges the service by the hashes that ended: nothing may be sent if it is certainly lost, but all has to be unless it may be. */
function judgeService({ answered, inputs }: Run) {
  const byHash = new Map<string, SentCall[]>()
  const counts = { certain: 0, possible: 0 }
  let [isEarned, isLost, mayBeLost] = [false, false, false]
  for (const call of answered.filter(({ hash }) => hash !== '')) {
    const calls = byHash.get(call.hash) ?? []
    byHash.set(call.hash, calls)
    calls.push(call)
    const ending = findEnding(calls, inputs.maxAttempts)
    if (ending === 'record') {
      isEarned = true
      counts.certain = counts.possible = 0
    }
    if (ending === 'against' || ending === 'doubt') counts.certain += 1
    if (ending === 'against' || ending === 'doubt' || ending === 'maybe') counts.possible += 1
    const limit = isEarned ? 5 : ending === 'doubt' ? 1 : 3
    isLost ||= counts.certain >= limit
    mayBeLost ||= counts.possible >= limit
  }
  return { isLost, mayBeLost }
}

function isSubset(some: Iterable<string>, all: Iterable<string>): boolean {
  return new Set(some).isSubsetOf(new Set(all))
}

function areEqual(some: Iterable<string>, others: Iterable<string>): boolean {
  return new Set(some).symmetricDifference(new Set(others)).size === 0
}

export function findBroken(promises: Readonly<Record<string, boolean>>): string[] {
  const broken = Object.entries(promises).filter(([, isKept]) => !isKept)
  return broken.map(([promise]) => promise)
}

/** Judges a call that a run is about to make for a hash. */
export function judgeCall({ kind, hash }: SentCall, run: Run): readonly string[] {
  const { answered, inputs, world, canceledMs } = run
  const calls = Map.groupBy(run.calls, call => call.hash)
  const withToken = run.calls.slice(run.calls.findLastIndex(call => call.kind === 'login') + 1)
  const isDenied = withToken.length > 0 && withToken.every(({ answer }) => answer === 'denied')
  calls.delete('')
  const earlier = calls.get(hash) ?? []
  calls.delete(hash)
  const ending = findEnding(earlier, inputs.maxAttempts)
  const hasOther = calls.values().some(of => findEnding(of, inputs.maxAttempts) === 'open')
  const inFlight = run.calls.filter(call => call.hash !== '' && call.answer === 'none')
  const saved = readLines(world.disk.lines, run.hasWritten)
  const before = readLines(run.before)
  const done = new Set([...inputs.confirmedHashes, ...hashesOf(before.records)])
  const left = hashesOf(run.artifacts).filter(other => !done.has(other))
  const isBegun = (other: string): boolean =>
    isOpen(before, other) || run.calls.some(call => call.hash === other)
  return findBroken({
    'a completion that may have acted is not sent again': !earlier.some(isDoubtful),
    'nothing is sent after the service was judged': !judgeService(run).isLost,
    'until there is a record, one hash goes at a time': answered.some(hasRecord) || !hasOther,
    'hashes in doubt go last': !isOpen(before, hash) || left.every(isBegun),
    'a doubt is saved before the next call, and nothing else':
      hashesOf(saved.doubts).sort().join() === hashesOf(answered.filter(isDoubtful)).sort().join(),
    'a record is saved before the next call': isSubset(
      hashesOf(answered.filter(hasRecord)),
      hashesOf(saved.records),
    ),
    'a hash that has ended is not sent again':
      ending === 'open' || (ending === 'maybe' && kind === 'completion'),
    'what a page said would not be charged again is not sent': !world.promised.has(hash),
    'a hash that is confirmed or has a record is not sent': left.includes(hash),
    'nothing is sent after a cancel or a failed write':
      canceledMs === null && !world.disk.hasFailed,
    'no more calls than "concurrency" are in flight': inFlight.length < inputs.concurrency,
    'a refused token is not used again': !isDenied,
  })
}

/** Judges the records and the evidence page that a run keeps. */
export function judgeKept(
  text: string,
  evidencePath: string,
  { disk, outputs, before, printed }: Run,
): readonly string[] {
  return findBroken({
    'outputs are set before the records are kept': outputs.has('verdict'),
    'what is kept has every line that is known': areEqual(
      [...before, ...disk.lines, ...printed],
      linesOf(text),
    ),
    'what is kept has the page, if there is one':
      (evidencePath !== '') === disk.files.has('notarization-evidence.md'),
  })
}

/** Judges a run after its end. */
export function judgeRun(run: Run): readonly string[] {
  const { stop, calls, artifacts, canceledMs, end } = run
  const { kept, disk, github, scheduler } = run.world
  const { bug } = run.host.halt
  const broken = findBroken({
    [`there is no bug (${bug?.observed})`]: bug === null,
    'only a full disk, GitHub, the artifact service or a signal stops a run':
      stop === null ||
      stop.includes('no space left') ||
      github.hasFailed ||
      kept.hasFailed ||
      canceledMs !== null,
    'a stopped run has sent nothing': stop === null || calls.length === 0,
    'a run stops if it cannot read what was kept': !kept.hasFailed || stop !== null || end === null,
    'a run stops if it cannot read the release':
      !run.isOfRelease || !github.hasFailed || calls.length === 0,
    'every line is written whole': disk.lines.every(line => readLine(line) !== null),
    'a canceled run ends within 7 s':
      canceledMs === null || end === null || scheduler.nowMs - canceledMs <= 7000,
  })
  if (end !== null) broken.push(...judgePlace(run, end))
  if (stop !== null) return broken
  if (end !== null) broken.push(...judgeEnd(run, end))
  for (const { name, hash } of artifacts) {
    broken.push(...judgeArtifact(name, hash, run).map(promise => `${promise} (${name})`))
  }
  return broken
}

/** Whether a hash was sent, and nobody knows what became of it. */
function isOpen({ records, doubts }: RecordsFile, hash: string): boolean {
  const isOwn = (line: Line): boolean => line.hash === hash && line.service === serviceUrl
  return doubts.some(isOwn) && !records.some(isOwn)
}

/** The record lines of a workflow run that this run of the action knows. */
function findRecords(run: Run): readonly string[] {
  // What a run that stops has written, it has confirmed, and the next one confirms again.
  const texts = run.stop === null ? run.lines : run.before
  return select(texts, line => 'record' in line && run.isOfRun(line))
}

/** Judges where a run says that its records are. */
function judgePlace(run: Run, { records: said, artifacts }: RunEnd): readonly string[] {
  const { world, printed, source, released, inputs } = run
  const { kind } = said
  const records = findRecords(run)
  // A run that stops early has not read all lines, and promises less, or without a plan nothing. A person can give them to the next one.
  const isEarly = run.stop !== null
  const given = isEarly ? world.given : []
  const kept = [...released, ...world.kept.lines]
  const own = select(run.lines, run.hasWritten)
  const earlier = select(run.before, run.comesAfter)
  const isInLogs = source.runAttempt !== '1' && !world.scenario.hasArtifacts && earlier.length === 0
  const known = new Set(run.hasKept ? [...kept, ...run.kept] : [...released, ...run.found])
  const onlyInLog = records.filter(text => !known.has(text) && printed.includes(text))
  const isCharged = (text: string): boolean =>
    !released.includes(text) &&
    !text.includes('"confirmed":true') &&
    !(kind === 'file' && onlyInLog.includes(text))
  const truths: Readonly<Record<typeof kind, boolean>> = {
    none: isSubset(records, given) || (isEarly && artifacts.length === 0),
    release: isSubset(records, released) && records.length > 0,
    'workflow-artifact': isSubset(records, [...kept, ...given]),
    log: isSubset(records, [...kept, ...printed]) && (onlyInLog.length > 0 || isInLogs),
    file: isEarly || (!inputs.keepRecords && !isSubset(records, released)),
  }
  return findBroken({
    [`the records are where the page says (${kind})`]: truths[kind],
    'a page says how many records are only in the log':
      isEarly || said.onlyInLog === onlyInLog.length,
    'a page says whether earlier lines may be in logs':
      isEarly || said.isEarlierInLogs === isInLogs,
    'a page says which charged records are not on a release':
      isEarly || areEqual(said.recorded, recordedHashes(records.filter(isCharged))),
    'the lines of a run are kept or printed':
      isEarly || !inputs.keepRecords || isSubset(own, [...kept, ...printed]),
  })
}

/** The hashes that the next attempt must not send, by what the page of this one says. */
export function findPromised(run: Run): ReadonlySet<string> {
  const kind = run.end?.records.kind
  const isFound = kind === 'release' || kind === 'workflow-artifact'
  return recordedHashes(isFound ? findRecords(run) : [])
}

/** Judges the file of a run that sent what was left, and its number of charges. */
function judgeEnd({ disk, before, calls }: Run, { charges }: RunEnd): string[] {
  const lines = linesOf(disk.text)
  const records = calls.filter(hasRecord).length
  return findBroken({
    'the file gets every line': isSubset(before, disk.lines),
    'no line is written twice': new Set(lines).size === lines.length,
    'records are charges for certain, and doubts may be':
      charges.least === records && charges.most === records + calls.filter(isDoubtful).length,
  })
}

function judgeArtifact(name: string, hash: string, run: Run): readonly string[] {
  const isOfHash = (line: Line): boolean => line.hash === hash
  const isOwn = (line: Line): boolean => isOfHash(line) && run.hasWritten(line)
  const { records, doubts } = readLines(run.lines, isOwn)
  const before = readLines(run.before, isOfHash)
  const calls = run.calls.filter(call => call.hash === hash)
  const completions = calls.filter(({ kind }) => kind === 'completion')
  const doubtful = completions.filter(isDoubtful)
  if (run.end === null) {
    return findBroken({
      'a doubt is only of a try that may have acted': doubts.length <= doubtful.length,
    })
  }
  const isAnswered = completions.some(hasRecord)
  const isConfirmed = run.inputs.confirmedHashes.has(hash) && before.records.length === 0
  const isRegistered = isAnswered || isConfirmed || before.records.length > 0
  const exists = completions.some(({ answer }) => answer === 'exists')
  const outcome = run.results.find(artifact => artifact.name === name)?.outcome
  const failure = outcome?.state === 'failed' ? outcome.failure : null
  const isServed = run.calls.every(call => call.hash !== '' || call.answer === 'agreed')
  const isRefused = calls.at(-1)?.kind === 'request' && calls.at(-1)?.answer === 'refused'
  const isUntried = failure?.code === 'not-tried' && failure.reason !== 'not-saved'
  const confirmed = records.filter(record => record.confirmed === true)
  const isAgain = isMaybeChargedAgain(readLines(run.lines, isOfHash))
  return findBroken({
    'what has a record is registered, and nothing else':
      isRegistered === (outcome?.state === 'registered'),
    'each record is saved or printed': !isAnswered || records.length > 0,
    'each try that may have acted leaves a doubt': doubts.length === doubtful.length,
    'a contradicting response is kept':
      doubts.filter(({ response }) => response !== null).length ===
      completions.filter(({ answer }) => answer === 'bad').length,
    'a result says whether it may have been charged more than once':
      outcome?.state !== 'registered' || (outcome.otherCharge !== null) === isAgain,
    'a confirmed hash gets one line, which says so':
      !isConfirmed ||
      (confirmed.length === 1 && outcome?.state === 'registered' && outcome.isConfirmed),
    'a failure says "no" only if that is certain':
      outcome?.state !== 'failed' ||
      mayBeRegistered(outcome) === (doubtful.length > 0 || exists || isOpen(before, hash)),
    'the completion of a refused request is tried':
      !isRefused || !isServed || run.canceledMs !== null || failure?.code !== 'request-refused',
    'a hash is untried only after the service was judged':
      !isUntried || !isServed || judgeService(run).mayBeLost,
  })
}
