/** The pages agree with the action files and the code, and their links work. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, it } from '@jest/globals'
import { ownName } from '../../scripts/own-name.ts'
import { readActionFile } from '../support/action-file.ts'
import { VERDICTS, VERIFY_VERDICTS } from '../support/outputs.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { anchorsOf, blocksOf, linksOf, pages, readPage, root, section } from './page.ts'

it.each([
  ['README.md', '<summary>All inputs and their defaults</summary>', 'action.yml'],
  ['docs/verify.md', '### Inputs', 'verify/action.yml'],
])('%s lists all inputs in order, with their defaults', (page, heading, file) => {
  const rows = section(page, heading).matchAll(/^\| `([^`]+)` *\|([^|]*)\|/gm)
  const inputs = Array.from(rows, ([, name, text = '']) => [name, text.replaceAll('`', '').trim()])
  expect(inputs).toEqual([...readActionFile(join(root, file)).inputs])
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

it('pages and examples use only outputs that exist', () => {
  const used = [...pages, ...globSync('examples/*.yml', { cwd: root })].flatMap(page =>
    Array.from(readPage(page).matchAll(/steps\.notarize\.outputs\.([\w-]+)/g), ([, name]) => name),
  )
  expect(used).toContain('predicate-path')
  expect(outputsOf('action.yml')).toEqual(expect.arrayContaining(used))
})

it('every link of a page or a message leads to an existing file or heading', () => {
  const ofPages = pages.flatMap(page => linksOf(page).map(target => [page, target] as const))
  const sources = globSync('src/**/*.ts', { cwd: root }).flatMap(
    file => readPage(file).match(/(?<='|docs:)\w+\.md#[\w-]+/g) ?? [],
  )
  expect(sources.length).toBeGreaterThan(3)
  const ofMessages = sources.map(target => ['docs/a message', target] as const)
  const broken = [...ofPages, ...ofMessages].filter(([page, target]) => {
    if (/^https?:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : posix.join(dirname(page), path)
    if (!existsSync(join(root, file))) return true
    return anchor !== undefined && !anchorsOf(file).includes(anchor)
  })
  expect(broken).toEqual([])
})

it('check-action finds wrong keys, inputs and expressions, and none in the workflows and steps that pages show', () => {
  const shown = pages.flatMap(blocksOf).filter(text => /uses: [^ ]+@v1$/m.test(text))
  expect(shown.length).toBeGreaterThan(2)
  const workflowOf = (steps: string): string =>
    `on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n${steps.replaceAll(/^(?=.)/gm, '      ')}`
  const wrong = `
- { uses: "${ownName}@v1", with: { pth: dist } }
- { uses: ./verify, with: { path: dist } }
- uses: ./verify
  with: { tag: v1 }
- run: echo "\${{ nowhere.value }}"
`
  const workspace = makeWorkspace({
    'package.json': readPage('package.json'),
    'action.yml': `brandng: {}\n${readPage('action.yml')}`,
    'verify/action.yml': readPage('verify/action.yml'),
    'examples/nested/wrong.yml': workflowOf(wrong),
  })
  for (const [index, text] of shown.entries()) {
    const workflow = /^jobs:/m.test(text) ? text : workflowOf(text)
    workspace.write(`.github/workflows/${index}.yml`, workflow)
  }
  const args = [join(root, 'scripts/check-action.ts'), workspace.root]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, ...stdout.trim().split('\n')]).toEqual([
    1,
    "action.yml:1: Unexpected value 'brandng'",
    "examples/nested/wrong.yml:7: Invalid action input 'pth'",
    "examples/nested/wrong.yml:10: Invalid action input 'tag'",
    "examples/nested/wrong.yml:11: Unrecognized named-value: 'nowhere'",
  ])
})
