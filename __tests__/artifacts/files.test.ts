import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { sep } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { findFiles, type FoundFiles } from '../../src/artifacts/files.ts'
import { canceledFailure, Stop } from '../../src/failure.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { asNobody } from './as-nobody.ts'
import { hostIn } from './host.ts'

const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

/** Creates a workspace with empty files. */
function workspaceOf(...names: readonly string[]): Workspace {
  return makeWorkspace(Object.fromEntries(names.map(name => [name, ''])))
}

function find(root: string, text: string): Promise<FoundFiles> {
  return findFiles(text, hostIn(root))
}

/** Encodes a path as Latin-1. */
const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1')

/** Finds files without errors or warnings, and returns their names. */
async function namesIn({ root }: Workspace, text: string): Promise<readonly string[]> {
  const { files, errors, warnings } = await find(root, text)
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
  return files.map(({ name }) => name)
}

// glob.test.ts compares lists of patterns, and links, with @actions/glob.
describe('the files that patterns find', () => {
  it('have absolute names outside the workspace, which may be in a folder with a similar name', async () => {
    const workspace = workspaceOf('a.txt')
    const outside = `${workspace.root}-2`
    workspace.write(`${outside}/x.txt`, '')
    const names = [`${outside}/x.txt`.replaceAll(sep, '/'), 'a.txt']
    expect(await namesIn(workspace, `${outside}\na.txt`)).toEqual(names)
  })

  onPosix('keep unusual names, and are sorted by UTF-16 code units', async () => {
    const names =
      '#hash !bang ~ {a,b} 10 9 b/c b.c ::error::x a\\b * ? [ab] é \u{1f600} \uff01'.split(' ')
    names.push('\u202egnp.exe', ' lead', 'new\nline', 'x'.repeat(255))
    expect(await namesIn(workspaceOf(...names), '.')).toEqual(names.toSorted())
  })

  onPosix('are found in a workspace whose path has hidden parts and wildcards', async () => {
    const above = makeWorkspace()
    const names = ['x.txt', '.env', '.git/config', '../.other']
    const root = above.path('.hidden/[ab]*?{c,d} !#\\x')
    for (const name of names) above.write(`${root}/${name}`, '')
    for (const text of ['**', './*.txt', `${above.root}/**`, `${above.root}/*/*/x.txt`]) {
      expect((await find(root, text)).files.map(({ name }) => name)).toEqual(['x.txt'])
    }
  })
})

describe('names that are not valid UTF-8', () => {
  onLinux('are found, next to the file that has the decoded name', async () => {
    const workspace = workspaceOf('good.txt', 'bad-\ufffd')
    writeFileSync(bytesOf(workspace.path('bad-\xff')), '')
    symlinkSync('good.txt', bytesOf(workspace.path('link-\xff')))
    const names = ['bad-\ufffd', 'bad-\ufffd', 'good.txt', 'link-\ufffd']
    expect(await namesIn(workspace, '*')).toEqual(names)
  })

  onLinux('are an error if a pattern leads into a folder with such a name', async () => {
    const workspace = workspaceOf()
    mkdirSync(bytesOf(workspace.path('folder-\xff')))
    symlinkSync('.', bytesOf(workspace.path('link-\xff')))
    const { errors } = await find(workspace.root, '**/*.txt')
    expect(errors.toSorted()).toEqual([
      expect.stringContaining('"folder-\ufffd" cannot be read'),
      expect.stringContaining('"link-\ufffd" cannot be read'),
    ])
  })
})

onPosix('links that lead to more than 1,000,000 entries are an error', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `${index}`)
  const workspace = workspaceOf(...names.map(name => `files/${name}`), 'links/0')
  for (const name of names) symlinkSync('../files', workspace.path('links', `to-${name}`))
  const { errors } = await find(workspace.root, '**/nothing')
  expect(errors).toEqual([expect.stringContaining('more than 1,000,000 files and folders')])
})

