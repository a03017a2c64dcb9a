import { describe, expect, it } from '@jest/globals'
import type { Artifact, ArtifactSource } from '../src/artifacts/artifact.ts'
import { makeFailure } from '../src/failure.ts'
import { makePlan, type Plan, type PlanInput } from '../src/plan.ts'
import type { Known } from '../src/records/known.ts'
import { hashOf, source } from './support/samples.ts'
import { entryOf } from './records/entries.ts'

const [hashA, hashB, hashC] = [hashOf(0xa), hashOf(0xb), hashOf(0xc)]

type Given = Partial<Omit<PlanInput, 'known'>> & {
  readonly known?: ReadonlyMap<string, Known>
  readonly hasEarlierAttempt?: boolean
}

function plan({ known = new Map(), hasEarlierAttempt = false, ...changed }: Given): Plan {
  return makePlan({
    ...{ artifacts: [], counts: [], damage: [], recordsPath: 'records.jsonl', source },
    ...{ maxRegistrations: 100, isDryRun: false, retryUnanswered: true, release: null },
    ifNoFilesFound: 'error',
    known: { find: hash => known.get(hash), hasEarlierAttempt: () => hasEarlierAttempt },
    hasSecret: () => false,
    ...changed,
  })
}

const lines = 'lines 7, 12 of "records.jsonl"'

/** What is known of hashes: each registered, contradicted by these problems, or open. */
function knowing(facts: Readonly<Record<string, 'registered' | 'open' | readonly string[]>>) {
  return new Map(
    Object.entries(facts).map(([hash, fact]): [string, Known] => {
      const entry = { ...entryOf(1, { redacted: ['/extra'], unansweredTries: 3 }), hash }
      if (fact === 'registered') return [hash, { state: 'registered', entry, lines }]
      if (fact !== 'open')
        return [hash, { state: 'contradicted', entry: { ...entry, problems: fact }, lines }]
      const tries = { count: 2, at: '2026-01-31T12:00:00.000Z', runUrl: source.runUrl, lines }
      return [hash, { state: 'open', tries, lines }]
    }),
  )
}

const of =
  (from: ArtifactSource) =>
  (
    name: string,
    hash: string,
    size: number | null = from === 'checksums' ? null : 5,
  ): Artifact => ({
    ...{ source: from, name, size, hash },
  })
const file = of('path')
const entry = of('checksums')
const asset = of('release-tag')
const failing = (
  name: string,
  code: 'unreadable' | 'changed' | 'cancelled' = 'unreadable',
  from: ArtifactSource = 'path',
): Artifact => ({
  source: from,
  name,
  failure: makeFailure({ code, what: `why ${code}`, remedy: 'r' }),
})

const toRegister = { state: 'to-register', open: null }

/** What there is to say about the one input that a plan has a problem with. */
function problemOf({ problems }: Plan): {
  readonly input: string | null
  readonly message: string
} {
  expect(problems).toHaveLength(1)
  return problems[0] ?? { input: null, message: '' }
}

