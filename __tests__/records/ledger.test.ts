import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { Failure } from '../../src/failure.ts'
import { isHashed, isPlanned, type PlannedArtifact } from '../../src/outcome.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { Ledger, type Completed } from '../../src/records/ledger.ts'
import type { AppendedFile, Disk } from '../../src/runtime/outside.ts'
import { recordingHost } from '../artifacts/host.ts'
import { artifactOf, hashOf, makeRecord, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { AT, doubtLineOf, doubtOf, entryOf, lineOf, SERVICE } from './entries.ts'

const onPosix = process.platform === 'win32' ? it.skip : it
const [line1, line2] = [lineOf(1), lineOf(2)]

interface Options {
  /** Records from elsewhere. */
  readonly other?: string
  readonly disk?: Disk
  readonly name?: string
}

function read(path: string, { other = '', disk = systemDisk, name = 'records' }: Options = {}) {
  const base = recordingHost({})
  const host = { ...base, clock: { ...base.clock, now: () => Date.parse(AT) }, disk }
  const others = [{ name: 'an asset', bytes: Buffer.from(other), input: 'release-tag' }] as const
  const ofRun = { service: SERVICE, source, verificationUrl: null }
  return { ledger: Ledger.read({ path, name, others, ...ofRun }, host), host }
}

/** The real disk, with changes to the file that it opens. */
function diskWith(change: (file: AppendedFile) => Partial<AppendedFile>): Disk {
  const openForAppending = (path: string): AppendedFile => {
    const file = systemDisk.openForAppending(path)
    return { ...file, ...change(file) }
  }
  return { ...systemDisk, openForAppending }
}

function plannedOf(number: number): PlannedArtifact {
  const artifact = artifactOf(`dist/app-${number}.zip`, number)
  assert(isHashed(artifact) && isPlanned(artifact))
  return artifact
}

/** The response whose record {@link lineOf} has. */
function completedOf(number: number, changes: object = {}): Completed {
  const object = makeRecord(hashOf(number), { ...changes })
  return { object, paymentId: null }
}

function throwError(code: string): never {
  throw Object.assign(new Error('no'), { code })
}

describe('opening', () => {
  it.each<[string, content: string | null, other: string, hasWork: boolean, whole: string | null]>([
    ['creates the file and its folders', null, '', true, ''],
    ['creates nothing without work', null, '', false, null],
    ['leaves a file that lacks nothing', line1, line1, false, line1],
    ['adds the last newline', line1.trimEnd(), '', false, line1],
    ['cuts off an incomplete line', line1 + line2.slice(0, 30), '', false, line1],
    ['adds a line from elsewhere, once', line1, line2 + line1 + line2, false, line1 + line2],
    ['adds both', line1.trimEnd(), line2, false, line1 + line2],
    ['adds no incomplete line from elsewhere', line1, line2.slice(0, 30), false, line1],
  ])('%s', (_, content, other, hasWork, whole) => {
    const file = 'a/b/records'
    const workspace = makeWorkspace(content === null ? {} : { [file]: content })
    const { ledger } = read(workspace.path(file), { other })
    ledger.open(hasWork)
    expect(ledger.content.toString()).toBe(whole ?? '')
    expect(workspace.exists(file) ? workspace.read(file) : null).toBe(whole)
    if (whole === content || whole === null) return
    ledger.record(plannedOf(3), completedOf(3))
    ledger.close()
    expect(workspace.read(file)).toBe(whole + lineOf(3))
    expect(ledger.content.toString()).toBe(whole + lineOf(3))
    expect(ledger.entries).toContainEqual(entryOf(3))
  })

  it('advises to change "records-path" only where the workflow names it', () => {
    const path = makeWorkspace({ 'folder/x': '' }).path('folder')
    for (const [name, next] of [
      ['notarization-records.jsonl', `remove what is at "${path}"`],
      ['folder', `change "records-path", because "${path}" cannot be a file`],
    ] as const) {
      expect(() => read(path, { name })).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ next })] }),
      )
    }
  })

  it('that fails halfway leaves the file as it was', () => {
    const workspace = makeWorkspace({ records: line1 })
    const path = workspace.path('records')
    for (const [code, needs] of Object.entries({
      ENOSPC: 'nothing',
      EROFS: 'nothing',
      EIO: 'nothing',
    })) {
      let isClosed = false
      const disk = diskWith(({ append, close }) => ({
        append: data => {
          append(data)
          throwError(code)
        },
        close: () => {
          isClosed = true
          close()
        },
      }))
      const { ledger } = read(path, { other: line2, disk })
      const problem = expect.objectContaining({ input: 'records-path', needs })
      expect(() => {
        ledger.open(true)
      }).toThrow(expect.objectContaining({ problems: [problem] }))
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
  ])('stops the run with a reason and what to do if the path is %s', (name, why) => {
    const workspace = makeWorkspace({ file: '', 'folder/x': '' })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    execFileSync('mkfifo', [workspace.path('pipe')])
    const path = resolve(workspace.root, name)
    const message = `input "records-path": "records" ${why}`
    const next = expect.stringContaining(path)
    const problem = { input: 'records-path', needs: 'workflow', message, next }
    expect(() => {
      read(path).ledger.open(true)
    }).toThrow(expect.objectContaining({ problems: [problem] }))
  })
})

