import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { isHashed, isPlanned, type PlannedArtifact } from '../../src/outcome.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { Ledger } from '../../src/records/ledger.ts'
import type { AppendedFile, Disk } from '../../src/runtime/outside.ts'
import { recordingHost } from '../artifacts/host.ts'
import { artifactOf, hashOf, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, lineOf, SERVICE, stateLineOf } from './entries.ts'

const onPosix = process.platform === 'win32' ? it.skip : it
const [line1, line2] = [lineOf(1), lineOf(2)]

const startMs = Date.parse('2026-02-02T00:00:00.000Z')

interface Options {
  /** Records from elsewhere. */
  readonly other?: string
  readonly disk?: Disk
  readonly sha?: string | null
}

function read(path: string, { other = '', disk = systemDisk, sha = source.sha }: Options = {}) {
  const base = recordingHost({})
  const host = { ...base, clock: { ...base.clock, now: () => startMs }, disk }
  const others = [{ name: 'an asset', bytes: Buffer.from(other), input: 'release-tag' }] as const
  const ofRun = { service: SERVICE, source: { ...source, sha }, verificationUrl: null }
  return { ledger: Ledger.read({ path, name: 'records', others, ...ofRun }, host), host }
}

/** Reads a ledger that holds this text. */
function ledgerOf(text: string, sha: string | null = source.sha): Ledger {
  return read('/records', { disk: { ...systemDisk, read: () => Buffer.from(text) }, sha }).ledger
}

/** The real disk, with changes to the file that it opens. */
function diskWith(change: (file: AppendedFile) => Partial<AppendedFile>): Disk {
  const openForAppending = async (path: string): Promise<AppendedFile> => {
    const file = await systemDisk.openForAppending(path)
    return { ...file, ...change(file) }
  }
  return { ...systemDisk, openForAppending }
}

function plannedOf(number: number): PlannedArtifact {
  const artifact = artifactOf(`dist/app-${number}.zip`, number)
  assert(isHashed(artifact) && isPlanned(artifact))
  return artifact
}

describe('opening', () => {
  it.each<[string, content: string | null, other: string, hasWork: boolean, whole: string | null]>([
    ['creates the file and its folders', null, '', true, ''],
    ['creates nothing without work', null, '', false, null],
    ['leaves a file that lacks nothing', line1, line1, false, line1],
    ['adds the last newline', line1.trimEnd(), '', false, line1],
    ['cuts off an incomplete line', line1 + line2.slice(0, 30), '', false, line1],
    ['adds a line from elsewhere', line1, line2 + line1, false, line1 + line2],
    ['adds both', line1.trimEnd(), line2, false, line1 + line2],
  ])('%s', async (_, content, other, hasWork, whole) => {
    const file = 'a/b/records'
    const workspace = makeWorkspace(content === null ? {} : { [file]: content })
    const { ledger } = read(workspace.path(file), { other })
    expect(ledger.content.toString()).toBe(whole ?? '')
    await ledger.startWriting(hasWork)
    expect(workspace.exists(file) ? workspace.read(file) : null).toBe(whole)
    if (whole === content || whole === null) return
    const saving = ledger.save(entryOf(3))
    await ledger.close()
    expect(await saving).toBe(true)
    expect(workspace.read(file)).toBe(whole + lineOf(3))
    expect(ledger.content.toString()).toBe(whole + lineOf(3))
    expect(ledger.entries).toContainEqual(entryOf(3))
  })

  it('that fails halfway leaves the file as it was', async () => {
    const workspace = makeWorkspace({ records: line1 })
    const path = workspace.path('records')
    for (const [code, needs] of Object.entries({ ENOSPC: 'nothing', EROFS: 'workflow' })) {
      let isClosed = false
      const disk = diskWith(({ close }) => ({
        sync: () => Promise.reject(Object.assign(new Error('no'), { code })),
        close: () => close().finally(() => (isClosed = true)),
      }))
      const opening = read(path, { other: line2, disk }).ledger.startWriting(true)
      await expect(opening).rejects.toMatchObject({ problems: [{ input: 'records-path', needs }] })
      expect(workspace.read('records')).toBe(line1)
      expect(isClosed).toBe(true)
    }
  })

  onPosix.each([
    ['folder', 'cannot be read: it is not a regular file'],
    ['pipe', 'cannot be read: it is not a regular file'],
    ['link to nowhere', 'cannot be written: no such file or directory (ENOENT)'],
    ['file/records', 'cannot be read: not a directory (ENOTDIR)'],
    // Here, Node itself would try forever.
    ['/proc/none/a/records', 'cannot be written: no such file or directory (ENOENT)'],
  ])('stops the run with a reason if the path is %s', async (name, why) => {
    const workspace = makeWorkspace({ file: '', 'folder/x': '' })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    execFileSync('mkfifo', [workspace.path('pipe')])
    const opening = async (): Promise<void> =>
      read(resolve(workspace.root, name)).ledger.startWriting(true)
    const message = `input "records-path": "records" ${why}`
    const problem = { input: 'records-path', needs: 'workflow', message }
    await expect(opening()).rejects.toMatchObject({ problems: [problem] })
  })
})

