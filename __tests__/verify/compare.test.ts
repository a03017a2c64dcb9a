import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import type { Verified } from '../../src/verify/compare.ts'
import {
  artifact,
  bad,
  COMMIT as A,
  compare,
  index,
  line,
  sent,
  SERVICE,
  unread,
} from './samples.ts'

const B = 'b'.repeat(40)
const loopback = { service: 'http://127.0.0.1:8080' } as const

/** One artifact, or missing record, in words. */
function inWords(one: Verified): string {
  const { artifact: name, state } = one
  if (one.recorded === null) return `${name} ${state}: ${one.reason ?? ''}`
  const { artifact: recorded, hash, sha } = one.recorded
  return `${name} ${state}: ${recorded} ${BigInt(`0x${hash}`)}${sha === A ? '' : ` of ${sha?.[0] ?? 'none'}`}`
}

type Scenario = readonly [
  sentence: string,
  artifacts: readonly Artifact[],
  lines: readonly object[],
  states: readonly string[],
  missing: readonly string[],
  options?: Parameters<typeof compare>[2],
]

/** A file with content 2 where the records have the name with content 1. */
const names: readonly Scenario[] = (
  [
    ['app', 'dist/app', true],
    ['/abs/app', 'dist/app', true],
    ['dist/App', 'dist/app', false],
    ['dist/app', 'dist/app.zip', false],
    ['dist/my-app', 'dist/app', false],
    ['__proto__', 'x/__proto__', true],
    ['dist/::error::x', '::error::x', true],
  ] as const
).map(([name, recorded, isAltered]): Scenario => {
  const state = isAltered ? `altered: ${recorded} 1` : 'unknown: without a record'
  const sentence = `named ${name} is ${isAltered ? 'altered' : 'unknown'} beside a record named ${recorded}`
  return [
    ...([sentence, [artifact(name, 2)], [line(recorded, 1)]] as const),
    ...([[`${name} ${state}`], [`${recorded} missing: ${recorded} 1`]] as const),
  ]
})

const matches: readonly Scenario[] = [
  [
    'matches by its hash, whatever its name and folder',
    [artifact('app', 1), artifact('/abs/other', 1)],
    [line('dist/app', 1)],
    ['/abs/other matched: dist/app 1', 'app matched: dist/app 1'],
    [],
  ],
  [
    'gets the record of the commit, then that of its name, then that of its base name, then the first',
    [artifact('a/app', 1)],
    [
      line('x', 1),
      line('b/app', 1, { sha: B }),
      line('a/app', 1),
      line('c/app', 1, { sha: B }),
      line('y', 1, { sha: B }),
    ],
    ['a/app matched: b/app 1 of b'],
    [],
    { sha: B },
  ],
]

const others: readonly Scenario[] = [
  [
    'is altered from the record of its exact name, not of a base name that comes later',
    [artifact('a/app', 9)],
    [line('a/app', 1), line('a/app', 2), line('b/app', 3)],
    ['a/app altered: a/app 2'],
    ['a/app missing: a/app 1', 'a/app missing: a/app 2', 'b/app missing: b/app 3'],
  ],
  [
    'is altered from the last record of its base name, where none has its name',
    [artifact('c/app', 9)],
    [line('a/app', 1), line('b/app', 3)],
    ['c/app altered: b/app 3'],
    ['a/app missing: a/app 1', 'b/app missing: b/app 3'],
  ],
  [
    'that could not be hashed is unknown, and its record missing',
    [unread('app')],
    [line('app', 1)],
    ['app unknown: that could not be hashed'],
    ['app missing: app 1'],
  ],
  [
    'with problems in its record is unknown, and no record is missing',
    [artifact('app', 1), artifact('b', 2)],
    [line('app', 1, bad), line('b', 3, bad)],
    ['app unknown: with problems in the record', 'b unknown: without a record'],
    [],
  ],
  [
    'that was only sent is unknown and says so; what was sent is not missing',
    [artifact('app', 1)],
    [sent('app', 1), sent('b', 2)],
    ['app unknown: without a record, but sent'],
    [],
  ],
  [
    'whose sent line is settled has no record',
    [artifact('app', 1)],
    [sent('app', 1), { ...sent('app', 1), state: 'not-registered' }],
    ['app unknown: without a record'],
    [],
  ],
]

