import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  checkTraffic,
  checkWithSha256sum,
  makeLine,
  makeRecord,
  makeRelease,
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

function checkDryRun(run: CheckedRun): void {
  expect(run.results).toMatchObject({
    verdict: 'dry-run',
    records: [],
    'registered-count': 0,
    'newly-registered-count': 0,
  })
  expect(readSummary(run.summary).verdict).toMatch(/dry run/i)
}

describe('a dry run', () => {
  it('needs no secret and no URL, sends nothing, writes nothing, and reports the plan', async () => {
    const workspace = makeRelease({ a: 'a', 'sub/b c': 'bc', twin: 'a' })
    const before = picture(workspace)
    const run = await notarize({ workspace, inputs: noSecrets })

    checkDryRun(run)
    expect(run.exitCode).toBe(0)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    expect(run.masks).toEqual([])
    expect(picture(workspace)).toEqual(before)
    expect(run.results).toMatchObject({
      failures: [],
      'records-path': workspace.path(FILE),
      'artifact-count': 3,
      'failed-count': 0,
    })
    expect(run.files.readChecksums()).toBe(
      `${sha256('a')}  dist/a\n${sha256('bc')}  dist/sub/b c\n${sha256('a')}  dist/twin\n`,
    )
    expect(checkWithSha256sum(run)).toEqual(['dist/a: OK', 'dist/sub/b c: OK', 'dist/twin: OK'])
    const { rows } = readSummary(run.summary)
    expect(rows.map(row => [row[1], row[3]])).toEqual([
      ['dist/a', sha256('a')],
      ['dist/sub/b c', sha256('bc')],
      ['dist/twin', sha256('a')],
    ])
    for (const name of ['dist/a', 'dist/sub/b c', 'dist/twin']) {
      expect(run.visibleLog).toContain(`would be registered: "${name}"`)
    }
  })

  it('makes no connection even when it has everything for one', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, inputs: { 'dry-run': 'true' } })

    checkDryRun(run)
    checkTraffic(service, { hashes: [] })
    expect(service.maxConnections).toBe(0)
    expect(workspace.exists(FILE)).toBe(false)
    expect(run.masks.length).toBeGreaterThan(0)
  })

  it.each(['true', 'True', 'TRUE'])('is asked for with %s', async value => {
    const inputs = { ...noSecrets, 'dry-run': value }
    checkDryRun(await notarize({ workspace: makeRelease({ a: 'a' }), inputs }))
  })

  it('makes no folder for the records file', async () => {
    const workspace = makeRelease({ a: 'a' })
    const inputs = { ...noSecrets, 'records-path': 'new/folder/records.jsonl' }
    const run = await notarize({ workspace, inputs })

    checkDryRun(run)
    expect(workspace.exists('new')).toBe(false)
    expect(run.results['records-path']).toBe(workspace.path('new/folder/records.jsonl'))
  })

  it('tells what is known from what would be registered, and counts neither as registered', async () => {
    const service = await startService()
    const workspace = makeRelease({ known: 'known', new: 'new' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'known')]))
    const before = picture(workspace)
    const run = await notarize({
      workspace,
      inputs: { ...noSecrets, 'base-url': `${service.url}/` },
    })

    checkDryRun(run)
    expect(run.exitCode).toBe(0)
    expect(readSummary(run.summary).verdict).toMatch(/1 of 2 artifacts would be.*1 known/)
    expect(run.visibleLog).toContain('would be registered: "dist/new"')
    expect(run.visibleLog).not.toContain('would be registered: "dist/known"')
    expect(picture(workspace)).toEqual(before)
  })

  it('takes no line for known without base-url', async () => {
    const workspace = makeRelease({ known: 'known' })
    workspace.write(FILE, toJsonLines([makeLine('https://notary.example', 'known')]))
    const run = await notarize({ workspace, inputs: noSecrets })

    checkDryRun(run)
    expect(run.visibleLog).toContain('would be registered: "dist/known"')
  })

  it.each([
    ['a torn last line', (line: string) => `${line}\n{"artifact":"dist/to`],
    ['a last line without its newline', (line: string) => line],
  ])('leaves a records file with %s as it is', async (_, make) => {
    const service = await startService()
    const workspace = makeRelease({ known: 'known', new: 'new' })
    const text = make(JSON.stringify(makeLine(service.url, 'known')))
    workspace.write(FILE, text)
    const before = picture(workspace)
    const run = await notarize({ workspace, inputs: { ...noSecrets, 'base-url': service.url } })

    checkDryRun(run)
    expect(run.exitCode).toBe(0)
    expect(run.visibleLog).not.toContain('would be registered: "dist/known"')
    expect(workspace.read(FILE)).toBe(text)
    expect(picture(workspace)).toEqual(before)
  })

  it('stops at a damaged records file, so that it is seen before it matters', async () => {
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, '[]\n')
    const run = await notarize({ workspace, inputs: noSecrets })

    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(/line 1\b/)])
    expect(workspace.read(FILE)).toBe('[]\n')
  })

  it('has no failure for a hash whose record has problems: that could be hashed', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const record = { ...makeRecord(sha256('a')), custody: true }
    const problems = ['custody is true, not false']
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a', { record, problems })]))
    const run = await notarize({ workspace, inputs: { ...noSecrets, 'base-url': service.url } })

    checkDryRun(run)
    expect(run.exitCode).toBe(0)
    expect(run.results).toMatchObject({ failures: [], 'failed-count': 0, 'artifact-count': 1 })
    expect(run.visibleLog).not.toContain('would be registered: ')
  })

  it('fails for what could not be hashed, and for nothing else', async () => {
    const workspace = makeRelease({ a: 'a' })
    // A name that is not UTF-8 is listed, and then cannot be opened by that name.
    writeFileSync(Buffer.concat([Buffer.from(workspace.path('dist/bad-')), Buffer.of(0xff)]), 'x')
    const run = await notarize({ workspace, inputs: noSecrets })

    checkDryRun(run)
    expect(run.exitCode).toBe(1)
    expect(run.results).toMatchObject({
      'artifact-count': 2,
      'failed-count': 1,
      failures: [{ code: 'unreadable', registered: 'no', size: null, hash: null }],
    })
    expect(run.annotations.error[0]).toMatch(/1 of 2 .*unreadable/)
    expect(run.files.readChecksums()).toBe(`${sha256('a')}  dist/a\n`)
  })

  it('warns of more registrations than max-registrations, and goes on', async () => {
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c' })
    const inputs = { ...noSecrets, 'max-registrations': '2', path: 'dist/a\ndist/?' }
    const run = await notarize({ workspace, inputs })

    checkDryRun(run)
    expect(run.exitCode).toBe(0)
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/max-registrations.* 2\b.* 3 .*dist\/a.*1 file.*dist\/\?.*3 files/),
    ])
    expect(run.results['artifact-count']).toBe(3)
  })

  it('takes checksums files, and writes theirs in turn', async () => {
    const workspace = makeWorkspace({ SUMS: `SHA256 (far away) = ${sha256('far')}\n` })
    const run = await notarize({ workspace, inputs: { ...noSecrets, path: '', checksums: 'SUMS' } })

    checkDryRun(run)
    expect(run.files.readChecksums()).toBe(`${sha256('far')}  far away\n`)
    expect(readSummary(run.summary).rows[0]?.[2]).toBe('–')
  })

  it('still stops at two hashes for one name, and at a pattern that matches nothing', async () => {
    const workspace = makeRelease({ a: 'a' })
    workspace.write('SUMS', `${sha256('b')}  dist/a\n`)
    const one = await notarize({ workspace, inputs: { ...noSecrets, checksums: 'SUMS' } })
    const two = await notarize({ workspace, inputs: { ...noSecrets, path: 'nothing' } })

    expect(one.results.verdict).toBe('stopped')
    expect(two.results.verdict).toBe('stopped')
  })

  it('that finds nothing, where that is allowed, is a dry run all the same', async () => {
    const inputs = { ...noSecrets, path: 'nothing', 'if-no-files-found': 'ignore' }
    const run = await notarize({ workspace: makeWorkspace(), inputs })

    checkDryRun(run)
    expect(run.exitCode).toBe(0)
    expect(run.results).toMatchObject({ 'artifact-count': 0, 'checksums-path': '' })
  })

  it('checks secrets that are given, wrong ones too', async () => {
    const inputs = { ...noSecrets, 'api-key': 'two\nlines', subscription: '[]', 'base-url': 'x' }
    const run = await notarize({ workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toHaveLength(3)
  })
})
