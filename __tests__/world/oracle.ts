/** Judges calls, runs and records by what the product promises in every case. Uses no code of `src` but what it judges. */
import { mayBeRegistered } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import type { DoubtLine, RecordLine, RecordsFile } from '../support/record-lines.ts'
import { linesOf } from './disk.ts'
import type { Run } from './run.ts'
import { serviceUrl, type Charge, type SentCall } from './service.ts'

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

const all = (): boolean => true

function readLines(
  texts: readonly string[],
  isSelected: (line: Line) => boolean = all,
): RecordsFile {
  const lines = texts.map(readLine)
  const records = lines.flatMap(line => line?.records ?? []).filter(isSelected)
  const doubts = lines.flatMap(line => line?.doubts ?? []).filter(isSelected)
  return { records, doubts, rest: '' }
}

/** Returns the lines that are selected. */
function select(texts: readonly string[], isSelected: (line: Line) => boolean): readonly string[] {
  return texts.filter(text => {
    const { records, doubts } = readLines([text], isSelected)
    return records.length + doubts.length > 0
  })
}

/** The hashes with a record in these lines. */
export function recordedHashes(texts: readonly string[]): ReadonlySet<string> {
  return new Set(readLines(texts).records.map(({ hash }) => hash))
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
  const last = calls.at(-1)
  const ofKind = calls.filter(({ kind, answer }) => kind === last?.kind && answer !== 'denied')
  switch (last?.answer) {
    case 'record':
      return 'record'
    case 'unpaid':
      return 'against'
    case 'nonsense':
    case 'bad':
    case 'busy':
    case 'lost':
      if (isDoubtful(last)) return 'doubt'
      return ofKind.length === maxAttempts || last.answer === 'nonsense' ? 'against' : 'open'
    case 'wait':
      return ofKind.length === maxAttempts ? 'against' : 'open'
    case 'refused':
      return last.kind === 'request' ? 'maybe' : 'other'
    case 'exists':
      return 'other'
    case 'agreed':
    case 'denied':
    case 'none':
    case undefined:
      return 'open'
  }
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
  const before = readLines(run.before)
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
    'a completion that may have acted is not sent again': !earlier.some(isDoubtful),
    'nothing is sent after the service was judged': !judgeService(run).isLost,
    'until there is a record, one hash goes at a time': answered.some(hasRecord) || !hasOther,
    'hashes in doubt go last': !isOpen(before, hash) || left.every(isBegun),
    'a doubt is saved before the next call, and nothing else':
      hashesOf(saved.doubts) === hashesOf(answered.filter(isDoubtful)),
    'a record is saved before the next call': isSubset(
      answered.filter(hasRecord).map(call => call.hash),
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
  const { kept, disk, github, scheduler, scenario } = run.world
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
    'a re-run without an artifact service warns':
      calls.length === 0 ||
      run.warnings.join().includes('no artifact service') ===
        (run.source.runAttempt !== '1' && !scenario.hasArtifacts),
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
    !released.includes(text) && !text.includes('"confirmed":true')
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

const proofs = ['checksums.txt', 'predicate.json', 'evidence.md']

/** Judges the files of a run that sent what was left, and its number of charges. */
function judgeEnd({ disk, results, before, calls }: Run, { charges }: RunEnd): string[] {
  const lines = linesOf(disk.text)
  const registered = results.filter(({ outcome }) => outcome.state === 'registered')
  const hashes = registered.flatMap(({ hash }) => hash ?? [])
  const records = calls.filter(hasRecord).length
  const listedIn = (name: string): readonly string[] =>
    disk.files.get(name)?.match(/(?<=^|["`])[0-9a-f]{64}(?=["`] *[,\]\n]| {2})/gm) ?? []
  return findBroken({
    'the file gets every line': isSubset(before, disk.lines),
    'no line is written twice': new Set(lines).size === lines.length,
    'the files for later steps are of what is registered': proofs.every(proof =>
      areEqual(listedIn(`notarization-${proof}`), hashes),
    ),
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
  const broken = findBroken({
    'a hash with a record is not sent again': calls.length === 0 || before.records.length === 0,
    'a doubt is only of a try that may have acted': doubts.length <= doubtful.length,
  })
  if (run.end === null) return broken

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
  const brokenAtEnd = findBroken({
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
      !isRefused || !isServed || failure?.code !== 'request-refused',
    'a hash is untried only after the service was judged':
      !isUntried || !isServed || judgeService(run).mayBeLost,
  })
  return [...broken, ...brokenAtEnd]
}

/** Compares what all runs say with what the service charged. Returns why runs did not know of charges that they do not tell, too. */
export function judgeMoney(runs: readonly Run[], charges: readonly Charge[]) {
  const broken: string[] = []
  const unknown: string[] = []
  for (const [index, run] of runs.entries()) {
    const { end, lines, source } = run
    if (end === null) continue
    const made = charges.filter(charge => runs.indexOf(charge.run) <= index)
    const own = made.filter(charge => charge.run === run)
    const isKnown = (charge: Charge): boolean =>
      own.includes(charge) || findLines(charge).some(text => lines.includes(text))
    const known = made.filter(isKnown)
    const ofRun = known.filter(charge => charge.run.source.runId === source.runId)
    const isInside = (count: number, { least, most }: RunEnd['charges']): boolean =>
      least <= count && count <= most
    const promises = {
      'a step is charged what it says': isInside(own.length, end.charges),
      'a run is charged what it says, as far as it is known':
        run.stop !== null || isInside(ofRun.length, end.runCharges),
      'what failed for certain is not charged': true,
      'a second charge whose line is found is told': true,
    }
    for (const [hash, outcome] of new Map(
      run.results.map(({ hash, outcome }) => [hash, outcome]),
    )) {
      const ofHash = made.filter(charge => charge.hash === hash)
      const count = ofHash.filter(isKnown).length
      const isNo = outcome.state === 'failed' && !mayBeRegistered(outcome)
      const isOnce = outcome.state === 'registered' && outcome.otherCharge === null
      promises['what failed for certain is not charged'] &&= !isNo || count === 0
      promises['a second charge whose line is found is told'] &&= !isOnce || count < 2
      const others = ofHash.filter(charge => !isKnown(charge))
      if (isOnce && ofHash.length > 1) unknown.push(...others.map(explainUnknown))
    }
    broken.push(...findBroken(promises))
  }
  if (unknown.includes('')) broken.push('a run that is not killed writes a line for each charge')
  return { broken, unknown }
}

/** The lines of a charge that its run has written. */
function findLines({ run, hash }: Charge): readonly string[] {
  const isOfCharge = (line: Line): boolean =>
    line.hash === hash && run.hasWritten(line) && !('confirmed' in line)
  return select(run.lines, isOfCharge)
}

/** Says why a later run did not find the line of a charge; nothing if there is no good cause. */
function explainUnknown(charge: Charge): string {
  const { run } = charge
  const [line] = findLines(charge)
  if (line === undefined) return run.end === null ? 'killed before its line was written' : ''
  if (run.kept.includes(line)) return 'in a workflow artifact out of reach'
  return run.printed.includes(line) ? 'only in a log' : 'on another machine'
}
