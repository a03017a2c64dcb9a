import { execSync } from 'node:child_process'
import * as fs from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { FoundFile } from '../../src/artifacts/files.ts'
import { hashFiles } from '../../src/artifacts/hash.ts'
import { planned, type Artifact } from '../../src/outcome.ts'
import { cancelledFailure } from '../../src/runtime/halt.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { sha256 } from '../support/samples.ts'
import { until } from '../support/until.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { asNobody } from './as-nobody.ts'
import { hostIn } from './host.ts'

const mebibyte = 1024 * 1024
/** The size of a file that takes a worker thread some time. */
const large = 256 * mebibyte
const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

afterAll(cleanUp)

function foundFile(workspace: Workspace, name: string): FoundFile {
  const absolutePath = workspace.path(name)
  return { name, absolutePath, realPath: absolutePath }
}

/** Creates a file of zeros that takes no space on the disk. */
function makeSparse(workspace: Workspace, name: string, size = large): FoundFile {
  workspace.write(name, '')
  fs.truncateSync(workspace.path(name), size)
  return foundFile(workspace, name)
}

function hashed(name: string, content: Uint8Array): Artifact {
  return { source: 'path', name, size: content.length, hash: sha256(content), outcome: planned }
}

const hashAll = (files: readonly FoundFile[], host = hostIn('/')) => hashFiles(files, host)

const codeOf = ({ outcome }: Artifact): string =>
  outcome.state === 'failed' ? outcome.failure.code : outcome.state

/** An artifact whose failure has these parts. */
const failedWith = (failure: object): object => ({ size: null, hash: null, outcome: { failure } })

it('hashes are correct for sizes around the buffer size, in this thread and in a worker', async () => {
  const sizes = [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 16 * mebibyte, 16 * mebibyte + 1]
  const bytes = Uint8Array.from({ length: 16 * mebibyte + 1 }, (_, index) => (index * 7919) >>> 5)
  const contents = sizes.map(size => [`f${size}`, bytes.subarray(0, size)] as const)
  const workspace = makeWorkspace(Object.fromEntries(contents))
  const files = contents.map(([name]) => foundFile(workspace, name))
  expect(await hashAll(files)).toEqual(contents.map(([name, content]) => hashed(name, content)))
})

onPosix(
  'a file that cannot be read gets a failure with the reason; others are hashed',
  async () => {
    const workspace = makeWorkspace({ a: 'a', closed: 'x', 'folder/x': '' })
    fs.chmodSync(workspace.path('closed'), 0)
    execSync('mkfifo pipe; ln -s nowhere link', { cwd: workspace.root })
    const names = ['closed', 'folder', 'link', 'pipe', 'a', 'a']
    const files = names.map(name => foundFile(workspace, name))
    expect(await asNobody(workspace, () => hashAll(files))).toMatchObject([
      failedWith({ code: 'unreadable', detail: expect.stringContaining('permission denied') }),
      failedWith({ code: 'changed' }),
      failedWith({ code: 'unreadable', detail: expect.stringContaining('ENOENT') }),
      failedWith({ code: 'changed' }),
      hashed('a', Buffer.from('a')),
      failedWith({ code: 'unreadable', detail: expect.stringContaining('not valid UTF-8') }),
    ])
  },
)

onLinux('no file descriptor stays open', async () => {
  const workspace = makeWorkspace({ a: 'a', 'folder/x': '' })
  const files = ['a', 'folder', 'missing'].map(name => foundFile(workspace, name))
  const countOpen = (): number => fs.readdirSync('/proc/self/fd').length
  const before = countOpen()
  await hashAll(Array.from({ length: 50 }, () => files).flat())
  expect(countOpen()).toBeLessThan(before + 20)
})

/** Waits until a worker thread has read part of a file. */
async function untilRead({ absolutePath }: FoundFile): Promise<void> {
  await until(() =>
    fs.readdirSync('/proc/self/fd').some(descriptor => {
      try {
        if (fs.readlinkSync(`/proc/self/fd/${descriptor}`) !== absolutePath) return false
        return !fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').startsWith('pos:\t0\n')
      } catch {
        return false
      }
    }),
  )
}

onLinux.each([
  ['it grows', 'printf x >> big'],
  ['it is written in place', 'printf x 1<> big'],
  ['another file replaces it', 'mv other big'],
])('a file that changes while it is read gets no hash: %s', async (_, command) => {
  const longAgo = 1_700_000_000
  const workspace = makeWorkspace({ b: 'b' })
  makeSparse(workspace, 'other')
  const big = makeSparse(workspace, 'big')
  fs.utimesSync(big.absolutePath, longAgo, longAgo)
  const hashing = hashAll([big, foundFile(workspace, 'b')])
  await untilRead(big)
  execSync(command, { cwd: workspace.root })
  fs.utimesSync(big.absolutePath, longAgo, longAgo)
  expect(await hashing).toMatchObject([
    failedWith({ code: 'changed', registered: 'no' }),
    hashed('b', Buffer.from('b')),
  ])
})

describe('when the run stops', () => {
  it('only the files that were read before get a hash', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${index}`)
    const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, name])))
    const files = names.map(name => foundFile(workspace, name))
    const host = hostIn('/')
    const hashing = hashAll(files, host)
    setImmediate(() => {
      host.halt.stop(cancelledFailure)
    })
    expect([...new Set((await hashing).map(codeOf))]).toEqual(['planned', 'cancelled'])
  })

  onLinux('the hashing of huge files ends early', async () => {
    const workspace = makeWorkspace()
    const first = makeSparse(workspace, 'a', 256 * large)
    const host = hostIn('/')
    const hashing = hashAll([first, makeSparse(workspace, 'b', 256 * large)], host)
    await untilRead(first)
    host.halt.stop(cancelledFailure)
    expect((await hashing).map(codeOf)).toEqual(['cancelled', 'cancelled'])
  })
})

it('a worker thread that cannot start fails the run', async () => {
  const workspace = makeWorkspace()
  const host = { ...hostIn('/'), workerFile: new URL('no-such-file.js', import.meta.url) }
  await expect(hashAll([makeSparse(workspace, 'a')], host)).rejects.toThrow()
})
