import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { isHashed, isPlanned, type Artifact, type PlannedArtifact } from '../../src/outcome.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { formatLine } from '../../src/records/lines.ts'
import { Ledger } from '../../src/records/ledger.ts'
import type { Disk } from '../../src/runtime/outside.ts'
import { hostIn } from '../artifacts/host.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { readRecordsText } from '../support/record-lines.ts'
import { artifactOf, hashOf, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, lineOf, SERVICE, stateLineOf } from './entries.ts'

afterAll(cleanUp)

const onPosix = process.platform === 'win32' ? it.skip : it
const [line1, line2] = [lineOf(1), lineOf(2)]

const startMs = Date.parse('2026-02-02T00:00:00.000Z')

interface Options {
  /** Records from elsewhere. */
  readonly other?: string
  readonly disk?: Disk
  readonly runAttempt?: string
  readonly sha?: string
}

function read(path: string, options: Options = {}) {
  const { other = '', disk = systemDisk, runAttempt = '1', sha = source.sha } = options
  const base = hostIn('/')
  const logged: string[] = []
  const runner = { ...base.runner, info: (line: string) => void logged.push(line) }
  const clock = { ...base.clock, now: () => startMs }
  const host = { ...base, runner, clock, disk }
  const others = [{ name: 'an asset', bytes: Buffer.from(other), input: 'release-tag' }] as const
  const query = {
    path,
    name: path,
    others,
    service: SERVICE,
    source: { ...source, runAttempt, sha },
  }
  return { ledger: Ledger.read({ ...query, verificationUrl: null }, host), logged, host }
}

/** Reads a ledger that holds this text. */
function ledgerOf(text: string, options: Options = {}): Ledger {
  const disk = { ...systemDisk, read: () => Buffer.from(text) }
  return read('/records', { ...options, disk }).ledger
}

function plannedOf(number: number): PlannedArtifact {
  const artifact = artifactOf(`dist/app-${number}.zip`, number)
  assert(isHashed(artifact) && isPlanned(artifact))
  return artifact
}

describe('opening', () => {
  it('creates the file and its folders', async () => {
    const workspace = makeWorkspace()
    const { ledger } = read(workspace.path('a/b/records'))
    await ledger.startWriting(true)
    await ledger.logIntent(plannedOf(1))
    await ledger.close()
    expect(readRecordsText(workspace.read('a/b/records')).states).toHaveLength(1)
  })

  it.each([
    ['the last newline', line1.trimEnd(), '', line1],
    ['the rest of an incomplete line', line1 + line2.slice(0, 30), '', line1],
    ['a line from elsewhere', line1, line2 + line1, line1 + line2],
    ['both', line1.trimEnd(), line2, line1 + line2],
  ])('completes a file that lacks %s, even without work', async (_, content, other, whole) => {
    const workspace = makeWorkspace({ records: content })
    const { ledger } = read(workspace.path('records'), { other })
    expect(ledger.content.toString()).toBe(whole)
    await ledger.startWriting(false)
    expect(workspace.read('records')).toBe(whole)
    await ledger.save(entryOf(3))
    await ledger.close()
    expect(workspace.read('records')).toBe(whole + lineOf(3))
    expect(ledger.content.toString()).toBe(whole + lineOf(3))
    expect(ledger.entries).toContainEqual(entryOf(3))
  })

  it('writes nothing if there is no work and nothing to complete', async () => {
    const workspace = makeWorkspace({ records: line1 })
    await read(workspace.path('records'), { other: line1 }).ledger.startWriting(false)
    await read(workspace.path('missing')).ledger.startWriting(false)
    expect(workspace.read('records')).toBe(line1)
    expect(workspace.exists('missing')).toBe(false)
  })

  it('that fails halfway leaves the file as it was', async () => {
    const workspace = makeWorkspace({ records: line1 })
    const path = workspace.path('records')
    const disk: Disk = {
      ...systemDisk,
      openForAppending: async () => {
        const file = await systemDisk.openForAppending(path)
        return { ...file, sync: () => Promise.reject(new Error('no')) }
      },
    }
    await expect(read(path, { other: line2, disk }).ledger.startWriting(true)).rejects.toThrow(
      'records',
    )
    expect(workspace.read('records')).toBe(line1)
  })

  onPosix.each([
    ['folder', /cannot be read.*not a regular file/],
    ['pipe', /cannot be read.*not a regular file/],
    ['link to nowhere', /cannot be written.*no such file/],
    ['file/records', /cannot be read.*not a directory/],
    // Here, Node itself would try forever.
    ['/proc/none/a/records', /cannot be written/],
  ])('stops the run with a reason if the path is %s', async (name, why) => {
    const workspace = makeWorkspace({ file: '', 'folder/x': '' })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    execFileSync('mkfifo', [workspace.path('pipe')])
    const opening = async (): Promise<void> =>
      read(resolve(workspace.root, name)).ledger.startWriting(true)
    await expect(opening()).rejects.toMatchObject({ problems: [{ input: 'records-path' }] })
    await expect(opening()).rejects.toThrow(why)
  })
})

