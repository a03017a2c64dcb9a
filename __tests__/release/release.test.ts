/** A release as a source of artifacts: how it is found and read, and what stops the run. */
import { describe, expect, it, jest } from '@jest/globals'
import type { GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { sha256 } from '../support/samples.ts'
import { assetsOf, COMMIT, faultAt, problemOf, RECORDS, startRelease } from './support.ts'
import { startRun, status, TAG } from './support.ts'

const cut = { kind: 'cut' } as const
const none = { digest: null }
const large = Buffer.alloc(5_000_000)
/** A response in place of the asset. */
const page = (text: string): GitHubFault => status(200, {}, text)

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
    const release = await startRun(github).read()
    const checksum = { name: 'app.zip', hash: sha256('zip') }
    const tarball = { name: 'app.tar.gz', hash: sha256('tarball'), size: 7 }
    expect(release).toMatchObject({
      artifacts: [{ ...checksum, input: 'release-tag', size: 3 }, tarball],
      counts: [{ input: 'release-tag', text: TAG, count: 2 }],
      warnings: [expect.stringMatching(/: "notarization-records.jsonl"; "unfinished.zip"$/)],
      records: [],
      isDraft: false,
      tagCommit: COMMIT,
      runCommit: COMMIT,
    })
    expect(github.routes()).toEqual(['get-release-by-tag', 'list-assets', 'get-ref'])
  })

  it('are downloaded if they have no digest', async () => {
    const github = await startRelease([
      { name: 'other.zip', content: 'other', digest: `sha512:${'0'.repeat(128)}` },
      { name: 'empty.zip', content: '', ...none },
      { name: 'large.zip', content: large, ...none },
    ])
    const { artifacts } = await startRun(github).read()
    expect(artifacts).toMatchObject([
      { name: 'other.zip', size: 5, hash: sha256('other') },
      { name: 'empty.zip', size: 0, hash: sha256('') },
      { name: 'large.zip', size: large.length, hash: sha256(large) },
    ])
  })
})

/** What every download gets, and how that is reported of an asset of 14 bytes. */
const damages: readonly (readonly [string, GitHubFault, reason: string, observed: RegExp])[] = [
  ['breaks off', cut, 'github-unavailable', /^the download of "\S+": /],
  ['is refused', status(403), 'github-permission', /^GET \S+ returned HTTP 403/],
  ['is gone', status(404), 'asset-incomplete', /^GET \S+ returned HTTP 404/],
  ['is longer', page('not the asset'), 'asset-incomplete', /has 15 bytes, but GitHub lists 14/],
  ['is cut short', page('short'), 'asset-incomplete', /has 7 bytes, but GitHub lists 14/],
]

