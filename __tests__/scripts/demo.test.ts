import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { root } from '../docs/page.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

it('the demo shows a run, a lost response with its look-up, and the next release, and saves what proves them', () => {
  const [temp, folder] = [makeTemporaryFolder(), makeTemporaryFolder()]
  // Nothing listens there, so any call to the internet fails.
  const env = { ...process.env, TMPDIR: temp, https_proxy: 'http://127.0.0.1:9' }
  const args = ['scripts/demo.ts', '--out', folder]
  const options = { cwd: root, encoding: 'utf8', env } as const
  const { status, stderr } = spawnSync(process.execPath, args, options)
  const leftBehind = readdirSync(temp)
  expect({ status, stderr, leftBehind }).toEqual({ status: 0, stderr: '', leftBehind: [] })
  for (const [run, count] of Object.entries({ 1: 3, 3: 6, 4: 6 })) {
    const check = ['--ignore-missing', '-c', 'notarization-evidence.md']
    const checked = spawnSync('sha256sum', check, { cwd: join(folder, run), encoding: 'utf8' })
    expect(checked.stdout.match(/: OK$/gm)).toHaveLength(count)
  }
})
