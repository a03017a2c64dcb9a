/** Which registrations a run makes, what their lines hold, and what ends a run. `world/` shows when a line is written. */
import assert from 'node:assert'
import { describe, expect, it } from '@jest/globals'
import type { Reason } from '../../src/failure.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { failureIn, respond, service, serviceData } from '../service/support.ts'
import { START_MS, TestRun, wordsOf, type Inputs } from '../service/support.ts'
import { hashOf, makeRecord, source, subscription } from '../support/samples.ts'

const hash = hashOf(10)
const goodRecord = makeRecord(hash, { paymentId: subscription.id })
const planned = { input: 'path', hash, outcome: { state: 'planned', lastDoubtAt: null } } as const

describe('registrations that have started are finished', () => {
  const [bug, rest] = ['internal-error/unknown', 'internal-error/no']
  it('if another one meets a bug', async () => {
    const complete = (nth: number) => {
      if (nth === 1) return null
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
    const now = () => {
      throw new Error('something broke')
    }
    const artifacts = await run.register(5, { clock: { ...systemClock, now } })
    expect(wordsOf(artifacts)).toEqual([bug, rest, rest, rest, rest])
    expect(failureIn(artifacts).observed).toBe('something broke')
    expect(run.lines).toEqual([])
  })
})

const ofArtifacts = { ACTIONS_RUNTIME_TOKEN: 't', ACTIONS_RESULTS_URL: 'http://r.example' }

describe('a run', () => {
  it.each<[string, replies: string, sent: number, rest?: string]>([
    ['one hash may be registered', 'complete 503', 1],
    ['three hashes are not paid for', 'complete 402', 3],
    ['three requests fail in any mix', 'request 403 page 429', 3],
    ['three are not, and others are refused', 'complete unconnected 404 402 409 403', 5],
    ['one may be after others are refused', 'complete 402 404 403 503', 4],
    ['five hashes fail after a record', 'complete good 503 402 page 404 403 lost', 7],
    ['five fail after the last record', 'complete good 402 402 503 403 good 402', 11],
    ['the key does not count anymore', 'complete 401', 2, 'login-refused/no'],
    ['all, if each refusal is about a single hash', 'complete 404 409 422', 12, 'refused/no'],
  ])('sends nothing more after %s', async (_, replies, sent, rest = 'not-tried/no') => {
    const [kind] = /^request|^complete/.exec(replies) ?? []
    const inputs = { 'max-attempts': '1', 'request-registration': `${kind === 'request'}` }
    const run = new TestRun(replies, { ...inputs, concurrency: '1' })
    expect(wordsOf(await run.register(12)).at(-1)).toBe(rest)
    expect(run.sent.filter(call => call.kind === kind)).toHaveLength(sent)
  })

  it.each([
    ['login good 403, complete 429 401', ['unavailable/no', 'login-refused/no']],
    ['complete ended', ['cancelled/unknown', 'cancelled/no']],
  ])('tells of other files what ended it, not what was seen of one: %s', async (replies, words) => {
    const run = new TestRun(replies)
    run.onSend = kind => {
      if (kind === 'complete' && replies.endsWith('ended')) run.halt.cancel()
    }
    expect(wordsOf(await run.register(2))).toEqual(words)
  })

  const second = { GITHUB_RUN_ATTEMPT: '2', GITHUB_SERVER_URL: 'https://github.com' }
  it.each<[string, warnings: number, env: object, Inputs, count: number]>([
    ['on a later attempt without an artifact service', 1, second, {}, 1],
    ['not on the first attempt', 0, {}, {}, 1],
    ['not with an artifact service', 0, { ...second, ...ofArtifacts }, {}, 1],
    ['not if no records are kept', 0, second, { 'keep-records': 'false' }, 1],
    ['not if nothing is left to register', 0, second, {}, 0],
  ])('warns of records that are only in a log %s', async (_, warnings, env, inputs, count) => {
    const run = Object.assign(new TestRun('', inputs), { env })
    run.onSend = () => {
      expect(run.warned).toHaveLength(warnings)
    }
    await run.register(count)
    const text =
      'This server has no artifact service, so records of earlier attempts are only in their logs. What they registered and the records file lacks is charged again'
    expect(run.warned).toEqual(Array(warnings).fill(text))
  })
})

it('a run without anything to send opens no file, and needs no proxy', async () => {
  const env = { https_proxy: 'socks5://p' }
  const append = () => assert.fail('the file is written')
  const idle = Object.assign(new TestRun(), { env })
  expect(await idle.register([], { disk: { ...systemDisk, append } })).toEqual([])
  const run = Object.assign(new TestRun(), { env })
  await expect(run.register()).rejects.toThrow('"https_proxy"')
  Object.assign(run, { env: { http_proxy: 'socks5://p', ...ofArtifacts } })
  await expect(run.register()).rejects.toThrow('"http_proxy"')
  // One hash is enough to try the file first.
  const full = new TestRun()
  const disk = { ...systemDisk, append }
  await expect(full.register(1, { disk })).rejects.toThrow('cannot be written')
  expect([idle.sent, run.sent, full.sent]).toEqual([[], [], []])
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
  const { calls, timeoutMs, lines } = run
  expect([calls, timeoutMs, lines.length]).toEqual(['complete', 60_000, 1])
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

const isNot = 'not "registered"'
const isPending = `status is "pending", ${isNot}`
const pending = { ...goodRecord, status: 'pending' }
const loud = { ...pending, hash: hash.toUpperCase() }
const odd = { ...goodRecord, status: 'token-1', payload: ['token-1'] }
const ofOther = { ...goodRecord, hash: hashOf(7) }
const isOther = `hash is "${hashOf(7)}", not that of the request`
const isKept = 'custody is true, not false, signed is 0, not false'
const noRecord = 'the registration returned HTTP 200 and no record'
it.each<[reason: Reason, object, observed: string, said: string]>([
  ['not-yet-registered', loud, isPending, ''],
  ['not-yet-registered', pending, isPending, ''],
  ['not-yet-registered', odd, `status is "***", ${isNot}`, ''],
  ['record-mismatch', ofOther, isOther, ''],
  ['record-mismatch', { ...goodRecord, custody: true, signed: 0 }, isKept, ''],
  ['unexpected-response', { success: false, message: 'no token-1' }, noRecord, ': "no ***"'],
])('a response that is no record is kept, without secrets: %s, %j', async (...row) => {
  const [reason, object, observed, said] = row
  const run = new TestRun({ complete: () => respond(200, object) })
  const failure = failureIn(await run.register([named]))
  const code = reason === 'unexpected-response' ? 'invalid-response' : 'record-mismatch'
  expect(failure).toMatchObject({ code, reason, mayHaveActed: true, observed, said })
  const response = parseJsonObject(JSON.stringify(object).replaceAll('token-1', '***'))
  const line = { ...head, at, state: 'unknown', why: observed + said, response }
  expect([run.lines.map(parseJsonObject), run.calls]).toEqual([[line], 'complete'])
})

it('a secret that stands in what the rules fix, or in an id of the account or the run, does not damage a line', async () => {
  const { runId, runAttempt } = source
  const { id: paymentId } = serviceData
  const customer = { status: 'registered', runId, paymentId }
  const data = { ...serviceData, sessionId: hash.slice(0, 6), customer }
  const run = new TestRun({ active: () => respond(200, data) }, { subscription: 'active' })
  await run.register([named])
  const record = expect.objectContaining({ hash, status: 'registered', paymentId })
  const line = { source: { runId, runAttempt }, record }
  expect(run.lines.map(parseJsonObject)).toMatchObject([line])
})
