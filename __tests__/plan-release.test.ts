import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failed } from '../src/outcome.ts'
import { releaseProblems, unpublishedWarning } from '../src/plan-release.ts'
import type { ReleaseFacts } from '../src/plan-release.ts'

const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const OTHER = 'f00dfeed00f00dfeed00f00dfeed00f00dfeed00'

/** A hash for a word, so that a test can be read. */
function hashOf(word: string): string {
  return Buffer.from(word).toString('hex').padEnd(64, '0').slice(0, 64)
}

const hashed = (name: string, word: string) => ({ name, size: 1, hash: hashOf(word) })
const entry = (name: string, word: string) => ({ name, hash: hashOf(word) })
const unread = (name: string) => ({ name, failure: failed('unreadable', 'no', 'gone') })

function facts(changes: Partial<ReleaseFacts> = {}): ReleaseFacts {
  const none = { assets: [], tagCommit: undefined, runCommit: COMMIT }
  return { tag: 'v1', isDraft: false, ...none, ...changes }
}

const nothing = { files: [], entries: [] } as const

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
    const problems = releaseProblems(facts(changes), nothing)

    expect(problems).toHaveLength(goesOn ? 0 : 1)
    if (goesOn) return
    expect(problems[0]?.input).toBe('release-tag')
    expect(problems[0]?.message).toContain('"v1"')
    if (changes.tagCommit === OTHER) expect(problems[0]?.message).toContain(OTHER)
    if (changes.runCommit !== null) expect(problems[0]?.message).toContain(COMMIT)
  })
})

type Local = Parameters<typeof releaseProblems>[1]

describe('the guard of published bytes', () => {
  const assets = [hashed('app.zip', 'app'), hashed('lib.zip', 'lib'), unread('unread.zip')]

  it.each<[string, Partial<Local>, readonly string[]]>([
    ['nothing local', {}, []],
    ['the same bytes, in a folder', { files: [hashed('dist/app.zip', 'app')] }, []],
    ['the same bytes, in a checksums file', { entries: [entry('app.zip', 'app')] }, []],
    ['other bytes, in a folder', { files: [hashed('dist/app.zip', 'x')] }, ['dist/app.zip']],
    ['other bytes, at the root', { files: [hashed('app.zip', 'x')] }, ['app.zip']],
    ['other bytes, in a checksums file', { entries: [entry('d/app.zip', 'x')] }, ['d/app.zip']],
    [
      'the bytes of another asset under this name',
      { files: [hashed('dist/app.zip', 'lib')] },
      ['dist/app.zip'],
    ],
    [
      'one of two files is right',
      { files: [hashed('a/app.zip', 'x'), hashed('b/app.zip', 'app')] },
      [],
    ],
    [
      'a file is wrong, and an entry right',
      { files: [hashed('a/app.zip', 'x')], entries: [entry('app.zip', 'app')] },
      [],
    ],
    [
      'none of two files is right',
      { files: [hashed('a/app.zip', 'x'), hashed('b/app.zip', 'y')] },
      ['app.zip'],
    ],
    [
      'two assets are built otherwise',
      { files: [hashed('app.zip', 'x'), hashed('lib.zip', 'y')] },
      ['app.zip', 'lib.zip'],
    ],
    ['a file that could not be read tells nothing', { files: [unread('dist/app.zip')] }, []],
    ['other names', { files: [hashed('dist/App.zip', 'x'), hashed('dist/xapp.zip', 'y')] }, []],
  ])('%s', (_what, local, named) => {
    const problems = releaseProblems(facts({ assets }), { ...nothing, ...local })

    expect(problems).toHaveLength(named.length === 0 ? 0 : 1)
    for (const name of named) expect(problems[0]?.message).toContain(name)
  })

  it('shows a few of many, and counts the rest', () => {
    const names = Array.from({ length: 12 }, (_, index) => `file-${index}.bin`)
    const many = facts({ assets: names.map(name => hashed(name, 'published')) })
    const files = names.map(name => hashed(`dist/${name}`, 'built'))

    const [problem] = releaseProblems(many, { files, entries: [] })

    expect(problem?.message.match(/file-\d+\.bin/g)).toHaveLength(5)
    expect(problem?.message).toContain('7 more')
  })

  it('shows a name from outside as harmless text in one line', () => {
    const name = 'a\n::error::x\u001b[2J.zip'
    const [problem] = releaseProblems(facts({ assets: [hashed(name, 'a')] }), {
      files: [hashed(`dist/${name}`, 'b')],
      entries: [],
    })

    expect(problem?.message).not.toMatch(/\p{Cc}/u)
  })

  it('stops if, and only if, a name is shared and no hash of that name is', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const word = fc.constantFrom('x', 'y', 'z')
    const locals = fc.array(fc.tuple(fc.constantFrom('', 'd/', 'd/e/'), name, word), {
      maxLength: 6,
    })
    const published = fc.uniqueArray(fc.tuple(name, word), { selector: ([one]) => one })
    fc.assert(
      fc.property(locals, published, fc.boolean(), (built, all, asEntries) => {
        const files = built.map(([folder, one, bytes]) => hashed(folder + one, bytes))
        const isWrong = all.some(([one, bytes]) => {
          const same = built.filter(([, other]) => other === one)
          return same.length > 0 && !same.some(([, , other]) => other === bytes)
        })

        const problems = releaseProblems(
          facts({ assets: all.map(([one, bytes]) => hashed(one, bytes)) }),
          asEntries ? { files: [], entries: files } : { files, entries: [] },
        )

        expect(problems.length > 0).toBe(isWrong)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the warning about what is not published', () => {
  const assets = [hashed('app.zip', 'app'), hashed('My.Tool.zip', 'tool'), unread('unread.zip')]

  it.each<[string, Partial<Local>, readonly string[]]>([
    ['nothing local', {}, []],
    ['a name of an asset', { files: [hashed('dist/app.zip', 'app')] }, []],
    ['a hash of an asset that GitHub renamed', { files: [hashed('dist/My Tool.zip', 'tool')] }, []],
    ['the name of an asset that could not be read', { files: [hashed('unread.zip', 'x')] }, []],
    ['neither', { files: [hashed('dist/new.zip', 'new')] }, ['dist/new.zip']],
    ['neither, in a checksums file', { entries: [entry('new.zip', 'new')] }, ['new.zip']],
    ['a file that could not be read', { files: [unread('dist/new.zip')] }, []],
  ])('%s', (_what, local, named) => {
    const warnings = unpublishedWarning(facts({ assets }), { ...nothing, ...local })

    expect(warnings).toHaveLength(named.length === 0 ? 0 : 1)
    for (const name of named) expect(warnings[0]).toContain(`"${name}"`)
  })

  it('is one for many files, with a count', () => {
    const files = Array.from({ length: 8 }, (_, index) => hashed(`new-${index}`, `new ${index}`))
    const [warning, second] = unpublishedWarning(facts({ assets }), { files, entries: [] })

    expect(second).toBeUndefined()
    expect(warning?.match(/new-\d/g)).toHaveLength(5)
    expect(warning).toContain('3 more')
  })
})
