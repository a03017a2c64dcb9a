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
  raw,
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
  const intent = makeIntent()
  const reply = await world.complete(HASH, intent)
  const requests = server.completions().length
  return { reply, word: wordOf(reply), requests, notes: intent.notes.length, ...world }
}

describe('a completion', () => {
  it.each([
    [200, { ...goodRecord, extra: { deep: [1, null] } }],
    [201, goodRecord],
    // It contradicts the request, but may be paid for.
    [299, {}],
  ])('gives the record of an answer with %d, every field kept', async (status, record) => {
    const { reply, requests } = await outcomeOf(answer(status, record))
    const text = JSON.stringify(record)
    expect({ reply, requests }).toEqual({
      reply: { object: record, text, unansweredTries: 0 },
      requests: 1,
    })
  })
})

describe('the answers of the service', () => {
  const both = ['outage', 'deferrable']
  it.each<[readonly number[], string, number, readonly string[]]>([
    [[400, 404, 405, 409, 410, 418, 422, 451, 499], 'refused/no', 1, []],
    [[402, 403], 'refused/no', 1, ['outage']],
    [[408, 425, 429], 'unavailable/no', 3, both],
    [[500, 502, 503, 504], 'unavailable/unknown', 3, both],
    [[501, 505, 599], 'unavailable/unknown', 1, both],
    [[300, 301, 302, 303, 307, 308, 600, 999], 'invalid-response/unknown', 1, []],
  ])(
    'mean what the contract says: %j is %s after %d tries',
    async (statuses, word, tries, marks) => {
      for (const status of statuses) {
        const { reply, ...seen } = await outcomeOf(answer(status))
        expect(seen).toMatchObject({ word, requests: tries })
        expect(failureIn(reply)).toMatchObject({
          ...{ status, endsRun: false },
          ...{ isOutage: marks.includes('outage'), isDeferrable: marks.includes('deferrable') },
        })
      }
    },
  )

  it.each<[string, Answerer]>([
    ['304 and nothing', response => response.writeHead(304).end()],
    ['no HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n')],
    ['another protocol', raw('HTTP/1.1 101 No\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')],
    ['shorter than what follows', raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"a":1}')],
    ['compressed unasked', answer(200, '\x1f\x8b\x08\x00', { 'content-encoding': 'gzip' })],
    ['behind a head of 100 kB', answer(200, '{}', { x: 'x'.repeat(100_000) })],
    ['a body over the limit', answer(200, 'x'.repeat(1_100_000))],
  ])('cannot be understood when they are %s', async (_, complete) => {
    const { reply, word, requests } = await outcomeOf(complete)
    expect({ word, requests }).toEqual({ word: 'invalid-response/unknown', requests: 1 })
    expect(failureIn(reply)).toMatchObject({ isOutage: false, isDeferrable: false })
    expect(failureIn(reply).remedy).toContain('base-url')
  })

  it.each<[string, Answerer]>([
    ['has a body over the limit', answer(404, 'x'.repeat(1_100_000))],
    [
      'comes right before a reset',
      ({ socket }) =>
        socket?.write('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\n{}', () => socket.destroy()),
    ],
  ])('are refusals with nothing done also when a 4xx %s', async (_, complete) => {
    expect((await outcomeOf(complete)).word).toMatch('/no')
  })

  it('are shown without secrets, in one line, and cut after that', async () => {
    const echo = `${'.'.repeat(150)}${API_KEY} token-1\n::error::x ${'y'.repeat(5000)}`
    const { what } = failureIn((await outcomeOf(answer(400, { message: echo }))).reply)
    expect(what).toMatch(/\.\*\*\* /)
    expect(what).not.toMatch(/\n|token-1|sim-api/)
    expect(what.length).toBeLessThan(1000)
    expect(what).toContain('cut')
  })
})

