/** The release as the place of the evidence: what is attached, and what may go wrong meanwhile. */
import { describe, expect, it } from '@jest/globals'
import { renderEvidence } from '../../src/records/evidence.ts'
import type { Evidence } from '../../src/release/attach.ts'
import { findDeviations } from '../support/github-description.ts'
import type {
  AssetSeed,
  FakeGitHub,
  GitHubFault,
  GitHubOptions,
  Route,
  SeenCall,
} from '../support/github.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { leftover, open, problemOf, RECORDS, startRelease, status, TAG } from './support.ts'

const CHECKSUMS = 'notarization-checksums.txt'
const EVIDENCE = 'notarization-evidence.md'
const SERVICE = 'https://notary.example'

const linesOf = (names: string): string =>
  toJsonLines(names.split(' ').map(name => makeLine(SERVICE, name)))
const noRecord = toJsonLines([
  makeStateLine(SERVICE, 'sent'),
  makeLine(SERVICE, 'a', { problems: ['it contradicts its request'] }),
])
const checksumsOf = (names: string): string =>
  names
    .split(' ')
    .map(name => `${sha256(name)}  ${name}\n`)
    .join('')
const assetsOf = (names: string): readonly AssetSeed[] =>
  names.split(' ').map(name => ({ name, content: name }))

const pageOf = (names: string): string => renderEvidence(Buffer.from(linesOf(names))) ?? ''

/** What a release holds with these records, and with checksums of these artifacts. */
const heldWith = (records: string, checksums: string): Readonly<Record<string, string>> => ({
  [RECORDS]: linesOf(records),
  [CHECKSUMS]: checksumsOf(checksums),
  [EVIDENCE]: pageOf(records),
})
const seedsOf = (texts: Readonly<Record<string, string>>): readonly AssetSeed[] =>
  Object.entries(texts).map(([name, content]) => ({ name, content }))

/** The evidence of a run that registered these contents; its records file, which is missing without lines, has these. */
function evidenceOf(registered: string, lines = linesOf(registered)): Evidence {
  const workspace = makeWorkspace(lines === '' ? {} : { mine: lines })
  const hashes = new Set(registered.split(' ').map(sha256))
  return { recordsPath: workspace.path('mine'), hashes }
}

/** What the release holds beside its artifacts. */
function held(github: FakeGitHub): Readonly<Record<string, string>> {
  const texts = Object.entries(github.texts(TAG))
  return Object.fromEntries(texts.filter(([name]) => name.startsWith('notarization-')))
}

/** A release with an artifact of an earlier run, whose evidence is attached, and a new one. */
const halfDone = [...assetsOf('old new'), ...seedsOf(heldWith('old', 'old'))]
const done = heldWith('old new', 'new old')
const earlier = { [CHECKSUMS]: checksumsOf('gone'), [EVIDENCE]: '# of an earlier run' }
const elsewhere = { [RECORDS]: linesOf('elsewhere'), [EVIDENCE]: pageOf('elsewhere') }
const ofOthers = { [`${RECORDS}.of.v1.tmp`]: 'one', [`${CHECKSUMS}.of.v1.tmp`]: 'two' }
const forNew = evidenceOf('new')

