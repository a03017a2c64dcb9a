import { readFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { makeFailure, type Failure } from '../../src/failure.ts'
import type { Outcome } from '../../src/outcome.ts'
import type { Registration } from '../../src/plan.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { KnownRecords } from '../../src/records/known.ts'
import { parseRecords, readRecordsFile } from '../../src/records/reading.ts'
import { HashJournal } from '../../src/register/journal.ts'
import { registerOne, settle } from '../../src/register/registration.ts'
import { notarizeWith } from '../../src/service/notarize.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import {
  answer,
  atEnd,
  breakOff,
  closeAll,
  goodRecord,
  HASH,
  inTurn,
  makeClient,
  startServer,
  START_MS,
  SUBSCRIPTION,
  type Answerer,
} from '../service/support.ts'
import { cleanUp } from '../support/clean-up.ts'
import { source, subscription } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterEach(closeAll)
afterAll(cleanUp)

const openBefore = {
  ...{
    count: 2,
    at: '2026-01-31T12:00:00.000Z',
    runUrl: 'https://github.com/octo/app/actions/runs/1',
  },
  lines: 'lines 1, 2 of "records.jsonl"',
}

interface WorldOptions {
  readonly apiKey?: string
  readonly paymentId?: string | null
  /** Whether the records file can be written. */
  readonly canSave?: boolean
  readonly verificationUrl?: string
  readonly open?: Registration['open']
  readonly retryUnanswered?: boolean
  readonly name?: string
  readonly login?: Answerer
}

/** A registration at a service that answers so, and all that may come of it. */
async function startWorld(complete: Answerer, options: WorldOptions = {}) {
  const {
    paymentId = subscription.id,
    canSave = true,
    retryUnanswered = true,
    login,
    open = null,
  } = options
  const server = await startServer(complete, login)
  const apiKey = options.apiKey ?? 'the-api-key-0123456789'
  const { client, secrets, clock, halt } = makeClient(server.url, {
    apiKey,
    retryUnanswered,
    maxAttempts: 2,
  })
  const path = makeWorkspace().path('records.jsonl')
  const tail = { state: 'whole', goodBytes: 0 } as const
  const file = await RecordsFile.open(path, { tail, expectedBytes: 0, adopted: Buffer.alloc(0) })
  if (canSave) atEnd(() => file.close())
  else await file.close()
  const printed: string[] = []
  const journalOptions = {
    ...{ file, recordsPath: 'records.jsonl', service: server.url, source, secrets, clock, halt },
    ...{
      verificationUrl: options.verificationUrl ?? null,
      log: (line: string) => void printed.push(line),
    },
  }
  const registration = { hash: HASH, name: options.name ?? 'dist/app.zip', size: 7, open }
  let own: Failure | null = null
  const run = async (): Promise<Outcome> => {
    const notarize = notarizeWith(client, { id: paymentId, json: SUBSCRIPTION })
    const settled = await registerOne(registration, {
      ...journalOptions,
      notarize,
      retryUnanswered,
    })
    await settled.saved
    own = settled.failure
    return settled.outcome
  }
  const read = () => parseRecords(readRecordsFile(path, 'x'), 'x')
  return {
    ...{ run, halt, printed, server, close: () => file.close(), service: server.url, read, clock },
    journal: new HashJournal(registration, journalOptions),
    /** Why it failed by what this run sent. */
    own: () => own,
    text: () => readFileSync(path, 'utf8'),
    lines: () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map(line => parseJsonObject(line) ?? {}),
    known: () => new KnownRecords([read()], server.url).find(HASH)?.state,
  }
}

const good = answer(200, goodRecord)

const failureOf = (outcome: Outcome) => {
  if (outcome.state !== 'failed') throw new Error('it did not fail')
  return outcome.failure
}
const wordOf = (outcome: Outcome): string =>
  outcome.state === 'failed'
    ? `${outcome.failure.code}/${outcome.failure.registered}`
    : 'registered'

/** All lines of the hash, in a message for who is to remove them. */
const allLines = `all lines of its hash \\(${HASH}\\) from "records.jsonl"`
const howToSettle = expect.stringMatching(
  `look its hash up.*append its record.*if not, remove ${allLines}`,
)

const head = { artifact: 'dist/app.zip', size: 7, hash: HASH, source }

