/** What the plan asks about a release: is the tag where it was, and is what was built what is published? */
import { describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { makeFailure } from '../../src/failure.ts'
import { releaseProblems } from '../../src/release/guards.ts'
import { sha256 } from '../support/samples.ts'

const [sha, other] = ['1'.repeat(40), '2'.repeat(40)]
const failure = makeFailure({ code: 'unreadable', what: 'it is gone', remedy: 'run it again' })

/** Artifacts as `name=content`; without a content they could not be read. */
const artifactsOf = (texts: string): readonly Artifact[] =>
  texts.split(' ').map(text => {
    const [name = '', content] = text.split('=')
    const common = { source: 'path', name } as const
    return content === undefined
      ? { ...common, failure }
      : { ...common, size: 1, hash: sha256(content) }
  })
const facts = { tag: 'v1', isDraft: false, assets: artifactsOf('a=1 b=2 unread'), tagCommit: sha }
const release = { ...facts, isTagOfRun: true, runCommit: sha }

describe('the guards of a release', () => {
  it.each<[string, string, readonly string[]]>([
    ['stop for other bytes, even beside the right ones', 'a=1 d/a=x', ['"d/a" has']],
    ['stop for each', 'd/a=2 d/b=1', ['"d/a" has', '"d/b" has']],
    ['stop for an asset that could not be read', 'unread=1', ['"unread" cannot be compared']],
    ['leave files that could not be read to others', 'a c', []],
    ['tell the case of names apart, and whole names', 'A=3 my-a=3', []],
  ])('%s', (_what, locals, stops) => {
    const problems = releaseProblems(release, artifactsOf(locals)).map(({ message }) => message)

    expect(problems.length > 0).toBe(stops.length > 0)
    for (const text of stops) expect(problems.join()).toContain(text)
  })

  it.each<[string, Partial<typeof release>, string | null, RegExp | null]>([
    ['that did not move', {}, sha, null],
    ['that moved', {}, other, /points to 2{40} now, but this run is for 1{40}/],
    ['that moved, in a run for another ref', { isTagOfRun: false }, other, null],
    ['that is gone', {}, null, /is gone/],
    ['that a draft does not have yet', { isDraft: true }, null, null],
  ])('judge a tag %s', (_what, changes, tagCommit, message) => {
    const problems = releaseProblems({ ...release, ...changes, tagCommit }, [])

    expect(problems).toHaveLength(message === null ? 0 : 1)
    if (message !== null) expect(problems[0]?.message).toMatch(message)
  })
})
