/** Judges calls, runs and records by what the product promises in every case. Uses no code of `src`. */
import type { StoredAsset } from '../support/github-memory.ts'
import { findUnsettled, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import type { RecordLine, RecordsFile, StateLine } from '../support/record-lines.ts'
import { sha256 } from '../support/samples.ts'
import { linesOf } from './disk.ts'
import type { WorldGitHub } from './github.ts'
import type { Run } from './run.ts'
import { serviceUrl, type SentCall } from './service.ts'

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

/** Reads the lines of one hash and one run, or of all. */
function readLines(
  texts: readonly string[],
  { hash, run }: { readonly hash?: string; readonly run?: Run } = {},
): RecordsFile {
  const lines = texts.map(readLine)
  const isSelected = (line: RecordLine | StateLine): boolean =>
    (hash === undefined || line.hash === hash) && (run === undefined || isOf(run.source, line))
  const records = lines.flatMap(line => line?.records ?? []).filter(isSelected)
  const states = lines.flatMap(line => line?.states ?? []).filter(isSelected)
  return { records, states, rest: '' }
}

/** Whether a run and attempt wrote a line. */
function isOf({ runId, runAttempt }: Run['source'], { source }: RecordLine | StateLine): boolean {
  return source.runId === runId && source.runAttempt === runAttempt
}

function isGood({ problems }: RecordLine): boolean {
  return problems.length === 0
}

/** The hashes with a good record in these lines. */
export function recordedHashes(texts: readonly string[]): ReadonlySet<string> {
  const good = readLines(texts).records.filter(isGood)
  return new Set(good.map(({ hash }) => hash))
}

/** The hashes with an entry on an evidence page. */
export function hashesOnPage(page: string): ReadonlySet<string> {
  return new Set(page.matchAll(/`([0-9a-f]{64})`/g).map(([, hash = '']) => hash))
}

function isDoubtful({ answer }: SentCall): boolean {
  return answer === 'busy' || answer === 'lost' || answer === 'bad'
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

function includesAll(all: readonly string[], some: readonly string[]): boolean {
  return some.every(line => all.includes(line))
}

function findBroken(promises: Readonly<Record<string, boolean>>): string[] {
  const broken = Object.entries(promises).filter(([, isKept]) => !isKept)
  return broken.map(([promise]) => promise)
}

/** Judges a call that a run is about to make for a hash. */
export function judgeCall({ kind, hash }: SentCall, run: Run): readonly string[] {
  const { calls, disk, printed, inputs } = run
  const { records, states } = readLines([...disk.syncedLines, ...printed], { run })
  const saved = records.map(record => record.hash)
  const answered = calls.filter(isRecord)
  const earlier = calls.filter(call => call.hash === hash)
  const isFirst = earlier.length === 0
  const isParallel = inputs.concurrency > 1
  // In parallel, a call that was answered may not have ended yet.
  const isUnclear = isParallel && answered.length > 0
  const isIntentSaved = states.some(line => line.state === 'sent' && line.hash === hash)
  const wasRefused = earlier.some(call => call.kind === kind && call.answer === 'refused')
  const answers = earlier.map(({ answer }) => answer)
  return findBroken({
    'a "sent" line is saved before the first call that may register a hash': isIntentSaved,
    'nothing is sent after a cancel, or after a write that failed':
      !run.isCanceled && !disk.hasFailed,
    'a refused call is not repeated': !wasRefused,
    'a hash that was not paid for is not sent again': !answers.includes('unpaid'),
    'an answered request is not repeated': kind === 'completion' || !answers.includes('agreed'),
    'a record is saved before its worker continues':
      !isFirst || isParallel || answered.every(call => saved.includes(call.hash)),
    'after 5 hashes without a good answer, no other hash is started':
      !isFirst || isUnclear || !isOutage(calls, 4 + inputs.concurrency),
  })
}

/** Judges an upload that the release is about to store. */
export function judgeUpload(name: string, text: string, release: WorldGitHub) {
  const isRecords = name.includes('records')
  const usualName = 'notarization-records.jsonl'
  const isUsualNameTaken = release.find(usualName) !== undefined
  const ownName = `notarization-records-${sha256(text).slice(0, 12)}.jsonl`
  const hashes = hashesOnPage(text)
  const isComplete = hashes.size > 0 && hashes.isSubsetOf(recordedHashes(release.lines))
  return findBroken({
    'records have the usual name, or their own name if that is taken':
      !isRecords || name === (isUsualNameTaken ? ownName : usualName),
    'records that the release has are not uploaded':
      !isRecords || !includesAll(release.lines, linesOf(text)),
    'the page comes after its records': !name.includes('evidence') || isComplete,
  })
}

export function judgeDeletion({ name, state }: StoredAsset, isOwn: boolean) {
  return findBroken({
    'records are not deleted': state === 'starter' || !name.includes('records'),
    'only the page and uploads of this run are deleted': isOwn || name.includes('evidence'),
  })
}

/** Judges a run after its end. */
export function judgeRun(run: Run): readonly string[] {
  const { stop, calls, isKilled, kept } = run
  const mayStop = run.github.isRefusing || kept.hasFailed || run.isCanceled
  const broken = findBroken({
    'only a full disk, GitHub, the artifact service or a signal stops a run':
      stop === null || stop.includes('no space left') || mayStop,
    'a stopped run has sent nothing': stop === null || calls.length === 0,
    'a run stops if it cannot read what earlier attempts kept':
      !kept.hasFailed || stop !== null || isKilled,
    'every line is written whole': run.disk.syncedLines.every(line => readLine(line) !== null),
    'a re-run without lines of an earlier attempt warns before it sends':
      calls.length === 0 || run.warnings.some(text => text.includes('attempt')) !== hasEarlier(run),
  })
  if (stop !== null) return broken
  if (!isKilled) broken.push(...judgeEnd(run))
  for (const { hash } of run.artifacts) {
    broken.push(...judgeHash(hash, run).map(promise => `${promise} (${hash.slice(0, 4)})`))
  }
  return broken
}

/** Whether it is the first attempt, or finds a line of an earlier one. */
function hasEarlier({ source: { runId, runAttempt }, before }: Run): boolean {
  const { records, states } = readLines(before)
  const isEarlier = ({ source }: RecordLine | StateLine): boolean =>
    source.runId === runId && Number(source.runAttempt) < Number(runAttempt)
  return runAttempt === '1' || [...records, ...states].some(isEarlier)
}

function judgeEnd(run: Run): string[] {
  const { attachment, missing, disk, github } = run
  const { failure = null, warnings = [], hasAllLines = false } = attachment ?? {}
  const isComplete = failure === null && warnings.length === 0
  const mayGiveUp = github.isRefusing || run.isCanceled
  const isNamed = (name: string): boolean => warnings.some(text => text.includes(name))
  return findBroken({
    'no line is lost, and the file gets those of the release and of earlier attempts': includesAll(
      disk.syncedLines,
      run.before,
    ),
    'attaching gives up only after failures':
      isComplete || mayGiveUp || (failure === null && github.hasOtherPage),
    'a run that does not fail has attached every line':
      attachment === null || failure !== null || run.isCanceled || missing.length === 0,
    'the post step learns that the release has all lines only if it has':
      !hasAllLines || missing.length === 0,
    'the page has all listed records':
      attachment === null || !isComplete || run.isCanceled || github.missingFromPage.length === 0,
    'the whole file is uploaded once, byte for byte':
      github.uploads.length <= 1 && github.uploads.every(upload => upload === disk.text),
    'no own unfinished upload is left behind':
      attachment === null || mayGiveUp || github.leftovers.every(isNamed),
  })
}

function judgeHash(hash: string, run: Run): string[] {
  const saved = readLines(run.disk.syncedLines, { hash, run })
  const printed = readLines(run.printed, { hash, run })
  const records = [...saved.records, ...printed.records]
  const states = [...saved.states, ...printed.states]
  const good = records.filter(isGood)
  const intents = saved.states.filter(({ state }) => state === 'sent').length
  const isSettled = states.some(({ state }) => state === 'not-registered')
  const before = readLines(run.before, { hash })
  const calls = run.calls.filter(call => call.hash === hash)
  const broken = findBroken({
    'a hash with a record is not sent again': calls.length === 0 || before.records.length === 0,
    '"not-registered" is true': !isSettled || !calls.some(({ acted }) => acted),
    '"sent" is written once per hash and run': intents <= 1,
    'each line repeats the time of the "sent" line that it settles':
      new Set([...records, ...states].map(({ at }) => at)).size <= 1,
  })
  if (run.isKilled) return broken

  const completions = calls.filter(({ kind }) => kind === 'completion')
  const requests = calls.filter(({ kind }) => kind === 'request')
  const isRequested = requests.some(({ answer }) => answer === 'agreed')
  const mayHaveActed = completions.some(isDoubtful) || (!isRequested && requests.some(isDoubtful))
  const isAnswered = completions.some(({ answer }) => answer === 'record')
  const isRegistered = isAnswered || before.records.some(isGood)
  const isOpen = findUnsettled(before, { service: serviceUrl, hash }).length > 0
  const isKnown = mayHaveActed || isOpen || before.records.length > 0
  const firstRecord = completions.findIndex(isRecord)
  const isAgain = completions.slice(0, firstRecord).some(isDoubtful)
  const all = readLines([...run.before, ...run.disk.syncedLines, ...run.printed], { hash })
  const isAgainInAll = isMaybeChargedAgain(all, { service: serviceUrl, hash })

  const outcome = run.results.find(artifact => artifact.hash === hash)?.outcome
  const failure = outcome?.state === 'failed' ? outcome.failure : null
  const isServed = run.calls.every(call => call.hash !== '' || call.answer === 'agreed')
  const isRefused = calls.at(-1)?.kind === 'request' && calls.at(-1)?.answer === 'refused'
  const isUntried = calls.length === 0 && /^(unavailable|refused)$/.test(failure?.code ?? '')
  // In parallel, a record may be saved after calls that were answered later.
  const isParallel = run.inputs.concurrency > 1
  const ended = run.calls.filter(({ answer }) => !isParallel || answer !== 'record')
  const brokenAtEnd = findBroken({
    'a hash with a record is registered, and no other':
      isRegistered === (outcome?.state === 'registered'),
    'each record is saved or printed': !isAnswered || good.length > 0,
    'a record that contradicts its request is kept, too':
      !completions.some(({ answer }) => answer === 'bad') || records.length > good.length,
    'a result says whether the registration may have been charged more than once':
      outcome?.state !== 'registered' || outcome.maybeChargedAgain === isAgainInAll,
    'a record says whether a completion before it may have acted': good.every(
      ({ maybeChargedAgain = false }) => maybeChargedAgain === isAgain,
    ),
    'a failure says "no" only if the hash cannot be registered, else "unknown"':
      isRegistered || failure?.registered === (isKnown ? 'unknown' : 'no'),
    '"not-registered" is written if and only if no call of the run may have registered the hash':
      intents === 0 || isSettled === (!isAnswered && !mayHaveActed),
    'the completion of a refused request is tried':
      !isRefused || !isServed || failure?.code !== 'request-refused',
    'each hash is tried unless 5 before it ended without a good answer':
      !isUntried || !isServed || isOutage(ended),
  })
  return [...broken, ...brokenAtEnd]
}

/** Judges double registrations by the lines and calls of all runs so far. */
export function judgeCharges(texts: readonly string[], calls: readonly SentCall[]): string[] {
  const acted = calls.filter(call => call.acted)
  const counts = Map.groupBy(acted, ({ hash }) => hash)
  const promises = [...counts].map(([hash, { length }]) => {
    const lines = readLines(texts, { hash })
    const isSaid = isMaybeChargedAgain(lines, { service: serviceUrl, hash })
    const isKept = length < 2 || isSaid || !lines.records.every(isGood)
    return [`lines account for the double registration of ${hash}`, isKept] as const
  })
  return findBroken(Object.fromEntries(promises))
}
