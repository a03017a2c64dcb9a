/** A release as a source of artifacts, read with the real octokit: how it is found and read, and what stops the run. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { Stop, type Problem } from '../../src/failure.ts'
import { connectToGitHub, releaseRemedies } from '../../src/release/octokit.ts'
import { checkServer, readRelease } from '../../src/release/release.ts'
import { recordingHost } from '../artifacts/host.ts'
import { startGitHub, type AssetSeed, type FakeGitHub } from '../support/github.ts'
import type { GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { sha256 } from '../support/samples.ts'

const TAG = 'v1.2.3'
const RECORDS = 'notarization-records.jsonl'
const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

type Reason = keyof typeof releaseRemedies
type Texts = Readonly<Record<string, string>>

const every = setInterval
let hurry: NodeJS.Timeout

// Retries and rate limits wait for seconds: time passes hundreds of times as fast, and never goes back.
const start = (endMs = Infinity): void => {
  hurry = every(() => {
    if (Date.now() < endMs) jest.advanceTimersByTime(250)
  }, 1)
}

beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  start()
})

afterAll(() => {
  clearInterval(hurry)
  jest.useRealTimers()
})

/** Assets whose content is their name. */
const assetsOf = (...names: readonly string[]): readonly AssetSeed[] =>
  names.map(name => ({ name, content: name }))

/** Starts a GitHub with one release. */
const startRelease = (assets: readonly AssetSeed[], options: GitHubOptions = {}) =>
  startGitHub({ releases: [{ tag: TAG, assets }], ...options })

/** Creates a run of the action for the tag. */
function startRun(github: FakeGitHub, env: Texts = {}) {
  const ofRun = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'octo/app', GITHUB_SHA: COMMIT }
  const base = recordingHost({ ...ofRun, GITHUB_REF: `refs/tags/${TAG}`, ...env })
  const sleep = (ms: number) => new Promise<void>(end => setTimeout(end, ms))
  const host = { ...base, clock: { ...base.clock, sleep }, connectToGitHub }
  return {
    ...host,
    read: () => readRelease({ releaseTag: TAG, githubToken: github.token }, host),
  }
}

/** Returns the one problem that stops a run. */
async function problemOf(github: FakeGitHub, env: Texts = {}): Promise<Problem | undefined> {
  const error: unknown = await startRun(github, env)
    .read()
    .catch((thrown: unknown) => thrown)
  if (!(error instanceof Stop)) throw new Error('the run did not stop', { cause: error })
  expect(error.problems).toHaveLength(1)
  return error.problems[0]
}

const named = `input "release-tag": the release "${TAG}"`
const unavailable = releaseRemedies['github-unavailable']

const cut = (): GitHubFault => 'cut'
const status = (code: number, body?: unknown, headers: Texts = {}) => {
  return (): GitHubFault => ({ status: code, headers, body })
}

describe('the assets of a release', () => {
  it('are identified by their digests, without a download', async () => {
    const digest = `sha256:${sha256('tarball').toUpperCase()}`
    const assets: readonly AssetSeed[] = [
      { name: 'app.zip', content: 'zip' },
      { name: 'app.tar.gz', content: 'tarball', digest },
      { name: RECORDS, state: 'starter' },
      { name: 'unfinished.zip', state: 'starter' },
    ]
    const github = await startRelease(assets, { tags: { [TAG]: { commit: COMMIT } } })
    const input = 'release-tag'
    const zip = { input, name: 'app.zip', size: 3, hash: sha256('zip') }
    const tarball = { input, name: 'app.tar.gz', size: 7, hash: sha256('tarball') }
    const observed = 'GitHub does not have all of "unfinished.zip" yet'
    const outcome = { failure: { reason: 'asset-changed', observed } }
    expect(await startRun(github).read()).toMatchObject({
      artifacts: [zip, tarball, { name: 'unfinished.zip', hash: null, outcome }],
      counts: [`the release "${TAG}" has 3 files`],
      records: [],
      isDraft: false,
      url: `https://github.example/octo/app/releases/tag/${TAG}`,
      tagCommit: COMMIT,
      runCommit: COMMIT,
    })
    expect(github.routes()).toEqual(['get-release-by-tag', 'list-assets', 'get-ref'])
  })

  it('are downloaded if they have no digest', async () => {
    const large = Buffer.alloc(5_000_000)
    const github = await startRelease([
      { name: 'other.zip', content: 'other', digest: `sha512:${'0'.repeat(128)}` },
      { name: 'empty.zip', content: '', digest: null },
      { name: 'large.zip', content: large, digest: null },
    ])
    expect((await startRun(github).read())?.artifacts).toMatchObject([
      { name: 'other.zip', size: 5, hash: sha256('other') },
      { name: 'empty.zip', size: 0, hash: sha256('') },
      { name: 'large.zip', size: large.length, hash: sha256(large) },
    ])
  })
})

