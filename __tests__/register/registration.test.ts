/** One hash after the other, from the records file to the service and back. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import type { Outcome } from '../../src/outcome.ts'
import type { Registration } from '../../src/plan.ts'
import { systemDisk, type Disk } from '../../src/records/disk.ts'
import { readRecords } from '../../src/records/store.ts'
import { register } from '../../src/register/register.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import {
  answer,
  closeAll,
  goodRecord,
  HASH,
  makeTask,
  START_MS,
  startServer,
  type Answerer,
  type TaskOptions,
  type TestServer,
  type TestTask,
} from '../service/support.ts'
import { cleanUp } from '../support/clean-up.ts'
import { API_KEY, openRun, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterEach(closeAll)
afterAll(cleanUp)

const at = new Date(START_MS).toISOString()
const registration: Registration = { hash: HASH, name: 'dist/app.zip', size: 7, open: null }

interface RunOptions {
  readonly inputs?: TaskOptions
  readonly registration?: Partial<Registration>
  readonly login?: string
  readonly recordsPath?: string
  /** The number of the line whose write fails, from 1. */
  readonly failingLine?: number
}

interface Run {
  readonly outcome: Outcome | undefined
  /** `registered`, or code and certainty. */
  readonly word: string
  /** The states of the lines in the records file. */
  readonly states: string
  readonly lines: readonly JsonObject[]
  readonly text: string
  /** What the records say of the hash afterwards. */
  readonly known: string | undefined
  readonly server: TestServer
  readonly task: TestTask
}

/** Registers one hash at a service that answers its completion so. */
async function run(complete: Answerer | string, options: RunOptions = {}): Promise<Run> {
  const { recordsPath = makeWorkspace().path('records.jsonl') } = options
  const server = await startServer({ complete, login: options.login ?? 'good' })
  const task = makeTask(server.url, { recordsPath, 'max-attempts': '2', ...options.inputs })
  const records = { ...task.records, disk: failingDisk(options.failingLine) }
  const outcomes = await register([{ ...registration, ...options.registration }], {
    ...task,
    records,
  })
  const outcome = outcomes.get(HASH)
  const text = readFileSync(recordsPath, 'utf8')
  const lines = (text.match(/.+/g) ?? []).map(line => parseJsonObject(line) ?? {})
  const query = { path: recordsPath, name: 'records.jsonl', others: [], service: server.url }
  return {
    outcome,
    word: wordOf(outcome),
    states: lines.map(line => ('record' in line ? 'record' : String(line['state']))).join(' '),
    lines,
    text,
    known: readRecords(query).known.find(HASH)?.state,
    server,
    task,
  }
}

function wordOf(outcome: Outcome | undefined): string {
  if (outcome?.state !== 'failed') return outcome?.state ?? 'none'
  return `${outcome.failure.code}/${outcome.failure.registered}`
}

/** The disk of the machine, but the write of one line fails. */
function failingDisk(line = 0): Disk {
  let lines = 0
  return {
    ...systemDisk,
    openForAppending: async path => {
      const file = await systemDisk.openForAppending(path)
      const append = async (data: string | Uint8Array): Promise<void> => {
        if (data.length > 0 && ++lines === line) throw new Error('the disk is full')
        await file.append(data)
      }
      return { ...file, append }
    },
  }
}

it('a registration is saved before it is sent, and so is its record after', async () => {
  let before = ''
  const recordsPath = makeWorkspace().path('records.jsonl')
  const complete: Answerer = (response, nth) => {
    before = readFileSync(recordsPath, 'utf8')
    answer(200, goodRecord)(response, nth)
  }
  const { word, text, lines, server } = await run(complete, { recordsPath })
  expect(word).toBe('registered')
  const head = { artifact: 'dist/app.zip', size: 7, hash: HASH, service: server.url, at, source }
  expect(lines).toEqual([
    { ...head, state: 'sent' },
    { ...head, record: goodRecord, problems: [] },
  ])
  expect(before.trimEnd()).toBe(text.split('\n')[0])
})

describe('the lines of a hash', () => {
  const open = { registration: { open: openRun } }
  it.each<[complete: string, RunOptions, word: string, states: string, known?: string]>([
    ['good', {}, 'registered', 'sent record', 'registered'],
    ['404', {}, 'refused/no', 'sent not-registered'],
    ['lost 404', {}, 'refused/unknown', 'sent', 'open'],
    ['page', {}, 'invalid-response/unknown', 'sent', 'open'],
    ['odd', {}, 'record-mismatch/unknown', 'sent record', 'contradicted'],
    ['good', { login: '401' }, 'login-refused/no', ''],
    // What an earlier run left open stays so, but what this run sent is settled.
    ['404', open, 'refused/unknown', 'sent not-registered'],
  ])('at a service that answers %j, with %j: %s, %j', async (complete, options, ...expected) => {
    const [expectedWord, expectedStates, expectedKnown] = expected
    const { word, states, known, lines } = await run(complete, options)
    expect([word, states, known]).toEqual([expectedWord, expectedStates, expectedKnown])
    expect(lines.every(line => line['at'] === at)).toBe(true)
  })

  it.each<[string, Registration['open'], inOutcome: boolean, inLine: true | undefined]>([
    ['good', null, false, undefined],
    ['lost good', null, true, true],
    ['good', openRun, true, undefined],
  ])('say that it may have been charged again: %s', async (complete, open, inOutcome, inLine) => {
    const { outcome, lines } = await run(complete, { registration: { open } })
    expect(outcome).toMatchObject({ state: 'registered', maybeChargedAgain: inOutcome })
    expect(lines.at(-1)?.['maybeChargedAgain']).toBe(inLine)
  })
})

