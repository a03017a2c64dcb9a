import { describe, expect, it } from '@jest/globals'
import { failed, type JsonObject } from '../src/outcome.ts'
import { makePlan, type Plan, type PlanInput } from '../src/plan.ts'
import type { KnownRecord } from '../src/records/known-records.ts'

const hashA = 'a1'.repeat(32)
const hashB = 'b2'.repeat(32)
const hashC = 'c3'.repeat(32)

const hashNumber = (number: number): string => number.toString(16).padStart(64, '0')

function plan(changed: Partial<PlanInput>): Plan {
  return makePlan({
    files: [],
    entries: [],
    counts: [],
    known: new Map(),
    damage: [],
    recordsPath: 'records.jsonl',
    maxRegistrations: 100,
    isDryRun: false,
    hasSecret: () => false,
    ...changed,
  })
}

function known(hash: string, problems: readonly string[] = [], line = 1): KnownRecord {
  const record: JsonObject = { hash, status: 'registered', extra: [1, null] }
  const entry = {
    ...{ artifact: 'another name', size: 7, hash, service: 'https://notary.example' },
    ...{ record, problems, redacted: ['/extra'] },
  }
  return { entry, line }
}

const file = (name: string, hash: string, size = 5) => ({ name, size, hash })
const entry = (name: string, hash: string) => ({ name, hash })
const failing = (name: string, code: 'unreadable' | 'changed' | 'cancelled') => ({
  name,
  failure: failed(code, 'no', `why ${code}`),
})

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
    expect(plan({})).toMatchObject({ artifacts: [], toRegister: [], problems: [], warnings: [] })
  })

  it('registers every distinct hash of files and entries, sorted by UTF-16 code units', () => {
    const { artifacts, toRegister, problems, warnings } = plan({
      files: [file('b', hashB), file('\uff01', hashNumber(1)), file('Z', hashNumber(2))],
      entries: [entry('a', hashA), entry('\u{1f600}', hashNumber(3))],
    })
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
    expect(artifacts.map(one => one.name)).toEqual(['Z', 'a', 'b', '\u{1f600}', '\uff01'])
    expect(artifacts.every(one => one.fate === 'register')).toBe(true)
    expect(toRegister).toEqual([
      { name: 'Z', size: 5, hash: hashNumber(2) },
      { name: 'a', size: null, hash: hashA },
      { name: 'b', size: 5, hash: hashB },
      { name: '\u{1f600}', size: null, hash: hashNumber(3) },
      { name: '\uff01', size: 5, hash: hashNumber(1) },
    ])
  })

  it('registers shared content once, under the first name by sort, and reports every name', () => {
    const { artifacts, toRegister } = plan({
      files: [file('z', hashA), file('m', hashA, 5)],
      entries: [entry('b', hashA), entry('c', hashB)],
    })
    expect(toRegister).toEqual([
      { name: 'b', size: null, hash: hashA },
      { name: 'c', size: null, hash: hashB },
    ])
    expect(artifacts.map(({ name, hash }) => [name, hash])).toEqual([
      ['b', hashA],
      ['c', hashB],
      ['m', hashA],
      ['z', hashA],
    ])
  })

  it('takes the same name with the same hash as one artifact, and keeps the size', () => {
    const { artifacts, toRegister, problems } = plan({
      files: [file('a', hashA, 9)],
      entries: [entry('a', hashA), entry('a', hashA)],
    })
    expect(problems).toEqual([])
    expect(artifacts).toEqual([{ name: 'a', size: 9, hash: hashA, fate: 'register' }])
    expect(toRegister).toHaveLength(1)
  })

  it('does not register what the records know, under whatever name', () => {
    const { artifacts, toRegister } = plan({
      files: [file('a', hashA), file('b', hashB)],
      entries: [entry('c', hashA)],
      known: new Map([[hashA, known(hashA)]]),
    })
    const done = {
      state: 'registered',
      from: 'records-file',
      record: { hash: hashA, status: 'registered', extra: [1, null] },
      redacted: ['/extra'],
    }
    expect(artifacts).toMatchObject([
      { name: 'a', size: 5, fate: done },
      { name: 'b', fate: 'register' },
      { name: 'c', size: null, fate: done },
    ])
    expect(toRegister.map(one => one.hash)).toEqual([hashB])
  })

  it('never sends again what has a record with problems, and says what to do', () => {
    const { artifacts, toRegister, problems } = plan({
      files: [file('a', hashA), file('b', hashA)],
      known: new Map([[hashA, known(hashA, ['custody is true', 'signed is true'], 12)]]),
    })
    expect({ toRegister, problems }).toEqual({ toRegister: [], problems: [] })
    expect(artifacts).toHaveLength(2)
    for (const { fate, hash } of artifacts) {
      expect(hash).toBe(hashA)
      expect(fate).toMatchObject({
        state: 'failed',
        code: 'record-mismatch',
        registered: 'unknown',
      })
      for (const part of ['custody is true', 'signed is true', 'line 12', 'records.jsonl']) {
        expect(JSON.stringify(fate)).toContain(part)
      }
    }
  })

  it.each(['unreadable', 'changed', 'cancelled'] as const)(
    'keeps the failure of a file that is %s, whatever a checksums file says of it',
    code => {
      const { artifacts, toRegister, problems } = plan({
        files: [failing('a', code), file('b', hashB)],
        entries: [entry('a', hashA)],
        known: new Map([[hashA, known(hashA)]]),
      })
      expect(problems).toEqual([])
      expect(artifacts[0]).toEqual({
        name: 'a',
        size: null,
        hash: null,
        fate: { state: 'failed', code, registered: 'no', message: `why ${code}` },
      })
      expect(toRegister.map(one => one.name)).toEqual(['b'])
    },
  )

  it('registers the content of an unreadable file under another name that shares it', () => {
    const { toRegister } = plan({
      files: [failing('a', 'unreadable'), file('b', hashA)],
      entries: [entry('a', hashA)],
    })
    expect(toRegister).toEqual([{ name: 'b', size: 5, hash: hashA }])
  })

  it('keeps names apart that only look alike', () => {
    const names = ['e\u0301', 'é', 'A', 'a', 'a ', './a', '__proto__', 'constructor']
    const { artifacts } = plan({
      entries: names.map((name, index) => entry(name, hashNumber(index))),
    })
    expect(artifacts.map(one => one.name)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  })
})

