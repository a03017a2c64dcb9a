/** A release as a source of artifacts: how it is found and read, despite faults of GitHub. */
import { describe, expect, it, jest } from '@jest/globals'
import type { GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { sha256 } from '../support/samples.ts'
import { assetsOf, COMMIT, faultAt, problemOf, RECORDS, startRelease } from './support.ts'
import { startRun, status, TAG } from './support.ts'

const cut = { kind: 'cut' } as const
const none = { digest: null }

describe('the assets of a release', () => {
  it('are identified by their digests, without a download', async () => {
    const digest = `sha256:${sha256('tarball').toUpperCase()}`
    const github = await startRelease([
      { name: 'app.zip', content: 'zip' },
      { name: 'app.tar.gz', content: 'tarball', digest },
      { name: RECORDS, content: '{}\n', state: 'starter' },
      { name: 'unfinished.zip', state: 'starter' },
    ])
    github.setTag(TAG, { commit: COMMIT })
    const release = await startRun(github).open()
    const checksum = { name: 'app.zip', hash: sha256('zip') }
    const tarball = { name: 'app.tar.gz', hash: sha256('tarball'), size: 7 }
    expect(release).toMatchObject({
      artifacts: [{ ...checksum, source: 'release-tag', size: 3 }, tarball],
      counts: [{ input: 'release-tag', text: TAG, count: 2 }],
      warnings: [expect.stringMatching(/: "notarization-records.jsonl", "unfinished.zip"$/)],
      records: [],
      facts: { isDraft: false, tagCommit: COMMIT, runCommit: COMMIT },
    })
    expect(release.checksums(new Set([checksum.hash]))).toEqual([checksum])
    expect(github.routes()).toEqual(['get-release-by-tag', 'list-assets', 'get-ref'])
  })

  it('are downloaded without digests; one that breaks off is unreadable', async () => {
    const github = await startRelease([
      { name: 'other.zip', content: 'other', digest: `sha512:${'0'.repeat(128)}` },
      { name: 'large.zip', content: Buffer.alloc(5_000_000), ...none },
    ])
    github.faultOf = faultAt('storage', cut, 2)
    const { artifacts } = await startRun(github).open()
    const failure = { code: 'unreadable', registered: 'no', remedy: expect.stringMatching(/^wait/) }
    expect(artifacts).toMatchObject([
      { name: 'other.zip', size: 5, hash: sha256('other') },
      { name: 'large.zip', size: null, hash: null, outcome: { state: 'failed', failure } },
    ])
  })
})

const draft = { tag: TAG, draft: true, assets: assetsOf('app.zip') }
const published = { ...draft, draft: false }
const older = (count: number) => Array.from({ length: count }, (_, at) => ({ tag: `v0.${at}` }))
const many = assetsOf(Array.from({ length: 230 }, (_, at) => `${at}.bin`).join(' '))

/** Releases, the newest first, how many calls list releases and assets, and how many assets there are. */
it.each<[string, GitHubOptions, number, number, number]>([
  ['published', { releases: [...older(250), published] }, 0, 1, 1],
  ['published, whatever drafts have its tag', { releases: [draft, draft, published] }, 0, 1, 1],
  ['as an older draft', { releases: [...older(70), draft] }, 3, 1, 1],
  ['with many assets', { releases: [{ ...draft, assets: many }] }, 1, 3, 230],
])('a release is found %s', async (_what, options, releasePages, assetPages, count) => {
  const github = await startRelease([], options)
  expect((await startRun(github).open()).artifacts).toHaveLength(count)
  expect(github.routes('list-releases')).toHaveLength(releasePages)
  expect(github.routes('list-assets')).toHaveLength(assetPages)
})

const target = { releases: [{ ...draft, target: COMMIT }] }
const other = 'a'.repeat(40)

it.each<[string, GitHubOptions, string | null]>([
  ['the commit of the tag', { ...target, tags: { [TAG]: { commit: other } } }, other],
  ['the commit of an annotated tag', { tags: { [TAG]: { commit: other, annotations: 3 } } }, other],
  ['the target of a draft without a tag', target, COMMIT],
  ['no commit if the target is a branch', { releases: [draft] }, null],
])('records name %s', async (_what, options, sha) => {
  const run = startRun(await startRelease([], options), { GITHUB_REF: 'refs/heads/main' })
  const { source, facts } = await run.open()
  const commitUrl = sha === null ? null : `https://github.com/octo/app/commit/${sha}`
  expect(source).toMatchObject({ ref: `refs/tags/${TAG}`, sha, commitUrl })
  expect(facts.runCommit).toBe(null)
})

const secondary = { message: 'You have exceeded a secondary rate limit.' }
const inSeconds = (seconds: string) => ({ 'retry-after': seconds })
const resetIn = (seconds: number): GitHubFault => {
  const reset = String(Math.floor(Date.now() / 1000 + seconds))
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
  return status(403, headers, { message: 'API rate limit exceeded for installation.' })
}

describe('a call is repeated', () => {
  /** What two answers say, and how long the calls take at least, in seconds. */
  it.each<[string, Route, () => GitHubFault, number]>([
    ['after an error', 'get-release-by-tag', () => status(503), 1 + 4],
    ['after a broken list', 'list-assets', () => cut, 1 + 4],
    ['after a list that is null', 'list-assets', () => status(200, {}, null), 1 + 4],
    ['when a 403 says', 'get-ref', () => status(403, inSeconds('55'), secondary), 2 * 55],
    ['when a 429 says', 'list-releases', () => status(429, inSeconds('7'), secondary), 2 * 7],
    ['when the rate limit is reset', 'list-assets', () => resetIn(42), 2 * 42],
  ])('%s', async (_what, route, makeFault, seconds) => {
    const assets = assetsOf(`app.zip ${RECORDS} notarization-records-by-hand.jsonl`)
    const github = await startRelease([], { releases: [{ ...draft, assets }] })
    github.faultOf = call => faultAt(route, makeFault(), 1, 2)(call)
    const run = startRun(github)
    const startMs = Date.now()
    const { artifacts, records } = await run.open()
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(seconds * 1000)
    expect(artifacts).toMatchObject([{ name: 'app.zip' }])
    const contents = records.map(({ bytes }) => bytes.toString())
    expect(['app.zip', ...contents]).toEqual(assets.map(({ name }) => name))
    expect(run.lines).toEqual([expect.stringMatching(/GitHub/), expect.anything()])
  })
})

describe('the run stops if', () => {
  const drafts = /2 drafts \(https:\S+untagged-\d+; https:\S+\); keep the one with .*records/

  it.each<[string, GitHubOptions, RegExp]>([
    ['there is no release', { releases: [{ tag: 'v1' }] }, /not found.*contents: write/],
    ['the token cannot see its draft', { releases: [draft], access: 'read' }, /contents: write/],
    ['there are several drafts', { releases: [draft, draft] }, drafts],
  ])('%s', async (_what, options, message) => {
    expect(await problemOf(startRun(await startRelease([], options)).open())).toMatch(message)
  })

  /** What every listing of the assets answers, and how many are tried. */
  it.each<[string, () => GitHubFault, RegExp, number]>([
    ['the token is invalid', () => status(401), /HTTP 401 to GET .*; check .*"github-token"/, 1],
    ['the token has no permission', () => status(403), /permission "contents: read" \(HTTP 403/, 1],
    ['the token cannot see the assets', () => status(404), /"contents: read" \(HTTP 404/, 1],
    ['a list is a conflict', () => status(409), /no valid answer \(HTTP 409, GET/, 4],
    ['the API is down', () => status(503), /HTTP 503 .*: "simul.*; wait .*, then re-run the f/, 4],
    ['an answer is not a list', () => status(200, {}, {}), /no valid answer \(wrong form\)/, 1],
    ['a limit is not reset soon', () => resetIn(3600), /rate limit is used up .*; wait until/, 1],
    ['a 429 asks to wait long', () => status(429, inSeconds('61'), secondary), /rate limit/, 1],
    ['a limit never ends', () => status(429, inSeconds('5'), secondary), /rate limit/, 4],
  ])('%s', async (_what, makeFault, message, tries) => {
    const github = await startRelease([], { faultOf: faultAt('list-assets', makeFault()) })
    expect(await problemOf(startRun(github).open())).toMatch(message)
    expect(github.routes('list-assets')).toHaveLength(tries)
  })

  it('GitHub answers with a secret, no part of which is shown', async () => {
    const body = { message: `${'x'.repeat(185)} ghs_secretOfSomebody0123456789` }
    const faultOf = faultAt('list-assets', status(400, {}, body))
    const github = await startRelease([], { faultOf })
    expect(await problemOf(startRun(github).open())).toMatch(/^(?!.*ghs_).*\*\*\*/)
  })

  it('the address of the proxy is unusable, which is not bypassed', async () => {
    const github = await startRelease([], { apiOrigin: 'http://api.example' })
    const run = startRun(github, { http_proxy: 'http://[not-a-host' })
    expect(await problemOf(run.open())).toMatch(/"http_proxy"/)
  })

  it('a signal comes, even while a call waits for a rate limit', async () => {
    const fault = status(403, inSeconds('60'), secondary)
    const run = startRun(await startRelease([], { faultOf: faultAt('list-assets', fault) }))
    const startMs = Date.now()
    const opening = run.open()
    while (run.lines.length === 0) await new Promise(setImmediate)
    run.halt.cancel()
    await expect(opening).rejects.toMatchObject({ problems: [] })
    expect(Date.now() - startMs).toBeLessThan(60_000)
  })
})

it.each<[string, Route, number]>([
  ['a minute without an answer', 'list-assets', 60_000],
  ['ten minutes of a download', 'storage', 600_000],
])('a call ends after %s, and is not repeated', async (_what, route, limitMs) => {
  const limits: number[] = []
  let last = new AbortController()
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    limits.push(ms)
    last = new AbortController()
    return last.signal
  })
  const github = await startRelease(assetsOf(RECORDS))
  github.faultOf = call => {
    if (call.route !== route) return undefined
    setImmediate(() => {
      last.abort(new DOMException('it took too long', 'TimeoutError'))
    })
    return { kind: 'stall' }
  }
  const run = startRun(github)
  const message = await problemOf(run.open())
  expect([message, ...run.lines].join()).toMatch(/^(?!.*cut off).*no answer within/)
  expect([limits.at(-1), github.routes(route).length]).toEqual([limitMs, 1])
  timeout.mockRestore()
})