const missing: readonly Scenario[] = [
  [
    'of a hash on several lines is one, in the order of UTF-16 code units',
    [],
    [line('b', 1), line('\u{1f600}', 2), line('\uff01', 3), line('B', 4), line('a', 1)],
    [],
    [
      'B missing: B 4',
      'a missing: a 1',
      '\u{1f600} missing: \u{1f600} 2',
      '\uff01 missing: \uff01 3',
    ],
  ],
]

const commits: readonly Scenario[] = [
  [
    'limits what is altered and missing, in whatever case the records have it',
    [artifact('app', 9)],
    [line('app', 1), line('app', 2, { sha: B.toUpperCase() }), line('c', 3)],
    ['app altered: app 2 of B'],
    ['app missing: app 2 of B'],
    { sha: B },
  ],
  ...[null, '', A.slice(0, 7), `${A} `].map((sha): Scenario => [
    `is not that of a record of ${JSON.stringify(sha)}`,
    [artifact('app', 9)],
    [line('app', 1, { sha })],
    ['app unknown: without a record'],
    [],
    { sha: A },
  ]),
]

const attempts: readonly Scenario[] = [
  [
    'replaces the record of its name: that is neither missing nor what an artifact is altered from',
    [artifact('a', 2), artifact('b', 9)],
    [
      line('a', 1),
      line('a', 2, { runAttempt: '2' }),
      line('b', 4, { runAttempt: '10' }),
      line('b', 3, { runAttempt: '9' }),
    ],
    ['a matched: a 2', 'b altered: b 4'],
    ['b missing: b 4'],
  ],
]

const services: readonly Scenario[] = [
  [
    'on loopback does not count for anything without base-url',
    [artifact('a', 1), artifact('b', 9), artifact('d', 4)],
    [
      line('a', 1, loopback),
      line('b', 2, loopback),
      line('c', 3, loopback),
      sent('d', 4, loopback),
    ],
    ['a unknown: without a record', 'b unknown: without a record', 'd unknown: without a record'],
    [],
  ],
]

const releases: readonly Scenario[] = [
  [
    'that is the same as a local artifact is that artifact',
    [artifact('dist/app', 1), artifact('app', 1, 'release-tag')],
    [line('app', 1)],
    ['dist/app matched: app 1'],
    [],
  ],
  [
    'with other bytes than the local artifact of its name is shown, too: one of the two is altered',
    [artifact('dist/app', 1), artifact('app', 2, 'release-tag')],
    [line('app', 1)],
    ['app altered: app 1', 'dist/app matched: app 1'],
    [],
  ],
]

describe.each([
  ['an artifact', [...names, ...matches, ...others]],
  ['a record', missing],
  ['a commit', commits],
  ['a later attempt', attempts],
  ['a service', services],
  ['an asset of the release', releases],
])('%s', (_, scenarios) => {
  it.each(scenarios)('%s', (_sentence, artifacts, lines, states, absent, options = {}) => {
    const compared = compare(artifacts, lines, options)
    expect(compared.artifacts.map(inWords)).toEqual(states)
    expect(compared.missing.map(inWords)).toEqual(absent)
    expect(compared.conflicts).toEqual([])
  })
})

describe('a name with two hashes', () => {
  it('is a conflict: nothing can be said of it', () => {
    const { conflicts } = compare([artifact('app', 1), artifact('app', 2, 'checksums')], [])
    expect(conflicts).toHaveLength(1)
    expect(conflicts[0]).toContain('"app" has two hashes')
  })
})

describe('the records of services that do not count', () => {
  const lines = [
    line('a', 1),
    line('b', 2, loopback),
    line('c', 3, { ...loopback, ...bad }),
    sent('d', 4, loopback),
  ]
  const others = /^2 records of "http:\/\/127\.0\.0\.1:8080" do not count: /

  it.each([
    [null, `1 record of "${SERVICE}"`, others, /simulator.*"base-url"$/],
    [SERVICE, `1 record of "${SERVICE}"`, others, /"base-url" names another/],
    [loopback.service, /^1 record of "http:\/\/127/, /^1 record of "https:/, / does not count/],
  ])('with base-url %j are named in one warning', (baseUrl, counting, those, why) => {
    const { count, warnings } = index(lines, { baseUrl })
    expect(count).toMatch(counting)
    expect(warnings).toEqual([expect.stringMatching(those)])
    expect(warnings[0]).toMatch(why)
  })

  it('have secrets replaced in their names before these are cut', () => {
    const service = `http://127.0.0.1/${'x'.repeat(180)}hunter2hunter2`
    const redact = (text: string): string => text.replaceAll('hunter2hunter2', '***')
    const { warnings } = index([line('a', 1, { service })], { redact })
    expect(warnings[0]).toContain('xxx***')
    expect(warnings[0]).not.toContain('hun')
  })
})

