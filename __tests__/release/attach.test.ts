/** The release as a place that keeps records: what is attached, despite faults and other jobs. */
import { describe, expect, it } from '@jest/globals'
import { renderEvidence } from '../../src/records/evidence.ts'
import { parseRecords } from '../../src/records/lines.ts'
import type { AssetSeed, FakeGitHub, GitHubFault } from '../support/github.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { assetsOf, evidenceOf, faultAt, linesOf, PAGE, RECORDS, SERVICE } from './support.ts'
import { startRelease, startRun, status, TAG, type FaultOf, type Texts } from './support.ts'

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
const before = { [RECORDS]: old, [PAGE]: pageOf(old) }
const done = { [RECORDS]: old, [nameOf(both)]: both, [PAGE]: pageOf(both) }
const evidence = evidenceOf('old new')
const fine = { tag: TAG, failure: null, warnings: [], hasAllLines: true }

describe('attaching', () => {
  /** The evidence files before, the evidence of the run, and the files after it; null if nothing is written. */
  it.each<[string, Texts, ReturnType<typeof evidenceOf>, Texts | null]>([
    ['uploads records and page', {}, evidence, all],
    ['adds a file for lines that no other file has', { ...before, ...stale }, evidence, done],
    ['writes nothing if nothing is missing', all, evidence, null],
    ['makes no page without a record', {}, evidenceOf('', noRecord), { [RECORDS]: noRecord }],
    ['needs no records file if nothing is registered', stale, evidenceOf('', ''), null],
  ])('%s', async (_what, texts, input, after) => {
    const github = await startRelease(seedsOf(texts))
    const release = await startRun(github).open()
    expect(await release.keep(input)).toEqual(fine)
    expect(evidenceIn(github)).toEqual(after ?? texts)
    expect(github.writes().length > 0).toBe(after !== null)
  })

  it('works on an enterprise server, which has no digests', async () => {
    const seeds = seedsOf(before).map(seed => ({ ...seed, digest: null }))
    const github = await startRelease(seeds, { apiPath: '/api/v3' })
    expect(await (await startRun(github).open()).keep(evidence)).toEqual(fine)
    expect(evidenceIn(github)).toEqual(done)
  })
})

const after502 = { kind: 'status', status: 502, after: true } as const
const unclear = { kind: 'status', status: 201, body: {}, after: true } as const
const secondary = status(403, {}, { message: 'You have exceeded a secondary rate limit.' })

describe('an upload', () => {
  it.each<[string, GitHubFault, number]>([
    ['that is done but answered with an error is not repeated', after502, 1],
    ['whose answer is not understood is not repeated', unclear, 1],
    ['whose answer is cut off is not repeated', { kind: 'cut' }, 1],
    ['that failed is repeated', status(502), 2],
    ['that a rate limit refused is repeated', secondary, 2],
  ])('%s', async (_what, fault, tries) => {
    const faultOf = faultAt('upload-asset', fault, 1, 1)
    const github = await startRelease(seedsOf(before), { faultOf })
    expect(await (await startRun(github).open()).keep(evidence)).toEqual(fine)
    expect(evidenceIn(github)).toEqual(done)
    // The last one is the page.
    expect(github.routes('upload-asset')).toHaveLength(tries + 1)
    const isLookedUp = github.routes('upload-asset', 'list-assets')[2] === 'list-assets'
    expect(isLookedUp).toBe(fault !== secondary)
  })
})

const [list, upload] = ['list-assets', 'upload-asset'] as const
const none: FaultOf = () => undefined