describe('a download that', () => {
  it.each(damages)('%s fails its artifact alone', async (_what, fault, reason, observed) => {
    const assets = [{ name: 'damaged', content: 'fourteen bytes', ...none }]
    const github = await startRelease([...assets, ...assetsOf('app.zip')])
    github.faultOf = faultAt('storage', fault)
    const { artifacts } = await startRun(github).read()
    const failure = { code: 'unreadable', reason, observed: expect.stringMatching(observed) }
    const outcome = { state: 'failed', failure: { ...failure, registered: 'no', status: null } }
    expect(artifacts).toMatchObject([{ size: null, hash: null, outcome }, { name: 'app.zip' }])
  })

  const other = page('as long, no!')
  const records = [...damages, ['has another digest', other, '', /not have the digest/] as const]
  it.each(records)('%s stops the run if it has records', async (_what, fault, _reason, why) => {
    const github = await startRelease([{ name: RECORDS, content: 'fourteen bytes' }])
    github.faultOf = faultAt('storage', fault)
    const problem = await problemOf(startRun(github).read())
    expect(problem.replace(/^.* cannot be read: /, '')).toMatch(why)
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
  expect((await startRun(github).read()).artifacts).toHaveLength(count)
  expect(github.routes('list-releases')).toHaveLength(releasePages)
  expect(github.routes('list-assets')).toHaveLength(assetPages)
})

const target = { releases: [{ ...draft, target: COMMIT }] }
const other = 'a'.repeat(40)

it.each<[string, GitHubOptions, string | null]>([
  ['the commit of the tag', { ...target, tags: { [TAG]: { commit: other } } }, other],
  ['the commit of an annotated tag', { tags: { [TAG]: { commit: other, annotations: 3 } } }, other],
  ['the target of a draft without a tag', target, COMMIT],
  ['no commit if the tag is gone', { releases: [{ ...published, target: COMMIT }] }, null],
  ['no commit if the target is a branch', { releases: [draft] }, null],
])('records name %s', async (_what, options, sha) => {
  const run = startRun(await startRelease([], options), { GITHUB_REF: 'refs/heads/main' })
  const { source, runCommit } = await run.read()
  const commitUrl = sha === null ? null : `https://github.com/octo/app/commit/${sha}`
  expect(source).toMatchObject({ ref: `refs/tags/${TAG}`, sha, commitUrl })
  expect(runCommit).toBe(null)
})

const secondary = { message: 'You have exceeded a secondary rate limit.' }
const inSeconds = (seconds: string) => ({ 'retry-after': seconds })
const resetIn = (seconds: number): GitHubFault => {
  const reset = String(Math.floor(Date.now() / 1000 + seconds))
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
  return status(403, headers, { message: 'API rate limit exceeded for installation.' })
}

describe('a call is retried', () => {
  /** What two responses say, and how long the calls take at least, in seconds. */
  it.each<[string, Route, () => GitHubFault, number]>([
    ['after an error', 'get-release-by-tag', () => status(503), 1 + 4],
    ['after a broken list', 'list-assets', () => cut, 1 + 4],
    ['after a list that is null', 'list-assets', () => status(200, {}, null), 1 + 4],
    ['when a 403 says', 'get-ref', () => status(403, inSeconds('55'), secondary), 2 * 55],
    ['a minute after a 403', 'get-ref', () => status(403, {}, secondary), 2 * 60],
    ['when a 429 says', 'list-releases', () => status(429, inSeconds('7'), secondary), 2 * 7],
    ['when the rate limit is reset', 'list-assets', () => resetIn(42), 2 * 42],
  ])('%s', async (_what, route, makeFault, seconds) => {
    const assets = assetsOf(`app.zip ${RECORDS} notarization-records-by-hand.jsonl`)
    const github = await startRelease([], { releases: [{ ...draft, assets }] })
    github.faultOf = call => faultAt(route, makeFault(), 1, 2)(call)
    const run = startRun(github)
    const startMs = Date.now()
    const { artifacts, records } = await run.read()
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(seconds * 1000)
    expect(artifacts).toMatchObject([{ name: 'app.zip' }])
    const contents = records.map(({ bytes }) => bytes.toString())
    expect(['app.zip', ...contents]).toEqual(assets.map(({ name }) => name))
  })
})

describe('the run stops if', () => {
  const drafts = /^nothing: .*2 drafts \(https:\S+untagged-\d+; https:\S+\); delete/
  const hidden = /^workflow: .*not found.*contents: write/

  it.each<[string, GitHubOptions, RegExp]>([
    ['there is no release', { releases: [{ tag: 'v1' }] }, hidden],
    ['the token cannot see its draft', { releases: [draft], access: 'read' }, hidden],
    ['there are several drafts', { releases: [draft, draft] }, drafts],
  ])('%s', async (_what, options, message) => {
    expect(await problemOf(startRun(await startRelease([], options)).read())).toMatch(message)
  })

  /** What every listing of the assets gets, and how many are tried. */
  it.each<[string, () => GitHubFault, RegExp, number]>([
    ['the token is invalid', () => status(401), /^secret: .*GET \S+ returned HTTP 401/, 1],
    ['the token has no permission', () => status(403), /^workflow: .*"contents: read"/, 1],
    ['the token cannot see the assets', () => status(404), /^workflow: .*"contents: read"/, 1],
    ['a list is a conflict', () => status(409), /^nothing: .*GET \S+: HTTP 409; wait/, 4],
    ['the API is down', () => status(503), /^nothing: .* HTTP 503: "simul.*; wait/, 4],
    ['a response is not a list', () => status(200, {}, {}), /^nothing: .*unexpected form/, 1],
    ['a limit is not reset soon', () => resetIn(3600), /^nothing: .*rate limit/, 1],
    ['a 429 asks to wait long', () => status(429, inSeconds('61'), secondary), /rate limit/, 1],
    ['a limit never ends', () => status(429, inSeconds('5'), secondary), /rate limit/, 4],
  ])('%s', async (_what, makeFault, message, tries) => {
    const github = await startRelease([], { faultOf: faultAt('list-assets', makeFault()) })
    expect(await problemOf(startRun(github).read())).toMatch(message)
    expect(github.routes('list-assets')).toHaveLength(tries)
  })

  it('GitHub responds with a secret, no part of which is shown', async () => {
    const body = { message: `${'x'.repeat(185)} ghs_secretOfSomebody0123456789` }
    const faultOf = faultAt('list-assets', status(400, {}, body))
    const github = await startRelease([], { faultOf })
    expect(await problemOf(startRun(github).read())).toMatch(/^(?!.*ghs_).*\*\*\*/)
  })

  it('the address of the proxy is unusable, which is not bypassed', async () => {
    const github = await startRelease([], { apiOrigin: 'http://api.example' })
    const run = startRun(github, { http_proxy: 'http://[not-a-host' })
    const message = expect.stringContaining('"http_proxy"')
    await expect(run.read()).rejects.toMatchObject({ problems: [{ message }] })
  })

  it('a signal comes, even while a call waits for a rate limit', async () => {
    const fault = status(403, inSeconds('60'), secondary)
    const run = startRun(await startRelease([], { faultOf: faultAt('list-assets', fault) }))
    const startMs = Date.now()
    const reading = run.read()
    while (run.lines.length === 0) await new Promise(setImmediate)
    run.halt.cancel()
    await expect(reading).rejects.toMatchObject({ problems: [] })
    expect(Date.now() - startMs).toBeLessThan(60_000)
  })
})

it.each<[string, Route, number]>([
  ['a minute without a response', 'list-assets', 60_000],
  ['ten minutes of a download', 'storage', 600_000],
])('a call ends after %s, and is not retried', async (_what, route, limitMs) => {
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
  expect(await problemOf(startRun(github).read())).toMatch(/^nothing: .*no response within/)
  expect([limits.at(-1), github.routes(route).length]).toEqual([limitMs, 1])
  timeout.mockRestore()
})
