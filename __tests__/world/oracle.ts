/** Judges calls, runs and records by what the product promises in every case. Uses no code of `src`. */
import type { RunEnd } from '../../src/report/run-end.ts'
import { isInDoubt, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import type { DoubtLine, RecordLine, RecordsFile } from '../support/record-lines.ts'
import { linesOf } from './disk.ts'
import type { Run } from './run.ts'
import { serviceUrl, type SentCall } from './service.ts'

type Line = RecordLine | DoubtLine

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

/** Reads the lines that are selected. */
function readLines(texts: readonly string[], isSelected: (line: Line) => boolean): RecordsFile {
  const lines = texts.map(readLine)
  const records = lines.flatMap(line => line?.records ?? []).filter(isSelected)
  const doubts = lines.flatMap(line => line?.doubts ?? []).filter(isSelected)
  return { records, doubts, rest: '' }
}

function countLines({ records, doubts }: RecordsFile): number {
  return records.length + doubts.length
}

/** The hashes with a record in these lines. */
export function recordedHashes(texts: readonly string[]): ReadonlySet<string> {
  return new Set(readLines(texts, () => true).records.map(({ hash }) => hash))
}

/** Whether nobody can know if the service registered the hash. */
function isDoubtful({ kind, answer }: SentCall): boolean {
  return kind === 'completion' && ['busy', 'lost', 'nonsense', 'bad', 'none'].includes(answer)
}

function isRecord({ answer }: SentCall): boolean {
  return answer === 'record'
}

/**
 * Says what became of a hash by the answers to its calls: it ended with a record, it speaks `against` the service or does
 * not (`other`), or another call may follow (`open`). After a refused request, the subscription decides: `maybe`.
 */
function findEnding(calls: readonly SentCall[], maxAttempts: number) {
  const last = calls.at(-1)
  const ofKind = calls.filter(({ kind, answer }) => kind === last?.kind && answer !== 'denied')
  const isLast = ofKind.length === maxAttempts || calls.filter(isDoubtful).length === 2
  switch (last?.answer) {
    case 'record':
      return 'record'
    case 'unpaid':
    case 'nonsense':
    case 'bad':
      return 'against'
    case 'busy':
    case 'lost':
    case 'wait':
      return isLast ? 'against' : 'open'
    case 'refused':
      return last.kind === 'request' ? 'maybe' : 'other'
    case 'agreed':
    case 'denied':
    case 'none':
    case undefined:
      return 'open'
  }
}

/** Judges the service by the hashes that ended: nothing may be sent if it is certainly lost, but all has to be unless it may be. */
function judgeService({ answered, before, inputs }: Run) {
  const known = readLines(before, () => true)
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
    if (ending === 'against') counts.certain += 1
    if (ending === 'against' || ending === 'maybe') counts.possible += 1
    const limit = isEarned ? 5 : 3
    const isInDoubt = calls.some(isDoubtful) || isOpen(known, call.hash)
    const isUnknown = !isEarned && ending === 'against' && isInDoubt
    isLost ||= isUnknown || counts.certain >= limit
    mayBeLost ||= isUnknown || counts.possible >= limit
  }
  return { isLost, mayBeLost }
}

function isSubset(some: Iterable<string>, all: Iterable<string>): boolean {
  return new Set(some).isSubsetOf(new Set(all))
}

function areEqual(some: Iterable<string>, others: Iterable<string>): boolean {
  return new Set(some).symmetricDifference(new Set(others)).size === 0
}

function findBroken(promises: Readonly<Record<string, boolean>>): string[] {
  const broken = Object.entries(promises).filter(([, isKept]) => !isKept)
  return broken.map(([promise]) => promise)
}

