import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { afterAll, expect, it } from '@jest/globals'
import { root } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

afterAll(cleanUp)

it('the demo notarizes real files, shows what a user sees, and keeps the proof', () => {
  const [temp, folder] = [makeTemporaryFolder(), makeTemporaryFolder()]
  // Nothing listens there, so any call to the internet fails.
  const env = { ...process.env, TMPDIR: temp, https_proxy: 'http://127.0.0.1:9' }
  const args = ['scripts/demo.ts', '--out', folder]
  const options = { cwd: root, encoding: 'utf8', env } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  const leftBehind = readdirSync(temp)
  expect({ status, stderr, leftBehind }).toEqual({ status: 0, stderr: '', leftBehind: [] })
  expect(stdout).toMatch(/^ {4}✅ NOTARIZED: 3 of 3 artifacts registered/mu)
  expect(stdout).toContain('# Notarization evidence')
  const check = ['--ignore-missing', '-c', 'notarization-evidence.md']
  const checked = spawnSync('sha256sum', check, { cwd: folder, encoding: 'utf8' })
  expect(checked.stdout).toBe('action.yml: OK\nindex.js: OK\nlicenses.txt: OK\n')
})
