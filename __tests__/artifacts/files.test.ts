import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { sep } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { findFiles } from '../../src/artifacts/files.ts'
import { canceledFailure, Stop } from '../../src/failure.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { asNobody, hostIn, recordingHost } from './host.ts'

const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

const docs = 'reference.md#patterns'
const elsewhere = `or use patterns that do not lead there (excluded folders are searched too) (${docs})`

function workspaceOf(...names: readonly string[]): Workspace {
  return makeWorkspace(Object.fromEntries(names.map(name => [name, ''])))
}

async function find(root: string, text: string) {
  const { log: warnings, ...host } = recordingHost({ GITHUB_WORKSPACE: root })
  return { ...(await findFiles('path', text, host)), warnings }
}

/** Finds files without problems or warnings, and returns their names. */
async function namesIn(root: string, text: string): Promise<readonly string[]> {
  const { files, problems, warnings } = await find(root, text)
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
  return files.map(({ name }) => name)
}

async function problemsIn(root: string, text: string): Promise<readonly string[]> {
  const { files, problems } = await find(root, text)
  expect(files).toEqual([])
  return problems.map(({ message, next, docs }) => `${message}; ${next} (${docs})`)
}

describe('patterns', () => {
  const names = 'a.txt b.bin dist/c.txt dist/d/e.bin #f !g {h,i} [x] ~/j'.split(' ').toSorted()
  const workspace = workspaceOf(...names, ...'.env .github/k dist/.l dist/.m/n'.split(' '))
  const outside = `${workspace.root}-2`
  workspace.write(`${outside}/x.txt`, '')

  it.each<readonly [string, readonly string[]]>([
    ['dist', ['dist/c.txt', 'dist/d/e.bin']],
    ['dist/', ['dist/c.txt', 'dist/d/e.bin']],
    ['./dist/*.txt', ['dist/c.txt']],
    ['**/*.bin\n\n# dist\n\r\n\t*.txt ', ['a.txt', 'b.bin', 'dist/d/e.bin']],
    ['dist\n*.txt\n !**/d\n!a.txt\na.txt', ['a.txt', 'dist/c.txt']],
    ['./#f\n./!g\n{h,i}\n[[]x]', ['!g', '#f', '[x]', '{h,i}']],
    [`${workspace.root}/dist/*`, ['dist/c.txt', 'dist/d/e.bin']],
    [`${outside}\na.txt`, [`${outside}/x.txt`.replaceAll(sep, '/'), 'a.txt']],
    ['~/j', []],
    ['.', names],
    ['./', names],
    ['**', names],
    ['.env', ['.env']],
    ['.*/k\na.txt', ['.github/k', 'a.txt']],
    ['dist/.m\ndist', ['dist/.m/n', 'dist/c.txt', 'dist/d/e.bin']],
    ['.env\n!**/.*', []],
  ])('%j match %j in the workspace, wherever the process runs', async (text, found) => {
    expect(await namesIn(workspace.root, text)).toEqual(found)
  })

  it('cannot be searched without a workspace', async () => {
    const missing = workspace.path('no')
    const message = `the workspace "${missing}" cannot be entered: no such file or directory (ENOENT)`
    const next = 'make sure that GITHUB_WORKSPACE is a folder that the user of the runner can read'
    await expect(find(missing, '*')).rejects.toMatchObject({ problems: [{ message, next }] })
  })

  const dots = (path: string): string =>
    `Invalid pattern '${path}'. Relative pathing '.' and '..' is not allowed.; use a path relative to the workspace, or an absolute path, without "." or ".." as a folder`
  it.each<readonly [string, ...string[]]>([
    ['../x\n../y', dots('../x'), dots('../y')],
    ['a.txt\n!a/./b', dots('a/./b')],
    ['a.txt\n!', 'pattern cannot be empty; put a path after "!"'],
  ])('that cannot be used are a problem each: %j', async (text, ...messages) => {
    const told = messages.map(message => `input "path": ${message} (${docs})`)
    expect(await problemsIn(workspace.root, text)).toEqual(told)
  })

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['!?.bin\n?.bin', ['b.bin'], ['!?.bin']],
    ['dist/**\n!*.txt\n!dist/*.bin', ['dist/c.txt', 'dist/d/e.bin'], ['!*.txt', '!dist/*.bin']],
    ['a.txt\ndist\n!*.txt\n!dist/*.txt\n!dist/c*', ['dist/d/e.bin'], []],
    ['dist\n!dist/d\n!dist/d\na.txt\n!a.txt\n!a', ['dist/c.txt'], ['!a']],
    ['no\n!no/x', [], []],
  ])('%j match %j, and these lines get a warning: %j', async (text, found, idle) => {
    const { files, warnings } = await find(workspace.root, text)
    expect(files.map(({ name }) => name)).toEqual(found)
    const why = 'a line with "!" starts at the workspace, and excludes only from the lines above it'
    expect(warnings).toEqual(
      idle.map(line => `input "path": "${line}" excludes nothing; ${why} (${docs})`),
    )
  })

  onPosix('start at a workspace with a special path, through links, or hidden itself', async () => {
    const above = makeWorkspace()
    const special = '.hidden/[ab]*?{c,d} !#\\x'
    for (const root of [special, 'real/.work']) {
      for (const name of ['x.txt', '.env', 'd/y']) above.write(`${root}/${name}`, '')
    }
    for (const name of ['work/x', 'work.wiki/a', 'work.wiki/.b']) above.write(name, '')
    symlinkSync('real', above.path('linked'))
    for (const name of [special, 'real/.work', 'linked/.work']) {
      const root = above.path(name)
      expect(await namesIn(root, '**')).toEqual(['d/y', 'x.txt'])
      expect(await namesIn(root, '**\n!d\n.env')).toEqual(['.env', 'x.txt'])
    }
    for (const named of ['real', 'linked']) {
      const found = await namesIn(above.path('linked/.work'), above.path(named, '.work/d'))
      expect(found).toEqual(['d/y'])
    }
    const beside = above.path('work.wiki')
    expect(await namesIn(above.path('work'), beside)).toEqual([`${beside}/a`])
  })
})

