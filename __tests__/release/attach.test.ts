/** The release as storage of the evidence: what is attached, whatever goes wrong, and whoever else attaches. */
import { describe, expect, it } from '@jest/globals'
import { renderEvidence } from '../../src/records/evidence.ts'
import { parseRecords } from '../../src/records/reading.ts'
import type { EvidenceInput } from '../../src/release/attach.ts'
import type { AssetSeed, FakeGitHub, GitHubFault, GitHubOptions, Route } from '../support/github.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { COMMIT, PAGE, RECORDS, SERVICE, TAG, assetsOf, evidenceOf, limited } from './support.ts'
import { linesOf, problemOf, startRelease, startRun, status, sum } from './support.ts'

type Texts = Readonly<Record<string, string>>

/** The page of a release with the artifacts `new` and `old`. */
const pageOf = (lines: string): string => {
  const { entries } = parseRecords(Buffer.from(lines), '')
  const names = ['new', 'old'].filter(name => lines.includes(sha256(name)))
  const checksums = names.map(name => ({ name, hash: sha256(name) }))
  return renderEvidence({ entries, checksums }) ?? ''
}
const seedsOf = (texts: Texts): readonly AssetSeed[] =>
  Object.entries(texts).map(([name, content]) => ({ name, content }))
/** The name of records whose usual name is taken. */
const named = (lines: string): string => `notarization-records-${sha256(lines).slice(0, 12)}.jsonl`
/** What the release has beside its artifacts. */
const heldBy = (github: FakeGitHub): Texts => {
  const texts = Object.entries(github.texts(TAG))
  return Object.fromEntries(texts.filter(([name]) => name.startsWith('notarization-')))
}

const [old, both, other] = [linesOf('old'), linesOf('old new'), linesOf('other')]
const contradiction = makeLine(SERVICE, 'a', { problems: ['it contradicts its request'] })
const noRecord = ` ${toJsonLines([makeStateLine(SERVICE, 'sent'), contradiction])}`
const cut = old.slice(0, -9)
const stale = { [PAGE]: 'of an earlier run' }
const all = { [RECORDS]: both, [PAGE]: pageOf(both) }
const added = { [named(both)]: both, [PAGE]: pageOf(both) }
const ofAll = { [RECORDS]: other, [named(both)]: both, [PAGE]: pageOf(other + both) }
/** A release with an artifact whose evidence is attached, and a new one; what it has when that is attached, too. */
const halfDone = [...assetsOf('old new'), ...seedsOf({ [RECORDS]: old, [PAGE]: pageOf(old) })]
const done = { [RECORDS]: old, ...added }
const evidence = evidenceOf('old new')
const nothing = { ...evidenceOf('', ''), hashes: new Set<string>() }
const fine = { tag: TAG, failure: null, warnings: [], hasPrintedLines: false }