describe('the plan', () => {
  it('of nothing is empty', () => {
    expect(plan({})).toEqual({
      artifacts: [],
      checksums: [],
      toRegister: [],
      problems: [],
      warnings: [],
    })
  })

  it.each<
    [string, Given, readonly string[], readonly (readonly [string, string, number | null])[]]
  >([
    [
      'every distinct hash, sorted by UTF-16 code units',
      {
        artifacts: [
          file('b', hashB),
          entry('a', hashA),
          file('\uff01', hashOf(1)),
          file('Z', hashOf(2)),
          asset('\u{1f600}', hashOf(3)),
        ],
      },
      ['Z', 'a', 'b', '\u{1f600}', '\uff01'],
      [
        ['Z', hashOf(2), 5],
        ['a', hashA, null],
        ['b', hashB, 5],
        ['\u{1f600}', hashOf(3), 5],
        ['\uff01', hashOf(1), 5],
      ],
    ],
    [
      'shared content once, under the first name by sort',
      { artifacts: [file('z', hashA), file('m', hashA), entry('b', hashA), entry('c', hashB)] },
      ['b', 'c', 'm', 'z'],
      [
        ['b', hashA, null],
        ['c', hashB, null],
      ],
    ],
    [
      'the same name with the same hash once, with its size',
      { artifacts: [file('a', hashA, 9), entry('a', hashA), entry('a', hashA)] },
      ['a'],
      [['a', hashA, 9]],
    ],
    [
      'an asset that is a local artifact once, under each local name',
      {
        artifacts: [
          file('dist/a', hashA),
          entry('other/a', hashA),
          asset('a', hashA),
          asset('b', hashB),
        ],
      },
      ['b', 'dist/a', 'other/a'],
      [
        ['b', hashB, 5],
        ['dist/a', hashA, 5],
      ],
    ],
    [
      'an asset with the hash of a local artifact, but another name, as one more name',
      { artifacts: [file('dist/a', hashA), asset('b', hashA)] },
      ['b', 'dist/a'],
      [['b', hashA, 5]],
    ],
    [
      'nothing that is known, under whatever name',
      {
        artifacts: [file('a', hashA), file('b', hashB), asset('c', hashA)],
        known: knowing({ [hashA]: 'registered' }),
      },
      ['a', 'b', 'c'],
      [['b', hashB, 5]],
    ],
    [
      'the content of an unreadable file under another name that shares it',
      { artifacts: [failing('a'), entry('a', hashA), file('b', hashA)] },
      ['a', 'b'],
      [['b', hashA, 5]],
    ],
  ])('registers %s', (_, given, names, registrations) => {
    for (const artifacts of [given.artifacts ?? [], given.artifacts?.toReversed() ?? []]) {
      const made = plan({ ...given, artifacts })
      expect({ problems: made.problems, warnings: made.warnings }).toEqual({
        problems: [],
        warnings: [],
      })
      expect(made.artifacts.map(({ name }) => name)).toEqual(names)
      expect(made.checksums).toEqual(made.artifacts)
      expect(made.toRegister).toEqual(
        registrations.map(([name, hash, size]) => ({ name, hash, size, open: null })),
      )
    }
  })

  it('keeps names apart that only look alike', () => {
    const names = ['e\u0301', 'é', 'A', 'a', 'a ', './a', '__proto__', 'constructor']
    const { artifacts } = plan({
      artifacts: names.map((name, index) => entry(name, hashOf(index))),
    })
    expect(artifacts.map(one => one.name)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  })
})

describe('what becomes of an artifact', () => {
  const { record } = entryOf(1)
  const open = knowing({ [hashA]: 'open' }).get(hashA)
  it.each<[string, Given, object]>([
    ['new', {}, toRegister],
    [
      'registered by an earlier run',
      { known: knowing({ [hashA]: 'registered' }) },
      {
        state: 'registered',
        from: 'records-file',
        record,
        redacted: ['/extra'],
        unansweredTries: 3,
      },
    ],
    [
      'left open by an earlier run',
      { known: knowing({ [hashA]: 'open' }) },
      { state: 'to-register', open: open?.state === 'open' && open.tries },
    ],
  ])('that is %s', (_, given, fate) => {
    expect(plan({ artifacts: [file('a', hashA)], ...given }).artifacts).toEqual([
      { name: 'a', size: 5, hash: hashA, fate },
    ])
  })

  it.each<[string, Given, string, readonly string[]]>([
    [
      'has a record with problems',
      { known: knowing({ [hashA]: ['custody is true', 'signed is true'] }) },
      'record-mismatch',
      ['custody is true', 'signed is true', 'not sent again', `remove ${lines}`],
    ],
    [
      'is open and must not be sent again',
      { known: knowing({ [hashA]: 'open' }), retryUnanswered: false },
      'unavailable',
      [
        '2026-01-31T12:00:00.000Z',
        source.runUrl,
        'retry-unanswered: false',
        'append its record',
        `remove ${lines}`,
      ],
    ],
  ])(
    'that %s is never sent, is counted for no limit, and is said to need a person',
    (_, given, code, parts) => {
      const artifacts = [file('a', hashA), file('b', hashA)]
      const made = plan({ artifacts, maxRegistrations: 0, ...given })
      expect(made).toMatchObject({ toRegister: [], problems: [], warnings: [] })
      expect(made.artifacts).toHaveLength(2)
      for (const { fate, hash } of made.artifacts) {
        expect(hash).toBe(hashA)
        expect(fate).toMatchObject({
          state: 'failed',
          failure: {
            code,
            registered: 'unknown',
            isOutage: false,
            isDeferrable: false,
            endsRun: false,
          },
        })
        for (const part of parts)
          expect(JSON.stringify(fate).replaceAll('\\"', '"')).toContain(part)
      }
    },
  )

  it.each(['unreadable', 'changed', 'cancelled'] as const)(
    'that is a file that is %s keeps its failure, whatever a checksums file or a release says of it',
    code => {
      for (const other of [entry('a', hashA), asset('a', hashA)]) {
        const artifacts = [failing('a', code), other, file('b', hashB)]
        for (const given of [artifacts, artifacts.toReversed()]) {
          const made = plan({ artifacts: given, known: knowing({ [hashA]: 'registered' }) })
          expect(made.problems).toEqual([])
          expect(made.artifacts[0]).toMatchObject({
            ...{ name: 'a', size: null, hash: null },
            fate: { state: 'failed', failure: { code, registered: 'no', what: `why ${code}` } },
          })
          expect(made.toRegister.map(({ name }) => name)).toEqual(['b'])
        }
      }
    },
  )
})

describe('the guard of two hashes', () => {
  it.each<[string, Given]>([
    ['of file and entry', { artifacts: [file('x/y', hashA), entry('x/y', hashB)] }],
    ['of two entries', { artifacts: [entry('x/y', hashA), entry('x/y', hashB)] }],
    [
      'of the second entry',
      { artifacts: [file('x/y', hashA), entry('x/y', hashA), entry('x/y', hashB)] },
    ],
    [
      'of entries for a file that cannot be read',
      { artifacts: [failing('x/y'), entry('x/y', hashA), entry('x/y', hashB)] },
    ],
    [
      'that are known',
      {
        artifacts: [entry('x/y', hashA), entry('x/y', hashB)],
        known: knowing({ [hashA]: 'registered', [hashB]: 'registered' }),
      },
    ],
  ])('stops the run, also a dry run, and names both: %s', (_, given) => {
    for (const isDryRun of [false, true]) {
      const { input, message } = problemOf(plan({ ...given, isDryRun }))
      expect(input).toBe('checksums')
      expect(message).toMatch(/^input "checksums": /)
      for (const part of ['"x/y"', hashA, hashB]) expect(message).toContain(part)
    }
  })

  it('names a few of many and counts the rest', () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`)
    const { message } = problemOf(
      plan({
        artifacts: names.flatMap(name => [file(name, hashA), entry(name, hashB)]),
      }),
    )
    expect(message).toContain('"n0"')
    expect(message).toMatch(/29\d more/)
    expect(message.length).toBeLessThan(4000)
  })

  it('does not let a name act in its message', () => {
    const name = 'x\n::error::y\u001b[0m'
    const { message } = problemOf(plan({ artifacts: [entry(name, hashA), entry(name, hashB)] }))
    expect(message).not.toMatch(/\p{Cc}/u)
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

  it.each([
    [3, 0],
    [2, 1],
    [1, 1],
    [0, 1],
    [4, 0],
  ])(
    'counts distinct hashes, not files: three under a limit of %d',
    (maxRegistrations, expected) => {
      expect(plan({ artifacts, counts, maxRegistrations }).problems).toHaveLength(expected)
    },
  )

  it('counts only what is left to register', () => {
    const left = { artifacts: [...artifacts, failing('e')], maxRegistrations: 1 }
    const known = knowing({ [hashA]: 'registered', [hashC]: ['bad'] })
    expect(plan({ ...left, known }).problems).toEqual([])
    expect(plan(left).problems).toHaveLength(1)
  })

  it('names the limit, the number and how much each pattern matches', () => {
    const { input, message } = problemOf(plan({ artifacts, counts, maxRegistrations: 2 }))
    expect(input).toBe('max-registrations')
    expect(message).toMatch(/^input "max-registrations" is 2, and 3 distinct hashes/)
    expect(message).toContain('"dist/**" matches 4 files')
    expect(message).toContain('"one" matches 1 file')
    expect(message).not.toContain('matches 1 files')
    expect(message).toContain('"SHA256SUMS" matches 2 checksums entries')
    expect(message).toContain('"sums/*" matches 0 checksums entries')
    expect(message).toMatch(/"v1" matches 1 release asset\b/)
  })

  it('leaves no pattern out in silence when there are many', () => {
    const many = Array.from({ length: 80 }, (_, index) => ({
      input: 'path' as const,
      text: `folder-${index}/**`,
      count: index,
    }))
    const { message } = problemOf(plan({ artifacts, counts: many, maxRegistrations: 1 }))
    const namedCount = many.filter(one => message.includes(`"${one.text}"`)).length
    const [, more = '0'] = /(\d+) more/.exec(message) ?? []
    expect(namedCount + Number(more)).toBe(80)
  })

  it('is a warning with the same text in a dry run', () => {
    const { message } = problemOf(plan({ artifacts, counts, maxRegistrations: 2 }))
    const { problems, warnings, toRegister } = plan({
      ...{ artifacts, counts, maxRegistrations: 2, isDryRun: true },
    })
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [message] })
    expect(toRegister).toHaveLength(3)
    expect(plan({ artifacts, counts, maxRegistrations: 3, isDryRun: true }).warnings).toEqual([])
  })
})

describe('the guard of the records file', () => {
  it.each([
    ['new', {}],
    ['known', { known: knowing({ [hashA]: 'registered' }) }],
  ])(
    'stops the run, also a dry run, and shows every damage, where artifacts are %s',
    (_, given) => {
      const damage = ['"records.jsonl", line 3 is not valid JSON', '"records.jsonl", line 9 is odd']
      for (const isDryRun of [false, true]) {
        const artifacts = [file('a', hashA)]
        const { input, message } = problemOf(plan({ artifacts, damage, isDryRun, ...given }))
        expect(input).toBe('records-path')
        for (const part of damage) expect(message).toContain(part)
      }
    },
  )
})

describe('the guard of secrets', () => {
  const hasSecret = (text: string): boolean =>
    /hunter2|4242424242/.test(text) || text.includes(hashC)

  it.each<[ArtifactSource, string, Given]>([
    ['path', 'a name', { artifacts: [file('dist/hunter2.txt', hashA), file('good', hashB)] }],
    [
      'path',
      'the name of a file that cannot be read',
      { artifacts: [failing('dist/hunter2.txt')] },
    ],
    [
      'checksums',
      'a name',
      { artifacts: [entry('dist/hunter2.txt', hashA), entry('good', hashB)] },
    ],
    ['release-tag', 'a name', { artifacts: [asset('hunter2.txt', hashA)] }],
    ['path', 'a size', { artifacts: [file('a', hashA, 4242424242)] }],
    ['checksums', 'a hash', { artifacts: [entry('a', hashC)] }],
    [
      'path',
      'the name of what is known',
      { artifacts: [file('hunter2', hashA)], known: knowing({ [hashA]: 'registered' }) },
    ],
  ])('stops the run without showing it, and names the input %s: in %s', (input, _, given) => {
    for (const isDryRun of [false, true]) {
      const problem = problemOf(plan({ ...given, hasSecret, isDryRun }))
      expect(problem.input).toBe(input)
      expect(problem.message).toMatch(/^input "(path|checksums|release-tag)": 1 artifact .*rename/)
      expect(problem.message).not.toMatch(/hunter2|4242424242/)
      expect(problem.message).not.toContain(hashC)
    }
  })

  it('lets names pass that have none', () => {
    expect(plan({ artifacts: [file('hunter3', hashA)], hasSecret }).problems).toEqual([])
  })
})

describe('the guards of the release', () => {
  const release = { tag: 'v1', isDraft: false, runCommit: 'c0ffee', tagCommit: undefined }
  it('stop the run where the release publishes other bytes, or the tag has moved', () => {
    const artifacts = [file('dist/a', hashA), asset('a', hashB)]
    const facts = { ...release, tagCommit: 'f00d', assets: [asset('a', hashB)] }
    for (const isDryRun of [false, true]) {
      const { problems } = plan({ artifacts, release: facts, isDryRun })
      expect(problems.map(({ input }) => input)).toEqual(['release-tag', 'release-tag'])
    }
  })

  it.each([
    ['error', 1, 0],
    ['warn', 0, 1],
    ['ignore', 0, 0],
  ] as const)(
    'of no assets are as strict as if-no-files-found: %s',
    (ifNoFilesFound, problems, warnings) => {
      const made = plan({ release: { ...release, assets: [] }, ifNoFilesFound })
      expect([made.problems.length, made.warnings.length]).toEqual([problems, warnings])
      expect([...made.problems.map(({ message }) => message), ...made.warnings].join()).toMatch(
        ifNoFilesFound === 'ignore' ? /^$/ : /"v1"/,
      )
      const one = plan({
        artifacts: [file('a', hashA)],
        release: { ...release, assets: [asset('a', hashA)] },
        ifNoFilesFound,
      })
      expect([one.problems, one.warnings]).toEqual([[], []])
    },
  )

  it('warn of what the release does not publish', () => {
    const artifacts = [file('dist/a', hashA), file('dist/b', hashB), asset('a', hashA)]
    const made = plan({ artifacts, release: { ...release, assets: [asset('a', hashA)] } })
    expect(made).toMatchObject({
      problems: [],
      warnings: [expect.stringMatching(/^No asset .*"dist\/b"$/)],
    })
  })
})

describe('an earlier attempt that left no line', () => {
  const attempt = (runAttempt: string | null) => ({ ...source, runAttempt })
  const artifacts = [file('a', hashA)]
  const known = knowing({ [hashA]: 'registered' })
  it.each<[string, Given, number]>([
    ['attempt 2', { source: attempt('2') }, 1],
    ['attempt 3, in a dry run', { source: attempt('3'), isDryRun: true }, 1],
    [
      'attempt 2 with a line of an earlier one',
      { source: attempt('2'), hasEarlierAttempt: true },
      0,
    ],
    ['attempt 2 with nothing left to register', { source: attempt('2'), known }, 0],
    ['attempt 1', { source: attempt('1') }, 0],
    ['an attempt without a number', { source: attempt(null) }, 0],
    ['an attempt that is no number', { source: attempt('x') }, 0],
  ])('is warned of: %s', (_, given, count) => {
    const { warnings, problems } = plan({ artifacts, ...given })
    expect(problems).toEqual([])
    expect(warnings).toEqual(
      Array.from({ length: count }, () =>
        expect.stringMatching(/attempt [23] .*paid again.*Bring its records back/),
      ),
    )
  })
})

describe('what a checksums file may show', () => {
  const artifacts = [file('a', hashA), failing('b'), file('secret', hashC)]
  const hasSecret = (text: string): boolean => text.includes('secret')

  it('is every artifact, also when another guard stops the run', () => {
    for (const given of [{}, { maxRegistrations: 0 }, { damage: ['line 1'] }, { isDryRun: true }])
      expect(plan({ artifacts, ...given }).checksums.map(({ name }) => name)).toEqual([
        'a',
        'b',
        'secret',
      ])
  })

  it('is nothing where a name has two hashes or holds a secret', () => {
    expect(plan({ artifacts, hasSecret }).checksums).toEqual([])
    expect(plan({ artifacts: [...artifacts, entry('a', hashB)] }).checksums).toEqual([])
  })
})

it('the guards together say everything that is wrong at once', () => {
  const { problems } = plan({
    artifacts: [file('a', hashA), file('b', hashB), file('secret', hashC), entry('a', hashB)],
    ...{ damage: ['"records.jsonl", line 1 is odd'], maxRegistrations: 1 },
    hasSecret: text => text.includes('secret'),
  })
  expect(problems.map(({ input }) => input).sort()).toEqual([
    ...['checksums', 'max-registrations', 'path', 'records-path'],
  ])
})
