import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import path, { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { findFiles, type FindOptions, type FoundFiles } from '../../src/artifacts/files.ts'
import { Stop } from '../../src/stop.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeTemporaryFolder, makeWorkspace, type Workspace } from '../support/workspace.ts'

const isWindows = process.platform === 'win32'
const isRoot = process.getuid?.() === 0
const onPosix = isWindows ? it.skip : it
const withRights = isWindows || isRoot ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

const never = new AbortController().signal

afterAll(cleanUp)

/** Makes a workspace with empty files of these names. */
function workspaceOf(...names: readonly string[]): Workspace {
  return makeWorkspace(Object.fromEntries(names.map(name => [name, ''])))
}

function find(
  { root }: { readonly root: string },
  text: string,
  options: Partial<FindOptions> = {},
): Promise<FoundFiles> {
  return findFiles(text, {
    ...{ place: { workspace: root, home: homedir(), path }, halt: never, ...options },
  })
}

const namesOf = ({ files }: FoundFiles): readonly string[] => files.map(file => file.name)

describe('the files that patterns find', () => {
  const workspace = workspaceOf('a.txt', 'b.bin', 'd/c.txt', 'd/e/f.txt', 'd/e/g.bin', 'z.txt')

  it.each([
    ['*.txt', ['a.txt', 'z.txt']],
    ['*.txt\n!*.txt\na.txt', ['a.txt']],
    ['**\n!**/*.txt\nd/e/*.txt\n!**/g.*', ['b.bin', 'd/e/f.txt']],
    ['# *\n\n  a.txt  \r\n#b.bin', ['a.txt']],
    ['no-such-file\nno/such/folder/*', []],
    ['', []],
    ['# only a comment', []],
    ['!*', []],
  ])('are those of the list %j', async (text, expected) => {
    const { files, errors, warnings } = await find(workspace, text)
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
    expect(files).toEqual(expected.map(name => ({ name, absolutePath: workspace.path(name) })))
  })

  it('are sorted by UTF-16 code units', async () => {
    const names = ['Z', 'a', 'b/c', 'b.c', '10', '9', 'é', '\u{1f600}', '\uff01']
    const found = namesOf(await find(workspaceOf(...names), '.'))
    expect(found).toEqual(['10', '9', 'Z', 'a', 'b.c', 'b/c', 'é', '\u{1f600}', '\uff01'])
  })

  it('are counted for each pattern, after the exclusions', async () => {
    const { patterns } = await find(workspace, '*.txt\nd\n!**/f.txt\n**/c.txt\nnothing\n!nothing')
    expect(patterns.map(({ text, count }) => [text, count])).toEqual([
      ['*.txt', 2],
      ['d', 2],
      ['**/c.txt', 1],
      ['nothing', 0],
    ])
    expect(patterns[2]?.files).toEqual([
      { name: 'd/c.txt', absolutePath: workspace.path('d/c.txt') },
    ])
  })

  it('have absolute names outside of the workspace, even where its name begins alike', async () => {
    const outside = `${workspace.root}-2`
    mkdirSync(outside)
    writeFileSync(join(outside, 'x.txt'), '')
    expect((await find(workspace, `${outside}\na.txt`)).files).toEqual([
      { name: `${outside}/x.txt`.replaceAll(path.sep, '/'), absolutePath: join(outside, 'x.txt') },
      { name: 'a.txt', absolutePath: workspace.path('a.txt') },
    ])
  })

  onPosix('are found in a workspace whose path has hidden parts and wildcards', async () => {
    const root = join(makeTemporaryFolder(), '.hidden', '[ab]*?{c,d} !#\\x')
    mkdirSync(join(root, '.git'), { recursive: true })
    for (const name of ['x.txt', '.env', '.git/config']) writeFileSync(join(root, name), '')
    expect(namesOf(await find({ root }, '**'))).toEqual(['x.txt'])
    expect(namesOf(await find({ root }, './*.txt'))).toEqual(['x.txt'])
    expect(namesOf(await find({ root }, '.env'))).toEqual(['.env'])
  })
})

describe('hidden files', () => {
  it('of the workspace do not hide it from a pattern that starts above it', async () => {
    const above = makeTemporaryFolder()
    const root = join(above, '.runner', 'repo')
    mkdirSync(join(above, '.cache'), { recursive: true })
    mkdirSync(join(root, 'd'), { recursive: true })
    writeFileSync(join(above, '.cache', 'x'), '')
    writeFileSync(join(root, 'd', 'x'), '')
    expect(namesOf(await find({ root }, `${above}/**/x`))).toEqual(['d/x'])
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

  onPosix('are kept as they are', async () => {
    const names = [...odd, ...onlyOnPosix]
    const found = await find(workspaceOf(...names), '.')
    expect(found.errors).toEqual([])
    expect(namesOf(found)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  })

  onPosix('do nothing in a warning or an error', async () => {
    const workspace = workspaceOf()
    const name = 'x\n::error::forged\u001b[31m\u202e'
    symlinkSync('nowhere', workspace.path(name))
    const { warnings } = await find(workspace, '*')
    expect(warnings).toHaveLength(1)
    const { errors } = await find(workspace, 'x/../\u001b[31m')
    expect(errors).toHaveLength(1)
    expect([...warnings, ...errors].join('')).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  /** Makes an item whose name ends with the byte FF, and one that is read. */
  const withBadName = (make: (path: Buffer) => void): Workspace => {
    const workspace = workspaceOf('good.txt', 'd/x.txt')
    make(Buffer.concat([Buffer.from(`${workspace.root}/é-`), Buffer.from([0xff])]))
    return workspace
  }
  const kinds = {
    file: path => {
      writeFileSync(path, '')
    },
    folder: path => {
      mkdirSync(path)
      writeFileSync(Buffer.concat([path, Buffer.from('/x.txt')]), '')
    },
    'link to a file': path => {
      symlinkSync('good.txt', path)
    },
    'link to a folder': path => {
      symlinkSync('d', path)
    },
    'broken link': path => {
      symlinkSync('nowhere', path)
    },
    FIFO: path => {
      execFileSync('sh', [
        '-c',
        'cd "$0" && mkfifo "$(printf \'\\303\\251-\\377\')"',
        dirname(path.toString()),
      ])
    },
  } satisfies Readonly<Record<string, (path: Buffer) => void>>

  onLinux.each([
    ['file', ['*', '**', '.', 'é*', '**/é-?'], ['*.txt', 'd', '*\n!é*', '*\n!**/?-*', 'é/*']],
    [
      'folder',
      ['*', '**', '.', 'é*', '**/*.txt', '*/x.txt'],
      ['*.txt', 'd', '*\n!é*', '**/*.txt\n!é*/'],
    ],
    ['link to a file', ['*', '**', 'é*'], ['*.txt', '*/*', '*\n!é*']],
    ['link to a folder', ['*', '**', '*/*.txt'], ['*.txt', '*\n!é*']],
    ['broken link', ['*', '**', 'é*'], ['*.txt', '*\n!é*']],
    ['FIFO', ['*', '**', 'é*'], ['*.txt', '*\n!é*']],
  ] as const)(
    'that are not valid UTF-8 are shown by their bytes: of a %s',
    async (kind, matching, others) => {
      const workspace = withBadName(kinds[kind])
      for (const text of matching) {
        const { unreadable, errors, warnings, files, patterns } = await find(workspace, text)
        expect({ text, unreadable, errors, warnings }).toEqual({
          ...{ text, unreadable: ['é-\\xFF'], errors: [], warnings: [] },
        })
        expect(patterns).toMatchObject([{ count: files.length + 1 }])
      }
      for (const text of others) {
        expect({ text, ...(await find(workspace, text)) }).toMatchObject({ text, unreadable: [] })
      }
    },
  )

  onLinux('that are not valid UTF-8 hide no name that has the sign for them', async () => {
    const workspace = workspaceOf('bad-\ufffd', 'd/bad-\ufffd')
    const bytes = (...tail: readonly number[]): Buffer =>
      Buffer.concat([Buffer.from(`${workspace.root}/bad-`), Buffer.from(tail)])
    for (const tail of [
      [0xfe],
      [0xff],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ]) {
      writeFileSync(bytes(...tail), '')
    }
    const found = await find(workspace, '**')
    expect(namesOf(found)).toEqual(['bad-\ufffd', 'd/bad-\ufffd'])
    expect(found.unreadable).toEqual([
      ...['bad-\\xC0\\x80', 'bad-\\xED\\xA0\\x80', 'bad-\\xF4\\x90\\x80\\x80'],
      ...['bad-\\xFE', 'bad-\\xFF'],
    ])
  })
})

describe('links', () => {
  onPosix('to files and folders are followed, also out of the workspace', async () => {
    const outside = makeTemporaryFolder()
    writeFileSync(join(outside, 'x.txt'), '')
    const workspace = workspaceOf('d/y.txt')
    symlinkSync('d/y.txt', workspace.path('file-link'))
    symlinkSync('d', workspace.path('folder-link'))
    symlinkSync(outside, workspace.path('outer-link'))
    const { files, warnings } = await find(workspace, '**')
    expect(warnings).toEqual([])
    expect(files.map(file => file.name)).toEqual([
      'd/y.txt',
      'file-link',
      'folder-link/y.txt',
      'outer-link/x.txt',
    ])
  })

  onPosix('that lead in a circle end', async () => {
    const workspace = workspaceOf('a/x.txt', 'b/y.txt')
    symlinkSync('..', workspace.path('a/up'))
    symlinkSync('.', workspace.path('self'))
    symlinkSync('../a', workspace.path('b/a'))
    symlinkSync('../b', workspace.path('a/b'))
    expect(namesOf(await find(workspace, '**'))).toEqual([
      'a/b/y.txt',
      'a/x.txt',
      'b/a/x.txt',
      'b/y.txt',
    ])
    expect(namesOf(await find(workspace, 'a'))).toContain('a/up/b/y.txt')
  })

  onPosix.each([
    ['to nothing', 'no-such-file'],
    ['to themselves', 'link'],
    ['to one another', '.back'],
    ['through a file', 'x.txt/y'],
  ])('%s are skipped with a warning where a pattern matches them', async (_, target) => {
    const workspace = workspaceOf('x.txt', 'd/z.txt')
    symlinkSync('link', workspace.path('.back'))
    symlinkSync(target, workspace.path('link'))
    const all = await find(workspace, '*')
    expect(namesOf(all)).toEqual(['d/z.txt', 'x.txt'])
    expect(all.errors).toEqual([])
    expect(all.warnings).toHaveLength(1)
    expect(all.warnings[0]).toMatch(/"link".*broken link/)
    for (const text of ['*.txt', '*\n!link', '*\n!l*']) {
      expect((await find(workspace, text)).warnings).toEqual([])
    }
    expect(await find(workspace, 'link')).toMatchObject({ files: [], patterns: [{ count: 0 }] })
    expect((await find(workspace, 'link')).warnings).toHaveLength(1)
  })

  onPosix('are hidden by their own names, not by those of their targets', async () => {
    const workspace = workspaceOf('.h/x.txt', 'd/y.txt')
    symlinkSync('.h', workspace.path('shown'))
    symlinkSync('d', workspace.path('.hidden'))
    expect(namesOf(await find(workspace, '**'))).toEqual(['d/y.txt', 'shown/x.txt'])
  })
})

describe('what is no regular file', () => {
  onPosix('is skipped at once with a warning where a pattern matches it', async () => {
    const workspace = workspaceOf('x.txt')
    const server = createServer().listen(workspace.path('s'))
    await once(server, 'listening')
    execFileSync('mkfifo', [workspace.path('pipe')])
    symlinkSync('pipe', workspace.path('pipe-link'))
    symlinkSync('/dev/zero', workspace.path('zero-link'))
    const { warnings, ...all } = await find(workspace, '*')
    server.close()
    expect(namesOf({ ...all, warnings })).toEqual(['x.txt'])
    const what = 'a FIFO, socket or device, not a regular file'
    expect(warnings.toSorted()).toEqual(
      ['pipe', 'pipe-link', 's', 'zero-link'].map(name => `"${name}" is skipped: it is ${what}`),
    )
    expect((await find(workspace, '*.txt')).warnings).toEqual([])
    expect((await find(workspace, '*\n!pipe*\n!?\n!z*')).warnings).toEqual([])
    expect(await find(workspace, 'pipe')).toMatchObject({ files: [], patterns: [{ count: 0 }] })
  })
})

describe('a folder without rights', () => {
  withRights('is an error that names it, unless no pattern leads into it', async () => {
    const workspace = workspaceOf('x.txt', 'closed/y.txt')
    chmodSync(workspace.path('closed'), 0)
    try {
      for (const text of ['**', '**\n!closed\nclosed/*']) {
        const { errors } = await find(workspace, text)
        expect(errors).toEqual([expect.stringMatching(/"closed".*permission denied/)])
      }
      for (const text of ['*.txt', '**\n!closed']) {
        expect(await find(workspace, text)).toMatchObject({
          errors: [],
          files: [{ name: 'x.txt' }],
        })
      }
    } finally {
      chmodSync(workspace.path('closed'), 0o700)
    }
  })
})

describe('a walk', () => {
  onPosix(
    'through more files and folders than it may take is an error: a ladder of links',
    async () => {
      const rungs = Array.from({ length: 30 }, (_, index) => `r${index}`)
      const workspace = workspaceOf(...rungs.map(rung => `${rung}/x`))
      for (const [index, rung] of rungs.slice(1).entries()) {
        for (const side of ['left', 'right'])
          symlinkSync(`../${rung}`, workspace.path(`r${index}/${side}`))
      }
      expect((await find(workspace, 'r28')).errors).toEqual([])
      const { errors } = await find(workspace, 'r0/**/nothing')
      expect(errors).toEqual([expect.stringContaining('more than 1,000,000 files and folders')])
    },
  )

  it('ends at the halt, before and in the middle', async () => {
    const workspace = workspaceOf(...Array.from({ length: 2000 }, (_, index) => `d/f${index}`))
    await expect(find(workspace, '**', { halt: AbortSignal.abort() })).rejects.toThrow(Stop)
    const halt = new AbortController()
    setImmediate(() => {
      halt.abort()
    })
    await expect(find(workspace, '**', { halt: halt.signal })).rejects.toThrow(Stop)
  })

  onPosix('names the first of very many broken links, and counts the rest', async () => {
    const workspace = workspaceOf()
    for (let index = 0; index < 100; index++)
      symlinkSync('nowhere', workspace.path(`link-${index}`))
    const { warnings } = await find(workspace, '*')
    expect(warnings).toHaveLength(21)
    expect(warnings.at(-1)).toBe('80 more are skipped or left out')
  })

  it('goes through hostile names and patterns in seconds', async () => {
    const deep = 'a/'.repeat(200)
    const workspace = workspaceOf('a'.repeat(250), `${deep}x`, `${'a/.h/'.repeat(100)}x`)
    const startMs = performance.now()
    for (const [text, count] of [
      [`${'*a'.repeat(100)}*b`, 0],
      [`${'*a'.repeat(100)}*`, 1],
      [`${'*?a'.repeat(500)}*b`, 0],
      [`${'*[a-z]'.repeat(90)}*b`, 0],
      [`${'?*'.repeat(120)}b`, 0],
      [`${'*'.repeat(4000)}b`, 0],
      [`${'**/a/'.repeat(150)}x`, 1],
      [`${'**/a/'.repeat(150)}**/b`, 0],
      [`${'**/a/'.repeat(100)}**/.h/**/b`, 0],
      [`${'**/.h/'.repeat(100)}x`, 1],
      [`${'**/.h/**/a/'.repeat(99)}**/b`, 0],
    ] as const) {
      const { files, errors } = await find(workspace, text)
      expect({ text, count: files.length, errors }).toEqual({ text, count, errors: [] })
    }
    expect(performance.now() - startMs).toBeLessThan(20_000)
  })

  it('finds what 10,000 lines name, in seconds', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `d/f${index}`)
    const workspace = workspaceOf('d/f7', 'd/f9999')
    const { files, patterns } = await find(workspace, names.join('\n'))
    expect(files.map(({ name }) => name)).toEqual(['d/f7', 'd/f9999'])
    expect(patterns.filter(({ count }) => count === 0)).toHaveLength(9998)
  })
})
