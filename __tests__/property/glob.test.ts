import { mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path, { join } from 'node:path'
import { create } from '@actions/glob'
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { findFiles, type FoundFiles } from '../../src/artifacts/files.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

/** A file, or a link, if it leads somewhere; both are chains of names below the root of the tree. */
interface Node {
  readonly at: readonly string[]
  readonly to: readonly string[] | null
}

interface Names {
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

const plainNames: Names = {
  folders: ['a', 'b', 'ab', '[a]'],
  files: ['x.txt', 'y.txt', 'x.bin', 'ab.txt', '[x].txt', 'q?', '!x', '#x', 'b\\s'],
}
const withHiddenNames: Names = {
  folders: [...plainNames.folders, '.h', '..d'],
  files: [...plainNames.files, '.x.txt', '.env', '..f'],
}

/** Names of files and of folders never meet: `@actions/glob` throws where a pattern goes through a file. */
function trees({ folders, files }: Names): fc.Arbitrary<readonly Node[]> {
  const folder = fc.constantFrom(...folders)
  const file = fc.constantFrom(...files)
  const inFolder = (name: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
    fc.tuple(fc.array(folder, { maxLength: 3 }), name).map(([above, last]) => [...above, last])
  const someFiles = fc.array(fc.record({ at: inFolder(file), to: fc.constant(null) }), {
    minLength: 4,
    maxLength: 14,
  })
  const fileLinks = fc.array(fc.record({ at: inFolder(file), to: fc.tuple(file) }), {
    maxLength: 2,
  })
  // Few links to folders, as each to a folder above multiplies the paths through the tree.
  const target = fc.array(folder, { maxLength: 2 })
  const folderLinks = fc.array(fc.record({ at: inFolder(folder), to: target }), { maxLength: 2 })
  return fc.tuple(someFiles, fileLinks, folderLinks, someFiles).map(lists => lists.flat())
}

/** Makes what can be made, in this order; what finds its place taken is left out, as are links to nothing. */
function plant(root: string, nodes: readonly Node[]): void {
  for (const { at, to } of nodes) {
    const item = join(root, ...at)
    mkdirSync(path.dirname(item), { recursive: true })
    if (statSync(item, { throwIfNoEntry: false }) !== undefined) continue
    const target = join(root, ...(to ?? []))
    if (to === null) writeFileSync(item, '')
    else if (statSync(target, { throwIfNoEntry: false }) !== undefined) symlinkSync(target, item)
  }
}

const wildFolders = '* * ** ** ? a* *b [ab] [!a] [^b]* [a-b] ?? **b [[]a] \\[a\\] [a] ***'.split(
  ' ',
)
const wildFiles =
  '* * ** ** *.txt *.txt x.* ?.txt [xy].txt [!x]* [^x]*.* ? *.[bt]* *a* \\[x\\].txt [[]x].txt q[?] q\\? [x].tx? [ {x,y}.txt *(x).txt +(x).txt b\\\\s b\\s ?[s\\\\]? *\\* [x-'.split(
    ' ',
  )
const folderPart = fc.constantFrom(...plainNames.folders, ...wildFolders)
const lastPart = fc.constantFrom(
  ...plainNames.folders,
  ...plainNames.files,
  ...wildFiles,
  ...wildFolders,
)
const start = fc.constantFrom('', '', '', '', './', 'ROOT/', '/ROOT//')
const end = fc.constantFrom('', '', '', '/', '//', ' ', '\t', '\r')
const pattern = fc
  .tuple(start, fc.array(folderPart, { maxLength: 3 }), lastPart, end)
  .map(([before, folders, last, after]) => `${before}${[...folders, last].join('/')}${after}`)
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
const root = join(realpathSync(makeTemporaryFolder()), 'tree')

function replant(nodes: readonly Node[]): void {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root)
  plant(root, nodes)
  process.chdir(root)
}

function find(text: string): Promise<FoundFiles> {
  const place = { workspace: root, home: homedir(), path }
  return findFiles(text, { place, halt: new AbortController().signal })
}

async function ours(text: string): Promise<readonly string[]> {
  const { files, patterns, errors } = await find(text)
  expect(errors).toEqual([])
  const found = files.map(file => file.absolutePath).sort()
  const matched = patterns.flatMap(one => one.files.map(file => file.absolutePath))
  expect([...new Set(matched)].sort()).toEqual(found)
  return found
}

async function theirs(text: string): Promise<readonly string[]> {
  // The toolkit prints every folder that it searches as a debug command.
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const globber = await create(text, { matchDirectories: false })
    return (await globber.glob()).sort()
  } finally {
    write.mockRestore()
  }
}

describe('findFiles beside @actions/glob', () => {
  afterEach(() => {
    process.chdir(folderBefore)
  })
  afterAll(cleanUp)

  it.each([
    ['finds the same files where no name is hidden', plainNames],
    ['finds the same files but the hidden ones, where no pattern names them', withHiddenNames],
  ])('%s', async (_, names) => {
    let [found, hidden] = [0, 0]
    const texts = fc.array(lists, { minLength: 1, maxLength: 5 })
    const property = fc.asyncProperty(trees(names), texts, async (nodes, given) => {
      replant(nodes)
      for (const text of given.map(one => one.replaceAll('ROOT', root))) {
        const all = await theirs(text)
        const files = all.filter(file => !/(^|\/)\./.test(path.relative(root, file)))
        expect({ text, files: await ours(text) }).toEqual({ text, files })
        found += files.length
        hidden += all.length - files.length
      }
    })
    await fc.assert(property, { numRuns: 120, seed: 5 })
    // Otherwise the comparison would mean little.
    expect(found).toBeGreaterThan(500)
    expect(hidden > 100).toBe(names === withHiddenNames)
  })

  it.each(['..', '../x', 'a/../b', 'a/.', '~/..', '/./a', '[.]./a', 'a/[.]', '!', '! !'])(
    'refuses the pattern %j, which @actions/glob refuses, too',
    async text => {
      replant([{ at: ['a', 'x.txt'], to: null }])
      await expect(theirs(text)).rejects.toThrow()
      expect(await find(text)).toMatchObject({ errors: { length: 1 }, files: [] })
    },
  )
})
