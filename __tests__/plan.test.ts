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

/** The names of the artifacts that are left to register. */
function leftOf({ artifacts }: Plan): readonly string[] {
  return artifacts.filter(isPlanned).map(({ name }) => name)
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

it('artifacts are sorted by name, and artifacts with the same hash are one registration', () => {
  const listed = artifact('b', 2, 'checksums')
  const asset = artifact('a', 1, 'release-tag')
  const artifacts = [artifact('z', 3), artifact('m', 2), listed, asset]
  for (const ordered of [artifacts, artifacts.toReversed()]) {
    const made = plan(ordered, { records: lineOf(1) })
    expect(made).toMatchObject({ problems: [], warnings: [], registrations: 2 })
    expect(made.artifacts.map(({ name }) => name)).toEqual(['a', 'b', 'm', 'z'])
    expect(leftOf(made)).toEqual(['b', 'm', 'z'])
  }
})

describe('an artifact', () => {
  const registered = { state: 'registered', from: 'records-file', record: makeRecord(hash1) }
  const again = { maybeChargedAgain: true }
  const failure = { code: 'record-mismatch', registered: 'unknown', endsRun: false }
  const mismatch = { state: 'failed', failure: expect.objectContaining(failure) }
  const problems = ['custody is true']
  const contradicted = { state: 'contradicted', problems }
  it.each<[string, records: string, outcome: object, inDryRun?: object]>([
    ['that is new', '', { state: 'planned', openSince: null }],
    ['with a record', lineOf(1), { ...registered, maybeChargedAgain: false }],
    ['with a record that may be charged twice', lineOf(1, again), { ...registered, ...again }],
    ['that is open', stateLineOf(1), { state: 'planned', openSince: expect.any(String) }],
    ['with a contradictory record', lineOf(1, { problems }), mismatch, contradicted],
  ])('%s gets an outcome from its records', (_, records, outcome, inDryRun = outcome) => {
    const named = { name: 'a', size: 5, hash: hash1 }
    const made = plan([a1], { records })
    expect(made).toMatchObject({ artifacts: [{ ...named, outcome }], problems: [] })
    expect(made.registrations).toBe(leftOf(made).length)
    const dryRun = plan([a1], { records, inputs: { 'dry-run': 'true' } })
    expect(dryRun.artifacts).toMatchObject([{ ...named, outcome: inDryRun }])
  })

  it('that could not be hashed keeps its failure and is not in the checksums file', () => {
    const made = plan([unread('a'), b2], { records: lineOf(1) })
    const outcome = { state: 'failed', failure: { code: 'unreadable', registered: 'no' } }
    expect(made.artifacts[0]).toMatchObject({ name: 'a', size: null, hash: null, outcome })
    expect(leftOf(made)).toEqual(['b'])
    expect(made.checksums.map(({ name }) => name)).toEqual(['b'])
  })
})

it('more distinct hashes than max-registrations stop the run, but only warn in a dry run', () => {
  const artifacts = [a1, b2, c3, artifact('d', 3)]
  const counts = [
    { input: 'path', text: 'dist/**', count: 4 },
    { input: 'checksums', text: 'SHA256SUMS', count: 1 },
  ] as const
  const planOf = (max: string, dryRun: string, records = ''): Plan =>
    plan(artifacts, { inputs: { 'max-registrations': max, 'dry-run': dryRun }, counts, records })

  expect(planOf('3', 'false').problems).toEqual([])
  expect(planOf('1', 'false', lineOf(1) + lineOf(2)).problems).toEqual([])
  const message = expect.stringMatching(
    /3 distinct hashes .*"dist\/\*\*" matches 4 files, "SHA256SUMS" matches 1 checksums entry/,
  )
  const input = 'max-registrations'
  expect(planOf('2', 'false')).toMatchObject({ problems: [{ input, message }], warnings: [] })
  expect(planOf('2', 'true')).toMatchObject({ problems: [], warnings: [message] })
})

it.each([
  ['error', 1, 0],
  ['warn', 0, 1],
  ['ignore', 0, 0],
])('if-no-files-found applies to a release without assets: %s', (policy, problems, warnings) => {
  const inputs = { 'if-no-files-found': policy }
  const made = plan([], { inputs, release })
  expect([made.problems.length, made.warnings.length]).toEqual([problems, warnings])
  expect(plan([a1], { inputs, release }).problems).toEqual([])
})

describe('the guards of a release', () => {
  const [sha, other] = ['1'.repeat(40), '2'.repeat(40)]
  const facts: Release = { ...release, runCommit: sha, tagCommit: sha }
  const assets = [artifact('a', 1, 'release-tag'), artifact('b', 2, 'release-tag')]
  const failing = { ...unread('unread'), input: 'release-tag' } as const

  /** Local files, what the problems need, and what they name. */
  it.each<[string, readonly Artifact[], readonly string[], RegExp]>([
    [
      'reject other bytes, even next to the right ones',
      [a1, artifact('d/a', 9)],
      ['workflow'],
      /"d\/a"/,
    ],
    [
      'report each difference',
      [artifact('d/a', 2), artifact('d/b', 1)],
      ['workflow'],
      /"d\/a".*"d\/b"/,
    ],
    ['reject an asset that could not be read', [artifact('unread', 1)], ['nothing'], /"unread"/],
    ['ignore files that could not be read', [unread('a'), unread('c')], [], /^$/],
    ['compare whole names, case included', [artifact('A', 3), artifact('my-a', 3)], [], /^$/],
  ])('%s', (_what, locals, needs, names) => {
    const { problems } = plan([...locals, ...assets], {
      release: { ...facts, artifacts: [...assets, failing] },
    })
    expect(problems.map(problem => problem.needs)).toEqual(needs)
    expect(problems.map(({ message }) => message).join()).toMatch(names)
  })

  it.each<[string, Partial<Release>, RegExp | null]>([
    ['a tag that has not moved', {}, null],
    [
      'a tag that moved',
      { tagCommit: other },
      /points to the commit 2{40} now, but this run is for 1{40}/,
    ],
    ['a tag that moved, in a run for another ref', { tagCommit: other, runCommit: null }, null],
    ['a tag that is gone', { tagCommit: null }, /was deleted/],
    ['a tag that a draft will create', { tagCommit: null, isDraft: true }, null],
  ])('check %s', (_what, changes, message) => {
    const { problems } = plan(assets, { release: { ...facts, artifacts: assets, ...changes } })
    const expected = message === null ? [] : [expect.stringMatching(message)]
    expect(problems.map(problem => problem.message)).toEqual(expected)
  })
})

describe('an attempt', () => {
  const own = stateLineOf(9, { source: { ...source, runAttempt: '1' } })
  const other = { source: { ...source, runId: '9' } }
  it.each<[attempt: string, string, records: string, warnings: number]>([
    ['2', 'without a line', '', 1],
    ['2', 'with a line of another run', lineOf(9, other), 1],
    ['2', 'with a line of attempt 1', own, 0],
    ['2', 'with nothing to register', lineOf(1, other), 0],
    ['1', 'without a line', '', 0],
  ])(
    'warns if an earlier attempt may have registered what is left: %s %s',
    (runAttempt, _, records, count) => {
      const { chargeWarnings } = plan([a1], { records, runAttempt })
      const warning = expect.stringMatching(/attempt 2.*charged again/)
      expect(chargeWarnings).toEqual(Array.from({ length: count }, () => warning))
    },
  )
})

it('the plan counts what is left to register, and warns about what was sent before', () => {
  expect(describePlan(plan([a1, b2]))).toMatch(/^2 artifacts .* 2 distinct hashes/)
  const open = plan([a1, b2, artifact('d', 1)], { records: stateLineOf(1) })
  expect(open.chargeWarnings).toEqual([expect.stringMatching(/^1 file .*charged again/)])
})

describe('other content under the name of a record', () => {
  const ofCommit = (sha: string | null) =>
    lineOf(9, { artifact: 'dist/a', source: { ...source, sha } })
  const own = ofCommit(source.sha)
  const local = artifact('dist/a', 1)
  const asset = artifact('a', 1, 'release-tag')
  it.each<[string, Artifact, records: string, warnings: number]>([
    ['of the same commit', local, own, 1],
    ['of the same commit, for an asset of that base name', asset, own, 1],
    ['of another commit', local, ofCommit('f00d'), 0],
    ['without a commit', local, ofCommit(null), 0],
    ['in another folder', artifact('other/a', 1), own, 0],
    ['of the same commit, if the new content has one too', local, own + lineOf(1), 0],
  ])('warns before it is charged: %s', (_, found, records, count) => {
    const { warnings } = plan([found], { records })
    expect(warnings).toEqual(
      Array.from({ length: count }, () => expect.stringMatching(/other content/)),
    )
  })
})

it('all problems are reported together, in a dry run too', () => {
  const artifactsOfRelease = [artifact('a', 3, 'release-tag')]
  const other = { ...release, runCommit: 'f00d', artifacts: artifactsOfRelease }
  const artifacts = [a1, b2, artifact('a', 2, 'checksums')]
  const problemsOf = (dryRun: string): readonly unknown[] => {
    const inputs = { 'max-registrations': '1', 'dry-run': dryRun }
    const { problems, checksums } = plan(artifacts, { inputs, release: other, records: 'x\n' })
    expect(checksums).toEqual([])
    return problems.map(({ input }) => input)
  }
  const guards = ['release-tag', 'release-tag', 'checksums', 'records-path']
  expect(problemsOf('true')).toEqual(guards)
  expect(problemsOf('false')).toEqual([...guards, 'max-registrations'])
})
