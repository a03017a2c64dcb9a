import { readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  checkStopped,
  checkWithSha256sum,
  makeLine,
  makeRecord,
  makeRelease,
  makeStateLine,
  notarize,
  readSummary,
  sha256,
  startService,
  toJsonLines,
} from './support.ts'
import type { CheckedRun } from './support.ts'

const FILE = 'notarization-records.jsonl'

/** The inputs of a workflow that runs for a pull request from a fork: every secret is empty. */
const noSecrets = { 'api-key': '', subscription: '', 'base-url': '', 'dry-run': 'true' } as const

/** Everything in the workspace with its bytes and times, so that any write is seen. */
function picture(workspace: Workspace): unknown[] {
  return readdirSync(workspace.root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const { mtimeMs, size, ino } = statSync(workspace.path(name))
      return { name, mtimeMs, size, ino }
    })
}

/** Makes a dry run, and sees that nothing is written to the workspace. */
async function dryRun(
  workspace: Workspace,
  inputs: Readonly<Record<string, string>> = {},
): Promise<CheckedRun> {
  const before = picture(workspace)
  const run = await notarize({ workspace, inputs: { ...noSecrets, ...inputs } })
  expect(run.results.verdict).toBe('dry-run')
  expect(readSummary(run.summary).verdict).toMatch(/^## (🔎|❌) DRY RUN, nothing was sent: /u)
  expect(picture(workspace)).toEqual(before)
  return run
}

/** The artifacts that the log says would be registered. */
const plannedIn = (run: CheckedRun): string[] =>
  [...run.visibleLog.matchAll(/^would be registered: "(.*?)"/gm)].map(([, name = '']) => name)

describe('a dry run', () => {
  it('needs no secret and no URL, and reports the plan', async () => {
    const workspace = makeRelease({ a: 'a', 'sub/b c': 'bc', twin: 'a' })
    const run = await dryRun(workspace, { 'dry-run': 'TRUE', 'records-path': 'new/folder/r.jsonl' })

    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    expect(run.masks).toEqual([])
    expect(run.results).toMatchObject({
      failures: [],
      'records-path': workspace.path('new/folder/r.jsonl'),
      'artifact-count': 3,
      'evidence-path': '',
    })
    const names = ['dist/a', 'dist/sub/b c', 'dist/twin']
    expect(checkWithSha256sum(run)).toEqual(names.map(name => `${name}: OK`))
    expect(readSummary(run.summary).rows.map(row => [row[1], row[3]])).toEqual([
      ['dist/a', sha256('a')],
      ['dist/sub/b c', sha256('bc')],
      ['dist/twin', sha256('a')],
    ])
    expect(plannedIn(run)).toEqual(names)
  })

  it('makes no connection even when it has everything for one, and masks the secrets', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, inputs: { 'dry-run': 'true' } })

    expect(run.results.verdict).toBe('dry-run')
    expect(service.maxConnections).toBe(0)
    expect(workspace.exists(FILE)).toBe(false)
    expect(run.masks.length).toBeGreaterThan(0)
  })

  it('says what is known, what is open and what a person must settle, and counts none as registered', async () => {
    const service = await startService()
    const { url } = service
    const workspace = makeRelease({ known: 'known', new: 'new', open: 'open', wrong: 'wrong' })
    const record = makeRecord(sha256('wrong'), { custody: true })
    const problems = ['custody is true, not false']
    const lines = [
      ...[makeLine(url, 'known'), makeStateLine(url, 'open')],
      makeLine(url, 'wrong', { record, problems }),
    ]
    workspace.write(FILE, toJsonLines(lines))
    const run = await dryRun(workspace, { 'base-url': `${url}/` })
    const atMostOnce = await dryRun(workspace, { 'base-url': url, 'retry-unanswered': 'false' })

    for (const { results } of [run, atMostOnce]) {
      // That could all be hashed.
      expect(results).toMatchObject({ failures: [], 'artifact-count': 4, 'registered-count': 0 })
    }
    expect(plannedIn(run)).toEqual(['dist/new'])
    expect(run.visibleLog).toMatch(
      /^4 artifacts found, 2 distinct hashes are left to register; 1 of them may have been registered by an earlier run$/m,
    )
    expect(atMostOnce.visibleLog).toMatch(
      /^4 .*, 1 distinct hash is left to register; 1 that may have been registered by an earlier run not sent again$/m,
    )
    expect(readSummary(run.summary).rows.map(([state]) => state)).toEqual([
      ...['✅ registered before', '🔎 would be registered'],
      '⚠️ would be sent again, an earlier run may have registered it',
      '⚠️ not sent again until a person has settled it',
    ])
    expect(readSummary(run.summary).verdict).toMatch(
      /2 of 4 artifacts would be registered \(1 may have been registered by an earlier run\), 1 known before, 1 not sent again until a person has settled it$/,
    )
    expect(readSummary(atMostOnce.summary).verdict).toMatch(
      /1 of 4 artifacts would be registered, 1 known before, 2 not sent again/,
    )
  })

  it('knows no line without base-url', async () => {
    const workspace = makeRelease({ known: 'known' })
    workspace.write(FILE, toJsonLines([makeLine('https://notary.example', 'known')]))
    expect(plannedIn(await dryRun(workspace))).toEqual(['dist/known'])
  })

  it('leaves a records file with an incomplete last line as it is', async () => {
    const { url } = await startService()
    const workspace = makeRelease({ known: 'known', new: 'new' })
    const text = `${JSON.stringify(makeLine(url, 'known'))}\n{"artifact":"dist/to`
    workspace.write(FILE, text)
    const run = await dryRun(workspace, { 'base-url': url })

    expect(plannedIn(run)).toEqual(['dist/new'])
    expect(run.annotations.warning).toEqual([])
  })

  it('fails for what could not be hashed, and for nothing else', async () => {
    const workspace = makeRelease({ a: 'a' })
    const run = await dryRun(workspace, { path: 'dist\n/proc/self/mem' })

    expect(run.exitCode).toBe(1)
    expect(run.results.failures).toMatchObject([{ code: 'unreadable', registered: 'no' }])
    expect(run.annotations.error[0]).toMatch(/1 of 2 .*unreadable/)
    expect(run.files.readChecksums()).toBe(`${sha256('a')}  dist/a\n`)
  })

  it('that finds nothing, where that is allowed, is a dry run all the same', async () => {
    const inputs = { path: 'nothing', 'if-no-files-found': 'ignore' }
    const run = await dryRun(makeWorkspace(), inputs)
    expect(run.results).toMatchObject({ 'artifact-count': 0, 'checksums-path': '' })
  })

  it.each([
    ['a damaged records file', { [FILE]: '[]\n' }, {}, [/line 1\b/]],
    [
      'secrets that are wrong',
      {},
      { 'api-key': 'two\nlines', subscription: '[]', 'base-url': 'x' },
      [/"api-key"/, /"base-url"/, /"subscription"/],
    ],
  ])('stops at %s', async (_, files, inputs, messages) => {
    const workspace = makeWorkspace({ 'dist/a': 'a', ...files })
    const before = picture(workspace)
    const run = await notarize({ workspace, inputs: { ...noSecrets, ...inputs } })

    checkStopped(run)
    expect(run.annotations.error).toEqual(messages.map(text => expect.stringMatching(text)))
    expect(picture(workspace)).toEqual(before)
  })
})
