import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordEntry } from '../../src/records/record-line.ts'
import { compareWithRecords, type Subject, type Verified } from '../../src/verify/compare.ts'
import { entryOf, hashOf, recordOf, SERVICE } from '../records/entries.ts'

const commitA = 'a'.repeat(40)
const commitB = 'b'.repeat(40)

/** An artifact as it was found; a number stands for a content. */
function subject(name: string, content: number | null, why: string | null = null): Subject {
  const hash = content === null ? null : hashOf(content)
  return { name, size: content, hash, why }
}

/** The record of a content under a name, registered at the start of 2026. */
function record(
  artifact: string,
  content: number,
  changes: Partial<RecordEntry> = {},
): RecordEntry {
  const hash = hashOf(content)
  return entryOf(content, {
    artifact,
    record: { ...recordOf(hash), creationDate: Date.UTC(2026, 0, 1) },
    sha: commitA,
    ...changes,
  })
}

function compare(
  subjects: readonly Subject[],
  records: readonly RecordEntry[],
  sha: string | null = null,
): ReturnType<typeof compareWithRecords> {
  return compareWithRecords({ subjects, records, sha })
}

/** States of the artifacts in their order, then the names of the records that are missing. */
function statesOf(...given: Parameters<typeof compare>): {
  states: readonly string[]
  missing: readonly string[]
} {
  const { artifacts, missing } = compare(...given)
  return { states: artifacts.map(one => one.state), missing: missing.map(({ name }) => name) }
}

function only(all: readonly Verified[]): Verified {
  const [first] = all
  if (first === undefined || all.length > 1) throw new Error(`there are ${all.length}`)
  return first
}

const broken = { problems: ['status is "pending", not "registered"'] } as const

describe('an artifact held against the records', () => {
  it('is matched by a record of its hash, and gets that record', () => {
    expect(compare([subject('dist/app', 1)], [record('dist/app', 1)])).toEqual({
      artifacts: [
        {
          name: 'dist/app',
          size: 1,
          hash: hashOf(1),
          state: 'matched',
          recorded: {
            artifact: 'dist/app',
            hash: hashOf(1),
            service: SERVICE,
            sha: commitA,
            record: { ...recordOf(hashOf(1)), creationDate: Date.UTC(2026, 0, 1) },
          },
          message: '',
        },
      ],
      missing: [],
    })
  })

  it('is matched under whatever name and folder', () => {
    const subjects = [subject('app', 1), subject('/elsewhere/other', 1)]
    expect(statesOf(subjects, [record('dist/app', 1)])).toEqual({
      states: ['matched', 'matched'],
      missing: [],
    })
  })

  it('is altered when its base name stands in the records with another hash: both are told, and when', () => {
    const { artifacts, missing } = compare([subject('out/app', 2)], [record('dist/app', 1)])
    const altered = only(artifacts)
    expect(altered).toMatchObject({ state: 'altered', name: 'out/app', hash: hashOf(2) })
    expect(altered.recorded).toMatchObject({ artifact: 'dist/app', hash: hashOf(1) })
    expect(altered.message).toContain(hashOf(1))
    expect(altered.message).toContain('2026-01-01 00:00:00 UTC')
    expect(missing.map(({ hash }) => hash)).toEqual([hashOf(1)])
  })

  it('is unknown when neither its hash nor its base name stands there', () => {
    const unknown = only(compare([subject('dist/app', 2)], [record('dist/app.sig', 1)]).artifacts)
    expect(unknown).toMatchObject({ state: 'unknown', recorded: null, hash: hashOf(2) })
    expect(unknown.message).toMatch(/\S/)
  })

  it.each<[string, string, string]>([
    ['app', 'dist/app', 'altered'],
    ['dist/app', 'app', 'altered'],
    ['/abs/app', 'dist/app', 'altered'],
    ['dist/App', 'dist/app', 'unknown'],
    ['dist/app', 'dist/app.zip', 'unknown'],
    ['dist/my-app', 'dist/app', 'unknown'],
    ['app', 'app/other', 'unknown'],
    ['__proto__', 'x/__proto__', 'altered'],
    ['constructor', 'x', 'unknown'],
    ['dist/::error::x', '::error::x', 'altered'],
  ])('named %j against a record named %j is %s', (name, recorded, state) => {
    expect(statesOf([subject(name, 2)], [record(recorded, 1)]).states).toEqual([state])
  })

  it('is matched, not altered, where one of several records of its name has its hash', () => {
    const records = [record('app', 1), record('app', 2), record('app', 3)]
    expect(statesOf([subject('app', 2)], records).states).toEqual(['matched'])
  })

  it('that could not be hashed is unknown, also under a known name, and says why', () => {
    const subjects = [subject('app', null, 'it could not be read')]
    expect(only(compare(subjects, [record('app', 1)]).artifacts)).toEqual({
      name: 'app',
      size: null,
      hash: null,
      state: 'unknown',
      recorded: null,
      message: 'it could not be read',
    })
  })

  it('of no bytes is like any other', () => {
    expect(statesOf([subject('empty', 0)], [record('empty', 0)])).toEqual({
      states: ['matched'],
      missing: [],
    })
  })

  it('shares its record with one of the same content', () => {
    const { artifacts } = compare([subject('a', 1), subject('b', 1)], [record('a', 1)])
    expect(artifacts.map(one => [one.state, one.recorded?.artifact])).toEqual([
      ['matched', 'a'],
      ['matched', 'a'],
    ])
  })

  it('gets the first of several records of its hash', () => {
    const records = [
      record('app', 1, { service: 'https://first.example' }),
      record('app', 1, { service: 'https://second.example' }),
    ]
    expect(only(compare([subject('app', 1)], records).artifacts).recorded?.service).toBe(
      'https://first.example',
    )
  })

  it('has no records to go by in an empty file', () => {
    expect(statesOf([subject('app', 1)], [])).toEqual({ states: ['unknown'], missing: [] })
  })
})

