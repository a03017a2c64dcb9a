import { describe, expect, it } from '@jest/globals'
import type { Artifact, ArtifactSource, PatternCount } from '../src/artifacts/artifact.ts'
import { bugFailure, makeFailure, type FailureCode, type Problem } from '../src/failure.ts'
import { readInputs } from '../src/inputs/notarize-inputs.ts'
import { makePlan, resultsOf, type Plan } from '../src/plan.ts'
import { readRecords } from '../src/records/store.ts'
import type { ReleaseFacts } from '../src/release/guards.ts'
import { lineOf, SERVICE, stateLineOf } from './records/entries.ts'
import './support/realms.ts'
import { hashOf, makeRecord, openRun, source } from './support/samples.ts'

const [hash1, hash2, hash3] = [hashOf(1), hashOf(2), hashOf(3)]

interface Given {
  readonly inputs?: Readonly<Record<string, string>>
  /** The text of the records file. */
  readonly records?: string
  readonly runAttempt?: string | null
  readonly counts?: readonly PatternCount[]
  readonly release?: ReleaseFacts
}

function plan(artifacts: readonly Artifact[], given: Given = {}): Plan {
  const { inputs = {}, records = '', runAttempt = '1', counts = [], release = null } = given
  const others = [{ name: 'records.jsonl', bytes: Buffer.from(records) }]
  const query = { path: '/missing', name: 'records.jsonl', others, service: SERVICE }
  return makePlan({
    inputs: readInputs(inputs, 0).usable,
    artifacts,
    counts,
    records: readRecords(query),
    release,
    source: { ...source, runAttempt },
  })
}

const artifactOf =
  (from: ArtifactSource) =>
  (name: string, hash: string, size: number | null = 5): Artifact => ({
    source: from,
    name,
    size: from === 'checksums' ? null : size,
    hash,
  })
const file = artifactOf('path')
const entry = artifactOf('checksums')
const asset = artifactOf('release-tag')
const failing = (name: string, code: FailureCode = 'unreadable'): Artifact => ({
  source: 'path',
  name,
  failure: makeFailure({ code, what: `why ${code}`, remedy: 'r' }),
})

/** The one problem of a plan, and of that of a dry run. */
function problemOf(artifacts: readonly Artifact[], given: Given = {}): Problem {
  const { problems } = plan(artifacts, given)
  expect(problems).toHaveLength(1)
  const dryRun = plan(artifacts, { ...given, inputs: { ...given.inputs, 'dry-run': 'true' } })
  expect(dryRun.problems).toEqual(problems)
  return problems[0] ?? { input: null, message: '' }
}

describe('what is registered', () => {
  const left = (name: string, hash: string, size: number | null = 5) => {
    return { name, hash, size, open: null }
  }
  type Row = [string, artifacts: Artifact[], names: string[], toRegister: object[], Given?]
  it.each<Row>([
    ['nothing of nothing', [], [], []],
    [
      'each distinct hash, sorted by UTF-16 code units',
      [file('b', hash2), entry('a', hash1), file('\uff01', hash3), asset('\u{1f600}', hashOf(4))],
      ['a', 'b', '\u{1f600}', '\uff01'],
      [
        left('a', hash1, null),
        left('b', hash2),
        left('\u{1f600}', hashOf(4)),
        left('\uff01', hash3),
      ],
    ],
    [
      'equal content once, under the first name by sort',
      [file('z', hash1), file('m', hash1), entry('b', hash1)],
      ['b', 'm', 'z'],
      [left('b', hash1, null)],
    ],
    [
      'a name with one hash once, with the size of the file',
      [file('a', hash1, 9), entry('a', hash1), entry('a', hash1)],
      ['a'],
      [left('a', hash1, 9)],
    ],
    [
      'an asset that is a local artifact once, under its local names',
      [file('dist/a', hash1), entry('other/a', hash1), asset('a', hash1)],
      ['dist/a', 'other/a'],
      [left('dist/a', hash1)],
    ],
    [
      'nothing that has a record, under whatever name',
      [file('a', hash1), file('b', hash2), asset('c', hash1)],
      ['a', 'b', 'c'],
      [left('b', hash2)],
      { records: lineOf(1) },
    ],
    [
      'names that only look alike',
      [file('é', hash1), file('e\u0301', hash2), file('__proto__', hash3)],
      ['__proto__', 'e\u0301', 'é'],
      [left('__proto__', hash3), left('e\u0301', hash2), left('é', hash1)],
    ],
  ])('is %s', (_, artifacts, names, toRegister, given = {}) => {
    for (const ordered of [artifacts, artifacts.toReversed()]) {
      const made = plan(ordered, given)
      expect(made).toMatchObject({ problems: [], warnings: [], toRegister })
      expect(made.results.map(({ name }) => name)).toEqual(names)
    }
  })
})

