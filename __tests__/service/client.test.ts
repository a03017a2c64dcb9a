import { afterEach, describe, expect, it } from '@jest/globals'
import { redirectFault, resetFault, silenceFault, startSimulator } from '../../simulator/index.ts'
import type { Completion } from '../../src/service/core/client.ts'
import type { Reason } from '../../src/service/core/failures.ts'
import {
  answer,
  API_KEY,
  breakOff,
  closeAll,
  goodRecord,
  HASH,
  hashOf,
  makeClient,
  startServer,
  startService,
  START_MS,
  SUBSCRIPTION,
  TestClock,
  told,
  until,
  type Answerer,
} from './support.ts'

afterEach(closeAll)

const stopReason: Reason = { code: 'cancelled', what: 'a signal came', remedy: 'run it again' }

/** Answers one completion after the other; the last answer stays. */
const inTurn =
  (...answers: readonly Answerer[]): Answerer =>
  (response, seen, nth) =>
    (answers[nth - 1] ?? answers.at(-1))?.(response, seen, nth)

/** What came of one completion, and how many requests for it the service saw. */
async function outcomeOf(
  complete: Answerer,
  maxAttempts = 3,
): Promise<{
  readonly completion: Completion
  readonly requests: number
  readonly waits: readonly number[]
}> {
  const server = await startServer(complete)
  const world = makeClient(server.url, { maxAttempts })
  const completion = await world.complete()
  return { completion, requests: server.completions().length, waits: world.clock.waits }
}

describe('a completion', () => {
  it('asks as specified: path, headers and the subscription as it was given', async () => {
    const server = await startServer()
    await makeClient(`${server.url}/notary`).complete()
    const [seen] = server.completions()
    expect(seen).toMatchObject({
      method: 'POST',
      path: `/notary/api/v2/registration/${HASH}/forfait`,
      body: SUBSCRIPTION,
    })
    expect(seen?.headers['content-type']).toBe('application/json')
  })

  it.each([200, 201, 299])(
    'gives the record of an answer with %d, every field kept',
    async status => {
      const record = { ...goodRecord, extra: { deep: [1, null] } }
      const { completion, requests } = await outcomeOf(answer(status, record))
      expect(completion).toEqual({ kind: 'record', record })
      expect(requests).toBe(1)
    },
  )

  it('gives a record that contradicts the request as well: it may be paid for', async () => {
    const { completion } = await outcomeOf(answer(200, {}))
    expect(completion).toEqual({ kind: 'record', record: {} })
  })
})

