/** The release as storage of the evidence: what is attached, whatever goes wrong, and whoever else attaches. */
import { describe, expect, it } from '@jest/globals'
import { parseRecords } from '../../src/records/reading.ts'
import { renderEvidence } from '../../src/records/evidence.ts'
import type { EvidenceInput } from '../../src/release/attach.ts'
import type { AssetSeed, FakeGitHub, GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import {
  assetsOf,
  COMMIT,
  evidenceOf,
  linesOf,
  PAGE,
  problemOf,
  RECORDS,
  SERVICE,
  startRelease,
  startRun,
  status,
  TAG,
} from './support.ts'

type Texts = Readonly<Record<string, string>>

const pageOf = (lines: string, names = ''): string => {
  const checksums = names
    .split(' ')
    .filter(Boolean)
    .map(name => ({ name, hash: sha256(name) }))
  return renderEvidence({ entries: parseRecords(Buffer.from(lines), '').entries, checksums }) ?? ''
}
const seedsOf = (texts: Texts): readonly AssetSeed[] =>
  Object.entries(texts).map(([name, content]) => ({ name, content }))
/** The name of records whose usual name is taken. */
const named = (lines: string): string => `notarization-records-${sha256(lines).slice(0, 12)}.jsonl`
/** What the release has beside its artifacts. */
const heldBy = (github: FakeGitHub): Texts =>
  Object.fromEntries(Object.entries(github.texts(TAG)).filter(([name]) => name.startsWith('notarization-')))

const noRecord = toJsonLines([
  makeStateLine(SERVICE, 'sent'),
  makeLine(SERVICE, 'a', { problems: ['it contradicts its request'] }),
])
const old = linesOf('old')
const both = linesOf('old new')
/** A release with an artifact whose evidence is attached, and a new one; what it has when that is attached, too. */
const halfDone = [
  ...assetsOf('old new'),
  ...seedsOf({ [RECORDS]: old, [PAGE]: pageOf(old, 'old') }),
]
const done = { [RECORDS]: old, [named(both)]: both, [PAGE]: pageOf(both, 'new old') }
const evidence = evidenceOf('old new')
const fine = { tag: TAG, failure: null, warnings: [], hasPrintedLines: false }

describe('attaching', () => {
  /** What the release has, the evidence of the run, and what the release has then; null for the same, without a write. */
  it.each<[string, Texts, EvidenceInput, Texts | null]>([
    [
      'uploads records and page',
      {},
      evidenceOf('a'),
      { [RECORDS]: linesOf('a'), [PAGE]: pageOf(linesOf('a'), 'a') },
    ],
    [
      'adds a file with the lines that no records asset has',
      { [RECORDS]: old, [PAGE]: 'of an earlier run' },
      evidence,
      done,
    ],
    [
      'writes nothing if nothing is missing',
      { [RECORDS]: both, [PAGE]: pageOf(both, 'new old') },
      evidence,
      null,
    ],
    [
      'counts the lines of all records assets',
      { [RECORDS]: old, [named(old)]: linesOf('new'), [PAGE]: pageOf(both, 'new old') },
      evidence,
      null,
    ],
    [
      'makes the page of all of them',
      { [RECORDS]: linesOf('x'), [PAGE]: '' },
      evidenceOf('', old),
      { [RECORDS]: linesOf('x'), [named(old)]: old, [PAGE]: pageOf(linesOf('x old')) },
    ],
    ['makes no page without a record', {}, evidenceOf('', noRecord), { [RECORDS]: noRecord }],
    [
      'uploads the file byte for byte',
      {},
      evidenceOf('', ` ${noRecord}`),
      { [RECORDS]: ` ${noRecord}` },
    ],
    [
      'completes an incomplete line of an asset',
      { [RECORDS]: old.slice(0, -9) },
      evidenceOf('', old),
      { [RECORDS]: old.slice(0, -9), [named(old)]: old, [PAGE]: pageOf(old) },
    ],
    [
      'needs no file if nothing is registered',
      { [PAGE]: 'of an earlier run' },
      { ...evidenceOf('', ''), hashes: new Set() },
      null,
    ],
  ])('%s', async (_what, texts, input, held) => {
    const github = await startRelease([...assetsOf('a old new'), ...seedsOf(texts)])

    const attachment = await startRun(github).attach(input)

    const links = Object.keys(heldBy(github)).map(name => expect.objectContaining({ name }))
    expect(attachment).toMatchObject({ ...fine, links: expect.arrayContaining(links) })
    expect(heldBy(github)).toEqual(held ?? texts)
    expect(github.writes().length > 0).toBe(held !== null)
  })

  it.each<[string, string]>([
    ['of another job, which keeps its name', RECORDS],
    ['of an earlier attempt, which is deleted', named(both)],
  ])('passes over an unfinished upload %s', async (_what, name) => {
    const left: AssetSeed = { name, content: '', state: 'starter', digest: null }
    const github = await startRelease([
      ...assetsOf('new'),
      ...seedsOf({ [RECORDS]: old }).slice(name === RECORDS ? 1 : 0),
      left,
    ])

    expect(await startRun(github).attach(evidence)).toMatchObject(fine)

    const states = github.release(TAG).assets.map(asset => [asset.name, asset.state])
    expect(states).toContainEqual([named(both), 'uploaded'])
    expect(states).toContainEqual([RECORDS, name === RECORDS ? 'starter' : 'uploaded'])
  })
})

const reset = { kind: 'reset', after: true } as const
const after = (code: number): GitHubFault => ({ kind: 'status', status: code, after: true })

/** No call may delete records, whatever happens. */
function expectNoRecordsDeleted(github: FakeGitHub): void {
  const deleted = github.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
  const kept = github.release(TAG).assets.filter(({ name }) => name === RECORDS)
  expect(kept.map(({ content }) => Buffer.from(Object(content)).toString())).toEqual([old])
  expect(deleted.filter(path => kept.some(({ id }) => path.endsWith(`/${id}`)))).toEqual([])
}

describe('a fault while evidence is attached', () => {
  /** The upload of the records is the first one, that of the page the second. */
  it.each<[Route, number, GitHubFault]>([
    ['list-assets', 2, status(500)],
    ['list-assets', 2, { kind: 'cut' }],
    ['upload-asset', 1, status(503)],
    ['upload-asset', 1, after(502)],
    ['upload-asset', 1, reset],
    ['upload-asset', 1, { kind: 'unfinished' }],
    ['delete-asset', 1, after(502)],
    ['upload-asset', 2, reset],
    ['upload-asset', 2, { kind: 'unfinished' }],
  ])('passes: %s %d %j', async (route, nth, fault) => {
    const faults = [{ route, from: nth, to: nth, fault }]
    const github = await startRelease(halfDone, { faults })
    const run = startRun(github)

    expect(await run.attach(evidence)).toMatchObject(fine)

    expect(heldBy(github)).toEqual(done)
    expect(run.waits.length).toBeLessThanOrEqual(1)
    expectNoRecordsDeleted(github)
  })

  it.each<[Route, number, GitHubFault, RegExp, number]>([
    [
      'list-assets',
      2,
      status(500),
      /^listing the assets failed: HTTP 500, .*; run the job again$/,
      24,
    ],
    [
      'upload-asset',
      1,
      status(503),
      /^uploading "notarization-records-\w+.jsonl" failed: HTTP 503/,
      24,
    ],
    ['upload-asset', 1, { kind: 'reset' }, /^uploading .* was reset/, 24],
    ['upload-asset', 1, status(401), /HTTP 401, .*; give the job the permission/, 0],
    ['upload-asset', 1, status(403), /HTTP 403, .*contents: write/, 0],
    ['upload-asset', 1, status(422), /HTTP 422/, 0],
    [
      'upload-asset',
      1,
      status(403, { 'retry-after': '3600' }),
      /the rate limit lasts until (.*) UTC; run the job again after \1/,
      0,
    ],
  ])(
    'that lasts leaves each missing line in the log: %s %d %j',
    async (route, from, fault, failure, waits) => {
      const github = await startRelease(halfDone, { faults: [{ route, from, fault }] })
      const run = startRun(github)

      const attachment = await run.attach(evidence)

      expect(attachment).toMatchObject({
        failure: expect.stringMatching(failure),
        hasPrintedLines: true,
      })
      expect(run.lines.at(-1)).toBe(linesOf('new').trim())
      expect(run.waits).toHaveLength(waits)
      expect(run.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(600_000)
      expectNoRecordsDeleted(github)
    },
  )

  it.each<[Route, number, GitHubFault]>([
    ['delete-asset', 1, status(403)],
    ['upload-asset', 2, status(422)],
    ['list-assets', 3, status(500)],
  ])('of the page alone is a warning: %s %d %j', async (route, from, fault) => {
    const github = await startRelease(halfDone, { faults: [{ route, from, fault }] })
    const run = startRun(github)

    const { warnings, ...attachment } = await run.attach(evidence)

    expect({ ...attachment, warnings: [] }).toMatchObject(fine)
    expect(warnings[0]).toMatch(/has all records, but not the evidence page: .*; \w/)
    expect(heldBy(github)).toMatchObject({ [RECORDS]: old, [named(both)]: both })
  })

  it('waits as long as GitHub asks, for a secondary limit at least a minute', async () => {
    const body = { message: 'You have exceeded a secondary rate limit' }
    const limit: GitHubFault = { kind: 'status', status: 403, body }
    const faults = [
      { route: 'upload-asset' as const, from: 1, to: 1, fault: limit },
      {
        route: 'upload-asset' as const,
        from: 2,
        to: 2,
        fault: status(503, { 'retry-after': '120' }),
      },
    ]
    const run = startRun(await startRelease(halfDone, { faults }))

    expect(await run.attach(evidence)).toMatchObject(fine)
    expect(run.waits).toEqual([60_000, 120_000])
  })

  it('is a records file that cannot be read', async () => {
    const run = startRun(await startRelease(halfDone))

    const attachment = await run.attach(evidenceOf('new', ''))

    expect(attachment).toMatchObject({
      failure: expect.stringContaining('ENOENT'),
      hasPrintedLines: false,
    })
  })
})

describe('after a signal', () => {
  it.each([true, false])(
    'the lines are printed, then it is tried once (GitHub works: %s)',
    async works => {
      const faults = works ? [] : [{ route: 'upload-asset', fault: status(503) } as const]
      const github = await startRelease(halfDone, { faults })
      const run = startRun(github)
      const source = await run.open()
      run.halt.cancel()
      let linesBefore: readonly string[] = []
      github.setOnCall(({ nth, route }) => {
        if (route === 'list-assets' && nth === 2) linesBefore = [...run.lines]
      })

      const attachment = await source.attach(evidence)

      expect(attachment).toMatchObject({ hasPrintedLines: !works, links: expect.anything() })
      expect(attachment?.failure === null).toBe(works)
      expect(linesBefore).toContain(linesOf('new').trim())
      expect(run.lines).toHaveLength(linesBefore.length)
      expect(github.routes('upload-asset')).toHaveLength(works ? 2 : 1)
    },
  )

  it('a wait ends', async () => {
    const github = await startRelease(halfDone, {
      faults: [{ route: 'upload-asset', fault: status(503) }],
    })
    const run = startRun(github)
    github.setOnCall(({ route }) => {
      if (route === 'upload-asset') run.halt.cancel()
    })

    expect(await run.attach(evidence)).toMatchObject({ hasPrintedLines: true })

    expect(github.routes('upload-asset')).toHaveLength(2)
  })
})

describe('other jobs', () => {
  it.each<[Route, number]>([
    ['list-assets', 2],
    ['upload-asset', 1],
    ['upload-asset', 2],
    ['list-assets', 3],
  ])('may attach at the same time: at %s %d', async (route, nth) => {
    const github = await startRelease(assetsOf('old new'))
    const other = startRun(github)
    github.setOnCall(async call => {
      if (call.route !== route || call.nth !== nth) return
      github.setOnCall(() => undefined)
      expect(await other.attach(evidenceOf('old', old))).toMatchObject(fine)
    })

    expect(await startRun(github).attach(evidenceOf('new'))).toMatchObject(fine)

    const { [PAGE]: page, ...records } = heldBy(github)
    expect(Object.values(records).toSorted()).toEqual([linesOf('new'), old].toSorted())
    expect(page).toContain(sha256('old'))
    expect(page).toContain(sha256('new'))
  })

  it('that never stop to attach leave a warning, after five pages', async () => {
    const github = await startRelease(halfDone)
    let others = 0
    github.setOnCall(({ route }) => {
      if (route !== 'upload-asset') return
      others += 1
      github.addAsset(TAG, {
        name: `notarization-records-${others}.jsonl`,
        content: linesOf(`other${others}`),
      })
    })

    const { failure, warnings } = await startRun(github).attach(evidence)

    expect([failure, warnings]).toEqual([null, [expect.stringMatching(/may lack records/)]])
    expect(github.routes('upload-asset')).toHaveLength(1 + 5)
  })
})

describe('the assets at the end', () => {
  const replace = (github: FakeGitHub, name: string, content: string): void => {
    github.removeAsset(TAG, name)
    github.addAsset(TAG, { name, content, digest: null })
  }

  it.each<[string, (github: FakeGitHub) => void, RegExp | null, RegExp | null]>([
    ['may be the same', () => undefined, null, null],
    [
      'fail the run if one was replaced',
      github => {
        replace(github, 'old', 'x')
      },
      /^replaced .* without a record: "old"$/,
      null,
    ],
    [
      'may be replaced by what has a record',
      github => {
        replace(github, 'old', 'new')
      },
      null,
      null,
    ],
    [
      'give a warning for a new one',
      github => {
        github.addAsset(TAG, { name: 'late', content: 'x' })
      },
      null,
      /without a record: "late"/,
    ],
    [
      'may lack one',
      github => {
        github.removeAsset(TAG, 'old')
      },
      null,
      null,
    ],
  ])('%s', async (_what, change, failure, warning) => {
    for (const attachToRelease of [true, false]) {
      const github = await startRelease(halfDone)
      const source = await startRun(github).open({ attachToRelease })
      change(github)

      const attachment = await source.attach(evidence)

      const expected = {
        failure: failure && expect.stringMatching(failure),
        warnings: warning === null ? [] : [expect.stringMatching(warning)],
        links: attachToRelease ? expect.anything() : [],
      }
      if (attachToRelease || failure !== null || warning !== null)
        expect(attachment).toMatchObject(expected)
      else expect(attachment).toBeNull()
    }
  })
})

describe('whether a release takes files', () => {
  const test = 'notarization-write-test-of-this-run'
  const complete = { [RECORDS]: both, [PAGE]: 'of an earlier run' }

  it.each<[string, GitHubOptions['faults'], RegExp | null, boolean]>([
    ['it does', [], null, false],
    [
      'the upload fails for now',
      [{ route: 'upload-asset', to: 2, fault: status(503) }],
      null,
      false,
    ],
    [
      'the upload happened, but seemed to fail',
      [{ route: 'upload-asset', to: 1, fault: after(502) }],
      null,
      false,
    ],
    [
      'the upload happened, and that is seen late',
      [
        { route: 'upload-asset', to: 1, fault: after(502) },
        { route: 'list-assets', from: 2, to: 2, fault: { kind: 'status', status: 200, body: [] } },
      ],
      null,
      false,
    ],
    [
      'the upload does not end',
      [{ route: 'upload-asset', to: 1, fault: { kind: 'unfinished' } }],
      null,
      false,
    ],
    ['the deletion has no answer', [{ route: 'delete-asset', to: 1, fault: reset }], null, false],
    ['the deletion fails', [{ route: 'delete-asset', fault: status(500) }], null, true],
    [
      'the upload fails',
      [{ route: 'upload-asset', fault: status(500) }],
      /takes no files \(uploading.*HTTP 500.*; run the job again/,
      true,
    ],
    [
      'the upload is refused',
      [{ route: 'upload-asset', fault: status(403) }],
      /takes no files .*contents: write/,
      false,
    ],
  ])('is tried before anything is sent: %s', async (_what, faults = [], message, warns) => {
    const github = await startRelease(halfDone, { faults })
    const run = startRun(github)
    const source = await run.open()

    if (message === null) await source.checkWritable(null)
    else expect(await problemOf(source.checkWritable(evidence))).toMatch(message)

    expect(run.warnings).toEqual(warns ? [expect.stringContaining(`"${test}"`)] : [])
    expect(test in heldBy(github)).toBe(warns && message === null)
    expect(run.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(120_000)
  })

  it.each<[string, Texts, EvidenceInput | null, boolean]>([
    ['lacks nothing but a newer page', complete, evidence, true],
    ['has more records than the run', complete, evidenceOf('old', ''), true],
    ['lacks records', { [RECORDS]: old }, evidence, false],
    ['will lack what is left to register', complete, null, false],
  ])('does not matter unless records are missing: it %s', async (_what, texts, input, goesOn) => {
    const seeds = [...assetsOf('old new'), ...seedsOf(texts)]
    const github = await startRelease(seeds, { release: { immutable: true } })
    const source = await startRun(github).open()

    if (!goesOn)
      expect(await problemOf(source.checkWritable(input))).toMatch(/immutable; attach before/)
    else {
      await source.checkWritable(input)
      expect(await source.attach(evidenceOf('old', both))).toMatchObject(fine)
    }
    expect(github.writes()).toEqual([])
  })
})

it('1,000 assets with digests are attached to with 12 calls, and none of them is read', async () => {
  const assets = Array.from({ length: 1000 }, (_, at) => ({ name: `${at}.bin`, content: `${at}` }))
  const tags = { [TAG]: { commit: COMMIT } }
  const github = await startRelease(assets, { tags })
  const source = await startRun(github).open()

  await source.checkWritable(null)
  const names = assets.map(({ content }) => content).join(' ')
  expect(await source.attach(evidenceOf(names))).toMatchObject(fine)

  expect(github.calls).toHaveLength(12)
  expect(github.routes('get-asset', 'storage')).toEqual([])
})
