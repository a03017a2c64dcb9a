/** When calls are repeated, how long they wait, and what stopping the run or a new login does to them. */
import { describe, expect, it } from '@jest/globals'
import { API_KEY } from '../support/samples.ts'
import { answer, failureIn, goodRecord, TestRun, wordOf, type Kind } from './support.ts'

const once = { 'max-attempts': '1' }

it('attempts wait longer each time, log each retry, and repeat the same request', async () => {
  const run = new TestRun('complete 503 lost good')
  expect(wordOf(await run.notarize())).toBe('registered')
  expect(run.clock.waits).toEqual([500, 1000])
  expect(run.logged).toEqual([
    'the registration of "app.zip": attempt 1 of 3 failed (HTTP 503: "no"); retrying in 500 ms',
    'the registration of "app.zip": attempt 2 of 3 failed (ECONNRESET); retrying in 1 s',
  ])
  const [first, ...others] = run.sent.slice(1).map(call => ({ ...call, atMs: 0 }))
  expect(others).toEqual([first, first])
})

describe('Retry-After', () => {
  it('extends the pause only if it is longer', async () => {
    const run = new TestRun('complete 429+5 429+20 429+7 good', once)
    await Promise.all([run.notarize(), run.notarize(), run.notarize()])
    await run.notarize()
    expect(run.clock.passedMs).toBe(20_000)
  })

  const failed = ['unavailable/no', 'registered']
  it.each<[string, string, maxAttempts: string, words: readonly string[], passedMs: number]>([
    ['of the last attempt still delays the other artifacts', '429+30', '1', failed, 30_000],
    ['over 60 s ends the attempts of that artifact alone', '429+61', '3', failed, 0],
    ['of 60 s is honored', '429+60', '3', ['registered', 'registered'], 60_000],
  ])('%s', async (_, first, maxAttempts, words, passedMs) => {
    const run = new TestRun(`complete ${first} good`, { 'max-attempts': maxAttempts })
    expect([wordOf(await run.notarize()), wordOf(await run.notarize())]).toEqual(words)
    expect(run.clock.passedMs).toBe(passedMs)
  })

  it('also delays a new login, and a call whose intent is being saved', async () => {
    const complete = async (nth: number) => {
      if (nth === 1) await run.notarize()
      return answer([401, 429, 200][nth - 1] ?? 429, goodRecord, 30_000)
    }
    const run = new TestRun({ complete }, once)
    await run.notarize()
    const logins = run.sent.filter(({ kind }) => kind === 'login')
    expect(logins.map(({ atMs }) => atMs)).toEqual([0, 30_000])
    await run.notarize(async () => {
      await run.notarize()
    })
    expect(run.sent.at(-1)?.atMs).toBe(60_000)
  })
})

describe('when the run is canceled', () => {
  it.each<[string, Kind, replies: string, word: string]>([
    ['a call in flight may still succeed', 'complete', 'good', 'registered'],
    ['a call in flight that fails is not repeated', 'complete', '503', 'cancelled/unknown'],
    ['a rejected call is not repeated', 'complete', '429', 'cancelled/no'],
    ['a final rejection keeps its own reason', 'complete', '404', 'refused/no'],
    ['a 401 is followed by no login', 'complete', '401', 'cancelled/no'],
    ['a login in flight ends at once', 'login', 'good', 'cancelled/no'],
  ])('%s', async (_, kind, reply, word) => {
    const run = new TestRun(`complete ${reply}`)
    run.onSend = sent => {
      if (sent === kind) run.halt.cancel()
    }
    expect(wordOf(await run.notarize())).toBe(word)
    expect(run.sent.at(-1)?.kind).toBe(kind)
    expect(run.count(kind)).toBe(1)
  })

  it('a call that is aborted may have registered the hash', async () => {
    const complete = async () => {
      run.halt.cancel()
      run.endCalls()
      await new Promise(setImmediate)
      return answer(404)
    }
    const run = new TestRun({ complete }, once)
    expect(wordOf(await run.notarize())).toBe('cancelled/unknown')
  })
})

describe('the token', () => {
  const all = (run: TestRun) => Promise.all(Array.from({ length: 8 }, () => run.notarize()))

  it('is fetched once for all, and masked with its parts before it is sent', async () => {
    const token = 'header-0.payload-0.signature-0'
    const run = new TestRun({ login: () => answer(200, { token }) })
    const masked = [API_KEY, token, ...token.split('.')]
    run.onSend = kind => {
      if (kind === 'complete') expect(run.masked).toEqual(masked)
    }
    await all(run)
    expect(wordOf(await run.notarize())).toBe('registered')
    expect(run.count('login')).toBe(1)
  })

  it('is renewed once for all after a 401, and each call is repeated', async () => {
    const login = (nth: number) => answer(200, { token: `token-${nth}` })
    const complete = (nth: number) => answer(nth > 8 ? 200 : 401, goodRecord)
    const run = new TestRun({ login, complete }, once)
    expect((await all(run)).map(wordOf)).toEqual(Array(8).fill('registered'))
    expect([run.count('login'), run.clock.waits]).toEqual([2, []])
    expect(run.sent.filter(({ token }) => token === 'token-2')).toHaveLength(8)
  })

  it('ends the run for all if it is new and rejected', async () => {
    const run = new TestRun('complete 401')
    for (const result of [await run.notarize(), await run.notarize()]) {
      const failure = { code: 'login-refused', registered: 'no', endsRun: true }
      expect(failureIn(result)).toMatchObject({ ...failure, isDeferrable: false })
    }
    expect(run.count('login')).toBe(2)
  })
})
