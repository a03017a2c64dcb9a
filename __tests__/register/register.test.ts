/** Which registrations a run makes, what their lines hold, and what ends a run. `world/` shows when a line is written. */
import { describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/outcome.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { lineOf, stateLineOf } from '../records/entries.ts'
import { respond, service, serviceData, START_MS, type Inputs } from '../service/support.ts'
import { hashOf, makeRecord, sampleTime, source, subscription } from '../support/samples.ts'
import { failureIn, makeArtifacts, TestRun, wordsOf } from './support.ts'

const once = { 'max-attempts': '1', concurrency: '1' }
const requested = { 'request-registration': 'true' }

it('registrations that have started are finished, even if the run ends', async () => {
  const complete = (nth: number) => {
    if (nth > 1) return respond(404, {})
    throw new Error('something broke')
  }
  const run = new TestRun({ complete }, { concurrency: '2' })
  const artifacts = await run.register(makeArtifacts(3))
  expect(wordsOf(artifacts)).toEqual(['internal-error/unknown', 'refused/no', 'internal-error/no'])
  expect(failureIn(artifacts).observed).toContain('something broke')
})

it('a bug outside a registration loses no outcome, and says of the rest that nobody knows', async () => {
  const run = new TestRun('', { concurrency: '1' })
  run.onSend = () => void run.waits.push(10_000)
  run.onLog = line => {
    if (line.startsWith('registering')) throw new Error('something broke')
  }
  const artifacts = await run.register(makeArtifacts(3))
  const lost = 'internal-error/unknown'
  expect(wordsOf(artifacts)).toEqual(['registered', lost, lost])
  expect(failureIn(artifacts).observed).toBe('something broke')
  expect(run.isClosed).toBe(true)
})

describe('a run', () => {
  it.each<[string, replies: string, inputs: object, sent: number, word: string]>([
    ['after five without a good response', 'complete 503', once, 5, 'unavailable/no'],
    ['after five outages and unpaid hashes', 'complete 503 402 429 503 403', once, 5, 'refused/no'],
    ['after five requests', 'request 403', { ...once, ...requested }, 5, 'request-refused/no'],
    ['after five with others between', 'complete 503 503 404 503 503 402', once, 6, 'refused/no'],
    ['that lacks the key', 'complete 401', once, 2, 'login-refused/no'],
  ])('starts no further hash %s', async (_, replies, inputs, sent, word) => {
    const run = new TestRun(replies, { ...inputs })
    expect(wordsOf(await run.register(makeArtifacts(8))).slice(-2)).toEqual([word, word])
    expect(run.count(replies.startsWith('request') ? 'request' : 'complete')).toBe(sent)
  })

  it.each([
    ['after four without a good response', 'complete 503 503 503 503 good 402 402 402 402 good'],
    ['after refusals of single hashes', 'complete 404'],
    ['after records that contradict their requests', 'complete useless'],
  ])('continues %s', async (_, replies) => {
    const run = new TestRun(replies, once)
    await run.register(makeArtifacts(12))
    expect(run.count('complete')).toBe(12)
  })

  it('logs its progress, with the failures if there are any', async () => {
    const run = new TestRun('complete 429+60 good 404 429+60 good', { concurrency: '1' })
    await run.register(makeArtifacts(4))
    expect(run.logged.filter(line => line.startsWith('registering'))).toEqual([
      'registering: 1 of 4, 0.0 per second, about 3 min left',
      'registering: 3 of 4, 1 failed, 0.0 per second, about 40 s left',
    ])
  })

  it('says why it stopped, and which hash an earlier run has sent', async () => {
    const artifacts = [...makeArtifacts(6), ...makeArtifacts(7, sampleTime).slice(6)]
    const [failing, canceled] = [new TestRun('complete 503', once), new TestRun()]
    canceled.halt.cancel()
    const ended = [...(await failing.register(artifacts)), ...(await canceled.register(artifacts))]
    const seen = ended.map(artifact => [...wordsOf([artifact]), failureIn([artifact]).observed])
    const stopped = 'not tried after 5 failed registrations'
    const since = 'an earlier run sent it on 2026-01-31 12:00:00 UTC, without a response'
    expect(seen[5]).toEqual(['unavailable/no', stopped])
    expect(seen[6]).toEqual(['unavailable/unknown', `${stopped}; ${since}`])
    expect(seen.slice(-2)).toEqual([
      ['cancelled/no', ''],
      ['cancelled/unknown', since],
    ])
  })
})

const toService = { https_proxy: 'socks5://p' }
const keeper = { ACTIONS_RESULTS_URL: 'http://results', ACTIONS_RUNTIME_TOKEN: 'token' }
const toKeeper = { http_proxy: 'socks5://p', ...keeper }
const both = { ...toService, ...toKeeper }
const earlier = lineOf(1, { source: { ...source, runId: '9' } })
const keepNothing = { 'keep-records': 'false' }
const one = makeArtifacts(1)

it.each<[string, env: object, readonly Artifact[], end: unknown, records?: string, Inputs?]>([
  ['stops a run that calls the service', toService, one, ['https_proxy']],
  ['stops no run with nothing to register', toService, [], 0],
  ['stops a run that will keep a record', toKeeper, one, ['http_proxy']],
  ['is reported once', both, one, ['https_proxy']],
  ['stops a run that will keep its own line', toKeeper, [], ['http_proxy'], stateLineOf(1)],
  ['stops no run with nothing to keep', toKeeper, [], 0, earlier],
  ['stops no run that keeps nothing', toKeeper, one, 1, '', keepNothing],
])('a proxy that cannot be used %s', async (_, env, artifacts, end, records = '', inputs = {}) => {
  const run = Object.assign(new TestRun('', inputs), { env, records })
  const done = run.register(artifacts).then(() => run.count('login'))
  const stopped = done.catch((error: unknown) => String(error).match(/\w+_proxy(?=")/g))
  expect(await stopped).toEqual(end)
})

const hash = hashOf(0)
const at = new Date(START_MS).toISOString()
const goodRecord = makeRecord(hash, { paymentId: subscription.id })
const planned = { input: 'path', hash, outcome: { state: 'planned', openSince: null } } as const

const linksTo = (placeholder: string) => ({
  'verification-url': `https://notary.example/verification/${placeholder}`,
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
  const { calls, timeoutMs, lines, isClosed } = run
  expect([calls, timeoutMs, lines.length, isClosed]).toEqual(['complete', 30_000, 2, true])
})

it('a record is kept unchanged except for secrets, with its problems and a link', async () => {
  const fields = (secret: string): string =>
    `${JSON.stringify({ ...goodRecord, status: secret, payload: [secret] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
  const run = new TestRun({ complete: () => respond(201, fields('token-1')) }, linksTo('{hash}'))
  const [artifact] = await run.register([{ ...planned, name: 'dist/token-1.zip', size: 7 }])
  const [sent = '', record = ''] = run.lines
  expect(record).toContain(`"record":${fields('***')}`)
  expect(run.lines.join()).not.toContain('token-1')
  const observed = expect.stringContaining('status is "***"')
  const failure = { code: 'record-mismatch', registered: 'unknown', observed }
  expect(artifact?.outcome).toMatchObject({ failure })
  const head = { artifact: 'dist/***.zip', size: 7, hash, service, at, source }
  expect(parseJsonObject(sent)).toEqual({ ...head, state: 'sent' })
  const verificationUrl = `https://notary.example/verification/${hash}`
  expect(parseJsonObject(record)).toMatchObject({ ...head, problems: [observed], verificationUrl })
})

/** Replies of a service whose active subscription has these fields too. */
const paidWith = (fields: object) => ({ active: () => respond(200, { ...serviceData, ...fields }) })
const active = { subscription: 'active' }

it.each([
  ['source', 'tags/v1.0.0', 'v1.0.0'],
  ['link', 'cus_"quoted"_1234', 'quoted'],
])('a line shows no secret in its %s', async (_, customer, part) => {
  const complete = () => respond(200, { ...goodRecord, txId: JSON.stringify({ customer }) })
  const replies = { ...paidWith({ customer }), complete }
  const run = new TestRun(replies, { ...active, ...linksTo('{txId}') })
  await run.register()
  expect(run.lines).toHaveLength(2)
  expect(run.lines.join()).not.toContain(part)
})

it('a secret that stands in what the rules fix, or in an id of the account or the run, does not damage a line', async () => {
  const { runId, runAttempt } = source
  const { id: paymentId } = serviceData
  const customer = { status: 'registered', runId, paymentId }
  const run = new TestRun(paidWith({ sessionId: hash.slice(0, 6), customer }), active)
  await run.register()
  const [sent, line] = run.lines.map(parseJsonObject)
  expect(sent).toMatchObject({ source: { runId, runAttempt } })
  const record = expect.objectContaining({ hash, status: 'registered', paymentId })
  expect(line).toMatchObject({ source: { runId, runAttempt }, record, problems: [] })
})

it('one notice names the fields of an undocumented type', async () => {
  const record = { ...goodRecord, creationDate: 'now', tags: 'none' }
  const run = new TestRun({ complete: () => respond(200, record) })
  await run.register(makeArtifacts(2))
  expect(run.noticed).toEqual([
    'Some record fields have an undocumented type and were kept unchanged: tags, creationDate',
  ])
})
