import { describe, expect, it } from '@jest/globals'
import { readInputs } from '../src/inputs/notarize-inputs.ts'
import { isPlanned, type Artifact } from '../src/outcome.ts'
import { describePlan, makePlan, type Plan, type PlanInput } from '../src/plan.ts'
import { Ledger } from '../src/records/ledger.ts'
import type { Release } from '../src/release/release.ts'
import { hostIn } from './artifacts/host.ts'
import { lineOf, SERVICE, stateLineOf } from './records/entries.ts'
import './support/realms.ts'
import { hashOf, makeRecord, source } from './support/samples.ts'
import { artifact, unread } from './verify/samples.ts'

const hash1 = hashOf(1)

interface Setup extends Partial<Omit<PlanInput, 'inputs' | 'ledger'>> {
  readonly inputs?: Readonly<Record<string, string>>
  /** Text of the records file. */
  readonly records?: string
  readonly runAttempt?: string
}

function plan(artifacts: readonly Artifact[], setup: Setup = {}): Plan {
  const { inputs = {}, records = '', runAttempt = '1', ...rest } = setup
  const host = hostIn('/')
  const disk = { ...host.disk, read: () => Buffer.from(records) }
  const ofRun = { ...source, runAttempt }
  const file = { path: '/records.jsonl', name: 'records.jsonl', others: [] }
  const query = { ...file, service: SERVICE, source: ofRun, verificationUrl: null }
  const ledger = Ledger.read(query, { ...host, disk })
  const attempt = Number(runAttempt)
  const read = { inputs: readInputs(inputs, 0).inputs, ledger, attempt }
  return makePlan({ counts: [], release: null, ...rest, ...read, artifacts })
}

/** What stops the run, with what it needs, and what it warns about. */
function told({ problems, warnings, chargeWarnings }: Plan): readonly string[] {
  const stops = problems.map(({ needs, message }) => `${needs}: ${message}`)
  return [...stops, ...warnings, ...chargeWarnings]
}

/** An artifact whose size differs from the size in the record of its hash. */
const a1 = { ...artifact('a', 1), size: 5 }
const [b2, c3] = [artifact('b', 2), artifact('c', 3)]
const release: Release = {
  tag: 'v1',
  isDraft: false,
  url: null,
  artifacts: [],
  counts: [],
  warnings: [],
  records: [],
  tagCommit: 'c0ffee',
  runCommit: 'c0ffee',
  source,
}

describe('an artifact', () => {
  const record = { record: makeRecord(hash1), maybeChargedAgain: true }
  const registered = { state: 'registered', from: 'records-file', ...record }
  const failure = { code: 'record-mismatch', registered: 'unknown', endsRun: false }
  const mismatch = { state: 'failed', failure: expect.objectContaining(failure) }
  const problems = ['custody is true']
  const contradicted = { state: 'contradicted', problems }
  it.each<[string, records: string, outcome: object, inDryRun?: object]>([
    ['with a record', lineOf(1, { maybeChargedAgain: true }), registered],
    ['that is open', stateLineOf(1), { state: 'planned', openSince: expect.any(String) }],
    ['with a contradictory record', lineOf(1, { problems }), mismatch, contradicted],
  ])('%s gets an outcome from its records', (_, records, outcome, inDryRun = outcome) => {
    const named = { name: 'a', size: 5, hash: hash1 }
    const made = plan([a1], { records })
    expect(made).toMatchObject({ artifacts: [{ ...named, outcome }], problems: [] })
    expect(made.registrations).toBe(Number(made.artifacts.some(isPlanned)))
    const dryRun = plan([a1], { records, inputs: { 'dry-run': 'true' } })
    expect(dryRun.artifacts).toMatchObject([{ ...named, outcome: inDryRun }])
  })

  it('that could not be hashed keeps its failure and is not in the checksums file', () => {
    const made = plan([unread('a'), b2])
    expect(made).toMatchObject({ artifacts: [unread('a'), b2], checksums: [b2], registrations: 1 })
  })
})

