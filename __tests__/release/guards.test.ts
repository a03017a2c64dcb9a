/** What no run of the bundle shows of the guards of a release: any mix of files and assets, and very many of them. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { makeFailure } from '../../src/failure.ts'
import { releaseProblems, unpublishedWarning } from '../../src/release/guards.ts'
import { hashOf } from '../support/samples.ts'

const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

/** An artifact with this content, or one that could not be read. */
const artifact = (name: string, content: number | null): Artifact => ({
  ...{ source: 'path', name },
  ...(content === null
    ? { failure: makeFailure({ code: 'unreadable', what: 'gone', remedy: 'none' }) }
    : { size: 1, hash: hashOf(content) }),
})

const facts = (assets: readonly Artifact[]) => ({
  ...{ tag: 'v1', isDraft: false, assets, tagCommit: undefined, runCommit: COMMIT },
})

const anyName = fc.constantFrom('a', 'b', 'c', 'A')
const anyContent = fc.constantFrom(1, 2, 3, null)

describe('the guards of a release', () => {
  it('name just the files with the name of an asset, but not with its bytes, or with none that could be read', () => {
    const anyAsset = fc.tuple(anyName, anyContent)
    const anyFile = fc.tuple(fc.constantFrom('', 'd/', 'd/e/'), anyName, anyContent)
    fc.assert(
      fc.property(
        fc.uniqueArray(anyAsset, { selector: ([name]) => name }),
        fc.uniqueArray(anyFile, { selector: ([folder, name]) => folder + name, maxLength: 5 }),
        (assets, files) => {
          const published = new Map(assets)
          const isWrong = ([, name, content]: (typeof files)[number]): boolean =>
            content !== null && published.has(name) && published.get(name) !== content
          const isElsewhere = ([, name, content]: (typeof files)[number]): boolean =>
            content !== null && !published.has(name) && ![...published.values()].includes(content)
          const release = facts(assets.map(([name, content]) => artifact(name, content)))
          const locals = files.map(([folder, name, content]) => artifact(folder + name, content))

          const problems = releaseProblems(release, locals)
          const warnings = unpublishedWarning(release, locals)

          const quoted = (text = ''): readonly string[] =>
            files.map(([folder, name]) => `"${folder}${name}"`).filter(name => text.includes(name))
          const namesOf = (some: typeof files): readonly string[] =>
            some.map(([folder, name]) => `"${folder}${name}"`)
          expect(quoted(problems[0]?.message)).toEqual(namesOf(files.filter(isWrong)))
          expect(quoted(warnings[0])).toEqual(namesOf(files.filter(isElsewhere)))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('show a few of many and count the rest, in one line in which no name acts', () => {
    const names = Array.from({ length: 12 }, (_, index) => `file-${index}\n::error::x\u001b[2J.bin`)
    const built = names.map(name => artifact(`dist/${name}`, 1))
    const published = facts(names.map(name => artifact(name, 2)))

    const problems = releaseProblems(published, built).map(({ message }) => message)
    const warnings = unpublishedWarning(facts([]), built)

    for (const texts of [problems, warnings]) {
      expect(texts).toHaveLength(1)
      expect(texts[0]?.match(/file-\d+/g)).toHaveLength(5)
      expect(texts[0]).toContain('7 more')
      expect(texts[0]).not.toMatch(/\p{Cc}/u)
    }
  })

  it('stop a run for the tag whose own commit is not known', () => {
    const release = { ...facts([]), tagCommit: COMMIT, runCommit: null }

    expect(releaseProblems(release, [])).toMatchObject([{ input: 'release-tag' }])
  })

  it('have nothing to guard without a release', () => {
    expect(releaseProblems(null, [artifact('app.zip', 1)])).toEqual([])
    expect(unpublishedWarning(null, [artifact('app.zip', 1)])).toEqual([])
  })
})
