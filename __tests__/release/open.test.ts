/** A release as a source of artifacts: how it is found and read, whatever GitHub answers. */
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import type { AssetSeed, GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { startProxy } from '../support/proxy.ts'
import { sha256 } from '../support/samples.ts'
import {
  assetsOf,
  COMMIT,
  evidenceOf,
  problemOf,
  RECORDS,
  startRelease,
  startRun,
  status,
  TAG,
} from './support.ts'

const answer = (code: number, body: unknown): GitHubFault => ({
  ...{ kind: 'status', status: code, body },
})
const fails = (fault: GitHubFault, route: Route = 'list-assets'): GitHubOptions => ({
  faults: [{ route, fault }],
})
const none = { digest: null }

describe('a release', () => {
  it('gives its assets by their digests, without a download', async () => {
    const digest = `sha256:${sha256('tarball').toUpperCase()}`
    const github = await startRelease(
      [
        { name: 'app.zip', content: 'zip' },
        { name: 'app.tar.gz', content: 'tarball', digest },
        { name: RECORDS, content: '{}\n', state: 'starter' },
        { name: 'notarization-write-test-1', content: '\n' },
        { name: `my-${RECORDS}`, content: 'of somebody else' },
        { name: 'unfinished.zip', state: 'starter', ...none },
      ],
      { tags: { [TAG]: { commit: COMMIT } } },
    )

    const source = await startRun(github).open()

    const from = { source: 'release-tag' }
    expect(source.artifacts).toEqual([
      { ...from, name: 'app.zip', size: 3, hash: sha256('zip') },
      { ...from, name: 'app.tar.gz', size: 7, hash: sha256('tarball') },
      { ...from, name: `my-${RECORDS}`, size: 16, hash: sha256('of somebody else') },
    ])
    expect(source.counts).toEqual([{ input: 'release-tag', text: TAG, count: 3 }])
    expect(source.warnings).toEqual([expect.stringMatching(/"unfinished.zip"/)])
    expect(source.records).toEqual([])
    expect(source.facts).toEqual({
      ...{ tag: TAG, isDraft: false, isTagOfRun: true, tagCommit: COMMIT, runCommit: COMMIT },
      assets: source.artifacts,
    })
    expect(source.evidenceChecksums(new Set([sha256('zip')]))).toEqual([
      { name: 'app.zip', hash: sha256('zip') },
    ])
    expect(github.routes()).toEqual(['get-release-by-tag', 'list-assets', 'get-ref'])
  })

  it.each(['redirect', 'direct'] as const)(
    'is downloaded where it has no digest (%s), and what does not come as GitHub says is unreadable',
    async download => {
      const seeds: readonly AssetSeed[] = [
        { name: 'empty.txt', content: '', ...none },
        { name: 'other.zip', content: 'other', digest: `sha512:${'0'.repeat(128)}` },
        { name: 'short.zip', content: 'short', size: 6, ...none },
        { name: 'long.zip', content: { zeros: 10_000_000 }, size: 6 },
      ]

      const { artifacts } = await startRun(await startRelease(seeds, { download })).open()

      expect(artifacts).toMatchObject([
        { name: 'empty.txt', size: 0, hash: sha256('') },
        { name: 'other.zip', size: 5, hash: sha256('other') },
        { name: 'short.zip', failure: { code: 'unreadable', registered: 'no' } },
        {
          name: 'long.zip',
          failure: { code: 'unreadable', what: expect.stringMatching(/says 6/) },
        },
      ])
    },
  )

  it('is not blamed when the run is cancelled', async () => {
    const github = await startRelease(assetsOf('app.zip'), fails({ kind: 'silence' }))
    const { halt, open } = startRun(github)
    github.setOnCall(() => {
      halt.cancel()
    })

    await expect(open()).rejects.toMatchObject({ problems: [] })
  })
})

const draft = { tag: TAG, draft: true, assets: assetsOf('app.zip') }
const older = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ tag: `v0.${index}` }))
const many = Array.from({ length: 230 }, (_, index) => ({ name: `${index}.bin`, content: 'x' }))