it('more distinct hashes than max-registrations stop the run, but only warn in a dry run', () => {
  const artifacts = [a1, b2, c3, artifact('d', 3)]
  const sums = Array.from({ length: 50 }, () => ({ text: 'SUMS', count: 1 }))
  const listed = sums.map(pattern => ({ ...pattern, input: 'checksums' }) as const)
  const counts = [{ input: 'path', text: 'dist/**', count: 4 } as const, ...listed]
  const toldWith = (max: string, dryRun = 'false', records = ''): readonly string[] => {
    const inputs = { 'max-registrations': max, 'dry-run': dryRun }
    return told(plan(artifacts, { inputs, counts, records }))
  }
  expect(toldWith('3')).toEqual([])
  expect(toldWith('1', 'false', lineOf(1) + lineOf(2))).toEqual([])
  const matched = `"dist/**" matches 4 files, ${'"SUMS" matches 1 checksums entry, '.repeat(49)}`
  const message = `input "max-registrations" is 2, but 3 distinct hashes are left to register (${matched}and 1 more); correct the patterns, or raise this limit if you want to be charged for each of them`
  expect(toldWith('2')).toEqual([`workflow: ${message}`])
  expect(toldWith('2', 'true')).toEqual([message])
  expect(toldWith('0', 'true', lineOf(1) + lineOf(2)).join()).toContain('1 distinct hash is left')
})

const empty = 'input "release-tag": the release "v1" has no assets to notarize; upload them first'
it.each([
  ['error', `nothing: ${empty}`],
  ['warn', empty],
  ['ignore', undefined],
])('if-no-files-found applies to a release without assets: %s', (policy, text) => {
  const inputs = { 'if-no-files-found': policy }
  expect(told(plan([], { inputs, release }))).toEqual(text === undefined ? [] : [text])
  expect(told(plan([a1], { inputs, release }))).toEqual([])
})

describe('the guards of a release', () => {
  const [sha, other] = ['1'.repeat(40), '2'.repeat(40)]
  const failing = { ...unread('unread'), input: 'release-tag' } as const
  const assets = ['a', 'b', 'c', 'd'].map((name, index) => artifact(name, index + 1, 'release-tag'))
  const facts = { ...release, runCommit: sha, tagCommit: sha, artifacts: [...assets, failing] }

  const zeros = '0'.repeat(12)
  const differ = (names: string): string =>
    `workflow: input "release-tag": local files differ from the assets of the release "v1": ${names.replaceAll(' ?', ` (${zeros}, its asset ${zeros})`)}; replace the assets that are wrong, or remove the inputs "path" and "checksums"`
  const unreadAsset =
    'nothing: input "release-tag": local files cannot be compared with the release "v1", because their assets could not be read: "unread"; wait until GitHub responds'
  const moved = `workflow: input "release-tag": the tag "v1" points to the commit ${other} now, but this run is for ${sha}; find out who moved the tag, and notarize the commit that you release`
  const gone = 'nothing: input "release-tag": the tag "v1" of this run was deleted; push it again'
  const four = ['x/a', 'x/b', 'x/c', 'x/d'].map(name => artifact(name, 9))
  it.each<[string, locals: readonly Artifact[], Partial<Release>, problems: readonly string[]]>([
    ['other bytes, even next to the right ones', [a1, artifact('d/a', 9)], {}, [differ('"d/a" ?')]],
    ['each difference', [artifact('d/a', 2), artifact('d/b', 1)], {}, [differ('"d/a" ?; "d/b" ?')]],
    ['many differences', four, {}, [differ('"x/a" ?; "x/b" ?; "x/c" ?; and 1 more')]],
    ['an asset that could not be read', [artifact('unread', 1)], {}, [unreadAsset]],
    ['no files that could not be read', [unread('a'), unread('e')], {}, []],
    ['no other name, case included', [artifact('A', 3), artifact('my-a', 3)], {}, []],
    ['a tag that moved', [], { tagCommit: other }, [moved]],
    ['no tag that moved in a run for another ref', [], { tagCommit: other, runCommit: null }, []],
    ['a tag that is gone', [], { tagCommit: null }, [gone]],
    ['no tag that a draft will create', [], { tagCommit: null, isDraft: true }, []],
  ])('report %s', (_, locals, changes, problems) => {
    const made = plan([...locals, ...assets], { release: { ...facts, ...changes } })
    expect(told(made)).toEqual(problems)
  })
})