describe('evidence', () => {
  /** What the release has, the evidence of the run, and what the release holds then; null for what it held before. */
  it.each<[string, readonly AssetSeed[], Evidence, Readonly<Record<string, string>> | null]>([
    [
      'no records file, and records held',
      [...assetsOf('a'), { name: RECORDS, content: linesOf('a') }],
      evidenceOf('a', ''),
      heldWith('a', 'a'),
    ],
    ['lines without a record', assetsOf('a'), evidenceOf('', noRecord), { [RECORDS]: noRecord }],
    [
      'a record that does not count, as that of another service',
      assetsOf('a new'),
      evidenceOf('new', linesOf('a new')),
      heldWith('a new', 'new'),
    ],
    [
      'lines without a record, beside files of an earlier run',
      [...assetsOf('a'), ...seedsOf(earlier)],
      evidenceOf('', noRecord),
      { [EVIDENCE]: earlier[EVIDENCE], [RECORDS]: noRecord },
    ],
    [
      'no records at all, beside files of an earlier run',
      [...assetsOf('a'), ...seedsOf({ ...earlier, [leftover(RECORDS, 1)]: '\n' })],
      evidenceOf('', ''),
      null,
    ],
    [
      'checksums of which none is left',
      [...assetsOf('new'), { name: CHECKSUMS, content: checksumsOf('gone') }],
      evidenceOf('elsewhere'),
      elsewhere,
    ],
    [
      'what interrupted uploads left',
      [
        ...assetsOf('new'),
        { name: leftover(RECORDS, 1), content: linesOf('one') },
        { name: leftover(RECORDS, 2), content: linesOf('one two') },
        { name: leftover(RECORDS, 3), content: '\n' },
        { name: leftover(CHECKSUMS, 4), content: checksumsOf('new') },
        { name: leftover(EVIDENCE, 5), state: 'starter', digest: null },
      ],
      evidenceOf('new'),
      heldWith('one two new', 'new'),
    ],
    [
      'what an interrupted upload left of a file that is there',
      [...halfDone, { name: leftover(RECORDS, 1), content: linesOf('old') }],
      evidenceOf('old'),
      heldWith('old', 'old'),
    ],
    [
      'names of others that only look like ours',
      [...assetsOf('new'), ...seedsOf(ofOthers)],
      evidenceOf('new'),
      { ...ofOthers, ...heldWith('new', 'new') },
    ],
  ])('takes care of %s', async (_what, seeds, evidence, texts) => {
    const github = await startRelease(seeds)
    const before = held(github)
    const { attach } = await open(github)

    expect(await attach(evidence)).toMatchObject({ failure: null })

    expect(held(github)).toEqual(texts ?? before)
    expect(github.writes().length > 0).toBe(texts !== null)
  })

  it.each([true, false])(
    'lists what the release has now, without a digest by its bytes (digests: %s)',
    async givesDigests => {
      const github = await startRelease(assetsOf('old new other'), { givesDigests })
      const { attach } = await open(github)
      github.removeAsset(TAG, 'other')
      github.addAsset(TAG, { name: 'other', content: 'changed' })
      github.addAsset(TAG, { name: 'late', content: 'late' })
      // Only what another job has attached is read again: this one would never come whole.
      github.addAsset(TAG, { name: 'stranger', content: 'stranger', size: 99, digest: null })
      github.addAsset(TAG, { name: CHECKSUMS, content: checksumsOf('late other old gone') })

      expect(await attach(forNew)).toMatchObject({ failure: null })

      expect(held(github)[CHECKSUMS]).toBe(checksumsOf('late new old'))
    },
  )
})

const reset = { kind: 'reset', after: true } as const

