/** The release as source: its assets are artifacts, and what was built here must be what it publishes. */
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { GitHubOptions, Route } from '../support/github.ts'
import { runAction } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import { CHECKSUMS, notarizeRelease, RECORDS, startRelease, TAG } from './release-support.ts'
import type { ReleaseRun } from './release-support.ts'
import { API_KEY, sha256, startService, subscriptionText } from './support.ts'

const OTHER_COMMIT = 'f00dfeed00f00dfeed00f00dfeed00f00dfeed00'
const writes: readonly Route[] = ['upload-asset', 'rename-asset', 'delete-asset']

/** Most memory in KiB, and blocks of 512 bytes written to files. */
const usageSchema = z.object({ maxRSS: z.number(), fsWrite: z.number() })

function artifactsOf({ results }: ReleaseRun): string[] {
  return results.records.map(({ artifact }) => artifact)
}

function checksumsFile(entries: Readonly<Record<string, string>>): string {
  return Object.entries(entries)
    .map(([name, content]) => `${sha256(content)}  ${name}\n`)
    .join('')
}

describe('the assets of a release', () => {
  it('are artifacts under their names, by the digests that the API gives, without a download', async () => {
    const github = await startRelease([
      { name: 'app.zip', content: 'zip' },
      {
        name: 'app.tar.gz',
        content: 'tarball',
        digest: `sha256:${sha256('tarball').toUpperCase()}`,
      },
    ])
    const service = await startService()

    const run = await notarizeRelease({ github, service })

    expect(run.exitCode).toBe(0)
    expect(run.results.records).toMatchObject([
      { artifact: 'app.tar.gz', size: 7, hash: sha256('tarball'), from: 'this-run' },
      { artifact: 'app.zip', size: 3, hash: sha256('zip'), from: 'this-run' },
    ])
    expect(github.routes()).toEqual(['list-releases', 'list-assets', 'get-ref'])
    expect(run.files.readChecksums()).toBe(
      `${sha256('tarball')}  app.tar.gz\n${sha256('zip')}  app.zip\n`,
    )
  })

  it.each(['redirect', 'direct'] as const)(
    'are downloaded and hashed where the API gives no SHA-256 (%s), and the storage gets no token',
    async download => {
      const github = await startRelease(
        [
          { name: 'known.zip', content: 'known' },
          { name: 'null.zip', content: 'null', digest: null },
          { name: 'other.zip', content: 'other', digest: `sha512:${'0'.repeat(128)}` },
          { name: 'empty.txt', content: '', digest: null },
        ],
        { download },
      )
      const service = await startService()

      const run = await notarizeRelease({ github, service })

      expect(run.exitCode).toBe(0)
      expect(run.results.records.map(({ artifact, size, hash }) => [artifact, size, hash])).toEqual(
        [
          ['empty.txt', 0, sha256('')],
          ['known.zip', 5, sha256('known')],
          ['null.zip', 4, sha256('null')],
          ['other.zip', 5, sha256('other')],
        ],
      )
      expect(github.routes('get-asset')).toHaveLength(3)
      const stored = github.calls.filter(({ origin }) => origin === 'storage')
      expect(stored).toHaveLength(download === 'redirect' ? 3 : 0)
      expect(stored.filter(({ headers }) => 'authorization' in headers)).toEqual([])
    },
  )

  it('are never held in memory or on disk', async () => {
    const mib = 1024 * 1024
    const github = await startRelease([{ name: 'huge.img', content: { zeros: 320 * mib } }])
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
    // `head -c 335544320 /dev/zero | sha256sum`
    expect(run.results.records).toMatchObject([
      { artifact: 'huge.img', size: 320 * mib, hash: HUGE_HASH },
    ])
    const usage = usageSchema.parse(JSON.parse(workspace.read(report)))
    expect(usage.maxRSS).toBeGreaterThan(10_000)
    expect(usage.maxRSS).toBeLessThan(280 * 1024)
    expect(usage.fsWrite).toBeLessThan(100 * 1024)
  })

  it.concurrent(
    'that cannot be read whole are failures, and nothing is sent for them',
    async () => {
      const github = await startRelease(
        [
          { name: 'cut.zip', content: 'cut in two', digest: null },
          { name: 'good.zip', content: 'good' },
          { name: 'short.zip', content: 'short', digest: null, size: 6 },
          { name: 'gone.zip', content: 'gone', digest: null },
        ],
        {
          faults: [
            { route: 'storage', from: 1, to: 1, fault: { kind: 'cut' } },
            { route: 'storage', from: 3, fault: { kind: 'status', status: 404 } },
          ],
        },
      )
      const service = await startService()

      const run = await notarizeRelease({ github, service })

      expect(run.exitCode).toBe(1)
      expect(run.results.verdict).toBe('partial')
      expect(artifactsOf(run)).toEqual(['good.zip'])
      expect(
        run.results.failures.map(({ artifact, code, registered, hash }) => [
          ...[artifact, code, registered, hash],
        ]),
      ).toEqual([
        ['cut.zip', 'unreadable', 'no', null],
        ['gone.zip', 'unreadable', 'no', null],
        ['short.zip', 'unreadable', 'no', null],
      ])
      expect([...service.completionCounts.keys()]).toEqual([sha256('good')])
    },
  )

  it('are found in a draft, by listing all pages, and on every page of the assets', async () => {
    const older = Array.from({ length: 150 }, (_, index) => ({ tag: `v0.${index}` }))
    const assets = Array.from({ length: 230 }, (_, index) => ({
      name: `part-${index}.bin`,
      content: `part ${index}`,
    }))
    const github = await startRelease([], {
      releases: [...older, { tag: TAG, draft: true, assets }],
      tags: {},
    })
    const service = await startService()

    const run = await notarizeRelease({ github, service, inputs: { 'dry-run': 'true' } })

    expect(run.exitCode).toBe(0)
    expect(run.results['artifact-count']).toBe(230)
    expect(github.routes('list-releases', 'list-assets')).toEqual([
      ...['list-releases', 'list-releases', 'list-assets', 'list-assets', 'list-assets'],
    ])
  })

  it('come from the published release, not from a draft with the same tag', async () => {
    const github = await startRelease([], {
      releases: [
        { tag: TAG, draft: true, assets: [{ name: 'draft.zip', content: 'draft' }] },
        { tag: TAG, assets: [{ name: 'published.zip', content: 'published' }] },
      ],
    })
    const service = await startService()

    const run = await notarizeRelease({ github, service })

    expect(run.exitCode).toBe(0)
    expect(artifactsOf(run)).toEqual(['published.zip'])
  })

  it('that this action attached, under whatever name, are never artifacts', async () => {
    const github = await startRelease([
      { name: 'app.zip', content: 'app' },
      { name: CHECKSUMS, content: '' },
      { name: `${CHECKSUMS}.0f9d3c1e-5a3e-4c57-9d59-000000000000.tmp`, content: '' },
      { name: `${RECORDS}.0f9d3c1e-5a3e-4c57-9d59-000000000001.tmp`, content: '\n' },
      { name: `my-${RECORDS}`, content: 'of somebody else' },
    ])
    const service = await startService()

    const run = await notarizeRelease({ github, service })

    expect(run.exitCode).toBe(0)
    expect(artifactsOf(run)).toEqual(['app.zip', `my-${RECORDS}`])
  })

  it('whose upload never ended are skipped with a warning', async () => {
    const github = await startRelease([
      { name: 'app.zip', content: 'app' },
      { name: 'never.zip', state: 'starter', digest: null },
    ])
    const service = await startService()

    const run = await notarizeRelease({ github, service })

    expect(run.exitCode).toBe(0)
    expect(artifactsOf(run)).toEqual(['app.zip'])
    expect(run.annotations.warning).toEqual([expect.stringContaining('"never.zip"')])
    expect(github.routes('get-asset')).toEqual([])
  })

  it('go together with files and checksums; what shares a hash is registered once', async () => {
    const github = await startRelease([
      { name: 'app.zip', content: 'app' },
      { name: 'extra.tar', content: 'extra' },
      { name: 'copy-of-app.zip', content: 'app' },
    ])
    const service = await startService()
    const workspace = makeWorkspace({
      'dist/app.zip': 'app',
      SHA256SUMS: checksumsFile({ 'app.zip': 'app', 'image.oci': 'image' }),
    })

    const run = await notarizeRelease({
      ...{ github, service, workspace },
      inputs: { path: 'dist', checksums: 'SHA256SUMS' },
    })

    expect(run.exitCode).toBe(0)
    expect(artifactsOf(run)).toEqual([
      ...['app.zip', 'copy-of-app.zip', 'dist/app.zip', 'extra.tar', 'image.oci'],
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

// SHA-256 of 320 MiB of zeros.
const HUGE_HASH = '9942003e84c1648820149cb7b82869eb1e6515ddd04951bd2c69f9273b09c053'

/** What is built here, what is published, and the names that the error must have; none if the run goes on. */
interface Guarded {
  readonly why: string
  readonly files?: Readonly<Record<string, string>>
  readonly checksums?: Readonly<Record<string, string>>
  readonly assets: Readonly<Record<string, string>>
  readonly stopsFor?: readonly string[]
}

const guarded: readonly Guarded[] = [
  {
    why: 'a file with the name of an asset and other bytes',
    files: { 'dist/app.zip': 'built again', 'dist/lib.zip': 'lib' },
    assets: { 'app.zip': 'published', 'lib.zip': 'lib' },
    stopsFor: ['"dist/app.zip"', sha256('built again'), sha256('published')],
  },
  {
    why: 'two such files',
    files: { 'a/one.zip': 'x', 'b/two.zip': 'y' },
    assets: { 'one.zip': '1', 'two.zip': '2' },
    stopsFor: ['"a/one.zip"', '"b/two.zip"'],
  },
  {
    why: 'a file at the root of the workspace',
    files: { 'app.zip': 'built again' },
    assets: { 'app.zip': 'published' },
    stopsFor: ['"app.zip"'],
  },
  {
    why: 'an entry of a checksums file with another hash',
    checksums: { 'app.zip': 'built again' },
    assets: { 'app.zip': 'published' },
    stopsFor: ['"app.zip"'],
  },
  {
    why: 'several files with the name of an asset, none of them with its hash',
    files: { 'linux/app': 'linux', 'mac/app': 'mac' },
    assets: { app: 'windows' },
    stopsFor: ['app"'],
  },
  {
    why: 'several files with the name of an asset, one of them with its hash',
    files: { 'linux/app': 'linux', 'mac/app': 'mac' },
    assets: { app: 'mac' },
  },
  {
    why: 'names that differ in case or only end alike',
    files: { 'dist/App.zip': 'one', 'dist/my-app.zip': 'two' },
    assets: { 'app.zip': 'three' },
  },
]

describe('what was built here', () => {
  it.each(guarded)(
    'is held against what is published: $why',
    async ({ files = {}, checksums = {}, assets, stopsFor = [] }) => {
      const github = await startRelease(
        Object.entries(assets).map(([name, content]) => ({ name, content })),
      )
      const service = await startService()
      const workspace = makeWorkspace({ ...files, SUMS: checksumsFile(checksums) })
      const inputs = {
        path: Object.keys(files).join('\n'),
        checksums: Object.keys(checksums).length > 0 ? 'SUMS' : '',
        'attach-to-release': 'true',
      }

      const run = await notarizeRelease({ github, service, workspace, inputs })

      if (stopsFor.length === 0) {
        expect(run.exitCode).toBe(0)
        return
      }
      expect(run.exitCode).toBe(1)
      expect(run.results.verdict).toBe('stopped')
      expect(run.annotations.error).toHaveLength(1)
      for (const text of stopsFor) expect(run.annotations.error[0]).toContain(text)
      expect(service.requests).toEqual([])
      expect(github.routes(...writes)).toEqual([])
    },
  )

  it.concurrent.each(['app.zip', 'dist/app.zip'])(
    'is not sent when the asset of its name could not be read, as it may be other bytes: %s',
    async file => {
      const github = await startRelease([{ name: 'app.zip', content: 'published', digest: null }], {
        faults: [{ route: 'storage', fault: { kind: 'status', status: 500 } }],
      })
      const service = await startService()
      const workspace = makeWorkspace({ [file]: 'built again' })

      const run = await notarizeRelease({ github, service, workspace, inputs: { path: file } })

      expect(run.exitCode).toBe(1)
      expect([...service.completionCounts.keys()]).toEqual([])
    },
  )

  it('gets a warning when no asset has its name or hash, as GitHub rewrites names', async () => {
    const github = await startRelease([
      { name: 'My App (x64).zip', content: 'app' },
      { name: 'My Tool.zip', content: 'tool' },
    ])
    expect(Object.keys(github.texts(TAG))).toEqual(['My.App.x64.zip', 'My.Tool.zip'])
    const service = await startService()
    const workspace = makeWorkspace({
      'dist/My App (x64).zip': 'app',
      'dist/My Tool.zip': 'tool, built again',
    })

    const run = await notarizeRelease({ github, service, workspace, inputs: { path: 'dist' } })

    expect(run.exitCode).toBe(0)
    expect(run.annotations.warning).toHaveLength(1)
    expect(run.annotations.warning[0]).toContain('"dist/My Tool.zip"')
    expect(run.annotations.warning[0]).not.toContain('x64')
  })
})

/** Where a tag points to, and whether the run goes on. */
interface TagCase extends Pick<GitHubOptions, 'tags'> {
  readonly what: string
  readonly tag?: string
  readonly ref?: string
  readonly isDraft?: boolean
  readonly isDryRun?: boolean
  readonly goesOn: boolean
  /** What must be looked up. */
  readonly lookUps: readonly Route[]
}

const one: readonly Route[] = ['get-ref']
const odd = 'nightly/2026-01+x#1%2F'

const tagCases: readonly TagCase[] = [
  {
    what: 'a lightweight tag that points to the commit of the run',
    tags: { [TAG]: { commit: job.sha } },
    ...{ goesOn: true, lookUps: one },
  },
  {
    what: 'a lightweight tag that was moved',
    tags: { [TAG]: { commit: OTHER_COMMIT } },
    ...{ goesOn: false, lookUps: one },
  },
  {
    what: 'a lightweight tag that was moved, in a dry run',
    tags: { [TAG]: { commit: OTHER_COMMIT } },
    ...{ isDryRun: true, goesOn: false, lookUps: one },
  },
  {
    what: 'an annotated tag that points to the commit of the run',
    tags: { [TAG]: { commit: job.sha, annotations: 1 } },
    ...{ goesOn: true, lookUps: ['get-ref', 'get-tag'] },
  },
  {
    what: 'an annotated tag that was moved',
    tags: { [TAG]: { commit: OTHER_COMMIT, annotations: 1 } },
    ...{ goesOn: false, lookUps: ['get-ref', 'get-tag'] },
  },
  {
    what: 'an annotated tag of annotated tags',
    tags: { [TAG]: { commit: job.sha, annotations: 3 } },
    ...{ goesOn: true, lookUps: ['get-ref', 'get-tag', 'get-tag', 'get-tag'] },
  },
  {
    what: 'a tag that is gone, of a published release',
    tags: {},
    ...{ goesOn: false, lookUps: one },
  },
  { what: 'a draft without a tag', tags: {}, isDraft: true, goesOn: true, lookUps: one },
  {
    what: 'a draft with a tag that was moved',
    tags: { [TAG]: { commit: OTHER_COMMIT } },
    ...{ isDraft: true, goesOn: false, lookUps: one },
  },
  {
    what: 'a run for a branch',
    tags: { [TAG]: { commit: OTHER_COMMIT } },
    ...{ ref: 'refs/heads/main', goesOn: true, lookUps: [] },
  },
  {
    what: 'a run for another tag',
    tags: { [TAG]: { commit: OTHER_COMMIT } },
    ...{ ref: `refs/tags/${TAG}-rc.1`, goesOn: true, lookUps: [] },
  },
  {
    what: 'a tag with characters that mean something in a URL',
    tags: { [odd]: { commit: job.sha } },
    ...{ tag: odd, ref: `refs/tags/${odd}`, goesOn: true, lookUps: one },
  },
]

describe('the tag of the run', () => {
  it.each(tagCases)('is guarded: $what', async tagCase => {
    const { tag = TAG, ref = job.ref, tags = {}, isDraft = false, isDryRun = false } = tagCase
    const assets = [{ name: 'app.zip', content: 'app' }]
    const github = await startRelease([], { releases: [{ tag, draft: isDraft, assets }], tags })
    const service = await startService()

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { 'release-tag': tag, 'dry-run': String(isDryRun), 'attach-to-release': 'true' },
      env: { GITHUB_REF: ref },
    })

    expect(github.routes('get-ref', 'get-tag')).toEqual(tagCase.lookUps)
    expect(run.exitCode).toBe(tagCase.goesOn ? 0 : 1)
    if (tagCase.goesOn) return
    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringContaining(`"${tag}"`)])
    expect(run.annotations.error[0]).toContain(job.sha)
    expect(service.requests).toEqual([])
    expect(github.routes(...writes)).toEqual([])
  })
})

describe('a release that cannot be used', () => {
  it.concurrent.each<[string, GitHubOptions, RegExp]>([
    ['there is none', { releases: [{ tag: 'v1' }] }, /not found/],
    [
      'it is a draft, and the token cannot write',
      { releases: [{ tag: TAG, draft: true }], canWrite: false },
      /contents: write/,
    ],
    [
      'there are two drafts',
      {
        releases: [
          { tag: TAG, draft: true },
          { tag: TAG, draft: true },
        ],
      },
      /several drafts/,
    ],
    [
      'the API refuses the token',
      { faults: [{ route: 'list-releases', fault: { kind: 'status', status: 401 } }] },
      /401/,
    ],
    [
      'the API is down',
      { faults: [{ route: 'list-releases', fault: { kind: 'status', status: 503 } }] },
      /503/,
    ],
    [
      'the connection breaks',
      { faults: [{ route: 'list-assets', fault: { kind: 'reset' } }] },
      /GET .*assets/,
    ],
    [
      'the answer is no listing',
      { faults: [{ route: 'list-releases', fault: { kind: 'status', status: 200, body: {} } }] },
      /cannot be understood/,
    ],
  ])('stops the run before anything is sent: %s', async (_what, options, message) => {
    const github = await startRelease([{ name: 'app.zip', content: 'app' }], options)
    const service = await startService()
    const workspace = makeWorkspace({ 'dist/app.zip': 'app' })
    const inputs = { path: 'dist', 'attach-to-release': 'true', 'if-service-unavailable': 'warn' }

    const run = await notarizeRelease({ github, service, workspace, inputs })

    expect(run.exitCode).toBe(1)
    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toHaveLength(1)
    expect(run.annotations.error[0]).toMatch(/release-tag/)
    expect(run.annotations.error[0]).toMatch(message)
    expect(service.requests).toEqual([])
    expect(github.routes(...writes)).toEqual([])
  })

  it.concurrent('stops the run when no API answers at all', async () => {
    const github = await startRelease([])
    const service = await startService()
    await github.close()

    const run = await notarizeRelease({ github, service })

    expect(run.exitCode).toBe(1)
    expect(run.results.verdict).toBe('stopped')
    expect(service.requests).toEqual([])
  })
})

describe('an enterprise server', () => {
  it('is spoken to below its base path', async () => {
    const github = await startRelease(
      [
        { name: 'app.zip', content: 'app' },
        { name: 'lib.zip', content: 'lib' },
      ],
      { basePath: '/api/v3', givesDigests: false, download: 'direct' },
    )
    const service = await startService()

    const run = await notarizeRelease({ github, service, inputs: { 'attach-to-release': 'true' } })

    expect(run.exitCode).toBe(0)
    expect(github.url.endsWith('/api/v3')).toBe(true)
    expect(artifactsOf(run)).toEqual(['app.zip', 'lib.zip'])
    expect(Object.keys(github.texts(TAG))).toEqual(['app.zip', 'lib.zip', RECORDS, CHECKSUMS])
  })
})

describe('a dry run', () => {
  it('reads the release, sends nothing to the service and writes nothing to the release', async () => {
    const github = await startRelease([{ name: 'app.zip', content: 'app', digest: null }])
    const service = await startService()
    const before = github.texts(TAG)

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { 'dry-run': 'true', 'attach-to-release': 'true', 'api-key': '', subscription: '' },
    })

    expect(run.exitCode).toBe(0)
    expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 1 })
    expect(run.files.readChecksums()).toBe(`${sha256('app')}  app.zip\n`)
    expect(service.requests).toEqual([])
    expect(github.routes(...writes)).toEqual([])
    expect(github.texts(TAG)).toEqual(before)
    expect(run.workspace.exists(RECORDS)).toBe(false)
  })
})

