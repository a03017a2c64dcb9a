/** Judges calls, runs and records by what the product promises in every case. Uses no code of `src`. */
import type { RunEnd } from '../../src/report/report.ts'
import { findUnsettled, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import type { RecordLine, RecordsFile, StateLine } from '../support/record-lines.ts'
import { linesOf } from './disk.ts'
import type { Run } from './run.ts'
import { lastWords, serviceUrl, type SentCall } from './service.ts'

type Line = RecordLine | StateLine

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
  const states = lines.flatMap(line => line?.states ?? []).filter(isSelected)
  return { records, states, rest: '' }
}

function isGood({ problems }: RecordLine): boolean {
  return problems.length === 0
}

function isRecordLine(text: string): boolean {
  return (readLine(text)?.records.length ?? 0) > 0
}

/** The hashes with a good record in these lines. */
export function recordedHashes(texts: readonly string[]): ReadonlySet<string> {
  const { records } = readLines(texts, () => true)
  return new Set(records.filter(isGood).map(({ hash }) => hash))
}

/** The hashes with an entry on an evidence page. */
function hashesOnPage(page: string): ReadonlySet<string> {
  return new Set(page.matchAll(/`([0-9a-f]{64})`/g).map(([, hash = '']) => hash))
}

/** Whether nobody can know if the service acted. */
function isDoubtful({ answer }: SentCall): boolean {
  return ['busy', 'lost', 'none', 'nonsense', 'bad'].includes(answer)
}

function isRecord({ answer }: SentCall): boolean {
  return answer === 'record' || answer === 'bad'
}

/** Whether enough hashes failed since the last record to start no other hash. */
function isOutage(calls: readonly SentCall[], maxOutages = 5): boolean {
  const since = calls.slice(calls.findLastIndex(({ answer }) => answer === 'record') + 1)
  const out = since.filter(({ answer }) => answer === 'busy' || answer === 'unpaid')
  return new Set(out.map(({ hash }) => hash)).size >= maxOutages
}

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  return new Set(some).isSubsetOf(new Set(all))
}

function findBroken(promises: Readonly<Record<string, boolean>>): string[] {
  const broken = Object.entries(promises).filter(([, isKept]) => !isKept)
  return broken.map(([promise]) => promise)
}

/** Judges a call that a run is about to make for a hash. */
export function judgeCall({ kind, hash }: SentCall, run: Run): readonly string[] {
  const { calls, printed, inputs } = run
  const { disk } = run.world
  const { records, states } = readLines([...disk.syncedLines, ...printed], run.hasWritten)
  const saved = records.map(record => record.hash)
  const intents = states.flatMap(line => (line.state === 'sent' ? line.hash : []))
  const answered = calls.filter(isRecord)
  const earlier = calls.filter(call => call.hash === hash)
  const isFirst = earlier.length === 0
  const hasIntent = intents.includes(hash)
  const isParallel = inputs.concurrency > 1
  // In parallel, a call that was answered may not have ended yet.
  const isUnclear = isParallel && answered.length > 0
  const sinceLogin = calls.slice(calls.findLastIndex(call => call.kind === 'login') + 1)
  const isDenied = sinceLogin.length > 0 && sinceLogin.every(({ answer }) => answer === 'denied')
  const inFlight = calls.filter(call => call.hash !== '' && call.answer === 'none')
  return findBroken({
    '"sent" is saved before a completion, and not before a request':
      hasIntent === (kind === 'completion'),
    'what a page said would not be charged again is not sent': !run.world.promised.has(hash),
    'a confirmed hash is not sent': !inputs.confirmedHashes.has(hash),
    'nothing is sent after a cancel or a failed write': !run.isCanceled && !disk.hasFailed,
    'no more calls than "concurrency" are in flight': inFlight.length < inputs.concurrency,
    'a refused token is not used again': isParallel || !isDenied,
    'an answered call is not repeated': !earlier.some(
      call => call.kind === kind && lastWords.some(answer => answer === call.answer),
    ),
    'an unpaid hash is not sent again': earlier.every(({ answer }) => answer !== 'unpaid'),
    'a record is saved before its worker continues':
      !isFirst || isParallel || answered.every(call => saved.includes(call.hash)),
    'after 5 failures, no other hash is started':
      !isFirst || isUnclear || !isOutage(calls, 4 + inputs.concurrency),
  })
}

