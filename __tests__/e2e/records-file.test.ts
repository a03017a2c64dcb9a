/**
 * The records file on a disk that fails: full before the run or in the middle of it, not writable, in the way. What
 * stands in the file is in records.test.ts.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { onCleanUp } from '../support/clean-up.ts'
import { readRecordsText } from '../support/record-lines.ts'
import type { RecordLine } from '../support/record-lines.ts'
import { startAction } from '../support/runner.ts'
import type { ActionRun } from '../support/runner.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkEveryRun,
  checkStopped,
  makeLine,
  makeRelease,
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

const contents = Array.from({ length: 24 }, (_, index) => `record me ${index}`)

const checksums = (): Workspace =>
  makeWorkspace({
    SHA256SUMS: contents
      .map((content, index) => `${sha256(content)}  dist/${String(index).padStart(2, '0')}.bin\n`)
      .join(''),
  })

const fromChecksums = { path: '', checksums: 'SHA256SUMS' }

const isRoot = process.getuid?.() === 0
const onLinux = process.platform === 'linux'

// Root may write everywhere, so that the action must run as somebody else to be kept out.
const asNobody = isRoot
  ? ['--import', 'data:text/javascript,process.setgid(65534);process.setuid(65534)']
  : []

/** Lets everybody into the folders of a workspace, as one user makes them and another may run in them. */
function openUp(workspace: Workspace): void {
  for (const folder of [dirname(workspace.root), workspace.root, workspace.temp]) {
    chmodSync(folder, 0o777)
  }
}

let openAction: string | undefined

/** A copy of the action that everybody may read. */
function copyAction(): string {
  const folder = makeTemporaryFolder()
  for (const name of ['dist', 'action.yml']) {
    cpSync(resolve(import.meta.dirname, '../..', name), join(folder, name), { recursive: true })
  }
  chmodSync(folder, 0o755)
  return folder
}

/** Runs as somebody for whom file rights count. */
async function notarizeUnprivileged(service: Simulator, workspace: Workspace): Promise<CheckedRun> {
  const mask = process.umask(0)
  try {
    return await notarize({
      service,
      workspace,
      nodeArguments: asNobody,
      actionFolder: (openAction ??= copyAction()),
    })
  } finally {
    process.umask(mask)
  }
}

function expectStopped(run: CheckedRun, service: Simulator): void {
  checkStopped(run, service)
  expect(run.annotations.error).toEqual([expect.stringMatching(/records-path/)])
}

describe('a records file that cannot be written', () => {
  const chmod = (mode: number) => (workspace: Workspace) => {
    chmodSync(workspace.path(FILE), mode)
  }
  const closeFolder = (workspace: Workspace): void => {
    chmodSync(workspace.root, 0o555)
  }

  it.each([
    { what: 'it is read-only', files: { a: 'a', b: 'b' }, isThere: true, spoil: chmod(0o444) },
    { what: 'it cannot be read', files: { a: 'a' }, isThere: true, spoil: chmod(0o222) },
    { what: 'its folder takes no new file', files: { a: 'a' }, isThere: false, spoil: closeFolder },
  ])('stops the run before the login when $what', async ({ files, isThere, spoil }) => {
    const service = await startService()
    const workspace = makeRelease(files)
    const text = toJsonLines([makeLine(service.url, 'a')])
    if (isThere) workspace.write(FILE, text)
    openUp(workspace)
    spoil(workspace)

    const run = await notarizeUnprivileged(service, workspace)
    chmodSync(workspace.root, 0o777)

    expectStopped(run, service)
    expect(run.annotations.error[0]).toMatch(/permission denied|not permitted/)
    if (isThere) {
      chmodSync(workspace.path(FILE), 0o666)
      expect(workspace.read(FILE)).toBe(text)
    }
  })

  it.each([
    { what: 'it is read-only and holds all there is', spoil: chmod(0o444), content: 'a', sent: [] },
    { what: 'only its folder takes no new file', spoil: closeFolder, content: 'b', sent: ['a'] },
  ])('is no matter when $what', async ({ spoil, content, sent }) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, content)]))
    openUp(workspace)
    chmodSync(workspace.path(FILE), 0o666)
    spoil(workspace)

    const run = await notarizeUnprivileged(service, workspace)
    chmodSync(workspace.root, 0o777)

    expect(run.results.verdict).toBe('registered')
    expect([...service.registered.keys()]).toEqual(sent.map(sha256))
  })

  it.each([
    [
      'a folder with files is in its place',
      (workspace: Workspace) => {
        workspace.write(`${FILE}/more`, '')
      },
    ],
    [
      'a file is where its folder must be',
      (workspace: Workspace) => {
        workspace.write('records', 'a file')
      },
    ],
    [
      'it is a link to a device that is always full',
      (workspace: Workspace) => {
        symlinkSync('/dev/full', workspace.path(FILE))
      },
    ],
  ])('stops the run before the login when %s', async (_, prepare) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    prepare(workspace)
    const isBelow = workspace.exists('records')

    const inputs = { 'records-path': isBelow ? `records/${FILE}` : FILE }
    expectStopped(await notarize({ service, workspace, inputs }), service)
    if (isBelow) expect(workspace.read('records')).toBe('a file')
  })
})

