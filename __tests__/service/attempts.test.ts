/** When calls are retried, how long they wait, and what stopping the run or a new login does to them. */
import { describe, expect, it } from '@jest/globals'
import { canceledFailure as canceled, Failure } from '../../src/failure.ts'
import { failureIn, respond, TestRun, wordsOf, type Inputs } from './support.ts'

const once = { 'max-attempts': '1' }

it('attempts wait longer each time, log each retry, and send the same request again', async () => {
  const run = new TestRun('complete 429 unconnected good')
  expect(wordsOf(await run.register())).toEqual(['registered'])
  expect(run.sent.slice(1).map(({ atMs }) => atMs)).toEqual([0, 1000, 3000])
  expect(run.logged).toEqual([
    '"app-0.zip": the registration returned HTTP 429: "no" (attempt 1 of 3); retrying in 1 s',
    '"app-0.zip": the registration was not sent: connection reset (attempt 2 of 3); retrying in 2 s',
  ])
  const [first, ...others] = run.sent.slice(1).map(call => ({ ...call, atMs: 0 }))
  expect(others).toEqual([first, first])
})

describe('Retry-After', () => {
  it('holds back all workers, and is extended only by a longer one', async () => {
    const run = new TestRun('complete good 429+5 429+20 429+7 good', { ...once, concurrency: '3' })
    await run.register(5)
    expect(run.sent.slice(1).map(({ atMs }) => atMs)).toEqual([0, 0, 0, 0, 20_000])
  })

  const failed = ['unavailable/no', 'registered']
  it.each<[string, string, maxAttempts: string, words: readonly string[], passedMs: number]>([
    ['of the last attempt still delays the other artifacts', '429+30', '1', failed, 30_000],
    ['over 60 s ends the attempts of that artifact alone', '429+61', '3', failed, 0],
    ['of 60 s is honored', '429+60', '3', ['registered', 'registered'], 60_000],
  ])('%s', async (_, first, maxAttempts, words, passedMs) => {
    const run = new TestRun(`complete ${first} good`, { 'max-attempts': maxAttempts })
    expect(wordsOf(await run.register(2))).toEqual(words)
    expect(run.passedMs).toBe(passedMs)
  })

  it('also delays a new login', async () => {
    const complete = async (nth: number) => {
      if (nth === 2) return respond(429, {}, 30_000)
      await new Promise(setImmediate)
      return respond(nth === 3 ? 401 : 404, {})
    }
    const replies = { complete: (nth: number) => (nth === 1 ? null : complete(nth)) }
    const run = new TestRun(replies, once)
    await run.register(3)
    const logins = run.sent.filter(({ kind }) => kind === 'login')
    expect(logins.map(({ atMs }) => atMs)).toEqual([0, 30_000])
  })
})

describe('when the run is stopped', () => {
  const untrusted = new Failure('not-tried', 'unpaid')
  it.each<[string, Failure, replies: string, word: string, observed?: string]>([
    ['a call in flight may still succeed', canceled, 'complete good', 'registered'],
    ['one that fails is told as such', canceled, 'complete 503', 'unavailable/unknown', '503'],
    ['one that ends is in doubt', canceled, 'complete ended', 'cancelled/unknown', 'before the'],
    ['one that was not done is not retried', canceled, 'complete 429', 'unavailable/no', '429'],
    ['a refusal stays one', canceled, 'complete 404', 'refused/no', '404'],
    ['a 401 is followed by no login', canceled, 'complete 401', 'cancelled/no'],
    ['nothing follows a login', canceled, 'login good', 'cancelled/no'],
    ['a login that ends registers nothing', canceled, 'login ended', 'cancelled/no'],
    ['nothing follows a login either', untrusted, 'login good', 'not-tried/no'],
    ['what was seen says more', untrusted, 'complete 429', 'unavailable/no', '429'],
  ])('%s', async (...[, reason, replies, word, observed = '']) => {
    const run = new TestRun(replies)
    const kind = replies.startsWith('login') ? 'login' : 'complete'
    run.onSend = sent => {
      if (sent === kind) run.halt.end(reason)
    }
    const ended = await run.register()
    expect(wordsOf(ended)).toEqual([word])
    expect(run.sent.at(-1)?.kind).toBe(kind)
    expect(run.count(kind)).toBe(1)
    if (observed !== '') expect(failureIn(ended).observed).toContain(observed)
  })

  it.each<Inputs>([{}, { subscription: '' }])('a refused request stays one: %j', async inputs => {
    const registerAfter = (status: number) => {
      const run = new TestRun(`request ${status}`, { 'request-registration': 'true', ...inputs })
      run.onSend = kind => {
        if (kind === 'request') run.halt.end(canceled)
      }
      return run.register()
    }
    const ended = await registerAfter(422)
    expect(wordsOf(ended)).toEqual(['request-refused/no'])
    expect(failureIn(ended)).toMatchObject({ reason: 'request-rejected', said: ': "no"' })
    // That says only that a request exists.
    expect(wordsOf(await registerAfter(409))).toEqual(['cancelled/no'])
  })

  it('a hash that waits for its next attempt is not sent again, and keeps what was seen', async () => {
    const run = new TestRun('complete 429 good')
    run.onLog = () => {
      run.halt.end(canceled)
    }
    const ended = await run.register()
    expect(wordsOf(ended)).toEqual(['unavailable/no'])
    expect(run.count('complete')).toBe(1)
    expect(failureIn(ended).observed).toBe('the registration returned HTTP 429')
  })
})

it('the token is masked before it is sent, and renewed once for all after a 401', async () => {
  const login = (nth: number) => respond(200, { token: `token-${nth}` })
  const complete = (nth: number) => (nth === 1 ? null : respond(nth > 9 ? 404 : 401, {}))
  const run = new TestRun({ login, complete }, { ...once, concurrency: '8' })
  run.onSend = () => {
    const token = run.sent.at(-1)?.token ?? null
    if (token !== null) expect(run.masked).toContain(token)
  }
  const words = ['registered', ...Array<string>(8).fill('refused/no')]
  expect(wordsOf(await run.register(9))).toEqual(words)
  expect(run.count('login')).toBe(2)
  expect(run.sent.filter(({ token }) => token?.includes('-2'))).toHaveLength(8)
})

it('the token may expire again and again', async () => {
  const run = new TestRun('complete good 401 good 401 good', { ...once, concurrency: '1' })
  expect(wordsOf(await run.register(3))).toEqual(Array(3).fill('registered'))
  expect(run.count('login')).toBe(3)
})
