import { describe, expect, it } from '@jest/globals'
import type { Artifact, ArtifactSource } from '../src/artifacts/artifact.ts'
import { bugFailure, makeFailure, type FailureCode } from '../src/failure.ts'
import { dryRunResults, makePlan, resultsOf, type Plan, type PlanInput } from '../src/plan.ts'
import type { Known } from '../src/records/known.ts'
import { entryOf } from './records/entries.ts'
import { hashOf, openTries as tries, source } from './support/samples.ts'

const [hashA, hashB, hashC] = [hashOf(0xa), hashOf(0xb), hashOf(0xc)]
const { lines } = tries

/** What is known of a hash: it is registered, open, or contradicted by these problems. */
type Fact = 'registered' | 'open' | readonly string[]

function knownAs(fact: Fact, hash: string): Known {
  const entry = { ...entryOf(1, { redacted: ['/extra'], unansweredTries: 3 }), hash }
  if (fact === 'registered') return { state: 'registered', entry }
  if (fact === 'open') return { state: 'open', tries }
  return { state: 'contradicted', entry: { ...entry, problems: fact }, lines }
}

type Given = Partial<Omit<PlanInput, 'artifacts' | 'known'>> & {
  readonly known?: Readonly<Record<string, Fact>>
  readonly hasEarlierAttempt?: boolean
}

function plan(artifacts: readonly Artifact[], given: Given = {}): Plan {
  const { known = {}, hasEarlierAttempt = false, ...changed } = given
  const find = (hash: string): Known | undefined => {
    const fact = known[hash]
    return fact === undefined ? undefined : knownAs(fact, hash)
  }
  return makePlan({
    ...{ artifacts, counts: [], damage: [], recordsPath: 'records.jsonl', source },
    ...{ maxRegistrations: 100, isDryRun: false, retryUnanswered: true, release: null },
    ...{ ifNoFilesFound: 'error', hasSecret: () => false },
    known: { find, hasEarlierAttempt: () => hasEarlierAttempt },
    ...changed,
  })
}

const artifactOf =
  (from: ArtifactSource) =>
  (name: string, hash: string, size = from === 'checksums' ? null : 5): Artifact => ({
    ...{ source: from, name, size, hash },
  })
const file = artifactOf('path')
const entry = artifactOf('checksums')
const asset = artifactOf('release-tag')
const failing = (name: string, code: FailureCode = 'unreadable'): Artifact => ({
  ...{ source: 'path', name },
  failure: makeFailure({ code, what: `why ${code}`, remedy: 'r' }),
})

/** The one problem of a run, which is that of a dry run, too, unless it is said otherwise. */
function problemOf(artifacts: readonly Artifact[], given: Given = {}, isAlsoDry = true) {
  const { problems } = plan(artifacts, given)
  expect(problems).toHaveLength(1)
  const dryRun = plan(artifacts, { ...given, isDryRun: true })
  expect(dryRun.problems).toEqual(isAlsoDry ? problems : [])
  return problems[0] ?? { input: null, message: '' }
}

const namesIn = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)