it('a write that fails halfway leaves no part of a line, is the last one, and stops the run', async () => {
  const workspace = makeWorkspace({ records: line1 })
  const path = workspace.path('records')
  let isFull = false
  const disk: Disk = {
    ...systemDisk,
    openForAppending: async () => {
      const file = await systemDisk.openForAppending(path)
      const append = async (data: Uint8Array): Promise<void> => {
        await file.append(isFull ? data.slice(0, 30) : data)
        if (isFull) throw Object.assign(new Error('no'), { code: 'ENOSPC' })
      }
      return { ...file, append }
    },
  }
  const { ledger, logged, host } = read(path, { disk })
  await ledger.startWriting(true)
  expect(await ledger.save(entryOf(2))).toBe(true)
  isFull = true
  const together = [ledger.save(entryOf(3)), ledger.save(entryOf(4))]
  expect(await Promise.all(together)).toEqual([false, false])
  isFull = false
  await expect(ledger.logIntent(plannedOf(5))).rejects.toMatchObject({ code: 'not-saved' })
  await ledger.close()
  expect(workspace.read('records')).toBe(line1 + line2)
  expect(ledger.content.toString()).toBe(line1 + line2)
  expect(ledger.unsaved).toEqual(['dist/app-3.zip', 'dist/app-4.zip'])
  expect(logged[0]).toContain('no space left on device (ENOSPC)')
  expect(logged.filter(line => line.startsWith('{'))).toEqual([lineOf(3).trim(), lineOf(4).trim()])
  expect(host.halt.reason).toMatchObject({ code: 'not-saved' })
})

it.each([
  ['1', false],
  ['2', true],
])(
  'a line of attempt 1, for any service, is earlier than attempt %s: %s',
  (runAttempt, isEarlier) => {
    const text = stateLineOf(1, { service: 'https://other.example' })
    expect(ledgerOf(text, { runAttempt }).hasEarlierAttempt).toBe(isEarlier)
  },
)

describe('confirming a hash', () => {
  const open = stateLineOf(1)
  const bad = lineOf(1, { problems: ['status is missing'] })
  const hash = hashOf(1)

  /** Confirms hash 1 for these artifacts, and returns what was added. */
  function confirm(text: string, artifacts: readonly Artifact[]) {
    const ledger = ledgerOf(text)
    ledger.confirm(artifacts.filter(isHashed), new Set([hash, hashOf(9)]))
    const added = ledger.entries.slice(text.split('\n').length - 1)
    // A run that stops, or a dry run, has not written them.
    expect(ledger.content.toString()).toBe(text)
    return { ledger, added: readRecordsText(added.map(formatLine).join('')).records }
  }
  const files = [artifactOf('z', 1), artifactOf('b', 1), artifactOf('a', 2)]

  it.each([
    ['that is new', '', undefined],
    ['that is open', open, true],
    ['whose record has problems', open + bad, undefined],
  ])('%s adds one line under the first name', (_, text, maybeChargedAgain) => {
    const { ledger, added } = confirm(text, files)
    const fields = { hash, status: 'registered', custody: false, signed: false }
    const record = { ...fields, description: expect.stringContaining('person') }
    const at = new Date(startMs).toISOString()
    const head = { artifact: 'b', size: 1, hash, service: SERVICE, at, source }
    const line = { ...head, confirmed: true, record, problems: [] }
    expect(added).toEqual([maybeChargedAgain === true ? { ...line, maybeChargedAgain } : line])
    const isAgain = maybeChargedAgain === true
    const from = 'records-file'
    const outcome = { state: 'registered', from, isConfirmed: true, maybeChargedAgain: isAgain }
    expect(ledger.find(hash)).toMatchObject(outcome)
    expect(ledger.entries.at(-1)).toMatchObject({ confirmed: true })
  })

  it.each([
    ['that no artifact has', '', [artifactOf('a', 2)]],
    ['that has a good record', open + line1, files],
    ['that is confirmed', lineOf(1, { confirmed: true }), files],
  ])('%s changes nothing', (_, text, artifacts) => {
    expect(confirm(text, artifacts).added).toEqual([])
  })

  it('is written when the file is opened, even without work', async () => {
    const workspace = makeWorkspace({ records: open })
    const { ledger } = read(workspace.path('records'))
    ledger.confirm(files.filter(isHashed), new Set([hash]))
    expect(workspace.read('records')).toBe(open)
    await ledger.startWriting(false)
    await ledger.close()
    expect(readRecordsText(workspace.read('records')).records).toMatchObject([{ confirmed: true }])
    expect(workspace.read('records')).toBe(ledger.content.toString())
    expect(read(workspace.path('records')).ledger.find(hash)).toMatchObject({ isConfirmed: true })
  })
})

it.each<[boolean, string, Artifact, string, sha?: string]>([
  [true, 'a file with the name', artifactOf('dist/app-1.zip', 2), line1],
  [true, 'an asset with the base name', artifactOf('app-1.zip', 2, 'release-tag'), line1],
  [false, 'a file with only the base name', artifactOf('app-1.zip', 2), line1],
  [false, 'a file with the same content', artifactOf('dist/app-1.zip', 1), line1],
  [false, 'a file of another commit', artifactOf('dist/app-1.zip', 2), line1, '1'.repeat(40)],
  [
    false,
    'a record of another service',
    artifactOf('dist/app-1.zip', 2),
    lineOf(1, { service: 'https://x' }),
  ],
  [
    false,
    'a record with problems',
    artifactOf('dist/app-1.zip', 2),
    lineOf(1, { problems: ['x'] }),
  ],
  [false, 'only a sent line', artifactOf('dist/app-1.zip', 2), stateLineOf(1)],
])('other content is known (%s) for %s', (isKnown, _, artifact, text, sha = source.sha) => {
  assert(isHashed(artifact))
  expect(ledgerOf(text, { sha }).hasOtherContent(artifact)).toBe(isKnown)
})
