/** The guards of a release: its tag has not moved, and local files are what it publishes. */
import { describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { releaseProblems } from '../../src/release/guards.ts'
import { artifact, unread } from '../verify/samples.ts'

const [sha, other] = ['1'.repeat(40), '2'.repeat(40)]

/** Parses artifacts such as `name=content`; those without content could not be read. */
const artifactsOf = (texts: string): readonly Artifact[] =>
  texts.split(' ').map(text => {
    const [name = '', content] = text.split('=')
    return content === undefined ? unread(name) : artifact(name, Number(content))
  })
const facts = { tag: 'v1', isDraft: false, assets: artifactsOf('a=1 b=2 unread'), tagCommit: sha }
const release = { ...facts, isTagOfRun: true, runCommit: sha }

describe('the guards of a release', () => {
  it.each<[string, string, readonly string[]]>([
    ['reject other bytes, even next to the right ones', 'a=1 d/a=9', ['"d/a" has']],
    ['report each difference', 'd/a=2 d/b=1', ['"d/a" has', '"d/b" has']],
    ['reject an asset that could not be read', 'unread=1', ['"unread" cannot be compared']],
    ['ignore files that could not be read', 'a c', []],
    ['compare whole names, case included', 'A=3 my-a=3', []],
  ])('%s', (_what, locals, stops) => {
    const problems = releaseProblems(release, artifactsOf(locals)).map(({ message }) => message)
    expect(problems.length > 0).toBe(stops.length > 0)
    for (const text of stops) expect(problems.join()).toContain(text)
  })

  it.each<[string, Partial<typeof release>, string | null, RegExp | null]>([
    ['that has not moved', {}, sha, null],
    ['that moved', {}, other, /now points to 2{40}, but this run is for 1{40}/],
    ['that moved, in a run for another ref', { isTagOfRun: false }, other, null],
    ['that is gone', {}, null, /is gone/],
    ['that a draft will create', { isDraft: true }, null, null],
  ])('check a tag %s', (_what, changes, tagCommit, message) => {
    const problems = releaseProblems({ ...release, ...changes, tagCommit }, [])
    expect(problems).toHaveLength(message === null ? 0 : 1)
    if (message !== null) expect(problems[0]?.message).toMatch(message)
  })
})