describe('an artifact', () => {
  const registered = { state: 'registered', from: 'records-file', record: makeRecord(hash1) }
  const mismatch = { code: 'record-mismatch', registered: 'unknown', endsRun: false }
  const problems = ['custody is true']
  it.each<[string, records: string, outcome: object, inDryRun?: object]>([
    ['that is new', '', { state: 'planned', open: null }],
    ['with a record', lineOf(1), { ...registered, redacted: [], maybeChargedAgain: false }],
    [
      'with a record that may have been charged again',
      lineOf(1, { maybeChargedAgain: true, redacted: ['/a'] }),
      { ...registered, redacted: ['/a'], maybeChargedAgain: true },
    ],
    ['that is open', stateLineOf(1), { state: 'planned', open: openRun }],
    [
      'with a record that contradicts its request',
      lineOf(1, { problems }),
      { state: 'failed', failure: expect.objectContaining(mismatch) },
      { state: 'held' },
    ],
  ])('%s', (_, records, outcome, inDryRun = outcome) => {
    const result = { name: 'a', size: 5, hash: hash1 }
    const made = plan([file('a', hash1)], { records })
    expect(made).toMatchObject({ results: [{ ...result, outcome }], problems: [], warnings: [] })
    const { state } = made.results[0]?.outcome ?? {}
    expect(made.toRegister).toHaveLength(state === 'planned' ? 1 : 0)
    const dryRun = plan([file('a', hash1)], { records, inputs: { 'dry-run': 'true' } })
    expect(dryRun.results).toMatchObject([{ ...result, outcome: inDryRun }])
  })

  it.each(['unreadable', 'changed', 'cancelled'] as const)(
    'that is %s keeps its failure, whatever a checksums file or a release says of it',
    code => {
      for (const other of [entry('a', hash1), asset('a', hash1)]) {
        const made = plan([other, failing('a', code), file('b', hash2)], { records: lineOf(1) })
        const outcome = { state: 'failed', failure: { code, registered: 'no' } }
        expect(made.results[0]).toMatchObject({ name: 'a', size: null, hash: null, outcome })
        expect(made.toRegister.map(({ name }) => name)).toEqual(['b'])
        expect(made.checksums.map(({ name }) => name)).toEqual(['b'])
      }
    },
  )

  it('has the outcome of its hash after the run, else it is lost', () => {
    const artifacts = [file('a', hash1), file('b', hash2), file('c', hash3), file('d', hash1)]
    const made = plan(artifacts, { records: lineOf(3) })
    const now = { state: 'registered', from: 'this-run', record: {}, redacted: [] } as const
    const outcome = { ...now, maybeChargedAgain: false }
    const lost = bugFailure('x', 'y')
    const results = resultsOf(made, new Map([[hash1, outcome]]), lost)
    const known = expect.objectContaining({ from: 'records-file' })
    const failed = { state: 'failed', failure: lost }
    expect(results.map(one => one.outcome)).toEqual([outcome, failed, known, outcome])
  })
})

describe('a name with two hashes stops the run', () => {
  const two = [entry('x/y', hash1), entry('x/y', hash2)]
  it.each<[string, readonly Artifact[]]>([
    ['of a file and an entry', [file('x/y', hash1), entry('x/y', hash2)]],
    ['of two entries', two],
  ])('%s, and both are named', (_, artifacts) => {
    const { input, message } = problemOf(artifacts)
    expect(input).toBe('checksums')
    for (const part of ['"x/y"', hash1, hash2]) expect(message).toContain(part)
    expect(plan(artifacts).checksums).toEqual([])
  })
})

