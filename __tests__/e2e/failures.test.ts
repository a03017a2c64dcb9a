/**
 * Every failure that an answer of the service causes, with its code and whether the hash may be registered. Outputs, log,
 * summary and records file of a real run must all say the same. What each status means is tested with the client.
 */
import { beforeAll, describe, expect, it } from '@jest/globals'
import {
  rawFault,
  redirectFault,
  resetFault,
  statusFault,
  type Fault,
  type Simulator,
} from '../../simulator/index.ts'
import {
  endsOf,
  makeLetters,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  readStateLines,
  readSummary,
  sha256,
  startService,
  type CheckedRun,
} from './support.ts'

/** What a call meets; a number is that status, to be tried again at once. */
type Reaction = Fault | number | 'honest'

interface Row {
  readonly what: string
  readonly end: string
  /** Requests that it costs, with two attempts per call. */
  readonly requests: number
  /** What each call meets; the last one is for all that follow. */
  readonly calls: readonly Reaction[]
  /** Fields laid over the record. */
  readonly record?: Readonly<Record<string, unknown>>
}

function row(what: string, end: string, ...calls: readonly Reaction[]): Row {
  return { what, end, requests: calls.length, calls }
}

function mismatch(what: string, record: Row['record'] = {}): Row {
  return { ...row(what, 'record-mismatch/unknown', 'honest'), record }
}

const lost = resetFault('done')
const inAMinute = statusFault(429, { headers: { 'retry-after': '61' } })

const rows: readonly Row[] = [
  ...[402, 404, 409].map(code => row(`HTTP ${code}`, 'refused/no', code)),
  ...[408, 429].map(code => row(`HTTP ${code}`, 'unavailable/no', code, code)),
  ...[503].map(code => row(`HTTP ${code}`, 'unavailable/unknown', code, code)),
  row('HTTP 501, which is final', 'unavailable/unknown', 501),
  row('HTTP 429 with a long Retry-After', 'unavailable/no', inAMinute),
  row('an answer that is lost', 'unavailable/unknown', lost, lost),
  row('a redirect', 'invalid-response/unknown', redirectFault('https://evil.example/')),
  row('HTTP 200 with a page', 'invalid-response/unknown', rawFault('<!doctype html>')),
  row('HTTP 200 with more than 1 MiB', 'invalid-response/unknown', rawFault(1024 * 1024 + 1)),
  row('HTTP 404 after a 429', 'refused/no', 429, 404),
  row('HTTP 404 after a 503', 'refused/unknown', 503, 404),
  row('HTTP 429 after a lost answer', 'unavailable/unknown', lost, 429),
  mismatch('the record of another document', { hash: sha256('another') }),
  mismatch('a record in custody', { custody: true }),
  mismatch('a record of another payment', { paymentId: 'sub_of_somebody_else' }),
  row('HTTP 429 once', 'registered', 429, 'honest'),
  row('HTTP 401 once', 'registered', 401, 'honest'),
  row('HTTP 503 once', 'registered, maybe again', 503, 'honest'),
  row('one lost answer', 'registered, maybe again', lost, 'honest'),
]

function faultOf(reaction: Reaction = 'honest'): Fault | undefined {
  if (reaction === 'honest') return undefined
  if (typeof reaction !== 'number') return reaction
  return statusFault(reaction, { headers: { 'retry-after': '0' } })
}

const number = (index: number): string => String(index).padStart(2, '0')

/** Runs all rows at once, each beside a file that is registered, so that the run goes on. */
async function runAll(): Promise<{ readonly run: CheckedRun; readonly service: Simulator }> {
  const byHash = new Map(rows.map((one, index) => [sha256(number(index)), one]))
  const service = await startService({
    repeat: 'accept',
    faults: ({ hash = '', nthOfHash = 1 }) => {
      const { calls = [] } = byHash.get(hash) ?? {}
      return faultOf(calls[Math.min(nthOfHash, calls.length) - 1])
    },
    record: hash => byHash.get(hash)?.record ?? {},
  })
  const names = rows.flatMap((_, index) => [number(index), `${number(index)} registered`])
  const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])))
  const inputs = { 'max-attempts': '2', concurrency: '2' }
  return { service, run: await notarize({ service, workspace, inputs }) }
}