/** Judges a call that a run is about to make for a hash. */
export function judgeCall({ kind, hash }: SentCall, run: Run): readonly string[] {
  const { answered, inputs, world, canceledMs } = run
  const calls = Map.groupBy(run.calls, call => call.hash)
  const sinceLogin = (calls.get('') ?? []).findLast(call => call.kind === 'login')
  const withToken = run.calls.slice(
    sinceLogin === undefined ? 0 : run.calls.indexOf(sinceLogin) + 1,
  )
  const isDenied = withToken.length > 0 && withToken.every(({ answer }) => answer === 'denied')
  calls.delete('')
  const earlier = calls.get(hash) ?? []
  calls.delete(hash)
  const ending = findEnding(earlier, inputs.maxAttempts)
  const hasOther = calls.values().some(of => findEnding(of, inputs.maxAttempts) === 'open')
  const inFlight = run.calls.filter(call => call.hash !== '' && call.answer === 'none')
  const saved = readLines(world.disk.lines, run.hasWritten)
  const before = readLines(run.before, () => true)
  const isBegun = (other: string): boolean =>
    isOpen(before, other) || run.calls.some(call => call.hash === other)
  const isLeft = (other: string): boolean =>
    !inputs.confirmedHashes.has(other) && before.records.every(record => record.hash !== other)
  const left = run.artifacts.map(artifact => artifact.hash).filter(isLeft)
  const hashesOf = (lines: readonly (Line | SentCall)[]): string =>
    lines
      .map(line => line.hash)
      .sort()
      .join()
  return findBroken({
    'a completion that may have acted is sent once more at most':
      earlier.filter(isDoubtful).length < 2,
    'nothing is sent after the service was judged': !judgeService(run).isLost,
    'until there is a record, one hash goes at a time': answered.some(isRecord) || !hasOther,
    'hashes in doubt go last': !isOpen(before, hash) || left.every(isBegun),
    'a doubt is saved before the next call, and nothing else':
      hashesOf(saved.doubts) === hashesOf(answered.filter(isDoubtful)),
    'a record is saved before the next call': isSubset(
      answered.filter(isRecord).map(call => call.hash),
      saved.records.map(record => record.hash),
    ),
    'a hash that has ended is not sent again':
      ending === 'open' || (ending === 'maybe' && kind === 'completion'),
    'what a page said would not be charged again is not sent': !world.promised.has(hash),
    'a confirmed hash is not sent': !inputs.confirmedHashes.has(hash),
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
  { world: { disk }, outputs }: Run,
): readonly string[] {
  return findBroken({
    'outputs are set before the records are kept': outputs.has('failures'),
    'what is kept has every line of the file': isSubset(disk.lines, linesOf(text)),
    'what is kept has only whole lines': linesOf(text).every(line => readLine(line) !== null),
    'what is kept has the page, if there is one':
      (evidencePath !== '') === disk.files.has('notarization-evidence.md'),
  })
}

/** Judges a run after its end. */
export function judgeRun(run: Run): readonly string[] {
  const { stop, calls, before, artifacts, canceledMs, end } = run
  const { kept, disk, github, scheduler } = run.world
  const { bug } = run.host.halt
  const isMissing =
    run.source.runAttempt !== '1' && countLines(readLines(before, run.comesAfter)) === 0
  const inDoubt = artifacts.filter(({ hash }) => {
    return (
      !run.inputs.confirmedHashes.has(hash) &&
      isOpen(
        readLines(before, () => true),
        hash,
      )
    )
  })
  const [, doubts = '0'] = /(\d+) of them sent earlier/.exec(run.plan) ?? []
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
    'a re-run that misses earlier lines warns':
      calls.length === 0 || run.warnings.join().includes('This is attempt') === isMissing,
    'hashes in doubt are counted':
      run.plan === '' || Number(doubts) === new Set(inDoubt.map(({ hash }) => hash)).size,
    'a canceled run ends within 7 s':
      canceledMs === null || end === null || scheduler.nowMs - canceledMs <= 7000,
  })
  if (end !== null) broken.push(...judgePlace(run, end))
  if (stop !== null) return broken
  if (end?.kind === 'completed') broken.push(...judgeEnd(run, end.doubtCount))
  for (const { name, hash } of artifacts) {
    broken.push(...judgeArtifact(name, hash, run).map(promise => `${promise} (${name})`))
  }
  return broken
}

function isOpen(lines: RecordsFile, hash: string): boolean {
  return isInDoubt(lines, { service: serviceUrl, hash })
}

/** The record lines of a run and its earlier attempts that it knows. */
function findRecords(run: Run): readonly string[] {
  const { before, printed, world, source } = run
  // What a run that stops has written, it has confirmed, and the next one confirms again.
  const own = run.stop === null ? [...world.disk.lines, ...printed] : []
  const isOfRun = (line: Line): boolean => line.source.runId === source.runId
  const texts = [...new Set([...before, ...own])]
  return texts.filter(text => (readLine(text)?.records ?? []).some(isOfRun))
}

/** Judges where a run says that its records are. */
function judgePlace(run: Run, end: RunEnd): readonly string[] {
  const { world, printed, source, released } = run
  const { kind } = end.place
  const records = findRecords(run)
  const isMissing =
    source.runAttempt !== '1' && countLines(readLines(run.before, run.comesAfter)) === 0
  // What could not be saved is told apart.
  const unsaved = run.hasUnsaved ? printed : []
  // A run that stops early has not read all lines, and promises less. A person can give them to the next one.
  const isEarly = end.kind === 'stopped'
  const given = isEarly ? world.given : []
  const known = [...released, ...world.kept.lines]
  const isReleased = isSubset(records, released)
  const hasOwnLine = countLines(readLines(world.disk.lines, run.hasWritten)) > 0
  const truths: Readonly<Record<typeof kind, boolean>> = {
    none: isSubset(records, [...given, ...unsaved]),
    release: isSubset(records, [...released, ...unsaved]) && records.length > 0,
    'workflow-artifact':
      isSubset(records, [...known, ...given, ...unsaved]) && (isEarly || !isReleased),
    file: !isReleased && (!run.inputs.keepRecords || isEarly || !hasOwnLine),
    log: isSubset(records, [...known, ...printed]) && printed.length > 0,
  }
  const isLeft = end.kind === 'completed' && run.inputs.keepRecords && hasOwnLine
  const own = world.disk.lines.filter(text => {
    return (readLine(text)?.records ?? []).some(run.hasWritten)
  })
  return findBroken({
    [`the records are where the page says (${kind})`]: truths[kind] || (isEarly && !promises(end)),
    'a page says whether earlier lines are missing': isEarly || end.isEarlierMissing === isMissing,
    'the records of a run are kept or printed': !isLeft || isSubset(own, [...known, ...printed]),
  })
}