describe('before anything is charged', () => {
  const otherRun = { source: { ...source, runId: '9' } }
  const rerun =
    'This is attempt 2, but there are no records of an earlier attempt. If an earlier attempt registered files, you are charged again for them'
  const open = (files: string): string =>
    `${files} sent earlier, without a response. You may be charged again for those that are already registered`
  const changed = (has: string, names: string): string =>
    `${has} other content than when this commit was notarized: ${names}. You are charged for registering the new content. If you did not mean to change or rebuild the files, restore the notarized ones`
  const ofCommit = (sha: string, name = 'd/a') =>
    lineOf(9, { artifact: name, source: { ...source, sha } })
  const own = ofCommit(source.sha)
  const local = [artifact('d/a', 1)]
  const five = '"1", "2", "3", "4", "5", and 1 more'
  const six = ['1', '2', '3', '4', '5', '6'].map((name, index) => artifact(name, index + 1))
  const ofSix = six.map(({ name }) => ofCommit(source.sha, name)).join('')

  it.each<[string, readonly Artifact[], records: string, attempt: string, warnings: string[]]>([
    ['an attempt 2 without a line', [a1], '', '2', [rerun]],
    ['an attempt 2 with a line of another run', [a1], lineOf(9, otherRun), '2', [rerun]],
    ['no attempt 2 with a line of attempt 1', [a1], stateLineOf(9), '2', []],
    ['no attempt 2 with nothing to register', [a1], lineOf(1, otherRun), '2', []],
    ['no attempt 1', [a1], '', '1', []],
    ['an open hash', [a1, b2, artifact('d', 1)], stateLineOf(1), '1', [open('1 file was')]],
    ['open hashes', [a1, b2], stateLineOf(1) + stateLineOf(2), '1', [open('2 files were')]],
    ['other content', local, own, '1', [changed('1 file has', '"d/a"')]],
    ['other content of six files', six, ofSix, '1', [changed('6 files have', five)]],
    ['no content of another commit', local, ofCommit('f00d'), '1', []],
    ['no other content if the new content has a record too', local, own + lineOf(1), '1', []],
  ])('the plan warns about %s', (_, artifacts, records, runAttempt, warnings) => {
    expect(told(plan(artifacts, { records, runAttempt }))).toEqual(warnings)
  })
})

it('the plan counts what it found and what is left to register', () => {
  const counted = '2 artifacts found, 1 distinct hash left to register'
  expect(describePlan(plan([a1, b2], { records: lineOf(1) }))).toBe(counted)
  expect(describePlan(plan([]))).toBe('0 artifacts found, 0 distinct hashes left to register')
})

it('all problems are reported together, in a dry run too, without a warning about charges', () => {
  const other = { ...release, runCommit: 'f00d', artifacts: [artifact('a', 3, 'release-tag')] }
  const artifacts = [a1, b2, artifact('a', 2, 'checksums')]
  const guards = ['release-tag', 'release-tag', 'checksums', 'records-path']
  for (const [dryRun, problems] of [
    ['true', guards],
    ['false', [...guards, 'max-registrations']],
  ] as const) {
    const inputs = { 'max-registrations': '1', 'dry-run': dryRun }
    const made = plan(artifacts, { inputs, release: other, records: 'x\n', runAttempt: '2' })
    expect(made).toMatchObject({ checksums: [], chargeWarnings: [] })
    expect(made.problems.map(({ input }) => input)).toEqual(problems)
  }
})
