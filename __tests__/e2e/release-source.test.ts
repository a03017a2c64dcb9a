/** A release as a source of artifacts, whole: what counts as one artifact, and what stops before anything is sent. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { GitHubOptions, ReleaseSeed } from '../support/github.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import { assetsOf, notarizeRelease, startRelease, TAG } from './release-support.ts'
import {
  checkStopped,
  FILE,
  makeLine,
  notarize,
  sha256,
  startService,
  toJsonLines,
} from './support.ts'

const none = { digest: null }
const oneAsset = assetsOf({ 'app.zip': 'app' })

describe('the artifacts of a run with a release', () => {
  it('go together with files and checksums; what is the same artifact is one', async () => {
    const github = await startRelease(
      assetsOf({ 'app.zip': 'app', 'extra.tar': 'extra', copy: 'app' }),
    )
    const service = await startService()
    const workspace = makeWorkspace({
      'a/app.zip': 'app',
      'b/app.zip': 'app',
      [`b/${FILE}`]: 'an older one',
      SUMS: `${sha256('image')}  image.oci\n`,
    })
    const inputs = { path: 'a\nb', checksums: 'SUMS', 'attach-to-release': 'false' }

    const run = await notarizeRelease({ github, service, workspace, inputs })

    const names = run.results.records?.map(({ artifact }) => artifact)
    expect(names).toEqual(['a/app.zip', 'b/app.zip', 'copy', 'extra.tar', 'image.oci'])
    expect(service.completionCounts.size).toBe(3)
    expect(run.annotations.warning).toEqual([])
    expect(github.writes()).toEqual([])
  })

  it('fail one by one where they cannot be read', async () => {
    const seeds = [...oneAsset, { name: 'short.zip', content: 'short', size: 6, ...none }]
    const service = await startService()

    const run = await notarizeRelease({ github: await startRelease(seeds), service })

    expect(run.results.verdict).toBe('partial')
    expect(run.results.failures).toMatchObject([{ artifact: 'short.zip', code: 'unreadable' }])
  })

  it('are known to a dry run, which changes nothing', async () => {
    const service = await startService()
    const records = { name: FILE, content: toJsonLines([makeLine(service.url, 'app')]) }
    const github = await startRelease([{ name: 'app.zip', content: 'app', ...none }, records])
    const inputs = { 'dry-run': 'true', 'api-key': '', subscription: '' }

    const run = await notarizeRelease({ github, service, inputs })

    expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 1 })
    expect(run.checksums).toBe(`${sha256('app')}  app.zip\n`)
    expect([service.requests, github.writes(), run.workspace.exists(FILE)]).toEqual([[], [], false])
  })
})

describe('a run is stopped before anything is sent by', () => {
  const line = (url: string): string => toJsonLines([makeLine(url, 'old')])
  const moved = { tags: { [TAG]: { commit: 'a'.repeat(40) } } }
  const fixed = { release: { immutable: true } }

  it.each<[string, GitHubOptions & { readonly release?: Partial<ReleaseSeed> }, RegExp, string?]>([
    ['a tag that was moved', moved, /^input "release-tag": the tag .* points to/],
    ['a release that is not there', { releases: [] }, /^input "release-tag": .*not found/],
    [
      'an API that is down',
      { faults: [{ route: 'list-assets', fault: { kind: 'status', status: 404 } }] },
      /HTTP 404/,
    ],
    ['other bytes than are published', {}, /"dist\/app.zip" has [0-9a-f]{64}/, 'built again'],
    ['an immutable release', fixed, /^input "attach-to-release": .* is immutable/],
    [
      'a token that cannot write',
      { canWrite: false },
      /^input "attach-to-release".*contents: write/,
    ],
  ])('%s', async (_what, options, message, built = 'app') => {
    const github = await startRelease(oneAsset, options)
    const service = await startService()
    const workspace = makeWorkspace({ 'dist/app.zip': built })

    const run = await notarizeRelease({ github, service, workspace, inputs: { path: 'dist' } })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(message)])
    expect(Object.keys(github.releases[0]?.assets ?? {})).toHaveLength(github.releases.length)
  })

  it('a damaged line of its records, which is named', async () => {
    const service = await startService()
    const records = { name: FILE, content: `${line(service.url)}{"artifact":\n` }
    const github = await startRelease([...oneAsset, records])

    const run = await notarizeRelease({ github, service })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/of the release", line 2/)])
  })
})

it('the GitHub client is a chunk that only a run with release-tag loads', async () => {
  const actionFolder = makeTemporaryFolder()
  const folder = join(actionFolder, 'dist')
  for (const name of ['action.yml', 'dist']) {
    const from = resolve(import.meta.dirname, '../..', name)
    cpSync(from, join(actionFolder, name), { recursive: true })
  }
  const isClient = (name: string): boolean =>
    /^\d+\.index\.js$/.test(name) &&
    readFileSync(join(folder, name), 'utf8').includes('octokit-core')
  const chunks = readdirSync(folder).filter(isClient)
  for (const chunk of chunks) rmSync(join(folder, chunk))
  const service = await startService()

  const run = await notarize({ service, actionFolder })

  expect(chunks).not.toEqual([])
  expect(run.results.verdict).toBe('registered')
})
