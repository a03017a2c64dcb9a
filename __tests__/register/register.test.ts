/** Which registrations a run makes, what their lines hold, and what ends a run. `world/` shows when a line is written. */
import assert from 'node:assert'
import { describe, expect, it } from '@jest/globals'
import type { Disk } from '../../src/runtime/outside.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { respond, service, serviceData, START_MS } from '../service/support.ts'
import { hashOf, makeRecord, sampleTime, source, subscription } from '../support/samples.ts'
import { failureIn, makeArtifacts, TestRun, wordsOf } from './support.ts'

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
    const artifacts = await run.register(makeArtifacts(5))
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
    const artifacts = await run.register(makeArtifacts(5))
    expect(wordsOf(artifacts)).toEqual(['registered', 'registered', 'registered', rest, rest])
    expect(failureIn(artifacts).observed).toBe('something broke')
    expect([run.lines.length, run.isClosed]).toEqual([3, true])
  })
})

describe('a run', () => {
  const once = { 'max-attempts': '1', concurrency: '1' }
  const [unavailable, refused] = ['unavailable/no', 'refused/no']
  it.each<[string, replies: string, sent: number, rest: string]>([
    ['one hash may be registered', 'complete 503', 1, unavailable],
    ['one response is no record', 'complete useless', 1, 'invalid-response/no'],
    ['three hashes are not registered', 'complete 402', 3, refused],
    ['three requests are refused', 'request 403', 3, 'request-refused/no'],
    ['three are not, and others are refused', 'complete unconnected 404 402 409 403', 5, refused],
    ['one may be after others are refused', 'complete 402 404 403 503', 4, unavailable],
    ['five hashes fail after a record', 'complete good 503 402 page 404 403 lost', 7, unavailable],
    ['five fail after the last record', 'complete good 402 402 503 403 good 402', 11, refused],
    ['the key does not count anymore', 'complete 401', 2, 'login-refused/no'],
  ])('sends nothing more after %s', async (_, replies, sent, rest) => {
    const isRequest = replies.startsWith('request')
    const inputs = { ...once, 'request-registration': `${isRequest}` }
    const run = new TestRun(replies, inputs)
    const artifacts = await run.register(makeArtifacts(12))
    expect(wordsOf(artifacts).at(-1)).toBe(rest)
    expect(run.count(isRequest ? 'request' : 'complete')).toBe(sent)
  })

  it('sends nothing more after a hash that was in doubt before is refused for all, if there is no record', async () => {
    const run = new TestRun('complete 402', once)
    const artifacts = await run.register(makeArtifacts(3, sampleTime))
    expect(wordsOf(artifacts)).toEqual(Array(3).fill('refused/unknown'))
    expect(run.count('complete')).toBe(1)
  })

  it('tells other files what ended the run, not what was seen of the one that met it', async () => {
    const run = new TestRun('login good 403, complete 500 401', {})
    const artifacts = await run.register(makeArtifacts(2))
    expect(wordsOf(artifacts)).toEqual(['login-refused/unknown', 'login-refused/no'])
    const [first, second] = artifacts.map(artifact => failureIn([artifact]).observed)
    expect(first).toMatch(/^the login returned HTTP 403; before that, .* HTTP 500/)
    expect(second).toBe('the login returned HTTP 403')
  })

  it('continues after refusals that are about a single hash', async () => {
    const run = new TestRun('complete 404 409 422', once)
    await run.register(makeArtifacts(12))
    expect(run.count('complete')).toBe(12)
  })

  it('says every half minute how far it is', async () => {
    const run = new TestRun('complete 429+60 good 404 429+60 good', { concurrency: '1' })
    await run.register(makeArtifacts(4))
    expect(run.logged.filter(line => line.includes(' done, '))).toEqual([
      '1 of 4 done, 0 failed',
      '3 of 4 done, 1 failed',
    ])
  })

  it('sends hashes in doubt last, and says of each why it was not tried and what an earlier run did', async () => {
    const artifacts = [...makeArtifacts(2, sampleTime), ...makeArtifacts(4).slice(2)]
    const [failing, canceled] = [new TestRun('complete good 404 503', once), new TestRun()]
    canceled.halt.cancel()
    const all = [await failing.register(artifacts), await canceled.register(artifacts)]
    const sent = failing.sent.flatMap(({ path }) => /\d(?=\/forfait)/.exec(path) ?? [])
    expect(sent).toEqual(['2', '3', '0', '1'])
    const since = 'an earlier run sent it on 2026-01-31 12:00:00 UTC, without a record'
    const seen = all.map(ended => [...wordsOf(ended), failureIn(ended.slice(0, 2)).observed])
    const unknown = 'unavailable/unknown'
    const [cancelled, inDoubt] = ['cancelled/no', 'cancelled/unknown']
    expect(seen).toEqual([
      [
        unknown,
        unknown,
        'registered',
        refused,
        `the registration returned HTTP 503: "no"; ${since}`,
      ],
      [inDoubt, inDoubt, cancelled, cancelled, since],
    ])
    const lost = new TestRun('complete 503', once)
    const notTried = await lost.register([
      ...makeArtifacts(2),
      ...makeArtifacts(3, sampleTime).slice(2),
    ])
    expect(wordsOf(notTried)).toEqual([unknown, unavailable, unknown])
    expect(failureIn(notTried).observed).toBe(
      `not tried, because an earlier failure ended the run; ${since}`,
    )
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
  const known = { record: {}, maybeChargedAgain: false, isConfirmed: false } as const
  const outcome = { state: 'registered', from: 'records-file', ...known } as const
  const before = { ...planned, name: 'b', size: 1, outcome }
  const run = new TestRun()
  const artifacts = [{ ...planned, name: 'a', size: 7 }, before, { ...planned, name: 'c', size: 7 }]
  const [first, second, third] = await run.register(artifacts)
  expect(first).toMatchObject({ name: 'a', outcome: { from: 'this-run', record: goodRecord } })
  expect(second).toBe(before)
  expect(third).toEqual({ ...first, name: 'c' })
  const { calls, timeoutMs, lines, noticed, isClosed } = run
  expect([calls, timeoutMs, lines.length, isClosed]).toEqual(['complete', 60_000, 1, true])
  expect(noticed).toEqual([])
})

it('a run without anything to send sends nothing, and does not open the records file', async () => {
  const run = new TestRun()
  const disk: Disk = {
    read: () => Buffer.alloc(0),
    openForAppending: () => assert.fail('the file is opened'),
    makeFolder: () => '/folder',
    write: () => undefined,
  }
  expect(await run.register([], { disk })).toEqual([])
  expect(run.calls).toBe('')
})

const linksTo = (placeholder: string) => ({
  'verification-url': `https://notary.example/verification/${placeholder}`,
})
const head = { artifact: 'dist/***.zip', size: 7, hash, service, source }
const at = new Date(START_MS).toISOString()
const named = { ...planned, name: 'dist/token-1.zip', size: 7 }

it('a record is kept unchanged except for secrets, with a link', async () => {
  const fields = (secret: string): string =>
    `${JSON.stringify({ ...goodRecord, payload: [secret] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
  const run = new TestRun({ complete: () => respond(201, fields('token-1')) }, linksTo('{hash}'))
  const [artifact] = await run.register([named])
  const [line = ''] = run.lines
  expect(line).toContain(`"record":${fields('***')}`)
  const verificationUrl = `https://notary.example/verification/${hash}`
  expect(parseJsonObject(line)).toMatchObject({ ...head, at, verificationUrl })
  expect(artifact?.outcome).toMatchObject({ state: 'registered', maybeChargedAgain: false })
})

const objects = {
  pending: { ...goodRecord, status: 'pending' },
  'another status with a secret': { ...goodRecord, status: 'token-1', payload: ['token-1'] },
  'another hash': { ...goodRecord, hash: hashOf(7) },
  'no field of a record': { success: false, message: 'the quota of token-1 is used up' },
}
it.each<[keyof typeof objects, code: string, reason: string, why: string]>([
  ['pending', 'record-mismatch', 'not-yet-registered', 'status is "pending", not "registered"'],
  [
    'another status with a secret',
    'record-mismatch',
    'not-yet-registered',
    'status is "***", not "registered"',
  ],
  [
    'another hash',
    'record-mismatch',
    'record-mismatch',
    `hash is "${hashOf(7)}", not that of the request`,
  ],
  [
    'no field of a record',
    'invalid-response',
    'unexpected-response',
    'the registration returned HTTP 200 and no record: "the quota of *** is used up"',
  ],
])(
  'a response that contradicts is kept with the doubt, without secrets: %s',
  async (name, code, reason, why) => {
    const object = objects[name]
    const run = new TestRun({ complete: () => respond(200, object) })
    const artifacts = await run.register([named])
    const failure = { code, reason, registered: 'unknown', observed: why }
    expect(failureIn(artifacts)).toMatchObject(failure)
    const response = parseJsonObject(JSON.stringify(object).replaceAll('token-1', '***'))
    expect(run.lines.map(parseJsonObject)).toEqual([
      { ...head, at, state: 'unknown', why, response },
    ])
  },
)

it('each try that may have acted leaves a doubt, and the record after it says so', async () => {
  const run = new TestRun('complete unconnected 503 good')
  expect(wordsOf(await run.register())).toEqual(['registered again'])
  const why = 'the registration returned HTTP 503: "no"'
  expect(run.lines.map(parseJsonObject)).toMatchObject([
    { state: 'unknown', why, response: null },
    { record: { hash }, maybeChargedAgain: true },
  ])
})

/** Replies of a service whose active subscription has these fields too. */
const paidWith = (fields: object) => ({ active: () => respond(200, { ...serviceData, ...fields }) })
const active = { subscription: 'active' }
const { id: paymentId } = serviceData

it.each([
  ['source', 'tags/v1.0.0', 'v1.0.0'],
  ['link', 'cus_"quoted"_1234', 'quoted'],
])('a line shows no secret in its %s', async (_, customer, part) => {
  const complete = () =>
    respond(200, { ...goodRecord, paymentId, txId: JSON.stringify({ customer }) })
  const replies = { ...paidWith({ customer }), complete }
  const run = new TestRun(replies, { ...active, ...linksTo('{txId}') })
  await run.register()
  expect(run.lines).toHaveLength(1)
  expect(run.lines.join()).toContain('"record":')
  expect(run.lines.join()).not.toContain(part)
})

it('a secret that stands in what the rules fix, or in an id of the account or the run, does not damage a line', async () => {
  const { runId, runAttempt } = source
  const customer = { status: 'registered', runId, paymentId }
  const run = new TestRun(paidWith({ sessionId: hash.slice(0, 6), customer }), active)
  await run.register()
  const record = expect.objectContaining({ hash, status: 'registered', paymentId })
  const line = { source: { runId, runAttempt }, record }
  expect(run.lines.map(parseJsonObject)).toMatchObject([line])
})

it('one notice names the fields of an undocumented type', async () => {
  const record = { ...goodRecord, creationDate: 'now', tags: 'none' }
  const run = new TestRun({ complete: () => respond(200, record) })
  await run.register()
  expect(run.noticed).toEqual([
    'Some record fields have an undocumented type and were kept unchanged: tags, creationDate',
  ])
})