describe('a registration that went well', () => {
  it('is noted first, and then its record is kept', async () => {
    let before = ''
    const world = await startWorld((...given) => {
      before = world.text()
      return good(...given)
    })
    expect(await world.run()).toEqual({
      ...{
        state: 'registered',
        from: 'this-run',
        record: goodRecord,
        redacted: [],
        unansweredTries: 0,
      },
    })
    const { service } = world
    const at = new Date(START_MS).toISOString()
    expect(before.trimEnd()).toBe(world.text().split('\n')[0])
    expect(world.lines()).toEqual([
      { ...head, service, state: 'sent', at },
      { ...head, service, record: goodRecord, problems: [] },
    ])
    expect(world.read()).toMatchObject({ damage: [], tail: { state: 'whole' } })
    expect(world.known()).toBe('registered')
  })

  it.each<[string, Answerer, Registration['open'], number]>([
    ['at once', good, null, 0],
    ['after a lost answer', inTurn(breakOff, good), null, 1],
    ['after a refusal to wait for', inTurn(answer(429), good), null, 0],
    ['after what an earlier run left open', good, openBefore, 2],
    ['after both', inTurn(answer(500), good), openBefore, 3],
  ])('counts the tries without an answer: %s', async (_, complete, open, unansweredTries) => {
    const world = await startWorld(complete, { open })
    expect(await world.run()).toMatchObject({ state: 'registered', unansweredTries })
    const record = world.lines().at(-1)
    if (unansweredTries === 0) expect(record).not.toHaveProperty('unansweredTries')
    else expect(record).toMatchObject({ unansweredTries })
  })

  it('keeps every field of the record as it was written, numbers beyond all numbers included', async () => {
    const record = { ...goodRecord, tags: [1, { a: null }], 'odd/~name': 'x' }
    const text = `${JSON.stringify(record).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
    const world = await startWorld(answer(200, text))
    const outcome = await world.run()
    expect(outcome.state === 'registered' && JSON.stringify(outcome.record)).toBe(text)
    expect(world.text()).toContain(`"record":${text}`)
    expect(world.known()).toBe('registered')
  })

  it.each(['sub_of_somebody', null])(
    'is not compared by its payment id %s when the subscription has none',
    async paymentId => {
      const world = await startWorld(answer(200, { ...goodRecord, paymentId }), { paymentId: null })
      expect(wordOf(await world.run())).toBe('registered')
      expect(world.known()).toBe('registered')
    },
  )

  it('has its secrets replaced in the lines and in the outcome, and the places listed', async () => {
    const record = { ...goodRecord, description: 'by the-api-key-0123456789', payload: ['token-1'] }
    const name = 'dist/token-1.zip'
    const world = await startWorld(answer(200, record), { name })
    expect(await world.run()).toMatchObject({
      ...{ state: 'registered', record: { description: 'by ***', payload: ['***'] } },
      redacted: ['/description', '/payload/0'],
    })
    expect(world.text()).not.toMatch(/the-api-key|token-1/)
    expect(world.lines().at(-1)).toMatchObject({
      ...{ artifact: 'dist/***.zip', redacted: ['/description', '/payload/0'] },
    })
    expect(world.known()).toBe('registered')
  })

  it('has a link to look it up, if there is a template', async () => {
    const world = await startWorld(good, {
      verificationUrl: 'https://notary.example/verification/{hash}',
    })
    await world.run()
    expect(world.lines().at(-1)).toMatchObject({
      verificationUrl: `https://notary.example/verification/${HASH}`,
    })
  })
})

describe('a record that contradicts its request', () => {
  it.each<[string, JsonObject]>([
    ['custody', { custody: true }],
    ['hash', { hash: 'cd'.repeat(32) }],
    ['paymentId', { paymentId: 'sub_of_somebody' }],
    ['status', { status: 'pending' }],
    ['signed', { signed: 'no' }],
  ])('is kept with what is wrong, and is no registration: %s', async (field, changes) => {
    const record = { ...goodRecord, ...changes }
    const world = await startWorld(answer(200, record), { open: openBefore })
    const failure = failureOf(await world.run())
    expect(failure).toMatchObject({
      ...{ code: 'record-mismatch', registered: 'unknown', endsRun: false, isOutage: false },
      what: expect.stringContaining(field),
      remedy: expect.stringMatching(`ask the service.*not sent again: .*remove ${allLines}`),
    })
    expect(world.lines().at(-1)).toMatchObject({
      ...{ record, problems: [expect.stringContaining(field)], unansweredTries: 2 },
    })
    expect(world.known()).toBe('contradicted')
  })

  it('is not advised to be sent again', async () => {
    const { what, remedy } = failureOf(await (await startWorld(answer(200, {}))).run())
    expect(`${what}; ${remedy}`).not.toMatch(/run the job again/)
  })

  // Nothing but a whole secret is replaced, so that no part of one may be cut out before.
  it.each([
    ['status', ''],
    ['status', '.'.repeat(60)],
    ['hash', '.'.repeat(90)],
    ['paymentId', '.'.repeat(95)],
  ])('shows no part of a secret that the service puts into %s after %j', async (field, before) => {
    const apiKey = `${'key0'.repeat(40)}-end-of-the-key`
    const world = await startWorld(answer(200, { ...goodRecord, [field]: before + apiKey }), {
      apiKey,
    })
    const { what } = failureOf(await world.run())
    expect(what).toContain(field)
    expect(what + world.text()).not.toContain('key0')
  })
})