const has = 'the download of "X" has'
const listed = 'but GitHub lists 14'
const otherDigest = 'the download of "X" does not have the digest that GitHub lists'
const gone = 'GET /repos/octo/app/releases/assets/1002 returned HTTP'
/** What every download of 14 bytes gets, and how that is reported. */
it.each<[string, () => GitHubFault, Reason, observed: string]>([
  ['breaks off', cut, 'github-unavailable', 'the download of "X": terminated'],
  ['is refused', status(403), 'github-permission', `${gone} 403: "simulated 403"`],
  ['is gone', status(404), 'asset-changed', `${gone} 404: "simulated 404"`],
  ['is longer', status(200, 'not the asset'), 'asset-changed', `${has} 15 bytes, ${listed}`],
  ['is cut short', status(200, 'short'), 'asset-changed', `${has} 7 bytes, ${listed}`],
  ['has another digest', status(200, 'as long, no!'), 'asset-changed', otherDigest],
])(
  'a download that %s fails its artifact, and with records the run',
  async (...[, fault, reason, text]) => {
    const damaged = { content: 'fourteen bytes' }
    const undigested = { ...damaged, name: 'X', digest: null }
    const github = await startRelease([undigested, ...assetsOf('app.zip')])
    github.fail('storage', fault)
    const failure = { code: 'unreadable', reason, observed: text, mayHaveActed: false }
    const unread = { size: null, hash: null, outcome: { state: 'failed', failure } }
    const read = [unread, { name: 'app.zip' }]
    // Without a digest, nothing but the size can be compared.
    if (text !== otherDigest) expect((await startRun(github).read())?.artifacts).toMatchObject(read)

    const withRecords = await startRelease([{ ...damaged, name: RECORDS }])
    withRecords.fail('storage', fault)
    const message = `${named} cannot be read: ${text.replace('X', RECORDS)}`
    expect(await problemOf(withRecords)).toMatchObject({ ...releaseRemedies[reason], message })
  },
)

const draft = { tag: TAG, draft: true, assets: assetsOf('app.zip') }
const published = { ...draft, draft: false }
const older = (count: number) => Array.from({ length: count }, (_, at) => ({ tag: `v0.${at}` }))
const many = assetsOf(...Array.from({ length: 230 }, (_, at) => `${at}.bin`))

/** Releases, the newest first, how many calls list releases and assets, and how many assets there are. */
it.each<[string, GitHubOptions['releases'], number, number, number]>([
  ['published', [...older(250), published], 0, 1, 1],
  ['published, whatever drafts have its tag', [draft, draft, published], 0, 1, 1],
  ['as an older draft', [...older(70), draft], 3, 1, 1],
  ['with many assets', [{ ...draft, assets: many }], 1, 3, 230],
])('a release is found %s', async (_what, releases = [], releasePages, assetPages, count) => {
  const github = await startRelease([], { releases })
  expect((await startRun(github).read())?.artifacts).toHaveLength(count)
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
  ['none if its name begins with one', { releases: [{ ...draft, target: `${COMMIT}x` }] }, null],
  ['none if its name ends with one', { releases: [{ ...draft, target: `x${COMMIT}` }] }, null],
])('records name %s', async (_what, options, sha) => {
  const run = startRun(await startRelease([], options), { GITHUB_REF: 'refs/heads/main' })
  const commitUrl = sha === null ? null : `https://github.com/octo/app/commit/${sha}`
  const source = { ref: `refs/tags/${TAG}`, sha, commitUrl, repository: 'octo/app' }
  expect(await run.read()).toMatchObject({ source, runCommit: null })
})

