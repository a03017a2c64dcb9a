/** The pages agree with the action files and the code, and their links work. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { failureCodes } from '../../src/failure.ts'
import { readActionFile } from '../support/action-file.ts'
import { cleanUp } from '../support/clean-up.ts'
import { VERDICTS, VERIFY_VERDICTS } from '../support/outputs.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { anchorsOf, blocksOf, linksOf, pages } from './page.ts'
import { readPage, root, rowsOf, section } from './page.ts'

afterAll(cleanUp)

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
])('%s documents all outputs or verdicts below %s', (page, heading, names) => {
  const text = section(page, heading)
  expect(names.filter(name => !text.includes(`\`${name}\``))).toEqual([])
})

it('docs/failures.md documents exactly the failure codes', () => {
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
      const isValid = isFile && (anchor === undefined || anchorsOf(file).has(anchor))
      return isValid ? [] : [`${page}: ${target}`]
    }),
  )
  expect(broken).toEqual([])
})

it('every heading that a message links to exists', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map(file => readPage(file))
  const links = files.flatMap(text => [...text.matchAll(/'(\w+\.md)#([\w-]+)'/g)])
  const broken = links.filter(([, page, anchor = '']) => !anchorsOf(`docs/${page}`).has(anchor))
  expect(broken.map(([link]) => link)).toEqual([])
  expect(links.length).toBeGreaterThan(3)
})

it('the steps that pages show use existing inputs', () => {
  const shown = pages.flatMap(blocksOf).filter(({ text }) => /uses: [^ ]+@v1$/m.test(text))
  const copied = ['action.yml', 'verify/action.yml', 'package.json']
  const workspace = makeWorkspace()
  for (const file of copied) workspace.write(file, readPage(file))
  for (const [index, { text }] of shown.entries()) {
    const steps = text.replaceAll(/^(?=.)/gm, '      ')
    const job = `on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`
    workspace.write(`.github/workflows/${index}.yml`, job)
  }
  const script = join(root, 'scripts/check-action.ts')
  const check = spawnSync(process.execPath, [script, workspace.root], { encoding: 'utf8' })
  expect({ status: check.status, stdout: check.stdout }).toEqual({ status: 0, stdout: '' })
  expect(shown.length).toBeGreaterThan(3)
})