describe('the guard of two hashes', () => {
  it.each([
    ['of file and entry', { files: [file('x/y', hashA)], entries: [entry('x/y', hashB)] }],
    ['of two entries', { entries: [entry('x/y', hashA), entry('x/y', hashB)] }],
    [
      'of the second entry',
      { files: [file('x/y', hashA)], entries: [entry('x/y', hashA), entry('x/y', hashB)] },
    ],
    [
      'of entries for a file that cannot be read',
      {
        files: [failing('x/y', 'unreadable')],
        entries: [entry('x/y', hashA), entry('x/y', hashB)],
      },
    ],
    [
      'that are known',
      {
        entries: [entry('x/y', hashA), entry('x/y', hashB)],
        known: new Map([
          [hashA, known(hashA)],
          [hashB, known(hashB)],
        ]),
      },
    ],
  ] as const)('stops the run, also a dry run, and names both: %s', (_, given) => {
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
        files: names.map(name => file(name, hashA)),
        entries: names.map(name => entry(name, hashB)),
      }),
    )
    expect(message).toContain('"n0"')
    expect(message).toMatch(/29\d more/)
    expect(message.length).toBeLessThan(4000)
  })

  it('does not let a name act in its message', () => {
    const name = 'x\n::error::y\u001b[0m'
    const { message } = problemOf(plan({ entries: [entry(name, hashA), entry(name, hashB)] }))
    expect(message).not.toMatch(/\p{Cc}/u)
  })
})

