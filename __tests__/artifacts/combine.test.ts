import { expect, it } from '@jest/globals'
import { collectArtifacts } from '../../src/artifacts/collect.ts'
import { hashFiles } from '../../src/artifacts/hash.ts'
import type { Artifact } from '../../src/outcome.ts'
import { combineArtifacts } from '../../src/plan.ts'
import { artifactOf, hashOf, sha256, unreadOf } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { hostIn } from './host.ts'

const listed = artifactOf('a', 1, 'checksums')
const file = artifactOf('a', 1)
const broken = unreadOf('a')
const sorted = ['B', 'b.c', 'b/c', '\u{1f600}', '\uff01'].map(name => artifactOf(name, 1))

it.each<readonly [string, readonly Artifact[], readonly Artifact[]]>([
  ['one artifact with the size of the file, if their hash is the same', [listed, file], [file]],
  ['a failure, if the file could not be read', [listed, broken], [broken]],
  ['a list sorted by UTF-16 code units', sorted.toReversed(), sorted],
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

it('a file that changed after the checksums file beside it was written is an input error', async () => {
  const workspace = makeWorkspace({
    'dist/app.exe': 'signed',
    'dist/SHA256SUMS': `${hashOf(1)}  app.exe\n`,
  })
  const inputs = { path: 'dist', checksums: 'dist/SHA256SUMS', ifNoFilesFound: 'error' } as const
  const host = hostIn(workspace.root)
  const { files, listed } = await collectArtifacts(inputs, host, [])
  const { problems } = combineArtifacts([...(await hashFiles(files, host)), ...listed])
  const hashes = `${sha256('signed')} and ${hashOf(1)}`
  const message = expect.stringContaining(`"dist/app.exe" has two hashes, ${hashes}`)
  expect(problems).toMatchObject([{ input: 'checksums', message }])
})