describe('the answers of the service', () => {
  const refused = { code: 'refused', registered: 'no', requests: 1 }
  const busy = { code: 'unavailable', registered: 'no', requests: 3 }
  const broken = { code: 'unavailable', registered: 'unknown', requests: 3 }
  const odd = { code: 'invalid-response', registered: 'unknown', requests: 1 }
  const isOutage = true
  it.each([
    ...[400, 404, 405, 409, 410, 415, 418, 422, 451, 499].map(status => ({ status, ...refused })),
    ...[402, 403].map(status => ({ status, ...refused, isOutage })),
    ...[408, 425, 429].map(status => ({ status, ...busy, isOutage })),
    ...[500, 502, 503, 504].map(status => ({ status, ...broken, isOutage })),
    ...[501, 505, 507, 599].map(status => ({ status, ...broken, requests: 1, isOutage })),
    ...[300, 301, 302, 303, 304, 307, 308, 600, 999].map(status => ({ status, ...odd })),
  ])('mean what the contract says: $status', async row => {
    const { completion, requests } = await outcomeOf(
      row.status === 304 ? response => response.writeHead(304).end() : answer(row.status),
    )
    expect(told(completion)).toMatchObject({ code: row.code, registered: row.registered })
    expect(completion).toMatchObject({ isOutage: 'isOutage' in row, endsRun: null })
    expect(requests).toBe(row.requests)
  })

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['a page', '<html></html>'],
    ['an array', [goodRecord]],
    ['null', 'null'],
    ['text', '"registered"'],
    ['half of an object', '{"hash":'],
    ['an object nested too deep', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['more than 1 MiB', JSON.stringify({ ...goodRecord, description: 'x'.repeat(1_048_576) })],
  ])('cannot be understood when a 200 comes with %s', async (_, body) => {
    const { completion, requests } = await outcomeOf(answer(200, body))
    expect(told(completion)).toMatchObject({ code: 'invalid-response', registered: 'unknown' })
    expect(completion).toMatchObject({ isOutage: false })
    expect(requests).toBe(1)
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'a switch of the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    ],
  ])('cannot be understood when they are %s', async (_, bytes) => {
    const { completion, requests } = await outcomeOf((__, { socket }) => socket.write(bytes))
    expect(told(completion)).toMatchObject({ code: 'invalid-response', registered: 'unknown' })
    expect(told(completion).message).toContain('base-url')
    expect(requests).toBe(1)
  })

  it('are refusals with nothing done also when a 4xx has a body over the limit', async () => {
    const { completion } = await outcomeOf(answer(404, 'x'.repeat(1_100_000)))
    expect(told(completion)).toMatchObject({ registered: 'no' })
  })

  it('that refuse are told with the hint that an earlier run may have registered it', async () => {
    const { completion } = await outcomeOf(answer(409, { error: 'hash is already registered' }))
    expect(told(completion).message).toContain('hash is already registered')
    expect(told(completion).message).toMatch(
      /may have been registered by an earlier run whose records file is not here/,
    )
  })

  it('are told without secrets, in one line, cut, and without pages of HTML', async () => {
    const echo = `you sent ${API_KEY} with token-1\n::error::x ${'y'.repeat(5000)}`
    const { message } = told((await outcomeOf(answer(400, { message: echo }))).completion)
    expect(message).not.toContain(API_KEY)
    expect(message).not.toContain('token-1')
    expect(message).toContain('you sent ***')
    expect(message).not.toMatch(/\n/)
    expect(message.length).toBeLessThan(1000)
    expect(message).toContain('cut')
    const page = told((await outcomeOf(answer(400, '<html><b>no</b></html>'))).completion)
    expect(page.message).not.toContain('<b>')
  })

  it('do not show a slice of a secret that stands across the cut', async () => {
    const apiKey = 'k'.repeat(10) + 'secret-key-material'.repeat(20)
    const server = await startServer(answer(400, { error: `${'.'.repeat(150)}${apiKey}` }))
    const { complete } = makeClient(server.url, { apiKey })
    expect(told(await complete()).message).not.toMatch(/kkkk|secret-key/)
  })
})

describe('whether it may be registered', () => {
  it.each([
    ['429 and then a refusal', 'refused', 'no', [answer(429), answer(404)]],
    ['401 and then a refusal', 'refused', 'no', [answer(401), answer(404)]],
    ['only refusals', 'unavailable', 'no', [answer(408), answer(425), answer(429)]],
    ['503 and then a refusal', 'refused', 'unknown', [answer(503), answer(409)]],
    ['no answer and then a refusal', 'refused', 'unknown', [breakOff, answer(409)]],
    ['no answer and then 401 twice', 'login-refused', 'unknown', [breakOff, answer(401)]],
    ['401 and then no answer', 'unavailable', 'unknown', [answer(401), breakOff]],
    ['a refusal after all else', 'refused', 'unknown', [answer(429), answer(500), answer(400)]],
    ['429 and then a redirect', 'invalid-response', 'unknown', [answer(429), answer(302)]],
    ['never an answer', 'unavailable', 'unknown', [breakOff]],
  ] as const)('after %s is: %s, %s', async (_, code, registered, answers) => {
    const { completion } = await outcomeOf(inTurn(...answers))
    expect(told(completion)).toMatchObject({ code, registered })
  })

  it('is no when no try found the service', async () => {
    const shut = { connection: 'close' }
    const server = await startServer(
      answer(200, goodRecord, shut),
      answer(200, { token: 'token-1' }, shut),
    )
    const { complete, clock } = makeClient(server.url, { maxAttempts: 4 })
    expect((await complete()).kind).toBe('record')
    await server.close()
    const completion = await complete()
    expect(told(completion)).toMatchObject({ code: 'unavailable', registered: 'no' })
    expect(completion).toMatchObject({ isOutage: true, endsRun: null })
    expect(clock.waits).toEqual([500, 1000, 2000])
  })

  it.each(['request-read', 'done', 'mid-headers', 'mid-body'] as const)(
    'is unknown when the connection breaks at %s',
    async at => {
      const service = await startService({
        faults: [{ endpoint: 'completion', fault: resetFault(at) }],
      })
      const { complete } = makeClient(service.url, { maxAttempts: 1 })
      expect(told(await complete())).toMatchObject({ code: 'unavailable', registered: 'unknown' })
    },
  )

  it('is unknown after a silence until the deadline', async () => {
    const service = await startService({
      faults: [{ endpoint: 'completion', fault: silenceFault({ done: true }) }],
    })
    const { complete } = makeClient(service.url, { maxAttempts: 2, timeoutMs: 200 })
    expect(told(await complete())).toMatchObject({ code: 'unavailable', registered: 'unknown' })
    expect(service.completionCounts.get(HASH)).toBe(2)
  })

  it('speaks of the completion, not of the login: no login, nothing registered', async () => {
    const server = await startServer(undefined, breakOff)
    const { complete } = makeClient(server.url)
    expect(told(await complete())).toMatchObject({ code: 'unavailable', registered: 'no' })
  })

  it('is unknown when a redirect was met, which is not followed', async () => {
    const target = await startSimulator()
    const service = await startService({
      faults: [{ endpoint: 'completion', fault: redirectFault(`${target.url}/x`) }],
    })
    const { complete } = makeClient(service.url)
    expect(told(await complete())).toMatchObject({
      code: 'invalid-response',
      registered: 'unknown',
    })
    expect(target.requests).toEqual([])
    await target.close()
  })
})