describe('a fault while it is attached', () => {
  const clause = /^((GET|POST|PATCH|DELETE) \/|the asset "notarization-)/

  it.each<[Route, number, GitHubFault]>([
    ['list-assets', 2, status(500)],
    ['list-assets', 2, { kind: 'cut' }],
    ['storage', 1, { kind: 'cut' }],
    ['upload-asset', 1, status(503)],
    ['upload-asset', 1, status(403)],
    ['upload-asset', 1, reset],
    ['delete-asset', 1, status(500)],
    ['delete-asset', 2, status(403)],
    ['rename-asset', 1, { kind: 'status', status: 502, after: true }],
    ['rename-asset', 1, reset],
    ['rename-asset', 3, status(422)],
  ])(
    'is tried again or, if it lasts, reported; no record is lost: %s %d %j',
    async (route, from, fault) => {
      const lasting = await startRelease(halfDone, { faults: [{ route, from, fault }] })
      const { attach, waits } = await open(lasting)
      const attachment = await attach(forNew)

      expect(waits.length).toBeLessThan(5)
      // A renaming that was done is seen, whatever its answer was.
      if (attachment.failure === null) expect(held(lasting)).toEqual(done)
      else expect(attachment).toMatchObject({ failure: expect.stringMatching(clause), links: [] })
      const lines = Object.entries(held(lasting)).filter(([name]) => name.startsWith(RECORDS))
      expect(lines.map(([, text]) => text).join('')).toContain(linesOf('old'))

      // The next run finishes it; so does this one where the fault passes.
      lasting.setFaults([])
      const isForGood = fault.kind === 'status' && fault.status === 403
      const passing = await startRelease(halfDone, { faults: [{ route, from, to: from, fault }] })
      for (const github of isForGood ? [lasting] : [lasting, passing]) {
        const next = await open(github)
        expect(await next.attach(forNew)).toMatchObject({ failure: null })
        expect(held(github)).toEqual(done)
      }
    },
  )

  it.each<[Route, GitHubFault, number]>([
    ['upload-asset', status(403, { 'retry-after': '61' }), 61_000],
    ['rename-asset', status(429, { 'retry-after': '2' }), 2000],
    ['delete-asset', status(503, { 'retry-after': '9' }), 9000],
  ])('is waited for as long as GitHub says: %s %j', async (route, fault, waitMs) => {
    const github = await startRelease(halfDone, { faults: [{ route, to: 1, fault }] })
    const { attach, waits } = await open(github)

    expect(await attach(forNew)).toMatchObject({ failure: null })
    expect(waits).toEqual([waitMs])
    expect(held(github)).toEqual(done)
  })

  it('is named as a rate limit that lasts, not as a lack of rights', async () => {
    const fault = status(403, { 'retry-after': '3600' })
    const github = await startRelease(halfDone, { faults: [{ route: 'upload-asset', fault }] })
    const { attach, source, waits } = await open(github)

    const { failure } = await attach(forNew)

    const { message } = await problemOf(source.checkAttachable(null))
    for (const text of [failure, message]) {
      expect(text).toMatch(/rate limit of GitHub is reached until .* run the job again when/)
      expect(text).not.toMatch(/permission/)
    }
    expect(waits).toEqual([])
  })

  it('is a cancel before it: then it has little time, and says so', async () => {
    const silent = { route: 'upload-asset', fault: { kind: 'silence' } } as const
    const github = await startRelease(halfDone, { faults: [silent] })
    const { attach, halt } = await open(github)
    Object.defineProperty(halt, 'kill', { value: AbortSignal.abort() })

    const { failure } = await attach(forNew)

    expect(failure).toMatch(/cancelled/)
    expect(github.routes('list-assets')).toHaveLength(2)
  })
})

describe('a release that takes no files', () => {
  it.each<[string, GitHubOptions['faults'], RegExp | null]>([
    ['it takes them', [], null],
    ['the upload fails once', [{ route: 'upload-asset', to: 1, fault: status(503) }], null],
    [
      'what was tried is deleted without an answer',
      [{ route: 'delete-asset', to: 1, fault: reset }],
      null,
    ],
    [
      'the upload fails',
      [{ route: 'upload-asset', fault: status(500) }],
      /cannot be written.*run the job again/,
    ],
    [
      'what was tried cannot be deleted',
      [{ route: 'delete-asset', fault: status(500) }],
      /cannot be written/,
    ],
  ])('is found out before anything is sent: %s', async (_what, faults = [], message) => {
    const github = await startRelease(halfDone, { faults })
    const { source } = await open(github)

    // With something left to register, and with something new to attach only.
    for (const evidence of [null, forNew]) {
      const check = source.checkAttachable(evidence)
      if (message === null) await check
      else {
        const problem = await problemOf(check)
        expect(problem.input).toBe('attach-to-release')
        expect(problem.message).toMatch(message)
      }
    }
    // Whatever was tried left no trace.
    if (message === null) expect(held(github)).toEqual(heldWith('old', 'old'))
  })

  it.each<[string, Readonly<Record<string, string>>, Evidence]>([
    ['all is there', heldWith('old', 'old'), evidenceOf('old')],
    ['no asset has a record', elsewhere, evidenceOf('elsewhere')],
    ['nothing is registered', { [RECORDS]: noRecord }, evidenceOf('', noRecord)],
    ['there is no records file', {}, evidenceOf('', '')],
  ])('is no obstacle where it lacks nothing: %s', async (_what, texts, evidence) => {
    const seeds = [...assetsOf('old new'), ...seedsOf(texts)]
    const github = await startRelease(seeds, { release: { immutable: true } })
    const { source } = await open(github)

    await source.checkAttachable(evidence)

    expect(github.writes()).toEqual([])
  })
})

it("what a call or an answer has too much, too little or wrong is found by GitHub's own description", async () => {
  const github = await startRelease(assetsOf('a'))
  await (await open(github)).attach(evidenceOf('a'))
  const byRoute = new Map(github.calls.map(call => [call.route, call]))
  const listing = '/repos/octo/app/releases/1/assets'

  const wrong: readonly (readonly [Route, Partial<SeenCall>])[] = [
    ['get-release-by-tag', { path: '/repos/octo/app/release/tags/v1' }],
    ['get-release-by-tag', { method: 'POST' }],
    ['get-release-by-tag', { reply: { status: 200, json: { id: 1 } } }],
    ['get-release-by-tag', { reply: { status: 201 } }],
    ['get-release-by-tag', { reply: { status: 404, json: { message: 1 } } }],
    ['list-assets', { path: `${listing}?per_page=all` }],
    ['list-assets', { path: `${listing}?per_page=100&sort=name` }],
    ['list-assets', { reply: { status: 200, json: [{ id: '1' }] } }],
    ['list-assets', { reply: { status: 200, json: {} } }],
    ['upload-asset', { path: `/uploads${listing}` }],
    ['upload-asset', { headers: { 'content-type': 'text/plain' } }],
    ['rename-asset', { body: Buffer.from('{"name":1}') }],
    ['rename-asset', { body: Buffer.from('{"title":"a"}') }],
  ]
  for (const [route, changes] of wrong) {
    const call = byRoute.get(route)
    if (call === undefined) throw new Error(`there is no ${route}`)
    expect(findDeviations(call)).toEqual([])
    expect(findDeviations({ ...call, ...changes })).not.toEqual([])
  }
})
