/** A release as a source of artifacts: how it is found and read, despite faults of GitHub. */
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import type { GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { startProxy } from '../support/proxy.ts'
import { sha256 } from '../support/samples.ts'
import { COMMIT, RECORDS, TAG, assetsOf } from './support.ts'
import { problemOf, startRelease, startRun, status, sum } from './support.ts'

const answer = (code: number, body: unknown): GitHubFault => status(code, {}, body)
const fails = (fault: GitHubFault): GitHubOptions => ({ faults: [{ route: 'list-assets', fault }] })
const none = { digest: null }
const cut = { kind: 'cut' } as const

describe('the assets of a release', () => {
  it('are identified by their digests, without a download', async () => {
    const digest = `sha256:${sha256('tarball').toUpperCase()}`
    const github = await startRelease([
      { name: 'app.zip', content: 'zip' },
      { name: 'app.tar.gz', content: 'tarball', digest },
      { name: RECORDS, content: '{}\n', state: 'starter' },
      { name: 'notarization-write-test-1', content: '\n' },
      { name: 'unfinished.zip', state: 'starter', ...none },
    ])
    github.setTag(TAG, { commit: COMMIT })
    const source = await startRun(github).open()
    const checksum = { name: 'app.zip', hash: sha256('zip') }
    const tarball = { name: 'app.tar.gz', hash: sha256('tarball'), size: 7 }
    expect(source).toMatchObject({
      artifacts: [{ ...checksum, source: 'release-tag', size: 3 }, tarball],
      counts: [{ input: 'release-tag', text: TAG, count: 2 }],
      warnings: [expect.stringMatching(/"unfinished.zip"/)],
      records: [],
      facts: { isDraft: false, isTagOfRun: true, tagCommit: COMMIT, runCommit: COMMIT },
    })
    expect(source.evidenceChecksums(new Set([checksum.hash]))).toEqual([checksum])
    expect(github.routes()).toEqual(['get-release-by-tag', 'list-assets', 'get-ref'])
  })

  it('are downloaded without digests', async () => {
    const github = await startRelease([
      { name: 'empty.txt', content: '', ...none },
      { name: 'other.zip', content: 'other', digest: `sha512:${'0'.repeat(128)}` },
      { name: 'short.zip', content: 'short', size: 6, ...none },
      { name: 'long.zip', content: Buffer.alloc(10_000_000), size: 6, ...none },
    ])
    const { artifacts, warnings } = await startRun(github).open()
    expect(warnings).toEqual([])
    const what = expect.stringMatching(/GitHub says 6/)
    const failure = { code: 'unreadable', registered: 'no', what }
    expect(artifacts).toMatchObject([
      { name: 'empty.txt', size: 0, hash: sha256('') },
      { name: 'other.zip', size: 5, hash: sha256('other') },
      { name: 'short.zip', failure },
      { name: 'long.zip', failure },
    ])
  })
})

const draft = { tag: TAG, draft: true, assets: assetsOf('app.zip') }
const published = { ...draft, draft: false }
const older = (count: number) => Array.from({ length: count }, (_, at) => ({ tag: `v0.${at}` }))
const many = assetsOf(Array.from({ length: 230 }, (_, at) => `${at}.bin`).join(' '))
const paged = { ...draft, assets: many.slice(0, 100) }
const omitting = { ...draft, assets: many, embedded: 150 }

describe('a release is found', () => {
  /** Releases, the newest first, and how many calls list releases, list assets and read a release. */
  it.each<[string, GitHubOptions, readonly number[], number]>([
    ['published', { releases: [...older(250), published] }, [0, 1, 0], 1],
    ['as an older draft', { releases: [...older(70), draft] }, [3, 1, 0], 1],
    ['with a page of assets', { releases: [paged] }, [1, 1, 0], 100],
    ['with many assets', { releases: [{ ...paged, assets: many }] }, [1, 1, 1], 230],
    ['with many assets that the server omits', { releases: [omitting] }, [1, 7, 1], 230],
  ])('%s', async (_what, options, calls, count) => {
    const github = await startRelease([], options)
    const { artifacts } = await startRun(github).open()
    expect(artifacts).toHaveLength(count)
    const routes = ['list-releases', 'list-assets', 'get-release'] as const
    expect(routes.map(route => github.routes(route).length)).toEqual(calls)
  })

  it.each([
    [230, 1],
    [101, 3],
  ])('with %d assets, one of which is deleted, in %d listings', async (count, listings) => {
    const github = await startRelease(many.slice(0, count))
    github.onCall = ({ route }) => {
      if (route === 'get-release') github.removeAsset(TAG, '8.bin')
    }
    const { artifacts } = await startRun(github).open()
    const names = new Set(artifacts.map(({ name }) => name))
    expect(names.size).toBe(count - 1)
    expect(names.has('100.bin')).toBe(true)
    expect(github.routes('list-assets')).toHaveLength(listings)
  })

  it('only once, even if a release is created while drafts are listed', async () => {
    const github = await startRelease([], { releases: [...older(29), draft, ...older(1)] })
    github.onCall = ({ route, nth }) => {
      if (route === 'list-releases' && nth === 2) github.addRelease({ tag: 'v2.0.0' })
    }
    expect((await startRun(github).open()).artifacts).toMatchObject([{ name: 'app.zip' }])
  })
})

const target = { releases: [{ ...draft, target: COMMIT }] }
const other = 'a'.repeat(40)
const annotated = { [TAG]: { commit: other, annotations: 3 } }

it.each<[string, GitHubOptions, string | null]>([
  ['the commit of the tag', { ...target, tags: { [TAG]: { commit: other } } }, other],
  ['the commit of an annotated tag', { tags: annotated }, other],
  ['the target of a draft without a tag', target, COMMIT],
  ['no commit if the target is a branch', { releases: [draft] }, null],
])('records name %s', async (_what, options, sha) => {
  const run = startRun(await startRelease([], options), { GITHUB_REF: 'refs/heads/main' })
  const { source, facts } = await run.open()
  const commitUrl = sha === null ? null : `https://github.com/octo/app/commit/${sha}`
  expect(source).toMatchObject({ ref: `refs/tags/${TAG}`, sha, commitUrl })
  expect(facts?.isTagOfRun).toBe(false)
})

/** GitHub's own clock. */
const nowMs = Date.UTC(2026, 0, 31, 12)
const date = new Date(nowMs).toUTCString()
const limitedFor = (seconds: number): GitHubFault => {
  const reset = String(nowMs / 1000 + seconds)
  return status(403, { date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })
}

const inSeconds = (seconds: string) => ({ 'retry-after': seconds })
const at = { date, 'retry-after': new Date(nowMs + 9000).toUTCString() }
const secondary = answer(403, { message: 'You have exceeded a secondary rate limit.' })

/** What two answers say, and the wait after each. */
it.each<[string, Route, GitHubFault, number, number?]>([
  ['after a backoff', 'get-release-by-tag', status(503), 500, 1000],
  ['after a broken answer', 'list-assets', cut, 500, 1000],
  ['after a broken download', 'storage', cut, 500, 1000],
  ['at the time that a 503 names', 'list-assets', status(503, inSeconds('7')), 7000],
  ['at the time that a 403 names', 'get-ref', status(403, inSeconds('55')), 55_000],
  ['at a date by the clock of GitHub', 'list-assets', status(429, at), 9000],
  ['when the rate limit is reset', 'list-releases', limitedFor(42), 42_000],
  ['after a minute, for a secondary limit', 'list-assets', secondary, 60_000],
])('a failed call is tried again %s', async (_what, route, fault, first, second = first) => {
  const assets = assetsOf(`app.zip ${RECORDS} notarization-records-by-hand.jsonl`)
  const options = { releases: [{ ...draft, assets }], faults: [{ route, to: 2, fault }] }
  const run = startRun(await startRelease([], options))
  const { artifacts, records } = await run.open()
  expect(artifacts).toMatchObject([{ name: 'app.zip' }])
  const names = assets.slice(1).map(({ name }) => name)
  expect(records.map(({ bytes }) => bytes.toString())).toEqual(names)
  expect(run.waits).toEqual([first, second])
  expect(run.lines[1]).toMatch(/^GitHub: .*(?:while|rate limit).*; next try in \d+ s$/)
})

describe('the run stops if', () => {
  const saved = { ...draft, assets: assetsOf(RECORDS) }
  const kept = /3 drafts; .* in https:\S+untagged-(\d+) \(id \1\); keep .* delete the others/
  const broken = { releases: [saved], faults: [{ route: 'storage', fault: cut }] } as const
  const later = /limit lasts until .* UTC\); run the job again after that$/

  it.each<[string, GitHubOptions, RegExp, number]>([
    ['there is no release', { releases: [{ tag: 'v1' }] }, /not found.*contents: write/, 0],
    ['one of several drafts has records', { releases: [draft, saved, draft] }, kept, 0],
    ['no draft has records', { releases: [draft, draft] }, /2 drafts, none with .* all but one/, 0],
    ['two drafts have records', { releases: [saved, saved] }, / in https.*, https.*; keep one/, 0],
    ['the token is invalid', fails(status(401)), /HTTP 401.*; .*check the input "github-token"/, 0],
    ['the token has no permission', fails(status(403)), /HTTP 403.*; .*contents: read/, 0],
    ['the API is down', fails(status(503)), /HTTP 503, .*, while .*\); run the job again/, 4],
    ['records never arrive completely', broken, /reset.*run the job again/, 4],
    ['an answer is not a list', fails(answer(200, {})), /cannot be understood/, 0],
    ['the rate limit ends too late', fails(limitedFor(3600)), later, 0],
  ])('%s', async (_what, options, message, waits) => {
    const run = startRun(await startRelease([], options))
    expect(await problemOf(run.open())).toMatch(message)
    expect(run.waits).toHaveLength(waits)
    expect(sum(run.waits)).toBeLessThanOrEqual(120_000)
  })

  it('GitHub answers with a secret, no part of which is shown', async () => {
    const secret = 'ghs_secretOfSomebody0123456789'
    const body = { message: `${'x'.repeat(185)} ${secret}` }
    const github = await startRelease([], fails(answer(400, body)))
    expect(await problemOf(startRun(github, {}, secret).open())).toMatch(/^(?!.*ghs_).*\*\*\*/)
  })
})

