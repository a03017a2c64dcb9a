/** What docs/records.md and docs/verify.md say about records files works. */
import { spawnSync } from 'node:child_process'
import { afterAll, expect } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { blocksOf } from './page.ts'

afterAll(cleanUp)

const service = 'https://app.dedit.io'
const records = 'notarization-records.jsonl'

/** A hash with a record, one with a record that contradicts its request, and an open one. */
const lines = toJsonLines([
  makeStateLine(service, 'good'),
  makeLine(service, 'good'),
  makeStateLine(service, 'bad'),
  makeLine(service, 'bad', { problems: ['signed is true'] }),
  makeStateLine(service, 'open'),
])

/** Returns the only command of a page with this text. */
function commandOf(page: string, part: string): string {
  const [block, another] = blocksOf(page).filter(text => text.includes(part))
  if (block === undefined || another !== undefined) throw new Error(`${page} needs one "${part}"`)
  return block
}

/** Runs a command as if it were pasted into a shell. */
function paste(command: string, { root }: Workspace) {
  return spawnSync('bash', ['-c', command], { cwd: root, encoding: 'utf8' })
}

const page = 'docs/records.md'

itRunsScripts('records that are only in the log are copied from it', () => {
  const workspace = makeWorkspace({
    log: [
      '::warning::Only this log has these records',
      ...lines.trimEnd().split('\n'),
      'FAILURES: [{"artifact":"a"}]',
    ]
      .map(line => `job\tnotarize\t2026-01-01T00:00:00.1234567Z ${line}\n`)
      .join(''),
    gh: '#!/bin/sh\ncat log',
  })
  const command = commandOf(page, 'gh run view').replace(/^gh /, 'sh gh ')
  expect(paste(command, workspace)).toMatchObject({ status: 0, stderr: '' })
  expect(workspace.read(records)).toBe(lines)
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