describe('a record with problems', () => {
  it('never matches; the artifact is unknown and says why', () => {
    const { artifacts, missing } = compare([subject('app', 1)], [record('app', 1, broken)])
    expect(only(artifacts)).toMatchObject({ state: 'unknown', recorded: null })
    expect(only(artifacts).message).toContain('problems')
    expect(missing).toEqual([])
  })

  it('tells of no alteration', () => {
    expect(statesOf([subject('app', 2)], [record('app', 1, broken)]).states).toEqual(['unknown'])
  })

  it('is no record that an artifact could be missing for', () => {
    expect(statesOf([], [record('app', 1, broken)]).missing).toEqual([])
  })

  it.each(['before', 'after'])('yields to one without problems that stands %s it', place => {
    const good = record('app', 1, { service: 'https://other.example' })
    const bad = record('app', 1, broken)
    const records = place === 'before' ? [good, bad] : [bad, good]
    expect(statesOf([subject('app', 1)], records).states).toEqual(['matched'])
  })
})

describe('a record without an artifact', () => {
  it('is missing, with its name, size and hash, and when it was registered', () => {
    const { artifacts, missing } = compare([], [record('dist/app', 7)])
    expect(artifacts).toEqual([])
    expect(only(missing)).toMatchObject({
      name: 'dist/app',
      size: 7,
      hash: hashOf(7),
      state: 'missing',
      recorded: { artifact: 'dist/app', hash: hashOf(7) },
    })
    expect(only(missing).message).toContain('2026-01-01 00:00:00 UTC')
  })

  it('is counted once, however many lines have its hash', () => {
    const records = [record('a', 1), record('b', 1), record('a', 1)]
    expect(statesOf([], records).missing).toHaveLength(1)
  })

  it('is not missing when its content is here under another name', () => {
    expect(statesOf([subject('renamed', 1)], [record('app', 1)]).missing).toEqual([])
  })

  it('is missing when only its name is here', () => {
    expect(statesOf([subject('app', 2)], [record('app', 1)])).toEqual({
      states: ['altered'],
      missing: ['app'],
    })
  })

  it('is not found in an artifact that could not be hashed', () => {
    expect(statesOf([subject('app', null)], [record('app', 1)]).missing).toEqual(['app'])
  })

  it('stands in the order of the names by UTF-16 code units', () => {
    const names = ['b', 'a', '\u{1f600}', '\uff01', 'B', 'a/b']
    const records = names.map((name, index) => record(name, index + 1))
    expect(statesOf([], records).missing).toEqual(['B', 'a', 'a/b', 'b', '\u{1f600}', '\uff01'])
  })
})

