/** The release as source: its assets are artifacts, and what was built here must be what it publishes. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { FakeGitHub, GitHubOptions } from '../support/github.ts'
import { runAction } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import {
  assetsOf,
  attach,
  CHECKSUMS,
  EVIDENCE,
  notarizeRelease,
  optionsOf,
  RECORDS,
  startRelease,
  TAG,
} from './release-support.ts'
import type { Simulator } from '../../simulator/index.ts'
import { sha256, startService } from './support.ts'
import type { CheckedRun } from './support.ts'

// SHA-256 of 320 MiB of zeros.
const HUGE_HASH = '9942003e84c1648820149cb7b82869eb1e6515ddd04951bd2c69f9273b09c053'
const oneAsset = assetsOf({ 'app.zip': 'app' })
const OTHER_COMMIT = 'f00dfeed00f00dfeed00f00dfeed00f00dfeed00'

/** Most memory in KiB, and blocks of 512 bytes written to files. */
const usageSchema = z.object({ maxRSS: z.number(), fsWrite: z.number() })

function artifactsOf({ results }: CheckedRun): string[] {
  return (results.records ?? []).map(({ artifact }) => artifact)
}

function checksumsFile(entries: Readonly<Record<string, string>>): string {
  return Object.entries(entries)
    .map(([name, content]) => `${sha256(content)}  ${name}\n`)
    .join('')
}

/** It stopped with one error that says all this; nothing was sent, and the release is as it was. */
function expectStopped(
  run: CheckedRun,
  { github, service }: { readonly github: FakeGitHub; readonly service: Simulator },
  says: readonly (string | RegExp)[],
): void {
  expect(run.exitCode).toBe(1)
  expect(run.results.verdict).toBe('stopped')
  expect(run.annotations.error).toHaveLength(1)
  for (const text of says) expect(run.annotations.error[0]).toMatch(text)
  expect(service.requests).toEqual([])
  expect(github.writes()).toEqual([])
}

