/** What the lines of a hash contain, and what happens if they cannot be saved. The world tests check when they are written. */
import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from '@jest/globals'
import type { Disk } from '../../src/records/disk.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { registerAll } from '../../src/register/register.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { failingDisk } from '../records/failing-disk.ts'
import { answer, goodRecord, HASH, START_MS, TestRun, type Replies } from '../service/support.ts'
import { cleanUp } from '../support/clean-up.ts'
import { source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

const at = new Date(START_MS).toISOString()
const registration = { hash: HASH, name: 'dist/token-1.zip', size: 7, open: null }

/** Registers one hash with these replies; `text` is the records file. */
async function registerOne(replies: Replies, disk?: Disk) {
  const recordsPath = makeWorkspace().path('records.jsonl')
  const inputs = { 'verification-url': 'https://notary.example/verification/{hash}' }
  const run = new TestRun(replies, inputs, recordsPath, disk)
  const { task } = run
  const file = await RecordsFile.open(recordsPath, task.records, true)
  if (file === null) throw new Error('the records file was not opened')
  const outcomes = await registerAll([registration], { task, file, transport: run })
  await file.close()
  return { run, outcome: outcomes.get(HASH), text: readFileSync(recordsPath, 'utf8') }
}

it('a record is kept unchanged except for secrets, with its problems and a link', async () => {
  const fields = (secret: string): string =>
    `${JSON.stringify({ ...goodRecord, status: secret, payload: [secret] }).slice(0, -1)},"big":12345678901234567890,"vast":[1E+400]}`
  const replies = { complete: () => answer(200, fields('token-1')) }
  const { outcome, text } = await registerOne(replies)
  expect(text).toContain(`"record":${fields('***')}`)
  expect(text).not.toContain('token-1')
  const what = expect.stringContaining('status is "***"')
  const failure = { code: 'record-mismatch', registered: 'unknown', what }
  expect(outcome).toMatchObject({ failure })
  const service = 'https://notary.example'
  const head = { artifact: 'dist/***.zip', size: 7, hash: HASH, service, at, source }
  const [sent = '', record = ''] = text.split('\n')
  expect(parseJsonObject(sent)).toEqual({ ...head, state: 'sent' })
  const verificationUrl = `${service}/verification/${HASH}`
  const problem = { problems: [what], redacted: ['/status', '/payload/0'] }
  expect(parseJsonObject(record)).toMatchObject({ ...head, ...problem, verificationUrl })
})

it.each<[string, number, unsaved: readonly string[], printed: readonly object[]]>([
  ['good', 1, [], []],
  ['good', 2, ['dist/***.zip'], [{ hash: HASH, at, record: goodRecord, problems: [] }]],
  ['404', 2, [], [{ hash: HASH, at, state: 'not-registered' }]],
])('after "%s", sending stops if line %d cannot be saved', async (reply, nth, ...rest) => {
  const [unsaved, printed] = rest
  const { run } = await registerOne(`complete ${reply}`, failingDisk(nth))
  expect(run.count('complete')).toBe(nth - 1)
  expect(run.halt).toMatchObject({ reason: { code: 'not-saved' }, unsaved })
  expect(run.logged[0]).toContain('no space left on device')
  const lines = run.logged.filter(text => text.startsWith('{')).map(parseJsonObject)
  expect(lines).toMatchObject(printed)
})