describe('attaching', () => {
  /** What the release has, the evidence of the run, and what the release has then; null for the same, without a write. */
  it.each<[string, Texts, EvidenceInput, Texts | null]>([
    ['uploads records and page', {}, evidence, all],
    ['adds a file with the lines that no other has', { [RECORDS]: old, ...stale }, evidence, done],
    ['writes nothing if nothing is missing', all, evidence, null],
    ['counts all records assets', { ...all, [RECORDS]: old, [named('')]: both }, evidence, null],
    ['makes the page of all records', { [RECORDS]: other }, evidence, ofAll],
    ['makes no page without a record', {}, evidenceOf('', noRecord), { [RECORDS]: noRecord }],
    ['completes an incomplete line', { [RECORDS]: cut }, evidence, { [RECORDS]: cut, ...added }],
    ['needs no file if nothing is registered', stale, nothing, null],
  ])('%s', async (_what, texts, input, held) => {
    const github = await startRelease([...assetsOf('old new'), ...seedsOf(texts)])

    const attachment = await startRun(github).attach(input)

    expect(heldBy(github)).toEqual(held ?? texts)
    expect(attachment).toMatchObject(fine)
    expect(github.writes().length > 0).toBe(held !== null)
  })

  it.each([
    ['of another job, which is kept', RECORDS],
    ['of an earlier attempt, which is deleted', named(both)],
  ])('passes over an unfinished upload %s', async (_what, name) => {
    const left: AssetSeed = { name, state: 'starter', digest: null }
    const before = name === RECORDS ? [] : seedsOf({ [RECORDS]: old })
    const github = await startRelease([...assetsOf('new'), ...before, left])

    expect(await startRun(github).attach(evidence)).toMatchObject(fine)

    const states = github.release(TAG).assets.map(asset => `${asset.name} ${asset.state}`)
    expect(states).toContain(`${named(both)} uploaded`)
    expect(states).toContain(`${RECORDS} ${name === RECORDS ? 'starter' : 'uploaded'}`)
  })

  it('works on an enterprise server, which knows no digests', async () => {
    const options = { basePath: '/api/v3', givesDigests: false } as const
    const github = await startRelease(halfDone, options)

    expect(await startRun(github).attach(evidence)).toMatchObject(fine)
    expect(heldBy(github)).toEqual(done)
  })

  it('to a release of 1,000 assets takes 12 calls, and reads none of them', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `${at}.bin`).join(' ')
    const github = await startRelease(assetsOf(names), { tags: { [TAG]: { commit: COMMIT } } })
    const source = await startRun(github).open()

    await source.checkWritable(null)
    expect(await source.attach(evidenceOf(names))).toMatchObject(fine)

    expect(github.calls).toHaveLength(12)
    expect(github.routes('get-asset', 'storage')).toEqual([])
  })
})

const reset = { kind: 'reset', after: true } as const
const unfinished = { kind: 'unfinished' } as const
const after502 = { kind: 'status', status: 502, after: true } as const
const [list, upload, remove] = ['list-assets', 'upload-asset', 'delete-asset'] as const

describe('a fault while evidence is attached', () => {
  /** The records are uploaded first, then the page. */
  it.each<[Route, number, GitHubFault]>([
    [list, 2, status(500)],
    [list, 2, { kind: 'cut' }],
    [upload, 1, status(503)],
    [upload, 1, after502],
    [upload, 1, reset],
    [upload, 1, unfinished],
    [remove, 1, after502],
    [upload, 2, reset],
    [upload, 2, unfinished],
  ])('passes: %s %d %j', async (route, nth, fault) => {
    const github = await startRelease(halfDone, { faults: [{ route, from: nth, to: nth, fault }] })
    const run = startRun(github)

    expect(await run.attach(evidence)).toMatchObject(fine)

    expect(heldBy(github)).toEqual(done)
    expect(run.waits.length).toBeLessThanOrEqual(1)
  })

  it.each<[Route, number, GitHubFault, RegExp, number]>([
    [list, 2, status(500), /^HTTP 500, .*, while listing the assets; run the job again$/, 24],
    [upload, 1, status(503), /^HTTP 503, .*, while uploading "notarization-records-\w+.jsonl"/, 24],
    [upload, 1, { kind: 'reset' }, /was reset .* while uploading/, 24],
    [upload, 1, status(401), /HTTP 401, .*; .*check the input "github-token"/, 0],
    [upload, 1, status(403), /HTTP 403, .*contents: write/, 0],
    [upload, 1, status(422), /HTTP 422/, 0],
    [upload, 1, limited(403, 3600), /limit lasts until .* UTC; run the job again after that/, 0],
  ])(
    'leaves each missing line in the log: %s %d %j',
    async (route, from, fault, failure, tries) => {
      const github = await startRelease(halfDone, { faults: [{ route, from, fault }] })
      const run = startRun(github)

      const attachment = await run.attach(evidence)

      expect(attachment.failure).toMatch(failure)
      expect(attachment.hasPrintedLines).toBe(true)
      expect(run.lines.at(-1)).toBe(linesOf('new').trim())
      expect(run.lines.at(-2)).toContain('may be the only other place')
      expect(run.waits).toHaveLength(tries)
      expect(sum(run.waits)).toBeLessThanOrEqual(600_000)
      expect(github.texts(TAG)[RECORDS]).toBe(old)
    },
  )

  it.each<[Route, number, GitHubFault]>([
    [remove, 1, status(403)],
    [upload, 2, status(422)],
    [list, 3, status(500)],
  ])('is a warning when only the page is missing: %s %d %j', async (route, from, fault) => {
    const github = await startRelease(halfDone, { faults: [{ route, from, fault }] })

    const { failure, warnings } = await startRun(github).attach(evidence)

    expect([failure, warnings.length]).toEqual([null, 1])
    expect(warnings[0]).toMatch(/has all records, but not the evidence page: .*; \w/)
    expect(github.texts(TAG)).toMatchObject({ [RECORDS]: old, [named(both)]: both })
  })

  it('is a warning when nothing is missing, and the assets cannot be listed again', async () => {
    const faults = [{ route: list, from: 2, fault: status(500) }]
    const github = await startRelease([...assetsOf('old'), ...seedsOf(all)], { faults })

    const { failure, warnings } = await startRun(github).attach(evidence)

    expect([failure, warnings]).toEqual([
      null,
      [expect.stringMatching(/not compared again: .*500/)],
    ])
  })

  it('is a records file that is gone', async () => {
    const { attach } = startRun(await startRelease(halfDone))

    expect((await attach(evidenceOf('new', ''))).failure).toMatch(/ENOENT.*; run the job again/)
  })
})

