/** Which registrations a run makes, what their lines hold, and what ends a run. `world/` shows when a line is written. */
import assert from 'node:assert'
import { describe, expect, it } from '@jest/globals'
import type { Disk } from '../../src/runtime/outside.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { failureIn, makeArtifacts, respond, service, serviceData } from '../service/support.ts'
import { START_MS, TestRun, wordsOf, type Inputs } from '../service/support.ts'
import { hashOf, makeRecord, sampleTime, source, subscription } from '../support/samples.ts'

const hash = hashOf(0)
const goodRecord = makeRecord(hash, { paymentId: subscription.id })
const planned = { input: 'path', hash, outcome: { state: 'planned', lastDoubtAt: null } } as const

describe('registrations that have started are finished', () => {
  const [bug, rest] = ['internal-error/unknown', 'internal-error/no']
  it('if another one meets a bug', async () => {
    const complete = (nth: number) => {
      if (nth === 1) return respond(200, goodRecord)
      if (nth === 2) throw new Error('something broke')
      return respond(404, {})
    }
    const run = new TestRun({ complete }, { concurrency: '2' })
    const artifacts = await run.register(5)
    expect(wordsOf(artifacts)).toEqual(['registered', bug, 'refused/no', rest, rest])
    expect(failureIn(artifacts).observed).toContain('something broke')
    expect(run.lines.filter(line => line.includes('"state":"unknown"'))).toHaveLength(1)
  })

  it('if there is a bug outside of them', async () => {
    const run = new TestRun('', { concurrency: '2' })
    run.onSend = () => void run.waits.push(10_000)
    run.onLog = line => {
      if (line.includes(' done, ')) throw new Error('something broke')
    }
    const artifacts = await run.register(5)
    expect(wordsOf(artifacts)).toEqual(['registered', 'registered', 'registered', rest, rest])
    expect(failureIn(artifacts).observed).toBe('something broke')
    expect([run.lines.length, run.isClosed]).toEqual([3, true])
  })
})

describe('a run', () => {
  const once = { 'max-attempts': '1', concurrency: '1' }
  const notTried = 'not-tried/no'
  it.each<[string, replies: string, sent: number, rest: string]>([
    ['one hash may be registered', 'complete 503', 1, notTried],
    ['three hashes are not paid for', 'complete 402', 3, notTried],
    ['three requests are refused', 'request 403', 3, notTried],
    ['three are not, and others are refused', 'complete unconnected 404 402 409 403', 5, notTried],
    ['one may be after others are refused', 'complete 402 404 403 503', 4, notTried],
    ['five hashes fail after a record', 'complete good 503 402 page 404 403 lost', 7, notTried],
    ['five fail after the last record', 'complete good 402 402 503 403 good 402', 11, notTried],
    ['the key does not count anymore', 'complete 401', 2, 'login-refused/no'],
  ])('sends nothing more after %s', async (_, replies, sent, rest) => {
    const isRequest = replies.startsWith('request')
    const inputs = { ...once, 'request-registration': `${isRequest}` }
    const run = new TestRun(replies, inputs)
    const artifacts = await run.register(12)
    expect(wordsOf(artifacts).at(-1)).toBe(rest)
    expect(run.count(isRequest ? 'request' : 'complete')).toBe(sent)
  })

  it.each([
    ['login good 403, complete 429 401', ['unavailable/no', 'login-refused/no']],
    ['complete ended', ['cancelled/unknown', 'cancelled/no']],
  ])('tells of other files what ended it, not what was seen of one: %s', async (replies, words) => {
    expect(wordsOf(await new TestRun(replies).register(2))).toEqual(words)
  })

  it('continues after refusals that are about a single hash', async () => {
    const run = new TestRun('complete 404 409 422', once)
    await run.register(12)
    expect(run.count('complete')).toBe(12)
  })

  it('says every half minute how far it is', async () => {
    const run = new TestRun('complete 429+60 good 404 429+60 good', { concurrency: '1' })
    await run.register(4)
    expect(run.logged.filter(line => line.includes(' done, '))).toEqual([
      '1 of 4 done, 0 failed',
      '3 of 4 done, 1 failed',
    ])
  })

  it('sends hashes in doubt last, which stay in doubt whatever ends it', async () => {
    const artifacts = [...makeArtifacts(2, sampleTime), ...makeArtifacts(4).slice(2)]
    const run = new TestRun('complete good 402', once)
    const ended = await run.register(artifacts)
    const sent = run.sent.flatMap(({ path }) => /\d(?=\/forfait)/.exec(path) ?? [])
    expect(sent).toEqual(['2', '3', '0', '1'])
    const inDoubt = 'refused/unknown'
    expect(wordsOf(ended)).toEqual([inDoubt, inDoubt, 'registered', 'refused/no'])
    const canceled = new TestRun()
    canceled.halt.cancel()
    const words = ['cancelled/unknown', 'cancelled/unknown', 'cancelled/no', 'cancelled/no']
    expect(wordsOf(await canceled.register(artifacts))).toEqual(words)
  })

  const second = { GITHUB_RUN_ATTEMPT: '2' }
  it.each<[string, warnings: number, env: object, Inputs, count: number]>([
    ['on a later attempt without an artifact service', 1, second, {}, 1],
    ['not on the first attempt', 0, {}, {}, 1],
    ['not if no records are kept', 0, second, { 'keep-records': 'false' }, 1],
    ['not if nothing is left to register', 0, second, {}, 0],
  ])('warns of records that are only in a log %s', async (_, warnings, env, inputs, count) => {
    const run = Object.assign(new TestRun('', inputs), { env })
    run.onSend = () => {
      expect(run.warned).toHaveLength(warnings)
    }
    await run.register(count)
    expect(run.warned).toEqual(Array(warnings).fill(expect.stringContaining('only in their logs')))
  })
})