/** Judges the records and the evidence page that a run keeps. */
export function judgeKept(
  text: string,
  evidencePath: string,
  { world: { disk }, calls, outputs }: Run,
): readonly string[] {
  return findBroken({
    'outputs are set before the records are kept': calls.length === 0 || outputs.has('failures'),
    'what is kept has every line of the file':
      disk.hasFailed || isSubset(disk.syncedLines, linesOf(text)),
    'what is kept has only whole lines': linesOf(text).every(line => readLine(line) !== null),
    'what is kept has the page, if there is one': (evidencePath !== '') === (disk.page !== null),
  })
}

/** Judges a run after its end. */
export function judgeRun(run: Run): readonly string[] {
  const { stop, calls, before, artifacts, isCanceled } = run
  const { kept, disk, github } = run.world
  const { bug } = run.host.halt
  const warnings = run.warnings.join()
  const earlier = readLines(before, run.comesAfter)
  const isMissing = run.source.runAttempt !== '1' && countLines(earlier) === 0
  const open = artifacts.filter(({ hash }) => {
    const known = readLines(before, line => line.hash === hash)
    return !run.inputs.confirmedHashes.has(hash) && isOpen(known, hash) && !hasAnswer(known)
  })
  const changed = artifacts.filter(artifact => hasOtherContent(artifact, run))
  const [openCount = '0'] = /\d+(?= files? (was|were) sent earlier)/.exec(warnings) ?? []
  const broken = findBroken({
    [`there is no bug (${bug?.observed})`]: bug === null,
    'only a full disk, GitHub, the artifact service or a signal stops a run':
      stop === null ||
      stop.includes('no space left') ||
      github.hasFailed ||
      kept.hasFailed ||
      isCanceled,
    'a stopped run has sent nothing': stop === null || calls.length === 0,
    'a run stops if it cannot read what was kept': !kept.hasFailed || stop !== null || run.isKilled,
    'a run stops if it cannot read the release':
      !run.isOfRelease || !github.hasFailed || calls.length === 0,
    'every line is written whole': disk.syncedLines.every(line => readLine(line) !== null),
    'a re-run that misses earlier lines warns':
      calls.length === 0 || warnings.includes('This is attempt') === isMissing,
    'open hashes are counted':
      calls.length === 0 || Number(openCount) === new Set(open.map(({ hash }) => hash)).size,
    'changed content is told before it is sent':
      calls.length === 0 || warnings.includes('other content') === changed.length > 0,
  })
  if (stop !== null) return [...broken, ...judgePlace(run)]
  if (!run.isKilled) broken.push(...judgeEnd(run), ...judgePlace(run))
  for (const { name, hash } of artifacts) {
    broken.push(...judgeArtifact(name, hash, run).map(promise => `${promise} (${name})`))
  }
  return broken
}

/** Whether an artifact that has no record was notarized with other content for the same commit. */
function hasOtherContent(
  { name, hash }: { readonly name: string; readonly hash: string },
  { before, commit, inputs, isOfRelease }: Run,
): boolean {
  const { records } = readLines(before, () => true)
  if (records.some(record => record.hash === hash) || inputs.confirmedHashes.has(hash)) return false
  return records.filter(isGood).some(({ artifact, source }) => {
    const isNamed = (isOfRelease ? artifact.split('/').at(-1) : artifact) === name
    return isNamed && source.sha === commit
  })
}

function countLines({ records, states }: RecordsFile): number {
  return records.length + states.length
}

/** Whether one of the records outweighs all state lines. */
function hasAnswer({ records, states }: RecordsFile): boolean {
  const refuted = states.filter(({ state }) => state === 'not-registered')
  return records.some(record => isGood(record) || !refuted.some(({ at }) => at === record.at))
}