describe('the assets of a release', () => {
  const mib = 1024 * 1024
  const crowd = Array.from({ length: 250 }, (_, release) => ({
    tag: `v0.${release}`,
    assets: Array.from({ length: 300 }, (_, asset) => ({ name: `part-${asset}.bin` })),
  }))

  it.each<[string, GitHubOptions, string]>([
    [
      'a huge asset',
      // `head -c 335544320 /dev/zero | sha256sum`
      { releases: [{ tag: TAG, assets: [{ name: 'huge.img', content: { zeros: 320 * mib } }] }] },
      HUGE_HASH,
    ],
    [
      'hundreds of releases with hundreds of assets beside a draft',
      {
        releases: [{ tag: TAG, draft: true, assets: [{ name: 'a', content: 'a' }] }, ...crowd],
      },
      sha256('a'),
    ],
  ])('are held neither in memory nor on disk: %s', async (_what, options, hash) => {
    const github = await startRelease([], options)
    const service = await startService()
    const workspace = makeWorkspace()
    const report = join(makeTemporaryFolder(), 'rss')
    const write = `writeFileSync('${report}',JSON.stringify(process.resourceUsage()))`
    const script = `import{writeFileSync}from'node:fs';process.on('exit',()=>${write})`

    const run = await notarizeRelease({
      ...{ github, service, workspace },
      nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(script)}`],
    })

    expect(run.exitCode).toBe(0)
    expect(run.results.records).toMatchObject([{ hash }])
    const usage = usageSchema.parse(JSON.parse(workspace.read(report)))
    expect(usage.maxRSS).toBeGreaterThan(10_000)
    expect(usage.maxRSS).toBeLessThan(280 * 1024)
    expect(usage.fsWrite).toBeLessThan(100 * 1024)
  })

  it.concurrent('that cannot be read are failures, and nothing is sent for them', async () => {
    const none = { digest: null }
    const github = await startRelease(
      [
        { name: 'cut.zip', content: 'cut in two', ...none },
        { name: 'good.zip', content: 'good' },
        { name: 'gone.zip', content: 'gone', ...none },
      ],
      {
        faults: [
          { route: 'storage', from: 1, to: 1, fault: { kind: 'cut' } },
          { route: 'storage', from: 2, fault: { kind: 'status', status: 404 } },
        ],
      },
    )
    const service = await startService()

    const run = await notarizeRelease({ github, service })

    expect(run.results.verdict).toBe('partial')
    expect(artifactsOf(run)).toEqual(['good.zip'])
    const unread = { code: 'unreadable', registered: 'no', hash: null }
    expect(run.results.failures).toMatchObject([
      { artifact: 'cut.zip', ...unread },
      { artifact: 'gone.zip', ...unread },
    ])
    expect([...service.completionCounts.keys()]).toEqual([sha256('good')])
  })

  it('go together with files and checksums; what is the same artifact is one, what shares a hash is registered once', async () => {
    const github = await startRelease(
      assetsOf({ 'app.zip': 'app', 'extra.tar': 'extra', 'copy-of-app.zip': 'app' }),
    )
    const service = await startService()
    const workspace = makeWorkspace({
      'a/app.zip': 'app',
      'b/app.zip': 'app',
      // Copies of our own attached files are no artifacts.
      [`b/${RECORDS}`]: 'an older one',
      [`b/deep/${EVIDENCE}`]: 'an older one',
      SHA256SUMS: checksumsFile({ 'image.oci': 'image', [CHECKSUMS]: 'an older one' }),
    })

    const run = await notarizeRelease({
      ...{ github, service, workspace },
      inputs: { path: 'a\nb', checksums: 'SHA256SUMS' },
    })

    expect(run.exitCode).toBe(0)
    expect(artifactsOf(run)).toEqual([
      ...['a/app.zip', 'b/app.zip', 'copy-of-app.zip', 'extra.tar', 'image.oci'],
    ])
    expect(new Set(service.completionCounts.keys())).toEqual(
      new Set(['app', 'extra', 'image'].map(sha256)),
    )
    expect(run.annotations.warning).toEqual([expect.stringContaining('"image.oci"')])
  })

  it('that are missing make no green run in which nothing was notarized', async () => {
    const github = await startRelease([{ name: RECORDS, content: '' }])
    const service = await startService()

    const run = await notarizeRelease({ github, service })
    const allowed = await notarizeRelease({
      ...{ github, service },
      inputs: { 'if-no-files-found': 'ignore' },
    })

    expect(allowed).toMatchObject({ exitCode: 0, outputs: { verdict: 'nothing-found' } })
    expect(run.exitCode).toBe(1)
  })
})

describe('what was built here', () => {
  const entries = (text: string) => ({ SUMS: checksumsFile({ 'app.zip': text }) })

  /** What is built here, what is published, and what the error must name; nothing if the run goes on. */
  type Files = Readonly<Record<string, string>>

  it.each<[string, Files, Files, readonly string[]]>([
    [
      'files with the names of assets and other bytes',
      { 'dist/app.zip': 'built again', 'two.zip': 'y', 'dist/lib.zip': 'lib' },
      { 'app.zip': 'published', 'two.zip': '2', 'lib.zip': 'lib' },
      ['"dist/app.zip"', sha256('built again'), sha256('published'), '"two.zip"'],
    ],
    [
      'several files with the name of an asset, one of them with its hash',
      { 'linux/app': 'linux', 'mac/app': 'mac' },
      { app: 'mac' },
      ['"linux/app"'],
    ],
    [
      'a right file beside a wrong entry of a checksums file',
      { 'dist/app.zip': 'published', ...entries('built again') },
      { 'app.zip': 'published' },
      ['"app.zip"', sha256('built again')],
    ],
    [
      'names that differ in case or only end alike',
      { 'dist/App.zip': 'one', 'dist/my-app.zip': 'two' },
      { 'app.zip': 'three' },
      [],
    ],
  ])('is compared with what is published: %s', async (_what, files, assets, says) => {
    const github = await startRelease(assetsOf(assets))
    const service = await startService()
    const { SUMS, ...built } = files
    const inputs = {
      path: Object.keys(built).join('\n'),
      checksums: SUMS === undefined ? '' : 'SUMS',
      ...attach,
    }

    const run = await notarizeRelease({
      ...{ github, service, inputs, workspace: makeWorkspace(files) },
    })

    if (says.length > 0) expectStopped(run, { github, service }, says)
    else expect(run.exitCode).toBe(0)
  })
})

describe('the tag of the run', () => {
  const moved = { [TAG]: { commit: OTHER_COMMIT } }
  const annotated = { [TAG]: { commit: job.sha, annotations: 1 } }

  /** What the tag points to, and whether the run goes on. */
  it.each<[string, GitHubOptions['tags'], boolean, ('draft' | 'branch' | 'dry-run')?]>([
    ['an annotated tag', annotated, true],
    ['a tag that was moved', moved, false],
    ['a tag that was moved, in a dry run', moved, false, 'dry-run'],
    ['a tag that was moved, of a draft', moved, false, 'draft'],
    ['a tag that is gone, of a published release', {}, false],
    ['a draft without a tag', {}, true, 'draft'],
    ['a run for a branch', moved, true, 'branch'],
  ])('is guarded: %s', async (_what, tags = {}, goesOn, kind) => {
    const github = await startRelease(oneAsset, { release: { draft: kind === 'draft' }, tags })
    const service = await startService()

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { 'dry-run': String(kind === 'dry-run'), ...attach },
      env: { GITHUB_REF: kind === 'branch' ? 'refs/heads/main' : job.ref },
    })

    if (goesOn) expect(run.exitCode).toBe(0)
    else expectStopped(run, { github, service }, [`"${TAG}"`, job.sha])
  })
})

describe('a release that cannot be used', () => {
  it.concurrent.each<[string, GitHubOptions | null, RegExp]>([
    ['there is none', { releases: [{ tag: 'v1' }] }, /not found/],
    ['no API answers at all', null, /GET \/repos/],
  ])('stops the run before anything is sent: %s', async (_what, options, message) => {
    const github = await startRelease(oneAsset, options ?? {})
    const service = await startService()
    const workspace = makeWorkspace({ 'dist/app.zip': 'app' })
    const inputs = { path: 'dist', ...attach, 'if-service-unavailable': 'warn' }
    if (options === null) await github.close()

    const run = await notarizeRelease({ github, service, workspace, inputs })

    expectStopped(run, { github, service }, [/release-tag/, message])
  })
})

describe('an enterprise server', () => {
  it('is spoken to below its base path', async () => {
    const github = await startRelease(assetsOf({ 'app.zip': 'app', 'lib.zip': 'lib' }), {
      basePath: '/api/v3',
      givesDigests: false,
      download: 'direct',
    })
    const service = await startService()

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(0)
    expect(github.url.endsWith('/api/v3')).toBe(true)
    expect(artifactsOf(run)).toEqual(['app.zip', 'lib.zip'])
    expect(Object.keys(github.texts(TAG))).toEqual([
      ...['app.zip', 'lib.zip', RECORDS, CHECKSUMS, EVIDENCE],
    ])
  })
})

describe('a dry run', () => {
  it('reads the release, sends nothing to the service and writes nothing to the release', async () => {
    const github = await startRelease([{ name: 'app.zip', content: 'app', digest: null }])
    const service = await startService()
    const before = github.texts(TAG)

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { 'dry-run': 'true', ...attach, 'api-key': '', subscription: '' },
    })

    expect(run.exitCode).toBe(0)
    expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 1 })
    expect(run.files.readChecksums()).toBe(`${sha256('app')}  app.zip\n`)
    expect(service.requests).toEqual([])
    expect(github.writes()).toEqual([])
    expect(github.texts(TAG)).toEqual(before)
    expect(run.workspace.exists(RECORDS)).toBe(false)
  })
})

describe('the GitHub client', () => {
  it('is a chunk that only a run with release-tag loads', async () => {
    const actionFolder = makeTemporaryFolder()
    for (const name of ['action.yml', 'dist'])
      cpSync(resolve(import.meta.dirname, '../..', name), join(actionFolder, name), {
        recursive: true,
      })
    const folder = join(actionFolder, 'dist')
    const chunks = readdirSync(folder)
      .filter(name => /^\d+\.index\.js$/.test(name))
      .filter(name => readFileSync(join(folder, name), 'utf8').includes('octokit-core'))
    for (const chunk of chunks) rmSync(join(folder, chunk))
    const github = await startRelease(oneAsset)
    const service = await startService()
    const runWith = (tag: string) =>
      runAction(
        optionsOf({
          ...{ github, service, actionFolder, workspace: makeWorkspace({ 'dist/app.zip': 'app' }) },
          inputs: { path: 'dist', 'release-tag': tag },
        }),
      )

    const without = await runWith('')
    const withTag = await runWith(TAG)

    expect(chunks).not.toEqual([])
    expect(without).toMatchObject({ exitCode: 0, outputs: { verdict: 'registered' } })
    expect(github.calls).toEqual([])
    expect(withTag.exitCode).toBe(1)
  })
})
