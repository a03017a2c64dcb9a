import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import path, { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { findFiles, realPathOf, type FoundFiles } from '../../src/artifacts/sources/files.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeTemporaryFolder, makeWorkspace, type Workspace } from '../support/workspace.ts'

const isWindows = process.platform === 'win32'
const isRoot = process.getuid?.() === 0
const onPosix = isWindows ? it.skip : it
const withRights = isWindows || isRoot ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

afterAll(cleanUp)

/** Makes a workspace with empty files of these names. */
function workspaceOf(...names: readonly string[]): Workspace {
  return makeWorkspace(Object.fromEntries(names.map(name => [name, ''])))
}

function find(
  { root }: { readonly root: string },
  text: string,
  ...skip: readonly string[]
): FoundFiles {
  return findFiles(text, { workspace: root, home: homedir(), path }, skip)
}

const namesOf = ({ files }: FoundFiles): readonly string[] => files.map(file => file.name)

describe('the files that patterns find', () => {
  const workspace = workspaceOf('a.txt', 'b.bin', 'd/c.txt', 'd/e/f.txt', 'd/e/g.bin', 'z.txt')

  it.each([
    ['*.txt', ['a.txt', 'z.txt']],
    ['**/*.txt', ['a.txt', 'd/c.txt', 'd/e/f.txt', 'z.txt']],
    ['d', ['d/c.txt', 'd/e/f.txt', 'd/e/g.bin']],
    ['d/', ['d/c.txt', 'd/e/f.txt', 'd/e/g.bin']],
    ['d/*.txt', ['d/c.txt']],
    ['d/*', ['d/c.txt', 'd/e/f.txt', 'd/e/g.bin']],
    ['a.txt/', []],
    ['.', ['a.txt', 'b.bin', 'd/c.txt', 'd/e/f.txt', 'd/e/g.bin', 'z.txt']],
    ['a.txt\na.txt\n*.txt', ['a.txt', 'z.txt']],
    ['*\n!d', ['a.txt', 'b.bin', 'z.txt']],
    ['*\n!d/**', ['a.txt', 'b.bin', 'z.txt']],
    ['*\n!d/*.txt', ['a.txt', 'b.bin', 'd/e/f.txt', 'd/e/g.bin', 'z.txt']],
    ['!d\n*', ['a.txt', 'b.bin', 'd/c.txt', 'd/e/f.txt', 'd/e/g.bin', 'z.txt']],
    ['*.txt\n!*.txt\na.txt', ['a.txt']],
    ['**\n!**/*.txt\nd/e/*.txt\n!**/g.*', ['b.bin', 'd/e/f.txt']],
    ['# *\n\n  a.txt  \r\n#b.bin', ['a.txt']],
    ['no-such-file\nno/such/folder/*', []],
    ['a.txt/b', []],
    ['', []],
    ['# only a comment', []],
    ['!*', []],
  ])('are those of the list %j', (text, expected) => {
    const { files, errors, warnings } = find(workspace, text)
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
    expect(files).toEqual(expected.map(name => ({ name, absolutePath: workspace.path(name) })))
  })

  it('are sorted by UTF-16 code units', () => {
    const names = ['Z', 'a', 'b/c', 'b.c', '10', '9', 'é', '\u{1f600}', '\uff01']
    const found = namesOf(find(workspaceOf(...names), '.'))
    expect(found).toEqual(['10', '9', 'Z', 'a', 'b.c', 'b/c', 'é', '\u{1f600}', '\uff01'])
  })

  it('are counted for each pattern, after the exclusions', () => {
    const { patterns } = find(workspace, '*.txt\nd\n!**/f.txt\n**/c.txt\nnothing\n!nothing')
    expect(patterns.map(({ text, count }) => [text, count])).toEqual([
      ['*.txt', 2],
      ['d', 2],
      ['**/c.txt', 1],
      ['nothing', 0],
    ])
    expect(patterns[2]?.files).toEqual([workspace.path('d/c.txt')])
  })

  it('have absolute names where they lie outside of the workspace', () => {
    const outside = makeTemporaryFolder()
    writeFileSync(join(outside, 'x.txt'), '')
    const slashed = outside.replaceAll(path.sep, '/')
    expect(find(workspace, `${outside}\na.txt`).files).toEqual([
      { name: `${slashed}/x.txt`, absolutePath: join(outside, 'x.txt') },
      { name: 'a.txt', absolutePath: workspace.path('a.txt') },
    ])
  })

  it('have absolute names beside the workspace, even where the names begin alike', () => {
    const { root } = workspace
    mkdirSync(`${root}-2`)
    writeFileSync(join(`${root}-2`, 'x.txt'), '')
    expect(namesOf(find(workspace, `${root}-2`))).toEqual([
      `${root}-2/x.txt`.replaceAll(path.sep, '/'),
    ])
  })

  it('are found from the home where the pattern says so', () => {
    const home = makeTemporaryFolder()
    writeFileSync(join(home, 'x.txt'), '')
    const place = { workspace: workspace.root, home, path }
    expect(findFiles('~/*.txt', place, []).files).toMatchObject([
      { absolutePath: join(home, 'x.txt') },
    ])
  })

  it('are none when any pattern cannot be used, and each such pattern is named', () => {
    const { files, errors, patterns } = find(workspace, '*\n../x\n!\nd/../a.txt')
    expect({ files, patterns }).toEqual({ files: [], patterns: [] })
    expect(errors).toHaveLength(3)
    for (const [index, pattern] of ['../x', '!', 'd/../a.txt'].entries()) {
      expect(errors[index]).toContain(`"${pattern}"`)
    }
  })

  onPosix('are found in a workspace whose path has hidden parts and wildcards', () => {
    const root = join(makeTemporaryFolder(), '.hidden', '[ab]*?{c,d} !#\\x')
    mkdirSync(join(root, '.git'), { recursive: true })
    for (const name of ['x.txt', '.env', '.git/config']) writeFileSync(join(root, name), '')
    expect(namesOf(find({ root }, '**'))).toEqual(['x.txt'])
    expect(namesOf(find({ root }, './*.txt'))).toEqual(['x.txt'])
    expect(namesOf(find({ root }, '.env'))).toEqual(['.env'])
  })

  it('are found many folders deep', () => {
    const deep = `${'d/'.repeat(300)}x.txt`
    const { files, errors } = find(workspaceOf(deep), '**/*.txt')
    expect(errors).toEqual([])
    expect(files.map(file => file.name)).toEqual([deep])
  })
})

describe('hidden files', () => {
  const workspace = workspaceOf(
    ...['x', '.env', 'a/.env', 'a/y', '.git/config', '.git/.lock', '.git/hooks/pre', '..odd'],
  )

  it.each([
    ['**', ['a/y', 'x']],
    ['.', ['a/y', 'x']],
    ['a', ['a/y']],
    ['.*', ['..odd', '.env', '.git/config', '.git/hooks/pre']],
    ['.env', ['.env']],
    ['**/.env', ['.env', 'a/.env']],
    ['.git', ['.git/config', '.git/hooks/pre']],
    ['.git\n.git/.*', ['.git/.lock', '.git/config', '.git/hooks/pre']],
    ['*\n.git\n!**/hooks', ['.git/config', 'a/y', 'x']],
    ['.*\n!**', []],
    ['.*\n!?env', ['..odd', '.git/config', '.git/hooks/pre']],
    ['..odd', ['..odd']],
  ])('are found only where a pattern names the hidden part: %j', (text, expected) => {
    expect(namesOf(find(workspace, text))).toEqual(expected)
  })

  it('of the workspace do not hide it from a pattern that starts above it', () => {
    const above = makeTemporaryFolder()
    const root = join(above, '.runner', 'repo')
    mkdirSync(join(above, '.cache'), { recursive: true })
    mkdirSync(join(root, 'd'), { recursive: true })
    writeFileSync(join(above, '.cache', 'x'), '')
    writeFileSync(join(root, 'd', 'x'), '')
    expect(namesOf(find({ root }, `${above}/**/x`))).toEqual(['d/x'])
  })
})

describe('odd names', () => {
  const odd = [
    ...['two words', ' lead', 'trail ', '-dash', '#hash', '!bang', '~', '%41', 'a,b;c', "it's"],
    ...['é', 'e\u0301', '\u{1f600}', '\u202egnp.exe', '{a,b}', '+(a)', '(x) = y', '$(x)', 'C:x'],
  ]
  const onlyOnPosix = [
    ...['new\nline', 'cr\rlf\n', 'tab\t', 'esc\u001b[31m', '::error::x', '##[error]x', 'a\\b'],
    ...['a:b', '*', '?', '[ab]', '"quoted"', '<b>', '|', 'x'.repeat(255)],
  ]

  onPosix('are kept as they are', () => {
    const names = [...odd, ...onlyOnPosix]
    const found = find(workspaceOf(...names), '.')
    expect(found.errors).toEqual([])
    expect(namesOf(found)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  })

  onPosix('are found by patterns that spell them', () => {
    const workspace = workspaceOf('[ab]', 'a', '*', 'a\\b', '#x', '!x', '~')
    expect(namesOf(find(workspace, '[[]ab]\n\\*\na\\\\b\n./#x\n./!x\n./~'))).toEqual(
      ['[ab]', '*', 'a\\b', '#x', '!x', '~'].sort(),
    )
  })

  onPosix('do nothing in a warning or an error', () => {
    const workspace = workspaceOf()
    const name = 'x\n::error::forged\u001b[31m\u202e'
    symlinkSync('nowhere', workspace.path(name))
    const { warnings } = find(workspace, '*')
    expect(warnings).toHaveLength(1)
    const { errors } = find(workspace, 'x/../\u001b[31m')
    expect(errors).toHaveLength(1)
    expect([...warnings, ...errors].join('')).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  onLinux('that are no UTF-8 are not passed over in silence', () => {
    const workspace = workspaceOf('good.txt')
    for (const byte of [0xfe, 0xff]) {
      const name = Buffer.concat([Buffer.from(`${workspace.root}/bad-`), Buffer.from([byte])])
      writeFileSync(name, '')
      const { files, errors, warnings } = find(workspace, '*')
      expect(files.length + errors.length + warnings.length).toBe(byte - 0xfc)
    }
  })
})

describe('links', () => {
  onPosix('to files and folders are followed, also out of the workspace', () => {
    const outside = makeTemporaryFolder()
    writeFileSync(join(outside, 'x.txt'), '')
    const workspace = workspaceOf('d/y.txt')
    symlinkSync('d/y.txt', workspace.path('file-link'))
    symlinkSync('d', workspace.path('folder-link'))
    symlinkSync(outside, workspace.path('outer-link'))
    const { files, warnings } = find(workspace, '**')
    expect(warnings).toEqual([])
    expect(files.map(file => file.name)).toEqual([
      'd/y.txt',
      'file-link',
      'folder-link/y.txt',
      'outer-link/x.txt',
    ])
  })

  onPosix('that lead in a circle end', () => {
    const workspace = workspaceOf('a/x.txt', 'b/y.txt')
    symlinkSync('..', workspace.path('a/up'))
    symlinkSync('.', workspace.path('self'))
    symlinkSync('../a', workspace.path('b/a'))
    symlinkSync('../b', workspace.path('a/b'))
    expect(namesOf(find(workspace, '**'))).toEqual(['a/b/y.txt', 'a/x.txt', 'b/a/x.txt', 'b/y.txt'])
    expect(namesOf(find(workspace, 'a'))).toContain('a/up/b/y.txt')
  })

  onPosix.each([
    ['to nothing', 'no-such-file'],
    ['to themselves', 'link'],
    ['through a file', 'x.txt/y'],
  ])('%s are skipped with a warning where a pattern matches them', (_, target) => {
    const workspace = workspaceOf('x.txt', 'd/z.txt')
    symlinkSync(target, workspace.path('link'))
    const all = find(workspace, '*')
    expect(namesOf(all)).toEqual(['d/z.txt', 'x.txt'])
    expect(all.errors).toEqual([])
    expect(all.warnings).toHaveLength(1)
    expect(all.warnings[0]).toMatch(/"link".*broken link/)
    for (const text of ['*.txt', '*\n!link', '*\n!l*']) {
      expect(find(workspace, text).warnings).toEqual([])
    }
    expect(find(workspace, 'link')).toMatchObject({ files: [], patterns: [{ count: 0 }] })
    expect(find(workspace, 'link').warnings).toHaveLength(1)
  })

  onPosix('that lead to one another are skipped with a warning each', () => {
    const workspace = workspaceOf('x.txt')
    symlinkSync('two', workspace.path('one'))
    symlinkSync('one', workspace.path('two'))
    const { files, warnings, errors } = find(workspace, '*')
    expect(files.map(file => file.name)).toEqual(['x.txt'])
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(2)
  })

  onPosix('are hidden by their own names, not by those of their targets', () => {
    const workspace = workspaceOf('.h/x.txt', 'd/y.txt')
    symlinkSync('.h', workspace.path('shown'))
    symlinkSync('d', workspace.path('.hidden'))
    expect(namesOf(find(workspace, '**'))).toEqual(['d/y.txt', 'shown/x.txt'])
  })
})

describe('what is no regular file', () => {
  onPosix('is skipped with a warning: a FIFO, at once', () => {
    const workspace = workspaceOf('x.txt')
    execFileSync('mkfifo', [workspace.path('pipe')])
    const { files, warnings } = find(workspace, '*')
    expect(files.map(file => file.name)).toEqual(['x.txt'])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/"pipe".*FIFO/)
    expect(find(workspace, '*.txt').warnings).toEqual([])
    expect(find(workspace, '*\n!pipe').warnings).toEqual([])
    expect(find(workspace, 'pipe')).toMatchObject({ files: [], patterns: [{ count: 0 }] })
  })

  onPosix('is skipped with a warning: a link to a FIFO, and one to a device', () => {
    const workspace = workspaceOf('x.txt')
    execFileSync('mkfifo', [workspace.path('.pipe')])
    symlinkSync('.pipe', workspace.path('pipe-link'))
    symlinkSync('/dev/zero', workspace.path('zero-link'))
    const { files, warnings } = find(workspace, '*')
    expect(files.map(file => file.name)).toEqual(['x.txt'])
    expect(warnings.map(warning => /"(.*?)"/.exec(warning)?.[1])).toEqual([
      'pipe-link',
      'zero-link',
    ])
  })

  onPosix('is skipped with a warning: a socket', async () => {
    const workspace = workspaceOf('x.txt')
    const server = createServer().listen(workspace.path('s'))
    await once(server, 'listening')
    try {
      const { files, warnings } = find(workspace, '*')
      expect(files.map(file => file.name)).toEqual(['x.txt'])
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatch(/"s".*socket/)
    } finally {
      server.close()
    }
  })
})

describe('a folder without rights', () => {
  withRights('is an error that names it, so that nothing is left out in silence', () => {
    const workspace = workspaceOf('x.txt', 'closed/y.txt')
    chmodSync(workspace.path('closed'), 0)
    try {
      const { errors } = find(workspace, '**')
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatch(/"closed".*permission denied/)
      expect(find(workspace, '*.txt')).toMatchObject({ errors: [], files: [{ name: 'x.txt' }] })
    } finally {
      chmodSync(workspace.path('closed'), 0o700)
    }
  })
})

describe('the file to skip', () => {
  onPosix('is never taken, by no name and through no link', () => {
    const workspace = workspaceOf('x.txt', 'data/records.jsonl', 'data/other.jsonl')
    symlinkSync('data/records.jsonl', workspace.path('link.jsonl'))
    symlinkSync('link.jsonl', workspace.path('second-link.jsonl'))
    symlinkSync('data', workspace.path('alias'))
    const skip = realPathOf(workspace.path('data/records.jsonl'))
    const { files, warnings } = find(workspace, '**', skip)
    expect(files.map(file => file.name)).toEqual(['alias/other.jsonl', 'data/other.jsonl', 'x.txt'])
    expect(warnings).toEqual([])
    for (const text of ['data/records.jsonl', 'link.jsonl', 'alias/records.jsonl']) {
      expect(find(workspace, text, skip)).toMatchObject({ files: [], patterns: [{ count: 0 }] })
    }
  })

  onPosix('is known by its real path when it is named through a link', () => {
    const workspace = workspaceOf('data/records.jsonl')
    symlinkSync('data', workspace.path('alias'))
    const skip = realPathOf(workspace.path('alias/records.jsonl'))
    expect(find(workspace, '**', skip).files).toEqual([])
  })

  it('may be missing', () => {
    const workspace = workspaceOf('x.txt')
    const skip = realPathOf(workspace.path('records.jsonl'))
    expect(namesOf(find(workspace, '**', skip))).toEqual(['x.txt'])
  })
})