/** Releases, the newest first, and how many calls list releases and assets. */
interface Listing extends GitHubOptions {
  readonly what: string
  readonly calls: readonly [releases: number, assets: number, whole: number]
  readonly count?: number
}

const listings: readonly Listing[] = [
  { what: 'is published', releases: [...older(250), { ...draft, draft: false }], calls: [0, 1, 0] },
  { what: 'is the newest draft', releases: [draft, ...older(20)], calls: [1, 1, 0] },
  { what: 'is an older draft', releases: [...older(70), draft], calls: [3, 1, 0] },
  { what: 'has many assets', releases: [{ ...draft, assets: many }], calls: [1, 1, 1], count: 230 },
  {
    what: 'has many assets that a release of the server lacks',
    ...{
      releases: [{ ...draft, assets: many }],
      embedsAssets: false,
      calls: [1, 7, 1],
      count: 230,
    },
  },
  {
    what: 'is published, beside a draft of the same tag',
    ...{
      releases: [
        { ...draft, assets: [] },
        { ...draft, draft: false },
      ],
      calls: [0, 1, 0],
    },
  },
]

describe('a release is found when it', () => {
  it.each<Listing>(listings)('$what', async ({ calls, count = 1, ...options }) => {
    const github = await startRelease([], options)

    const { artifacts } = await startRun(github).open()

    expect(artifacts).toHaveLength(count)
    const routes = ['list-releases', 'list-assets', 'get-release'] as const
    expect(routes.map(route => github.routes(route).length)).toEqual(calls)
  })

  it.each([true, false])('loses an asset between two pages (embedded: %s)', async embedsAssets => {
    const github = await startRelease(many, { embedsAssets })
    github.setOnCall(({ route, nth }) => {
      if (route === 'list-assets' && nth === 2) github.removeAsset(TAG, '7.bin')
      if (route === 'get-release') github.removeAsset(TAG, '8.bin')
    })

    const { artifacts } = await startRun(github).open()

    const names = new Set(artifacts.map(({ name }) => name))
    expect(names.size).toBe(embedsAssets ? 229 : 228)
    expect(names.has('100.bin')).toBe(true)
  })

  it('is published while drafts are listed', async () => {
    const github = await startRelease([], { releases: [{ ...draft, assets: [] }, draft] })
    github.setOnCall(({ route }) => {
      const last = github.releases().at(-1)
      if (route === 'list-releases' && last !== undefined) last.draft = false
    })

    const { artifacts } = await startRun(github).open()

    expect(artifacts).toMatchObject([{ name: 'app.zip' }])
  })
})

describe('the records of a release are written for', () => {
  const branch = { releases: [draft] }
  const target = { releases: [{ ...draft, target: COMMIT }] }
  const other = 'a'.repeat(40)

  it.each<[string, GitHubOptions, string | null, number]>([
    ['the commit of its tag', { ...target, tags: { [TAG]: { commit: other } } }, other, 0],
    ['that of an annotated tag', { tags: { [TAG]: { commit: other, annotations: 3 } } }, other, 3],
    ['the target of a draft without a tag', target, COMMIT, 0],
    ['no commit, if that is a branch', branch, null, 0],
  ])('%s', async (_what, options, sha, peeled) => {
    const github = await startRelease([], options)

    const { source } = await startRun(github, { GITHUB_REF: 'refs/heads/main' }).open()

    const commitUrl = sha === null ? null : `https://github.com/octo/app/commit/${sha}`
    expect(source).toMatchObject({ ref: `refs/tags/${TAG}`, sha, commitUrl })
    expect(github.routes('get-tag')).toHaveLength(peeled)
  })

  it('a tag with any characters', async () => {
    const tag = 'nightly/2026-01+x#1%2F'
    const tags = { [tag]: { commit: COMMIT } }
    const github = await startRelease([], { releases: [{ tag }], tags })

    const { facts } = await startRun(github).open({ tag })

    expect(facts).toMatchObject({ tag, tagCommit: COMMIT, isTagOfRun: false })
  })
})