describe('a record', () => {
  it('is kept as it was written, but for secrets, whose places are listed, and gets a link', async () => {
    const fields = (description: string, payload: string): string =>
      `${JSON.stringify({ ...goodRecord, description, payload: [payload] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
    const name = 'dist/token-1.zip'
    const { outcome, text, lines } = await run(answer(200, fields(`by ${API_KEY}`, 'token-1')), {
      inputs: { 'verification-url': 'https://notary.example/verification/{hash}' },
      registration: { name },
    })
    const redacted = ['/description', '/payload/0']
    expect(text).toContain(`"record":${fields('by ***', '***')}`)
    expect(text).not.toMatch(/key_live|token-1/)
    expect(outcome).toMatchObject({ state: 'registered', redacted })
    const verificationUrl = `https://notary.example/verification/${HASH}`
    expect(lines.at(-1)).toMatchObject({ artifact: 'dist/***.zip', redacted, verificationUrl })
  })

  it('that contradicts its request is kept with its problems, which show no secret', async () => {
    const record = { ...goodRecord, status: API_KEY, paymentId: 'sub_of_somebody' }
    const { outcome, lines, text, server } = await run(answer(200, record))
    const what = expect.stringMatching(/status is "\*\*\*".*paymentId/)
    expect(outcome).toMatchObject({
      failure: { code: 'record-mismatch', registered: 'unknown', what },
    })
    const problems = [expect.stringContaining('status'), expect.stringContaining('paymentId')]
    expect(lines.at(-1)).toMatchObject({ problems, redacted: ['/status'] })
    expect(text).not.toContain(API_KEY)
    expect(server.count('complete')).toBe(1)
  })

  it('with fields of other types is good, and one notice names them', async () => {
    const record = { ...goodRecord, creationDate: '2026', tags: 'none', custody: 'false' }
    const { word, task } = await run(answer(200, record))
    expect(word).toBe('registered')
    expect(task.messages.noticed).toEqual([expect.stringContaining('tags, creationDate')])
  })
})

describe('a line that cannot be saved stops all sending:', () => {
  it('one before sending, so that nothing is sent', async () => {
    const { word, server, task } = await run('good', { failingLine: 1 })
    expect(word).toBe('not-saved/no')
    expect(server.calls()).toBe('')
    expect(task.host.halt).toMatchObject({ reason: { code: 'not-saved' }, hasUnsavedRecord: false })
    expect(task.messages.logged).toEqual([expect.stringContaining('the disk is full')])
  })

  it.each<[string, string, hasUnsavedRecord: boolean, JsonObject]>([
    ['good', 'registered', true, { record: goodRecord, problems: [] }],
    ['404', 'refused/no', false, { state: 'not-registered' }],
  ])('one after it, which is printed whole (%s)', async (complete, word, hasUnsaved, line) => {
    const { task, ...result } = await run(complete, { failingLine: 2 })
    expect(result.word).toBe(word)
    const halt = { reason: { code: 'not-saved' }, hasUnsavedRecord: hasUnsaved }
    expect(task.host.halt).toMatchObject(halt)
    const [reason, , printed = ''] = task.messages.logged
    expect(reason).toContain('the disk is full')
    expect(parseJsonObject(printed)).toMatchObject({ hash: HASH, at, ...line })
  })
})

describe('before anything is sent', () => {
  it('a records file that cannot be written, or a proxy that cannot be used, stops the run', async () => {
    const server = await startServer()
    const recordsPath = makeWorkspace().path('records.jsonl')
    const local = makeTask(server.url, { recordsPath })
    const disk = { ...systemDisk, openForAppending: () => Promise.reject(new Error('read-only')) }
    const readOnly = { ...local, records: { ...local.records, disk } }
    await expect(register([registration], readOnly)).rejects.toThrow(Stop)
    expect(server.seen).toEqual([])
    const task = makeTask('https://notary.example', { recordsPath })
    const environment = { ...task.host.environment, proxies: { https_proxy: 'proxy:3128' } }
    const proxied = { ...task, host: { ...task.host, environment } }
    await expect(register([registration], proxied)).rejects.toThrow(Stop)
    // Without a call to make, the proxy does not matter.
    expect(await register([], proxied)).toEqual(new Map())
    expect(existsSync(recordsPath)).toBe(false)
  })

  it('the records file is completed, also with nothing to register', async () => {
    const recordsPath = makeWorkspace().path('records.jsonl')
    const { text } = await run('good', { recordsPath })
    writeFileSync(recordsPath, `${text}{"artifact":"cut`)
    const task = makeTask('https://notary.example', { recordsPath })
    expect(await register([], task)).toEqual(new Map())
    expect(readFileSync(recordsPath, 'utf8')).toBe(text)
    expect(task.messages.warned).toEqual([expect.stringContaining('cut off')])
  })
})