it.each([
  ['stops a run that calls the service', makeArtifacts(1), ['https_proxy']],
  ['stops no run with nothing to register', [], 0],
])('a proxy that cannot be used %s', async (_, artifacts, end) => {
  const run = Object.assign(new TestRun(), { env: { https_proxy: 'socks5://p' } })
  const done = run.register(artifacts).then(() => run.count('login'))
  const stopped = done.catch((error: unknown) => String(error).match(/\w+_proxy(?=")/g))
  expect(await stopped).toEqual(end)
})

it('artifacts of one hash share a registration, and the others keep their outcome and place', async () => {
  const known = { record: {}, otherCharge: null, isConfirmed: false } as const
  const outcome = { state: 'registered', from: 'records-file', ...known } as const
  const before = { ...planned, name: 'b', size: 1, outcome }
  const run = new TestRun()
  const artifacts = [{ ...planned, name: 'a', size: 7 }, before, { ...planned, name: 'c', size: 7 }]
  const [first, second, third] = await run.register(artifacts)
  expect(first).toMatchObject({ name: 'a', outcome: { from: 'this-run', record: goodRecord } })
  expect(second).toBe(before)
  expect(third).toEqual({ ...first, name: 'c' })
  const { calls, timeoutMs, lines, isClosed } = run
  expect([calls, timeoutMs, lines.length, isClosed]).toEqual(['complete', 60_000, 1, true])
})

it('a run without anything to send sends nothing, and does not open the records file', async () => {
  const run = new TestRun()
  const disk: Disk = {
    read: () => Buffer.alloc(0),
    append: () => assert.fail('the file is written'),
    truncate: () => assert.fail('the file is written'),
    makeFolder: () => '/folder',
    write: () => undefined,
  }
  expect(await run.register([], { disk })).toEqual([])
  expect(run.calls).toBe('')
})

const head = { artifact: 'dist/app.zip', size: 7, hash, service, source }
const at = new Date(START_MS).toISOString()
const named = { ...planned, name: 'dist/app.zip', size: 7 }

it('a record is kept unchanged except for secrets', async () => {
  const fields = (secret: string): string =>
    `${JSON.stringify({ ...goodRecord, payload: [secret] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
  const run = new TestRun({ complete: () => respond(201, fields('token-1')) })
  const [artifact] = await run.register([named])
  const [line = ''] = run.lines
  expect(line).toContain(`"record":${fields('***')}`)
  expect(parseJsonObject(line)).toMatchObject({ ...head, at })
  expect(artifact?.outcome).toMatchObject({ state: 'registered', otherCharge: null })
  expect(run.charges).toEqual({ least: 1, most: 1 })
})

const quota = 'the quota of token-1 is used up'
const sent = 'the registration returned HTTP'
it.each<[string, object, code: string, reason: string, observed: string, said: string]>([
  [
    'pending',
    { ...goodRecord, status: 'pending', message: 'come back later' },
    'record-mismatch',
    'not-yet-registered',
    'status is "pending", not "registered"',
    ': "come back later"',
  ],
  [
    'another status with a secret',
    { ...goodRecord, status: 'token-1', payload: ['token-1'] },
    'record-mismatch',
    'not-yet-registered',
    'status is "***", not "registered"',
    '',
  ],
  [
    'another hash',
    { ...goodRecord, hash: hashOf(7) },
    'record-mismatch',
    'record-mismatch',
    `hash is "${hashOf(7)}", not that of the request`,
    '',
  ],
  [
    'no field of a record',
    { success: false, message: quota },
    'invalid-response',
    'unexpected-response',
    `${sent} 200 and no record`,
    ': "the quota of *** is used up"',
  ],
])(
  'a response that is no record is kept with the doubt, without secrets: %s',
  async (_, object, ...[code, reason, observed, said]) => {
    const run = new TestRun({ complete: () => respond(200, object) })
    const failure = failureIn(await run.register([named]))
    expect(failure).toMatchObject({ code, reason, mayHaveActed: true, observed, said })
    const response = parseJsonObject(JSON.stringify(object).replaceAll('token-1', '***'))
    const why = observed + said
    expect(run.lines.map(parseJsonObject)).toEqual([
      { ...head, at, state: 'unknown', why, response },
    ])
  },
)

it('a doubt says what was observed in the attempt that may have acted', async () => {
  const run = new TestRun('complete unconnected 503')
  await run.register()
  const why = `after 2 attempts, ${sent} 503: "no"`
  expect(run.lines.map(parseJsonObject)).toMatchObject([{ state: 'unknown', why, response: null }])
})

it('a secret that stands in what the rules fix, or in an id of the account or the run, does not damage a line', async () => {
  const { runId, runAttempt } = source
  const { id: paymentId } = serviceData
  const customer = { status: 'registered', runId, paymentId }
  const data = { ...serviceData, sessionId: hash.slice(0, 6), customer }
  const run = new TestRun({ active: () => respond(200, data) }, { subscription: 'active' })
  await run.register()
  const record = expect.objectContaining({ hash, status: 'registered', paymentId })
  const line = { source: { runId, runAttempt }, record }
  expect(run.lines.map(parseJsonObject)).toMatchObject([line])
})
