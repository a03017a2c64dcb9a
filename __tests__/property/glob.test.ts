import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path, { dirname, join } from 'node:path'
import { create } from '@actions/glob'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { findFiles } from '../../src/artifacts/files.ts'
import { hostIn } from '../artifacts/host.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

// No file has the name of a folder: `@actions/glob` throws if a pattern leads through a file.
const plain =
  'x.txt q? !x #x b\\s a/x.txt a/y.txt a/x.bin a/b/ab.txt a/b/[x].txt ab/x.txt ab/q? b/a/y.txt b/ab.txt [a]/x.txt [a]/ab/x.bin'
const hidden =
  '.x.txt .env ..f .h/x.txt .h/a/y.txt ..d/x.txt a/.env a/.h/x.txt b/.x.txt ab/..d/y.txt'
const links = { 'a/ab': '../b', 'b/b': '.', 'ab/a': '.', 'b/q?': '../x.txt', 'ab/.h': '../a' }

const folders = 'a b ab [a]'
const files = 'x.txt y.txt x.bin ab.txt [x].txt q? !x #x b\\s'
const wildFolders = '* * ** ** ? a* *b [ab] [!a] [^b]* [a-b] ?? **b [[]a] \\[a\\] [a] ***'
const wildFiles = '* * ** ** *.txt *.txt x.* ?.txt [xy].txt [!x]* [^x]*.* ? *.[bt]* *a* ['
const rareFiles =
  '\\[x\\].txt [[]x].txt q[?] q\\? [x].tx? {x,y}.txt *(x).txt +(x).txt b\\\\s b\\s ?[s\\\\]? *\\* [x-'
const folderParts = `${folders} ${wildFolders}`
const folderPart = fc.constantFrom(...folderParts.split(' '))
const lastPart = fc.constantFrom(...`${files} ${wildFiles} ${rareFiles} ${folderParts}`.split(' '))
const start = fc.constantFrom('', '', '', '', './', 'ROOT/', '/ROOT//')
const end = fc.constantFrom('', '', '', '/', '//', ' ', '\t', '\r')
const pattern = fc
  .tuple(start, fc.array(folderPart, { maxLength: 3 }), lastPart, end)
  .map(([before, parts, last, after]) => `${before}${[...parts, last].join('/')}${after}`)
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
const root = makeTemporaryFolder()

async function findOurs(text: string): Promise<readonly string[]> {
  const { files, patterns, errors } = await findFiles(text, hostIn(root))
  expect(errors).toEqual([])
  const matched = new Set(patterns.flatMap(pattern => pattern.files))
  expect(matched).toEqual(new Set(files))
  return files.map(file => file.absolutePath).sort()
}

async function findTheirs(text: string): Promise<readonly string[]> {
  // @actions/glob logs every folder that it searches as a debug command.
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const globber = await create(text, { matchDirectories: false })
    return (await globber.glob()).sort()
  } finally {
    write.mockRestore()
  }
}

describe('findFiles compared with @actions/glob', () => {
  beforeAll(() => {
    for (const name of `${plain} ${hidden}`.split(' ')) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), '')
    }
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name))
    process.chdir(root)
  })
  afterAll(() => {
    process.chdir(folderBefore)
    cleanUp()
  })

  it('finds the same files, except hidden ones that no pattern names', async () => {
    let [visibleCount, hiddenCount] = [0, 0]
    const property = fc.asyncProperty(lists, async list => {
      const text = list.replaceAll('ROOT', root)
      const all = await findTheirs(text)
      const visible = all.filter(file => !/(^|\/)\./.test(path.relative(root, file)))
      expect({ text, files: await findOurs(text) }).toEqual({ text, files: visible })
      visibleCount += visible.length
      hiddenCount += all.length - visible.length
    })
    await fc.assert(property, { numRuns: 300, seed: 5 })
    // A comparison of few files would prove little.
    expect([visibleCount > 1000, hiddenCount > 300]).toEqual([true, true])
  })

  const invalid = ['..', '../x', 'a/../b', 'a/.', '~/..', '/./a', '[.]./a', 'a/[.]', '!', '! !']
  it.each(invalid)('rejects the pattern %j, as @actions/glob does', async text => {
    await expect(findTheirs(text)).rejects.toThrow()
    const rejected = { errors: { length: 1 }, files: [] }
    expect(await findFiles(text, hostIn(root))).toMatchObject(rejected)
  })
})