describe('a registration that failed', () => {
  const sent = ['sent']
  const settled = ['sent', 'not-registered']
  it.each<[string, Answerer, string, readonly string[], string | undefined]>([
    ['404', answer(404), 'refused/no', settled, undefined],
    ['403', answer(403), 'refused/no', settled, undefined],
    ['429 to the end', answer(429), 'unavailable/no', settled, undefined],
    ['503 to the end', answer(503), 'unavailable/unknown', ['sent', 'sent'], 'open'],
    ['503 and 404', inTurn(answer(503), answer(404)), 'refused/unknown', ['sent', 'sent'], 'open'],
    ['a page', answer(200, '<html>'), 'invalid-response/unknown', sent, 'open'],
  ])(
    'is settled exactly when it is certain that nothing was registered: %s',
    async (_, complete, word, states, known) => {
      const world = await startWorld(complete)
      expect(wordOf(await world.run())).toBe(word)
      expect(world.lines().map(({ state }) => state)).toEqual(states)
      expect(world.known()).toBe(known)
      expect(world.read().damage).toEqual([])
    },
  )

  it('for want of a login leaves no line', async () => {
    const world = await startWorld(good, { login: answer(401) })
    expect(failureOf(await world.run())).toMatchObject({
      code: 'login-refused',
      registered: 'no',
      endsRun: true,
    })
    expect(world.text()).toBe('')
  })

  it.each<[string, Answerer, Registration['open'], string]>([
    ['409, left open', answer(409), openBefore, 'settled'],
    ['404, left open', answer(404), openBefore, 'settled'],
    ['402, left open', answer(402), openBefore, 'settled'],
    ['404 after a lost try', inTurn(breakOff, answer(404)), null, 'open'],
    ['402 after a lost try', inTurn(breakOff, answer(402)), null, 'open'],
    ['404 after a lost try, left open', inTurn(breakOff, answer(404)), openBefore, 'open'],
  ])('that may be registered says how to settle it: %s', async (_, complete, open, ends) => {
    const world = await startWorld(complete, { open })
    const failure = failureOf(await world.run())
    expect(failure).toMatchObject({ code: 'refused', registered: 'unknown', remedy: howToSettle })
    const earlier = `the service refuses it, and the earlier run of ${openBefore.at}, ${openBefore.runUrl} sent it and read no answer, so it is probably registered`
    expect(failure.what.includes(earlier)).toBe(open !== null)
    // What this run noted is settled though what an earlier one did stays open.
    expect(world.known()).toBe(ends === 'settled' ? undefined : 'open')
    // The breaker stops by what this run met, and speaks of no other hash.
    expect(world.own()?.what).not.toContain(openBefore.at)
  })

  it('with retry-unanswered: false says how a person settles it', async () => {
    const world = await startWorld(breakOff, { retryUnanswered: false })
    expect(failureOf(await world.run())).toMatchObject({
      ...{ code: 'unavailable', registered: 'unknown', isDeferrable: false },
      remedy: howToSettle,
    })
    expect(world.server.completions()).toHaveLength(1)
    expect(world.known()).toBe('open')
  })
})

it.each([
  ['refused', true],
  ['request-refused', true],
  // Not tried.
  ['refused', false],
  ['unavailable', false],
  ['login-refused', false],
  ['cancelled', false],
  ['not-saved', false],
  ['internal-error', false],
] as const)('what an earlier run left open stays so under the code %s', (code, isRefused) => {
  const given = { code, what: 'it failed', remedy: 'do this', endsRun: true, isOutage: true }
  const failure = makeFailure(given)
  const registration = { hash: HASH, name: 'a', size: 1, open: null }
  expect(settle(registration, failure, isRefused).failure).toBe(failure)
  const settledWith = (open: Registration['open']): Failure =>
    settle({ ...registration, open }, failure, isRefused).failure
  const { what, ...rest } = settledWith(openBefore)
  expect(rest).toMatchObject({
    ...{ code, registered: 'unknown', remedy: 'do this', endsRun: true, isOutage: true },
  })
  expect(what).toContain(openBefore.at)
  expect(/refuses it.*probably registered/.test(what)).toBe(isRefused)
  expect(settledWith({ ...openBefore, runUrl: null }).what).toMatch(
    /run of 2026-01-31T12:00:00.000Z sent it/,
  )
})

