/** Judges calls, runs and records by what the product promises in every case. Uses no code of `src`. */
import { textOf, type StoredAsset } from '../support/github-memory.ts'
import { findUnsettled, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import type { RecordLine, RecordsFile, StateLine } from '../support/record-lines.ts'
import { sha256 } from '../support/samples.ts'
import { linesOf } from './disk.ts'
import type { WorldGitHub } from './github.ts'
import type { Run } from './run.ts'
import { lastWords, serviceUrl, type SentCall } from './service.ts'

export const recordsName = 'notarization-records.jsonl'
export const pageName = 'notarization-evidence.md'
export const otherJob = 'other job'

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
  const isParallel = inputs.concurrency > 1
  // In parallel, a call that was answered may not have ended yet.
  const isUnclear = isParallel && answered.length > 0
  const sinceLogin = calls.slice(calls.findLastIndex(call => call.kind === 'login') + 1)
  const isDenied = sinceLogin.length > 0 && sinceLogin.every(({ answer }) => answer === 'denied')
  const inFlight = calls.filter(call => call.hash !== '' && call.answer === 'none')
  return findBroken({
    '"sent" is saved before a hash is sent': intents.includes(hash),
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

/** Judges an upload that the release is about to store. */
export function judgeUpload(name: string, text: string, release: WorldGitHub): readonly string[] {
  if (name === pageName) {
    const hashes = hashesOnPage(text)
    const isAttached = hashes.size > 0 && hashes.isSubsetOf(recordedHashes(release.lines))
    return findBroken({
      'the page comes after its records': isAttached,
      'a page is replaced only if its content differs': text !== release.deletedPage,
    })
  }
  const isTaken = release.find(recordsName) !== undefined
  const ownName = `notarization-records-${sha256(text).slice(0, 12)}.jsonl`
  return findBroken({
    'records have the usual name, or their own name if that is taken':
      name === (isTaken ? ownName : recordsName),
    'records that the release has are not uploaded': !isSubset(linesOf(text), release.lines),
  })
}

/** Judges a deletion; `mayBeOwn` says whether a run may have started the upload. */
export function judgeDeletion({ name, state }: StoredAsset, mayBeOwn: boolean): readonly string[] {
  const mayGo = name === pageName || (state === 'starter' && mayBeOwn)
  return findBroken({ 'only the page and unfinished uploads of runs are deleted': mayGo })
}

/** Judges a run after its end. */
export function judgeRun(run: Run): readonly string[] {
  const { stop, calls, isKilled, before, artifacts } = run
  const { kept, disk, github } = run.world
  const mayStop = github.isRefusing || kept.hasFailed || run.isCanceled
  const warnings = run.warnings.join()
  const earlier = readLines(before, run.comesAfter)
  const isMissing =
    run.source.runAttempt !== '1' && [...earlier.records, ...earlier.states].length === 0
  const open = artifacts.filter(({ hash }) => {
    const known = readLines(before, line => line.hash === hash)
    return known.records.length === 0 && isOpen(known, hash)
  })
  const [openCount = '0'] = /\d+(?= hash(es)? (is|are) open)/.exec(warnings) ?? []
  const broken = findBroken({
    'only a full disk, GitHub, the artifact service or a signal stops a run':
      stop === null || stop.includes('no space left') || mayStop,
    'a stopped run has sent nothing': stop === null || calls.length === 0,
    'a run stops if it cannot read what was kept': !kept.hasFailed || stop !== null || isKilled,
    'every line is written whole': disk.syncedLines.every(line => readLine(line) !== null),
    'a re-run that misses earlier lines warns':
      calls.length === 0 || warnings.includes('attempt') === isMissing,
    'open hashes are counted':
      calls.length === 0 || Number(openCount) === new Set(open.map(({ hash }) => hash)).size,
  })
  if (stop !== null) return broken
  if (!isKilled) broken.push(...judgeEnd(run))
  for (const { name, hash } of artifacts) {
    broken.push(...judgeArtifact(name, hash, run).map(promise => `${promise} (${name})`))
  }
  return broken
}

function isOpen(lines: RecordsFile, hash: string): boolean {
  return findUnsettled(lines, { service: serviceUrl, hash }).length > 0
}

/** Judges the files of a run that was not killed. */
function judgeEnd({ world, attachment, before, isCanceled, printed }: Run): string[] {
  const { disk, github } = world
  const lines = linesOf(disk.text)
  const broken = findBroken({
    'the file gets every line': isSubset(before, disk.syncedLines),
    'no line is written twice': new Set(lines).size === lines.length,
  })
  if (attachment === null) return broken
  const { failure, hasAllLines } = attachment
  const { first, last, own, page } = github
  const hasAttached = isSubset(lines, github.lines)
  const mayGiveUp = github.isRefusing || isCanceled
  // After a failure, the last listing may have been only to look for an upload.
  const isSmooth = github.failures === 0 && !isCanceled
  const known = recordedHashes([...lines, ...printed, ...last.lines])
  const unknown = last.artifacts.filter(asset => {
    return !first.artifacts.includes(asset) && !known.has(sha256(asset.content))
  })
  const oldNames = new Set(first.artifacts.map(({ name }) => name))
  const isReplaced = unknown.some(({ name }) => oldNames.has(name))
  const added = unknown.map(({ name }) => name).filter(name => !oldNames.has(name))
  const warnings = attachment.warnings.filter(text => !added.some(name => text.includes(name)))
  const isPageDue = failure === null && warnings.length === 0 && !isCanceled
  const due = recordedHashes(isSmooth ? [...lines, ...last.lines] : lines)
  const records = own.filter(({ name }) => name !== pageName)
  const brokenOnRelease = findBroken({
    'attaching gives up only after failures': failure === null || mayGiveUp || isReplaced,
    'only a page that cannot be replaced is a warning':
      warnings.length === 0 || mayGiveUp || page?.uploader === otherJob,
    'a green run has attached every line': failure !== null || isCanceled || hasAttached,
    'the assets are listed again at the end':
      !isSmooth || (first !== last && isSubset(lines, last.lines)),
    'replaced artifacts without a record fail the run':
      !isSmooth || isReplaced === (failure !== null),
    'added artifacts without a record are named':
      !isSmooth || added.length === 0 || warnings.length < attachment.warnings.length,
    'the post step is told no more than is true': !hasAllLines || hasAttached,
    'the page has all listed records':
      !isPageDue || due.isSubsetOf(hashesOnPage(page === undefined ? '' : textOf(page))),
    'the whole file is uploaded once':
      records.length < 2 && records.every(asset => textOf(asset) === disk.text),
    'no own unfinished upload is left behind':
      mayGiveUp || own.every(({ state }) => state === 'uploaded'),
  })
  return [...broken, ...brokenOnRelease]
}

function judgeArtifact(name: string, hash: string, run: Run): string[] {
  const isOfHash = (line: Line): boolean => line.hash === hash
  const isOwn = (line: Line): boolean => isOfHash(line) && run.hasWritten(line)
  const { syncedLines, hasFailed } = run.world.disk
  const { records, states } = readLines([...syncedLines, ...run.printed], isOwn)
  const saved = readLines(syncedLines, isOwn)
  const intents = saved.states.filter(({ state }) => state === 'sent').length
  const isSettled = states.some(({ state }) => state === 'not-registered')
  const before = readLines(run.before, isOfHash)
  const calls = run.calls.filter(call => call.hash === hash)
  const broken = findBroken({
    'a hash with a record is not sent again': calls.length === 0 || before.records.length === 0,
    '"not-registered" is true': !isSettled || !calls.some(({ acted }) => acted),
    '"sent" is written once per hash and run': intents <= 1,
    'each line repeats the time of "sent"':
      new Set([...records, ...states].map(({ at }) => at)).size <= 1,
  })
  if (run.isKilled) return broken

  const completions = calls.filter(({ kind }) => kind === 'completion')
  const requests = calls.filter(({ kind }) => kind === 'request')
  const isRequested = requests.some(({ answer }) => answer === 'agreed')
  const mayHaveActed = completions.some(isDoubtful) || (!isRequested && requests.some(isDoubtful))
  const isAnswered = completions.some(({ answer }) => answer === 'record')
  const isRegistered = isAnswered || before.records.some(isGood)
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
  const brokenAtEnd = findBroken({
    'what has a record is registered, and nothing else':
      isRegistered === (outcome?.state === 'registered'),
    'each record is saved or printed': !isAnswered || records.some(isGood),
    'a contradicting record is kept':
      !completions.some(({ answer }) => answer === 'bad') || !records.every(isGood),
    'a result says whether it may have been charged more than once':
      outcome?.state !== 'registered' || outcome.maybeChargedAgain === isAgainInAll,
    'a record says whether a completion before it may have acted': records
      .filter(isGood)
      .every(({ maybeChargedAgain = false }) => maybeChargedAgain === isAgain),
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
