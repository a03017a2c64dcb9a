import { afterEach, describe, expect, it } from '@jest/globals'
import { notSavedFailure } from '../../src/halt.ts'
import {
  answer,
  API_KEY,
  breakOff,
  closeAll,
  failureIn,
  goodRecord,
  HASH,
  hashOf,
  inTurn,
  makeClient,
  makeIntent,
  meets,
  startServer,
  START_MS,
  TestClock,
  until,
  wordOf,
  type Answerer,
  type ClientParts,
} from './support.ts'

afterEach(closeAll)

const good = answer(200, goodRecord)
const inTurnBy = (names: string): Answerer => meets(names, { good })

/** What comes of one completion at a service that answers so. */
async function outcomeOf(complete: Answerer | string, parts: ClientParts = {}) {
  const server = await startServer(typeof complete === 'string' ? inTurnBy(complete) : complete)
  const world = makeClient(server.url, parts)
  const reply = await world.complete()
  const requests = server.completions().length
  return { reply, requests, ...world }
}

describe('a completion', () => {
  it.each([
    [200, { ...goodRecord, extra: { deep: [1, null] } }],
    [201, goodRecord],
    // It contradicts the request, but may be paid for.
    [299, {}],
  ])('gives the record of an answer with %d, every field kept', async (status, record) => {
    const { reply, requests } = await outcomeOf(answer(status, record))
    expect({ reply, requests }).toEqual({
      reply: { record, paymentId: goodRecord['paymentId'], unansweredTries: 0 },
      requests: 1,
    })
  })

  it('shows what the service says of its refusal without secrets, in one line, and cut after that', async () => {
    const echo = `${'.'.repeat(150)}${API_KEY} token-1\n::error::x ${'y'.repeat(5000)}`
    const { what } = failureIn((await outcomeOf(answer(400, { message: echo }))).reply)
    expect(what).toMatch(/\.\*\*\* /)
    expect(what).not.toMatch(/\n|token-1|sim-api/)
    expect(what.length).toBeLessThan(1000)
    expect(what).toContain('cut')
  })

  it('is certainly not registered when no try found the service, and is noted once', async () => {
    const shut = { connection: 'close' }
    const login = answer(200, { token: 'token-1' }, shut)
    const server = await startServer(answer(200, goodRecord, shut), login)
    const { complete, clock } = makeClient(server.url, { maxAttempts: 4 })
    expect(wordOf(await complete())).toBe('ok')
    await server.close()
    const intent = makeIntent()
    const failure = failureIn(await complete(HASH, intent))
    expect(failure).toMatchObject({
      ...{ code: 'unavailable', registered: 'no' },
      ...{ isOutage: true, isDeferrable: true, endsRun: false },
    })
    expect(clock.waits).toEqual([500, 1000, 2000])
    expect(intent.notes).toHaveLength(1)
  })

  it('is tried again by retry-unanswered: false if no connection was made, and so is a login', async () => {
    const shut = { connection: 'close' }
    const login = inTurn(breakOff, answer(200, { token: 'token-1' }, shut))
    const server = await startServer(answer(200, goodRecord, shut), login)
    const { complete, retries } = makeClient(server.url, { retryUnanswered: false })
    expect(wordOf(await complete())).toBe('ok')
    await server.close()
    expect(wordOf(await complete(hashOf(1)))).toBe('unavailable/no')
    expect(retries.map(line => line.split(/ of|:/)[0])).toEqual([
      ...['the login', 'the registration', 'the registration'],
    ])
  })
})

describe('an intent', () => {
  it.each([
    ['the first', 'good', 1, 'not-saved/no', 0],
    ['that of a repetition', 'lost', 2, 'not-saved/unknown', 1],
  ])('that cannot be saved leaves the request unsent: %s', async (...row) => {
    const [, names, failing, word, sent] = row
    const server = await startServer(inTurnBy(names))
    const intent = makeIntent(nth => nth !== failing)
    expect(wordOf(await makeClient(server.url).complete(HASH, intent))).toBe(word)
    expect(server.completions()).toHaveLength(sent)
  })

  it('that takes long does not send into a Retry-After, or a halt, that came meanwhile', async () => {
    const server = await startServer(inTurn(answer(429, {}, { 'retry-after': '9' }), good))
    const { complete, clock, halt } = makeClient(server.url, { maxAttempts: 1 })
    const slow = makeIntent(async () => {
      expect(wordOf(await complete(hashOf(2)))).toBe('unavailable/no')
      return true
    })
    expect(wordOf(await complete(hashOf(1), slow))).toBe('ok')
    expect(clock.waits).toEqual([9000])
    const halted = makeIntent(() => {
      halt.cancel()
      return true
    })
    expect(wordOf(await complete(hashOf(3), halted))).toBe('cancelled/no')
    expect(server.completions()).toHaveLength(2)
  })
})