/** The record lines of a run and its earlier attempts that it knows, and all lines of its earlier attempts. */
function linesOfRun(run: Run) {
  const { before, printed, world, source } = run
  const isOfRun = (line: Line): boolean => line.source.runId === source.runId
  // What a run that stops has written, it has confirmed, and the next one confirms again.
  const own = run.stop === null ? [...world.disk.syncedLines, ...printed] : []
  const texts = new Set([...before, ...own])
  const records = [...texts].filter(text => (readLine(text)?.records ?? []).some(isOfRun))
  return { records, earlier: readLines([...before], run.comesAfter) }
}

/** Judges where a run says that its records are. */
function judgePlace(run: Run): string[] {
  const { end, world, printed } = run
  if (end === null) return []
  const { kind } = end.place
  const { kept } = world
  const { released } = run
  const { records } = linesOfRun(run)
  // What could not be saved is told apart.
  const unsaved = run.hasUnsaved ? printed : []
  const isReleased = isSubset(records, released)
  // A run that stops early has not read what a person gave it, and can give the next one.
  const given = end.kind === 'stopped' ? world.given : []
  const isKept = isSubset(records, [...released, ...kept.lines, ...given, ...unsaved])
  const isPrinted = isSubset(records, [...released, ...kept.lines, ...printed])
  const hasNoLine = countLines(readLines(world.disk.syncedLines, run.hasWritten)) === 0
  // A run that stops before it has read all lines promises less.
  const isEarly = end.kind === 'stopped'
  const truths: Readonly<Record<typeof kind, boolean>> = {
    none: isSubset(records, [...given, ...unsaved]) || kept.hasFailed,
    release: isSubset(records, [...released, ...unsaved]) && records.length > 0,
    'workflow-artifact': isKept && (isEarly || !isReleased),
    file: !isReleased && (!run.inputs.keepRecords || isEarly || hasNoLine),
    log: isPrinted && printed.length > 0,
  }
  const isPromise = promises(end.place)
  return findBroken({
    [`the records are where the page says (${kind})`]: truths[kind] || (isEarly && !isPromise),
  })
}

/** The hashes that the next attempt must not send, by what the page of this one says. */
export function findPromised(run: Run): ReadonlySet<string> {
  if (run.end === null || run.hasUnsaved || !promises(run.end.place)) return new Set()
  return recordedHashes(linesOfRun(run).records)
}

/** Whether a page with this place says that nothing is charged again. */
function promises({ kind }: RunEnd['place']): boolean {
  return kind === 'none' || kind === 'release' || kind === 'workflow-artifact'
}

function isOpen(lines: RecordsFile, hash: string): boolean {
  return findUnsettled(lines, { service: serviceUrl, hash }).length > 0
}

/** Judges the files of a run that was not killed. */
function judgeEnd({ world, results, before, released, end }: Run): string[] {
  const { disk } = world
  const lines = linesOf(disk.text)
  const registered = results.filter(({ outcome }) => outcome.state === 'registered')
  const isRegistered = registered.length > 0
  const listed = disk.page?.match(/^[0-9a-f]{64}(?= {2})/gm) ?? []
  const saved = recordedHashes(disk.syncedLines)
  const hasPage = end?.kind === 'completed' && end.evidencePath !== ''
  return findBroken({
    'the file gets every line': isSubset(before, disk.syncedLines),
    'no line is written twice': new Set(lines).size === lines.length,
    'the page has every saved registration':
      !hasPage || disk.hasFailed || saved.isSubsetOf(hashesOnPage(disk.page ?? '')),
    'the page lists only files that are registered':
      !hasPage || listed.every(hash => registered.some(artifact => artifact.hash === hash)),
    'a page says whether the release lacks records':
      end?.kind !== 'completed' ||
      end.release === null ||
      end.release.lacksRecords === !isSubset(lines.filter(isRecordLine), released),
    'there is a page if something is registered': disk.hasFailed || hasPage === isRegistered,
  })
}

