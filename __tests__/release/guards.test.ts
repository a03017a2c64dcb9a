/** The guards of a release: its tag has not moved, and local files are what it publishes. */
import { describe, expect, it } from '@jest/globals'
import { Failure } from '../../src/failure.ts'
import { failed, planned, type Artifact } from '../../src/outcome.ts'
import { releaseProblems, type ReleaseFacts } from '../../src/release/guards.ts'
import { hashOf } from '../support/samples.ts'

const [sha, other] = ['1'.repeat(40), '2'.repeat(40)]
const unreadable = new Failure('unreadable', 'github-unavailable')

/** Parses artifacts such as `name=content`; those without content could not be read. */
const artifactsOf = (texts: string): readonly Artifact[] =>
  texts.split(' ').map(text => {
    const [name = '', content] = text.split('=')
    const artifact = { input: 'path', name, size: null } as const
    if (content === undefined) return { ...artifact, hash: null, outcome: failed(unreadable) }
    return { ...artifact, hash: hashOf(Number(content)), outcome: planned }
  })
const release: Omit<ReleaseFacts, 'tagCommit'> = {
  tag: 'v1',
  isDraft: false,
  assets: artifactsOf('a=1 b=2 unread'),
  runCommit: sha,
}

describe('the guards of a release', () => {
  /** Local files, what the problems need, and what they name. */
  it.each<[string, string, readonly string[], RegExp]>([
    ['reject other bytes, even next to the right ones', 'a=1 d/a=9', ['workflow'], /"d\/a"/],
    ['report each difference', 'd/a=2 d/b=1', ['workflow'], /"d\/a".*"d\/b"/],
    ['reject an asset that could not be read', 'unread=1', ['nothing'], /"unread"/],
    ['ignore files that could not be read', 'a c', [], /^$/],
    ['compare whole names, case included', 'A=3 my-a=3', [], /^$/],
  ])('%s', (_what, locals, needs, names) => {
    const problems = releaseProblems({ ...release, tagCommit: sha }, artifactsOf(locals))
    expect(problems.map(problem => problem.needs)).toEqual(needs)
    expect(problems.map(({ message }) => message).join()).toMatch(names)
  })

  it.each<[string, Partial<typeof release>, string | null, RegExp | null]>([
    ['a tag that has not moved', {}, sha, null],
    ['a tag that moved', {}, other, /points to the commit 2{40} now, but this run is for 1{40}/],
    ['a tag that moved, in a run for another ref', { runCommit: null }, other, null],
    ['a tag that is gone', {}, null, /was deleted/],
    ['a tag that a draft will create', { isDraft: true }, null, null],
  ])('check %s', (_what, changes, tagCommit, message) => {
    const problems = releaseProblems({ ...release, ...changes, tagCommit }, [])
    const expected = message === null ? [] : [expect.stringMatching(message)]
    expect(problems.map(problem => problem.message)).toEqual(expected)
  })
})