describe('a completion', () => {
  let shared: Awaited<ReturnType<typeof runAll>>
  beforeAll(async () => {
    shared = await runAll()
  })

  it.each(rows)('ends $end after $what', ({ end, requests, what }) => {
    const { run, service } = shared
    const index = rows.findIndex(one => one.what === what)
    const artifact = `dist/${number(index)}`
    const hash = sha256(number(index))
    const record = run.results.records?.find(one => one.artifact === artifact)
    const again = record?.maybeChargedAgain === true ? ', maybe again' : ''
    expect(`${endsOf(run)[artifact] ?? ''}${again}`).toBe(end)

    const sent = service.requests.filter(request => request.hash === hash)
    expect(sent).toHaveLength(requests)
    // What the service knows decides what is certain.
    if (end.endsWith('/no')) expect(service.completionCounts.get(hash)).toBeUndefined()
    const states = readStateLines(run).filter(line => line.hash === hash)
    const settled = end.endsWith('/no') ? ['not-registered'] : []
    expect(states.map(({ state }) => state)).toEqual(['sent', ...settled])
    expect(new Set(states.map(({ at }) => at)).size).toBe(1)
    const kept = readLines(run).filter(line => line.hash === hash)
    const isKept = end.startsWith('reg') || end.startsWith('record-')
    expect(kept.map(({ at }) => at)).toEqual(isKept ? [states[0]?.at] : [])
  })

  it('that fails is the same in log, summary and error', () => {
    const { run } = shared
    const { failures, 'failed-count': failed, 'artifact-count': total } = run.results
    const unknown = failures.filter(({ registered }) => registered === 'unknown').length
    const { rows: table, verdict } = readSummary(run.summary)
    for (const { artifact, code, registered } of failures) {
      const certain = registered === 'no' ? 'not registered' : 'may be registered'
      const state = code === 'refused' ? `${certain}|known to the service` : certain
      expect(table.find(([, name]) => name === artifact)?.[0]).toMatch(new RegExp(state))
      const lines = run.lines.filter(line => line.includes(`"${artifact}" (`))
      expect(lines).toEqual([expect.stringContaining(code)])
    }
    const [error = ''] = run.annotations.error
    expect(error).toMatch(
      new RegExp(`^${failed} of ${total} artifacts failed, ${unknown} of them may be`),
    )
    expect(run.lines).toContain(verdict.replace('## ', ''))
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/^2 artifacts .*charged more than once/),
    ])
  })
})

it.each<[string, end: string, logins: number, calls: readonly Reaction[], names: RegExp]>([
  ['HTTP 401', 'login-refused/no', 1, [401], /api-key/],
  ['HTTP 503', 'unavailable/no', 2, [503], /503/],
  ['HTTP 404', 'invalid-response/no', 1, [404], /base-url/],
  ['HTTP 503 once', 'registered', 2, [503, 'honest'], /^$/],
])('a login that meets %s gives every artifact left %s', async (_, end, logins, calls, names) => {
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'login' ? faultOf(calls[Math.min(nthOfEndpoint, calls.length) - 1]) : undefined,
  })
  const workspace = makeLetters('abk', [makeLine(service.url, 'k')])
  const run = await notarize({ service, workspace, inputs: { 'max-attempts': '2' } })
  expect(endsOf(run)).toEqual({ 'dist/a': end, 'dist/b': end, 'dist/k': 'registered' })
  expect(service.requests.filter(({ endpoint }) => endpoint === 'login')).toHaveLength(logins)
  // Nothing was sent for a hash, so that nothing had to be written.
  expect(readStateLines(run)).toHaveLength(end === 'registered' ? 2 : 0)
  for (const { message } of run.results.failures) expect(message).toMatch(names)
})

it('fields of another type than specified get one notice, and change nothing', async () => {
  const service = await startService({ record: () => ({ userId: '7', tags: {}, extra: [1] }) })
  const run = await notarize({ service, workspace: makeLetters('ab') })
  expect(run.results.verdict).toBe('registered')
  expect(run.annotations.notice).toEqual([expect.stringMatching(/tags.*userId/)])
  expect(new Set(readLines(run).map(({ record }) => record))).toEqual(
    new Set(service.registered.values()),
  )
})