describe('the guard of the limit', () => {
  const files = [file('a', hashA), file('b', hashB), file('c', hashC), file('d', hashC)]
  const counts = [
    { input: 'path', text: 'dist/**', count: 4 },
    { input: 'path', text: 'one', count: 1 },
    { input: 'checksums', text: 'SHA256SUMS', count: 2 },
    { input: 'checksums', text: 'sums/*', count: 0 },
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
      expect(plan({ files, counts, maxRegistrations }).problems).toHaveLength(expected)
    },
  )

  it('counts only what is left to register', () => {
    const left = { files: [...files, failing('e', 'unreadable')], maxRegistrations: 1 }
    const good = new Map([
      [hashA, known(hashA)],
      [hashC, known(hashC, ['bad'])],
    ])
    expect(plan({ ...left, known: good }).problems).toEqual([])
    expect(plan(left).problems).toHaveLength(1)
  })

  it('names the limit, the number and how much each pattern brought', () => {
    const { input, message } = problemOf(plan({ files, counts, maxRegistrations: 2 }))
    expect(input).toBe('max-registrations')
    expect(message).toMatch(/^input "max-registrations" is 2, and 3 distinct hashes/)
    expect(message).toContain('"dist/**" brought 4 files')
    expect(message).toContain('"one" brought 1 file')
    expect(message).not.toContain('brought 1 files')
    expect(message).toContain('"SHA256SUMS" brought 2 checksums entries')
    expect(message).toContain('"sums/*" brought 0 checksums entries')
  })

  it('leaves no pattern out in silence when there are many', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      input: 'path' as const,
      text: `folder-${index}/**`,
      count: index,
    }))
    const { message } = problemOf(plan({ files, counts: many, maxRegistrations: 1 }))
    const namedCount = many.filter(one => message.includes(`"${one.text}"`)).length
    const [, more = '0'] = /(\d+) more/.exec(message) ?? []
    expect(namedCount + Number(more)).toBe(30)
  })

  it('is a warning with the same text in a dry run', () => {
    const { message } = problemOf(plan({ files, counts, maxRegistrations: 2 }))
    const { problems, warnings, toRegister } = plan({
      ...{ files, counts, maxRegistrations: 2, isDryRun: true },
    })
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [message] })
    expect(toRegister).toHaveLength(3)
    expect(plan({ files, counts, maxRegistrations: 3, isDryRun: true }).warnings).toEqual([])
  })
})

describe('the guard of the records file', () => {
  it('stops the run, also a dry run, and tells every damage', () => {
    const damage = ['"records.jsonl", line 3 is not valid JSON', '"records.jsonl", line 9 is odd']
    for (const isDryRun of [false, true]) {
      const { input, message } = problemOf(plan({ files: [file('a', hashA)], damage, isDryRun }))
      expect(input).toBe('records-path')
      for (const part of damage) expect(message).toContain(part)
    }
  })

  it('stops the run also when all artifacts are known', () => {
    const { problems } = plan({
      files: [file('a', hashA)],
      known: new Map([[hashA, known(hashA)]]),
      damage: ['"records.jsonl", line 3 is not valid JSON'],
    })
    expect(problems).toHaveLength(1)
  })
})

describe('the guard of secrets in names', () => {
  const hasSecret = (text: string): boolean => text.includes('hunter2')

  it.each([
    ['path', { files: [file('dist/hunter2.txt', hashA), file('good', hashB)] }],
    ['path', { files: [failing('dist/hunter2.txt', 'unreadable')] }],
    ['checksums', { entries: [entry('dist/hunter2.txt', hashA), entry('good', hashB)] }],
  ] as const)('stops the run without showing the name, and names the input %s', (input, given) => {
    for (const isDryRun of [false, true]) {
      const problem = problemOf(plan({ ...given, hasSecret, isDryRun }))
      expect(problem.input).toBe(input)
      expect(problem.message).toMatch(/^input "(path|checksums)": .*\b1\b/)
      expect(problem.message).not.toContain('hunter2')
      expect(problem.message).toMatch(/rename/)
    }
  })

  it('stops the run also for what is known already', () => {
    const { problems } = plan({
      files: [file('hunter2', hashA)],
      known: new Map([[hashA, known(hashA)]]),
      hasSecret,
    })
    expect(problems).toHaveLength(1)
  })

  it('lets names pass that have none', () => {
    expect(plan({ files: [file('hunter3', hashA)], hasSecret }).problems).toEqual([])
  })
})

describe('what a checksums file may show', () => {
  const files = [file('a', hashA), failing('b', 'unreadable'), file('secret', hashC)]
  const hasSecret = (text: string): boolean => text === 'secret'

  it('is every artifact, also when another guard stops the run', () => {
    for (const given of [{}, { maxRegistrations: 0 }, { damage: ['line 1'] }, { isDryRun: true }]) {
      expect(plan({ files, ...given }).checksums.map(one => one.name)).toEqual(['a', 'b', 'secret'])
    }
  })

  it('is nothing where a name has two hashes or holds a secret', () => {
    expect(plan({ files, hasSecret }).checksums).toEqual([])
    expect(plan({ files, entries: [entry('a', hashB)] }).checksums).toEqual([])
  })
})

describe('the guards together', () => {
  it('tell everything that is wrong at once', () => {
    const { problems } = plan({
      files: [file('a', hashA), file('b', hashB), file('secret', hashC)],
      entries: [entry('a', hashB)],
      damage: ['"records.jsonl", line 1 is odd'],
      maxRegistrations: 1,
      hasSecret: text => text === 'secret',
    })
    expect(problems.map(one => one.input).sort()).toEqual([
      'checksums',
      'max-registrations',
      'path',
      'records-path',
    ])
  })
})
