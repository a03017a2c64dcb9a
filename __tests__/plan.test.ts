import { describe, expect, it } from '@jest/globals'
import type { Artifact, PatternCount } from '../src/artifacts/artifact.ts'
import { bugFailure } from '../src/failure.ts'
import { readInputs } from '../src/inputs/notarize-inputs.ts'
import { makePlan, resultsOf, type Plan } from '../src/plan.ts'
import { readRecords } from '../src/records/store.ts'
import type { ReleaseFacts } from '../src/release/guards.ts'
import { describePlan } from '../src/report/log.ts'
import { lineOf, SERVICE, stateLineOf } from './records/entries.ts'
import './support/realms.ts'
import { hashOf, makeRecord, openRun, source } from './support/samples.ts'
import { artifact, unread } from './verify/samples.ts'

const [hash1, hash2, hash3] = [hashOf(1), hashOf(2), hashOf(3)]

interface Setup {
  readonly inputs?: Readonly<Record<string, string>>
  /** Text of the records file. */
  readonly records?: string
  readonly runAttempt?: string | null
  readonly counts?: readonly PatternCount[]
  readonly release?: ReleaseFacts
}

function plan(artifacts: readonly Artifact[], setup: Setup = {}): Plan {
  const { inputs = {}, records = '', runAttempt = '1', counts = [], release = null } = setup
  const others = [{ name: 'records.jsonl', bytes: Buffer.from(records) }]
  const query = { path: '/missing', name: 'records.jsonl', others, service: SERVICE }
  return makePlan({
    inputs: readInputs(inputs, 0).inputs,
    artifacts,
    counts,
    records: readRecords(query),
    release,
    source: { ...source, runAttempt },
  })
}

/** An artifact whose size differs from the size in the record of its hash. */
const a1 = { ...artifact('a', 1), size: 5 }
const [b2, c3] = [artifact('b', 2), artifact('c', 3)]
const release: ReleaseFacts = {
  tag: 'v1',
  isDraft: false,
  isTagOfRun: true,
  tagCommit: 'c0ffee',
  runCommit: 'c0ffee',
  assets: [],
}

it('each distinct hash without a record is registered, under the first of its sorted names', () => {
  const listed = artifact('b', 2, 'checksums')
  const asset = artifact('a', 1, 'release-tag')
  const artifacts = [artifact('z', 3), artifact('m', 2), listed, asset]
  for (const ordered of [artifacts, artifacts.toReversed()]) {
    const made = plan(ordered, { records: lineOf(1) })
    expect(made).toMatchObject({ problems: [], warnings: [] })
    expect(made.toRegister).toEqual([
      { name: 'b', hash: hash2, size: null, open: null },
      { name: 'z', hash: hash3, size: 3, open: null },
    ])
    expect(made.results.map(({ name }) => name)).toEqual(['a', 'b', 'm', 'z'])
  }
})

describe('an artifact', () => {
  const registered = { state: 'registered', from: 'records-file', record: makeRecord(hash1) }
  const again = { maybeChargedAgain: true, redacted: ['/a'] }
  const failure = { code: 'record-mismatch', registered: 'unknown', endsRun: false }
  const mismatch = { state: 'failed', failure: expect.objectContaining(failure) }
  const problems = ['custody is true']
  it.each<[string, records: string, outcome: object, inDryRun?: object]>([
    ['that is new', '', { state: 'planned', open: null }],
    ['with a record', lineOf(1), { ...registered, redacted: [], maybeChargedAgain: false }],
    ['with a record that may be charged twice', lineOf(1, again), { ...registered, ...again }],
    ['that is open', stateLineOf(1), { state: 'planned', open: openRun }],
    ['with a contradictory record', lineOf(1, { problems }), mismatch, { state: 'contradicted' }],
  ])('%s gets an outcome from its records', (_, records, outcome, inDryRun = outcome) => {
    const result = { name: 'a', size: 5, hash: hash1 }
    const made = plan([a1], { records })
    expect(made).toMatchObject({ results: [{ ...result, outcome }], problems: [], warnings: [] })
    const { state } = made.results[0]?.outcome ?? {}
    expect(made.toRegister).toHaveLength(state === 'planned' ? 1 : 0)
    const dryRun = plan([a1], { records, inputs: { 'dry-run': 'true' } })
    expect(dryRun.results).toMatchObject([{ ...result, outcome: inDryRun }])
  })

  it('that could not be hashed keeps its failure and is not in the checksums file', () => {
    const made = plan([unread('a'), b2], { records: lineOf(1) })
    const outcome = { state: 'failed', failure: { code: 'unreadable', registered: 'no' } }
    expect(made.results[0]).toMatchObject({ name: 'a', size: null, hash: null, outcome })
    expect(made.toRegister.map(({ name }) => name)).toEqual(['b'])
    expect(made.checksums.map(({ name }) => name)).toEqual(['b'])
  })

  it('gets the outcome of its hash after the run, or a failure if there is none', () => {
    const made = plan([a1, b2, c3, artifact('d', 1)], { records: lineOf(3) })
    const now = { state: 'registered', from: 'this-run', record: {}, redacted: [] } as const
    const outcome = { ...now, maybeChargedAgain: false }
    const lost = bugFailure('x', 'y')
    const results = resultsOf(made, new Map([[hash1, outcome]]), lost)
    const known = expect.objectContaining({ from: 'records-file' })
    const failed = { state: 'failed', failure: lost }
    expect(results.map(result => result.outcome)).toEqual([outcome, failed, known, outcome])
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

describe('a later attempt without a line from an earlier attempt', () => {
  const own = stateLineOf(9, { source: { ...source, runAttempt: '1' } })
  const other = { source: { ...source, runId: '9' } }
  it.each<[string, warnings: number, Setup]>([
    ['attempt 2', 1, { runAttempt: '2' }],
    ['attempt 2 with a line of another run', 1, { runAttempt: '2', records: lineOf(9, other) }],
    ['attempt 2 with a line of attempt 1', 0, { runAttempt: '2', records: own }],
    ['attempt 2 with nothing to register', 0, { runAttempt: '2', records: lineOf(1, other) }],
    ['attempt 1', 0, {}],
    ['an unknown attempt', 0, { runAttempt: null }],
  ])('warns that hashes may be paid for again: %s gets %d warnings', (_, count, setup) => {
    const { problems, warnings } = plan([a1], setup)
    expect(problems).toEqual([])
    const warning = expect.stringMatching(/attempt 2 .*pay again.*restore its records/)
    expect(warnings).toEqual(Array.from({ length: count }, () => warning))
  })
})

it('the log counts what is left to register, and open hashes if there are any', () => {
  const text = '2 artifacts found, 2 distinct hashes are left to register'
  expect(describePlan(plan([a1, b2]))).toBe(text)
  const open = describePlan(plan([a1, b2], { records: stateLineOf(1) }))
  expect(open).toMatch(new RegExp(`^${text}; 1 hash is open .* may be charged again$`))
})

it('all problems are reported together, in a dry run too', () => {
  const other = { ...release, runCommit: 'f00d', assets: [artifact('a', 3, 'release-tag')] }
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
