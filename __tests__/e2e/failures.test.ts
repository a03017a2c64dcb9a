/**
 * What an answer of the service makes of an artifact: outputs, log, summary and records file of a real run say the same.
 * What each status means is tested with the client.
 */
import { beforeAll, describe, expect, it } from '@jest/globals'
import { redirectFault, resetFault, statusFault, type Fault } from '../../simulator/index.ts'
import type { Simulator } from '../../simulator/index.ts'
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

const lost = resetFault('done')
const busy = statusFault(429, { headers: { 'retry-after': '0' } })
const down = statusFault(503, { headers: { 'retry-after': '0' } })

/** What a completion meets, how its artifact ends, and what each of its tries meets; null: nothing. */
const rows: readonly (readonly [meets: string, end: string, tries: readonly (Fault | null)[]])[] = [
  ['HTTP 402', 'refused/no', [statusFault(402)]],
  ['HTTP 409', 'refused/no', [statusFault(409)]],
  ['HTTP 429 to the end', 'unavailable/no', [busy, busy]],
  ['HTTP 503 to the end', 'unavailable/unknown', [down, down]],
  ['HTTP 404 after a 503', 'refused/unknown', [down, statusFault(404)]],
  ['HTTP 429 after a lost answer', 'unavailable/unknown', [lost, busy]],
  ['a redirect', 'invalid-response/unknown', [redirectFault('https://evil.example/')]],
  ['a record in custody', 'record-mismatch/unknown', [null]],
  ['HTTP 429 once', 'registered', [busy, null]],
  ['HTTP 401 once', 'registered', [statusFault(401), null]],
  ['one lost answer', 'registered, maybe again', [lost, null]],
]

describe('a completion', () => {
  let run: CheckedRun
  let service: Simulator
  beforeAll(async () => {
    const byHash = new Map(rows.map(row => [sha256(row[0]), row]))
    service = await startService({
      repeat: 'accept',
      faults: ({ hash = '', nthOfHash = 1 }) => byHash.get(hash)?.[2][nthOfHash - 1] ?? undefined,
      record: hash => ({ custody: byHash.get(hash)?.[0] === 'a record in custody' }),
    })
    // Each beside a file that is registered, so that the run goes on.
    const names = rows.flatMap(([name]) => [name, `${name}, not`])
    const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])))
    const inputs = { 'max-attempts': '2', concurrency: '2' }
    run = await notarize({ service, workspace, inputs })
  })

  it.each(rows)('that meets %s ends %s', (meets, end, tries) => {
    const record = run.results.records?.find(({ artifact }) => artifact === `dist/${meets}`)
    const again = record?.maybeChargedAgain === true ? ', maybe again' : ''
    expect(`${endsOf(run)[`dist/${meets}`] ?? ''}${again}`).toBe(end)
    const hash = sha256(meets)
    expect(service.requests.filter(request => request.hash === hash)).toHaveLength(tries.length)
    // What the service knows decides what is certain.
    if (end.endsWith('/no')) expect(service.completionCounts.get(hash)).toBeUndefined()
    const states = readStateLines(run).filter(line => line.hash === hash)
    const settled = end.endsWith('/no') ? ['not-registered'] : []
    expect(states.map(({ state }) => state)).toEqual(['sent', ...settled])
    expect(new Set(states.map(({ at }) => at)).size).toBe(1)
    const kept = readLines(run).filter(line => line.hash === hash)
    expect(kept.map(({ at }) => at)).toEqual(/^reg|^record/.test(end) ? [states[0]?.at] : [])
  })

  it('that fails is the same in log, summary and error', () => {
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
    expect(run.annotations.error).toEqual([
      expect.stringMatching(`^${failed} of ${total} artifacts failed, ${unknown} of them may be`),
    ])
    expect(run.lines).toContain(verdict.replace('## ', ''))
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/^1 artifact .*charged more than once/),
    ])
  })
})

it.each([
  [401, 'login-refused/no', 1, /api-key/],
  [503, 'unavailable/no', 2, /503/],
])(
  'a login that meets HTTP %d gives every artifact left %s',
  async (status, end, logins, names) => {
    const fault = statusFault(status, { headers: { 'retry-after': '0' } })
    const service = await startService({ faults: [{ endpoint: 'login', fault }] })
    const workspace = makeLetters('abk', [makeLine(service.url, 'k')])
    const run = await notarize({ service, workspace, inputs: { 'max-attempts': '2' } })
    expect(endsOf(run)).toEqual({ 'dist/a': end, 'dist/b': end, 'dist/k': 'registered' })
    expect(service.requests).toHaveLength(logins)
    // Nothing was sent for a hash, so that nothing had to be written.
    expect(readStateLines(run)).toEqual([])
    for (const { message } of run.results.failures) expect(message).toMatch(names)
  },
)

it('fields of another type than specified get one notice, and change nothing', async () => {
  const service = await startService({ record: () => ({ userId: '7', tags: {}, extra: [1] }) })
  const run = await notarize({ service, workspace: makeLetters('ab') })
  expect(run.results.verdict).toBe('registered')
  expect(run.annotations.notice).toEqual([expect.stringMatching(/tags.*userId/)])
  expect(new Set(readLines(run).map(({ record }) => record))).toEqual(
    new Set(service.registered.values()),
  )
})
