import { describe, expect, it } from '@jest/globals'
import type { Artifact, ArtifactSource } from '../../src/artifacts/artifact.ts'
import { combineArtifacts } from '../../src/artifacts/combine.ts'
import { makeFailure } from '../../src/failure.ts'

const [hash, other] = ['a'.repeat(64), 'b'.repeat(64)]
const failure = makeFailure({
  code: 'unreadable',
  what: 'it could not be read',
  remedy: 'fix that',
})

const hashed = (source: ArtifactSource, name: string, digest = hash): Artifact => ({
  source,
  name,
  size: source === 'checksums' ? null : 1,
  hash: digest,
})

const failed = (source: ArtifactSource, name: string): Artifact => ({ source, name, failure })

describe('artifacts of one name', () => {
  it.each<readonly [string, readonly Artifact[], readonly Artifact[]]>([
    [
      'are one with the same hash, read from the file',
      [hashed('path', 'a'), hashed('checksums', 'a')],
      [hashed('path', 'a')],
    ],
    [
      'are a failure where the file could not be read, whatever its checksum',
      [failed('path', 'a'), hashed('checksums', 'a')],
      [failed('path', 'a')],
    ],
    [
      'are a failure where another file of the name could not be read',
      [hashed('path', 'a'), failed('path', 'a')],
      [failed('path', 'a')],
    ],
    [
      'are sorted by UTF-16 code units',
      ['b/c', 'b.c', 'B', '\uff01', '\u{1f600}'].map(name => hashed('path', name)),
      ['B', 'b.c', 'b/c', '\u{1f600}', '\uff01'].map(name => hashed('path', name)),
    ],
    [
      'keep the local name, if an asset has the base name and the hash',
      [hashed('release-tag', 'a'), hashed('path', 'dist/a'), hashed('release-tag', 'b')],
      [hashed('release-tag', 'b'), hashed('path', 'dist/a')],
    ],
    [
      'are two, if an asset has only the base name or only the hash',
      [hashed('path', 'dist/a'), hashed('release-tag', 'a', other), hashed('release-tag', 'b')],
      [hashed('release-tag', 'a', other), hashed('release-tag', 'b'), hashed('path', 'dist/a')],
    ],
    [
      'are two, if the asset or the local file could not be read',
      [failed('path', 'dist/a'), hashed('release-tag', 'a'), failed('release-tag', 'b')],
      [hashed('release-tag', 'a'), failed('release-tag', 'b'), failed('path', 'dist/a')],
    ],
  ])('%s', (_, artifacts, combined) => {
    expect(combineArtifacts(artifacts)).toEqual({ combined, problems: [] })
  })

  it('with two hashes are an input error that names both', () => {
    const artifacts = [hashed('path', 'a'), hashed('path', 'b'), hashed('checksums', 'a', other)]
    const { combined, problems } = combineArtifacts(artifacts)
    expect(combined).toHaveLength(2)
    const message = expect.stringContaining(`"a" has two hashes, ${hash} and ${other}`)
    expect(problems).toEqual([{ input: 'checksums', message }])
  })

  it('with two checksums are an input error, also where the file could not be read', () => {
    const checksums = [hashed('checksums', 'a'), hashed('checksums', 'a', other)]
    expect(combineArtifacts([failed('path', 'a'), ...checksums]).problems).toHaveLength(1)
  })
})
