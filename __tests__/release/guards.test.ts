import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Artifact, ArtifactSource } from '../../src/artifacts/artifact.ts'
import { makeFailure } from '../../src/failure.ts'
import { releaseProblems, unpublishedWarning } from '../../src/release/guards.ts'
import type { ReleaseFacts } from '../../src/release/guards.ts'

const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const OTHER = 'f00dfeed00f00dfeed00f00dfeed00f00dfeed00'

/** A hash for a word, so that a test can be read. */
function hashOf(word: string): string {
  return Buffer.from(word).toString('hex').padEnd(64, '0').slice(0, 64)
}

const hashed = (name: string, word: string, source: ArtifactSource = 'path'): Artifact => ({
  ...{ source, name, size: 1, hash: hashOf(word) },
})
const entry = (name: string, word: string) => hashed(name, word, 'checksums')
const unread = (name: string): Artifact => ({
  ...{ source: 'path', name },
  failure: makeFailure({ code: 'unreadable', what: 'gone', remedy: 'none' }),
})

function facts(changes: Partial<ReleaseFacts> = {}): ReleaseFacts {
  const none = { assets: [], tagCommit: undefined, runCommit: COMMIT }
  return { tag: 'v1', isDraft: false, ...none, ...changes }
}

describe('the tag guard', () => {
  it.each<[string, Partial<ReleaseFacts>, boolean]>([
    ['the run is not for this tag', { tagCommit: undefined }, true],
    ['the tag points to the commit of the run', { tagCommit: COMMIT }, true],
    ['the tag points elsewhere', { tagCommit: OTHER }, false],
    [
      'the tag points elsewhere, and the release is a draft',
      { tagCommit: OTHER, isDraft: true },
      false,
    ],
    ['a draft has no tag', { tagCommit: null, isDraft: true }, true],
    ['the tag of a published release is gone', { tagCommit: null }, false],
    ['the commit of the run is not known', { tagCommit: OTHER, runCommit: null }, false],
  ])('%s', (_what, changes, goesOn) => {
    const problems = releaseProblems(facts(changes), [])

    expect(problems).toHaveLength(goesOn ? 0 : 1)
    if (goesOn) return
    expect(problems[0]?.input).toBe('release-tag')
    expect(problems[0]?.message).toContain('"v1"')
    if (changes.tagCommit === OTHER) expect(problems[0]?.message).toContain(OTHER)
    if (changes.runCommit !== null) expect(problems[0]?.message).toContain(COMMIT)
  })
})

describe('the guard of published bytes', () => {
  const assets = [hashed('app.zip', 'app'), hashed('lib.zip', 'lib'), unread('unread.zip')]

  it.each<[string, readonly Artifact[], readonly string[]]>([
    ['nothing local', [], []],
    ['the same bytes, in a folder', [hashed('dist/app.zip', 'app')], []],
    ['other bytes, in a folder', [hashed('dist/app.zip', 'x')], ['dist/app.zip']],
    ['other bytes, in a checksums file', [entry('d/app.zip', 'x')], ['d/app.zip']],
    ['the bytes of another asset', [hashed('dist/app.zip', 'lib')], ['dist/app.zip']],
    [
      'one of two files is right',
      [hashed('a/app.zip', 'x'), hashed('b/app.zip', 'app')],
      ['a/app.zip'],
    ],
    [
      'a file is wrong, and an entry right',
      [hashed('a/app.zip', 'x'), entry('app.zip', 'app')],
      ['a/app.zip'],
    ],
    [
      'an entry is wrong, and a file right',
      [hashed('a/app.zip', 'app'), entry('app.zip', 'x')],
      ['"app.zip"'],
    ],
    ['the asset could not be read', [hashed('d/unread.zip', 'x')], ['"d/unread.zip" cannot be']],
    ['a file that could not be read says nothing', [unread('dist/app.zip')], []],
    ['other names', [hashed('dist/App.zip', 'x'), hashed('dist/xapp.zip', 'y')], []],
  ])('%s', (_what, locals, named) => {
    const problems = releaseProblems(facts({ assets }), locals)

    expect(problems).toHaveLength(named.length === 0 ? 0 : 1)
    for (const name of named) expect(problems[0]?.message).toContain(name)
  })

  it('stops if, and only if, a local artifact has the name of an asset and another hash', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const word = fc.constantFrom('x', 'y', 'z')
    const locals = fc.array(fc.tuple(fc.constantFrom('', 'd/', 'd/e/'), name, word), {
      maxLength: 6,
    })
    const published = fc.uniqueArray(fc.tuple(name, word), { selector: ([one]) => one })
    fc.assert(
      fc.property(locals, published, fc.boolean(), (built, all, asEntries) => {
        const make = asEntries ? entry : hashed
        const isWrong = built.some(([, one, bytes]) =>
          all.some(([name, published]) => name === one && published !== bytes),
        )

        const problems = releaseProblems(
          facts({ assets: all.map(([one, bytes]) => hashed(one, bytes)) }),
          built.map(([folder, one, bytes]) => make(folder + one, bytes)),
        )

        expect(problems.length > 0).toBe(isWrong)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the warning about what is not published', () => {
  const assets = [hashed('app.zip', 'app'), hashed('My.Tool.zip', 'tool'), unread('unread.zip')]

  it.each<[string, readonly Artifact[], readonly string[]]>([
    ['nothing local', [], []],
    ['a name of an asset', [hashed('dist/app.zip', 'app')], []],
    ['a hash of an asset that GitHub renamed', [hashed('dist/My Tool.zip', 'tool')], []],
    ['the name of an asset that could not be read', [hashed('unread.zip', 'x')], []],
    ['neither', [hashed('dist/new.zip', 'new')], ['dist/new.zip']],
    ['neither, in a checksums file', [entry('new.zip', 'new')], ['new.zip']],
    ['a file that could not be read', [unread('dist/new.zip')], []],
  ])('%s', (_what, locals, named) => {
    const warnings = unpublishedWarning(facts({ assets }), locals)

    expect(warnings).toHaveLength(named.length === 0 ? 0 : 1)
    for (const name of named) expect(warnings[0]).toContain(`"${name}"`)
  })
})

it('both show a few of many and count the rest, in one line in which no name acts', () => {
  const names = Array.from({ length: 12 }, (_, index) => `file-${index}\n::error::x\u001b[2J.bin`)
  const built = names.map(name => hashed(`dist/${name}`, 'built'))
  const published = facts({ assets: names.map(name => hashed(name, 'published')) })

  const problems = releaseProblems(published, built).map(({ message }) => message)
  const warnings = unpublishedWarning(facts(), built)

  for (const texts of [problems, warnings]) {
    expect(texts).toHaveLength(1)
    expect(texts[0]?.match(/file-\d+/g)).toHaveLength(5)
    expect(texts[0]).toContain('7 more')
    expect(texts[0]).not.toMatch(/\p{Cc}/u)
  }
})

it('a run without a release has nothing to guard', () => {
  expect(releaseProblems(null, [hashed('app.zip', 'app')])).toEqual([])
  expect(unpublishedWarning(null, [hashed('app.zip', 'app')])).toEqual([])
})
