import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { own } from '../../scripts/own.ts'
import { readOwnName } from '../../scripts/own-name.ts'
import { root as repository } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

afterAll(cleanUp)

it('the repository can be renamed, and renamed again', async () => {
  const root = makeTemporaryFolder()
  const copied = ['package.json', 'README.md', 'CONTRIBUTING.md', 'docs', 'examples', '.github']
  for (const name of copied) cpSync(join(repository, name), join(root, name), { recursive: true })
  const before = readOwnName(root)
  const read = (): string => readFileSync(join(root, 'examples/release.yml'), 'utf8')
  const original = read()
  const name = 'octo-org-with-a-long-name/notarize.release'

  expect(await own(root, name)).toEqual(
    expect.arrayContaining(['README.md', 'examples/release.yml', 'package.json']),
  )
  expect(read()).toContain(`uses: ${name}@v1`)
  expect(read()).not.toContain(before)

  await own(root, before)
  expect(read()).toBe(original)
})
