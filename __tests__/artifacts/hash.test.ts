import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import type { FoundFile } from '../../src/artifacts/files.ts'
import { hashFiles } from '../../src/artifacts/hash.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'

const mebibyte = 1024 * 1024
/** Bytes of a file that takes so long that others have their turn meanwhile. */
const long = 80 * mebibyte
const isWindows = process.platform === 'win32'
const onPosix = isWindows ? it.skip : it
const withRights = isWindows || process.getuid?.() === 0 ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip
const never = new AbortController().signal

/** Two ways to the same results: without a script there are no worker threads. */
const ways = [
  ['in this thread', {}],
  [
    'in worker threads',
    { workerFile: new URL('../../src/artifacts/hash-worker.ts', import.meta.url) },
  ],
] as const

afterAll(cleanUp)

const found = (workspace: Workspace, name: string): FoundFile => ({
  name,
  absolutePath: workspace.path(name),
})

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

const hashedAs = (name: string, content: string | Uint8Array): Artifact => ({
  ...{ source: 'path', name, size: content.length, hash: sha256(content) },
})

/** Makes a file of zeros that takes no room on the disk. */
function makeSparse(workspace: Workspace, name: string, size = long): FoundFile {
  workspace.write(name, '')
  truncateSync(workspace.path(name), size)
  return found(workspace, name)
}

const codeOf = (file: Artifact | undefined): string | undefined =>
  file !== undefined && 'failure' in file ? file.failure.code : undefined

const byName = (artifacts: readonly Artifact[]): readonly Artifact[] =>
  artifacts.toSorted((a, b) => (a.name < b.name ? -1 : 1))

describe('the hash of a file', () => {
  it.each([
    ['nothing', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'a million a',
      'a'.repeat(1_000_000),
      'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    ],
  ])('is that of the standard: of %s', async (_, content, hash) => {
    const workspace = makeWorkspace({ 'a b': content })
    expect(await hashFiles([found(workspace, 'a b')], never)).toEqual([
      { source: 'path', name: 'a b', size: content.length, hash },
    ])
  })

  it('is right around the sizes of buffers, for bytes of every value', async () => {
    const sizes = [1, 65_536, mebibyte - 1, mebibyte, mebibyte + 1, 5 * mebibyte + 7]
    const bytes = Uint8Array.from({ length: 5 * mebibyte + 7 }, (_, index) => (index * 7919) >>> 5)
    const contents = sizes.map(size => [`f${size}`, bytes.subarray(0, size)] as const)
    const workspace = makeWorkspace(Object.fromEntries(contents))
    const files = contents.map(([name]) => found(workspace, name))
    expect(await hashFiles(files, never)).toEqual(contents.map(one => hashedAs(...one)))
  })

  onPosix('is that of the file behind a link', async () => {
    const workspace = makeWorkspace({ a: 'abc' })
    symlinkSync('a', workspace.path('link'))
    expect(await hashFiles([found(workspace, 'link')], never)).toEqual([hashedAs('link', 'abc')])
  })
})

describe.each(ways)('many files %s', (_, options) => {
  onPosix('are hashed large and small, and what cannot be hashed does not stop them', async () => {
    const workspace = makeWorkspace({ a: 'a', c: 'c' })
    execFileSync('mkfifo', [workspace.path('pipe')])
    const files = [
      found(workspace, 'a'),
      makeSparse(workspace, 'b'),
      found(workspace, 'c'),
      makeSparse(workspace, 'd', 3 * mebibyte + 1),
      found(workspace, 'no-such-file'),
      found(workspace, 'pipe'),
    ]
    const hashed = byName(await hashFiles(files, never, options))
    expect(hashed.slice(0, 4)).toEqual([
      hashedAs('a', 'a'),
      hashedAs('b', Buffer.alloc(long)),
      hashedAs('c', 'c'),
      hashedAs('d', Buffer.alloc(3 * mebibyte + 1)),
    ])
    expect(hashed.slice(4)).toMatchObject([
      { name: 'no-such-file', failure: { code: 'unreadable', registered: 'no' } },
      { name: 'pipe', failure: { code: 'changed', registered: 'no' } },
    ])
  })

  it('are hashed each for itself when there are thousands', async () => {
    const names = Array.from({ length: 2500 }, (_, index) => `d/f${index}`)
    const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, name])))
    const files = names.map(name => found(workspace, name))
    expect(await hashFiles(files, never, options)).toEqual(names.map(name => hashedAs(name, name)))
  })

  it('are all cancelled after a halt, and nothing was sent for them', async () => {
    const workspace = makeWorkspace({ a: 'a' })
    const files = [found(workspace, 'a'), makeSparse(workspace, 'b')]
    const failure = { code: 'cancelled', registered: 'no' }
    const hashed = await hashFiles(files, AbortSignal.abort(), options)
    expect(byName(hashed)).toMatchObject([
      { name: 'a', failure },
      { name: 'b', failure },
    ])
  })

  it('are left soon after a halt, also within a huge file', async () => {
    const workspace = makeWorkspace()
    // Hashing all of them would take long.
    const files = ['a', 'b', 'c'].map(name => makeSparse(workspace, name, 16 * 1024 * mebibyte))
    const halt = new AbortController()
    const hashing = hashFiles(files, halt.signal, options)
    setTimeout(() => {
      halt.abort()
    }, 100)
    expect((await hashing).map(codeOf)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  })
})