describe('a commit', () => {
  const records = [
    record('app', 1, { sha: commitA }),
    record('app', 2, { sha: commitB }),
    record('extra', 3, { sha: commitB }),
  ]

  it('does not limit what matches', () => {
    expect(statesOf([subject('app', 1)], records, commitB).states).toEqual(['matched'])
  })

  it.each([
    [commitA, 'altered', hashOf(1)],
    [commitB, 'altered', hashOf(2)],
    ['c'.repeat(40), 'unknown', undefined],
  ])('%s limits what is altered: %s', (sha, state, recordedHash) => {
    const artifact = only(compare([subject('app', 9)], records, sha).artifacts)
    expect(artifact.state).toBe(state)
    expect(artifact.recorded?.hash).toBe(recordedHash)
  })

  it.each([
    [commitA, ['app']],
    [commitB, ['app', 'extra']],
    ['c'.repeat(40), []],
    [null, ['app', 'app', 'extra']],
  ])('%s limits what is missing: %j', (sha, names) => {
    expect(statesOf([], records, sha).missing).toEqual(names)
  })

  it('is compared without regard to the case in the records', () => {
    const upper = [record('app', 1, { sha: commitA.toUpperCase() })]
    expect(statesOf([subject('app', 2)], upper, commitA)).toEqual({
      states: ['altered'],
      missing: ['app'],
    })
  })

  it.each([null, undefined, '', commitA.slice(0, 7), `${commitA} `])(
    'is not that of a record whose commit is %j',
    sha => {
      const entry = entryOf(1, { artifact: 'app', ...(sha === undefined ? {} : { sha }) })
      expect(statesOf([subject('app', 2)], [entry], commitA)).toEqual({
        states: ['unknown'],
        missing: [],
      })
    },
  )

  it('that is not given takes records of any commit and of none', () => {
    expect(statesOf([subject('app', 2)], [entryOf(1, { artifact: 'app' })])).toEqual({
      states: ['altered'],
      missing: ['app'],
    })
  })
})