describe('max-registrations', () => {
  const artifacts = [file('a', hash1), file('b', hash2), file('c', hash3), file('d', hash3)]
  const counts = [
    { input: 'path', text: 'dist/**', count: 4 },
    { input: 'checksums', text: 'SHA256SUMS', count: 1 },
    { input: 'release-tag', text: 'v1', count: 2 },
  ] as const
  const limit = (max: string, dryRun = 'false') => {
    return { inputs: { 'max-registrations': max, 'dry-run': dryRun }, counts }
  }

  it('stops the run if more distinct hashes are left, with the number and the count of each pattern', () => {
    expect(plan(artifacts, limit('3')).problems).toEqual([])
    const { problems } = plan([...artifacts, failing('e')], limit('2'))
    expect(problems).toEqual([
      {
        input: 'max-registrations',
        message: expect.stringMatching(
          / is 2, but 3 distinct hashes are left .*"dist\/\*\*" matches 4 files, "SHA256SUMS" matches 1 checksums entry, "v1" matches 2 release assets/,
        ),
      },
    ])
    expect(plan(artifacts, { ...limit('1'), records: lineOf(1) + lineOf(2) }).problems).toEqual([])
  })

  it('is a warning in a dry run', () => {
    const { problems, warnings, toRegister } = plan(artifacts, limit('2', 'true'))
    expect({ problems, warnings, left: toRegister.length }).toEqual({
      problems: [],
      warnings: [expect.stringContaining('3 distinct hashes')],
      left: 3,
    })
  })
})

it('damage of a records file stops any run, with file, line and remedy', () => {
  for (const text of ['x\n', `${lineOf(1)}x\n`]) {
    const { input, message } = problemOf([file('a', hash1)], { records: text })
    expect(input).toBe('records-path')
    expect(message).toMatch(/"records.jsonl", line \d .*nothing was sent/)
  }
})

describe('a release', () => {
  const facts: ReleaseFacts = {
    tag: 'v1',
    isDraft: false,
    isTagOfRun: true,
    tagCommit: 'c0ffee',
    runCommit: 'c0ffee',
    assets: [],
  }
  it('stops the run if it has other bytes, and if its tag has moved', () => {
    const release = { ...facts, tagCommit: 'f00d', assets: [asset('a', hash2)] }
    const { problems } = plan([file('dist/a', hash1), asset('a', hash2)], { release })
    expect(problems.map(({ input }) => input)).toEqual(['release-tag', 'release-tag'])
  })

  it.each([
    ['error', 1, 0],
    ['warn', 0, 1],
    ['ignore', 0, 0],
  ])('without assets is judged by if-no-files-found: %s', (policy, problems, warnings) => {
    const inputs = { 'if-no-files-found': policy }
    const made = plan([], { inputs, release: facts })
    expect([made.problems.length, made.warnings.length]).toEqual([problems, warnings])
    expect(plan([file('a', hash1)], { inputs, release: facts }).problems).toEqual([])
  })
})

describe('a later attempt without a line of an earlier one', () => {
  const own = { source: { ...source, runAttempt: '1' } }
  const other = { source: { ...source, runId: '9' } }
  it.each<[string, Given, warnings: number]>([
    ['attempt 2', { runAttempt: '2' }, 1],
    ['attempt 2 with a line of another run', { runAttempt: '2', records: lineOf(9, other) }, 1],
    ['attempt 2 in a dry run', { runAttempt: '2', inputs: { 'dry-run': 'true' } }, 1],
    ['attempt 2 with a line of attempt 1', { runAttempt: '2', records: stateLineOf(9, own) }, 0],
    ['attempt 2 with nothing to register', { runAttempt: '2', records: lineOf(1, other) }, 0],
    ['attempt 1', {}, 0],
    ['an unknown attempt', { runAttempt: null }, 0],
  ])('gets a warning that what it registered would be paid for again: %s', (_, given, count) => {
    const { problems, warnings } = plan([file('a', hash1)], given)
    expect(problems).toEqual([])
    const warning = expect.stringMatching(/attempt 2 .*paid for again.*restore its records/)
    expect(warnings).toEqual(Array.from({ length: count }, () => warning))
  })
})

it('all guards together report everything that is wrong at once', () => {
  const artifacts = [file('a', hash1), file('b', hash2), entry('a', hash2)]
  const inputs = { 'max-registrations': '1' }
  const { problems } = plan(artifacts, { inputs, records: 'x\n' })
  const named = problems.map(({ input }) => input)
  expect(named.toSorted()).toEqual(['checksums', 'max-registrations', 'records-path'])
})