onPosix('files keep unusual names, and are sorted by UTF-16 code units', async () => {
  const names = '::error::x a\\b * ? [ab] 10 9 b/c b.c é \u{1f600} \uff01'.split(' ')
  names.push('\u202egnp.exe', ' lead', 'new\nline', 'x'.repeat(255))
  expect(await namesIn(workspaceOf(...names).root, '.')).toEqual(names.toSorted())
})

onPosix('a file that has several names through links is found once', async () => {
  const workspace = workspaceOf('packages/app/app.tgz', 'store/b', 'c')
  mkdirSync(workspace.path('node_modules'))
  symlinkSync('../packages/app', workspace.path('node_modules/app'))
  symlinkSync('../..', workspace.path('packages/app/loop'))
  symlinkSync('store', workspace.path('z'))
  symlinkSync('store', workspace.path('y'))
  const { files, patterns } = await find(workspace.root, '**/*.tgz\nz/*\ny/*\nc')
  expect(files.map(({ name }) => name)).toEqual(['c', 'packages/app/app.tgz', 'z/b'])
  expect(patterns.map(({ paths }) => paths.size)).toEqual([1, 1, 1, 1])
})

onPosix('FIFOs, sockets and devices are skipped with a warning', async () => {
  const workspace = workspaceOf('x.txt')
  const pipes = Array.from({ length: 12 }, (_, index) => `pipe-${index + 10}`)
  execFileSync('mkfifo', pipes, { cwd: workspace.root })
  symlinkSync('/dev/null', workspace.path('null\n'))
  const { files, problems, warnings } = await find(workspace.root, '*')
  expect({ files, problems }).toMatchObject({ files: [{ name: 'x.txt' }], problems: [] })
  const shown = [String.raw`null\u000a`, ...pipes.slice(0, 9)].map(name => `"${name}", `).join('')
  const why = 'skipped, because they are FIFOs, sockets or devices:'
  expect(warnings).toEqual([`${why} ${shown}and 3 more (no docs)`])
  const { warnings: one } = await find(workspace.root, '*\n!null*\n!pipe-?[1-9]\n!pipe-20')
  expect(one).toEqual([`${why} "pipe-10" (no docs)`])
  expect(await namesIn(workspace.root, '*\n!pipe*\n!null*')).toEqual(['x.txt'])
})

describe('what cannot be read is a problem, even if it is excluded:', () => {
  const link = (target: string) => (path: string) => {
    symlinkSync(target, path)
  }
  /** Creates a file whose name ends with a byte that is not valid UTF-8. */
  const misname = (path: string): void => {
    writeFileSync(Buffer.from(`${path}\xff`, 'latin1'), '')
  }
  const name = String.raw`"d/x\u000a"`
  const unread = `${name} cannot be read:`

  onLinux.each<readonly [string, (path: string) => void, string]>([
    ['a broken link', link('no'), `${name} is a broken link; remove it`],
    ['a loop', link('x\n'), `${unread} too many symbolic links encountered (ELOOP); remove it`],
    ['a link through a file', link('a/b'), `${unread} not a directory (ENOTDIR); remove it`],
    ['a bad name', misname, 'the name "d/x\\u000a\ufffd" is not valid UTF-8; rename it'],
  ])('%s', async (_, make, problem) => {
    const workspace = workspaceOf('d/a')
    make(workspace.path('d/x\n'))
    expect(await problemsIn(workspace.root, 'd\n!d/x*')).toEqual([
      `input "path": ${problem}, ${elsewhere}`,
    ])
    expect(await namesIn(workspace.root, 'd/a')).toEqual(['d/a'])
  })

  onLinux('a bad name that Node shows as that of another file', async () => {
    const workspace = workspaceOf('x\ufffd')
    misname(workspace.path('x'))
    const problem = 'the name "x\ufffd" is not valid UTF-8; rename it'
    expect(await problemsIn(workspace.root, '*')).toEqual([
      `input "path": ${problem}, ${elsewhere}`,
    ])
  })

  onPosix('a folder', async () => {
    const workspace = workspaceOf('x.txt', 'closed/d/y.txt', 'open/z.txt')
    chmodSync(workspace.path('closed'), 0)
    chmodSync(workspace.path('open'), 0o711)
    const problem = (name: string): string =>
      `input "path": "${name}" cannot be read: permission denied (EACCES); make it readable, ${elsewhere}`
    await asNobody(workspace, async () => {
      expect(await problemsIn(workspace.root, '**\n!closed')).toEqual([problem('closed')])
      expect(await problemsIn(workspace.root, 'closed/d/*')).toEqual([problem('closed/d')])
      expect(await namesIn(workspace.root, '*.txt\nopen/z.txt')).toEqual(['open/z.txt', 'x.txt'])
    })
    chmodSync(workspace.path('closed'), 0o700)
  })
})

it('a search ends when the run stops, and no search starts afterward', async () => {
  const { root } = workspaceOf(...Array.from({ length: 2000 }, (_, index) => `d/f${index}`))
  const host = hostIn(root)
  setImmediate(() => {
    host.halt.end(canceledFailure)
  })
  await expect(findFiles('path', '**/nothing', host)).rejects.toThrow(Stop)
  await expect(findFiles('path', '**/nothing', host)).rejects.toThrow(Stop)
})