describe('a file that cannot be read', () => {
  it('says why, and not where it lies', async () => {
    const workspace = makeWorkspace()
    const [file] = await hashFiles([found(workspace, 'no-such-file')], never)
    expect(JSON.stringify(file)).toContain('ENOENT')
    expect(JSON.stringify(file)).not.toContain(JSON.stringify(workspace.root).slice(1, -1))
  })

  withRights('for want of rights is unreadable', async () => {
    const workspace = makeWorkspace({ a: 'a' })
    chmodSync(workspace.path('a'), 0)
    const [file] = await hashFiles([found(workspace, 'a')], never)
    expect(codeOf(file)).toBe('unreadable')
    expect(JSON.stringify(file)).toContain('permission denied')
  })

  onPosix('as a folder, or a link to nothing, took its place has no hash', async () => {
    const workspace = makeWorkspace()
    mkdirSync(workspace.path('a'))
    symlinkSync('nowhere', workspace.path('b'))
    const files = [found(workspace, 'a'), found(workspace, 'b')]
    expect((await hashFiles(files, never)).map(codeOf)).toEqual(['changed', 'unreadable'])
  })

  onLinux('leaves no open file behind, nor does any other', async () => {
    const workspace = makeWorkspace({ a: 'a' })
    execFileSync('mkfifo', [workspace.path('pipe')])
    mkdirSync(workspace.path('folder'))
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const before = openFiles()
    const files = ['a', 'pipe', 'folder', 'nothing'].map(name => found(workspace, name))
    await hashFiles(Array.from({ length: 50 }, () => files).flat(), never)
    for (let count = 0; count < 50; count++) {
      const [cancelled] = await hashFiles(files.slice(0, 1), AbortSignal.abort())
      expect(codeOf(cancelled)).toBe('cancelled')
    }
    expect(openFiles()).toBeLessThan(before + 20)
  })
})

/** A round number of seconds, which survives being set again on every file system. */
const longAgo = 1_700_000_000

describe('a file that changes while it is read', () => {
  const changes: Readonly<Record<string, (file: string) => void>> = {
    grows: file => {
      appendFileSync(file, 'x')
    },
    'is cut': file => {
      truncateSync(file, 70 * mebibyte)
    },
    'is emptied': file => {
      truncateSync(file, 0)
    },
    'is written in place': file => {
      writeFileSync(file, 'x', { flag: 'r+' })
    },
    'is replaced by another of the same size': file => {
      writeFileSync(`${file}.new`, '')
      truncateSync(`${file}.new`, long)
      renameSync(`${file}.new`, file)
    },
  }

  it.each(
    Object.keys(changes).flatMap(how => [
      [how, 'keeps its new time'],
      [how, 'gets its old time back'],
    ]),
  )('has no hash when it %s and %s', async (how, time) => {
    const workspace = makeWorkspace({ b: 'b' })
    const big = makeSparse(workspace, 'big')
    utimesSync(big.absolutePath, longAgo, longAgo)
    const hashing = hashFiles([big, found(workspace, 'b')], never)
    // The thread is ours again only when a part of the file has been read.
    changes[how]?.(big.absolutePath)
    if (time === 'gets its old time back') utimesSync(big.absolutePath, longAgo, longAgo)
    const [first, second] = await hashing
    expect(first).toMatchObject({ name: 'big', failure: { code: 'changed', registered: 'no' } })
    expect(second).toEqual(hashedAs('b', 'b'))
  })

  onPosix('has no hash when it vanishes', async () => {
    const workspace = makeWorkspace({ b: 'b' })
    const big = makeSparse(workspace, 'big')
    const hashing = hashFiles([big, found(workspace, 'b')], never)
    unlinkSync(big.absolutePath)
    const [first, second] = await hashing
    expect(codeOf(first)).toBe('unreadable')
    expect(second).toEqual(hashedAs('b', 'b'))
  })

  onLinux(
    'has no hash when its size says nothing, as in the file system of the kernel',
    async () => {
      const [file] = await hashFiles([{ name: 'status', absolutePath: '/proc/self/status' }], never)
      expect(codeOf(file)).toBe('changed')
    },
  )

  it('loses only what came after a halt in the middle', async () => {
    const workspace = makeWorkspace({ a: 'a', c: 'c' })
    const files = [found(workspace, 'a'), makeSparse(workspace, 'big'), found(workspace, 'c')]
    const halt = new AbortController()
    const hashing = hashFiles(files, halt.signal)
    halt.abort()
    const [first, ...rest] = await hashing
    expect(first).toEqual(hashedAs('a', 'a'))
    expect(rest.map(codeOf)).toEqual(['cancelled', 'cancelled'])
  })
})
