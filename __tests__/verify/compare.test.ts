import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { recordOf, type Line } from '../../src/records/reading.ts'
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

type Recorded = Pick<Line, 'runId' | 'service' | 'artifact'> & {
  readonly runAttempt: number | string
}

const B = 'b'.repeat(40)
const loopback = { service: 'http://127.0.0.1:8080' } as const

describe('of several records, an artifact', () => {
  // Its state, and which records may stand for it at all, follow from the rules below.
  const [x, y, b, c] = [line('x', 1), line('y', 1, { sha: B }), line('b/app', 1), line('c/app', 1)]
  const ofName = line('a/app', 1)
  const ofCommit = line('b/app', 1, { sha: B })
  it.each<[string, string, readonly object[], string]>([
    [
      'matches that of the commit, of its base name',
      'a/app',
      [x, ofName, y, ofCommit],
      'b/app 1 b',
    ],
    ['matches that of its name', 'a/app', [x, b, c, ofName, ofName], 'a/app 1 a'],
    ['matches the first of its base name', 'a/app', [x, b, c], 'b/app 1 a'],
    ['matches the first', '/abs/other', [x, b, c], 'x 1 a'],
    [
      'is altered from the last of its name, not of a base name that comes later',
      ...(['a/app', [line('a/app', 2), line('a/app', 3), line('b/app', 4)], 'a/app 3 a'] as const),
    ],
    [
      'is altered from the last of its base name',
      ...(['c/app', [line('a/app', 2), line('b/app', 3)], 'b/app 3 a'] as const),
    ],
  ])('%s', (_, name, lines, expected) => {
    const sha = lines.includes(ofCommit) ? B : null
    const [one] = compare([artifact(name, 1)], lines, { sha }).artifacts
    const { artifact: recorded, hash, sha: commit } = one?.recorded ?? {}
    expect(`${recorded ?? ''} ${BigInt(`0x${hash ?? '0'}`)} ${commit?.[0] ?? ''}`).toBe(expected)
  })
})

it.each([
  ['the same bytes as a local artifact is that artifact', 1, ['dist/app matched']],
  ['other bytes is shown, too: one is altered', 2, ['app altered', 'dist/app matched']],
])('an asset of the release with %s', (_, content, states) => {
  const artifacts = [artifact('dist/app', 1), artifact('app', content, 'release-tag')]
  const compared = compare(artifacts, [line('app', 1)])
  expect(compared.artifacts.map(one => `${one.artifact} ${one.state}`)).toEqual(states)
  expect(compared.conflicts).toEqual([])
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
  // Some more often than others, so that names, services and runs meet.
  const often = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
  const baseName = often(
    'app',
    'App',
    'my-app',
    'app.zip',
    '__proto__',
    '🎉',
    '\uff01',
    '::error::x',
  )
  const name = fc.tuple(often('', 'dist/', '/abs/'), baseName).map(parts => parts.join(''))
  const content = fc.nat({ max: 7 })
  const artifacts = fc.uniqueArray(
    fc
      .tuple(name, fc.option(content, { freq: 6 }))
      .map(([one, number]) => (number === null ? unread(one) : artifact(one, number))),
    { selector: one => one.name, maxLength: 12 },
  )
  const changes = fc.record({
    sha: often<string | null>(A, B, A.toUpperCase(), null, '', A.slice(0, 7), `${A} `),
    runId: often<string | null>('1', '2', null),
    runAttempt: fc.constantFrom('1', '2', '10'),
    problems: often<readonly string[]>([], bad.problems),
    service: often<string>(SERVICE, 'https://other.example', loopback.service),
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
        const all = there.map(({ one }) => one)
        const compared = compare(here, all, given)
        const good = there.flatMap(({ one, change }) => {
          const { service, problems, isState } = change
          const isCounted =
            given.baseUrl === null ? service !== loopback.service : service === given.baseUrl
          return !isState && isCounted && problems.length === 0 ? [{ ...one, ...change }] : []
        })
        const isOf = ({ sha }: { readonly sha: string | null }): boolean =>
          given.sha === null || sha?.toLowerCase() === given.sha
        const isReplaced = (old: Recorded): boolean =>
          old.runId !== null &&
          good.some(
            one =>
              one.runId === old.runId &&
              one.service === old.service &&
              one.artifact === old.artifact &&
              Number(one.runAttempt) > Number(old.runAttempt),
          )
        const ofCommit = good.filter(one => isOf(one) && !isReplaced(one))
        const last = (path: string): string => path.split('/').at(-1) ?? ''
        const sorted = here.toSorted((a, b) => (a.name < b.name ? -1 : 1))
        const expected = sorted.map(one => {
          if (!('hash' in one)) return 'unknown'
          if (good.some(({ hash }) => hash === one.hash)) return 'matched'
          const isNamesake = (other: Recorded): boolean => last(other.artifact) === last(one.name)
          return ofCommit.some(isNamesake) ? 'altered' : 'unknown'
        })
        expect(compared.artifacts.map(({ state }) => state)).toEqual(expected)
        expect(compared.artifacts.map(one => one.artifact)).toEqual(sorted.map(one => one.name))
        const absent = new Map(ofCommit.map(one => [one.hash, one.artifact]))
        for (const one of here) if ('hash' in one) absent.delete(one.hash)
        const missing = compared.missing.map(one => [one.hash, one.artifact] as const)
        expect(new Map(missing)).toEqual(absent)
        expect(missing).toHaveLength(absent.size)
        const names = missing.map(([, one]) => one)
        expect(names).toEqual(names.toSorted())
        for (const one of [...compared.artifacts, ...compared.missing]) {
          if (one.recorded === null) continue
          expect(one.recorded.hash === one.hash).toBe(one.state !== 'altered')
          expect(recordOf(one.recorded).record['hash']).toBe(one.recorded.hash)
          if (one.state === 'matched') continue
          expect([isOf(one.recorded), isReplaced(one.recorded)]).toEqual([true, false])
        }
      }),
      { numRuns: 700, seed: 20_260 },
    )
  })
})