onPosix('only regular files are found; others are skipped with a warning', async () => {
  const workspace = workspaceOf('x.txt')
  const server = createServer().listen(workspace.path('s'))
  await once(server, 'listening')
  execFileSync('mkfifo', [workspace.path('pipe')])
  symlinkSync('nowhere', workspace.path('dangling\n::error::\u202e'))
  symlinkSync('loop', workspace.path('loop'))
  symlinkSync('pipe', workspace.path('pipe-link'))
  symlinkSync('x.txt/y', workspace.path('through-file'))
  for (let at = 0; at < 12; at += 1) symlinkSync('nowhere', workspace.path(`many-${at}`))
  const many = await find(workspace.root, 'many-*')
  const shown = /^skipped \(not regular files\): (?:"many-\d+" \(broken link\), ){10}and 2 more$/
  expect(many.warnings).toEqual([expect.stringMatching(shown)])
  const { files, errors, warnings } = await find(workspace.root, '*\n!many-*')
  server.close()
  expect({ files, errors }).toMatchObject({ files: [{ name: 'x.txt' }], errors: [] })
  const skipped = warnings.join('').match(/"[^"]+" \([^)]+\)/g)
  expect(skipped?.toSorted()).toEqual([
    String.raw`"dangling\u000a::error::\u202e" (broken link)`,
    '"loop" (broken link)',
    '"pipe" (FIFO, socket or device)',
    '"pipe-link" (FIFO, socket or device)',
    '"s" (FIFO, socket or device)',
    '"through-file" (broken link)',
  ])
  expect(await namesIn(workspace, '*.txt')).toEqual(['x.txt'])
  expect(await namesIn(workspace, '*\n![!x]*')).toEqual(['x.txt'])
})

describe('without permission to read', () => {
  onPosix('a folder is an error if a pattern leads into it and none excludes it', async () => {
    const workspace = workspaceOf('x.txt', 'closed/y.txt', 'closed/d/z.txt')
    symlinkSync('closed/d', workspace.path('link'))
    chmodSync(workspace.path('closed'), 0)
    const cases = [
      ['**\n!link', 'closed'],
      ['**\n!closed\n!link\nclosed/*', 'closed'],
      ['closed/d/*', 'closed/d'],
      ['link/*.txt', 'link'],
    ] as const
    await asNobody(workspace, async () => {
      for (const [text, folder] of cases) {
        const { errors } = await find(workspace.root, text)
        expect(errors).toEqual([
          `the folder "${folder}" cannot be read: permission denied (EACCES)`,
        ])
      }
      for (const text of ['*.txt', '**\n!closed\n!link']) {
        expect(await namesIn(workspace, text)).toEqual(['x.txt'])
      }
      // It may be a file, so it is found, and then fails when it is read.
      expect(await namesIn(workspace, 'closed/y.txt')).toEqual(['closed/y.txt'])
    })
    chmodSync(workspace.path('closed'), 0o700)
  })

  onPosix('folders above the first wildcard are not an error', async () => {
    const workspace = workspaceOf('d/open/x.txt')
    chmodSync(workspace.path('d'), 0o711)
    await asNobody(workspace, async () => {
      expect(await namesIn(workspace, 'd/open/*.txt')).toEqual(['d/open/x.txt'])
      const { errors } = await find(workspace.path('d'), '*')
      expect(errors).toEqual(['the folder "." cannot be read: permission denied (EACCES)'])
    })
  })
})

it('a search ends when the run stops, and no search starts afterward', async () => {
  const { root } = workspaceOf(...Array.from({ length: 2000 }, (_, index) => `d/f${index}`))
  const host = hostIn(root)
  setImmediate(() => {
    host.halt.stop(canceledFailure)
  })
  await expect(findFiles('**', host)).rejects.toThrow(Stop)
  await expect(findFiles('**', host)).rejects.toThrow(Stop)
})