/** Mounts a disk of this size; undefined where that is not allowed. */
function mountDisk(kilobytes: number): string | undefined {
  const folder = makeTemporaryFolder()
  const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]
  if (!onLinux || !isRoot || spawnSync('mount', options).status !== 0) return undefined
  // The folder itself is removed after that.
  onCleanUp(() => spawnSync('umount', [folder]))
  return folder
}

const canMount = mountDisk(64) !== undefined
const canLimit = onLinux && spawnSync('prlimit', ['--version']).status === 0

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
function readPrinted(run: ActionRun): string[] {
  return run.lines.filter(line => line.startsWith('{"artifact":'))
}

/** The records among them, each by the letter of the contract. */
function readPrintedRecords(run: ActionRun): readonly RecordLine[] {
  return readRecordsText(
    readPrinted(run)
      .map(line => `${line}\n`)
      .join(''),
  ).records
}

/** Runs until the nth completion arrives, at which the disk is spoilt; everything else goes on as ever. */
async function runUntilSpoilt(
  nth: number,
  {
    recordsPath = FILE,
    workspace,
  }: { readonly recordsPath?: string; readonly workspace: Workspace },
  spoil: (child: { readonly pid?: number | undefined }) => void,
): Promise<{ run: CheckedRun; service: Simulator }> {
  let child: { readonly pid?: number | undefined } = {}
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) => {
      if (endpoint === 'completion' && nthOfEndpoint === nth) spoil(child)
      return undefined
    },
    latencyMs: 20,
  })
  const started = startAction({
    workspace,
    inputs: {
      'api-key': API_KEY,
      'base-url': service.url,
      subscription: subscriptionText,
      'records-path': recordsPath,
      ...fromChecksums,
    },
  })
  child = started.child
  const run = await started.finished
  checkEveryRun(run, secretsOf(service))
  return { service, run: { ...run, results: readOutputs(run) } }
}

