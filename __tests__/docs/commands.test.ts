/** The commands of docs/records.md and docs/verify.md that read records do what their pages say. */
import { spawnSync } from 'node:child_process'
import { afterAll, expect } from '@jest/globals'
import { KnownRecords } from '../../src/records/known-records.ts'
import { parseRecords } from '../../src/records/lines.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { blocksOf } from './page.ts'

afterAll(cleanUp)

const service = 'https://app.dedit.io'
const records = 'notarization-records.jsonl'
const settled = 'notarization-records-settled.jsonl'

/** A hash with a record, one with a record that contradicts its request, and two open ones, one of them sent twice. */
const lines = toJsonLines([
  makeStateLine(service, 'good'),
  makeLine(service, 'good'),
  makeStateLine(service, 'bad'),
  makeLine(service, 'bad', { problems: ['signed is true'] }),
  makeStateLine(service, 'open'),
  makeStateLine(service, 'open', { at: '2026-02-01T12:00:00.000Z' }),
  makeStateLine(service, 'other'),
])

/** Returns the only command of a page with this text. */
function commandOf(page: string, part: string): string {
  const [block, another] = blocksOf(page).filter(text => text.includes(part))
  if (block === undefined || another !== undefined) throw new Error(`${page} needs one "${part}"`)
  return block
}

/** Runs a command as if it were pasted into a shell, with the hash of this content. */
function paste(command: string, { root }: Workspace, content = '') {
  const text = command.replace('PASTE_THE_HASH', sha256(content))
  return spawnSync('bash', ['-c', text], { cwd: root, encoding: 'utf8' })
}

const page = 'docs/records.md'
const commands = ['Added by hand', 'not-registered'].map(part => commandOf(page, part))
const byHand = {
  state: 'registered',
  record: { description: expect.stringContaining('by hand') },
  maybeChargedAgain: false,
}

itRunsScripts.each([
  ['with a record', commands[0], byHand],
  ['as not registered', commands[1], { state: 'planned', openSince: null }],
])('an open hash, or one with a bad record, is settled %s', (_, command = '', expected) => {
  const workspace = makeWorkspace({ [records]: lines })
  const contents = ['open', 'other', 'bad']
  for (const content of contents) {
    expect(paste(command, workspace, content)).toMatchObject({ status: 0, stderr: '' })
  }
  const all = Buffer.from(workspace.read(records) + workspace.read(settled))
  const { entries, damage } = parseRecords(all, records)
  const known = new KnownRecords(entries, service)
  expect(damage).toEqual([])
  for (const content of contents) expect(known.find(sha256(content))).toMatchObject(expected)
  expect(known.find(sha256('good'))).toMatchObject({ state: 'registered' })
})

itRunsScripts.each([
  ['an unknown hash', lines, 'unknown'],
  ['a damaged line', `${lines}{"artifact":`, 'open'],
])('settling fails and adds nothing for %s', (_, text, content) => {
  const workspace = makeWorkspace({ [records]: text })
  for (const command of commands) expect(paste(command, workspace, content).status).not.toBe(0)
  expect(workspace.read(settled)).toBe('')
  expect(workspace.read(records)).toBe(text)
})

itRunsScripts('only good records are printed', () => {
  const { stdout } = paste(commandOf(page, 'creationDate'), makeWorkspace({ [records]: lines }))
  expect(stdout).toBe(`${sha256('good')} 1767225600000\n`)
})

itRunsScripts('only a file with a good record is found without the action', () => {
  const command = commandOf('docs/verify.md', 'creationDate')
  const [good, ...others] = ['good', 'open', 'bad', 'unknown'].map(content =>
    paste(command, makeWorkspace({ 'app.tar.gz': content, [records]: lines })),
  )
  const registered = '2026-01-01T00:00:00Z'
  expect(JSON.parse(good?.stdout ?? '')).toMatchObject({ service, registered, account: 1 })
  expect(others.map(({ stdout }) => stdout)).toEqual(['', '', ''])
  expect(others.filter(({ status }) => status === 0)).toEqual([])
})
