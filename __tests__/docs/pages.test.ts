/** What the pages say agrees with the action files and the code, and their links lead somewhere. */
import { existsSync, globSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, it } from '@jest/globals'
import { failureCodes } from '../../src/failure.ts'
import { readActionFile } from '../support/action-file.ts'
import { VERDICTS, VERIFY_VERDICTS } from '../support/outputs.ts'
import { anchorsOf, linksOf, pages, readPage, root, rowsOf, section } from './page.ts'

it.each([
  ['README.md', '<summary>All inputs and their defaults</summary>', 'action.yml'],
  ['docs/verify.md', '### Inputs', 'verify/action.yml'],
])('%s has each input of the action, in its order, with its default', (page, heading, file) => {
  const rows = rowsOf(section(page, heading)).map(([name, value = '']) => {
    return [name, value.replaceAll('`', '')]
  })
  expect(rows).toEqual([...readActionFile(join(root, file)).inputs])
})

it.each([
  ['README.md', '<summary>All outputs, with examples</summary>', 'action.yml'],
  ['docs/verify.md', '### Outputs', 'verify/action.yml'],
])('%s has each output of the action', (page, heading, file) => {
  const text = section(page, heading)
  const { outputs } = readActionFile(join(root, file))
  expect(outputs.filter(name => !text.includes(`\`${name}\``))).toEqual([])
})

it('docs/failures.md has each failure code, and no other', () => {
  const codes = [...readPage('docs/failures.md').matchAll(/^### (.+)$/gm)].map(([, code]) => code)
  expect(codes.toSorted()).toEqual(failureCodes.toSorted())
})

it.each([
  ['docs/verify.md', '### Verdicts', VERIFY_VERDICTS],
  ['README.md', '<summary>All outputs, with examples</summary>', VERDICTS],
] as const)('%s has each verdict', (page, heading, verdicts) => {
  const text = section(page, heading)
  expect(verdicts.filter(verdict => !text.includes(`\`${verdict}\``))).toEqual([])
})

it('every link leads to a file or a heading that is there', () => {
  const broken = pages.flatMap(page =>
    linksOf(page).flatMap(target => {
      if (/^https?:/.test(target)) return []
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : posix.normalize(posix.join(dirname(page), path))
      const isFile = existsSync(join(root, file))
      const isThere = isFile && (anchor === undefined || anchorsOf(file).has(anchor))
      return isThere ? [] : [`${page}: ${target}`]
    }),
  )
  expect(broken).toEqual([])
})

it('every heading of docs that a message links is there', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map(file => readPage(file))
  const links = files.flatMap(text => [...text.matchAll(/'(\w+\.md)#([\w-]+)'/g)])
  const broken = links.filter(([, page, anchor = '']) => !anchorsOf(`docs/${page}`).has(anchor))
  expect(broken.map(([link]) => link)).toEqual([])
  expect(links.length).toBeGreaterThan(3)
})