/** What a run must say and keep when its disk failed in the middle, and that the next run goes on from there. */
async function expectNothingLost(run: CheckedRun, service: Simulator): Promise<void> {
  const saved = readLines(run).filter(line => line.service === service.url)
  const printed = readPrintedRecords(run)
  const registered = [...service.registered.keys()].sort()

  // Each answer that was read is in the file or in the log, and all are in the output.
  expect(printed.length).toBeGreaterThanOrEqual(1)
  expect([...saved, ...printed].map(({ hash }) => hash).sort()).toEqual(registered)
  expect((run.results.records ?? []).map(({ hash }) => hash).sort()).toEqual(registered)
  for (const { hash, record } of printed) {
    expect(run.results.records?.find(one => one.hash === hash)?.record).toEqual(record)
  }
  // Nothing more was sent than was under way, and each hash that was sent had its line before.
  const sent = service.requests.flatMap(({ hash }) => hash ?? [])
  expect(sent.sort()).toEqual(registered)
  const asked = new Set(readStateLines(run).map(({ hash }) => hash))
  expect(registered.filter(hash => !asked.has(hash))).toEqual([])
  expect(registered.length).toBeLessThan(contents.length)
  expect(run.results).toMatchObject({
    verdict: 'partial',
    'registered-count': registered.length,
    'failed-count': contents.length - registered.length,
  })
  for (const failure of run.results.failures) {
    expect(failure).toMatchObject({ code: 'not-saved', registered: 'no' })
  }
  expect(run.annotations.error).toEqual([expect.stringMatching(/could not be saved/)])
  expect(readSummary(run.summary).verdict).toContain('a record is not saved in the records file')
  for (const secret of secretsOf(service)) expect(readPrinted(run).join()).not.toContain(secret)

  // Does what the log asks for, on another machine.
  const workspace = makeWorkspace({ SHA256SUMS: run.workspace.read('SHA256SUMS') })
  const lines = readPrinted(run).map(line => `${line}\n`)
  workspace.write(FILE, run.workspace.read(run.results['records-path']) + lines.join(''))
  const again = await notarize({ service, workspace, inputs: fromChecksums })
  expect(again.results).toMatchObject({ verdict: 'registered', 'registered-count': 24 })
  expect([...service.completionCounts.values()]).toEqual(Array<number>(24).fill(1))
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
    const inputs = { ...fromChecksums, 'records-path': join(disk, FILE) }

    const run = await notarize({ service, workspace: checksums(), inputs })

    expectStopped(run, service)
    expect(run.annotations.error[0]).toContain('no space left')
    expect(readdirSync(disk).filter(name => name.startsWith('.'))).toEqual([])
  })

  onDisk('in the middle of the run loses no record, and the next run goes on', async () => {
    const disk = mountDisk(256) ?? ''
    const options = { workspace: checksums(), recordsPath: join(disk, FILE) }
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
    const workspace = checksums()
    workspace.write(FILE, other)

    const { run, service } = await runUntilSpoilt(1, { workspace }, ({ pid }) => {
      // What stands there, and a round of records with what is sent next; the round after that does not fit.
      const limit = statSync(workspace.path(FILE)).size + 7000
      const done = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`])
      expect(done.status).toBe(0)
    })

    expect(workspace.read(FILE).startsWith(other)).toBe(true)
    expect(readLines(run).length).toBeGreaterThan(130)
    await expectNothingLost(run, service)
  })

  onDisk('makes a record with problems known by the log, too', async () => {
    const disk = mountDisk(256) ?? ''
    const service = await startService({
      // Longer than what is left of the page of the file.
      record: hash => (hash === sha256('wrong') ? { custody: true, holder: 'x'.repeat(5000) } : {}),
      faults: ({ endpoint }) => {
        if (endpoint === 'completion') fillDisk(disk, 0)
        return undefined
      },
    })

    const run = await notarize({
      service,
      workspace: makeRelease({ 'a-wrong': 'wrong', 'b-right': 'right' }),
      inputs: { 'records-path': join(disk, FILE), concurrency: '1' },
    })

    expect(run.results.failures).toMatchObject([
      { artifact: 'dist/a-wrong', code: 'record-mismatch', registered: 'unknown' },
      { artifact: 'dist/b-right', code: 'not-saved', registered: 'no' },
    ])
    expect(readPrintedRecords(run)).toMatchObject([
      { hash: sha256('wrong'), problems: [expect.stringContaining('custody')] },
    ])
    expect(run.annotations.error[0]).toContain('could not be saved')
  })
})