describe('tries', () => {
  it.each([1, 2, 5])('are %d at most, with growing waits between them', async maxAttempts => {
    const { requests, waits } = await outcomeOf(answer(503), maxAttempts)
    expect(requests).toBe(maxAttempts)
    expect(waits).toEqual([500, 1000, 2000, 4000].slice(0, maxAttempts - 1))
  })

  it('end with the first good answer', async () => {
    const { completion, requests } = await outcomeOf(
      inTurn(answer(503), breakOff, answer(200, goodRecord)),
    )
    expect(completion.kind).toBe('record')
    expect(requests).toBe(3)
  })

  it('repeat the same request', async () => {
    const server = await startServer(inTurn(answer(503), breakOff, answer(200, goodRecord)))
    await makeClient(server.url).complete()
    const what = server
      .completions()
      .map(({ path, body, headers }) => [path, body, headers.authorization])
    expect(new Set(what.map(part => JSON.stringify(part))).size).toBe(1)
    expect(server.logins()).toBe(1)
  })
})

describe('Retry-After', () => {
  const wait = (seconds: string, status = 429): Answerer =>
    answer(status, {}, { 'retry-after': seconds })
  const good = answer(200, goodRecord)

  it('holds back all workers, and no longer', async () => {
    const server = await startServer(inTurn(wait('10'), good))
    const clock = new TestClock('manual')
    const { complete } = makeClient(server.url, { clock })
    const first = complete(hashOf(1))
    await until(() => clock.sleeping === 1)
    const others = [complete(hashOf(2)), complete(hashOf(3))]
    await until(() => clock.sleeping === 3)
    clock.advance(9999)
    expect(clock.sleeping).toBe(3)
    expect(server.completions()).toHaveLength(1)
    clock.advance(1)
    const completions = await Promise.all([first, ...others])
    expect(completions.map(({ kind }) => kind)).toEqual(['record', 'record', 'record'])
    expect(server.completions()).toHaveLength(4)
    expect(clock.waits.every(ms => ms <= 10_000)).toBe(true)
  })

  it('of the login holds back, too', async () => {
    const server = await startServer(good, (response, seen, nth) =>
      (nth === 1 ? wait('7', 503) : answer(200, { token: 'token-2' }))(response, seen, nth),
    )
    const { complete, clock } = makeClient(server.url)
    expect((await complete()).kind).toBe('record')
    expect(clock.waits).toEqual([7000])
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
    expect((await both).map(({ kind }) => kind)).toEqual(['record', 'record'])
  })

  it('of the last try still holds back the others', async () => {
    const server = await startServer(inTurn(wait('30'), good))
    const { complete, clock } = makeClient(server.url, { maxAttempts: 1 })
    expect(told(await complete(hashOf(1)))).toMatchObject({ code: 'unavailable', registered: 'no' })
    expect((await complete(hashOf(2))).kind).toBe('record')
    expect(clock.now()).toBe(START_MS + 30_000)
  })

  it('of more than 60 s ends the tries of that artifact alone', async () => {
    const server = await startServer(inTurn(wait('61'), good))
    const { complete, clock } = makeClient(server.url)
    expect(told(await complete(hashOf(1)))).toMatchObject({ code: 'unavailable', registered: 'no' })
    expect((await complete(hashOf(2))).kind).toBe('record')
    expect(clock.waits).toEqual([])
  })

  it('as a date is counted from the clock of the run', async () => {
    const date = new Date(START_MS + 12_000).toUTCString()
    const server = await startServer(inTurn(wait(date), good))
    const { complete, clock } = makeClient(server.url)
    expect((await complete()).kind).toBe('record')
    expect(clock.waits[0]).toBe(12_000)
  })

  it('that is nonsense is answered with the backoff', async () => {
    const { completion, waits } = await outcomeOf(inTurn(wait('soon'), good))
    expect(completion.kind).toBe('record')
    expect(waits).toEqual([500])
  })
})

