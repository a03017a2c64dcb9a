import { mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path, { join } from 'node:path'
import { create } from '@actions/glob'
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { findFiles } from '../../src/artifacts/files.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

/** `at` and `to` are chains of folder names below the root of the tree. */
type Node =
  | { readonly kind: 'folder'; readonly at: readonly string[] }
  | { readonly kind: 'file'; readonly at: readonly string[]; readonly name: string }
  | { readonly kind: 'broken link'; readonly at: readonly string[]; readonly name: string }
  | {
      readonly kind: 'link'
      readonly at: readonly string[]
      readonly name: string
      readonly to: readonly string[]
      readonly isRelative: boolean
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
  const at = fc.array(folder, { maxLength: 3 })
  const isRelative = fc.boolean()
  const link = fc.constant('link' as const)
  const leaves = fc.oneof(
    { weight: 9, arbitrary: fc.record({ kind: fc.constant('file' as const), at, name: file }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('folder' as const), at }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('broken link' as const), at, name: file }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: link, at, name: file, to: fc.tuple(file), isRelative }),
    },
  )
  // Few links to folders, as each to a folder above multiplies the paths through the tree.
  const branches = fc.record({
    kind: link,
    at,
    name: folder,
    to: fc.array(folder, { maxLength: 2 }),
    isRelative,
  })
  return fc
    .tuple(
      fc.array(leaves, { minLength: 4, maxLength: 14 }),
      fc.array(branches, { maxLength: 2 }),
      fc.array(leaves, { maxLength: 3 }),
    )
    .map(lists => lists.flat())
}

/** Makes what can be made, in this order; what finds its place taken is left out. */
function plant(root: string, nodes: readonly Node[]): void {
  for (const node of nodes) {
    const folder = join(root, ...node.at)
    mkdirSync(folder, { recursive: true })
    if (node.kind === 'folder') continue
    const item = join(folder, node.name)
    if (statSync(item, { throwIfNoEntry: false }) !== undefined) continue
    switch (node.kind) {
      case 'file':
        // A write would go through a broken link.
        rmSync(item, { force: true })
        writeFileSync(item, '')
        break
      case 'broken link':
        rmSync(item, { force: true })
        symlinkSync('no-such-file', item)
        break
      case 'link': {
        const target = join(root, ...node.to)
        if (statSync(target, { throwIfNoEntry: false }) === undefined) continue
        rmSync(item, { force: true })
        const relative = path.relative(realpathSync(folder), realpathSync(target)) || '.'
        symlinkSync(node.isRelative ? relative : target, item)
      }
    }
  }
}

const wildFolders = [
  ...['*', '*', '**', '**', '?', 'a*', '*b', '[ab]', '[!a]', '[^b]*', '[a-b]', '??', '**b'],
  ...['[[]a]', '\\[a\\]', '[a]', '***'],
]
const wildFiles = [
  ...['*', '*', '**', '**', '*.txt', '*.txt', 'x.*', '?.txt', '[xy].txt', '[!x]*', '[^x]*.*', '?'],
  ...['*.[bt]*', '*a*', '\\[x\\].txt', '[[]x].txt', 'q[?]', 'q\\?', '[x].tx?', '['],
  ...['{x,y}.txt', '*(x).txt', '+(x).txt', 'b\\\\s', 'b\\s', '?[s\\\\]?', '*\\*', '[x-'],
]
const folderParts = fc.oneof(
  fc.constantFrom(...plainNames.folders),
  fc.constantFrom(...wildFolders),
)
const lastParts = fc.oneof(
  fc.constantFrom(...plainNames.folders, ...plainNames.files),
  fc.constantFrom(...wildFiles, ...wildFolders),
)
const bodies = fc
  .tuple(fc.array(folderParts, { maxLength: 3 }), lastParts)
  .map(([folders, last]) => [...folders, last])
