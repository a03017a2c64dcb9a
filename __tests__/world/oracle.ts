/**
 * What must be true of a run and of the records, whatever happened. Written from the promises of the product, not from
 * its code: it imports nothing of `src`.
 */
import * as z from 'zod/mini'

/** How the service answered a call, as its caller sees it. */
export type Answer =
  | 'record'
  | 'bad-record'
  | 'agreed'
  | 'refused'
  | 'unpaid'
  | 'deferred'
  | 'unavailable'
  | 'garbage'
  | 'lost'
  | 'unconnected'
  | 'none'

/** A call that a run sent. */
export interface SentCall {
  readonly run: number
  readonly kind: 'login' | 'retrieval' | 'request' | 'completion'
  /** Empty for a login and the retrieval of the subscription. */
  readonly hash: string
  /** Whether the service registered the hash, and charged for it. */
  acted: boolean
  /** `none` while there is no answer. */
  answer: Answer
}

/** What a run reports of a hash. */
export interface ReportedOutcome {
  readonly state: 'registered' | 'failed'
  readonly registered?: 'no' | 'unknown'
  readonly code?: string
}

/** A run as it is seen from outside. */
export interface ObservedRun {
  readonly number: number
  /** The lines that it could read: those of the file and of the release. */
  readonly before: readonly string[]
  /** The whole lines of the file when the run had ended. */
  readonly after: readonly string[]
  /** Lines that the run printed. */
  readonly printed: readonly string[]
  readonly calls: readonly SentCall[]
  /** By hash; null for a run that was killed. */
  readonly outcomes: ReadonlyMap<string, ReportedOutcome> | null
  /** Whether it registered one hash after the other. */
  readonly isSerial: boolean
  readonly isGreen: boolean
  readonly isCancelled: boolean
  /** Why the run stopped before anything was sent; null if it did not. */
  readonly stop: string | null
  /** What it attached; null if nothing was to be attached, or if it did not get that far. */
  readonly attached: ObservedAttachment | null
  /** Whether GitHub refused something for good, or so much went wrong that the run may give up. */
  readonly isRefused: boolean
}

/** What a run says of the release, and how the release is. */
export interface ObservedAttachment {
  readonly failure: string | null
  readonly warnings: readonly string[]
  readonly hasPrintedLines: boolean
  /** The lines of the file that no records asset has. */
  readonly lacking: readonly string[]
  /** What is wrong with the page as the run saw the release last; null for nothing. */
  readonly pageProblem: string | null
  /** Uploads of this run that never ended. */
  readonly unfinished: readonly string[]
  /** The records assets that this run uploaded. */
  readonly uploads: readonly string[]
  /** The records file. */
  readonly file: string
}

/** A line of the file, as far as its meaning depends on it. */
interface Line {
  readonly hash: string
  readonly at: string | null
  readonly kind: 'sent' | 'not-registered' | 'good' | 'bad'
  readonly run: string
  readonly isChargedAgain: boolean
}

const lineSchema = z.object({
  hash: z.string(),
  at: z.nullish(z.string()),
  state: z.optional(z.enum(['sent', 'not-registered'])),
  problems: z.optional(z.array(z.string())),
  source: z.object({ runId: z.string() }),
  maybeChargedAgain: z.optional(z.boolean()),
})

const parsedLines = new Map<string, Line | null>()

/** The meaning of a line; null for one that is damaged. */
function parse(text: string): Line | null {
  const known = parsedLines.get(text)
  if (known !== undefined) return known
  const line = parseAnew(text)
  if (parsedLines.size > 100_000) parsedLines.clear()
  parsedLines.set(text, line)
  return line
}

function parseAnew(text: string): Line | null {
  try {
    const { hash, at = null, state, problems, source, ...line } = lineSchema.parse(JSON.parse(text))
    const kind = state ?? (problems?.length === 0 ? 'good' : 'bad')
    return { hash, at, kind, run: source.runId, isChargedAgain: line.maybeChargedAgain === true }
  } catch {
    return null
  }
}

function parseAll(lines: readonly string[]): readonly Line[] {
  return lines.map(parse).filter(line => line !== null)
}

