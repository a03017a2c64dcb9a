import { execSync } from 'node:child_process'
import * as fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import type { FoundFile } from '../../src/artifacts/files.ts'
import { hashFile } from '../../src/artifacts/hash.ts'
import { planned, type Artifact } from '../../src/outcome.ts'
import { canceledFailure } from '../../src/failure.ts'
import { sha256 } from '../support/samples.ts'
import { moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { asNobody, hostIn } from './host.ts'

const mebibyte = 1024 * 1024
const onLinux = process.platform === 'linux' ? it : it.skip

const filesIn = ({ path }: Workspace, names: readonly string[]): readonly FoundFile[] =>
  names.map(name => ({ name, path: path(name) }))

const hashAll = (files: readonly FoundFile[], { halt } = hostIn('/')) =>
  Array.fromAsync(files, file => hashFile(file, halt.ended))

/** Returns the hash of an artifact, or why it has none. */
const resultOf = ({ hash, outcome }: Artifact): string | null =>
  outcome.state === 'failed'
    ? `${outcome.failure.code} ${outcome.failure.reason} ${outcome.failure.observed}`.trim()
    : hash

it('hashes are correct for sizes around the buffer size', async () => {
  const sizes = [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte]
  const bytes = Uint8Array.from({ length: 3 * mebibyte }, (_, index) => (index * 7919) >>> 5)
  const contents = sizes.map(size => [`f${size}`, bytes.subarray(0, size)] as const)
  const workspace = makeWorkspace(Object.fromEntries(contents))
  const names = contents.map(([name]) => name)
  const expected = contents.map(([name, content]): Artifact => {
    const size = content.length
    return { input: 'path', name, size, hash: sha256(content), outcome: planned }
  })
  expect(await hashAll(filesIn(workspace, names))).toEqual(expected)
})

onLinux('a file that cannot be hashed gets a reason, and none stays open', async () => {
  const workspace = makeWorkspace({ a: 'a', closed: 'x', 'folder/x': '' })
  fs.chmodSync(workspace.path('closed'), 0)
  execSync('ln -s nowhere link && mkfifo pipe', { cwd: workspace.root })
  // The size of /proc/version is 0, but it has content.
  const names = ['closed', 'folder', 'link', 'pipe', '/proc/version', 'a']
  const files = Array.from({ length: 50 }, () => filesIn(workspace, names))
  const countOpen = (): number => fs.readdirSync('/proc/self/fd').length
  const before = countOpen()
  const artifacts = await asNobody(workspace, () => hashAll(files.flat()))
  expect(countOpen()).toBeLessThan(before + 20)
  expect(artifacts.slice(-names.length).map(resultOf)).toEqual([
    expect.stringMatching(/^unreadable .*permission denied/),
    expect.stringMatching(/^unreadable .*EISDIR/),
    expect.stringMatching(/^unreadable .*ENOENT/),
    'changed file-changed',
    'changed file-changed',
    sha256('a'),
  ])
})

/** What happens to `file` between the look at it and the first read; `other` is beside it. */
onLinux.each([
  ['changes, keeping size and time', 'fs.writeFileSync(file, "x"); fs.utimesSync(file, 1, 1)'],
  ['is replaced', 'fs.renameSync(other, file)'],
  ['shrinks', 'fs.truncateSync(file)'],
])('a file that %s while it is read gets no hash, and the next one does', (_what, happens) => {
  const workspace = makeWorkspace({ file: 'a', other: 'a', next: 'b' })
  for (const name of ['file', 'other']) fs.utimesSync(workspace.path(name), 1, 1)
  const files = filesIn(workspace, ['file', 'next'])
  const { stdout, stderr } = runScript(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    import { hashFile } from ${JSON.stringify(moduleUrl('src/artifacts/hash.ts'))}
    const [file, other] = ${JSON.stringify([workspace.path('file'), workspace.path('other')])}
    const { readSync } = fs
    fs.readSync = (...words) => {
      fs.readSync = readSync
      syncBuiltinESMExports()
      ${happens}
      return readSync(...words)
    }
    syncBuiltinESMExports()
    const { signal } = new AbortController()
    const hashed = await Array.fromAsync(${JSON.stringify(files)}, file => hashFile(file, signal))
    console.log(JSON.stringify(hashed.map(({ hash, outcome: { failure } }) => hash ?? failure.code)))
  `)
  expect([stderr, stdout]).toEqual(['', `${JSON.stringify(['changed', sha256('b')])}\n`])
})

it('when the run stops, only the files that were read before get a hash', async () => {
  const workspace = makeWorkspace({ whole: 'whole', endless: '', next: '' })
  // Takes an hour.
  fs.truncateSync(workspace.path('endless'), 2 ** 42)
  const host = hostIn('/')
  const hashing = hashAll(filesIn(workspace, ['whole', 'endless', 'next']), host)
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  host.halt.end(canceledFailure)
  const canceled = 'cancelled canceled'
  expect((await hashing).map(resultOf)).toEqual([sha256('whole'), canceled, canceled])
})