describe('the lines of a hash', () => {
  it('have moments of their own, though the clock stands still or steps back', async () => {
    const { journal, clock, lines, known } = await startWorld(good)
    expect(journal.isNoted).toBe(false)
    for (let count = 0; count < 3; count++) {
      expect(await journal.note()).toBe(true)
      if (count === 1) clock.set(-60_000)
    }
    expect(journal.isNoted).toBe(true)
    const moments = lines().map(({ at }) => at)
    expect(new Set(moments).size).toBe(3)
    expect(moments).toEqual(moments.toSorted())
    expect(known()).toBe('open')
    await journal.settle()
    expect(lines().map(({ state }) => state)).toEqual([
      ...['sent', 'sent', 'sent', 'not-registered', 'not-registered', 'not-registered'],
    ])
    expect(known()).toBeUndefined()
  })

  it('are in the order in which they were written, whatever is waited for', async () => {
    const { journal, lines } = await startWorld(good)
    const kept = { record: goodRecord, redacted: [] }
    await Promise.all([journal.note(), journal.keep({ kept, problems: [], unansweredTries: 0 })])
    expect(lines().map(line => Object.keys(line).includes('record'))).toEqual([false, true])
  })
})

describe('a line that cannot be saved', () => {
  it('of what is to be sent: nothing is sent, and the run is halted', async () => {
    const world = await startWorld(good, { canSave: false })
    expect(wordOf(await world.run())).toBe('not-saved/no')
    expect(world.server.completions()).toHaveLength(0)
    expect(world.halt.reason).toMatchObject({ code: 'not-saved' })
    expect(world.halt.signal.aborted).toBe(true)
    // No record is missing, and no line is printed that could be added.
    expect(world.halt.hasUnsaved).toBe(false)
    expect(world.halt.reason?.remedy).not.toContain('by hand')
    expect(world.printed).toEqual([
      expect.stringMatching(/^The records file could not be written: .*EBADF/),
    ])
  })

  it.each(['keep', 'settle'] as const)('of what came of it is printed whole: %s', async what => {
    const name = 'a##[error]\u0007'
    const { journal, halt, printed, close, service } = await startWorld(good, { name })
    expect(await journal.note()).toBe(true)
    await close()
    const kept = { record: goodRecord, redacted: [] }
    if (what === 'keep') await journal.keep({ kept, problems: [], unansweredTries: 1 })
    else await journal.settle()
    expect(halt.reason).toMatchObject({ code: 'not-saved' })
    expect(halt.kill.aborted).toBe(false)
    expect(halt.hasUnsaved).toBe(what === 'keep')
    const [explanation = '', line = '', ...more] = printed
    expect({ explanation, more }).toEqual({
      explanation: expect.stringContaining('by hand'),
      more: [],
    })
    expect(line).not.toMatch(/##\[|\p{Cc}/u)
    const rest = { record: goodRecord, unansweredTries: 1, problems: [] }
    const state = { state: 'not-registered', at: new Date(START_MS).toISOString() }
    expect(parseJsonObject(line)).toEqual({
      ...{ ...head, artifact: name, service },
      ...(what === 'keep' ? rest : state),
    })
  })

  it.each([false, true])(
    'of a record that contradicts its request is not said to be in the file (cancelled before: %s)',
    async wasCancelled => {
      const world = await startWorld(async (...given) => {
        if (wasCancelled) world.halt.cancel()
        await world.close()
        answer(200, { ...goodRecord, custody: true })(...given)
      })
      const failure = failureOf(await world.run())
      expect(failure).toMatchObject({ code: 'record-mismatch', registered: 'unknown' })
      expect(failure.remedy).not.toContain('the records file keeps the answer')
      expect(world.printed).toHaveLength(2)
    },
  )

  it('of a record counts as registered all the same', async () => {
    const world = await startWorld(async (...given) => {
      await world.close()
      good(...given)
    })
    expect(wordOf(await world.run())).toBe('registered')
    expect(world.halt.hasUnsaved).toBe(true)
    expect(world.printed).toHaveLength(2)
  })
})
