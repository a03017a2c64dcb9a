/** When calls are retried, how long they wait, and what stopping the run or a new login does to them. */
import { describe, expect, it } from '@jest/globals'
import { canceledFailure, Failure } from '../../src/failure.ts'
import { API_KEY } from '../support/samples.ts'
import { failureIn, respond, TestService, wordsOf, type Inputs } from './support.ts'

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

describe('a completion that may have acted', () => {
  it.each<[replies: string, word: string, waits: readonly number[], doubts: string, Inputs?]>([
    ['503 good', 'registered again', [40_000], '503'],
    ['lost good', 'registered again', [40_000], 'lost'],
    ['503+10 good', 'registered again', [40_000], '503'],
    ['503+60 good', 'registered again', [60_000], '503'],
    ['503+61', 'unavailable/unknown', [], '503'],
    ['503', 'unavailable/unknown', [], '503', once],
    ['lost 503', 'unavailable/unknown', [40_000], 'lost 503'],
    ['lost page', 'invalid-response/unknown', [40_000], 'lost 200'],
    ['lost 404', 'refused/unknown', [40_000], 'lost'],
    ['302', 'invalid-response/unknown', [], '302'],
    ['noise', 'invalid-response/unknown', [], 'lost'],
    // What cannot have acted is retried as always.
    ['429 503 425 good', 'registered again', [1000, 40_000, 4000], '503'],
    ['lost unconnected 407 500', 'unavailable/unknown', [40_000, 2000, 4000], 'lost 500'],
    ['408 429 425 unconnected', 'unavailable/no', [1000, 2000, 4000, 8000, 16_000, 30_000], ''],
  ])('is sent once more at most: %s', async (replies, word, waits, doubts, inputs = {}) => {
    const run = new TestService(`complete ${replies}`, { 'max-attempts': '7', ...inputs })
    expect(wordsOf(await run.complete())).toEqual([word])
    expect(run.waits).toEqual(waits)
    expect(run.doubts.map(({ status }) => status ?? 'lost').join(' ')).toBe(doubts)
    expect(run.doubts.filter(({ registered }) => registered === 'no')).toEqual([])
  })

  it('is reported before the wait, with what was seen', async () => {
    const run = new TestService('complete 503 sorry')
    run.onWait = () => {
      expect(run.doubts).toHaveLength(1)
    }
    const failure = failureIn(await run.complete())
    const quota = 'the registration returned HTTP 200 and no record: "the quota of *** is used up"'
    const busy = 'the registration returned HTTP 503: "no"'
    expect(run.doubts.map(({ observed }) => observed)).toEqual([busy, quota])
    const response = { success: false, message: `the quota of ${API_KEY} is used up` }
    expect(run.doubts.map(doubt => doubt.response)).toEqual([null, response])
    expect(failure).toMatchObject({ response, status: 200, registered: 'unknown' })
    expect(failure.observed).toBe(`after 2 attempts, ${quota}; before that, ${busy}`)
  })
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
    ['of 0 s takes the place of the backoff', '429+0', '3', ['registered', 'registered'], 0],
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
  const judged = new Failure('invalid-response', 'redirect', { observed: 'of another file' })
  const canceled = canceledFailure
  type Row = readonly [string, Failure, string, word: string, observed?: string, Inputs?]
  it.each<Row>([
    ['a call in flight may still succeed', canceled, 'complete good', 'registered'],
    ['one that failed is not retried', canceled, 'complete 503', 'cancelled/unknown', 'HTTP 503'],
    [
      'one that ends is in doubt',
      canceled,
      'complete ended',
      'cancelled/unknown',
      'before the run',
    ],
    ['a last try keeps its reason', canceled, 'complete 503', 'unavailable/unknown', '503', once],
    ['one that was rejected is not retried', canceled, 'complete 429', 'cancelled/no'],
    ['a final rejection keeps its own reason', canceled, 'complete 404', 'refused/no'],
    ['a 401 is followed by no login', canceled, 'complete 401', 'cancelled/no'],
    ['nothing follows a login', canceled, 'login good', 'cancelled/no'],
    ['a login that ends registers nothing', canceled, 'login ended', 'cancelled/no'],
    ['one in doubt keeps what was seen', judged, 'complete 503', 'unavailable/unknown', 'HTTP 503'],
    ['one that was rejected ends so too', judged, 'complete 429', 'invalid-response/no', 'another'],
    ['a login that failed ends so too', judged, 'login 503', 'invalid-response/no', 'another'],
  ])('%s', async (...[, reason, replies, word, observed = '', inputs = {}]) => {
    const run = new TestService(replies, inputs)
    const kind = replies.startsWith('login') ? 'login' : 'complete'
    run.onSend = sent => {
      if (sent === kind) run.halt.end(reason)
    }
    const ended = await run.complete()
    expect(wordsOf(ended)).toEqual([word])
    expect(run.sent.at(-1)?.kind).toBe(kind)
    expect(run.count(kind)).toBe(1)
    expect(run.doubts).toHaveLength(word.endsWith('/unknown') ? 1 : 0)
    if (observed !== '') expect(failureIn(ended).observed).toContain(observed)
  })

  it.each([
    ['cancelled/unknown', canceled],
    ['unavailable/unknown', judged],
  ])(
    'a call that waits for its second try is not sent again, and ends %s',
    async (word, reason) => {
      const run = new TestService('complete lost good')
      run.onWait = () => {
        run.halt.end(reason)
      }
      const ended = await run.complete()
      expect(wordsOf(ended)).toEqual([word])
      expect(run.count('complete')).toBe(1)
      expect(failureIn(ended).observed).toBe('the registration got no response: connection reset')
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