describe('tries', () => {
  it.each([1, 2, 5])('are %d at most, with growing waits between them', async maxAttempts => {
    const { requests, clock, retries } = await outcomeOf('503', { maxAttempts })
    expect(requests).toBe(maxAttempts)
    expect(clock.waits).toEqual([500, 1000, 2000, 4000].slice(0, maxAttempts - 1))
    const nexts = ['500 ms', '1 s', '2 s', '4 s'].slice(0, maxAttempts - 1)
    const why = 'failed: the service answered HTTP 503: "no"; next in'
    expect(retries).toEqual(
      nexts.map((next, index) => {
        return `the registration of "app.zip": try ${index + 1} of ${maxAttempts} ${why} ${next}`
      }),
    )
  })

  it('repeat the same request with the same token', async () => {
    const server = await startServer(inTurnBy('503 lost good'))
    await makeClient(server.url).complete()
    const sent = server
      .completions()
      .map(({ path, body, headers }) => [path, body, headers.authorization])
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
    expect(server.logins()).toBe(1)
  })
})

describe('Retry-After', () => {
  const wait = (seconds: string): Answerer => answer(429, {}, { 'retry-after': seconds })

  it('of two is the longer one', async () => {
    const server = await startServer(inTurn(wait('20'), wait('5'), good))
    const clock = new TestClock('manual')
    const { complete } = makeClient(server.url, { clock })
    const both = Promise.all([complete(hashOf(1)), complete(hashOf(2))])
    await until(() => clock.sleeping === 2)
    clock.advance(5000)
    await until(() => clock.sleeping === 2)
    expect(server.completions()).toHaveLength(2)
    clock.advance(15_000)
    expect((await both).map(wordOf)).toEqual(['ok', 'ok'])
  })

  const inTwelve = new Date(START_MS + 12_000).toUTCString()
  const oneFails = ['unavailable/no', 'ok']
  it.each<[string, string, number, readonly string[], number]>([
    ['of the last try still holds back the others', '30', 1, oneFails, 30_000],
    ['of more than 60 s ends the tries of that artifact alone', '61', 3, oneFails, 0],
    ['as a date is counted from the clock of the run', inTwelve, 3, ['ok', 'ok'], 12_000],
    ['that is nonsense is answered with the backoff', 'soon', 3, ['ok', 'ok'], 500],
  ])('%s', async (_, value, maxAttempts, words, passedMs) => {
    const server = await startServer(inTurn(wait(value), good))
    const { complete, clock } = makeClient(server.url, { maxAttempts })
    expect([wordOf(await complete(hashOf(1))), wordOf(await complete(hashOf(2)))]).toEqual(words)
    expect(clock.passedMs).toBe(passedMs)
  })
})

describe('when the run is halted', () => {
  it.each([
    ['a call in flight may still end well', 'good', 'ok'],
    ['a call in flight that fails is not tried again', '503', 'cancelled/unknown'],
    ['a refusal to wait for is not tried again', '429', 'cancelled/no'],
    ['a 401 is followed by no login', '401', 'cancelled/no'],
  ])('%s', async (_, then, word) => {
    const server = await startServer((...given) => {
      world.halt.cancel()
      return inTurnBy(then)(...given)
    })
    const world = makeClient(server.url)
    expect(wordOf(await world.complete())).toBe(word)
    expect(server.seen).toHaveLength(2)
  })

  it.each([1, 3])(
    'a call in flight that is ended is lost, be it the last of %d',
    async maxAttempts => {
      const server = await startServer(() => {
        world.halt.cancel()
        world.halt.endCalls()
      })
      const world = makeClient(server.url, { maxAttempts })
      expect(wordOf(await world.complete())).toBe('cancelled/unknown')
      expect(server.completions()).toHaveLength(1)
      expect(world.retries).toEqual([])
    },
  )

  it.each<[string, ClientParts, word: string]>([
    ['its last', { maxAttempts: 1 }, 'unavailable/unknown'],
    ['its only one', { retryUnanswered: false }, 'unavailable/unknown'],
    ['followed by another', {}, 'not-saved/unknown'],
  ])(
    'a try that loses its answer, and is %s, has its own reason unless it would be tried again',
    async (_, parts, word) => {
      const lost = inTurnBy('lost')
      const server = await startServer((...given) => {
        world.halt.stop(notSavedFailure)
        return lost(...given)
      })
      const world = makeClient(server.url, parts)
      expect(wordOf(await world.complete())).toBe(word)
      expect(server.completions()).toHaveLength(1)
      expect(world.retries).toEqual([])
    },
  )

  it('before, nothing is sent or noted, and it has the code of the reason', async () => {
    const server = await startServer()
    const { complete, halt } = makeClient(server.url)
    halt.stop(notSavedFailure)
    const intent = makeIntent()
    expect(wordOf(await complete(HASH, intent))).toBe('not-saved/no')
    expect(server.seen).toEqual([])
    expect(intent.notes).toEqual([])
  })
})
