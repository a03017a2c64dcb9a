/** What the pages say agrees with the action files, and their links lead somewhere. */
import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { failureCodes } from '../../src/failure.ts'
import { readActionFile } from '../support/action-file.ts'
import { VERDICTS, VERIFY_VERDICTS } from '../support/outputs.ts'
import { anchorsOf, linksOf, npmScripts, pages, readPage, root, rowsOf, section } from './page.ts'

describe.each([
  ['docs/reference.md', 'action.yml'],
  ['docs/verify.md', 'verify/action.yml'],
])('%s', (page, file) => {
  const { inputs, outputs } = readActionFile(join(root, file))

  it(`has each input of ${file}, in its order, with its default`, () => {
    const rows = rowsOf(section(page, '## Inputs')).map(([name, value = '']) => [
      name,
      value.replaceAll('`', ''),
    ])
    expect(rows).toEqual([...inputs])
  })

  it(`has each output of ${file}`, () => {
    const rows = rowsOf(section(page, '## Outputs')).map(([name]) => name)
    expect(rows.toSorted()).toEqual(outputs.toSorted())
  })
})

describe('README.md', () => {
  it('explains eight inputs and four outputs that exist, and names the others', () => {
    const { inputs, outputs } = readActionFile(join(root, 'action.yml'))
    const text = section('README.md', '## Inputs and outputs')
    const rows = rowsOf(text).map(([name]) => name)
    const all = [...inputs.keys(), ...outputs]
    expect(rows).toHaveLength(12)
    expect(rows.filter(name => !all.includes(name))).toEqual([])
    expect(all.filter(name => !text.includes(`\`${name}\``))).toEqual([])
  })

  it('begins with a step to copy, and is short', () => {
    const text = readPage('README.md')
    const words = (part: string): number => part.split(/\s+/).length
    expect(words(text.slice(0, text.indexOf('```yaml')))).toBeLessThan(120)
    expect(words(text.replaceAll(/\||-{3,}/g, ' '))).toBeLessThan(1500)
  })
})

it('docs/failures.md has each code, in its order', () => {
  const codes = [...readPage('docs/failures.md').matchAll(/^### (.+)$/gm)].map(([, code]) => code)
  expect(codes.toSorted()).toEqual(failureCodes.toSorted())
})

it.each([
  ['docs/verify.md', '## Verdicts', VERIFY_VERDICTS],
  ['docs/reference.md', '## Outputs', VERDICTS],
] as const)('%s has each verdict', (page, heading, verdicts) => {
  const text = section(page, heading)
  expect(verdicts.filter(verdict => !text.includes(`\`${verdict}\``))).toEqual([])
})

it('CONTRIBUTING.md has each room, in the order that lint has', async () => {
  const schema = z.object({ rooms: z.array(z.array(z.string())) })
  const { rooms } = schema.parse(await import(join(root, 'eslint.config.js')))
  const table = section('CONTRIBUTING.md', '## The house').matchAll(/^\|([^|]*)\|/gm)
  const named = [...table].map(([, cell = '']) =>
    [...cell.matchAll(/`([\w.-]+)\/?`/g)].map(([, name]) => name),
  )
  expect(named.filter(names => names.length > 0)).toEqual(rooms)
})

it('every link leads to a file or a heading that is there', () => {
  const broken = pages.flatMap(page =>
    linksOf(page).flatMap(target => {
      if (/^(?:https?|mailto):/.test(target)) return []
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : posix.normalize(posix.join(dirname(page), path))
      const isThere =
        existsSync(join(root, file)) && (anchor === undefined || anchorsOf(file).has(anchor))
      return isThere ? [] : [`${page}: ${target}`]
    }),
  )
  expect(broken).toEqual([])
})

it('every command of npm that a page names is there', () => {
  const named = pages.flatMap(page => [...readPage(page).matchAll(/`npm run ([\w:]+)/g)])
  expect(named.map(([, name = '']) => name).filter(name => !(name in npmScripts))).toEqual([])
})

it('every page of docs can be reached from the README', () => {
  const reached = new Set<string>(['README.md'])
  for (const page of reached) {
    for (const target of linksOf(page)) {
      const [path = ''] = target.split('#')
      const file = posix.normalize(posix.join(dirname(page), path))
      const found = pages.filter(one => one === file || dirname(one) === file)
      for (const one of path === '' ? [] : found) reached.add(one)
    }
  }
  expect(pages.filter(page => page.startsWith('docs/') && !reached.has(page))).toEqual([])
})

/** The words that ARCHITECTURE replaces with plainer ones. */
const avoided =
  /\b(?:told|tells|torn|mend(?:s|ed)?|h[eo]ld(?:s|ing)? .{1,60} against|brought|in doubt|unsure)\b/i

it('every page is in plain words', () => {
  const found = pages.flatMap(page =>
    readPage(page)
      .split('\n')
      .filter(line => avoided.test(line))
      .map(line => `${page}: ${line}`),
  )
  expect(found).toEqual([])
})
