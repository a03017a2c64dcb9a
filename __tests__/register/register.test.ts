/** Which registrations a run makes, what each writes and when, and what ends a run. */
import { describe, expect, it } from '@jest/globals'
import { parseJsonObject } from '../../src/text/json.ts'
import { failureIn, makeArtifacts, respond, service, serviceData } from '../service/support.ts'
import { START_MS, TestRun, wordsOf } from '../service/support.ts'
import { hashOf, makeRecord, sampleTime, source, subscription } from '../support/samples.ts'

const once = { 'max-attempts': '1', concurrency: '1' }
const requested = { 'request-registration': 'true' }

it.each([1, 7, 64])('at most %d registrations run at a time', async limit => {
  let [now, most] = [0, 0]
  const complete = async () => {
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now -= 1
    return respond(404, {})
  }
  const run = new TestRun({ complete }, { concurrency: `${limit}` })
  await run.register(makeArtifacts(20))
  expect([most, run.count('complete')]).toEqual([Math.min(limit, 20), 20])
})

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
    ['after five requests', 'request 403', { ...once, ...requested }, 0, 'request-refused/no'],
    ['after five with others between', 'complete 503 503 404 503 503 402', once, 6, 'refused/no'],
    ['that lacks the key', 'complete 401', once, 2, 'login-refused/no'],
  ])('starts no further hash %s', async (_, replies, inputs, sent, word) => {
    const run = new TestRun(replies, { ...inputs })
    expect(wordsOf(await run.register(makeArtifacts(8))).slice(-2)).toEqual([word, word])
    expect(run.count('complete')).toBe(sent)
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
    const progress = run.logged.filter(line => line.startsWith('registering'))
    expect(progress).toEqual([
      expect.stringMatching(/: 1 of 4, \d/),
      expect.stringMatching(/: 3 of 4, 1 failed, \d/),
    ])
  })

  it('says why it stopped, and which hash an earlier run has sent', async () => {
    const run = new TestRun('complete 503', once)
    const artifacts = [...makeArtifacts(6), ...makeArtifacts(7, sampleTime).slice(6)]
    const ended = (await run.register(artifacts)).slice(-2)
    expect(wordsOf(ended)).toEqual(['unavailable/no', 'unavailable/unknown'])
    const observed = [ended.slice(0, 1), ended].map(some => failureIn(some).observed)
    const since = 'an earlier run sent it on 2026-01-31 12:00:00 UTC'
    expect(observed[0]).toMatch(/^not tried[^;]*$/)
    expect(observed[1]).toMatch(new RegExp(`^not tried.*; ${since}`))
  })
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
  expect([run.count('complete'), run.lines.length, run.isClosed]).toEqual([1, 2, true])
})

it('a record is kept unchanged except for secrets, with its problems and a link', async () => {
  const fields = (secret: string): string =>
    `${JSON.stringify({ ...goodRecord, status: secret, payload: [secret] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
  const run = new TestRun({ complete: () => respond(200, fields('token-1')) }, linksTo('{hash}'))
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

/** The state of each line; empty for a record. */
const statesIn = ({ lines }: TestRun): readonly unknown[] =>
  lines.map(line => parseJsonObject(line)?.['state'] ?? 'record')

const notRegistered = ['sent', 'not-registered']
it.each<[string, inputs: object, replies: string, states: readonly string[]]>([
  ['nothing if the login fails', {}, 'login 401', []],
  ['nothing if the request fails', requested, 'request lost', []],
  ['nothing if the subscription cannot be retrieved', active, 'active 404', []],
  ['one intent for several attempts and logins', {}, 'complete lost 401 good', ['sent', 'record']],
  ['that nothing was registered', {}, 'complete 429 404', notRegistered],
  ['that after a refused request', requested, 'request 409, complete 404', notRegistered],
  ['nothing more if that is uncertain', {}, 'complete lost 404', ['sent']],
])('a registration writes %s', async (_, inputs, replies, states) => {
  const run = new TestRun(replies, { ...inputs })
  let linesBefore = -1
  run.onSend = kind => {
    if (kind === 'complete' && linesBefore < 0) linesBefore = run.lines.length
  }
  await run.register()
  expect(statesIn(run)).toEqual(states)
  // The first completion is sent once its intent is on disk.
  expect(linesBefore).toBe(states.length === 0 ? -1 : 1)
})

it('one notice names the fields of an undocumented type', async () => {
  const record = { ...goodRecord, creationDate: 'now', tags: 'none' }
  const run = new TestRun({ complete: () => respond(200, record) })
  await run.register(makeArtifacts(2))
  expect(run.noticed).toEqual([expect.stringMatching(/tags, creationDate/)])
})

it.each([
  [1, 'not-saved/no'],
  [2, 'registered'],
])('sending stops if line %d cannot be saved', async (nth, first) => {
  const run = new TestRun('', { concurrency: '1' })
  run.fullAt = nth
  expect(wordsOf(await run.register(makeArtifacts(2)))).toEqual([first, 'not-saved/no'])
  expect(run.count('complete')).toBe(nth - 1)
})
