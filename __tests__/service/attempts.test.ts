/** When calls are retried, how long they wait, and what stopping the run or a new login does to them. */
import { describe, expect, it } from '@jest/globals'
import { API_KEY } from '../support/samples.ts'
import { makeArtifacts, respond, TestRun, wordsOf, type Inputs, type Kind } from './support.ts'

const once = { 'max-attempts': '1', concurrency: '1' }

it('attempts wait longer each time, log each retry, and send the same request again', async () => {
  const run = new TestRun('complete 503 lost good')
  expect(wordsOf(await run.register())).toEqual(['registered again'])
  expect(run.waits).toEqual([1000, 2000])
  expect(run.logged).toEqual([
    '"app-0.zip": the registration returned HTTP 503: "no" (attempt 1 of 3); retrying in 1 s',
    '"app-0.zip": the registration got no response: connection reset (attempt 2 of 3); retrying in 2 s',
  ])
  const [first, ...others] = run.sent.slice(1).map(call => ({ ...call, atMs: 0 }))
  expect(others).toEqual([first, first])
})

describe('Retry-After', () => {
  it('holds back all workers, and is extended only by a longer one', async () => {
    const run = new TestRun('complete 429+5 429+20 429+7 good', { ...once, concurrency: '3' })
    await run.register(makeArtifacts(4))
    expect(run.sent.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 0, 20_000])
  })

  const failed = ['unavailable/no', 'registered']
  it.each<[string, string, maxAttempts: string, words: readonly string[], passedMs: number]>([
    ['of the last attempt still delays the other artifacts', '429+30', '1', failed, 30_000],
    ['over 60 s ends the attempts of that artifact alone', '429+61', '3', failed, 0],
    ['of 0 s takes the place of the backoff', '429+0', '3', ['registered', 'registered'], 0],
    ['of 60 s is honored', '429+60', '3', ['registered', 'registered'], 60_000],
  ])('%s', async (_, first, maxAttempts, words, passedMs) => {
    const inputs = { ...once, 'max-attempts': maxAttempts }
    const run = new TestRun(`complete ${first} good`, inputs)
    expect(wordsOf(await run.register(makeArtifacts(2)))).toEqual(words)
    expect(run.passedMs).toBe(passedMs)
  })

  it('also delays a new login', async () => {
    const complete = async (nth: number) => {
      if (nth === 1) return respond(429, {}, 30_000)
      await new Promise(setImmediate)
      return respond(nth === 2 ? 401 : 404, {})
    }
    const run = new TestRun({ complete }, { ...once, concurrency: '2' })
    await run.register(makeArtifacts(2))
    const logins = run.sent.filter(({ kind }) => kind === 'login')
    expect(logins.map(({ atMs }) => atMs)).toEqual([0, 30_000])
  })
})

describe('when the run is canceled', () => {
  it.each<[string, Kind, replies: string, word: string, Inputs?]>([
    ['a call in flight may still succeed', 'complete', 'good', 'registered'],
    ['a call in flight that fails is not retried', 'complete', '503', 'cancelled/unknown'],
    ['a last attempt is ended by the run', 'complete', 'ended', 'cancelled/unknown', once],
    ['a rejected call is not retried', 'complete', '429', 'cancelled/no'],
    ['a final rejection keeps its own reason', 'complete', '404', 'refused/no'],
    ['a 401 is followed by no login', 'complete', '401', 'cancelled/no'],
    ['nothing follows a login', 'login', 'good', 'cancelled/no'],
  ])('%s', async (_, kind, reply, word, inputs = {}) => {
    const run = new TestRun(`complete ${reply}`, inputs)
    run.onSend = sent => {
      if (sent === kind) run.halt.cancel()
    }
    expect(wordsOf(await run.register())).toEqual([word])
    expect(run.sent.at(-1)?.kind).toBe(kind)
    expect(run.count(kind)).toBe(1)
  })
})

describe('the token', () => {
  const eight = { ...once, concurrency: '8' }

  it('is fetched once for all, and masked with its secret parts before it is sent', async () => {
    const token = 'header-0.payload-0.signature-0'
    const run = new TestRun({ login: () => respond(200, { token }) }, eight)
    const masked = [API_KEY, token, 'payload-0', 'signature-0']
    run.onSend = kind => {
      if (kind === 'complete') expect(run.masked).toEqual(masked)
    }
    expect(wordsOf(await run.register(makeArtifacts(9)))).toEqual(Array(9).fill('registered'))
    expect(run.count('login')).toBe(1)
  })

  it('is renewed once for all after a 401, and each call is made again', async () => {
    const login = (nth: number) => respond(200, { token: `token-${nth}` })
    const run = new TestRun({ login, complete: nth => respond(nth > 8 ? 404 : 401, {}) }, eight)
    expect(wordsOf(await run.register(makeArtifacts(8)))).toEqual(Array(8).fill('refused/no'))
    expect(run.count('login')).toBe(2)
    expect(run.sent.filter(({ token }) => token === 'token-2')).toHaveLength(8)
  })

  it('may expire again and again', async () => {
    const run = new TestRun('complete good 401 good 401 good', once)
    expect(wordsOf(await run.register(makeArtifacts(3)))).toEqual(Array(3).fill('registered'))
    expect(run.count('login')).toBe(3)
  })
})