describe('the GitHub client', () => {
  it('is a chunk that only a run with release-tag loads', async () => {
    const repository = resolve(import.meta.dirname, '../..')
    const actionFolder = makeTemporaryFolder()
    cpSync(join(repository, 'action.yml'), join(actionFolder, 'action.yml'))
    cpSync(join(repository, 'dist'), join(actionFolder, 'dist'), { recursive: true })
    const chunks = readdirSync(join(actionFolder, 'dist')).filter(name =>
      /^\d+\.index\.js$/.test(name),
    )
    for (const chunk of chunks) rmSync(join(actionFolder, 'dist', chunk))
    const github = await startRelease([{ name: 'app.zip', content: 'app' }])
    const service = await startService()
    const inputs = {
      'api-key': API_KEY,
      'base-url': service.url,
      subscription: subscriptionText,
      path: 'dist',
      'github-token': github.token,
    }
    const env = { GITHUB_API_URL: github.url }
    const options = { actionFolder, env, workspace: makeWorkspace({ 'dist/app.zip': 'app' }) }

    const without = await runAction({ ...options, inputs })
    const withTag = await runAction({ ...options, inputs: { ...inputs, 'release-tag': TAG } })

    expect(chunks).not.toEqual([])
    expect(without.exitCode).toBe(0)
    expect(without.outputs['verdict']).toBe('registered')
    expect(github.calls).toEqual([])
    expect(withTag.exitCode).toBe(1)
    expect(existsSync(join(actionFolder, 'dist/index.js'))).toBe(true)
  })
})
