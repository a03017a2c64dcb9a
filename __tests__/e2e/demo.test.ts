import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { DEFAULT_API_KEY, exampleSubscription } from '../../simulator/index.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

const repository = resolve(import.meta.dirname, '../..')

afterAll(cleanUp)

/** Runs the demo as `npm run demo` does, with a folder of its own for what is temporary. */
function runDemo(env: Readonly<Record<string, string>> = {}) {
  const temp = makeTemporaryFolder()
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo.ts'], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TMPDIR: temp,
      // Nothing answers there: whoever asks the internet for anything fails.
      https_proxy: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
      ...env,
    },
  })
  return { status, stdout, stderr, leftBehind: readdirSync(temp) }
}

describe('the demo', () => {
  it('notarizes a release of this repository, shows all of it but the secrets, and leaves nothing behind', () => {
    const before = readdirSync(repository)
    const { status, stdout, stderr, leftBehind } = runDemo()

    expect({ status, stderr, leftBehind }).toEqual({ status: 0, stderr: '', leftBehind: [] })
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'All is as it should be: 3 artifacts notarized with 3 registrations, and the second run sent nothing.',
    )
    expect(readdirSync(repository)).toEqual(before)
    expect(stdout).not.toMatch(/^\s+at /m)
    expect(stdout).not.toMatch(/^\s*NO /m)

    expect([...stdout.matchAll(/^=== (\d+)\. /gm)].map(([, number]) => Number(number))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ])
    const bundle = readFileSync(resolve(repository, 'dist/index.js'))
    const hash = createHash('sha256').update(bundle).digest('hex')
    expect(stdout).toMatch(new RegExp(`index\\.js +${bundle.length} bytes +SHA-256 ${hash}`))
    for (const text of [
      `POST /api/v2/registration/${hash}/forfait -> 200`,
      'registered: "release/SHA256SUMS"',
      'verdict: registered',
      'newly-registered-count: 3',
      `{"artifact":"release/index.js","size":${bundle.length},"hash":"${hash}"`,
      '3 newly registered, 0 known before',
      '0 newly registered, 3 known before',
      'Requests that the service saw of it: 0',
      'POST /api/v2/registration/?subscription=true -> 200',
    ]) {
      expect(stdout).toContain(text)
    }
    const { sessionId, customer, latestInvoice } = exampleSubscription
    for (const secret of [DEFAULT_API_KEY, sessionId, customer, latestInvoice, 'add-mask']) {
      expect(stdout).not.toContain(secret)
    }
  })

  it('ends with exit code 1 and the reason when it cannot pack the release', () => {
    const { status, stdout, stderr, leftBehind } = runDemo({
      npm_execpath: '',
      PATH: '/nonexistent',
    })

    expect({ status, leftBehind }).toEqual({ status: 1, leftBehind: [] })
    expect(stdout).not.toContain('All is as it should be')
    expect(stderr).toMatch(/^demo: npm pack failed: .+\n$/)
  })
})
