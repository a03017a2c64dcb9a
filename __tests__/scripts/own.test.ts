import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { isRepositoryName, own, replaceName } from '../../scripts/own.ts'
import { readOwnName } from '../../scripts/own-name.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

const repository = resolve(import.meta.dirname, '../..')
afterAll(cleanUp)

describe('a name', () => {
  it.each(['octo/app', 'o/a', 'octo-org/notarize.release_2', 'A1/.github'])('may be %s', name => {
    expect(isRepositoryName(name)).toBe(true)
  })

  it.each([
    ...['', 'octo', 'octo/', '/app', 'octo/app/x', '-o/a', 'o--o/a', 'o/..', 'o/a b', 'o/a.git'],
    'o/ä',
  ])('may not be %j', name => {
    expect(isRepositoryName(name)).toBe(false)
  })

  it.each([
    ['uses: octo/a.b@v1', 'uses: N/N@v1'],
    ['octo/a.b/verify@v1 and `octo/a.b`.', 'N/N/verify@v1 and `N/N`.'],
    [
      'https://github.com/octo/a.b/blob, github:octo/a.b.git',
      'https://github.com/N/N/blob, github:N/N.git',
    ],
    [
      'octo/a.bc octo/a.b-c xocto/a.b octo/axb octo/a.b.js',
      'octo/a.bc octo/a.b-c xocto/a.b octo/axb octo/a.b.js',
    ],
  ])('is replaced in %j where it stands alone', (text, expected) => {
    expect(replaceName(text, { from: 'octo/a.b', to: 'N/N' }).text).toBe(expected)
  })
})

it('the repository can be named, and named anew', () => {
  const folder = makeTemporaryFolder()
  for (const name of ['package.json', 'README.md', 'docs', 'examples', '.github']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  }
  const before = readOwnName(folder)
  const read = (): string => readFileSync(join(folder, 'examples/release.yml'), 'utf8')
  const original = read()

  const first = own(folder, 'octo/first.name')
  expect(first.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['README.md', 'examples/release.yml', 'package.json']),
  )
  expect(read()).toContain('uses: octo/first.name@v1')
  expect(read()).not.toContain(before)

  expect(own(folder, before)).toEqual(first)
  expect(read()).toBe(original)
})
