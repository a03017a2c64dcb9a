import { readFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { FailureError, makeFailure, type Failure } from '../../src/failure.ts'
import type { Outcome } from '../../src/outcome.ts'
import type { Registration } from '../../src/plan.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { KnownRecords } from '../../src/records/known.ts'
import { parseRecords, readRecordsFile } from '../../src/records/reading.ts'
import { HashJournal } from '../../src/register/journal.ts'
import { registerOne } from '../../src/register/registration.ts'
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
  ...{ count: 2, at: '2026-01-31T12:00:00.000Z', lines: 'lines 1, 2 of "records.jsonl"' },
  runUrl: 'https://github.com/octo/app/actions/runs/1',
}
type Open = Registration['open']

interface WorldOptions {
  readonly apiKey?: string
  /** Whether the records file can be written. */
  readonly canSave?: boolean
  readonly verificationUrl?: string
  readonly open?: Open
  readonly retryUnanswered?: boolean
  readonly name?: string
  readonly login?: Answerer
}

/** A registration at a service that answers so, and all that may come of it. */
async function startWorld(complete: Answerer, options: WorldOptions = {}) {
  const { apiKey = 'the-api-key-0123456789' } = options
  const { name = 'dist/app.zip', open = null, retryUnanswered = true, canSave = true } = options
  const server = await startServer(complete, options.login)
  const parts = { apiKey, retryUnanswered, maxAttempts: 2 }
  const { client, secrets, clock, halt } = makeClient(server.url, parts)
  const path = makeWorkspace().path('records.jsonl')
  const read = () => parseRecords(readRecordsFile(path, 'x'), 'x')
  const { tail } = read()
  const file = await RecordsFile.open(path, { tail, expectedBytes: 0, adopted: Buffer.alloc(0) })
  if (canSave) atEnd(() => file.close())
  else await file.close()
  const printed: string[] = []
  const journalOptions = {
    ...{ file, secrets, clock, halt, environment: { source } },
    inputs: {
      ...{ baseUrl: server.url, recordsPath: 'records.jsonl', retryUnanswered },
      verificationUrl: options.verificationUrl ?? null,
    },
    runner: { info: (line: string) => void printed.push(line) },
  }
  const registration = { hash: HASH, name, size: 7, open }
  const usual = client.completeWith({ id: subscription.id, json: SUBSCRIPTION })
  const run = async (notarize = usual) => {
    const { saved, ...tried } = await registerOne(registration, { ...journalOptions, notarize })
    await saved
    return tried
  }
  const text = (): string => readFileSync(path, 'utf8')
  return {
    ...{ run, halt, printed, server, close: () => file.close(), service: server.url, clock, text },
    journal: new HashJournal(registration, journalOptions),
    lines: () => (text().match(/.+/g) ?? []).map(line => parseJsonObject(line) ?? {}),
    known: () => new KnownRecords([read()], new Set([server.url])).find(HASH)?.state,
  }
}

const good = answer(200, goodRecord)

const failureOf = ({ outcome }: { readonly outcome: Outcome }): Failure => {
  if (outcome.state !== 'failed') throw new Error('it did not fail')
  return outcome.failure
}
const wordOf = ({ outcome }: { readonly outcome: Outcome }): string =>
  outcome.state === 'failed'
    ? `${outcome.failure.code}/${outcome.failure.registered}`
    : 'registered'

/** All lines of the hash, in a message for who is to remove them. */
const allLines = `all lines of its hash \\(${HASH}\\) from "records.jsonl"`
const howToSettle = expect.stringMatching(
  `look its hash up.*append its record.*if not, remove ${allLines}`,
)

const head = { artifact: 'dist/app.zip', size: 7, hash: HASH, source }
const kept = { record: goodRecord, redacted: [] }
const at = new Date(START_MS).toISOString()

it('what is known of its hash alone is said of it, and of no other one', async () => {
  const cause = { code: 'cancelled', what: 'the end', remedy: 'again', endsRun: true } as const
  const ending = makeFailure({ ...cause, registered: 'unknown', ofHash: 'perhaps requested' })
  const { run } = await startWorld(good)
  const { outcome, failure } = await run(() => Promise.reject(new FailureError(ending)))
  expect(outcome).toMatchObject({ failure: { what: 'the end; perhaps requested' } })
  // What all that is left gets.
  expect(failure?.what).toBe('the end')
})

