/**
 * The records file on a disk that fails: full before the run or in the middle of it, not writable, in the way. And in
 * the states in which crashes and merges leave it. What a whole file means is in records.test.ts.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { SeenRequest, Simulator } from '../../simulator/index.ts'
import { onCleanUp } from '../support/clean-up.ts'
import { startAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkEveryRun,
  makeLine,
  makeRecord,
  makeRelease,
  notarize,
  readLines,
  readOutputs,
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
  expect(run.results).toMatchObject({ verdict: 'stopped', records: [], failures: [] })
  expect(run.annotations.error).toEqual([expect.stringMatching(/records-path/)])
  expect(readSummary(run.summary).verdict).toContain('nothing was sent')
  expect(service.requests).toEqual([])
  expect(service.maxConnections).toBe(0)
}

describe('a records file that cannot be written', () => {
  it('stops the run before the login when it is read-only', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const text = toJsonLines([makeLine(service.url, 'a')])
    workspace.write(FILE, text)
    openUp(workspace)
    chmodSync(workspace.path(FILE), 0o444)

    const run = await notarizeUnprivileged(service, workspace)

    expectStopped(run, service)
    expect(run.annotations.error[0]).toMatch(/permission denied|not permitted/)
    expect(workspace.read(FILE)).toBe(text)
  })

  it('is no matter when it is read-only and holds all there is', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a')]))
    openUp(workspace)
    chmodSync(workspace.path(FILE), 0o444)

    const run = await notarizeUnprivileged(service, workspace)

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
    expect(service.requests).toEqual([])
  })

  it('stops the run before the login when it cannot be read', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a')]))
    openUp(workspace)
    chmodSync(workspace.path(FILE), 0o222)

    expectStopped(await notarizeUnprivileged(service, workspace), service)
  })

  it('stops the run before the login when its folder takes no new file', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    openUp(workspace)
    chmodSync(workspace.root, 0o555)

    expectStopped(await notarizeUnprivileged(service, workspace), service)
    chmodSync(workspace.root, 0o777)
  })

  it('is written when it is there, though its folder takes no new file', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, '')
    openUp(workspace)
    chmodSync(workspace.path(FILE), 0o666)
    chmodSync(workspace.root, 0o555)

    const run = await notarizeUnprivileged(service, workspace)
    chmodSync(workspace.root, 0o777)

    expect(run.results.verdict).toBe('registered')
    expect(readLines(run)).toHaveLength(1)
  })

  it.each([
    {
      what: 'a folder is in its place',
      prepare: (workspace: Workspace) => {
        mkdirSync(workspace.path(FILE))
      },
    },
    {
      what: 'a folder with files is in its place',
      prepare: (workspace: Workspace) => {
        workspace.write(`${FILE}/more`, '')
      },
    },
    ...(onLinux
      ? [
          {
            what: 'it is a link to a device that is always full',
            prepare: (workspace: Workspace) => {
              symlinkSync('/dev/full', workspace.path(FILE))
            },
          },
        ]
      : []),
  ])('stops the run before the login when $what', async ({ prepare }) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    prepare(workspace)

    expectStopped(await notarize({ service, workspace }), service)
  })

  it('stops the run before the login when a file is where its folder must be', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write('records', 'a file')

    const inputs = { 'records-path': `records/${FILE}` }
    expectStopped(await notarize({ service, workspace, inputs }), service)
    expect(workspace.read('records')).toBe('a file')
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

/** The JSON lines that the log shows for records that could not be saved. */
function readPrinted(run: ActionRun): string[] {
  return run.lines.filter(line => line.startsWith('{"artifact":'))
}

const lineSchema = z.object({ artifact: z.string(), hash: z.string(), record: z.looseObject({}) })

