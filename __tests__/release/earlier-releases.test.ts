/** Records of earlier releases, read with the real octokit: which releases, which of their lines, and what stops the run. */
import { expect, it } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { readEarlierRecords } from '../../src/release/earlier-releases.ts'
import { connectToGitHub } from '../../src/release/octokit.ts'
import { recordingHost } from '../artifacts/host.ts'
import { startGitHub, type GitHubOptions, type Route } from '../support/github.ts'
import { sha256 } from '../support/samples.ts'

const RECORDS = 'notarization-records.jsonl'
const hash = sha256('a')
const line = `{"hash":"${hash}"}\n`

type Releases = NonNullable<GitHubOptions['releases']>

/** Creates a release whose records have its tag, and so another digest than others. */
const release = (tag: string, name = RECORDS): Releases[number] => {
  return { tag, assets: [{ name, content: `{"tag":"${tag}","hash":"${hash}"}\n` }] }
}

/** Creates that many releases, the newest first: `x2`, `x1`. */
const several = (prefix: string, count: number, name = RECORDS): Releases =>
  Array.from({ length: count }, (_, at) => release(`${prefix}${count - at}`, name))

/** Reads the records of these releases; `given` are other inputs, and `refused` is what GitHub refuses. */
async function read(releases: Releases, given: object = {}, refused?: Route) {
  const github = await startGitHub({ releases })
  if (refused !== undefined) github.fail(refused, () => ({ status: 403 }))
  const ofRun = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'octo/app' }
  const host = { ...recordingHost(ofRun), connectToGitHub }
  const needed = { 'earlier-releases': 'true', 'github-token': github.token }
  const { inputs } = readInputs({ ...needed, ...given })
  const hashes = new Set([hash, sha256('b')])
  const stops: unknown[] = []
  const found = await readEarlierRecords(hashes, inputs, host).catch((error: unknown) => {
    stops.push(error)
    return []
  })
  return { found, stops, log: host.log, github }
}

it('reads the lines with a hash of the run, byte for byte, the newest release last', async () => {
  const loud = `{"hash":"${hash.toUpperCase()}", damaged \u00ff`
  const other = `{"hash":"${sha256('c')}"}\n`
  const cut = `{"hash":"${sha256('b')}`
  const content = Buffer.from(`${other}${line}\n${loud}\r\nnot JSON\n${cut}`, 'latin1')
  const notRecords = [`my-${RECORDS}`, `${RECORDS}.tmp`].map(name => ({ name, content: line }))
  const { found, log, github } = await read([
    { tag: 'v3', draft: true, assets: [{ name: RECORDS, content: line }] },
    { tag: 'v2', assets: [{ name: RECORDS, content }, { name: 'app.zip' }] },
    { tag: 'v1.1' },
    { tag: 'v1', assets: [{ name: 'notarization-records-7-1.jsonl', content: other }] },
    { tag: 'v0', assets: [{ name: RECORDS, state: 'starter' }, ...notRecords] },
  ])
  // The other lines are blank.
  const selected = Buffer.from(`\n${line}\n${loud}\r\n\n${cut}`, 'latin1')
  const input = 'earlier-releases'
  expect(found).toEqual([
    { name: 'notarization-records-7-1.jsonl of the release v1', bytes: Buffer.from('\n'), input },
    { name: `${RECORDS} of the release v2`, bytes: selected, input },
  ])
  expect(log).toEqual(['Releases without records: v1.1; v0'])
  expect(github.routes()).toHaveLength(1 + 2 * 2)
})

it('reads nothing if the input is false, and finds nothing without releases', async () => {
  const off = await read([release('v1')], { 'earlier-releases': 'false' })
  expect([off.found, off.stops, off.github.calls]).toEqual([[], [], []])
  const none = await read([])
  expect([none.found, none.stops]).toEqual([[], []])
  expect(none.log[0]).toBe('Releases without records: none')
})

it('reads the 20 newest by their publication that have records, among the first 100 listed', async () => {
  const late = { ...release('late'), publishedAt: '2099-01-01T00:00:00Z' }
  const releases = [
    ...several('other', 40, 'app.zip'),
    ...several('v', 30),
    ...several('other', 29, 'app.zip'),
    late,
    ...several('too-old', 30),
  ]
  const { found, log, github } = await read(releases, { 'release-tag': 'v30' })
  const expected = ['late', ...Array.from({ length: 19 }, (_, at) => `v${29 - at}`)].reverse()
  const names = expected.map(tag => `${RECORDS} of the release ${tag}`)
  expect(found.map(({ name }) => name)).toEqual(names)
  expect(github.routes('list-releases')).toHaveLength(4)
  expect(log[0]).toMatch(/^Releases without records: other40; .*; and 49 more$/)
})

it('downloads records with the same digest once', async () => {
  const assets = [{ name: RECORDS, content: line, size: line.length }]
  const same = ['v3', 'v2', 'v1'].map(tag => ({ tag, assets }))
  const { found, github } = await read(same)
  const name = `${RECORDS} of the release v3`
  expect(found).toMatchObject([{ name, bytes: Buffer.from(line) }])
  expect(github.routes('storage')).toHaveLength(1)
})

const list = 'the list of releases cannot be read: GET /repos/octo/app/releases returned'
const asset = `"${RECORDS} of the release v1" cannot be read:`
const call = 'GET /repos/octo/app/releases/assets/1002 returned'
const forbidden = 'HTTP 403: "simulated 403"'
const off = 'set "earlier-releases" to false'
const denied = 'give the job the permission "contents: read"'
const half = 32 * 1024 * 1024
const ofSizes = (...sizes: readonly number[]): Releases =>
  sizes.map(size => ({ tag: 'v1', assets: [{ name: RECORDS, content: '', size, digest: null }] }))
const notListed = `${asset} the download of "${RECORDS}" has 0 bytes, but GitHub lists ${2 * half}`
const saveIt = 'save a copy of the asset, then delete it'
const exceed = 'the records of 2 earlier releases exceed 64 MiB together'

it.each<[string, Releases, Route | undefined, message: string, next: string]>([
  ['the list is refused', [], 'list-releases', `${list} ${forbidden}`, denied],
  ['an asset is refused', [release('v1')], 'get-asset', `${asset} ${call} ${forbidden}`, denied],
  ['an asset is not what GitHub lists', ofSizes(2 * half), undefined, notListed, saveIt],
  ['the records exceed 64 MiB', ofSizes(half, half + 1), undefined, exceed, off],
])('stops the run if %s', async (_what, releases, refused, text, next) => {
  const { stops } = await read(releases, {}, refused)
  expect(stops).toEqual([expect.any(Stop)])
  const input = 'earlier-releases'
  const message = `input "${input}": ${text}`
  expect(stops).toMatchObject([{ problems: [{ input, message, next }] }])
  if (next === denied) expect(stops).toMatchObject([{ problems: [{ hint: `otherwise, ${off}` }] }])
})