const secondary = { message: 'You have exceeded a secondary rate limit.' }
const limited = (code: number, seconds: string) =>
  status(code, secondary, { 'retry-after': seconds })
const resetIn = (seconds: number) => (): GitHubFault => {
  const reset = String(Math.floor(Date.now() / 1000 + seconds))
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
  return status(403, { message: 'API rate limit exceeded for installation.' }, headers)()
}

/** What two responses say, how long the calls take at least, in seconds, and what is logged. */
it.each<[string, Route, () => GitHubFault, number, string[]]>([
  ['after an error', 'get-release-by-tag', status(503), 1 + 4, []],
  ['after a broken list', 'list-assets', cut, 1 + 4, []],
  ['after a list that is null', 'list-assets', status(200, null), 1 + 4, []],
  ['after a conflict, which ends no list', 'list-assets', status(409), 1 + 4, []],
  ['a minute after a 403', 'get-ref', status(403, secondary), 2 * 60, ['60 s', '60 s']],
  ['when a 429 says', 'list-releases', limited(429, '7'), 2 * 7, ['7 s', '7 s']],
  ['a minute after a 429', 'list-releases', status(429), 2 * 60, ['60 s', '60 s']],
  ['when the rate limit is reset', 'list-assets', resetIn(42), 2 * 42, ['4[23] s', '4[23] s']],
])('a call is retried %s', async (_what, route, fault, seconds, waits) => {
  const assets = assetsOf('app.zip', RECORDS, 'notarization-records-by-hand.jsonl')
  const github = await startRelease([], { releases: [{ ...draft, assets }] })
  github.fail(route, fault, 2)
  const run = startRun(github)
  const startMs = Date.now()
  const { artifacts = [], records = [] } = (await run.read()) ?? {}
  expect(Date.now() - startMs).toBeGreaterThanOrEqual(seconds * 1000)
  const lines = waits.map(wait => `^Waiting ${wait} for GitHub's rate limit$`)
  expect(run.log).toEqual(lines.map(line => expect.stringMatching(line)))
  expect(artifacts).toMatchObject([{ name: 'app.zip' }])
  const names = records.map(({ name, bytes }) => name === `${String(bytes)} of the release`)
  expect(names).toEqual([true, true])
})