it('a write that fails halfway leaves no part of a line, is the last one, and stops the run', async () => {
  const workspace = makeWorkspace({ records: line1 })
  const path = workspace.path('records')
  let isFull = false
  const disk = diskWith(file => ({
    append: async data => {
      await file.append(isFull ? data.slice(0, 30) : data)
      if (isFull) throw Object.assign(new Error('no'), { code: 'ENOSPC' })
    },
  }))
  const { ledger, host } = read(path, { disk })
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
  const why = 'A line could not be saved: no space left on device (ENOSPC)'
  const only = 'This line is only in this log:'
  const printed = [3, 4].map(number => [why, only, lineOf(number).trim()])
  expect(host.log).toEqual([...printed.flat(), why])
  expect(host.halt.reason).toMatchObject({ code: 'not-saved' })
})

describe('confirming a hash', () => {
  const open = stateLineOf(1)
  const bad = lineOf(1, { problems: ['status is missing'] })
  const hash = hashOf(1)
  const files = [artifactOf('z', 1), artifactOf('b', 1), artifactOf('a', 2)]
  const hashes = new Set([hash, hashOf(9)])

  it.each([
    ['that is new', '', {}],
    ['that is open', open, { maybeChargedAgain: true }],
    ['whose record has problems', open + bad, {}],
  ])('%s adds one line under the first name, even without work', async (_, text, again) => {
    const workspace = makeWorkspace({ records: text })
    const { ledger } = read(workspace.path('records'))
    ledger.confirm(files.filter(isHashed), hashes)
    // A run that stops, or a dry run, has not written it.
    expect([workspace.read('records'), ledger.content.toString()]).toEqual([text, text])
    await ledger.startWriting(false)
    await ledger.close()
    const description = 'Confirmed by a person after a look-up; not a response of the service'
    const record = { hash, description, status: 'registered', custody: false, signed: false }
    const head = { artifact: 'b', size: 1, hash, service: SERVICE, at: '2026-02-02T00:00:00.000Z' }
    const line = { ...head, record, ...again, confirmed: true, problems: [], source }
    expect(workspace.read('records')).toBe(`${text}${JSON.stringify(line)}\n`)
    expect(ledger.content.toString()).toBe(workspace.read('records'))
    const outcome = { state: 'registered', from: 'records-file', isConfirmed: true }
    const known = { ...outcome, maybeChargedAgain: false, ...again }
    for (const reading of [ledger, read(workspace.path('records')).ledger]) {
      expect(reading.find(hash)).toMatchObject(known)
    }
  })

  it.each([
    ['that no artifact has', '', [artifactOf('a', 2)]],
    ['that has a good record', open + line1, files],
    ['that is confirmed', lineOf(1, { confirmed: true }), files],
  ])('%s changes nothing', (_, text, artifacts) => {
    const ledger = ledgerOf(text)
    const before = ledger.entries.length
    ledger.confirm(artifacts.filter(isHashed), hashes)
    expect([ledger.entries.length, ledger.hasConfirmed]).toEqual([before, false])
  })
})

describe('other content', () => {
  const file = { ...plannedOf(2), name: 'dist/app-1.zip' }
  const inRoot = { ...file, name: 'app-1.zip' }
  const asset = { ...inRoot, input: 'release-tag' } as const
  const ofCommit = (sha: string | null) => lineOf(1, { source: { ...source, sha } })
  it.each<[boolean, string, PlannedArtifact, records: string]>([
    [true, 'a file with the name', file, line1],
    [true, 'an asset with the base name', asset, line1],
    [false, 'a file with only the base name', inRoot, line1],
    [false, 'a file of another commit', file, ofCommit('c0ffee')],
    [false, 'a record of another service', file, lineOf(1, { service: 'https://x' })],
    [false, 'a record with problems', file, lineOf(1, { problems: ['x'] })],
    [false, 'only a sent line', file, stateLineOf(1)],
  ])('is known (%s) for %s', (isKnown, _, artifact, text) => {
    expect(ledgerOf(text).hasOtherContent(artifact)).toBe(isKnown)
  })

  it('is not known for a run without a commit', () => {
    expect(ledgerOf(ofCommit(null), null).hasOtherContent(file)).toBe(false)
  })
})
