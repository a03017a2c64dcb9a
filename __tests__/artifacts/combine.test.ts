import { expect, it } from '@jest/globals'
import type { Artifact } from '../../src/outcome.ts'
import { combineArtifacts } from '../../src/plan.ts'
import { artifactOf, hashOf, unreadOf } from '../support/samples.ts'

const listed = artifactOf('a', 1, 'checksums')
const file = artifactOf('a', 1)
const broken = unreadOf('a')

it.each<readonly [string, readonly Artifact[], readonly Artifact[]]>([
  ['one artifact with the size of the file, if their hash is the same', [listed, file], [file]],
  ['a failure, if the file could not be read', [listed, broken], [broken]],
])('artifacts with the same name are combined to %s', (_, artifacts, combined) => {
  expect(combineArtifacts(artifacts)).toEqual({ combined, problems: [] })
  expect(combineArtifacts(artifacts.toReversed())).toEqual({ combined, problems: [] })
})

it.each([
  ['two hashes', file],
  ['two checksums and an unreadable file', broken],
])('artifacts with the same name are an input error if they have %s', (_, first) => {
  const artifacts = [first, listed, artifactOf('a', 2, 'checksums'), artifactOf('b', 1)]
  const { combined, problems } = combineArtifacts(artifacts)
  expect(combined).toEqual([first, artifactOf('b', 1)])
  const message = expect.stringContaining(`"a" has two hashes, ${hashOf(1)} and ${hashOf(2)}`)
  const next = 'create the checksums again from the files to notarize'
  expect(problems).toMatchObject([{ input: 'checksums', message, next }])
})
