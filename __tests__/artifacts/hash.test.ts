import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
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

const source = 'path'

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** Makes a file of zeros that takes no room on the disk. */
function makeSparse(workspace: Workspace, name: string, size: number): FoundFile {
  workspace.write(name, '')
  truncateSync(workspace.path(name), size)
  return found(workspace, name)
}

const codeOf = (file: Artifact | undefined): string | undefined =>
  file !== undefined && 'failure' in file ? file.failure.code : undefined

describe('the hash of a file', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('is that of the standard: of %j', async (content, hash) => {
    const workspace = makeWorkspace({ 'a b': content })
    expect(await hashFiles([found(workspace, 'a b')], never)).toEqual([
      { source, name: 'a b', size: content.length, hash },
    ])
  })

  it('is that of the standard: of a million a', async () => {
    const workspace = makeWorkspace({ a: 'a'.repeat(1_000_000) })
    const hash = 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'
    expect(await hashFiles([found(workspace, 'a')], never)).toEqual([
      { source, name: 'a', size: 1_000_000, hash },
    ])
  })

  it('is right around the sizes of buffers, for bytes of every value', async () => {
    const sizes = [
      1,
      65_535,
      65_536,
      65_537,
      mebibyte - 1,
      mebibyte,
      mebibyte + 1,
      5 * mebibyte + 7,
    ]
    const bytes = Uint8Array.from({ length: 5 * mebibyte + 7 }, (_, index) => (index * 7919) >>> 5)
    const workspace = makeWorkspace(
      Object.fromEntries(sizes.map(size => [`f${size}`, bytes.subarray(0, size)])),
    )
    const hashed = await hashFiles(
      sizes.map(size => found(workspace, `f${size}`)),
      never,
    )
    expect(hashed).toEqual(
      sizes.map(size => ({
        source,
        name: `f${size}`,
        size,
        hash: sha256(bytes.subarray(0, size)),
      })),
    )
  })

  onPosix('is that of the file behind a link', async () => {
    const workspace = makeWorkspace({ a: 'abc' })
    symlinkSync('a', workspace.path('link'))
    expect(await hashFiles([found(workspace, 'link')], never)).toEqual([
      { source, name: 'link', size: 3, hash: sha256('abc') },
    ])
  })

  it('is none for no files', async () => {
    expect(await hashFiles([], never)).toEqual([])
  })
})

describe.each(ways)('many files %s', (_, options) => {
  it('are hashed in their order, large and small ones, and a bad one does not stop the others', async () => {
    const workspace = makeWorkspace({ a: 'a', c: 'c', e: 'e' })
    const files = [
      found(workspace, 'a'),
      makeSparse(workspace, 'b', long),
      found(workspace, 'c'),
      found(workspace, 'no-such-file'),
      makeSparse(workspace, 'd', 3 * mebibyte + 1),
      found(workspace, 'e'),
      found(workspace, 'a'),
    ]
    const hashed = await hashFiles(files, never, options)
    expect(hashed.map(file => file.name)).toEqual(['a', 'b', 'c', 'no-such-file', 'd', 'e', 'a'])
    expect(hashed[1]).toEqual({
      source,
      name: 'b',
      size: long,
      hash: sha256(Buffer.alloc(long)),
    })
    expect(hashed[3]).toMatchObject({ failure: { code: 'unreadable', registered: 'no' } })
    expect(hashed[4]).toMatchObject({ hash: sha256(Buffer.alloc(3 * mebibyte + 1)) })
    expect([hashed[0], hashed[2], hashed[5], hashed[6]]).toEqual(
      ['a', 'c', 'e', 'a'].map(name => ({ source, name, size: 1, hash: sha256(name) })),
    )
  })

  it('are hashed each for itself when there are thousands', async () => {
    const names = Array.from({ length: 2500 }, (_, index) => `d/f${index}`)
    const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, name])))
    const hashed = await hashFiles(
      names.map(name => found(workspace, name)),
      never,
      options,
    )
    expect(hashed).toEqual(
      names.map(name => ({ source, name, size: name.length, hash: sha256(name) })),
    )
  })

  it('are all cancelled after a halt, and nothing was sent for them', async () => {
    const workspace = makeWorkspace({ a: 'a' })
    const files = [found(workspace, 'a'), makeSparse(workspace, 'b', long)]
    const hashed = await hashFiles(files, AbortSignal.abort(), options)
    expect(hashed.map(file => file.name)).toEqual(['a', 'b'])
    for (const file of hashed) {
      expect(file).toMatchObject({ failure: { code: 'cancelled', registered: 'no' } })
    }
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

  onPosix('do not hang where a FIFO took the place of one', async () => {
    const workspace = makeWorkspace({ c: 'c' })
    execFileSync('mkfifo', [workspace.path('pipe')])
    const files = [
      found(workspace, 'pipe'),
      makeSparse(workspace, 'b', long),
      found(workspace, 'c'),
    ]
    const [pipe, big, small] = await hashFiles(files, never, options)
    expect(pipe).toMatchObject({ failure: { code: 'changed', registered: 'no' } })
    expect(big).toMatchObject({ size: long })
    expect(small).toEqual({ source, name: 'c', size: 1, hash: sha256('c') })
  })
})

