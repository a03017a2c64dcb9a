import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { own } from '../../scripts/own.ts'
import { readOwnName } from '../../scripts/own-name.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'

const repository = resolve(import.meta.dirname, '../..')
afterAll(cleanUp)

it('the repository can be named, and named anew', async () => {
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

it('only a name that stands alone is replaced, but not where a page shows the command', async () => {
  const text = [
    'uses: octo/a.b/verify@v1, `octo/a.b`. https://github.com/octo/a.b.git',
    'octo/a.bc octo/a.b-c xocto/a.b octo/axb octo/a.b.js',
    '`npm run own -- octo/a.b`',
  ]
  const settings = { 'package.json': '{ "repository": "github:octo/a.b" }' }
  const workspace = makeWorkspace({ ...settings, 'docs/a.yml': text.join('\n') })
  await own(workspace.root, 'N/N')

  expect(workspace.read('docs/a.yml').split('\n')).toEqual([
    'uses: N/N/verify@v1, `N/N`. https://github.com/N/N.git',
    ...text.slice(1),
  ])
})