/** The hashes that the next attempt must not send, by what the page of this one says. */
export function findPromised(run: Run): ReadonlySet<string> {
  if (run.end === null || run.hasUnsaved || !promises(run.end)) return new Set()
  return recordedHashes(findRecords(run))
}

/** Whether a page with this end says that nothing is charged again: not without a plan if it knows of no records. */
function promises({ kind: how, artifacts, place: { kind }, isEarlierMissing }: RunEnd): boolean {
  const hasPlan = how === 'completed' || artifacts.length > 0
  if (kind === 'none') return hasPlan && !isEarlierMissing
  return kind === 'release' || kind === 'workflow-artifact'
}

const proofs = ['checksums.txt', 'predicate.json', 'evidence.md']

/** Judges the files of a run that sent what was left, and its number of doubts. */
function judgeEnd({ world: { disk }, results, before, calls }: Run, doubtCount: number): string[] {
  const lines = linesOf(disk.text)
  const registered = results.filter(({ outcome }) => outcome.state === 'registered')
  const hashes = registered.flatMap(({ hash }) => hash ?? [])
  const listedIn = (name: string): readonly string[] =>
    disk.files.get(name)?.match(/(?<=^|["`])[0-9a-f]{64}(?=["`] *[,\]\n]| {2})/gm) ?? []
  return findBroken({
    'the file gets every line': isSubset(before, disk.lines),
    'no line is written twice': new Set(lines).size === lines.length,
    'the files for later steps are of what is registered': proofs.every(proof =>
      areEqual(listedIn(`notarization-${proof}`), hashes),
    ),
    'doubts are counted': doubtCount === calls.filter(isDoubtful).length,
  })
}

function judgeArtifact(name: string, hash: string, run: Run): readonly string[] {
  const isOfHash = (line: Line): boolean => line.hash === hash
  const isOwn = (line: Line): boolean => isOfHash(line) && run.hasWritten(line)
  const { disk } = run.world
  const lines = [...new Set([...disk.lines, ...run.printed])]
  const { records, doubts } = readLines(lines, isOwn)
  const before = readLines(run.before, isOfHash)
  const calls = run.calls.filter(call => call.hash === hash)
  const completions = calls.filter(({ kind }) => kind === 'completion')
  const doubtful = completions.filter(isDoubtful)
  const broken = findBroken({
    'a hash with a record is not sent again': calls.length === 0 || before.records.length === 0,
    'a doubt is only of a try that may have acted': doubts.length <= doubtful.length,
  })
  if (run.end === null) return broken

  const isAnswered = completions.some(isRecord)
  const isConfirmed = run.inputs.confirmedHashes.has(hash) && before.records.length === 0
  const isRegistered = isAnswered || isConfirmed || before.records.length > 0
  const isKnown = doubtful.length > 0 || isOpen(before, hash)
  const isAgain = completions.slice(0, completions.findIndex(isRecord)).some(isDoubtful)
  const outcome = run.results.find(artifact => artifact.name === name)?.outcome
  const failure = outcome?.state === 'failed' ? outcome.failure : null
  const isServed = run.calls.every(call => call.hash !== '' || call.answer === 'agreed')
  const isRefused = calls.at(-1)?.kind === 'request' && calls.at(-1)?.answer === 'refused'
  const isUntried = calls.length === 0 && failure?.observed.includes('not tried') === true
  const confirmed = records.filter(record => record.confirmed === true)
  const all = readLines([...run.before, ...lines], isOfHash)
  const brokenAtEnd = findBroken({
    'what has a record is registered, and nothing else':
      isRegistered === (outcome?.state === 'registered'),
    'each record is saved or printed': !isAnswered || records.length > 0,
    'each try that may have acted leaves a doubt': doubts.length === doubtful.length,
    'a contradicting response is kept':
      doubts.filter(({ response }) => response !== null).length ===
      completions.filter(({ answer }) => answer === 'bad').length,
    'a result says whether it may have been charged more than once':
      outcome?.state !== 'registered' || outcome.maybeChargedAgain === isMaybeChargedAgain(all),
    'a record says whether a completion before it may have acted': records
      .filter(record => record.confirmed !== true)
      .every(({ maybeChargedAgain = false }) => maybeChargedAgain === isAgain),
    'a confirmed hash gets one line, which says so':
      !isConfirmed ||
      (confirmed.length === 1 && outcome?.state === 'registered' && outcome.isConfirmed),
    'a failure says "no" only if that is certain':
      isRegistered || failure?.registered === (isKnown ? 'unknown' : 'no'),
    'the completion of a refused request is tried':
      !isRefused || !isServed || failure?.code !== 'request-refused',
    'a hash is untried only after the service was judged':
      !isUntried || !isServed || judgeService(run).mayBeLost,
  })
  return [...broken, ...brokenAtEnd]
}