const now = Date.UTC(2026, 0, 31, 12)
const date = new Date(now).toUTCString()
const limited = (code: number, seconds: number): GitHubFault =>
  status(code, {
    ...{ date, 'x-ratelimit-remaining': '0' },
    'x-ratelimit-reset': String(now / 1000 + seconds),
  })

describe('a call that fails is tried again', () => {
  /** What two answers say, and how long is waited after each. */
  it.each<[string, Route, GitHubFault, readonly [number, number]]>([
    ['after a backoff', 'get-release-by-tag', status(503), [500, 1000]],
    ['after a broken connection', 'list-assets', { kind: 'reset' }, [500, 1000]],
    ['after an answer that broke off', 'list-assets', { kind: 'cut' }, [500, 1000]],
    ['when a 503 says', 'list-assets', status(503, { 'retry-after': '7' }), [7000, 7000]],
    ['when a 403 says', 'get-ref', status(403, { 'retry-after': '55' }), [55_000, 55_000]],
    [
      'when a date says, by the clock of GitHub',
      'list-assets',
      status(429, { date, 'retry-after': new Date(now + 9000).toUTCString() }),
      [9000, 9000],
    ],
    ['when the rate limit is reset', 'list-releases', limited(403, 42), [42_000, 42_000]],
    [
      'after a minute, for a secondary limit without a header',
      'list-assets',
      answer(403, { message: 'You have exceeded a secondary rate limit.' }),
      [60_000, 60_000],
    ],
  ])('%s', async (_what, route, fault, waits) => {
    const options = { releases: [draft], faults: [{ route, to: 2, fault }] }
    const run = startRun(await startRelease([], options))

    const { artifacts } = await run.open()

    expect(artifacts).toMatchObject([{ name: 'app.zip' }])
    expect(run.waits).toEqual(waits)
    expect(run.lines).toEqual(Array(2).fill(expect.stringMatching(/^GitHub: .*; next try in \d/)))
  })
})

describe('a release that cannot be used stops the run', () => {
  const held = { tag: TAG, draft: true, assets: [{ name: RECORDS, content: '{}' }] }
  const drafts = [draft, ...older(70), held, { ...draft, assets: [] }]

  it.each<[string, GitHubOptions, RegExp, number]>([
    ['there is none', { releases: [{ tag: 'v1' }] }, /not found.*contents: write/, 0],
    ['the token sees no draft', { releases: [draft], canWrite: false }, /contents: write/, 0],
    [
      'there are several drafts, far from each other',
      { releases: drafts },
      /3 drafts; keep the one with .*https:\S+untagged-(\d+) \(id \1\), and delete the others/,
      0,
    ],
    ['no draft has records', { releases: [draft, draft] }, /2 drafts, none with/, 0],
    ['the token is refused', fails(status(401)), /HTTP 401.*; .*contents: read/, 0],
    ['the token has no right', fails(status(403)), /HTTP 403.*; .*contents: read/, 0],
    ['a call is refused', fails(status(422)), /HTTP 422.*; run the job again/, 0],
    ['the API is down', fails(status(503)), /HTTP 503, simulated 503\); run the job again/, 8],
    ['the connection breaks', fails({ kind: 'reset' }), /listing the assets failed: .*again$/, 8],
    ['an answer is no list', fails(answer(200, {})), /cannot be understood/, 0],
    ['an answer is nothing', fails(answer(200, null)), /cannot be understood/, 0],
    ['an answer is a text', fails(answer(200, 'Welcome')), /cannot be understood/, 0],
    [
      'the rate limit ends too late',
      fails(limited(403, 3600)),
      /the rate limit lasts until (.* UTC)\); run the job again after \1$/,
      0,
    ],
  ])('%s', async (_what, options, message, waits) => {
    const run = startRun(await startRelease(assetsOf('app.zip'), options))

    expect(await problemOf(run.open())).toMatch(message)

    expect(run.waits).toHaveLength(waits)
    expect(run.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(120_000)
  })

  it('without a word of GitHub that holds a secret, or a part of one', async () => {
    const secret = 'ghs_secretOfSomebody0123456789'
    const body = { message: `${'x'.repeat(185)} ${secret}` }
    const github = await startRelease([], fails(answer(400, body)))

    const message = await problemOf(startRun(github, {}, secret).open())

    expect(message).toContain('***')
    expect(message).not.toContain('ghs_')
  })
})

