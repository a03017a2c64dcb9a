import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

const repository = resolve(import.meta.dirname, '../..')

afterAll(cleanUp)

it('the demo notarizes real files, shows what a user sees, and keeps what it calls proof', () => {
  const [temp, folder] = [makeTemporaryFolder(), makeTemporaryFolder()]
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/demo.ts', '--out', folder],
    {
      cwd: repository,
      encoding: 'utf8',
      // Nothing answers there: whoever asks the internet for anything fails.
      env: { ...process.env, TMPDIR: temp, https_proxy: 'http://127.0.0.1:9' },
    },
  )
  expect({ status, stderr, leftBehind: readdirSync(temp) }).toEqual({
    status: 0,
    stderr: '',
    leftBehind: [],
  })
  expect(stdout).toContain('\nAll checks passed.\n')
  expect(stdout).toMatch(/^ {4}✅ NOTARIZED: 3 of 3 artifacts registered/mu)
  expect(stdout).toMatch(/^ {8}Artifact +release\/index\.js$/m)
  expect(stdout).toContain('# Notarization evidence')

  const checked = spawnSync('sha256sum', ['--ignore-missing', '-c', 'notarization-evidence.md'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(checked.stdout).toBe('action.yml: OK\nindex.js: OK\nlicenses.txt: OK\n')
  expect(readdirSync(join(folder))).toEqual(
    expect.arrayContaining(['job-summary.md', 'notarization-records.jsonl']),
  )
})