describe('records that cannot be attached fail the run', () => {
  const gone = evidenceOf('new', '')

  /** The answer to all uploads, what is reported, and how many uploads are tried. */
  it.each<[string, number, RegExp, RegExp, number, typeof gone?]>([
    ['after three uploads', 503, /HTTP 503 to POST .*assets/, /^wait until GitHub is available/, 3],
    ['at once if one is refused', 403, /contents: write.*HTTP 403/, /^give it that/, 1],
    [
      'if it takes no more files',
      422,
      /HTTP 422/,
      /^download the workflow artifact(?!.*re-run)/,
      3,
    ],
    ['if the records file is gone', 201, /ENOENT/, /^find out/, 0, gone],
  ])('%s', async (_what, code, detail, remedy, tries, input = evidence) => {
    const github = await startRelease(seedsOf(before), { faultOf: faultAt(upload, status(code)) })
    const { failure, hasAllLines } = await (await startRun(github).open()).keep(input)
    expect([failure?.cause, failure?.detail].join()).toMatch(detail)
    expect(failure?.remedy).toMatch(remedy)
    expect([hasAllLines, github.routes(upload).length]).toEqual([false, tries])
    expect(evidenceIn(github)).toEqual(before)
  })

  it.each(['before', 'during'])(
    'at a signal %s the upload, and nothing more is sent',
    async when => {
      const github = await startRelease(seedsOf(before))
      const run = startRun(github)
      const release = await run.open()
      if (when === 'before') run.halt.cancel()
      github.faultOf = ({ route }) => {
        if (route === upload) run.halt.cancel()
        return route === upload ? status(503) : undefined
      }
      const failure = expect.objectContaining({ cause: 'the run was canceled' })
      expect(await release.keep(evidence)).toEqual({ ...fine, failure, hasAllLines: false })
      expect(github.routes().slice(5)).toEqual(when === 'before' ? [] : [upload])
    },
  )
})

it.each<[string, FaultOf, Texts, RegExp, immutable?: boolean]>([
  [
    'the page cannot be replaced',
    faultAt(upload, status(500), 2),
    {},
    /has all records, but its evidence page .*500/,
  ],
  ['the assets cannot be listed again', faultAt(list, status(500), 2), all, /not compared .*500/],
  ['the page of an immutable release is old', none, { ...all, ...stale }, /takes no more f/, true],
])('it is a warning if %s', async (_what, faultOf, texts, warning, immutable = false) => {
  const github = await startRelease(seedsOf(texts), { faultOf, release: { immutable } })
  const attachment = await (await startRun(github).open()).keep(evidence)
  expect(attachment).toEqual({ ...fine, warnings: [expect.stringMatching(warning)] })
  expect(github.texts(TAG)[RECORDS]).toBe(both)
})

const replace = (name: string, content: string) => (github: FakeGitHub) => {
  github.replaceAsset(TAG, { name, content, digest: null })
}

it.each<[string, (github: FakeGitHub) => void, detail: string | null, warning: RegExp]>([
  ['replaced during the run', replace('old', 'a'), 'replaced during this run: "old"', /^$/],
  ['replaced by one with a record', replace('old', 'new'), null, /^$/],
  ['added during the run', replace('late', 'a'), null, /without a record: "late"/],
  [
    'with damaged records',
    replace('notarization-records-x.jsonl', '{}\n'),
    null,
    /Damaged .* line 1 is/,
  ],
])('an asset %s is detected, even without attaching', async (_what, change, detail, warning) => {
  for (const attachToRelease of [true, false]) {
    const github = await startRelease(seedsOf(before))
    const release = await startRun(github).open()
    change(github)
    // A record that contradicts its request does not count.
    const input = evidenceOf('old new', both + noRecord)
    const attachment = await release.keep({ ...input, attachToRelease })
    const { failure, warnings, hasAllLines } = attachment
    expect(failure?.detail ?? null).toBe(detail)
    expect(warnings.join()).toMatch(warning)
    expect([hasAllLines, github.writes().length > 0]).toEqual([attachToRelease, attachToRelease])
  }
})

it('a release that lost records during the run is a failure', async () => {
  const github = await startRelease(seedsOf(all))
  const release = await startRun(github).open()
  replace(RECORDS, old)(github)
  const { failure, hasAllLines } = await release.keep(evidence)
  expect([failure?.cause, hasAllLines]).toEqual([expect.stringMatching(/^records were de/), false])
})