describe('the run stops if', () => {
  const hidden = {
    next: 'check the tag',
    hint: 'if the release is a draft, give the job the permission "contents: write", because GitHub hides drafts from other tokens',
    needs: 'workflow',
  }
  const page = 'https://github.example/octo/app/releases/tag/untagged-'
  const pages = [1013, 1011, 1009, 1007, 1005].map(id => `${page}${id}`)
  const several = { next: 'delete all drafts but the right one', needs: 'nothing' }
  const sevenDrafts = `has 7 drafts (${pages.join('; ')}; and 2 more)`
  it.each<[string, GitHubOptions['releases'], text: string, remedy: object]>([
    ['there is no release', [{ tag: 'v1' }], 'was not found', hidden],
    ['there are several drafts', Array.from({ length: 7 }, () => draft), sevenDrafts, several],
  ])('%s', async (_what, releases = [], text, remedy) => {
    const problem = await problemOf(await startRelease([], { releases }))
    expect(problem).toEqual({ input: 'release-tag', message: `${named} ${text}`, ...remedy })
  })

  const path = '/repos/octo/app/releases/1001/assets'
  const secret = { message: `${'x'.repeat(185)} ghs_secretOfSomebody0123456789` }
  const spent = 'HTTP 403: "API rate limit exceeded for installation."'
  const tooMany = 'HTTP 429: "You have exceeded a secondary rate limit."'
  /** What every listing of the assets gets, and how many are tried. */
  it.each<[string, () => GitHubFault, Reason, returned: string, tries: number]>([
    ['the token is invalid', status(401), 'github-token', 'HTTP 401: "simulated 401"', 1],
    ['the token may not', status(403), 'github-permission', 'HTTP 403: "simulated 403"', 1],
    ['the token cannot see it', status(404), 'github-permission', 'HTTP 404: "simulated 404"', 1],
    ['the API is down', status(503), 'github-unavailable', 'HTTP 503: "simulated 503"', 4],
    ['a limit is not reset soon', resetIn(3600), 'github-unavailable', spent, 1],
    ['a 429 asks to wait long', limited(429, '61'), 'github-unavailable', tooMany, 1],
    ['a limit never ends', limited(429, '5'), 'github-unavailable', tooMany, 4],
    ['GitHub shows a secret', status(400, secret), 'github-unavailable', 'HTTP 400: "*** ***"', 1],
    ['a refusal has no text', status(400, {}), 'github-unavailable', 'HTTP 400', 1],
  ])('%s', async (_what, fault, reason, returned, tries) => {
    const github = await startRelease([])
    github.fail('list-assets', fault)
    const message = `${named} cannot be read: GET ${path} returned ${returned}`
    expect(await problemOf(github)).toMatchObject({ ...releaseRemedies[reason], message })
    expect(github.routes('list-assets')).toHaveLength(tries)
  })

  it.each<[string, Route, () => GitHubFault, call: string]>([
    ['a list is an object', 'list-assets', status(200, {}), 'releases/{id}/assets'],
    ['a tag is a list', 'get-ref', status(200, []), 'git/ref/tags/{tag}'],
  ])('%s', async (_what, route, fault, call) => {
    const github = await startRelease([])
    github.fail(route, fault)
    const message = `${named} cannot be read: ${call}: the response has an unexpected form`
    expect(await problemOf(github)).toMatchObject({ ...unavailable, message })
  })

  it('this server is not GitHub', () => {
    const { environment } = recordingHost({ GITEA_ACTIONS: 'true', GITHUB_REPOSITORY: 'octo/app' })
    const both = checkServer({ releaseTag: 'v1', earlierReleases: true }, environment)
    const why = 'reads releases on GitHub, but this server is not GitHub'
    expect(both.map(({ message, next }) => `${message}; ${next}`)).toEqual([
      `input "release-tag" ${why}; download the files in an earlier step, and set "path" instead`,
      `input "earlier-releases" ${why}; set "earlier-releases" to false`,
    ])
    expect(checkServer({ releaseTag: null, earlierReleases: false }, environment)).toEqual([])
  })

  it('the address of the proxy is unusable, which is not bypassed', async () => {
    const env = { GITHUB_API_URL: 'http://api.example', http_proxy: 'http://[not-a-host' }
    const message = expect.stringContaining('"http_proxy"')
    expect(await problemOf(await startRelease([]), env)).toMatchObject({ message })
  })

  it('a signal comes, even while a call waits for a rate limit', async () => {
    const github = await startRelease([])
    github.fail('list-assets', limited(403, '60'))
    const run = startRun(github)
    const startMs = Date.now()
    const reading = run.read()
    while (run.log.length === 0) await new Promise(setImmediate)
    run.halt.cancel()
    await expect(reading).rejects.toMatchObject({ problems: [] })
    expect(Date.now() - startMs).toBeLessThan(60_000)
  })
})

const tooLong = 'the download of ".*" took more than 10 min'

/** How many calls are made until the last one is over, and the time limits in seconds: one for all tries of a download. */
it.each<[string, Route, number, number[], observed: string]>([
  ['60 s without a response', 'list-assets', 3, [60, 60, 60, 60], 'no response within 60 s'],
  ['10 min, retries included', 'get-asset', 3, [60, 60, 600], tooLong],
  ['10 min, even in its body', 'storage', 1, [60, 60, 600], tooLong],
])('a call ends after %s', async (_what, route, calls, seconds, observed) => {
  const limits: number[] = []
  let last = new AbortController()
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    limits.push(ms / 1000)
    last = new AbortController()
    return last.signal
  })
  const github = await startRelease(assetsOf(RECORDS))
  let left = calls
  github.fail(route, () => {
    left -= 1
    if (left > 0) return status(503)()
    setImmediate(() => {
      // Time ends soon after: no limit of a library ends the call.
      clearInterval(hurry)
      start(Date.now() + 30_000)
      last.abort(new DOMException('it took too long', 'TimeoutError'))
    })
    return 'stall'
  })
  const message = expect.stringMatching(`: ${observed}$`)
  expect(await problemOf(github)).toMatchObject({ ...unavailable, message })
  expect(github.routes(route)).toHaveLength(calls)
  expect(limits).toEqual(seconds)
  timeout.mockRestore()
  clearInterval(hurry)
  start()
})