const late = /no answer came for a minute/
const huge = answer(200, 'x'.repeat(64 * 1024 * 1024))

it.each<[string, Route, GitHubFault, RegExp]>([
  ['after a minute without an answer', 'list-assets', { kind: 'silence' }, late],
  ['after a silent minute within an asset', 'storage', { kind: 'stall' }, late],
  ['at 64 MiB of JSON', 'list-assets', huge, /larger than 64 MiB/],
])('a call ends %s', async (_what, route, fault, message) => {
  const faults = [{ route, to: 1, fault }]
  const github = await startRelease(assetsOf(RECORDS), { faults })
  const run = startRun(github)
  const advance = setInterval(() => {
    // Not during other calls, which may be slow on a busy machine.
    const isAtFault = github.routes(route).length === 1 && run.lines.length === 0
    if (fault.kind !== 'status' && isAtFault) jest.advanceTimersByTime(30_000)
  }, 20)
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] })
  await run.open()
  jest.useRealTimers()
  clearInterval(advance)
  expect(run.lines).toEqual([expect.stringMatching(message)])
})

describe('a proxy', () => {
  const names = { uploadOrigin: 'http://uploads.example', storageOrigin: 'http://storage.example' }
  const seeds = [{ name: 'app.zip', content: 'app', ...none }]

  afterEach(() => {
    delete process.env['http_proxy']
  })

  it('is chosen for each host: none for the API, one for uploads and storage', async () => {
    const github = await startRelease(seeds, names)
    const { api, storage } = github.ports
    const targets = { 'uploads.example:80': api, 'storage.example:80': storage }
    const proxy = await startProxy({ targets })
    process.env['http_proxy'] = `http://${proxy.host}`
    const source = await startRun(github).open()
    await source.checkWritable(null)
    expect(source.artifacts).toMatchObject([{ hash: sha256('app') }])
    expect(proxy.connects).toEqual(['storage.example:80', 'uploads.example:80'])
  })

  it('that is unusable is not bypassed, and the call is not tried again', async () => {
    const run = startRun(await startRelease(seeds, names), { http_proxy: 'http://[not-a-host' })
    const { artifacts } = await run.open()
    const what = expect.stringMatching(/"http_proxy"/)
    expect(artifacts).toMatchObject([{ failure: { code: 'unreadable', what } }])
    expect(run.waits).toEqual([])
  })
})
