import { afterAll, expect, it } from '@jest/globals'
import { assertFreshDist, stampSources } from '../../scripts/stamp.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

const files = { 'src/a/b.ts': '1', 'package-lock.json': '{}', 'scripts/build.ts': '2' }

it.each<[string, Readonly<Record<string, string>>]>([
  ['a changed source', { 'src/a/b.ts': '2' }],
  ['a new source', { 'src/c.ts': '1' }],
  ['another dependency', { 'package-lock.json': '{ }' }],
  ['another build', { 'scripts/build.ts': '3' }],
  ['a missing stamp', { 'dist/sources.sha256': '' }],
])('a bundle is stale after %s', (_, changes) => {
  const { root, write } = makeWorkspace(files)
  write('dist/sources.sha256', stampSources(root))
  write('package.json', '{}')
  assertFreshDist(root)
  for (const [file, content] of Object.entries(changes)) write(file, content)
  expect(() => {
    assertFreshDist(root)
  }).toThrow('npm run build')
})
