/** The commands of docs/records.md and docs/verify.md that read records do what their pages say. */
import { spawnSync } from 'node:child_process'
import { afterAll, expect, it } from '@jest/globals'
import { KnownRecords } from '../../src/records/known-records.ts'
import { parseRecords } from '../../src/records/lines.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { describeScripts } from '../support/script.ts'
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
  const [block, another] = blocksOf(page).filter(({ text }) => text.includes(part))
  if (block === undefined || another !== undefined) throw new Error(`${page} needs one "${part}"`)
  return block.text
}

/** Runs a command as if it were pasted into a shell, with this hash. */
function paste(command: string, { root }: Workspace, hash = '') {
  const script = command.replace('PASTE_THE_HASH', hash)
  return spawnSync('bash', ['-c', script], { cwd: root, encoding: 'utf8' })
}

/** Returns what the action knows about a content from the records files of a workspace. */
function find(workspace: Workspace, content: string): unknown {
  const files = [records, settled].filter(file => workspace.exists(file))
  const text = files.map(file => workspace.read(file)).join('')
  const { entries, damage } = parseRecords(Buffer.from(text), records)
  expect(damage).toEqual([])
  return new KnownRecords(entries, service).find(sha256(content))
}

describeScripts('docs/records.md', () => {
  const page = 'docs/records.md'
  const add = commandOf(page, 'Added by hand')
  const deny = commandOf(page, 'not-registered')

  it('settles hash after hash with a record', () => {
    const workspace = makeWorkspace({ [records]: lines })
    expect(find(workspace, 'open')).toMatchObject({
      state: 'planned',
      openSince: '2026-02-01T12:00:00.000Z',
    })
    for (const content of ['open', 'other', 'bad']) {
      expect(paste(add, workspace, sha256(content))).toMatchObject({ status: 0, stderr: '' })
      expect(find(workspace, content)).toMatchObject({
        state: 'registered',
        record: { description: expect.stringContaining('by hand') },
        maybeChargedAgain: false,
      })
    }
    expect(workspace.read(settled).split('\n')).toHaveLength(4)
  })

  it('settles hash after hash as not registered, also one with a bad record', () => {
    const workspace = makeWorkspace({ [records]: lines })
    for (const content of ['open', 'other', 'bad']) {
      expect(paste(deny, workspace, sha256(content))).toMatchObject({ status: 0, stderr: '' })
      expect(find(workspace, content)).toEqual({ state: 'planned', openSince: null })
    }
    expect(find(workspace, 'good')).toMatchObject({ state: 'registered', maybeChargedAgain: false })
  })

  it.each([
    ['an unknown hash', lines, sha256('unknown')],
    ['a damaged line', `${lines}{"artifact":`, sha256('open')],
  ])('fails and adds nothing for %s', (_, text, hash) => {
    const workspace = makeWorkspace({ [records]: text })
    for (const command of [add, deny]) expect(paste(command, workspace, hash).status).not.toBe(0)
    expect(workspace.read(settled)).toBe('')
    expect(workspace.read(records)).toBe(text)
  })

  it('prints only good records', () => {
    const read = commandOf(page, 'creationDate')
    const { stdout } = paste(read, makeWorkspace({ [records]: lines }))
    expect(stdout).toBe(`${sha256('good')} 1767225600000\n`)
  })
})

describeScripts('docs/verify.md', () => {
  it.each([
    ['good', true],
    ['open', false],
    ['bad', false],
    ['unknown', false],
  ])('finds the record of "%s": %s', (content, isFound) => {
    const workspace = makeWorkspace({ 'app.tar.gz': content, [records]: lines })
    const { status, stdout } = paste(commandOf('docs/verify.md', 'creationDate'), workspace)
    expect(status === 0).toBe(isFound)
    if (isFound) {
      const registered = '2026-01-01T00:00:00Z'
      expect(JSON.parse(stdout)).toMatchObject({ service, registered, account: 1 })
    } else expect(stdout).toBe('')
  })
})
