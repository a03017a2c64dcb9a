/**
 * What must be true of a run and of the records file, whatever happened. Written from the promises of the product, not
 * from its code: it imports nothing of `src`.
 */
import * as z from 'zod/mini'

/** How the service answered a call, as its caller sees it. */
export type Answer =
  | 'record'
  | 'bad-record'
  | 'refused'
  | 'deferred'
  | 'unavailable'
  | 'garbage'
  | 'lost'
  | 'unconnected'
  | 'none'

/** A completion that a run sent. */
export interface SentCall {
  readonly run: number
  readonly hash: string
  /** Whether the service registered the hash, and charged for it. */
  acted: boolean
  /** `none` while there is no answer. */
  answer: Answer
}

/** What a run reports of a hash. */
export interface ReportedOutcome {
  readonly state: 'registered' | 'failed'
  readonly from?: 'this-run' | 'records-file'
  readonly registered?: 'no' | 'unknown'
  readonly code?: string
}

/** A run as it is seen from outside. */
export interface ObservedRun {
  readonly number: number
  /** The records file when the run began. */
  readonly before: readonly string[]
  /** The whole lines of the file when the run had ended. */
  readonly after: readonly string[]
  /** Lines that the run printed because they could not be saved. */
  readonly printed: readonly string[]
  readonly calls: readonly SentCall[]
  /** By hash; null for a run that was killed. */
  readonly outcomes: ReadonlyMap<string, ReportedOutcome> | null
  readonly exitCode: number | null
  /** What was wrong when a call was sent, in words. */
  readonly faultyCalls: readonly string[]
  /** Why the run stopped before anything was sent; null if it did not. */
  readonly stop: string | null
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

/** The meaning of a line; null for one that is damaged. */
function parse(text: string): Line | null {
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

/** The `sent` lines of a hash that nothing settles. */
function unsettled(lines: readonly Line[], hash: string): readonly Line[] {
  const own = lines.filter(line => line.hash === hash)
  const settles = (line: Line, sent: Line): boolean =>
    line.kind !== 'sent' && line.at === sent.at && line.run === sent.run
  return own.filter(line => line.kind === 'sent' && !own.some(other => settles(other, line)))
}

/** Everything that is wrong with a run; `hashes` are those that it was asked to register. */
export function findViolations(run: ObservedRun, hashes: readonly string[]): readonly string[] {
  const violations: string[] = [...run.faultyCalls]
  const require = (isTrue: boolean, what: string): void => {
    if (!isTrue) violations.push(`run ${run.number}: ${what}`)
  }
  const before = parseAll(run.before)
  const after = parseAll(run.after)
  const kept = [...after, ...parseAll(run.printed)]
  require(after.length === run.after.length, 'the records file is damaged')
  const ownId = String(run.number)
  // A full disk may stop a run, but never what earlier runs wrote.
  require(run.stop === null || run.stop.includes('no space left'), `it stopped: ${run.stop ?? ''}`)
  if (run.stop !== null) return violations
  for (const hash of hashes) {
    const calls = run.calls.filter(call => call.hash === hash)
    const wasKnown = before.some(line => line.hash === hash && line.kind === 'good')
    const wasContradicted =
      !wasKnown && before.some(line => line.hash === hash && line.kind === 'bad')
    const wasOpen = unsettled(before, hash).length > 0
    require(!(wasKnown || wasContradicted) ||
      calls.length === 0, `${hash} has a record and was sent again`)

    const answered = calls.some(({ answer }) => answer === 'record')
    const contradicted = calls.some(({ answer }) => answer === 'bad-record')
    const mayHaveActed = calls.some(({ answer }) =>
      ['unavailable', 'garbage', 'lost', 'none', 'bad-record'].includes(answer),
    )
    const recordOf = (kind: 'good' | 'bad'): Line | undefined =>
      kept.find(line => line.hash === hash && line.kind === kind && line.run === ownId)
    const ownLines = after.filter(line => line.hash === hash && line.run === ownId)
    const isRefuted = ownLines.some(({ kind }) => kind === 'not-registered')
    require(!isRefuted ||
      !calls.some(({ acted }) => acted), `${hash} is called not registered, but is`)
    const sentLines = ownLines.filter(({ kind }) => kind === 'sent')
    require(sentLines.length <= 1, `${hash} has two sent lines of a run`)
    const times = kept.filter(line => line.hash === hash && line.run === ownId).map(({ at }) => at)
    require(new Set(times).size <= 1, `the lines of ${hash} have several times`)
    if (run.outcomes === null) continue

    const outcome = run.outcomes.get(hash)
    require(outcome !== undefined, `${hash} has no outcome`)
    if (answered) {
      require(outcome?.state ===
        'registered', `${hash} was answered with a record and is not registered`)
      require(recordOf('good') !== undefined, `the record of ${hash} is lost`)
      const lost = calls.slice(
        0,
        calls.findIndex(({ answer }) => answer === 'record'),
      )
      const isAgain = lost.some(({ answer }) => ['unavailable', 'garbage', 'lost'].includes(answer))
      require(recordOf('good')?.isChargedAgain === isAgain, `the flag of ${hash} is not ${isAgain}`)
    } else if (wasKnown) {
      require(outcome?.state === 'registered', `${hash} has a record and is not registered`)
    } else {
      require(outcome?.state === 'failed', `${hash} is called registered without a record`)
      const isUnknown = mayHaveActed || wasOpen || wasContradicted
      require(outcome?.registered ===
        (isUnknown ? 'unknown' : 'no'), `${hash} is called ${outcome?.registered ?? '?'}`)
    }
    if (contradicted)
      require(recordOf('bad') !== undefined, `the contradicting record of ${hash} is lost`)
    const isNo = !answered && !mayHaveActed
    const isSettled = kept.some(
      line => line.hash === hash && line.run === ownId && line.kind === 'not-registered',
    )
    if (sentLines.length > 0)
      require(isSettled === isNo, `${hash} is ${isNo ? 'not settled' : 'settled wrongly'}`)
  }
  if (run.outcomes !== null) {
    const isComplete = hashes.every(hash => run.outcomes?.get(hash)?.state === 'registered')
    require(run.exitCode !== 0 || isComplete, 'it is green, and not all is registered')
  }
  return violations
}

/** Every double registration must be accounted for by the lines of the file. */
export function findUnaccounted(
  lines: readonly string[],
  calls: readonly SentCall[],
): readonly string[] {
  const parsed = parseAll(lines)
  const byHash = Map.groupBy(
    calls.filter(({ acted }) => acted),
    ({ hash }) => hash,
  )
  return [...byHash].flatMap(([hash, acted]) => {
    if (acted.length < 2) return []
    const good = parsed.filter(line => line.hash === hash && line.kind === 'good')
    const times = new Set(good.map(({ at }) => at))
    const isAccounted =
      unsettled(parsed, hash).length > 0 ||
      times.size > 1 ||
      good.some(({ isChargedAgain }) => isChargedAgain) ||
      parsed.some(line => line.hash === hash && line.kind === 'bad')
    return isAccounted ? [] : [`${hash} was registered ${acted.length} times, and no line says so`]
  })
}
