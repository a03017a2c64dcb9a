import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { Failure } from '../../src/failure.ts'
import { isHashed, isPlanned, type PlannedArtifact } from '../../src/outcome.ts'
import { systemDisk } from '../../src/records/disk.ts'
import type { FoundRecords } from '../../src/records/lines.ts'
import { Ledger } from '../../src/records/ledger.ts'
import type { Disk } from '../../src/runtime/outside.ts'
import { recordingHost } from '../artifacts/host.ts'
import { artifactOf, hashOf, makeRecord, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { AT, doubtLineOf, entryOf, lineOf, SERVICE } from './entries.ts'

const onPosix = process.platform === 'win32' ? it.skip : it
const [line1, line2] = [lineOf(1), lineOf(2)]

/** Reads a records file with the records of the release, and of earlier ones. */
function read(
  path: string,
  { released = '', earlier = '', disk = systemDisk, name = 'records' } = {},
) {
  const base = recordingHost({})
  const host = { ...base, clock: { ...base.clock, now: () => Date.parse(AT) }, disk }
  const others: readonly FoundRecords[] = [
    { name: 'an asset', bytes: Buffer.from(released), input: 'release-tag' },
    { name: 'another', bytes: Buffer.from(earlier), input: 'earlier-releases' },
  ]
  return { ledger: new Ledger({ path, name, others, service: SERVICE, source }, host), host }
}

function plannedOf(number: number): PlannedArtifact {
  const artifact = artifactOf(`dist/app-${number}.zip`, number)
  assert(isHashed(artifact) && isPlanned(artifact))
  return artifact
}

const seen = { observed: 'the registration returned', said: ' HTTP 503' }
const unavailable = new Failure('unavailable', 'unavailable', seen)

function opening(ledger: Ledger): () => void {
  return () => {
    ledger.open(true)
  }
}

function throwError(code: string): never {
  throw Object.assign(new Error('no'), { code })
}

describe('opening', () => {
  it.each<
    [string, content: string | null, released: string, hasWork: boolean, whole: string | null]
  >([
    ['creates the file and its folders', null, '', true, ''],
    ['creates nothing without work', null, '', false, null],
    ['leaves a file that lacks nothing', line1, line1, false, line1],
    ['adds the last newline', line1.trimEnd(), '', false, line1],
    ['cuts off an incomplete line', line1 + line2.slice(0, 30), '', false, line1],
    ['adds a line from elsewhere, once', line1, line2 + line1 + line2, false, line1 + line2],
    ['adds both', line1.trimEnd(), line2, false, line1 + line2],
    ['adds no incomplete line from elsewhere', line1, line2.slice(0, 30), false, line1],
  ])('%s', (_, content, released, hasWork, whole) => {
    const file = 'a/b/records'
    const workspace = makeWorkspace(content === null ? {} : { [file]: content })
    const { ledger } = read(workspace.path(file), { released })
    ledger.open(hasWork)
    expect(workspace.exists(file) ? workspace.read(file) : null).toBe(whole)
    if (whole === content || whole === null) return
    ledger.saveRecord(plannedOf(3), makeRecord(hashOf(3)))
    expect(workspace.read(file)).toBe(whole + lineOf(3))
    expect(ledger.lines.map(({ text }) => `${text}\n`).join('')).toBe(whole + lineOf(3))
    expect(ledger.lines.every(({ places }) => places.has('file'))).toBe(true)
    expect(ledger.recordOf(hashOf(3))).toEqual(entryOf(3))
  })

  it('that fails stops the run', () => {
    const path = makeWorkspace({ records: line1 }).path('records')
    const disk = { ...systemDisk, append: () => throwError('ENOSPC') }
    const { ledger } = read(path, { released: line2, disk })
    const next = `make sure that the user of the runner can read and write "${path}", and that the disk is not full`
    const problem = expect.objectContaining({ input: 'records-path', needs: 'nothing', next })
    expect(opening(ledger)).toThrow(expect.objectContaining({ problems: [problem] }))
  })

  onPosix.each([
    ['notarization-records.jsonl', 'cannot be read: it is not a regular file'],
    ['folder', 'cannot be read: it is not a regular file'],
    ['pipe', 'cannot be read: it is not a regular file'],
    ['link to nowhere', 'cannot be written: no such file or directory (ENOENT)'],
    ['file/records', 'cannot be read: not a directory (ENOTDIR)'],
    // Here, Node itself would try forever.
    ['/proc/none/a/records', 'cannot be written: no such file or directory (ENOENT)'],
  ])('stops the run with a reason and what to do if the path is %s', (name, why) => {
    const folders = { 'folder/x': '', 'notarization-records.jsonl/x': '' }
    const workspace = makeWorkspace({ file: '', ...folders })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    execFileSync('mkfifo', [workspace.path('pipe')])
    const path = resolve(workspace.root, name)
    const message = `input "records-path": "${name}" ${why}`
    // What has its default is not to be changed.
    const next = name.startsWith('notarization')
      ? `remove what is at "${path}"`
      : `change "records-path", because "${path}" cannot be a file`
    const problems = [{ input: 'records-path', needs: 'workflow', message, next }]
    const { ledger } = read(path, { name })
    if (why.startsWith('cannot be read')) expect(ledger).toMatchObject({ problems })
    else expect(opening(ledger)).toThrow(expect.objectContaining({ problems }))
  })
})

it('the folder for later steps is a new one each time, below one that is created if it is missing', () => {
  const temp = makeWorkspace().path('missing/temp')
  const [first, second] = [systemDisk.makeFolder(temp), systemDisk.makeFolder(temp)]
  const made = readdirSync(temp).map(name => join(temp, name))
  expect(new Set(made)).toEqual(new Set([first, second]))
  expect(first).not.toBe(second)
  // Here, Node itself would try forever.
  expect(() => systemDisk.makeFolder('/proc/none/temp')).toThrow()
})

it('a write that fails halfway is the last one, and stops the run', () => {
  const workspace = makeWorkspace({ records: line1 })
  let isFull = false
  const append: Disk['append'] = (path, data) => {
    systemDisk.append(path, isFull ? data.slice(0, 30) : data)
    if (isFull) throwError('ENOSPC')
  }
  const disk = { ...systemDisk, append }
  const { ledger, host } = read(workspace.path('records'), { disk })
  ledger.open(true)
  ledger.saveRecord(plannedOf(2), makeRecord(hashOf(2)))
  isFull = true
  ledger.saveRecord(plannedOf(3), makeRecord(hashOf(3)))
  isFull = false
  ledger.saveRecord(plannedOf(4), makeRecord(hashOf(4)))
  ledger.saveDoubt(plannedOf(5), unavailable)
  expect(workspace.read('records')).toBe(line1 + line2 + lineOf(3).slice(0, 30))
  const places = ledger.lines.map(line => [...line.places].join())
  expect(places).toEqual(['file', 'file', 'log', 'log', 'log'])
  expect(ledger.outcomeOf(hashOf(4)).state).toBe('registered')
  const printed = [lineOf(3), lineOf(4), doubtLineOf(5)].map(line => line.trimEnd())
  expect(host.log.filter(line => line.startsWith('{'))).toEqual(printed)
  expect(host.log[0]).toBe('A line could not be saved (no space left on device (ENOSPC)):')
  expect(host.halt.reason).toMatchObject({ code: 'not-tried', reason: 'not-saved' })
})

it('of earlier releases, only the oldest record of a hash that has none is taken, or without any its doubts', () => {
  const later = '2026-02-01T12:00:00.000Z'
  const elsewhere = { service: 'https://other.example' }
  const [ofFile, needed] = [doubtLineOf(6), lineOf(1) + doubtLineOf(3) + doubtLineOf(4)]
  const known = doubtLineOf(1) + line2 + ofFile
  const doubtOf4 = doubtLineOf(4, { at: later })
  const earlier = lineOf(1, { at: later }) + doubtLineOf(1, { why: 'x' }) + needed + doubtOf4
  const unneeded = ofFile + line2 + lineOf(2, { at: later }) + lineOf(5, elsewhere)
  const workspace = makeWorkspace({ records: known })
  const { ledger } = read(workspace.path('records'), { earlier: earlier + unneeded })
  ledger.open(false)
  expect(workspace.read('records')).toBe(known + needed + doubtOf4)
  const places = ledger.lines.map(line => [...line.places].join())
  const both = ['file,release', 'file,release', ...Array<string>(4).fill('release,file')]
  expect(places).toEqual(['file', ...both])
})

it('records of another service do not count', () => {
  const text = doubtLineOf(1) + lineOf(1, { service: 'https://other.example' })
  const { ledger } = read(makeWorkspace({ records: text }).path('records'))
  expect(ledger.outcomeOf(hashOf(1))).toEqual({ state: 'planned', lastDoubtAt: AT })
})

describe('confirming a hash', () => {
  const hash = hashOf(1)
  const files = [artifactOf('z', 1), artifactOf('b', 1), artifactOf('a', 2)]
  const hashes = new Set([hash, hashOf(9)])

  it.each([
    ['that is new', ''],
    ['that is in doubt', doubtLineOf(1)],
  ])('%s adds one line under the first name, even without work', (_, text) => {
    const workspace = makeWorkspace({ records: text })
    const { ledger } = read(workspace.path('records'))
    ledger.confirm(files.filter(isHashed), hashes)
    // A run that stops, or a dry run, writes and keeps nothing.
    expect(workspace.read('records')).toBe(text)
    expect(ledger.lines.map(line => `${line.text}\n`).join('')).toBe(text)
    ledger.open(false)
    const description = 'Confirmed by a person after a look-up; not a response of the service'
    const record = { hash, description, status: 'registered', custody: false, signed: false }
    const head = { artifact: 'b', size: 1, hash, service: SERVICE, at: AT }
    const line = { ...head, record, confirmed: true, source }
    expect(workspace.read('records')).toBe(`${text}${JSON.stringify(line)}\n`)
    for (const reading of [ledger, read(workspace.path('records')).ledger]) {
      const outcome = { state: 'registered', isConfirmed: true, otherCharge: null }
      expect(reading.outcomeOf(hash)).toMatchObject(outcome)
    }
  })

  it.each([
    ['that no artifact has', '', [artifactOf('a', 2)]],
    ['that has a record', line1, files],
    ['that is confirmed', lineOf(1, { confirmed: true }), files],
  ])('%s changes nothing', (_, text, artifacts) => {
    const workspace = makeWorkspace({ records: text })
    const { ledger } = read(workspace.path('records'))
    ledger.confirm(artifacts.filter(isHashed), hashes)
    ledger.open(false)
    expect(workspace.read('records')).toBe(text)
  })
})
