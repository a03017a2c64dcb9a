import { readdirSync, statSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import type { Workspace } from '../support/workspace.ts'
import {
  checkStopped,
  checkWithSha256sum,
  FILE,
  makeLetters,
  makeLine,
  makeRelease,
  makeStateLine,
  notarize,
  readSummary,
  sha256,
  startService,
  type CheckedRun,
} from './support.ts'

/** Every file and folder of the workspace with size and time, so that any write is seen. */
function list(workspace: Workspace): readonly unknown[] {
  const names = readdirSync(workspace.root, { recursive: true, encoding: 'utf8' })
  return names.sort().map(name => {
    const { mtimeMs, size, ino } = statSync(workspace.path(name))
    return { name, mtimeMs, size, ino }
  })
}

/** A dry run as for a pull request from a fork, where every secret is empty; it writes nothing to the workspace. */
async function dryRun(
  workspace: Workspace,
  inputs: Readonly<Record<string, string>> = {},
): Promise<CheckedRun> {
  const before = list(workspace)
  const noSecrets = { 'api-key': '', subscription: '', 'base-url': '', 'dry-run': 'true' }
  const run = await notarize({ workspace, inputs: { ...noSecrets, ...inputs } })
  expect(list(workspace)).toEqual(before)
  return run
}

/** The artifacts that the log says would be registered. */
const plannedIn = (run: CheckedRun): readonly string[] =>
  [...run.visibleLog.matchAll(/would be registered: "(.*?)"/gm)].map(([, name = '']) => name)

it('a dry run needs no secret and no URL, and reports the plan', async () => {
  const workspace = makeRelease({ a: 'a', 'sub/b c': 'bc', twin: 'a' })
  const run = await dryRun(workspace, { 'dry-run': 'TRUE', 'records-path': 'new/r.jsonl' })
  expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  expect(run.masks).toEqual([])
  const path = workspace.path('new/r.jsonl')
  expect(run.results).toMatchObject({ 'records-path': path, 'artifact-count': 3 })
  const names = ['dist/a', 'dist/sub/b c', 'dist/twin']
  expect(checkWithSha256sum(run)).toEqual(names.map(name => `${name}: OK`))
  expect(readSummary(run.summary).verdict).toMatch(/^## 🔎 DRY RUN, nothing was sent: 3 of 3/u)
  expect(readSummary(run.summary).rows.map(row => row[3])).toEqual(['a', 'bc', 'a'].map(sha256))
  expect(plannedIn(run)).toEqual(names)
})

it('a dry run makes no connection even with everything for it, and masks the secrets', async () => {
  const service = await startService()
  const workspace = makeLetters('a')
  const run = await notarize({ service, workspace, inputs: { 'dry-run': 'true' } })
  expect(run.results.verdict).toBe('dry-run')
  expect([service.maxConnections, workspace.exists(FILE)]).toEqual([0, false])
})

it('a dry run tells apart what is known, open, and to be settled, and leaves an incomplete last line as it is', async () => {
  const { url } = await startService()
  const wrong = makeLine(url, 'wrong', { problems: ['custody is true, not false'] })
  const lines = [makeLine(url, 'known'), makeStateLine(url, 'open'), wrong]
  const names = ['known', 'new', 'open', 'wrong']
  const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])), lines)
  workspace.write(FILE, `${workspace.read(FILE)}{"artifact":"dist/to`)
  const run = await dryRun(workspace, { 'base-url': `${url}/` })
  expect(run.results).toMatchObject({ verdict: 'dry-run', failures: [], 'artifact-count': 4 })
  expect(plannedIn(run)).toEqual(['dist/new'])
  expect(run.visibleLog).toMatch(/^4 artifacts found, 2 distinct hashes are left.*1 hash is open/m)
  expect(readSummary(run.summary).verdict).toMatch(
    /2 of 4 artifacts would be registered, 1 of them may .*1 known before, 1 not sent/,
  )
  // Without base-url no line counts.
  expect(plannedIn(await dryRun(workspace))).toEqual(names.map(name => `dist/${name}`))
})

it('a dry run fails for what could not be hashed, and stops at damage', async () => {
  const workspace = makeLetters('a')
  const run = await dryRun(workspace, { path: 'dist\n/proc/self/mem' })
  expect([run.exitCode, run.results.verdict]).toEqual([1, 'dry-run'])
  expect(run.results.failures).toMatchObject([{ code: 'unreadable', registered: 'no' }])
  expect(run.annotations.error[0]).toMatch(/1 of 2 .*unreadable/)
  expect(run.checksums).toBe(`${sha256('a')}  dist/a\n`)

  workspace.write(FILE, '[]\n')
  const damaged = await dryRun(workspace)
  checkStopped(damaged)
  expect(damaged.annotations.error).toEqual([expect.stringMatching(/line 1\b/)])
})