/** Starts a run whose disk is spoilt when the nth completion arrives; everything else goes on as ever. */
async function runUntilSpoilt(
  nth: number,
  options: Omit<RunOptions, 'inputs'> & { readonly recordsPath?: string },
  spoil: (child: { readonly pid?: number | undefined }) => void,
): Promise<{ run: CheckedRun; service: Simulator }> {
  const { recordsPath = FILE, ...rest } = options
  let child: { readonly pid?: number | undefined } = {}
  const isMoment = ({ endpoint, nthOfEndpoint }: SeenRequest): boolean =>
    endpoint === 'completion' && nthOfEndpoint === nth
  const service = await startService({
    faults: request => {
      if (isMoment(request)) spoil(child)
      return undefined
    },
    latencyMs: 20,
  })
  const started = startAction({
    ...rest,
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
  return { service, run: { ...run, results: readOutputs(run) } }
}

/** What a run must say and keep when its disk failed in the middle. */
function expectNothingLost(run: CheckedRun, service: Simulator): void {
  const saved = readLines(run)
  const printed = readPrinted(run)
  const parsed = printed.map(line => lineSchema.parse(JSON.parse(line)))
  const registered = [...service.registered.keys()].sort()

  // Each answer that was read is in the file or in the log, and all are in the output.
  expect(printed.length).toBeGreaterThanOrEqual(1)
  expect([...saved, ...parsed].map(({ hash }) => hash).sort()).toEqual(registered)
  expect((run.results.records ?? []).map(({ hash }) => hash).sort()).toEqual(registered)
  for (const { hash, record } of parsed) {
    expect(run.results.records?.find(one => one.hash === hash)?.record).toEqual(record)
  }
  // Nothing more was sent than was under way.
  expect(service.requests.filter(({ endpoint }) => endpoint === 'completion')).toHaveLength(
    registered.length,
  )
  expect(registered.length).toBeLessThan(contents.length)
  expect(run.results).toMatchObject({
    verdict: 'partial',
    'registered-count': registered.length,
    'failed-count': contents.length - registered.length,
  })
  for (const failure of run.results.failures) {
    expect(failure).toMatchObject({ code: 'not-saved', registered: 'no' })
  }
  expect(run.exitCode).toBe(1)
  expect(run.annotations.error).toEqual([expect.stringMatching(/could not be saved/)])
  expect(readSummary(run.summary).rows).toHaveLength(contents.length)
  for (const secret of secretsOf(service)) expect(printed.join('\n')).not.toContain(secret)
}

/** Does what the log asks for, and runs again. */
async function mendAndRunAgain(run: CheckedRun, service: Simulator): Promise<CheckedRun> {
  const file = run.results['records-path']
  const workspace = makeWorkspace({ SHA256SUMS: run.workspace.read('SHA256SUMS') })
  workspace.write(FILE, '')
  appendFileSync(workspace.path(FILE), run.workspace.read(file))
  for (const line of readPrinted(run)) appendFileSync(workspace.path(FILE), `${line}\n`)
  return notarize({ service, workspace, inputs: fromChecksums })
}

describe('a full disk', () => {
  const onDisk = canMount ? it : it.skip
  const withLimit = canLimit ? it : it.skip

  onDisk('stops the run before the login', async () => {
    const disk = mountDisk(128) ?? ''
    fillDisk(disk, 0)
    const service = await startService()
    const inputs = { ...fromChecksums, 'records-path': join(disk, FILE) }

    const run = await notarize({ service, workspace: checksums(), inputs })

    expectStopped(run, service)
    expect(run.annotations.error[0]).toContain('no space left')
    expect(readdirSync(disk).filter(name => name.startsWith('.'))).toEqual([])
  })

  onDisk('stops the run before the login when it has room for a few records only', async () => {
    const disk = mountDisk(128) ?? ''
    fillDisk(disk, 8192)
    const service = await startService()
    const inputs = { ...fromChecksums, 'records-path': join(disk, FILE) }

    const run = await notarize({ service, workspace: checksums(), inputs })

    expectStopped(run, service)
  })

  onDisk('in the middle of the run loses no record, and the next run goes on', async () => {
    const disk = mountDisk(256) ?? ''
    const { run, service } = await runUntilSpoilt(
      9,
      { workspace: checksums(), recordsPath: join(disk, FILE) },
      () => {
        fillDisk(disk, 0)
      },
    )

    expectNothingLost(run, service)
    const again = await mendAndRunAgain(run, service)
    expect(again.results).toMatchObject({ verdict: 'registered', 'registered-count': 24 })
    expect([...service.completionCounts.values()]).toEqual(Array<number>(24).fill(1))
  })

  withLimit('with room for a part of a line leaves no part of a line', async () => {
    // Whole lines of another service take the file close to the limit.
    const other = toJsonLines(
      Array.from({ length: 130 }, (_, index) => makeLine('https://other.example', `old ${index}`)),
    )
    const workspace = checksums()
    workspace.write(FILE, other)
    const limit = Buffer.byteLength(other) + 1500

    const { run, service } = await runUntilSpoilt(1, { workspace }, ({ pid }) => {
      const done = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`])
      expect(done.status).toBe(0)
    })

    const added = readLines(run).length - 130
    expect(added).toBeGreaterThanOrEqual(1)
    expect(added).toBeLessThanOrEqual(3)
    expect(workspace.read(FILE).startsWith(other)).toBe(true)
    const printed = readPrinted(run)
    expect(printed.length + added).toBe(service.registered.size)
    expect(printed.length).toBeGreaterThanOrEqual(1)
    for (const failure of run.results.failures) {
      expect(failure).toMatchObject({ code: 'not-saved', registered: 'no' })
    }
    expect(run.exitCode).toBe(1)
    const again = await mendAndRunAgain(run, service)
    expect(again.results).toMatchObject({ verdict: 'registered', 'registered-count': 24 })
    expect([...service.completionCounts.values()]).toEqual(Array<number>(24).fill(1))
  })

  onDisk('makes a record with problems known by the log, too', async () => {
    const disk = mountDisk(256) ?? ''
    const service: Simulator = await startService({
      record: hash => (hash === sha256('wrong') ? { custody: true } : {}),
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
    const [printed = '', ...more] = readPrinted(run)
    expect(more).toEqual([])
    expect(JSON.parse(printed)).toMatchObject({
      hash: sha256('wrong'),
      problems: [expect.stringContaining('custody')],
    })
    expect(run.annotations.error[0]).toContain('could not be saved')
    checkEveryRun(run, secretsOf(service))
  })
})

describe('a records file as crashes and merges leave it', () => {
  const line = (content: string, url: string): string => JSON.stringify(makeLine(url, content))

  it.each([
    { what: 'the zeros of a crash', tail: '\0'.repeat(700) },
    { what: 'the first byte of a line', tail: '{' },
    { what: 'half a letter', tail: Uint8Array.of(0x7b, 0x22, 0xc3) },
    { what: 'a torn line of 1 MB', tail: `{"artifact":"${'x'.repeat(1_000_000)}` },
    { what: 'all of a line but its last byte', tail: null },
  ])('is mended when it ends in $what', async ({ tail }) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const whole = `${line('a', service.url)}\n`
    const torn = tail ?? line('b', service.url).slice(0, -1)
    workspace.write(FILE, Buffer.concat([Buffer.from(whole), Buffer.from(torn)]))

    const run = await notarize({ service, workspace })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
    expect(run.annotations.warning).toEqual([expect.stringMatching(/torn/)])
    expect([...service.registered.keys()]).toEqual([sha256('b')])
    expect(workspace.read(FILE).startsWith(whole)).toBe(true)
    expect(readLines(run).map(({ hash }) => hash)).toEqual([sha256('a'), sha256('b')])
  })

  it.each([
    {
      what: 'two files merged, the first torn',
      make: (url: string) => `${line('a', url)}\n${line('b', url).slice(0, 90)}${line('c', url)}\n`,
      at: 2,
    },
    {
      what: 'two files merged, the first without its last newline',
      make: (url: string) => `${line('a', url)}${line('b', url)}\n`,
      at: 1,
    },
    {
      what: 'zeros in the middle',
      make: (url: string) => `${line('a', url)}\n${'\0'.repeat(100)}\n${line('b', url)}\n`,
      at: 2,
    },
    {
      what: 'a forged line whose record is for another hash',
      make: (url: string) =>
        `${JSON.stringify({ ...makeLine(url, 'a'), record: makeRecord(sha256('b')) })}\n`,
      at: 1,
    },
    {
      what: 'a forged line that hides a wrong status behind its "redacted"',
      make: (url: string) =>
        `${JSON.stringify({
          ...makeLine(url, 'a'),
          record: { ...makeRecord(sha256('a')), status: 'pending' },
          redacted: ['/status'],
        })}\n`,
      at: 1,
    },
    {
      what: 'a forged line for another service that breaks the rules',
      make: (url: string) =>
        `${line('a', url)}\n${JSON.stringify({
          ...makeLine('https://other.example', 'b'),
          record: { ...makeRecord(sha256('b')), signed: true },
        })}\n`,
      at: 2,
    },
  ])('stops the run, byte for byte as it was, when it holds $what', async ({ make, at }) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c' })
    const text = make(service.url)
    workspace.write(FILE, text)

    const run = await notarize({ service, workspace })

    expectStopped(run, service)
    expect(run.annotations.error[0]).toMatch(new RegExp(`line ${at}\\b`))
    expect(run.annotations.error[0]).toContain(FILE)
    expect(workspace.read(FILE)).toBe(text)
  })

  it('counts a hash once, whatever its case and however often and for whom it is there', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c', d: 'd' })
    const { url } = service
    const shouting = makeLine(url, 'a', { hash: sha256('a').toUpperCase() })
    const wrong = makeLine(url, 'c', { problems: ['custody is true, not false'] })
    const text = toJsonLines([
      ...[shouting, makeLine(url, 'a'), makeLine(url, 'a')],
      ...[makeLine('https://other.example', 'b'), makeLine(`${url}/prefix`, 'b')],
      ...[wrong, wrong, makeLine('https://other.example', 'c')],
      ...[makeLine(url, 'd', { problems: ['odd'] }), makeLine(url, 'd')],
    ])
    workspace.write(FILE, text)

    const run = await notarize({ service, workspace })

    // a and d are known, c has problems, and only b is not known here.
    expect([...service.registered.keys()]).toEqual([sha256('b')])
    expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': 3 })
    expect(run.results.failures).toMatchObject([
      { artifact: 'dist/c', code: 'record-mismatch', registered: 'unknown' },
    ])
    expect(run.results.records?.map(({ from }) => from)).toEqual([
      ...['records-file', 'this-run', 'records-file'],
    ])
    expect(workspace.read(FILE).startsWith(text)).toBe(true)
    expect(workspace.read(FILE).slice(text.length).split('\n')).toHaveLength(2)
  })
})