const marks = fc.oneof(
  { weight: 7, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.constant('!') },
  { weight: 1, arbitrary: fc.constantFrom('! ', '!!', '! !', '!!!') },
)
const patterns = fc
  .record({
    marks,
    start: fc.oneof(
      { weight: 6, arbitrary: fc.constant('') },
      { weight: 2, arbitrary: fc.constantFrom('./', 'ROOT/', '/ROOT//') },
    ),
    body: bodies,
    separator: fc.constantFrom('/', '/', '/', '//'),
    end: fc.oneof(
      { weight: 8, arbitrary: fc.constant('') },
      { weight: 3, arbitrary: fc.constantFrom('/', '//', ' ', '\t', '\r') },
    ),
  })
  .map(({ marks, start, body, separator, end }) => {
    const text = `${start}${body.join(separator)}${end}`
    return `${marks}${/^[!#]/.test(text) ? `./${text}` : text}`
  })

/** Lines of the input; `ROOT` stands for the folder of the tree. */
const lists = fc
  .array(
    fc.oneof(
      { weight: 14, arbitrary: patterns },
      {
        weight: 1,
        arbitrary: fc
          .tuple(marks, fc.constantFrom('.', './', 'x.txt/**', 'x.txt/*', 'x.txt/', '**/**'))
          .map(parts => parts.join('')),
      },
      { weight: 1, arbitrary: fc.constantFrom('', '  ', '# *', '#', '  # !**') },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map(lines => lines.join('\n'))

const folderBefore = process.cwd()
const forest = makeTemporaryFolder()
let root = ''
let treeNumber = 0

function replant(nodes: readonly Node[]): void {
  if (root !== '') rmSync(root, { recursive: true, force: true })
  root = join(forest, `tree-${++treeNumber}`)
  mkdirSync(root)
  plant(root, nodes)
  process.chdir(root)
}

const find = (text: string): ReturnType<typeof findFiles> =>
  findFiles(text, {
    place: { workspace: root, home: homedir(), path },
    halt: new AbortController().signal,
  })

async function ours(text: string): Promise<readonly string[]> {
  const { files, patterns, errors } = await find(text)
  expect(errors).toEqual([])
  const found = files.map(file => file.absolutePath).sort()
  const matched = patterns.flatMap(pattern => pattern.files.map(file => file.absolutePath))
  expect([...new Set(matched)].sort()).toEqual(found)
  return found
}

async function theirs(text: string): Promise<readonly string[]> {
  // The toolkit prints every folder that it searches as a debug command.
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const globber = await create(text, {
      followSymbolicLinks: true,
      implicitDescendants: true,
      matchDirectories: false,
    })
    return (await globber.glob()).sort()
  } finally {
    write.mockRestore()
  }
}

const inTree = (text: string): string => text.replaceAll('ROOT', root)

describe('findFiles beside @actions/glob', () => {
  afterEach(() => {
    process.chdir(folderBefore)
  })
  afterAll(cleanUp)

  it('finds the same files where no name is hidden', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        trees(plainNames),
        fc.array(lists, { minLength: 1, maxLength: 5 }),
        async (nodes, texts) => {
          replant(nodes)
          for (const text of texts) {
            const files = await theirs(inTree(text))
            expect({ text, files: await ours(inTree(text)) }).toEqual({ text, files })
            found += files.length
          }
        },
      ),
      { numRuns: 250, seed: 5 },
    )
    // Otherwise the comparison would mean little.
    expect(found).toBeGreaterThan(500)
  })

  it('finds the same files but the hidden ones where no pattern names a hidden part', async () => {
    let left = 0
    await fc.assert(
      fc.asyncProperty(
        trees(withHiddenNames),
        fc.array(lists, { minLength: 1, maxLength: 5 }),
        async (nodes, texts) => {
          replant(nodes)
          for (const text of texts) {
            const all = await theirs(inTree(text))
            const files = all.filter(file => !/(^|\/)\./.test(path.relative(root, file)))
            expect({ text, files: await ours(inTree(text)) }).toEqual({ text, files })
            left += all.length - files.length
          }
        },
      ),
      { numRuns: 150, seed: 5 },
    )
    expect(left).toBeGreaterThan(100)
  })

  it.each([
    ...['..', '../x', 'a/..', 'a/../b', 'a/.', 'a/./b', '~/..', '/./a', '[.]./a', 'a/[.]'],
    ...['!', '! !'],
  ])('refuses the pattern %j, which @actions/glob refuses, too', async text => {
    replant([{ kind: 'file', at: ['a'], name: 'x.txt' }])
    await expect(theirs(text)).rejects.toThrow()
    const { errors, files } = await find(text)
    expect(errors).toHaveLength(1)
    expect(files).toEqual([])
  })
})
