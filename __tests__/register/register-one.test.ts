import { readFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { JsonObject, Outcome } from '../../src/outcome.ts'
import { readRecordsFile } from '../../src/records/known-records.ts'
import { RecordsFile } from '../../src/records/records-file.ts'
import { Halt } from '../../src/register/halt.ts'
import type { Settled } from '../../src/register/pool.ts'
import { registerOne } from '../../src/register/register-one.ts'
import { notarizeWith } from '../../src/service/core/notarize.ts'
import { source } from '../records/entries.ts'
import {
  answer,
  atEnd,
  closeAll,
  goodRecord,
  HASH,
  makeClient,
  startServer,
  SUBSCRIPTION,
  type Answerer,
} from '../service/support.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterEach(closeAll)
afterAll(cleanUp)

interface WorldOptions {
  readonly apiKey?: string
  readonly paymentId?: string | null
  /** Whether the records file can be written. */
  readonly canSave?: boolean
  readonly verificationUrl?: string
}

/** Registers one artifact at a service that answers so, and gives all that comes of it. */
async function registerAt(complete: Answerer, options: WorldOptions = {}) {
  const { apiKey = 'the-api-key-0123456789', paymentId = 'sub_1', canSave = true } = options
  const server = await startServer(complete)
  const { client, secrets } = makeClient(server.url, { apiKey })
  const path = makeWorkspace().path('records.jsonl')
  const tail = { state: 'whole', goodBytes: 0 } as const
  const records = await RecordsFile.open(path, { tail, expectedBytes: 0 })
  if (canSave) atEnd(() => records.close())
  else await records.close()
  const halt = new Halt()
  const unsaved: { readonly line: unknown; readonly reason: string }[] = []
  const run = (): Promise<Settled> =>
    registerOne(
      { hash: HASH, name: 'dist/app.zip', size: 7 },
      {
        ...{ records, source, secrets, halt, service: server.url },
        notarize: notarizeWith(client, { id: paymentId, json: SUBSCRIPTION }),
        verificationUrl: options.verificationUrl ?? null,
        printUnsaved: (line, reason) => unsaved.push({ line, reason }),
      },
    )
  return { run, path, halt, unsaved, service: server.url, text: () => readFileSync(path, 'utf8') }
}

const good = answer(200, goodRecord)

const messageOf = (outcome: Outcome): string => (outcome.state === 'failed' ? outcome.message : '')

describe('a registration that went well', () => {
  it('is registered by this run, with its line on disk when it settles', async () => {
    const world = await registerAt(good)
    const settled = await world.run()
    expect(settled).toEqual({
      outcome: { state: 'registered', from: 'this-run', record: goodRecord, redacted: [] },
      endsRun: null,
      isOutage: false,
    })
    expect(JSON.parse(world.text())).toEqual({
      ...{ artifact: 'dist/app.zip', size: 7, hash: HASH, service: world.service },
      ...{ record: goodRecord, problems: [], source },
    })
    expect(readRecordsFile(world.path, 'x')).toMatchObject({ damage: [], tail: { state: 'whole' } })
  })

  it('keeps every field of the record as it was written, numbers beyond all numbers included', async () => {
    const record = { ...goodRecord, tags: [1, { a: null }], 'odd/~name': 'x' }
    const text = `${JSON.stringify(record).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
    const world = await registerAt(answer(200, text))
    const { outcome } = await world.run()
    expect(outcome.state === 'registered' && JSON.stringify(outcome.record)).toBe(text)
    expect(world.text()).toContain(`"record":${text}`)
    const [known] = readRecordsFile(world.path, 'x').records
    expect(JSON.stringify(known?.entry.record)).toBe(text)
  })

  it('is not compared by its payment id when the subscription has none', async () => {
    for (const paymentId of ['sub_of_somebody', null]) {
      const world = await registerAt(answer(200, { ...goodRecord, paymentId }), { paymentId: null })
      expect((await world.run()).outcome.state).toBe('registered')
      expect(readRecordsFile(world.path, 'x').damage).toEqual([])
    }
  })

  it('has its secrets replaced in the line and in the outcome, and the places listed', async () => {
    const record = { ...goodRecord, description: 'by the-api-key-0123456789', payload: ['token-1'] }
    const world = await registerAt(answer(200, record))
    const { outcome } = await world.run()
    expect(outcome).toMatchObject({
      state: 'registered',
      record: { description: 'by ***', payload: ['***'] },
      redacted: ['/description', '/payload/0'],
    })
    expect(world.text()).not.toMatch(/the-api-key|token-1/)
    expect(world.text()).toContain('"redacted":["/description","/payload/0"]')
    expect(readRecordsFile(world.path, 'x')).toMatchObject({ damage: [] })
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
    const world = await registerAt(answer(200, record))
    const { outcome, endsRun, isOutage } = await world.run()
    expect(outcome).toMatchObject({
      state: 'failed',
      code: 'record-mismatch',
      registered: 'unknown',
    })
    expect(messageOf(outcome)).toContain(field)
    expect({ endsRun, isOutage }).toEqual({ endsRun: null, isOutage: false })
    expect(JSON.parse(world.text())).toMatchObject({
      record,
      problems: [expect.stringContaining(field)],
    })
    expect(readRecordsFile(world.path, 'x').damage).toEqual([])
  })

  it('is told to be removed by hand before it is sent again', async () => {
    const world = await registerAt(answer(200, {}))
    expect(messageOf((await world.run()).outcome)).toMatch(
      /not sent again until .* removed by hand/,
    )
  })

  // Nothing but a whole secret is replaced, so that no part of one may be cut out before.
  it.each([
    ['status', ''],
    ['status', '.'.repeat(60)],
    ['hash', '.'.repeat(90)],
    ['paymentId', '.'.repeat(95)],
  ])('shows no part of a secret that the service puts into %s after %j', async (field, before) => {
    const apiKey = `${'key0'.repeat(40)}-end-of-the-key`
    const world = await registerAt(answer(200, { ...goodRecord, [field]: before + apiKey }), {
      apiKey,
    })
    const { outcome } = await world.run()
    expect(messageOf(outcome)).toContain(field)
    expect(messageOf(outcome)).not.toContain('key0')
    expect(world.text()).not.toContain('key0')
  })
})

describe('a registration that failed', () => {
  it.each([
    [answer(404), { code: 'refused', registered: 'no' }, false],
    [answer(403), { code: 'refused', registered: 'no' }, true],
    [answer(503), { code: 'unavailable', registered: 'unknown' }, true],
    [answer(200, '[]'), { code: 'invalid-response', registered: 'unknown' }, false],
  ])('leaves no line (%#)', async (complete, failure, isOutage) => {
    const world = await registerAt(complete)
    expect(await world.run()).toMatchObject({ outcome: failure, isOutage, endsRun: null })
    expect(world.text()).toBe('')
  })

  it('for want of a login ends the run', async () => {
    const world = await registerAt(answer(401))
    expect(await world.run()).toMatchObject({
      outcome: { code: 'login-refused', registered: 'no' },
      endsRun: { code: 'login-refused' },
    })
  })
})

describe('a record that cannot be saved', () => {
  it('stops the sending, is printed whole, and counts as registered all the same', async () => {
    const world = await registerAt(good, { canSave: false })
    expect((await world.run()).outcome).toMatchObject({ state: 'registered', record: goodRecord })
    expect(world.halt.reason).toMatchObject({ code: 'not-saved' })
    expect(world.halt.signal.aborted).toBe(true)
    expect(world.halt.kill.aborted).toBe(false)
    expect(world.unsaved).toEqual([
      {
        line: {
          ...{ artifact: 'dist/app.zip', size: 7, hash: HASH, service: world.service },
          ...{ record: goodRecord, problems: [], source },
        },
        reason: expect.stringMatching(/./),
      },
    ])
  })

  it.each([false, true])(
    'is not said to be in the records file (the run was cancelled before: %s)',
    async wasCancelled => {
      const world = await registerAt(
        (response, seen, nth) => {
          if (wasCancelled) world.halt.cancel()
          answer(200, { ...goodRecord, custody: true })(response, seen, nth)
        },
        { canSave: false },
      )
      const { outcome } = await world.run()
      expect(outcome).toMatchObject({ code: 'record-mismatch', registered: 'unknown' })
      expect(world.unsaved).toHaveLength(1)
      expect(messageOf(outcome)).not.toContain('the records file keeps the answer')
    },
  )
})

describe('a link to look the registration up', () => {
  it('is made from the template, and stands in the line', async () => {
    const verificationUrl = 'https://notary.example/verification/{hash}'
    const world = await registerAt(good, { verificationUrl })
    await world.run()
    expect(JSON.parse(world.text())).toMatchObject({
      verificationUrl: `https://notary.example/verification/${HASH}`,
    })
  })
})
