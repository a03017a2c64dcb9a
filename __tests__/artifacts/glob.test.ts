import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { create } from '@actions/glob'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { findFiles } from '../../src/artifacts/files.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { hostIn } from './host.ts'

// No file has the name of a folder: `@actions/glob` throws if a pattern leads through a file.
const visible =
  'x.txt q? !x #x b\\s a/x.txt a/y.txt a/x.bin a/b/ab.txt a/b/[x].txt ab/x.txt ab/q? b/a/y.txt b/ab.txt [a]/x.txt [a]/ab/x.bin'
const hidden =
  '.x.txt .env ..f .h/x.txt .h/a/y.txt ..d/x.txt a/.env a/.h/x.txt b/.x.txt ab/..d/y.txt'
const links = { 'a/ab': '../b', 'b/b': '.', 'ab/a': '../.h', 'b/q?': '../x.txt', 'ab/.h': '../a' }
const onPosix = process.platform === 'win32' ? it.skip : it

const folders = 'a b ab [a] * * ** ** ? a* *b [ab] [!a] [^b]* [a-b] ?? **b [[]a] \\[a\\] ***'
const files = 'x.txt y.txt x.bin ab.txt [x].txt q? !x #x b\\s'
const wildFiles = '*.txt *.txt x.* ?.txt [xy].txt [!x]* [^x]*.* *.[bt]* *a* ['
const rareFiles =
  '\\[x\\].txt [[]x].txt q[?] q\\? [x].tx? {x,y}.txt *(x).txt +(x).txt b\\\\s ?[s\\\\]? *\\* [x-'
const folder = fc.constantFrom(...folders.split(' '))
const last = fc.constantFrom(...`${files} ${wildFiles} ${rareFiles} ${folders}`.split(' '))
const start = fc.constantFrom('', '', '', '', './', 'ROOT/', '/ROOT//')
const end = fc.constantFrom('', '', '', '/', '//', ' ', '\t', '\r')
const pattern = fc
  .tuple(start, fc.array(folder, { maxLength: 3 }), last, end)
  .map(([before, parts, name, after]) => `${before}${[...parts, name].join('/')}${after}`)
  .map(text => (/^[!#]/.test(text) ? `./${text}` : text))
const special = fc.constantFrom('.', './', 'x.txt/**', 'x.txt/*', 'x.txt/', '**/**', 'a//b')
const marks = fc.constantFrom('', '', '', '', '', '', '!', '!', '! ', '!!', '! !')
const line = fc.oneof(
  { weight: 14, arbitrary: fc.tuple(marks, pattern).map(parts => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(marks, special).map(parts => parts.join('')) },
  { weight: 1, arbitrary: fc.constantFrom('', '  ', '# *', '#', '  # !**') },
)
/** Lines of the input; `ROOT` stands for the folder of the tree. */
const lists = fc.array(line, { minLength: 1, maxLength: 5 }).map(lines => lines.join('\n'))

const folderBefore = process.cwd()
const workspace = makeWorkspace()
const { root } = workspace

beforeAll(() => {
  for (const name of `${visible} ${hidden}`.split(' ')) workspace.write(name, '')
  for (const [name, target] of Object.entries(links)) symlinkSync(target, workspace.path(name))
  process.chdir(root)
  // @actions/glob logs every folder that it searches as a debug command.
  jest.spyOn(process.stdout, 'write').mockReturnValue(true)
})
afterAll(() => {
  jest.restoreAllMocks()
  process.chdir(folderBefore)
})

async function findTheirs(text: string): Promise<readonly string[]> {
  return (await create(text, { matchDirectories: false })).glob()
}

onPosix('patterns find the same files as in @actions/glob, except hidden ones', async () => {
  const property = fc.asyncProperty(lists, async list => {
    const text = list.replaceAll('ROOT', root)
    const theirs = await findTheirs(text)
    const expected = theirs.filter(file => !/(^|\/)\./.test(path.relative(root, file)))
    const { files, patterns, errors } = await findFiles(text, hostIn(root))
    const found = files.map(file => file.absolutePath)
    const same = { text, errors: [], found: expected.sort() }
    expect({ text, errors, found: found.sort() }).toEqual(same)
    expect(new Set(patterns.flatMap(matched => matched.files))).toEqual(new Set(files))
  })
  await fc.assert(property, { numRuns: 300, seed: 5 })
})

const invalid = ['..', '../x', 'a/../b', 'a/.', '~/..', '/./a', '[.]./a', 'a/[.]', '!', '! !']
onPosix.each(invalid)('the pattern %j is rejected, as in @actions/glob', async text => {
  await expect(findTheirs(text)).rejects.toThrow()
  const rejected = { errors: { length: 1 }, files: [] }
  expect(await findFiles(text, hostIn(root))).toMatchObject(rejected)
})
