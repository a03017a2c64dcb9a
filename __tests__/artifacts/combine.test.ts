import { expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { combineArtifacts } from '../../src/artifacts/combine.ts'
import { hashOf } from '../support/samples.ts'
import { artifact, unread } from '../verify/samples.ts'

const listed = artifact('a', 1, 'checksums')
const file = artifact('a', 1)
const broken = unread('a')
const local = artifact('d/a', 1)
const asset = artifact('a', 1, 'release-tag')
const altered = artifact('a', 2, 'release-tag')
const renamed = artifact('b', 1, 'release-tag')
const brokenAsset: Artifact = { ...unread('a'), source: 'release-tag' }
const sorted = ['B', 'b.c', 'b/c', '\u{1f600}', '\uff01'].map(name => artifact(name, 1))

it.each<readonly [string, readonly Artifact[], readonly Artifact[]]>([
  ['one artifact with the size of the file, if their hash is the same', [listed, file], [file]],
  ['a failure, if the file could not be read', [listed, broken], [broken]],
  ['a failure, if another file of this name could not be read', [file, broken], [broken]],
  ['several failures, if several files could not be read', [broken, broken], [broken, broken]],
  ['a list sorted by UTF-16 code units', sorted.toReversed(), sorted],
  [
    'the local file, if an asset has its base name and hash',
    [asset, local, renamed],
    [renamed, local],
  ],
  ['both, if an asset has only the base name', [local, altered], [altered, local]],
  ['both, if an asset has only the hash', [local, renamed], [renamed, local]],
  ['both, if the local file could not be read', [broken, asset], [broken, asset]],
  ['both, if the asset could not be read', [brokenAsset, local], [brokenAsset, local]],
])('artifacts with the same name are combined to %s', (_, artifacts, combined) => {
  expect(combineArtifacts(artifacts)).toEqual({ combined, problems: [] })
  expect(combineArtifacts(artifacts.toReversed())).toEqual({ combined, problems: [] })
})

it.each([
  ['two hashes', file],
  ['two checksums and an unreadable file', broken],
])('artifacts with the same name are an input error if they have %s', (_, first) => {
  const artifacts = [first, listed, artifact('a', 2, 'checksums'), artifact('b', 1)]
  const { combined, problems } = combineArtifacts(artifacts)
  expect(combined).toEqual([first, artifact('b', 1)])
  const message = expect.stringContaining(`"a" has two hashes, ${hashOf(1)} and ${hashOf(2)}`)
  expect(problems).toEqual([{ input: 'checksums', message }])
})