describe('the plan', () => {
  it('of nothing is empty', () => {
    const empty = { artifacts: [], checksums: [], toRegister: [], problems: [], warnings: [] }
    expect(plan([])).toEqual(empty)
  })

  const left = (name: string, hash: string, size: number | null = 5) => {
    return { name, hash, size, open: null }
  }
  type Row = [what: string, artifacts: Artifact[], names: string[], toRegister: object[], Given?]
  it.each<Row>([
    [
      'every distinct hash, sorted by UTF-16 code units',
      [file('b', hashB), entry('a', hashA), file('\uff01', hashOf(1)), asset('\u{1f600}', hashC)],
      ['a', 'b', '\u{1f600}', '\uff01'],
      [
        left('a', hashA, null),
        left('b', hashB),
        left('\u{1f600}', hashC),
        left('\uff01', hashOf(1)),
      ],
    ],
    [
      'shared content once, under the first name by sort',
      [file('z', hashA), file('m', hashA), entry('b', hashA)],
      ['b', 'm', 'z'],
      [left('b', hashA, null)],
    ],
    [
      'the same name with the same hash once, with its size',
      [file('a', hashA, 9), entry('a', hashA), entry('a', hashA)],
      ['a'],
      [left('a', hashA, 9)],
    ],
    [
      'an asset that is a local artifact once, under each local name',
      [file('dist/a', hashA), entry('other/a', hashA), asset('a', hashA)],
      ['dist/a', 'other/a'],
      [left('dist/a', hashA)],
    ],
    [
      'an asset with the hash of a local artifact, but another name, as one more name',
      [file('dist/a', hashA), asset('b', hashA)],
      ['b', 'dist/a'],
      [left('b', hashA)],
    ],
    [
      'nothing that is known, under whatever name',
      [file('a', hashA), file('b', hashB), asset('c', hashA)],
      ['a', 'b', 'c'],
      [left('b', hashB)],
      { known: { [hashA]: 'registered' } },
    ],
    [
      'the content of an unreadable file under another name that shares it',
      [failing('a'), entry('a', hashA), file('b', hashA)],
      ['a', 'b'],
      [left('b', hashA)],
    ],
  ])('registers %s', (_, artifacts, names, toRegister, given = {}) => {
    for (const ordered of [artifacts, artifacts.toReversed()]) {
      const made = plan(ordered, given)
      expect(made).toMatchObject({ problems: [], warnings: [] })
      expect(namesIn(made.artifacts)).toEqual(names)
      expect(made.checksums).toEqual(made.artifacts)
      expect(made.toRegister).toEqual(toRegister)
    }
  })

  it('keeps names apart that only look alike', () => {
    const names = ['e\u0301', 'é', 'A', 'a', 'a ', './a', '__proto__', 'constructor']
    const { artifacts } = plan(names.map((name, index) => entry(name, hashOf(index))))
    expect(namesIn(artifacts)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  })
})

describe('what becomes of an artifact', () => {
  const registered = {
    ...{ state: 'registered', from: 'records-file', record: entryOf(1).record },
    ...{ redacted: ['/extra'], unansweredTries: 3 },
  }
  it.each<[string, Given, outcome: object, planned: object]>([
    ['new', {}, { state: 'planned', open: null }, { state: 'planned', open: null }],
    ['registered before', { known: { [hashA]: 'registered' } }, registered, registered],
    [
      'left open by an earlier run',
      { known: { [hashA]: 'open' } },
      { state: 'planned', open: tries },
      { state: 'planned', open: tries },
    ],
  ])('that is %s', (_, given, outcome, planned) => {
    const made = plan([file('a', hashA)], given)
    expect(made.artifacts).toEqual([{ name: 'a', size: 5, hash: hashA, outcome }])
    expect(dryRunResults(made)).toEqual([{ name: 'a', size: 5, hash: hashA, outcome: planned }])
  })

  it('that was to be registered is the outcome of its hash, else lost', () => {
    const made = plan([file('a', hashA), file('b', hashB), file('c', hashC), file('d', hashA)], {
      known: { [hashC]: 'registered' },
    })
    const outcome = { ...registered, state: 'registered', from: 'this-run' } as const
    const lost = bugFailure('x', 'y')
    const results = resultsOf(made, new Map([[hashA, outcome]]), lost)
    expect(namesIn(results)).toEqual(['a', 'b', 'c', 'd'])
    const failed = { state: 'failed', failure: lost }
    expect(results.map(one => one.outcome)).toEqual([outcome, failed, registered, outcome])
  })

  it.each<[string, Given, FailureCode, readonly string[]]>([
    [
      'has a record with problems',
      { known: { [hashA]: ['custody is true', 'signed is true'] } },
      'record-mismatch',
      ['custody is true', 'signed is true', 'not sent again', `remove ${lines}`],
    ],
    [
      'is open and must not be sent again',
      { known: { [hashA]: 'open' }, retryUnanswered: false },
      'unavailable',
      [tries.at, source.runUrl, 'retry-unanswered: false', 'append its record', `remove ${lines}`],
    ],
  ])(
    'that %s is never sent, is counted for no limit, and is said to need a person',
    (_, given, code, parts) => {
      const made = plan([file('a', hashA), file('b', hashA)], { maxRegistrations: 0, ...given })
      expect(made).toMatchObject({ toRegister: [], problems: [], warnings: [] })
      expect(namesIn(made.artifacts)).toEqual(['a', 'b'])
      for (const { outcome, hash } of made.artifacts) {
        expect(hash).toBe(hashA)
        const failure = { code, registered: 'unknown', endsRun: false, isDeferrable: false }
        expect(outcome).toMatchObject({ state: 'failed', failure: { ...failure, isOutage: false } })
        const said = JSON.stringify(outcome).replaceAll('\\"', '"')
        for (const part of parts) expect(said).toContain(part)
      }
      expect(dryRunResults(made).map(({ outcome }) => outcome)).toEqual(
        Array.from({ length: 2 }, () => ({ state: 'held' })),
      )
    },
  )

  it.each(['unreadable', 'changed', 'cancelled'] as const)(
    'that is a file that is %s keeps its failure, whatever a checksums file or a release says of it',
    code => {
      for (const other of [entry('a', hashA), asset('a', hashA)]) {
        const artifacts = [failing('a', code), other, file('b', hashB)]
        for (const given of [artifacts, artifacts.toReversed()]) {
          const made = plan(given, { known: { [hashA]: 'registered' } })
          expect(made.problems).toEqual([])
          const outcome = { state: 'failed', failure: { code, registered: 'no' } }
          const result = { name: 'a', size: null, hash: null }
          expect(made.artifacts[0]).toMatchObject({ ...result, outcome })
          expect(dryRunResults(made)[0]).toMatchObject({ ...result, outcome })
          expect(namesIn(made.toRegister)).toEqual(['b'])
        }
      }
    },
  )
})

describe('the guard of two hashes', () => {
  const two = [entry('x/y', hashA), entry('x/y', hashB)]
  it.each<[string, readonly Artifact[], Given]>([
    ['of file and entry', [file('x/y', hashA), entry('x/y', hashB)], {}],
    ['of two entries', two, {}],
    ['of the second entry', [file('x/y', hashA), ...two], {}],
    ['of entries for a file that cannot be read', [failing('x/y'), ...two], {}],
    ['that are known', two, { known: { [hashA]: 'registered', [hashB]: 'registered' } }],
  ])('stops the run, also a dry run, and names both: %s', (_, artifacts, given) => {
    const { input, message } = problemOf(artifacts, given)
    expect(input).toBe('checksums')
    expect(message).toMatch(/^input "checksums": /)
    for (const part of ['"x/y"', hashA, hashB]) expect(message).toContain(part)
  })

  it('names a few of many, harmless, and counts the rest', () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}\n::error::y\u001b[0m`)
    const { message } = problemOf(names.flatMap(name => [file(name, hashA), entry(name, hashB)]))
    expect(message).toContain('"n0\\u000a')
    expect(message).toMatch(/29\d more/)
    expect(message).not.toMatch(/\p{Cc}/u)
    expect(message.length).toBeLessThan(4000)
  })
})

describe('the guard of the limit', () => {
  const artifacts = [file('a', hashA), file('b', hashB), file('c', hashC), file('d', hashC)]
  const counts = [
    { input: 'path', text: 'dist/**', count: 4 },
    { input: 'path', text: 'one', count: 1 },
    { input: 'checksums', text: 'SHA256SUMS', count: 2 },
    { input: 'checksums', text: 'sums/*', count: 0 },
    { input: 'release-tag', text: 'v1', count: 1 },
  ] as const

  it.each<[limit: number, problems: number, Given]>([
    [4, 0, {}],
    [3, 0, {}],
    [2, 1, {}],
    [0, 1, {}],
    [1, 0, { known: { [hashA]: 'registered', [hashC]: ['bad'] } }],
  ])('of %d counts the distinct hashes that are left: %d problems', (limit, count, given) => {
    const { problems } = plan([...artifacts, failing('e')], { ...given, maxRegistrations: limit })
    expect(problems).toHaveLength(count)
  })

  it('names the limit, the number and how much each pattern matches; in a dry run it is a warning', () => {
    const given = { counts, maxRegistrations: 2 }
    const { input, message } = problemOf(artifacts, given, false)
    expect(input).toBe('max-registrations')
    expect(message).toMatch(/^input "max-registrations" is 2, and 3 distinct hashes/)
    expect(message).toContain(
      '("dist/**" matches 4 files, "one" matches 1 file, "SHA256SUMS" matches 2 checksums entries, "sums/*" matches 0 checksums entries, "v1" matches 1 release asset)',
    )
    const dryRun = plan(artifacts, { ...given, isDryRun: true })
    expect(dryRun.warnings).toEqual([message])
    expect(dryRun.toRegister).toHaveLength(3)
    expect(plan(artifacts, { isDryRun: true, maxRegistrations: 3 }).warnings).toEqual([])
  })

  it('leaves no pattern out in silence when there are many', () => {
    const texts = Array.from({ length: 80 }, (_, index) => `folder-${index}/**`)
    const many = texts.map(text => ({ input: 'path', text, count: 1 }) as const)
    const { message } = problemOf(artifacts, { counts: many, maxRegistrations: 1 }, false)
    const named = texts.filter(text => message.includes(`"${text}"`))
    const [, more = '0'] = /(\d+) more/.exec(message) ?? []
    expect(named.length + Number(more)).toBe(80)
  })
})

it.each<[string, Given]>([
  ['new', {}],
  ['known', { known: { [hashA]: 'registered' } }],
])('damage of the records file stops any run and is shown, where artifacts are %s', (_, given) => {
  const damage = ['"records.jsonl", line 3 is not valid JSON', '"records.jsonl", line 9 is odd']
  const { input, message } = problemOf([file('a', hashA)], { ...given, damage })
  expect(input).toBe('records-path')
  for (const part of damage) expect(message).toContain(part)
})

describe('the guard of secrets', () => {
  const hasSecret = (text: string): boolean =>
    /hunter2|4242424242/.test(text) || text.includes(hashC)

  it.each<[ArtifactSource, string, readonly Artifact[]]>([
    ['path', 'a name', [file('dist/hunter2.txt', hashA), file('good', hashB)]],
    ['path', 'the name of a file that cannot be read', [failing('dist/hunter2.txt')]],
    ['checksums', 'a name', [entry('dist/hunter2.txt', hashA), entry('good', hashB)]],
    ['release-tag', 'a name', [asset('hunter2.txt', hashA)]],
    ['path', 'a size', [file('a', hashA, 4242424242)]],
    ['checksums', 'a hash', [entry('a', hashC)]],
    ['path', 'the name of what is known', [file('hunter2', hashB)]],
  ])('stops the run without showing it, and names the input %s: in %s', (input, _, artifacts) => {
    const problem = problemOf(artifacts, { hasSecret, known: { [hashB]: 'registered' } })
    expect(problem.input).toBe(input)
    expect(problem.message).toMatch(/^input "(path|checksums|release-tag)": 1 artifact .*rename/)
    expect(hasSecret(problem.message)).toBe(false)
  })

  it('lets names pass that have none, and finds one among many', () => {
    const many = Array.from({ length: 250 }, (_, index) => file(`hunter3-${index}`, hashA))
    expect(plan(many, { hasSecret }).problems).toEqual([])
    expect(problemOf([...many, file('hunter2', hashA)], { hasSecret }).message).toContain(' 1 art')
  })
})

describe('the guards of the release', () => {
  const release = { tag: 'v1', isDraft: false, runCommit: 'c0ffee', tagCommit: undefined }
  it('stop the run where the release publishes other bytes, or the tag has moved', () => {
    const artifacts = [file('dist/a', hashA), asset('a', hashB)]
    const facts = { ...release, tagCommit: 'f00d', assets: [asset('a', hashB)] }
    for (const isDryRun of [false, true]) {
      const { problems } = plan(artifacts, { release: facts, isDryRun })
      expect(problems.map(({ input }) => input)).toEqual(['release-tag', 'release-tag'])
    }
  })

  it.each([
    ['error', [[/"v1"/], []]],
    ['warn', [[], [/"v1"/]]],
    ['ignore', [[], []]],
  ] as const)('of no assets are as strict as if-no-files-found: %s', (policy, expected) => {
    const made = plan([], { release: { ...release, assets: [] }, ifNoFilesFound: policy })
    const said = [made.problems.map(({ message }) => message), made.warnings]
    expect(said).toEqual(expected.map(all => all.map(text => expect.stringMatching(text))))
    const assets = [asset('a', hashA)]
    const one = plan([file('a', hashA)], {
      release: { ...release, assets },
      ifNoFilesFound: policy,
    })
    expect(one).toMatchObject({ problems: [], warnings: [] })
  })

  it('warn of what the release does not publish', () => {
    const artifacts = [file('dist/a', hashA), file('dist/b', hashB), asset('a', hashA)]
    const made = plan(artifacts, { release: { ...release, assets: [asset('a', hashA)] } })
    const warnings = [expect.stringMatching(/^No asset .*"dist\/b"$/)]
    expect(made).toMatchObject({ problems: [], warnings })
  })
})

describe('an earlier attempt that left no line', () => {
  const attempt = (runAttempt: string | null) => ({ source: { ...source, runAttempt } })
  it.each<[string, Given, number]>([
    ['attempt 2', attempt('2'), 1],
    ['attempt 3, in a dry run', { ...attempt('3'), isDryRun: true }, 1],
    ['attempt 2 with a line of an earlier one', { ...attempt('2'), hasEarlierAttempt: true }, 0],
    ['attempt 2, nothing to register', { ...attempt('2'), known: { [hashA]: 'registered' } }, 0],
    ['attempt 1', attempt('1'), 0],
    ['an attempt without a number', attempt(null), 0],
    ['an attempt that is no number', attempt('x'), 0],
  ])('is warned of: %s', (_, given, count) => {
    const warning = expect.stringMatching(/attempt [23] .*paid again.*Bring its records back/)
    const warnings = Array.from({ length: count }, () => warning)
    expect(plan([file('a', hashA)], given)).toMatchObject({ problems: [], warnings })
  })
})

describe('what a checksums file may show', () => {
  const artifacts = [file('a', hashA), failing('b'), file('secret', hashC)]

  it('is every artifact, also when another guard stops the run', () => {
    for (const given of [{}, { maxRegistrations: 0 }, { damage: ['line 1'] }, { isDryRun: true }])
      expect(namesIn(plan(artifacts, given).checksums)).toEqual(['a', 'b', 'secret'])
  })

  it('is nothing where a name has two hashes or holds a secret', () => {
    const hasSecret = (text: string): boolean => text.includes('secret')
    expect(plan(artifacts, { hasSecret }).checksums).toEqual([])
    expect(plan([...artifacts, entry('a', hashB)]).checksums).toEqual([])
  })
})

it('the guards together say everything that is wrong at once', () => {
  const artifacts = [file('a', hashA), file('b', hashB), file('secret', hashC), entry('a', hashB)]
  const { problems } = plan(artifacts, {
    ...{ damage: ['"records.jsonl", line 1 is odd'], maxRegistrations: 1 },
    hasSecret: text => text.includes('secret'),
  })
  const inputs = ['checksums', 'max-registrations', 'path', 'records-path']
  expect(problems.map(({ input }) => input).sort()).toEqual(inputs)
})
