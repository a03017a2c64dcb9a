import { describe, expect, it } from '@jest/globals'
import type { Artifact, ArtifactSource } from '../../src/artifacts/artifact.ts'
import { combineArtifacts } from '../../src/artifacts/combine.ts'
import { makeFailure } from '../../src/failure.ts'

const [hash, other] = ['a'.repeat(64), 'b'.repeat(64)]
const failure = makeFailure({ code: 'unreadable', what: 'it could not be read', remedy: 'fix it' })

function hashed(source: ArtifactSource, name: string, digest = hash): Artifact {
  return { source, name, size: source === 'checksums' ? null : 1, hash: digest }
}

const failed = (source: ArtifactSource, name: string): Artifact => ({ source, name, failure })

describe('artifacts with the same name', () => {
  const list = hashed('checksums', 'a')
  const file = hashed('path', 'a')
  const broken = failed('path', 'a')
  const local = hashed('path', 'dist/a')

  it.each<readonly [string, readonly Artifact[], readonly Artifact[]]>([
    [
      'are one artifact if they have the same hash, with the size of the file',
      [list, file],
      [file],
    ],
    ['are a failure if the file could not be read', [list, broken], [broken]],
    ['are a failure if another such file could not be read', [file, broken], [broken]],
    ['are several failures if several files could not be read', [broken, broken], [broken, broken]],
    [
      'are sorted by UTF-16 code units',
      ['b/c', 'b.c', 'B', '\uff01', '\u{1f600}'].map(name => hashed('path', name)),
      ['B', 'b.c', 'b/c', '\u{1f600}', '\uff01'].map(name => hashed('path', name)),
    ],
    [
      'keep the local name if an asset has the base name and the hash',
      [hashed('release-tag', 'a'), local, hashed('release-tag', 'b')],
      [hashed('release-tag', 'b'), local],
    ],
    [
      'are two if an asset has only the base name or only the hash',
      [local, hashed('release-tag', 'a', other), hashed('release-tag', 'b')],
      [hashed('release-tag', 'a', other), hashed('release-tag', 'b'), local],
    ],
    [
      'are two if the asset or the local file could not be read',
      [failed('path', 'a'), hashed('release-tag', 'a'), failed('release-tag', 'b')],
      [failed('path', 'a'), hashed('release-tag', 'a'), failed('release-tag', 'b')],
    ],
  ])('%s', (_, artifacts, combined) => {
    expect(combineArtifacts(artifacts)).toEqual({ combined, problems: [] })
    expect(combineArtifacts(artifacts.toReversed())).toEqual({ combined, problems: [] })
  })

  it.each([
    ['are an input error if they have two hashes', file],
    ['are an input error if they have two checksums and an unreadable file', broken],
  ])('%s', (_, first) => {
    const artifacts = [first, list, hashed('checksums', 'a', other), hashed('path', 'b')]
    const { combined, problems } = combineArtifacts(artifacts)
    expect(combined).toEqual([first, hashed('path', 'b')])
    const message = expect.stringContaining(`"a" has two hashes, ${hash} and ${other}`)
    expect(problems).toEqual([{ input: 'checksums', message }])
  })
})