function judgeArtifact(name: string, hash: string, run: Run): string[] {
  const isOfHash = (line: Line): boolean => line.hash === hash
  const isOwn = (line: Line): boolean => isOfHash(line) && run.hasWritten(line)
  const { syncedLines, hasFailed } = run.world.disk
  const { records, states } = readLines([...new Set([...syncedLines, ...run.printed])], isOwn)
  const saved = readLines(syncedLines, isOwn)
  const intents = saved.states.filter(({ state }) => state === 'sent').length
  const isSettled = states.some(({ state }) => state === 'not-registered')
  const before = readLines(run.before, isOfHash)
  const calls = run.calls.filter(call => call.hash === hash)
  const isLoggedIn = run.calls.some(({ kind, answer }) => kind === 'login' && answer === 'agreed')
  const broken = findBroken({
    'a hash with a record is not sent again': calls.length === 0 || before.records.length === 0,
    '"not-registered" is true': !isSettled || !calls.some(({ acted }) => acted),
    '"sent" is written once per hash and run': intents <= 1,
    'without a login, there is no "sent"': intents === 0 || isLoggedIn,
    'each line repeats the time of "sent"':
      new Set([...records, ...states].map(({ at }) => at)).size <= 1,
  })
  if (run.isKilled) return broken

  const completions = calls.filter(({ kind }) => kind === 'completion')
  const requests = calls.filter(({ kind }) => kind === 'request')
  const isRequested = requests.some(({ answer }) => answer === 'agreed' || answer === 'refused')
  const mayHaveActed = completions.some(isDoubtful)
  const isAnswered = completions.some(({ answer }) => answer === 'record')
  const isConfirmed = run.inputs.confirmedHashes.has(hash) && !before.records.some(isGood)
  const isRegistered = isAnswered || isConfirmed || before.records.some(isGood)
  const isKnown = mayHaveActed || isOpen(before, hash) || before.records.length > 0
  const isAgain = completions.slice(0, completions.findIndex(isRecord)).some(isDoubtful)
  const all = readLines([...run.before, ...syncedLines, ...run.printed], isOfHash)
  const isAgainInAll = isMaybeChargedAgain(all, { service: serviceUrl, hash })

  const outcome = run.results.find(artifact => artifact.name === name)?.outcome
  const failure = outcome?.state === 'failed' ? outcome.failure : null
  const isServed = run.calls.every(call => call.hash !== '' || call.answer === 'agreed')
  const isRefused = calls.at(-1)?.kind === 'request' && calls.at(-1)?.answer === 'refused'
  const isUntried = calls.length === 0 && /^(unavailable|refused)$/.test(failure?.code ?? '')
  // In parallel, a record may be saved after calls that were answered later.
  const isParallel = run.inputs.concurrency > 1
  const ended = run.calls.filter(({ answer }) => !isParallel || answer !== 'record')
  const confirmed = records.filter(record => record.confirmed === true)
  const mayBeCharged = confirmed.map(({ maybeChargedAgain = false }) => maybeChargedAgain)
  const isToldConfirmed =
    confirmed.length === 1 &&
    mayBeCharged[0] === (isOpen(before, hash) && !hasAnswer(before)) &&
    outcome?.state === 'registered' &&
    outcome.isConfirmed
  const brokenAtEnd = findBroken({
    'what has a record is registered, and nothing else':
      isRegistered === (outcome?.state === 'registered'),
    'each record is saved or printed': !isAnswered || records.some(isGood),
    'a contradicting record is kept':
      !completions.some(({ answer }) => answer === 'bad') || !records.every(isGood),
    'a result says whether it may have been charged more than once':
      outcome?.state !== 'registered' || outcome.maybeChargedAgain === isAgainInAll,
    'a record says whether a completion before it may have acted': records
      .filter(record => isGood(record) && record.confirmed !== true)
      .every(({ maybeChargedAgain = false }) => maybeChargedAgain === isAgain),
    'a confirmed hash gets one line, which says so': !isConfirmed || isToldConfirmed,
    'a request that fails leaves no line': requests.length === 0 || isRequested || intents === 0,
    'a failure says "no" only if that is certain':
      isRegistered || failure?.registered === (isKnown ? 'unknown' : 'no'),
    // A line that was saved although its write failed stays open.
    '"not-registered" is written exactly when it is certain':
      intents === 0 ||
      (hasFailed && calls.length === 0) ||
      isSettled === (!isAnswered && !mayHaveActed),
    'the completion of a refused request is tried':
      !isRefused || !isServed || failure?.code !== 'request-refused',
    'a hash is untried only after 5 failures': !isUntried || !isServed || isOutage(ended),
  })
  return [...broken, ...brokenAtEnd]
}
