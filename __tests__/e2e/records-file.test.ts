/**
 * The records file on a disk that fails: full before the run or in the middle of it. What stands in the file is in
 * records.test.ts, a file that cannot be opened for want of rights in the tests of `records/`.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { onCleanUp } from '../support/clean-up.ts'
import { readRecordsText } from '../support/record-lines.ts'
import { startAction } from '../support/runner.ts'
import type { ActionRun } from '../support/runner.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkEveryRun,
  checkStopped,
  makeLine,
  notarize,
  readLines,
  readOutputs,
  readStateLines,
  readSummary,
  secretsOf,
  sha256,
  startService,
  subscriptionText,
  toJsonLines,
} from './support.ts'
import type { CheckedRun } from './support.ts'

const FILE = 'notarization-records.jsonl'
const COUNT = 24

const makeSums = (): Workspace => {
  const names = Array.from({ length: COUNT }, (_, index) => `dist/${index}.bin`)
  return makeWorkspace({ SUMS: names.map(name => `${sha256(name)}  ${name}\n`).join('') })
}

const fromSums = { path: '', checksums: 'SUMS' }

/** Mounts a disk of this size; undefined where that is not allowed. */
function mountDisk(kilobytes: number): string | undefined {
  const folder = makeTemporaryFolder()
  const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]
  const isMounted = process.platform === 'linux' && spawnSync('mount', options).status === 0
  if (!isMounted) return undefined
  // The folder itself is removed after that.
  onCleanUp(() => spawnSync('umount', [folder]))
  return folder
}

const canMount = mountDisk(64) !== undefined
const canLimit = spawnSync('prlimit', ['--version']).status === 0

/** Fills what is left of a disk but for so many bytes. */
function fillDisk(folder: string, leaveBytes: number): void {
  const room = join(folder, 'room')
  writeFileSync(room, Buffer.alloc(leaveBytes))
  const block = Buffer.alloc(4096)
  try {
    for (;;) appendFileSync(join(folder, 'filler'), block)
  } catch {
    rmSync(room)
  }
}

/** The JSON lines that the log shows, as they could not be saved. */
const readPrinted = (run: ActionRun): string =>
  run.lines.flatMap(line => (line.startsWith('{"artifact":') ? [`${line}\n`] : [])).join('')

/** Runs until the nth completion arrives, at which the disk is spoilt; everything else goes on as ever. */
async function runUntilSpoilt(
  nth: number,
  {
    workspace,
    recordsPath = FILE,
  }: { readonly workspace: Workspace; readonly recordsPath?: string },
  spoil: (pid: number | undefined) => void,
): Promise<{ run: CheckedRun; service: Simulator }> {
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) => {
      if (endpoint === 'completion' && nthOfEndpoint === nth) spoil(child.pid)
      return undefined
    },
    latencyMs: 20,
  })
  const inputs = { 'api-key': API_KEY, 'base-url': service.url, subscription: subscriptionText }
  const { child, finished } = startAction({
    workspace,
    inputs: { ...inputs, ...fromSums, 'records-path': recordsPath },
  })
  const run = await finished
  checkEveryRun(run, secretsOf(service))
  return { service, run: { ...run, results: readOutputs(run) } }
}

/** What a run must say and keep when its disk failed in the middle, and that the next run goes on from there. */
async function expectNothingLost(run: CheckedRun, service: Simulator): Promise<void> {
  const saved = readLines(run).filter(line => line.service === service.url)
  const printed = readRecordsText(readPrinted(run)).records
  const registered = [...service.registered.keys()].sort()
  const records = run.results.records ?? []

  // Each answer that was read is in the file or in the log, and all are in the output.
  expect(printed.length).toBeGreaterThanOrEqual(1)
  expect([...saved, ...printed].map(({ hash }) => hash).sort()).toEqual(registered)
  expect(records.map(({ hash }) => hash).sort()).toEqual(registered)
  for (const { hash, record } of printed)
    expect(records.find(one => one.hash === hash)?.record).toEqual(record)
  // Nothing more was sent than was under way, and each hash that was sent had its line before.
  expect(service.requests.flatMap(({ hash }) => hash ?? []).sort()).toEqual(registered)
  const asked = readStateLines(run).map(({ hash }) => hash)
  expect(asked).toEqual(expect.arrayContaining(registered))
  expect(registered.length).toBeLessThan(COUNT)
  expect(run.results).toMatchObject({
    ...{ verdict: 'partial', 'registered-count': registered.length },
    'failed-count': COUNT - registered.length,
  })
  for (const failure of run.results.failures)
    expect(failure).toMatchObject({ code: 'not-saved', registered: 'no' })
  expect(run.annotations.error).toEqual([expect.stringMatching(/could not be saved/)])
  expect(readSummary(run.summary).verdict).toContain('a record is not saved in the records file')
  for (const secret of secretsOf(service)) expect(readPrinted(run)).not.toContain(secret)

  // Does what the log asks for, on another machine.
  const workspace = makeSums()
  workspace.write(FILE, run.workspace.read(run.results['records-path']) + readPrinted(run))
  const again = await notarize({ service, workspace, inputs: fromSums })
  expect(again.results).toMatchObject({ verdict: 'registered', 'registered-count': COUNT })
  expect([...service.completionCounts.values()]).toEqual(Array<number>(COUNT).fill(1))
}

describe('a full disk', () => {
  const onDisk = canMount ? it : it.skip
  const withLimit = canLimit ? it : it.skip

  onDisk.each([
    ['has no room', 0],
    ['has room for a few records only', 8192],
  ])('that %s stops the run before the login', async (_, leaveBytes) => {
    const disk = mountDisk(128) ?? ''
    fillDisk(disk, leaveBytes)
    const service = await startService()
    const inputs = { ...fromSums, 'records-path': join(disk, FILE) }
    const run = await notarize({ service, workspace: makeSums(), inputs })

    checkStopped(run, service)
    expect(run.annotations.error[0]).toContain('no space left')
    expect(readdirSync(disk).filter(name => name.startsWith('.'))).toEqual([])
  })

  onDisk('in the middle of the run loses no record, and the next run goes on', async () => {
    const disk = mountDisk(256) ?? ''
    const options = { workspace: makeSums(), recordsPath: join(disk, FILE) }
    const { run, service } = await runUntilSpoilt(9, options, () => {
      fillDisk(disk, 0)
    })

    await expectNothingLost(run, service)
  })

  withLimit('with room for a part of a line leaves no part of a line', async () => {
    // Lines of another service, to which nothing may happen.
    const other = toJsonLines(
      Array.from({ length: 130 }, (_, index) => makeLine('https://other.example', `old ${index}`)),
    )
    const workspace = makeSums()
    workspace.write(FILE, other)

    const { run, service } = await runUntilSpoilt(1, { workspace }, pid => {
      // What stands there, and a round of records with what is sent next; the round after that does not fit.
      const limit = statSync(workspace.path(FILE)).size + 7000
      const done = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`])
      expect(done.status).toBe(0)
    })

    expect(workspace.read(FILE).startsWith(other)).toBe(true)
    expect(readLines(run).length).toBeGreaterThan(130)
    await expectNothingLost(run, service)
  })
})