describe('whatever is held against whatever', () => {
  const baseNames = ['app', 'lib', '__proto__', '🎉', 'a.b']
  const name = fc
    .tuple(fc.constantFrom('', 'dist/', 'out/deep/', '/abs/'), fc.constantFrom(...baseNames))
    .map(parts => parts.join(''))
  const content = fc.nat({ max: 7 })
  const sha = fc.constantFrom(commitA, commitB, commitA.toUpperCase(), null)
  const subjects = fc.uniqueArray(
    fc
      .tuple(name, fc.option(content, { freq: 6 }))
      .map(([artifact, number]) => subject(artifact, number, number === null ? 'unread' : null)),
    { selector: one => one.name, maxLength: 12 },
  )
  const records = fc.array(
    fc
      .record({ artifact: name, number: content, sha, isGood: fc.boolean() })
      .map(one =>
        record(one.artifact, one.number, { sha: one.sha, ...(one.isGood ? {} : broken) }),
      ),
    { maxLength: 16 },
  )
  const givenSha = fc.constantFrom(commitA, commitB, null)
  const runs = { numRuns: 400, seed: 20_260 } as const

  /** The rules once more, in the words of the issue. */
  function expectedState(
    one: Subject,
    all: readonly RecordEntry[],
    commit: string | null,
  ): Verified['state'] {
    const lastPart = (path: string): string => path.split('/').at(-1) ?? ''
    for (const { hash, problems } of all) {
      if (hash === one.hash && problems.length === 0) return 'matched'
    }
    for (const { artifact, problems, sha: ofRecord } of all) {
      const isOfCommit = commit === null || ofRecord?.toLowerCase() === commit
      const hasName = lastPart(artifact) === lastPart(one.name)
      if (one.hash !== null && problems.length === 0 && isOfCommit && hasName) return 'altered'
    }
    return 'unknown'
  }

  it('every artifact has exactly one state, in its order, and the counts add up', () => {
    fc.assert(
      fc.property(subjects, records, givenSha, (here, there, commit) => {
        const { artifacts } = compare(here, there, commit)
        expect(artifacts.map(({ name: of, size, hash }) => ({ name: of, size, hash }))).toEqual(
          here.map(({ name: of, size, hash }) => ({ name: of, size, hash })),
        )
        expect(artifacts.map(({ state }) => state)).toEqual(
          here.map(one => expectedState(one, there, commit)),
        )
        const count = (state: string): number => artifacts.filter(one => one.state === state).length
        expect(count('matched') + count('altered') + count('unknown')).toBe(here.length)
      }),
      runs,
    )
  })

  it('what is said of an artifact fits its state', () => {
    fc.assert(
      fc.property(subjects, records, givenSha, (here, there, commit) => {
        const { artifacts, missing } = compare(here, there, commit)
        for (const { state, hash, recorded, message } of [...artifacts, ...missing]) {
          expect(recorded === null).toBe(state === 'unknown')
          expect(message === '').toBe(state === 'matched')
          if (recorded === null) continue
          expect(recorded.hash === hash).toBe(state !== 'altered')
          if (state === 'altered') expect(message).toContain(recorded.hash)
          // It is one of the good records, and of the commit where that counts.
          const source = there.filter(
            one =>
              one.problems.length === 0 &&
              one.hash === recorded.hash &&
              one.artifact === recorded.artifact &&
              (one.sha ?? null) === recorded.sha,
          )
          expect(source).not.toEqual([])
          if (state !== 'matched' && commit !== null) {
            expect(recorded.sha?.toLowerCase()).toBe(commit)
          }
        }
      }),
      runs,
    )
  })

  it('missing are the hashes of good records of the commit that no artifact has, once each', () => {
    fc.assert(
      fc.property(subjects, records, givenSha, (here, there, commit) => {
        const { missing } = compare(here, there, commit)
        const expected = new Set(
          there
            .filter(one => one.problems.length === 0)
            .filter(one => commit === null || one.sha?.toLowerCase() === commit)
            .map(one => one.hash),
        )
        for (const { hash } of here) expected.delete(hash ?? '')
        expect(missing.map(({ hash }) => hash ?? '').toSorted()).toEqual([...expected].toSorted())
        expect(missing.every(({ state }) => state === 'missing')).toBe(true)
        const names = missing.map(one => one.name)
        expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
      }),
      runs,
    )
  })

  it('a record with problems, more or less, changes no state but the words of an unknown', () => {
    fc.assert(
      fc.property(subjects, records, givenSha, (here, there, commit) => {
        const good = there.filter(({ problems }) => problems.length === 0)
        const withBad = statesOf(here, there, commit)
        expect(withBad).toEqual(statesOf(here, good, commit))
        const allBad = there.map(one => ({ ...one, ...broken }))
        const { states, missing } = statesOf(here, allBad, commit)
        expect(states.every(state => state === 'unknown')).toBe(true)
        expect(missing).toEqual([])
      }),
      runs,
    )
  })

  it('the order of the records, and repeating them, changes no state', () => {
    const shuffled = records.chain(there =>
      fc.tuple(fc.constant(there), fc.shuffledSubarray(there, { minLength: there.length })),
    )
    fc.assert(
      fc.property(subjects, shuffled, givenSha, (here, [there, other], commit) => {
        const { states, missing } = statesOf(here, there, commit)
        const again = statesOf(here, [...other, ...there], commit)
        expect(again.states).toEqual(states)
        expect(again.missing).toHaveLength(missing.length)
      }),
      runs,
    )
  })

  it('the records of the artifacts themselves match them all, and nothing is missing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(content, { minLength: 1 }), givenSha, (contents, commit) => {
        const here = contents.map(number => subject(`dist/${number}`, number))
        const there = contents.map(number => record(`dist/${number}`, number))
        const { states, missing } = statesOf(here, there, commit)
        expect(states).toEqual(contents.map(() => 'matched'))
        expect(missing).toEqual([])
      }),
      runs,
    )
  })

  it('nothing that was given is changed', () => {
    fc.assert(
      fc.property(subjects, records, givenSha, (here, there, commit) => {
        const before = JSON.stringify([here, there])
        compare(here, there, commit)
        expect(JSON.stringify([here, there])).toBe(before)
      }),
      { ...runs, numRuns: 50 },
    )
  })
})
