/** The release as storage for the evidence: what is attached, despite faults and other jobs. */
import { describe, expect, it } from '@jest/globals'
import { renderEvidence } from '../../src/records/evidence.ts'
import { parseRecords } from '../../src/records/parse-records.ts'
import type { EvidenceInput } from '../../src/release/attach.ts'
import type { AssetSeed, FakeGitHub, GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { PAGE, RECORDS, SERVICE, TAG, assetsOf, evidenceOf } from './support.ts'
import { linesOf, problemOf, startRelease, startRun, status, sum, type Texts } from './support.ts'

/** The page of a release with the artifacts `new` and `old`. */
const pageOf = (lines: string): string => {
  const { entries } = parseRecords(Buffer.from(lines), '')
  const names = ['new', 'old'].filter(name => lines.includes(sha256(name)))
  const checksums = names.map(name => ({ name, hash: sha256(name) }))
  return renderEvidence(entries, checksums) ?? ''
}
/** The artifacts `old` and `new`, and these evidence files. */
const seedsOf = (texts: Texts): readonly AssetSeed[] => [
  ...assetsOf('old new'),
  ...Object.entries(texts).map(([name, content]) => ({ name, content })),
]
/** The name of records if the usual name is taken. */
const nameOf = (lines: string): string => `notarization-records-${sha256(lines).slice(0, 12)}.jsonl`
/** The evidence files of the release. */
const evidenceIn = (github: FakeGitHub): Texts => {
  const texts = Object.entries(github.texts(TAG))
  return Object.fromEntries(texts.filter(([name]) => name.startsWith('notarization-')))
}

const [old, both] = [linesOf('old'), linesOf('old new')]
const contradiction = makeLine(SERVICE, 'a', { problems: ['it contradicts its request'] })
const noRecord = ` ${toJsonLines([makeStateLine(SERVICE, 'sent'), contradiction])}`
const stale = { [PAGE]: 'of an earlier run' }
const all = { [RECORDS]: both, [PAGE]: pageOf(both) }
/** A release whose artifact `new` has no evidence yet, and its evidence files when it has. */
const halfDone = seedsOf({ [RECORDS]: old, [PAGE]: pageOf(old) })
const done = { [RECORDS]: old, [nameOf(both)]: both, [PAGE]: pageOf(both) }
const evidence = evidenceOf('old new')
const nothing = { ...evidenceOf('', ''), hashes: new Set<string>() }
const fine = { tag: TAG, failure: null, warnings: [], hasPrintedLines: false }

describe('attaching', () => {
  /** The evidence files before, the evidence of the run, and the files after it; null if nothing is written. */
  it.each<[string, Texts, EvidenceInput, Texts | null]>([
    ['uploads records and page', {}, evidence, all],
    ['adds a file for lines that no other file has', { [RECORDS]: old, ...stale }, evidence, done],
    ['writes nothing if nothing is missing', all, evidence, null],
    ['makes no page without a record', {}, evidenceOf('', noRecord), { [RECORDS]: noRecord }],
    ['needs no records file if nothing is registered', stale, nothing, null],
  ])('%s', async (_what, before, input, after) => {
    const github = await startRelease(seedsOf(before))
    const run = startRun(github)
    const attachment = await run.attach(input)
    expect(evidenceIn(github)).toEqual(after ?? before)
    expect(run.waits).toEqual([])
    expect(attachment).toMatchObject(fine)
    expect(github.writes().length > 0).toBe(after !== null)
  })

  it('works on an enterprise server, which has no digests', async () => {
    const options = { basePath: '/api/v3', givesDigests: false } as const
    const github = await startRelease(halfDone, options)
    expect(await startRun(github).attach(evidence)).toMatchObject(fine)
    expect(evidenceIn(github)).toEqual(done)
  })
})

const [list, upload, remove] = ['list-assets', 'upload-asset', 'delete-asset'] as const

describe('a fault while evidence is attached', () => {
  it.each<[string, number, RegExp, number]>([
    ['after ten minutes', 503, /^HTTP 503, .*, while uploading "notarization-rec.*again$/, 24],
    ['at once if it is final', 403, /HTTP 403, .*contents: write/, 0],
  ])('prints each missing line to the log, %s', async (_what, code, failure, tries) => {
    const faults = [{ route: upload, fault: status(code) }]
    const run = startRun(await startRelease(halfDone, { faults }))
    const attachment = await run.attach(evidence)
    expect(attachment.failure).toMatch(failure)
    expect(attachment.hasPrintedLines).toBe(true)
    expect(run.lines.at(-1)).toBe(linesOf('new').trim())
    expect(run.lines.at(-2)).toContain('the only other copy may be')
    expect(run.waits).toHaveLength(tries)
    expect(sum(run.waits)).toBeLessThanOrEqual(600_000)
  })

  it.each<[string, Route, Texts, RegExp]>([
    [
      'only the page is missing',
      upload,
      {},
      /has all records, but its evidence page may lack some: .*; \w/,
    ],
    ['the assets cannot be listed again', list, all, /not compared again: .*500/],
  ])('is a warning if %s', async (_what, route, texts, warning) => {
    const faults = [{ route, from: 2, fault: status(500) }]
    const github = await startRelease(seedsOf(texts), { faults })
    const { failure, warnings } = await startRun(github).attach(evidence)
    expect([failure, warnings]).toEqual([null, [expect.stringMatching(warning)]])
    expect(github.texts(TAG)[RECORDS]).toBe(both)
  })

  it('is reported if the records file is gone', async () => {
    const { attach } = startRun(await startRelease(halfDone))
    const failure = expect.stringMatching(/ENOENT.*; run the job again/)
    expect(await attach(evidenceOf('new', ''))).toMatchObject({ failure, hasPrintedLines: false })
  })
})

it('a signal ends the waiting, after which each call is tried once more', async () => {
  const github = await startRelease(halfDone, { faults: [{ route: upload, fault: status(503) }] })
  const run = startRun(github)
  github.onCall = ({ route }) => {
    if (route === upload) run.halt.cancel()
  }
  expect((await run.attach(evidence)).hasPrintedLines).toBe(true)
  expect(run.lines.filter(line => line === linesOf('new').trim())).toHaveLength(1)
  expect(github.routes(upload)).toHaveLength(2)
})

it('other jobs that attach records without end cause a warning after five pages', async () => {
  const github = await startRelease(halfDone)
  github.onCall = ({ route, nth }) => {
    const content = linesOf(`other${nth}`)
    if (route === upload) github.addAsset(TAG, { name: nameOf(content), content })
  }
  const { failure, warnings } = await startRun(github).attach(evidence)
  expect([failure, warnings]).toEqual([null, [expect.stringMatching(/may lack records/)]])
  expect(github.routes(upload)).toHaveLength(1 + 5)
})

const replace = (name: string, content: string) => (github: FakeGitHub) => {
  if (name in github.texts(TAG)) github.removeAsset(TAG, name)
  github.addAsset(TAG, { name, content, digest: null })
}

it.each<[string, (github: FakeGitHub) => void, failure: RegExp, warning: RegExp]>([
  ['replaced during the run', replace('old', 'x'), /^replaced .* without a record: "old"$/, /^$/],
  ['replaced by one with a record', replace('old', 'new'), /^$/, /^$/],
  ['added during the run', replace('late', 'x'), /^$/, /without a record: "late"/],
])('an asset %s is detected, even without attaching', async (_what, change, failure, warning) => {
  for (const attachToRelease of [true, false]) {
    const github = await startRelease(halfDone)
    const source = await startRun(github).open(attachToRelease)
    await source.checkWritable(null)
    change(github)
    const attachment = await source.attach(evidence)
    expect(attachment?.failure ?? '').toMatch(failure)
    expect(attachment?.warnings.join() ?? '').toMatch(warning)
    expect(github.writes().length > 0).toBe(attachToRelease)
  }
})

const faultAt = (route: Route, fault: GitHubFault, to = Infinity) => ({ route, from: 1, to, fault })
const unclear = { kind: 'status', status: 201, body: {}, after: true } as const
const after502 = { kind: 'status', status: 502, after: true } as const
const fails = /does not accept files \(HTTP 500.*uploading.*; run the job again/
const refused = /does not accept files .*contents: write/

it.each<[string, NonNullable<GitHubOptions['faults']>, RegExp | null, boolean]>([
  ['passes if it is done but answered with an error', [faultAt(upload, after502, 1)], null, false],
  ['passes if its answer is not understood', [faultAt(upload, unclear, 1)], null, false],
  ['passes if it cannot be deleted', [faultAt(remove, status(500))], null, true],
  ['stops the run if it fails', [faultAt(upload, status(500))], fails, true],
  ['stops the run if it is refused', [faultAt(upload, status(403))], refused, false],
])('a test upload before anything is sent %s', async (_what, faults, message, warns) => {
  const github = await startRelease(halfDone, { faults })
  const run = startRun(github)
  const check = (await run.open()).checkWritable(null)
  if (message === null) await check
  else expect(await problemOf(check)).toMatch(message)
  const name = 'notarization-write-test-of-this-run'
  expect(run.warnings).toEqual(warns ? [expect.stringContaining(`"${name}"`)] : [])
  expect(name in evidenceIn(github)).toBe(warns && message === null)
  if (message !== fails) expect(github.routes(upload)).toHaveLength(1)
  expect(sum(run.waits)).toBeLessThanOrEqual(120_000)
})

it.each<[string, Texts, EvidenceInput | null, boolean]>([
  ['is complete if only the page is old', { ...all, ...stale }, evidence, true],
  ['is complete if it has more records than the run', all, evidenceOf('old', ''), true],
  ['stops the run if something is left to register', all, null, false],
])('an immutable release %s', async (_what, texts, input, isComplete) => {
  const github = await startRelease(seedsOf(texts), { release: { immutable: true } })
  const source = await startRun(github).open()
  const check = source.checkWritable(input)
  if (!isComplete) expect(await problemOf(check)).toMatch(/immutable; attach before/)
  else expect(await check.then(() => source.attach(evidenceOf('old', both)))).toMatchObject(fine)
  expect(github.writes()).toEqual([])
})