describe('records assets', () => {
  const cut = { route: 'storage', fault: { kind: 'cut' } } as const

  it.each<[string, Partial<AssetSeed>, GitHubOptions['faults'], RegExp | null]>([
    ['are read, also when they come in parts first', {}, [{ ...cut, to: 1 }], null],
    ['that never come stop the run', {}, [cut], /was reset.*run the job again/],
    ['with another digest stop it', { digest: `sha256:${'0'.repeat(64)}` }, [], /its digest/],
    ['that are short stop it', { size: 30 }, [], /GitHub says 30/],
  ])('%s', async (_what, seed, faults = [], message) => {
    const other = { name: 'notarization-records-by-hand.jsonl', content: '1' }
    const seeds = [{ name: RECORDS, content: '{}\n{"a', ...seed }, other]
    const { open } = startRun(await startRelease(seeds, { faults }))

    if (message !== null) {
      const problem = await problemOf(open())
      expect(problem).toMatch(message)
      expect(problem).toContain(`downloading "${RECORDS}"`)
      return
    }
    const { records } = await open()
    expect(records.map(({ bytes }) => bytes.toString())).toEqual(['{}\n{"a', '1'])
  })
})

describe('a call ends', () => {
  afterEach(() => {
    jest.useRealTimers()
  })

  it.each<[string, Route, GitHubFault, RegExp]>([
    ['after a minute without an answer', 'list-assets', { kind: 'silence' }, /for a minute/],
    ['after a minute in the middle of JSON', 'list-assets', { kind: 'stall' }, /for a minute/],
    ['after a minute in the middle of an asset', 'storage', { kind: 'stall' }, /for a minute/],
    [
      'at 64 MiB of JSON',
      'list-assets',
      answer(200, 'x'.repeat(64 * 1024 * 1024)),
      /larger than 64 MiB/,
    ],
  ])('%s', async (_what, route, fault, message) => {
    const faults = [{ route, to: 1, fault }]
    const github = await startRelease([{ name: RECORDS, content: '{}\n' }], { faults })
    const run = startRun(github)
    const advance = setInterval(() => {
      if (fault.kind !== 'status') jest.advanceTimersByTime(30_000)
    }, 20)
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] })

    await run.open()

    clearInterval(advance)
    expect(run.lines).toEqual([expect.stringMatching(message)])
  })
})

describe('a proxy', () => {
  const names = { uploadOrigin: 'http://uploads.example', storageOrigin: 'http://storage.example' }
  const seeds = [{ name: 'app.zip', content: 'app', ...none }]

  afterEach(() => {
    delete process.env['http_proxy']
  })

  it('is chosen for each host: uploads and storage need not share that of the API', async () => {
    const github = await startRelease(seeds, names)
    const targets = {
      'uploads.example:80': github.ports.api,
      'storage.example:80': github.ports.storage,
    }
    const proxy = await startProxy({ targets })
    process.env['http_proxy'] = `http://${proxy.host}`

    const source = await startRun(github).open()
    await source.checkWritable(null)

    expect(source.artifacts).toMatchObject([{ hash: sha256('app') }])
    expect(proxy.connects).toEqual(['storage.example:80', 'uploads.example:80'])
  })

  it('that cannot be used is not bypassed', async () => {
    process.env['http_proxy'] = 'http://[not-a-host'
    const env = { http_proxy: 'http://[not-a-host' }
    const run = startRun(await startRelease(seeds, names), env)

    const source = await run.open()

    expect(source.artifacts).toMatchObject([
      { failure: { code: 'unreadable', what: expect.stringMatching(/"http_proxy"/) } },
    ])
    expect(await problemOf(source.checkWritable(null))).toMatch(/takes no files.*"http_proxy"/)
    expect((await source.attach(evidenceOf('app')))?.failure).toMatch(/"http_proxy"/)
    expect(run.waits).toEqual([])
  })
})