it('the folder for later steps is a new one each time, below one that is created if it is missing', () => {
  const temp = makeWorkspace().path('missing/temp')
  const [first, second] = [systemDisk.makeFolder(temp), systemDisk.makeFolder(temp)]
  expect(
    readdirSync(temp)
      .map(name => join(temp, name))
      .sort(),
  ).toEqual([first, second].sort())
  // Here, Node itself would try forever.
  expect(() => systemDisk.makeFolder('/proc/none/temp')).toThrow()
})

it('a write that fails halfway leaves no part of a line, is the last one, and stops the run', () => {
  const workspace = makeWorkspace({ records: line1 })
  let isFull = false
  const disk = diskWith(({ append }) => ({
    append: data => {
      append(isFull ? data.slice(0, 30) : data)
      if (isFull) throwError('ENOSPC')
    },
  }))
  const { ledger, host } = read(workspace.path('records'), { disk })
  ledger.open(true)
  ledger.record(plannedOf(2), completedOf(2))
  isFull = true
  ledger.record(plannedOf(3), completedOf(3))
  isFull = false
  ledger.record(plannedOf(4), completedOf(4))
  const { why: observed } = doubtOf(5)
  ledger.doubt(plannedOf(5), new Failure('unavailable', 'unavailable', { observed }))
  ledger.close()
  expect(workspace.read('records')).toBe(line1 + line2)
  expect(ledger.content.toString()).toBe(line1 + line2)
  expect(ledger.unsaved).toEqual(['dist/app-3.zip', 'dist/app-4.zip'])
  const printed = [lineOf(3), lineOf(4), doubtLineOf(5)].map(line => line.trimEnd())
  expect(host.log.filter(line => line.startsWith('{'))).toEqual(printed)
  expect(host.log[0]).toBe(
    'A line could not be saved (no space left on device (ENOSPC)), and is only in this log:',
  )
  expect(host.halt.reason).toMatchObject({ code: 'not-saved' })
})

describe('confirming a hash', () => {
  const hash = hashOf(1)
  const files = [artifactOf('z', 1), artifactOf('b', 1), artifactOf('a', 2)]
  const hashes = new Set([hash, hashOf(9)])

  it.each([
    ['that is new', '', false],
    ['that is in doubt', doubtLineOf(1), true],
  ])('%s adds one line under the first name, even without work', (_, text, maybeChargedAgain) => {
    const workspace = makeWorkspace({ records: text })
    const { ledger } = read(workspace.path('records'))
    ledger.confirm(files.filter(isHashed), hashes)
    // A run that stops, or a dry run, writes nothing.
    expect(workspace.read('records')).toBe(text)
    ledger.open(false)
    ledger.close()
    const description = 'Confirmed by a person after a look-up; not a response of the service'
    const record = { hash, description, status: 'registered', custody: false, signed: false }
    const head = { artifact: 'b', size: 1, hash, service: SERVICE, at: AT }
    const line = { ...head, record, confirmed: true, source }
    expect(workspace.read('records')).toBe(`${text}${JSON.stringify(line)}\n`)
    const outcome = { state: 'registered', from: 'records-file', isConfirmed: true }
    for (const reading of [ledger, read(workspace.path('records')).ledger]) {
      expect(reading.find(hash)).toMatchObject({ ...outcome, maybeChargedAgain })
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
