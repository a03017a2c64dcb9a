/** A release as a source of artifacts: how it is found, read and guarded against what GitHub may answer. */
import { describe, expect, it } from '@jest/globals'
import { Halt } from '../../src/halt.ts'
import type {
  AssetSeed,
  GitHubFault,
  GitHubOptions,
  ReleaseSeed,
  Route,
} from '../support/github.ts'
import { sha256 } from '../support/samples.ts'
import { COMMIT, leftover, open, problemOf, RECORDS, startRelease, status, TAG } from './support.ts'
import type { Opened } from './support.ts'

const namesOf = ({ source }: Opened) => source.artifacts.map(({ name }) => name)
const answer = (code: number, body: unknown): GitHubFault => ({
  ...{ kind: 'status', status: code, body },
})
const fails = (fault: GitHubFault): GitHubOptions => ({ faults: [{ route: 'list-assets', fault }] })

describe('a release', () => {
  it('gives its assets by the digests of GitHub, without a download', async () => {
    const digest = `sha256:${sha256('tarball').toUpperCase()}`
    const github = await startRelease([
      { name: 'app.zip', content: 'zip' },
      { name: 'app.tar.gz', content: 'tarball', digest },
      { name: RECORDS, content: '{}\n' },
      { name: leftover(RECORDS, 1), content: '\n' },
      { name: `my-${RECORDS}`, content: 'of somebody else' },
      { name: 'never.zip', state: 'starter', digest: null },
    ])

    const opened = await open(github)

    const from = { source: 'release-tag' }
    expect(opened.source.artifacts).toEqual([
      { ...from, name: 'app.zip', size: 3, hash: sha256('zip') },
      { ...from, name: 'app.tar.gz', size: 7, hash: sha256('tarball') },
      { ...from, name: `my-${RECORDS}`, size: 16, hash: sha256('of somebody else') },
    ])
    expect(opened.source.counts).toEqual([{ input: 'release-tag', text: TAG, count: 3 }])
    expect(opened.source.warnings).toEqual([expect.stringContaining('"never.zip"')])
    expect(opened.source.facts).toEqual({
      ...{ tag: TAG, isDraft: false, tagCommit: undefined, runCommit: COMMIT },
      assets: opened.source.artifacts,
    })
    expect(github.routes()).toEqual(['get-release-by-tag', 'list-assets'])
  })

  it.each(['redirect', 'direct'] as const)(
    'is downloaded where it has no SHA-256 (%s), and fails if it does not come whole',
    async download => {
      const none = { digest: null }
      const other = { digest: `sha512:${'0'.repeat(128)}` }
      const seeds: readonly AssetSeed[] = [
        { name: 'empty.txt', content: '', ...none },
        { name: 'other.zip', content: 'other', ...other },
        { name: 'short.zip', content: 'short', size: 6, ...none },
      ]

      const { source } = await open(await startRelease(seeds, { download }))

      expect(source.artifacts).toMatchObject([
        { name: 'empty.txt', size: 0, hash: sha256('') },
        { name: 'other.zip', size: 5, hash: sha256('other') },
        { name: 'short.zip', failure: { code: 'unreadable', registered: 'no' } },
      ])
    },
  )
})

it('an asset that is not read as the run is cancelled is no fault of GitHub', async () => {
  const github = await startRelease([{ name: 'app.zip', content: 'app', digest: null }], {
    faults: [{ route: 'storage', fault: { kind: 'silence' } }],
  })
  const halt = new Halt()
  github.setOnCall(({ route }) => {
    if (route === 'storage') halt.cancel()
  })

  const { source } = await open(github, { halt })

  expect(source.artifacts).toMatchObject([{ failure: { code: 'cancelled' } }])
})

const many = (count: number, seed: (index: number) => ReleaseSeed): ReleaseSeed[] =>
  Array.from({ length: count }, (_, index) => seed(index))
const older = (count: number) => many(count, index => ({ tag: `v0.${index}` }))
const assets: readonly AssetSeed[] = [{ name: 'app.zip', content: 'app' }]
const parts: readonly AssetSeed[] = Array.from({ length: 230 }, (_, index) => ({
  ...{ name: `part-${index}.bin`, content: `part ${index}` },
}))
const draft = { tag: TAG, draft: true, assets }

