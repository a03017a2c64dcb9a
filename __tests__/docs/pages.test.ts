/** The pages agree with the action files and the code, and their links work. */
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
])('%s lists all inputs in order, with their defaults', (page, heading, file) => {
  const rows = rowsOf(section(page, heading)).map(([name, value = '']) => {
    return [name, value.replaceAll('`', '')]
  })
  expect(rows).toEqual([...readActionFile(join(root, file)).inputs])
})

const outputsOf = (file: string): readonly string[] => readActionFile(join(root, file)).outputs
const outputsHeading = '<summary>All outputs, with examples</summary>'

it.each<[string, string, readonly string[]]>([
  ['README.md', outputsHeading, [...outputsOf('action.yml'), ...VERDICTS]],
  ['docs/verify.md', '### Outputs', outputsOf('verify/action.yml')],
  ['docs/verify.md', '### Verdicts', VERIFY_VERDICTS],
])('%s has all of its outputs and verdicts below %s', (page, heading, names) => {
  const text = section(page, heading)
  expect(names.filter(name => !text.includes(`\`${name}\``))).toEqual([])
})

it('docs/failures.md has exactly the failure codes', () => {
  const codes = [...readPage('docs/failures.md').matchAll(/^### (.+)$/gm)].map(([, code]) => code)
  expect(codes.toSorted()).toEqual(failureCodes.toSorted())
})

it('every link leads to an existing file or heading', () => {
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

it('every heading that a message links exists', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map(file => readPage(file))
  const links = files.flatMap(text => [...text.matchAll(/'(\w+\.md)#([\w-]+)'/g)])
  const broken = links.filter(([, page, anchor = '']) => !anchorsOf(`docs/${page}`).has(anchor))
  expect(broken.map(([link]) => link)).toEqual([])
  expect(links.length).toBeGreaterThan(3)
})