/** The hashes with a good record in these lines. */
export function recordedHashes(lines: readonly string[]): ReadonlySet<string> {
  const good = parseAll(lines).filter(({ kind }) => kind === 'good')
  return new Set(good.map(({ hash }) => hash))
}

/** So many hashes in a row that are not to be had end a run. */
export const maxOutages = 5

/** How many were not to be had since the last record. */
export function countOutages(calls: readonly SentCall[]): number {
  const since = calls.slice(calls.findLastIndex(({ answer }) => answer === 'record') + 1)
  const out = since.filter(({ answer }) => answer === 'unavailable' || answer === 'unpaid')
  return new Set(out.map(({ hash }) => hash)).size
}

/** The `sent` lines of a hash that nothing settles. */
function unsettled(lines: readonly Line[], hash: string): readonly Line[] {
  const own = lines.filter(line => line.hash === hash)
  const settles = (line: Line, sent: Line): boolean =>
    line.kind !== 'sent' && line.at === sent.at && line.run === sent.run
  return own.filter(line => line.kind === 'sent' && !own.some(other => settles(other, line)))
}

/** Whether the service may have acted on a call without telling. */
function isDoubtful({ answer }: SentCall): boolean {
  return ['unavailable', 'garbage', 'lost', 'none', 'bad-record'].includes(answer)
}

/** Takes each thing that must be true, and what it means if it is not. */
type Require = (isTrue: boolean, what: string) => void

/** Everything that is wrong with a run; `hashes` are those that it was asked to register. */
export function findViolations(run: ObservedRun, hashes: readonly string[]): readonly string[] {
  const violations: string[] = []
  const require: Require = (isTrue, what) => {
    if (!isTrue) violations.push(`run ${run.number}: ${what}`)
  }
  const { stop, isRefused, isCancelled, outcomes, attached } = run
  // A full disk or GitHub may stop a run, but never what earlier runs wrote.
  const mayStop = stop === null || stop.includes('no space left') || isRefused || isCancelled
  require(mayStop, `it stopped: ${stop ?? ''}`)
  require(parseAll(run.after).length === run.after.length, 'the records file is damaged')
  if (stop !== null) {
    require(run.calls.length === 0, 'it stopped after something was sent')
    return violations
  }
  for (const hash of hashes) judgeHash(hash, run, require)
  if (outcomes === null) return violations
  const isComplete = hashes.every(hash => outcomes.get(hash)?.state === 'registered')
  require(!run.isGreen || isComplete, 'it is green, and not all is registered')
  const lost = run.before.filter(line => !run.after.includes(line))
  require(lost.length === 0, 'the records file lacks lines that were there or on the release')
  if (attached !== null) judgeAttachment(attached, run, require)
  return violations
}

