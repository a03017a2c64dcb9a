/** The guards of a release: its tag has not moved, local files are what it publishes, and it takes files. */
import { describe, expect, it } from '@jest/globals'
import { Failure } from '../../src/failure.ts'
import { failed, planned, type Artifact } from '../../src/outcome.ts'
import { releaseProblems, type ReleaseFacts } from '../../src/release/guards.ts'
import { hashOf } from '../support/samples.ts'

const [sha, other] = ['1'.repeat(40), '2'.repeat(40)]
const unreadable = new Failure({ code: 'unreadable', cause: 'no permission', remedy: 'fix it' })

/** Parses artifacts such as `name=content`; those without content could not be read. */
const artifactsOf = (texts: string): readonly Artifact[] =>
  texts.split(' ').map(text => {
    const [name = '', content] = text.split('=')
    const artifact = { source: 'path', name, size: null } as const
    if (content === undefined) return { ...artifact, hash: null, outcome: failed(unreadable) }
    return { ...artifact, hash: hashOf(Number(content)), outcome: planned }
  })
const kind = { tag: 'v1', isDraft: false, isImmutable: false }
const release: Omit<ReleaseFacts, 'tagCommit'> = {
  ...kind,
  assets: artifactsOf('a=1 b=2 unread'),
  runCommit: sha,
}

describe('the guards of a release', () => {
  it.each<[string, string, readonly string[]]>([
    ['reject other bytes, even next to the right ones', 'a=1 d/a=9', ['"d/a" has']],
    ['report each difference', 'd/a=2 d/b=1', ['"d/a" has', '"d/b" has']],
    ['reject an asset that could not be read', 'unread=1', ['"unread" cannot be compared']],
    ['ignore files that could not be read', 'a c', []],
    ['compare whole names, case included', 'A=3 my-a=3', []],
  ])('%s', (_what, locals, stops) => {
    const facts = { ...release, tagCommit: sha }
    const problems = releaseProblems(facts, artifactsOf(locals), true).map(({ message }) => message)
    expect(problems.length > 0).toBe(stops.length > 0)
    for (const text of stops) expect(problems.join()).toContain(text)
  })

  it.each<[string, Partial<typeof release>, string | null, RegExp | null]>([
    ['a tag that has not moved', {}, sha, null],
    ['a tag that moved', {}, other, /now points to 2{40}, but this run is for 1{40}/],
    ['a tag that moved, in a run for another ref', { runCommit: null }, other, null],
    ['a tag that is gone', {}, null, /is gone/],
    ['a tag that a draft will create', { isDraft: true }, null, null],
    ['whether there is something to attach', { isImmutable: true }, sha, /immutable/],
  ])('check %s', (_what, changes, tagCommit, message) => {
    const facts = { ...release, ...changes, tagCommit }
    const problems = releaseProblems(facts, [], true).map(text => text.message)
    expect(problems).toEqual(message === null ? [] : [expect.stringMatching(message)])
    if (facts.isImmutable) expect(releaseProblems(facts, [], false)).toEqual([])
  })
})