describe('a registration that went well', () => {
  it('is noted first, and then its record is kept', async () => {
    let before = ''
    const world = await startWorld((...given) => {
      before = world.text()
      return good(...given)
    })
    const outcome = { state: 'registered', from: 'this-run', ...kept, unansweredTries: 0 }
    expect(await world.run()).toEqual({ outcome, failure: null })
    const { service } = world
    expect(before.trimEnd()).toBe(world.text().split('\n')[0])
    expect(world.lines()).toEqual([
      { ...head, service, state: 'sent', at },
      { ...head, service, record: goodRecord, problems: [] },
    ])
    expect(world.known()).toBe('registered')
  })

  it('counts the tries without an answer of this run and of earlier ones', async () => {
    const world = await startWorld(inTurn(answer(500), good), { open: openBefore })
    expect((await world.run()).outcome).toMatchObject({ unansweredTries: 3 })
    expect(world.lines().at(-1)?.['unansweredTries']).toBe(3)
  })

  it('keeps every field as it was written, but for secrets, whose places are listed, and gets a link', async () => {
    const verificationUrl = 'https://notary.example/verification/{hash}'
    const name = 'dist/token-1.zip'
    const fields = { tags: [1, { a: null }], 'odd/~name': 'x' }
    const textOf = (description: string, payload: string): string =>
      `${JSON.stringify({ ...goodRecord, ...fields, description, payload: [payload] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
    const world = await startWorld(answer(200, textOf('by the-api-key-0123456789', 'token-1')), {
      ...{ name, verificationUrl },
    })
    const { outcome } = await world.run()
    const [clean, redacted] = [textOf('by ***', '***'), ['/description', '/payload/0']]
    expect(outcome.state === 'registered' && JSON.stringify(outcome.record)).toBe(clean)
    expect(outcome).toMatchObject({ redacted })
    expect(world.text()).toContain(`"record":${clean}`)
    expect(world.text()).not.toMatch(/the-api-key|token-1/)
    expect(world.lines().at(-1)).toMatchObject({
      ...{ artifact: 'dist/***.zip', redacted },
      verificationUrl: `https://notary.example/verification/${HASH}`,
    })
    expect(world.known()).toBe('registered')
  })
})

describe('a record that contradicts its request', () => {
  it('is kept with what is wrong, and is no registration', async () => {
    const record = { ...goodRecord, paymentId: 'sub_of_somebody' }
    const world = await startWorld(answer(200, record), { open: openBefore })
    const failure = failureOf(await world.run())
    expect(failure).toMatchObject({
      ...{ code: 'record-mismatch', registered: 'unknown', endsRun: false, isOutage: false },
      what: expect.stringContaining('paymentId'),
      remedy: expect.stringMatching(`ask the service.*not sent again: .*remove ${allLines}`),
    })
    expect(failure.remedy).not.toContain('run the job again')
    expect(world.lines().at(-1)).toMatchObject({
      ...{ record, problems: [expect.stringContaining('paymentId')], unansweredTries: 2 },
    })
    expect(world.known()).toBe('contradicted')
  })

  it('shows no part of a secret where it is cut', async () => {
    // Nothing but a whole secret is replaced, so that no part of one may be cut out before.
    const apiKey = `${'key0'.repeat(40)}-end-of-the-key`
    const record = { ...goodRecord, status: '.'.repeat(60) + apiKey, hash: apiKey }
    const world = await startWorld(answer(200, record), { apiKey })
    const { what } = failureOf(await world.run())
    expect(what).toMatch(/hash.*status/)
    expect(what + world.text()).not.toContain('key0')
  })
})

