/** What a records file means for a run: known records, merged files, damage, and a file that cannot be read or written. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { onCleanUp } from '../support/clean-up.ts'
import { readRecordsText } from '../support/record-lines.ts'
import { canBeNobody } from '../support/script.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import {
  checkStopped,
  endsOf,
  FILE,
  makeLetters,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  readSummary,
  sha256,
  startService,
  toJsonLines,
  trafficOf,
} from './support.ts'

describe('a later run', () => {
  it('sends nothing that has a record, not even a login, and reports the same records', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b', twin: 'a' })
    const first = await notarize({ service, workspace })
    const before = workspace.read(FILE)
    workspace.write('renamed', 'b')
    const inputs = { path: 'dist\nrenamed', 'api-key': 'key_revoked_meanwhile' }
    const second = await notarize({ service, workspace, inputs })

    expect(trafficOf(service)).toHaveLength(3)
    // A hash is known under any name, and no line is added for a new one.
    expect(workspace.read(FILE)).toBe(before)
    expect(second.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
    const [{ record } = {}] = first.results.records ?? []
    expect(second.results.records?.[0]).toMatchObject({ from: 'records-file', record })
    expect(readSummary(second.summary).verdict).toMatch(/0 newly registered, 4 known before/)
  })
})

describe('the records file', () => {
  it('may end in half a character, which is cut off, also if nothing is left to register', async () => {
    const service = await startService()
    const whole = toJsonLines([makeLine(service.url, 'a')])
    const workspace = makeLetters('a')
    const half = Buffer.from('{"artifact":"漢').subarray(0, -1)
    workspace.write(FILE, Buffer.concat([Buffer.from(whole), half]))
    const run = await notarize({ service, workspace })
    const warning = expect.stringMatching(/last line of ".*records.jsonl" is incomplete.*cut off/)
    expect(run.annotations.warning).toEqual([warning])
    expect(workspace.read(FILE)).toBe(whole)
  })

  it('that has a damaged line stops the run and stays byte for byte, behind a link too', async () => {
    const service = await startService()
    const line = JSON.stringify(makeLine(service.url, 'good'))
    const text = `${line}\n${line.slice(0, 40)}${line}\n${line}\n`
    const workspace = makeLetters('a')
    workspace.write('elsewhere', text)
    symlinkSync('elsewhere', workspace.path(FILE))
    const before = statSync(workspace.path(FILE)).mtimeMs
    const run = await notarize({ service, workspace })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([
      expect.stringMatching(`^input "records-path".*"${FILE}", line 2 .*restore the file`),
    ])
    expect(workspace.read('elsewhere')).toBe(text)
    expect(statSync(workspace.path(FILE)).mtimeMs).toBe(before)
  })
})

const asNobody = canBeNobody() ? describe : describe.skip
asNobody('a user without rights', () => {
  it('gets a failure for a file, and an error for a folder, that cannot be read', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', locked: 'x', 'sub/b': 'b' })
    chmodSync(workspace.path('dist/locked'), 0)
    const run = await notarize({ service, workspace, isNobody: true })
    const ends = { 'dist/a': 'registered', 'dist/locked': 'unreadable/no' }
    expect(endsOf(run)).toEqual({ ...ends, 'dist/sub/b': 'registered' })

    chmodSync(workspace.path('dist/sub'), 0)
    const stopped = await notarize({ workspace, isNobody: true, inputs: { 'dry-run': 'true' } })
    expect(stopped.results.verdict).toBe('stopped')
    expect(stopped.annotations.error.join()).toMatch(/"path".*dist\/sub.*permission/)
    const excluded = { 'dry-run': 'true', path: 'dist\n!dist/sub\n!dist/locked' }
    const dryRun = await notarize({ workspace, isNobody: true, inputs: excluded })
    expect(dryRun.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 1 })
    chmodSync(workspace.path('dist/sub'), 0o755)
  })
})

/** Mounts a small disk; null where that is not allowed. */
function mountDisk(): string | null {
  const folder = makeTemporaryFolder()
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  if (status !== 0) return null
  // The folder itself is removed after that.
  onCleanUp(() => spawnSync('umount', [folder]))
  return folder
}

/** Fills what is left of a disk. */
function fillDisk(folder: string): void {
  try {
    for (;;) appendFileSync(join(folder, 'filler'), Buffer.alloc(512))
  } catch {
    // It is full.
  }
}

const disk = process.platform === 'linux' ? mountDisk() : null
const onDisk = disk === null ? it.skip : it
onDisk(
  'a full disk in the middle of the run loses no record, and the next run goes on',
  async () => {
    const names = Array.from({ length: 24 }, (_, index) => `${index}`)
    const SUMS = names.map(name => `${sha256(name)}  ${name}\n`).join('')
    const workspace = makeWorkspace({ SUMS })
    const fromSums = { path: '', checksums: 'SUMS' }
    const recordsPath = join(disk ?? '', FILE)
    const service = await startService({
      latencyMs: 20,
      faults: ({ endpoint, nthOfEndpoint }) => {
        if (endpoint === 'completion' && nthOfEndpoint === 9) fillDisk(disk ?? '')
        return undefined
      },
    })
    const inputs = { ...fromSums, 'records-path': recordsPath }
    const run = await notarize({ service, workspace, inputs, mustFail: true })

    // Each answer that was read is in the file or in the log, and all are in the output.
    const printed = run.lines
      .filter(line => line.startsWith('{"artifact":'))
      .map(line => `${line}\n`)
    const records = [...readLines(run), ...readRecordsText(printed.join('')).records]
    const registered = [...service.registered.keys()].sort()
    expect(records.map(({ hash }) => hash).sort()).toEqual(registered)
    expect(run.results.records?.map(({ hash }) => hash).sort()).toEqual(registered)
    expect(new Set(Object.values(endsOf(run)))).toEqual(new Set(['registered', 'not-saved/no']))
    expect(run.annotations.error).toEqual([expect.stringMatching(/a record is not saved/)])
    expect(readSummary(run.summary).verdict).toContain('a record is not saved')

    // What the log asks for, on another machine.
    workspace.write(FILE, readFileSync(recordsPath, 'utf8') + printed.join(''))
    const again = await notarize({ service, workspace, inputs: fromSums })
    expect(again.results).toMatchObject({ verdict: 'registered', 'registered-count': 24 })
    expect(new Set(service.completionCounts.values())).toEqual(new Set([1]))
  },
)