describe('whatever is checked against whatever', () => {
  const baseNames = ['app', 'lib', '__proto__', '🎉', 'a.b']
  const name = fc
    .tuple(fc.constantFrom('', 'dist/', 'out/deep/', '/abs/'), fc.constantFrom(...baseNames))
    .map(parts => parts.join(''))
  const content = fc.nat({ max: 7 })
  const artifacts = fc.uniqueArray(
    fc
      .tuple(name, fc.option(content, { freq: 6 }))
      .map(([one, number]) => (number === null ? unread(one) : artifact(one, number))),
    { selector: one => one.name, maxLength: 12 },
  )
  const changes = fc.record({
    sha: fc.constantFrom(A, B, A.toUpperCase(), null),
    runId: fc.constantFrom('1', '2', null),
    runAttempt: fc.constantFrom('1', '2', '3'),
    problems: fc.constantFrom([], [], bad.problems),
    service: fc.constantFrom(SERVICE, 'https://other.example', loopback.service),
  })
  const lines = fc.array(
    fc.tuple(name, content, changes, fc.boolean()).map(([one, number, change, isState]) => ({
      change: { ...change, isState },
      one: isState ? sent(one, number, change) : line(one, number, change),
    })),
    { maxLength: 16 },
  )
  const options = fc.record({
    sha: fc.constantFrom(A, B, null),
    baseUrl: fc.constantFrom(null, SERVICE, loopback.service),
  })

  it('follows the rules, said once more in the words of the contract', () => {
    fc.assert(
      fc.property(artifacts, lines, options, (here, there, given) => {
        const compared = compare(
          here,
          there.map(({ one }) => one),
          given,
        )
        const good = there.flatMap(({ one, change }) => {
          const { service, problems, isState } = change
          const isCounted =
            given.baseUrl === null ? service !== loopback.service : service === given.baseUrl
          return !isState && isCounted && problems.length === 0 ? [{ ...one, ...change }] : []
        })
        const isOf = ({ sha }: { readonly sha: string | null }): boolean =>
          given.sha === null || sha?.toLowerCase() === given.sha
        const isReplaced = (old: (typeof good)[number]): boolean =>
          old.runId !== null &&
          good.some(
            one =>
              one.runId === old.runId &&
              one.service === old.service &&
              one.artifact === old.artifact &&
              one.runAttempt > old.runAttempt,
          )
        const last = (path: string): string => path.split('/').at(-1) ?? ''
        const sorted = here.toSorted((a, b) => (a.name < b.name ? -1 : 1))
        const expected = sorted.map(one => {
          if (!('hash' in one)) return 'unknown'
          if (good.some(({ hash }) => hash === one.hash)) return 'matched'
          const isKnown = good.some(other => isOf(other) && last(other.artifact) === last(one.name))
          return isKnown ? 'altered' : 'unknown'
        })
        expect(compared.artifacts.map(({ state }) => state)).toEqual(expected)
        expect(compared.artifacts.map(one => one.artifact)).toEqual(sorted.map(one => one.name))
        const absent = new Set(
          good.filter(one => isOf(one) && !isReplaced(one)).map(({ hash }) => hash),
        )
        for (const one of here) if ('hash' in one) absent.delete(one.hash)
        expect(compared.missing.map(({ hash }) => hash ?? '').toSorted()).toEqual(
          [...absent].toSorted(),
        )
        for (const one of [...compared.artifacts, ...compared.missing]) {
          if (one.recorded === null) continue
          expect(one.recorded.hash === one.hash).toBe(one.state !== 'altered')
          expect(one.recorded.read().record['hash']).toBe(one.recorded.hash)
          if (one.state !== 'matched') expect(isOf(one.recorded)).toBe(true)
        }
      }),
      { numRuns: 500, seed: 20_260 },
    )
  })
})