describe('after a signal', () => {
  it.each([true, false])('lines are printed, then it is tried once (works: %s)', async works => {
    const faults = works ? [] : [{ route: upload, fault: status(503) }]
    const github = await startRelease(halfDone, { faults })
    const run = startRun(github)
    const source = await run.open()
    run.halt.cancel()
    let linesBefore: readonly string[] = []
    github.onCall = ({ nth, route }) => {
      if (route === list && nth === 2) linesBefore = [...run.lines]
    }

    const attachment = await source.attach(evidence)

    expect(attachment?.hasPrintedLines).toBe(!works)
    expect(attachment?.failure === null).toBe(works)
    expect(linesBefore).toContain(linesOf('new').trim())
    expect(run.lines).toHaveLength(linesBefore.length)
    expect(github.routes(upload)).toHaveLength(works ? 2 : 1)
  })

  it('a wait ends', async () => {
    const github = await startRelease(halfDone, { faults: [{ route: upload, fault: status(503) }] })
    const run = startRun(github)
    github.onCall = ({ route }) => {
      if (route === upload) run.halt.cancel()
    }

    expect((await run.attach(evidence)).hasPrintedLines).toBe(true)
    expect(github.routes(upload)).toHaveLength(2)
  })
})

describe('other jobs', () => {
  it.each<[Route, number]>([
    [list, 2],
    [upload, 1],
    [upload, 2],
    [list, 3],
  ])('may attach at the same time: at %s %d', async (route, nth) => {
    const github = await startRelease(assetsOf('old new'))
    const others = startRun(github)
    github.onCall = async call => {
      if (call.route !== route || call.nth !== nth) return
      github.onCall = () => undefined
      expect(await others.attach(evidenceOf('old'))).toMatchObject(fine)
    }

    expect(await startRun(github).attach(evidenceOf('new'))).toMatchObject(fine)

    const { [PAGE]: page, ...records } = heldBy(github)
    expect(Object.values(records).toSorted()).toEqual([linesOf('new'), old].toSorted())
    for (const name of ['old', 'new']) expect(page).toContain(`\n${sha256(name)}  ${name}\n`)
  })

  it('that never stop leave a warning, after five pages', async () => {
    const github = await startRelease(halfDone)
    github.onCall = ({ route, nth }) => {
      const content = linesOf(`other${nth}`)
      if (route === upload) github.addAsset(TAG, { name: named(content), content })
    }

    const { failure, warnings } = await startRun(github).attach(evidence)

    expect([failure, warnings]).toEqual([null, [expect.stringMatching(/may lack records/)]])
    expect(github.routes(upload)).toHaveLength(1 + 5)
  })
})