describe('whether it may be registered', () => {
  it.each([
    ['lost 401', 'login-refused/unknown', 2],
    ['401 lost', 'unavailable/unknown', 3],
    ['429 500 400', 'refused/unknown', 2],
    ['lost 503 good', 'ok', 3],
    ['401 429 good', 'ok', 1],
  ])('after %s: %s, noted %d times', async (names, word, notes) => {
    const seen = await outcomeOf(names)
    expect(seen).toMatchObject({ word, notes })
    if (!('failure' in seen.reply)) expect(seen.reply.unansweredTries).toBe(notes - 1)
  })

  it('is no when no try found the service, which is noted once', async () => {
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
})

describe('with retry-unanswered: false', () => {
  const once = { retryUnanswered: false }
  it.each([
    ['503 good', 'unavailable/unknown', 1],
    ['lost good', 'unavailable/unknown', 1],
    ['silent good', 'unavailable/unknown', 1],
    ['429 lost good', 'unavailable/unknown', 2],
    ['429 good', 'ok', 2],
    ['401 good', 'ok', 2],
    ['404 good', 'refused/no', 1],
    ['page good', 'invalid-response/unknown', 1],
  ])('what may have acted is never sent again: %s', async (names, word, requests) => {
    const seen = await outcomeOf(names, { ...once, timeoutMs: 500 })
    expect(seen).toMatchObject({ word, requests, notes: 1 })
    if ('failure' in seen.reply) expect(seen.reply.failure.isDeferrable).toBe(false)
  })

  it('a connection that cannot be made is tried again, and so is a login', async () => {
    const shut = { connection: 'close' }
    const login = inTurn(breakOff, answer(200, { token: 'token-1' }, shut))
    const server = await startServer(answer(200, goodRecord, shut), login)
    const { complete, retries } = makeClient(server.url, once)
    expect(wordOf(await complete())).toBe('ok')
    await server.close()
    expect(wordOf(await complete(hashOf(1)))).toBe('unavailable/no')
    expect(retries.map(({ call }) => call)).toEqual([
      ...['the login', 'the registration', 'the registration'],
    ])
  })
})

describe('an intent', () => {
  it('is noted after the login and before the request, which waits for it', async () => {
    const order: string[] = []
    const server = await startServer(
      (...given) => (order.push('completion'), good(...given)),
      (response, seen, nth) => (
        order.push('login'),
        answer(200, { token: 'token-1' })(response, seen, nth)
      ),
    )
    const intent = makeIntent(async () => {
      await new Promise(resolve => setTimeout(resolve, 30))
      order.push('noted')
      return true
    })
    await makeClient(server.url).complete(HASH, intent)
    expect(order).toEqual(['login', 'noted', 'completion'])
  })

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

  it('is not noted anew where one is, unless a try was lost', async () => {
    const server = await startServer(inTurnBy('good lost good'))
    const { complete } = makeClient(server.url)
    const intent = makeIntent()
    await complete(HASH, intent)
    await complete(HASH, intent)
    expect(intent.notes).toHaveLength(2)
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
    expect(retries).toEqual(
      clock.waits.map((waitMs, index) => ({
        ...{ call: 'the registration', artifact: 'app.zip' },
        ...{ tries: index + 1, maxAttempts, waitMs },
        why: expect.stringContaining('HTTP 503'),
      })),
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

  it('holds back all workers, and no longer, whatever becomes of the clock meanwhile', async () => {
    const server = await startServer(inTurn(wait('10'), good))
    const clock = new TestClock('manual')
    const { complete } = makeClient(server.url, { clock })
    const first = complete(hashOf(1))
    await until(() => clock.sleeping === 1)
    const others = [complete(hashOf(2)), complete(hashOf(3))]
    await until(() => clock.sleeping === 3)
    clock.set(-3_600_000)
    clock.advance(9999)
    expect(clock.sleeping).toBe(3)
    expect(server.completions()).toHaveLength(1)
    clock.advance(1)
    expect((await Promise.all([first, ...others])).map(wordOf)).toEqual(['ok', 'ok', 'ok'])
    expect(server.completions()).toHaveLength(4)
    expect(clock.waits.every(ms => ms <= 10_000)).toBe(true)
  })

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
  /** Completes at a service that halts the run with its first answer to a login, or to a completion. */
  const haltAt = async (call: 'login' | 'completion', then: string, isKilled = false) => {
    const halting: Answerer = (...given) => {
      world.halt.cancel()
      if (isKilled) world.halt.endCalls()
      return inTurnBy(then)(...given)
    }
    const server = await (call === 'login' ? startServer(good, halting) : startServer(halting))
    const world = makeClient(server.url, { timeoutMs: 20_000 })
    return { word: wordOf(await world.complete()), requests: server.seen.length }
  }

  it.each([
    ['a call in flight may still end well', 'good', 'ok'],
    ['a call in flight that fails is not tried again', '503', 'cancelled/unknown'],
    ['a refusal to wait for is not tried again', '429', 'cancelled/no'],
    ['a 401 is followed by no login', '401', 'cancelled/no'],
  ])('%s', async (_, then, word) => {
    expect(await haltAt('completion', then)).toEqual({ word, requests: 2 })
  })

  it('a call in flight that is ended may have been carried out', async () => {
    const ended = await haltAt('completion', 'silent', true)
    expect(ended).toEqual({ word: 'cancelled/unknown', requests: 2 })
  })

  it('a login in flight is ended at once, and nothing was registered', async () => {
    const startedAt = performance.now()
    expect(await haltAt('login', 'silent')).toEqual({ word: 'cancelled/no', requests: 1 })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it.each([
    [503, 'cancelled/unknown'],
    [429, 'cancelled/no'],
  ])('a wait after %d ends at once: %s', async (status, word) => {
    const server = await startServer(answer(status, {}, { 'retry-after': '50' }))
    const clock = new TestClock('manual')
    const { complete, halt } = makeClient(server.url, { clock })
    const completion = complete()
    await until(() => clock.sleeping === 1)
    halt.cancel()
    expect(wordOf(await completion)).toBe(word)
    expect(clock.sleeping).toBe(0)
    expect(server.completions()).toHaveLength(1)
  })

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
