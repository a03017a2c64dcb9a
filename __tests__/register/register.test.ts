/** What the lines of a hash say, and what happens when one cannot be saved. The world tests when they are written. */
import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from '@jest/globals'
import type { Outcome } from '../../src/outcome.ts'
import { systemDisk, type Disk } from '../../src/records/disk.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { registerAll } from '../../src/register/register.ts'
import type { Reply } from '../../src/service/transport.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { answer, goodRecord, HASH, START_MS, TestRun, type Replies } from '../service/support.ts'
import { cleanUp } from '../support/clean-up.ts'
import { source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

const at = new Date(START_MS).toISOString()
const registration = { hash: HASH, name: 'dist/token-1.zip', size: 7, open: null }

interface Registered {
  readonly run: TestRun
  readonly outcome: Outcome | undefined
  /** The records file. */
  readonly text: string
  readonly lines: readonly JsonObject[]
}

/** Registers one hash at a service that answers so. */
async function registerOne(replies: Replies, disk?: Disk): Promise<Registered> {
  const recordsPath = makeWorkspace().path('records.jsonl')
  const inputs = { 'verification-url': 'https://notary.example/verification/{hash}' }
  const run = new TestRun(replies, inputs, recordsPath, disk)
  const { task } = run
  const file = await RecordsFile.open(recordsPath, task.records, true)
  if (file === null) throw new Error('the records file was not opened')
  const outcomes = await registerAll([registration], { task, file, transport: run })
  await file.close()
  const text = readFileSync(recordsPath, 'utf8')
  const lines = (text.match(/.+/g) ?? []).map(line => parseJsonObject(line) ?? {})
  return { run, outcome: outcomes.get(HASH), text, lines }
}

it('a record is kept as it was written, but for secrets, with its problems and a link', async () => {
  const fields = (secret: string): string =>
    `${JSON.stringify({ ...goodRecord, status: secret, payload: [secret] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
  const complete = (): Reply => answer(200, fields('token-1'))
  const { outcome, text, lines } = await registerOne({ complete })
  expect(text).toContain(`"record":${fields('***')}`)
  expect(text).not.toContain('token-1')
  const what = expect.stringContaining('status is "***"')
  expect(outcome).toMatchObject({
    failure: { code: 'record-mismatch', registered: 'unknown', what },
  })
  const service = 'https://notary.example'
  const head = { artifact: 'dist/***.zip', size: 7, hash: HASH, service, at, source }
  expect(lines[0]).toEqual({ ...head, state: 'sent' })
  const problems = [expect.stringContaining('status is "***"')]
  const verificationUrl = `${service}/verification/${HASH}`
  const redacted = ['/status', '/payload/0']
  expect(lines[1]).toMatchObject({ ...head, problems, redacted, verificationUrl })
})

/** The disk of the machine, but the write of one line fails, counted from 1. */
function failingDisk(line: number): Disk {
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

it.each<[string, number, unsaved: readonly string[], printed: readonly object[]]>([
  ['good', 1, [], []],
  ['good', 2, ['dist/***.zip'], [{ hash: HASH, at, record: goodRecord, problems: [] }]],
  ['404', 2, [], [{ hash: HASH, at, state: 'not-registered' }]],
])('answered %j, line %d cannot be saved: all sending stops', async (reply, line, ...rest) => {
  const [unsaved, printed] = rest
  const { run } = await registerOne(`complete ${reply}`, failingDisk(line))
  expect(run.count('complete')).toBe(line - 1)
  expect(run.halt).toMatchObject({ reason: { code: 'not-saved' }, unsaved })
  expect(run.logged[0]).toContain('the disk is full')
  const lines = run.logged.filter(text => text.startsWith('{')).map(parseJsonObject)
  expect(lines).toMatchObject(printed)
})