/** Releases, the newest first, and how many pages of releases and of assets must be read to find them. */
interface Listing extends GitHubOptions {
  readonly what: string
  readonly pages: readonly [releases: number, assets: number]
  readonly artifacts?: number
}

const listings: readonly Listing[] = [
  { what: 'is published', releases: [...older(250), { tag: TAG, assets }], pages: [0, 1] },
  { what: 'is the newest draft', releases: [draft, ...older(250)], pages: [1, 1] },
  { what: 'is an older draft', releases: [...older(70), draft, ...older(250)], pages: [8, 1] },
  {
    what: 'comes on pages shorter than asked for',
    releases: [...older(20), { ...draft, assets: parts.slice(0, 20) }, ...older(20)],
    ...{ pageSize: 7, pages: [3, 3], artifacts: 20 },
  },
  {
    what: 'has many assets',
    releases: [{ ...draft, assets: parts }],
    ...{ pages: [1, 3], artifacts: 230 },
  },
  {
    what: 'is listed twice, as are its assets',
    releases: [...older(4), { ...draft, assets: parts.slice(0, 20) }, ...older(4)],
    ...{ pageSize: 5, pageOverlap: 2, pages: [1, 6], artifacts: 20 },
  },
  {
    what: 'is published, beside a draft of the same tag',
    releases: [
      { ...draft, assets: [] },
      { tag: TAG, assets },
    ],
    pages: [0, 1],
  },
]

describe('a release is found, when it', () => {
  it.each(listings)('$what', async ({ pages, artifacts = 1, ...options }) => {
    const github = await startRelease([], options)

    const opened = await open(github)

    expect(new Set(namesOf(opened)).size).toBe(artifacts)
    expect(namesOf(opened)).toHaveLength(artifacts)
    expect([github.routes('list-releases').length, github.routes('list-assets').length]).toEqual(
      pages,
    )
  })

  it('is published while drafts are listed', async () => {
    const github = await startRelease([], { releases: [{ ...draft, assets: [] }, draft] })
    github.setOnCall(({ route }) => {
      if (route !== 'list-releases') return
      for (const older of github.releases().slice(1)) older.draft = false
    })

    expect(namesOf(await open(github))).toEqual(['app.zip'])
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
    ['after a page that broke off, no empty one', 'list-assets', { kind: 'cut' }, [500, 1000]],
    ['as late as a 503 says', 'list-assets', status(503, { 'retry-after': '7' }), [7000, 7000]],
    [
      'as late as a 403 says',
      'list-assets',
      status(403, { 'retry-after': '70' }),
      [70_000, 70_000],
    ],
    [
      'as late as a date says',
      'list-assets',
      status(429, { date, 'retry-after': new Date(now + 9000).toUTCString() }),
      [9000, 9000],
    ],
    ['when the rate limit is reset, after 403', 'get-ref', limited(403, 42), [42_000, 42_000]],
    ['when it is reset, after 429', 'list-releases', limited(429, 42), [42_000, 42_000]],
    [
      'for a secondary limit without a header',
      'list-assets',
      answer(403, { message: 'You have exceeded a secondary rate limit.' }),
      [500, 1000],
    ],
  ])('%s', async (_what, route, fault, waits) => {
    const github = await startRelease([], {
      ...{ releases: [draft], tags: { [TAG]: { commit: COMMIT } } },
      faults: [{ route, to: 2, fault }],
    })

    const opened = await open(github, { ref: `refs/tags/${TAG}` })

    expect(namesOf(opened)).toEqual(['app.zip'])
    expect(opened.waits).toEqual(waits)
    expect(opened.lines).toHaveLength(2)
    expect(opened.lines[0]).toMatch(/^GitHub: GET \/repos\/octo\/app\/.*; try 1 of 5, next in \d/)
  })
})