describe('a registration that failed', () => {
  it('by a bug of ours is left to who names it as such', async () => {
    const world = await startWorld(good)
    await expect(world.run(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
    expect(world.text()).toBe('')
  })

  it('before anything was sent leaves no line, and is not what the service says of the hash', async () => {
    const world = await startWorld(good, { login: answer(401), open: openBefore })
    const failure = makeFailure({ code: 'refused', what: 'HTTP 404', remedy: 'look' })
    const refuse = () => Promise.reject(new FailureError(failure))
    for (const tried of [await world.run(), await world.run(refuse)]) {
      const { registered, what } = failureOf(tried)
      expect(registered).toBe('unknown')
      expect(what).toContain(openBefore.at)
      expect(what).not.toContain('probably registered')
    }
    expect(world.text()).toBe('')
  })

  it.each<[string, Answerer, Open, string | undefined]>([
    ['409, left open', answer(409), openBefore, undefined],
    ['404 after a lost try', inTurn(breakOff, answer(404)), null, 'open'],
    ['404 after a lost try, left open', inTurn(breakOff, answer(404)), openBefore, 'open'],
  ])('that may be registered says how to settle it: %s', async (_, complete, open, known) => {
    const world = await startWorld(complete, { open })
    const tried = await world.run()
    const failure = failureOf(tried)
    expect(failure).toMatchObject({ code: 'refused', registered: 'unknown', remedy: howToSettle })
    const earlier = `the service refuses it, and the earlier run of ${openBefore.at}, ${openBefore.runUrl} sent it and read no answer, so it is probably registered`
    expect(failure.what.includes(earlier)).toBe(open !== null)
    // What this run noted is settled though what an earlier one did stays open.
    expect(world.known()).toBe(known)
    // The breaker stops by what this run met, and speaks of no other hash.
    expect(tried.failure?.what).not.toContain(openBefore.at)
  })
})

describe('the lines of a hash', () => {
  it('have moments of their own, though the clock stands still or steps back', async () => {
    const { journal, clock, lines, known } = await startWorld(good)
    expect(journal.isNoted).toBe(false)
    for (let count = 0; count < 3; count++) {
      await journal.note()
      if (count === 1) clock.set(-60_000)
    }
    expect(journal.isNoted).toBe(true)
    const moments = lines().map(line => line['at'])
    expect(new Set(moments).size).toBe(3)
    expect(moments).toEqual(moments.toSorted())
    expect(known()).toBe('open')
    await journal.settle()
    const settled = Array<string>(3).fill('not-registered')
    expect(lines().map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', ...settled])
    expect(known()).toBeUndefined()
  })

  it('are in the order in which they were written, whatever is waited for', async () => {
    const { journal, lines } = await startWorld(good)
    await Promise.all([journal.note(), journal.keep({ ...kept, problems: [], unansweredTries: 0 })])
    expect(lines().map(line => 'record' in line)).toEqual([false, true])
  })
})

describe('a line that cannot be saved', () => {
  it('of what is to be sent: nothing is sent, and the run is halted', async () => {
    const world = await startWorld(good, { canSave: false })
    expect(wordOf(await world.run())).toBe('not-saved/no')
    await expect(world.journal.note()).rejects.toMatchObject({ failure: { code: 'not-saved' } })
    expect(world.server.completions()).toHaveLength(0)
    expect(world.journal.isNoted).toBe(false)
    expect(world.halt.reason).toMatchObject({ code: 'not-saved' })
    expect(world.halt.signal.aborted).toBe(true)
    // No record is missing, and no line is printed that could be added.
    expect(world.halt.hasUnsaved).toBe(false)
    expect(world.halt.reason?.remedy).not.toContain('by hand')
    expect(world.printed).toEqual([
      expect.stringMatching(/^The records file could not be written: .*EBADF/),
    ])
  })

  it.each(['record', 'settlement'])('of what came of it is printed whole: a %s', async what => {
    const name = 'a##[error]\u0007'
    const { journal, halt, printed, close, service } = await startWorld(good, { name })
    await journal.note()
    await close()
    const isRecord = what === 'record'
    if (isRecord) await journal.keep({ ...kept, problems: [], unansweredTries: 1 })
    else await journal.settle()
    expect(halt.reason).toMatchObject({ code: 'not-saved' })
    expect(halt.kill.aborted).toBe(false)
    expect(halt.hasUnsaved).toBe(isRecord)
    const [explanation, line = '', ...more] = printed
    expect([explanation, more]).toEqual([expect.stringContaining('by hand'), []])
    expect(line).not.toMatch(/##\[|\p{Cc}/u)
    expect(parseJsonObject(line)).toEqual({
      ...{ ...head, artifact: name, service },
      ...(isRecord
        ? { record: goodRecord, unansweredTries: 1, problems: [] }
        : { state: 'not-registered', at }),
    })
  })

  it.each<[string, JsonObject, boolean, string]>([
    ['counts as registered all the same', {}, false, 'registered'],
    ['that contradicts is not said to be in the file', { custody: true }, false, 'record-mismatch'],
    ['neither after a cancel', { custody: true }, true, 'record-mismatch'],
  ])('of a record %s', async (_, changes, isCancelled, ends) => {
    const world = await startWorld(async (...given) => {
      if (isCancelled) world.halt.cancel()
      await world.close()
      answer(200, { ...goodRecord, ...changes })(...given)
    })
    const { outcome, failure } = await world.run()
    expect(world.printed[1]?.includes('custody is true')).toBe('custody' in changes)
    expect(outcome.state === 'failed' ? outcome.failure.code : 'registered').toBe(ends)
    expect(failure?.remedy ?? '').not.toContain('the records file keeps the answer')
    expect(world.halt.hasUnsaved).toBe(true)
    expect(world.printed).toHaveLength(2)
  })
})