function judgeHash(hash: string, run: ObservedRun, require: Require): void {
  const before = parseAll(run.before).filter(line => line.hash === hash)
  const own = (lines: readonly string[]): readonly Line[] =>
    parseAll(lines).filter(line => line.hash === hash && line.run === String(run.number))
  const after = own(run.after)
  const kept = [...after, ...own(run.printed)]
  const has = (kind: Line['kind']): boolean => kept.some(line => line.kind === kind)
  const calls = run.calls.filter(call => call.hash === hash)
  const completions = calls.filter(({ kind }) => kind === 'completion')
  const requests = calls.filter(({ kind }) => kind === 'request')
  const wasKnown = before.some(({ kind }) => kind === 'good')
  const wasContradicted = !wasKnown && before.some(({ kind }) => kind === 'bad')
  const isSentAgain = (wasKnown || wasContradicted) && calls.length > 0
  require(!isSentAgain, `${hash} has a record and was sent again`)
  const isWronglySettled = has('not-registered') && calls.some(({ acted }) => acted)
  require(!isWronglySettled, `${hash} is called not registered, but is`)
  const sent = after.filter(({ kind }) => kind === 'sent')
  require(sent.length <= 1, `${hash} has two sent lines of a run`)
  require(new Set(kept.map(({ at }) => at)).size <= 1, `the lines of ${hash} have several times`)
  if (run.outcomes === null) return

  const outcome = run.outcomes.get(hash)
  const { code = '' } = outcome ?? {}
  const answeredAt = completions.findIndex(({ answer }) => answer === 'record')
  const isAnswered = answeredAt !== -1
  const isRequested = requests.some(({ answer }) => answer === 'agreed')
  const mayBe = completions.some(isDoubtful) || (!isRequested && requests.some(isDoubtful))
  const isRegistered = outcome?.state === 'registered'
  require(isRegistered === (isAnswered || wasKnown), `${hash} is ${outcome?.state ?? 'forgotten'}`)
  if (isAnswered) {
    const isAgain = completions.slice(0, answeredAt).some(isDoubtful)
    const record = kept.find(({ kind }) => kind === 'good')
    require(record !== undefined, `the record of ${hash} is lost`)
    require(record?.isChargedAgain === isAgain, `the flag of ${hash} is not ${isAgain}`)
  } else if (!wasKnown) {
    const isUnknown = mayBe || wasContradicted || unsettled(before, hash).length > 0
    const registered = isUnknown ? 'unknown' : 'no'
    require(outcome?.registered === registered, `${hash} is not called ${registered}`)
  }
  const isBad = completions.some(({ answer }) => answer === 'bad-record')
  require(!isBad || has('bad'), `the contradicting record of ${hash} is lost`)
  const isNo = !isAnswered && !mayBe
  require(sent.length === 0 || has('not-registered') === isNo, `${hash} is settled wrongly`)
  const isServed = run.calls.every(one => one.hash !== '' || one.answer === 'agreed')
  const isRefused = calls.at(-1)?.kind === 'request' && calls.at(-1)?.answer === 'refused'
  const mayBeMade = isRefused && isServed && code === 'request-refused'
  require(!mayBeMade, `${hash} may have been requested before, and was not completed`)
  const isUntried = calls.length === 0 && (code === 'unavailable' || code === 'refused')
  // With several at a time, a record may be saved after calls that were answered later.
  const ended = run.calls.filter(({ answer }) => run.isSerial || answer !== 'record')
  const mayTry = isServed && countOutages(ended) < maxOutages
  require(!isUntried || !mayTry, `${hash} was not tried`)
}

function judgeAttachment(attached: ObservedAttachment, run: ObservedRun, require: Require): void {
  const { failure, warnings, hasPrintedLines, lacking, pageProblem, unfinished, uploads } = attached
  const isDisturbed = run.isRefused || run.isCancelled
  const isComplete = failure === null && warnings.length === 0
  require(isComplete || isDisturbed, `it could not attach: ${failure ?? warnings.join()}`)
  require(failure !== null || lacking.length === 0, 'the release lacks lines, and it is not said')
  const unseen = lacking.filter(line => !run.printed.includes(line))
  require(unseen.length === 0, 'lines that the release lacks were not printed')
  require(lacking.length === 0 || hasPrintedLines, 'the report does not speak of printed lines')
  require(!isComplete || pageProblem === null, pageProblem ?? '')
  require(!isComplete || unfinished.length === 0, `it left ${unfinished.join()} unfinished`)
  require(uploads.length <= 1, 'it attached its records twice')
  const isWhole = uploads.every(upload => upload === attached.file)
  require(isWhole, 'the records that it attached are not those of the file')
}

/** Every double registration must be accounted for by the lines of the files. */
export function findUnaccounted(
  lines: readonly string[],
  calls: readonly SentCall[],
): readonly string[] {
  const parsed = parseAll(lines)
  const acted = Map.groupBy(
    calls.filter(call => call.acted),
    ({ hash }) => hash,
  )
  return [...acted].flatMap(([hash, { length }]) => {
    if (length < 2) return []
    const own = parsed.filter(line => line.hash === hash)
    const times = new Set(own.filter(({ kind }) => kind === 'good').map(({ at }) => at))
    const isAccounted =
      unsettled(own, hash).length > 0 ||
      times.size > 1 ||
      own.some(({ kind, isChargedAgain }) => kind === 'bad' || isChargedAgain)
    return isAccounted ? [] : [`${hash} was registered ${length} times, and no line says so`]
  })
}