describe('a release that cannot be used stops the run', () => {
  it.each<[string, GitHubOptions, RegExp, number]>([
    ['there is none', { releases: [{ tag: 'v1' }] }, /not found.*contents: write/, 0],
    ['the token sees no draft', { releases: [draft], canWrite: false }, /contents: write/, 0],
    ['there are two drafts', { releases: [draft, draft] }, /several drafts/, 0],
    ['the token is refused', fails(status(401)), /HTTP 401.*"github-token"/, 0],
    ['the token has no right', fails(status(403)), /HTTP 403.*"github-token"/, 0],
    ['the API is down', fails(status(503)), /HTTP 503, simulated 503\); run the job again/, 4],
    ['the connection breaks', fails({ kind: 'reset' }), /GET .*assets: .*; run the job again/, 4],
    ['an answer is no list', fails(answer(200, {})), /cannot be understood/, 0],
    ['an answer is nothing', fails(answer(200, null)), /cannot be understood/, 4],
    ['an answer is a text', fails(answer(200, 'Welcome')), /cannot be understood/, 4],
    ['the rate limit lasts', fails(status(403, { 'retry-after': '3' })), /rate limit/, 4],
    [
      'the rate limit ends too late',
      fails(limited(403, 3600)),
      /the rate limit of GitHub is reached until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\); run .* ended/,
      0,
    ],
  ])('%s', async (_what, options, message, waited) => {
    const github = await startRelease(assets, options)
    const waits: number[] = []

    const problem = await problemOf(open(github, { waits }))

    expect(problem.input).toBe('release-tag')
    expect(problem.message).toMatch(message)
    if (problem.message.includes('rate limit')) expect(problem.message).not.toMatch(/github-token/)
    expect(waits).toHaveLength(waited)
  })

  it('without a text of GitHub that holds a secret, nor a part of one', async () => {
    const secret = 'ghs_secretOfSomebody0123456789'
    const body = { message: `${'x'.repeat(185)} ${secret}` }
    const github = await startRelease([], fails(answer(400, body)))

    const { message } = await problemOf(open(github, { secret }))

    expect(message).toContain('***')
    expect(message).not.toContain('ghs_')
  })
})

it.each([TAG, 'nightly/2026-01+x#1%2F'])(
  'the tag of the run, %s, may be a tag of tags',
  async tag => {
    const tags = { [tag]: { commit: COMMIT, annotations: 3 } }
    const github = await startRelease([], { releases: [{ tag }], tags })

    const { source } = await open(github, { tag, ref: `refs/tags/${tag}` })

    expect(source.facts?.tagCommit).toBe(COMMIT)
    expect(github.routes('get-tag')).toHaveLength(3)
  },
)

describe('the records of a release', () => {
  const left = (number: number, content: string): AssetSeed => ({
    ...{ name: leftover(RECORDS, number), content },
  })

  it.each<[string, readonly AssetSeed[], string | null]>([
    ['are none', [], null],
    ['are as they are, an incomplete line too', [{ name: RECORDS, content: '{}\n{"a' }], '{}\n{"a'],
    ['are what interrupted uploads left', [left(1, '{}\n[]\n'), left(2, '[]\n0\n')], '{}\n[]\n0\n'],
    ['are none in a probe', [left(1, '\n'), { ...left(2, ''), state: 'starter' }], null],
  ])('%s', async (_what, seeds, text) => {
    const github = await startRelease(seeds)
    const { source } = await open(github)

    expect((await source.readRecords())?.toString() ?? null).toBe(text)
  })

  const cut = { route: 'storage', fault: { kind: 'cut' } } as const
  const zeros = `sha256:${'0'.repeat(64)}`

  it.each<[string, Partial<AssetSeed>, GitHubOptions['faults'], RegExp | null]>([
    ['came once incomplete', {}, [{ ...cut, to: 1 }], null],
    ['another job replaces', {}, [{ route: 'get-asset', to: 1, fault: status(404) }], null],
    ['never come', {}, [cut], /run the job again/],
    ['have another digest', { digest: zeros }, [], /GitHub says 0{64}/],
    ['are short', { size: 30 }, [], /3 of 30 bytes/],
  ])('that %s', async (_what, seed, faults = [], message) => {
    const github = await startRelease([{ name: RECORDS, content: '{}\n', ...seed }], { faults })
    const { source } = await open(github)

    if (message === null) {
      expect((await source.readRecords())?.toString()).toBe('{}\n')
      return
    }
    const problem = await problemOf(source.readRecords())
    expect(problem.message).toContain(RECORDS)
    expect(problem.message).toMatch(message)
  })
})