describe('a file that cannot be read', () => {
  it('says why', async () => {
    const workspace = makeWorkspace()
    const [file] = await hashFiles([found(workspace, 'no-such-file')], never)
    expect(file).toMatchObject({ name: 'no-such-file', failure: { code: 'unreadable' } })
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

  onPosix('as a folder took its place has no hash', async () => {
    const workspace = makeWorkspace()
    mkdirSync(workspace.path('a'))
    const [file] = await hashFiles([found(workspace, 'a')], never)
    expect(['changed', 'unreadable']).toContain(codeOf(file))
  })

  onPosix('as its link leads nowhere by now is unreadable', async () => {
    const workspace = makeWorkspace()
    symlinkSync('nowhere', workspace.path('a'))
    const [file] = await hashFiles([found(workspace, 'a')], never)
    expect(codeOf(file)).toBe('unreadable')
  })

  onLinux('leaves no open file behind, nor does any other', async () => {
    const workspace = makeWorkspace({ a: 'a' })
    execFileSync('mkfifo', [workspace.path('pipe')])
    mkdirSync(workspace.path('folder'))
    const halt = new AbortController()
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const before = openFiles()
    const files = ['a', 'pipe', 'folder', 'nothing'].map(name => found(workspace, name))
    await hashFiles(Array.from({ length: 50 }, () => files).flat(), never)
    const hashing = hashFiles([makeSparse(workspace, 'big', long)], halt.signal)
    halt.abort()
    expect((await hashing).map(codeOf)).toEqual(['cancelled'])
    expect(openFiles()).toBeLessThan(before + 20)
  })
})

/** A round number of milliseconds, which survives being set again on every file system. */
const longAgo = 1_700_000_000

describe('a file that changes while it is read', () => {
  const changes: readonly (readonly [string, (file: string) => void])[] = [
    [
      'grows',
      file => {
        appendFileSync(file, 'x')
      },
    ],
    [
      'grows and gets its old time back',
      file => {
        appendFileSync(file, 'x')
        utimesSync(file, longAgo, longAgo)
      },
    ],
    [
      'is cut',
      file => {
        truncateSync(file, 70 * mebibyte)
      },
    ],
    [
      'is emptied',
      file => {
        truncateSync(file, 0)
      },
    ],
    [
      'is written in place',
      file => {
        overwrite(file, 'x')
      },
    ],
    [
      'is written in place and gets its old time back',
      file => {
        overwrite(file, 'x')
        utimesSync(file, longAgo, longAgo)
      },
    ],
    [
      'is replaced by another of the same size and time',
      file => {
        writeFileSync(`${file}.new`, '')
        truncateSync(`${file}.new`, long)
        utimesSync(`${file}.new`, longAgo, longAgo)
        renameSync(`${file}.new`, file)
      },
    ],
  ]

  it.each(changes)('has no hash when it %s', async (_, change) => {
    const workspace = makeWorkspace({ b: 'b' })
    const big = makeSparse(workspace, 'big', long)
    utimesSync(big.absolutePath, longAgo, longAgo)
    const hashing = hashFiles([big, found(workspace, 'b')], never)
    // The thread is ours again only when a part of the file has been read.
    change(big.absolutePath)
    const [first, second] = await hashing
    expect(first).toMatchObject({ name: 'big', failure: { code: 'changed', registered: 'no' } })
    expect(second).toEqual({ source, name: 'b', size: 1, hash: sha256('b') })
  })

  onPosix('has no hash when it vanishes', async () => {
    const workspace = makeWorkspace({ b: 'b' })
    const big = makeSparse(workspace, 'big', long)
    const hashing = hashFiles([big, found(workspace, 'b')], never)
    unlinkSync(big.absolutePath)
    const [first, second] = await hashing
    expect(['changed', 'unreadable']).toContain(codeOf(first))
    expect(second).toMatchObject({ hash: sha256('b') })
  })

  onLinux(
    'has no hash when its size says nothing, as in the file system of the kernel',
    async () => {
      const [file] = await hashFiles([{ name: 'status', absolutePath: '/proc/self/status' }], never)
      expect(['changed', 'unreadable']).toContain(codeOf(file))
    },
  )

  it('loses only what came after a halt in the middle', async () => {
    const workspace = makeWorkspace({ a: 'a', c: 'c' })
    const big = makeSparse(workspace, 'big', long)
    const halt = new AbortController()
    const hashing = hashFiles([found(workspace, 'a'), big, found(workspace, 'c')], halt.signal)
    halt.abort()
    const [first, ...rest] = await hashing
    expect(first).toEqual({ source, name: 'a', size: 1, hash: sha256('a') })
    expect(rest.map(codeOf)).toEqual(['cancelled', 'cancelled'])
  })
})

function overwrite(file: string, text: string): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, text)
  closeSync(descriptor)
}