describe('at the end the release', () => {
  const replace = (name: string, content: string) => (github: FakeGitHub) => {
    if (name in github.texts(TAG)) github.removeAsset(TAG, name)
    github.addAsset(TAG, { name, content, digest: null })
  }
  const without = (name: string) => (github: FakeGitHub) => {
    github.removeAsset(TAG, name)
  }
  const same = (): void => undefined

  it.each<[string, (github: FakeGitHub) => void, RegExp | null, RegExp | null]>([
    ['is the same', same, null, null],
    ['has other bytes', replace('old', 'x'), /^replaced .* without a record: "old"$/, null],
    ['has other bytes with a record', replace('old', 'new'), null, null],
    ['has an asset more', replace('late', 'x'), null, /without a record: "late"/],
    ['has an asset less', without('old'), null, null],
  ])('%s, whether evidence is attached or not', async (_what, change, failure, warning) => {
    for (const attachToRelease of [true, false]) {
      const github = await startRelease(halfDone)
      const source = await startRun(github).open({ attachToRelease })
      change(github)

      const attachment = await source.attach(evidence)

      const isNull = !attachToRelease && failure === null && warning === null
      expect(attachment === null).toBe(isNull)
      expect(attachment?.failure ?? '').toMatch(failure ?? /^$/)
      expect(attachment?.warnings.join() ?? '').toMatch(warning ?? /^$/)
    }
  })
})

describe('whether a release takes files', () => {
  const late: GitHubFault = { kind: 'status', status: 200, body: [] }
  const at = (route: Route, fault: GitHubFault, to = Infinity) => ({ route, from: 1, to, fault })
  const fails = /takes no files \(HTTP 500.*uploading.*; run the job again/
  const refused = /takes no files .*contents: write/

  it.each<[string, NonNullable<GitHubOptions['faults']>, RegExp | null, boolean]>([
    ['it does', [], null, false],
    ['the upload fails for now', [at(upload, status(503), 2)], null, false],
    ['the upload happened', [at(upload, after502, 1)], null, false],
    ['it is seen late', [at(upload, after502, 1), { ...at(list, late, 2), from: 2 }], null, false],
    ['the upload does not end', [at(upload, unfinished, 1)], null, false],
    ['the deletion has no answer', [at(remove, reset, 1)], null, false],
    ['the deletion fails', [at(remove, status(500))], null, true],
    ['the upload fails', [at(upload, status(500))], fails, true],
    ['the upload is refused', [at(upload, status(403))], refused, false],
  ])('is tried before anything is sent: %s', async (_what, faults, message, warns) => {
    const github = await startRelease(halfDone, { faults })
    const run = startRun(github)
    const check = (await run.open()).checkWritable(null)

    if (message === null) await check
    else expect(await problemOf(check)).toMatch(message)

    const name = 'notarization-write-test-of-this-run'
    expect(run.warnings).toEqual(warns ? [expect.stringContaining(`"${name}"`)] : [])
    expect(name in heldBy(github)).toBe(warns && message === null)
    expect(sum(run.waits)).toBeLessThanOrEqual(120_000)
  })

  it.each<[string, Texts, EvidenceInput | null, boolean]>([
    ['lacks nothing but a newer page', { ...all, ...stale }, evidence, true],
    ['has more records than the run', all, evidenceOf('old', ''), true],
    ['lacks records', { [RECORDS]: old }, evidence, false],
    ['will lack what is left to register', all, null, false],
  ])('does not matter if it %s: goes on as the last says', async (_what, texts, input, goesOn) => {
    const seeds = [...assetsOf('old new'), ...seedsOf(texts)]
    const github = await startRelease(seeds, { release: { immutable: true } })
    const source = await startRun(github).open()
    const check = source.checkWritable(input)

    if (!goesOn) expect(await problemOf(check)).toMatch(/immutable; attach before/)
    else expect(await check.then(() => source.attach(evidenceOf('old', both)))).toMatchObject(fine)
    expect(github.writes()).toEqual([])
  })
})
