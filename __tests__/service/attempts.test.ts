/** When calls are retried, how long they wait, and what stopping the run or a new login does to them. */
import { describe, expect, it } from '@jest/globals'
import { canceledFailure, Failure } from '../../src/failure.ts'
import { API_KEY } from '../support/samples.ts'
import { failureIn, respond, TestService, wordsOf } from './support.ts'

const once = { 'max-attempts': '1' }

it('attempts wait longer each time, log each retry, and send the same request again', async () => {
  const run = new TestService('complete 429 unconnected good')
  expect(wordsOf(await run.complete())).toEqual(['registered'])
  expect(run.waits).toEqual([1000, 2000])
  expect(run.logged).toEqual([
    '"app-0.zip": the registration returned HTTP 429: "no" (attempt 1 of 3); retrying in 1 s',
    '"app-0.zip": the registration was not sent: connection reset (attempt 2 of 3); retrying in 2 s',
  ])
  const [first, ...others] = run.sent.slice(1).map(call => ({ ...call, atMs: 0 }))
  expect(others).toEqual([first, first])
})

it.each<[replies: string, word: string, waits: readonly number[]]>([
  ['503+10 good', 'registered', [10_000]],
  ['429 503+2 425 lost good', 'unavailable/unknown', [1000, 2000, 4000]],
  ['408 429 425 unconnected', 'unavailable/no', [1000, 2000, 4000, 8000, 16_000, 30_000]],
])('a completion is sent again only after what was not done: %s', async (replies, word, waits) => {
  const run = new TestService(`complete ${replies}`, { 'max-attempts': '7' })
  expect(wordsOf(await run.complete())).toEqual([word])
  expect(run.waits).toEqual(waits)
  expect(run.count('complete')).toBe(waits.length + 1)
})

it('what a completion got in place of a record is kept with its failure', async () => {
  const failure = failureIn(await new TestService('complete 429 sorry').complete())
  const observed = 'after 2 attempts, the registration returned HTTP 200 and no record'
  const response = { success: false, message: `the quota of ${API_KEY} is used up` }
  const said = ': "the quota of *** is used up"'
  expect(failure).toMatchObject({ observed, said, response, status: 200, mayHaveActed: true })
})

describe('Retry-After', () => {
  it('holds back all workers, and is extended only by a longer one', async () => {
    const run = new TestService('complete 429+5 429+20 429+7 good', once)
    await run.complete(4, 3)
    expect(run.sent.slice(1).map(({ atMs }) => atMs)).toEqual([0, 0, 0, 20_000])
  })

  const failed = ['unavailable/no', 'registered']
  it.each<[string, string, maxAttempts: string, words: readonly string[], passedMs: number]>([
    ['of the last attempt still delays the other artifacts', '429+30', '1', failed, 30_000],
    ['over 60 s ends the attempts of that artifact alone', '429+61', '3', failed, 0],
    ['of 0 s does not shorten the backoff', '429+0', '3', ['registered', 'registered'], 1000],
    ['of 60 s is honored', '429+60', '3', ['registered', 'registered'], 60_000],
  ])('%s', async (_, first, maxAttempts, words, passedMs) => {
    const run = new TestService(`complete ${first} good`, { 'max-attempts': maxAttempts })
    expect(wordsOf(await run.complete(2, 1))).toEqual(words)
    expect(run.passedMs).toBe(passedMs)
  })

  it('also delays a new login', async () => {
    const complete = async (nth: number) => {
      if (nth === 1) return respond(429, {}, 30_000)
      await new Promise(setImmediate)
      return respond(nth === 2 ? 401 : 404, {})
    }
    const run = new TestService({ complete }, once)
    await run.complete(2)
    const logins = run.sent.filter(({ kind }) => kind === 'login')
    expect(logins.map(({ atMs }) => atMs)).toEqual([0, 30_000])
  })
})

describe('when the run is stopped', () => {
  const untrusted = new Failure('not-tried', 'unpaid')
  const canceled = canceledFailure
  it.each<[string, Failure, replies: string, word: string, observed?: string]>([
    ['a call in flight may still succeed', canceled, 'complete good', 'registered'],
    ['one that fails is told as such', canceled, 'complete 503', 'unavailable/unknown', '503'],
    [
      'one that ends is in doubt',
      canceled,
      'complete ended',
      'cancelled/unknown',
      'before the run',
    ],
    ['one that was not done is not retried', canceled, 'complete 429', 'unavailable/no', '429'],
    ['a refusal stays one', canceled, 'complete 404', 'refused/no', '404'],
    ['a 401 is followed by no login', canceled, 'complete 401', 'cancelled/no'],
    ['nothing follows a login', canceled, 'login good', 'cancelled/no'],
    ['a login that ends registers nothing', canceled, 'login ended', 'cancelled/no'],
    ['nothing follows a login either', untrusted, 'login good', 'not-tried/no'],
    ['what was seen says more', untrusted, 'complete 429', 'unavailable/no', '429'],
  ])('%s', async (...[, reason, replies, word, observed = '']) => {
    const run = new TestService(replies)
    const kind = replies.startsWith('login') ? 'login' : 'complete'
    run.onSend = sent => {
      if (sent === kind) run.halt.end(reason)
    }
    const ended = await run.complete()
    expect(wordsOf(ended)).toEqual([word])
    expect(run.sent.at(-1)?.kind).toBe(kind)
    expect(run.count(kind)).toBe(1)
    if (observed !== '') expect(failureIn(ended).observed).toContain(observed)
  })

  it.each([canceled, untrusted])(
    'a hash that waits for its next attempt is not sent again, and keeps what was seen: %s',
    async reason => {
      const run = new TestService('complete 429 good')
      run.onWait = () => {
        run.halt.end(reason)
      }
      const ended = await run.complete()
      expect(wordsOf(ended)).toEqual(['unavailable/no'])
      expect(run.count('complete')).toBe(1)
      expect(failureIn(ended).observed).toBe('the registration returned HTTP 429')
    },
  )
})

describe('the token', () => {
  it('is fetched once for all, and masked with its secret parts before it is sent', async () => {
    const token = 'header-0.payload-0.signature-0'
    const run = new TestService({ login: () => respond(200, { token }) }, once)
    const masked = [API_KEY, token, 'payload-0', 'signature-0']
    run.onSend = kind => {
      if (kind === 'complete') expect(run.masked).toEqual(masked)
    }
    expect(wordsOf(await run.complete(9))).toEqual(Array(9).fill('registered'))
    expect(run.count('login')).toBe(1)
  })

  it('is renewed once for all after a 401, and each call is made again', async () => {
    const login = (nth: number) => respond(200, { token: `token-${nth}` })
    const complete = (nth: number) => respond(nth > 8 ? 404 : 401, {})
    const run = new TestService({ login, complete }, once)
    expect(wordsOf(await run.complete(8))).toEqual(Array(8).fill('refused/no'))
    expect(run.count('login')).toBe(2)
    expect(run.sent.filter(({ token }) => token === 'token-2')).toHaveLength(8)
  })

  it('may expire again and again', async () => {
    const run = new TestService('complete good 401 good 401 good', once)
    expect(wordsOf(await run.complete(3, 1))).toEqual(Array(3).fill('registered'))
    expect(run.count('login')).toBe(3)
  })
})