describe('when the run is stopped', () => {
  it('nothing is sent any more', async () => {
    const server = await startServer()
    const { complete, halt } = makeClient(server.url)
    halt.stop(stopReason)
    expect(told(await complete())).toMatchObject({ code: 'cancelled', registered: 'no' })
    expect(server.seen).toEqual([])
  })

  it('a call in flight may still end well', async () => {
    const server = await startServer((response, seen, nth) => {
      halt.stop(stopReason)
      answer(200, goodRecord)(response, seen, nth)
    })
    const { complete, halt } = makeClient(server.url)
    expect((await complete()).kind).toBe('record')
  })

  it('a call in flight that is broken off may have been carried out', async () => {
    const server = await startServer(() => {
      halt.stop(stopReason)
      halt.kill_()
    })
    const { complete, halt } = makeClient(server.url)
    expect(told(await complete())).toMatchObject({ code: 'cancelled', registered: 'unknown' })
  })

  it('a call in flight that fails is not tried again', async () => {
    const server = await startServer((response, seen, nth) => {
      halt.stop(stopReason)
      answer(503)(response, seen, nth)
    })
    const { complete, halt } = makeClient(server.url)
    expect(told(await complete())).toMatchObject({ code: 'cancelled', registered: 'unknown' })
    expect(server.completions()).toHaveLength(1)
  })

  it('a 401 is followed by no login', async () => {
    const server = await startServer((response, seen, nth) => {
      halt.stop(stopReason)
      answer(401)(response, seen, nth)
    })
    const { complete, halt } = makeClient(server.url)
    expect(told(await complete())).toMatchObject({ code: 'cancelled', registered: 'no' })
    expect(server.seen).toHaveLength(2)
  })

  it.each([
    [503, 'unknown'],
    [429, 'no'],
  ])('a wait after %d ends at once, and it is %s', async (status, registered) => {
    const server = await startServer(answer(status, {}, { 'retry-after': '50' }))
    const clock = new TestClock('manual')
    const { complete, halt } = makeClient(server.url, { clock })
    const completion = complete()
    await until(() => clock.sleeping === 1)
    halt.stop(stopReason)
    expect(told(await completion)).toMatchObject({ code: 'cancelled', registered })
    expect(clock.sleeping).toBe(0)
    expect(server.completions()).toHaveLength(1)
  })

  it('a login in flight is broken off at once, and nothing was registered', async () => {
    const server = await startServer(undefined, () => {
      halt.stop(stopReason)
    })
    const { complete, halt } = makeClient(server.url, { timeoutMs: 20_000 })
    const startedAt = performance.now()
    expect(told(await complete())).toMatchObject({ code: 'cancelled', registered: 'no' })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(server.completions()).toEqual([])
  })

  it('for another reason, what is left has the code of that', async () => {
    const server = await startServer()
    const { complete, halt } = makeClient(server.url)
    halt.stop({ code: 'not-saved', what: 'the disk is full', remedy: 'make room' })
    expect(told(await complete())).toMatchObject({ code: 'not-saved', registered: 'no' })
    expect(server.seen).toEqual([])
  })
})
