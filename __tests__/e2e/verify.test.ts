/**
 * The verify action, end to end: the committed bundle holds artifacts against records that real runs of the main action
 * wrote. Each run without a release is made where any use of the network would be told on stderr.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Simulator } from '../../simulator/index.ts'
import type {
  AssetSeed,
  FakeGitHub,
  GitHubFault,
  GitHubOptions,
  ReleaseSeed,
  Route,
} from '../support/github.ts'
import { runAction, startAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import { RECORDS, startRelease, TAG } from './release-support.ts'
import {
  makeLine,
  makeRecord,
  makeRelease,
  notarize,
  readSummary,
  sha256,
  startService,
  toJsonLines,
} from './support.ts'

const repository = resolve(import.meta.dirname, '../..')
/** Names, FIFOs and signals as POSIX has them. */
const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

/** Tells of every connection, datagram and name look-up on stderr, before it is made. */
const tripwire = `data:text/javascript,${encodeURIComponent(`
  import dgram from 'node:dgram'
  import dns from 'node:dns'
  import net from 'node:net'
  const watch = (object, name) => {
    const real = object[name]
    object[name] = function (...given) {
      process.stderr.write('network: ' + name + '\\n')
      return real.apply(this, given)
    }
  }
  watch(net.Socket.prototype, 'connect')
  watch(dgram.Socket.prototype, 'send')
  watch(dns, 'lookup')
`)}`

const json = z.string().transform((text): unknown => JSON.parse(text))
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z
  .string()
  .regex(/^(0|[1-9]\d*)$/)
  .transform(Number)
const state = z.enum(['matched', 'altered', 'unknown', 'missing'])

const resultsSchema = z.array(
  z.strictObject({
    artifact: z.string().min(1),
    size: z.int().min(0).nullable(),
    hash: hash.nullable(),
    state,
    recorded: z
      .strictObject({
        artifact: z.string().min(1),
        hash,
        service: z.string().min(1),
        sha: z.string().nullable(),
        record: z.record(z.string(), z.unknown()),
      })
      .nullable(),
    message: z.string(),
  }),
)

const outputsSchema = z.strictObject({
  verdict: z.enum(['matched', 'altered', 'unknown', 'missing', 'stopped']),
  results: z.union([z.literal('').transform(() => null), json.pipe(resultsSchema)]),
  'matched-count': count,
  'altered-count': count,
  'unknown-count': count,
  'missing-count': count,
})

type Outputs = z.infer<typeof outputsSchema>

/** A run that passed what holds for every one, with its outputs read. */
type VerifyRun = ActionRun & { readonly outcome: Outputs }

interface Scenario extends RunOptions {
  readonly workspace: Workspace
  /** The run was cancelled: it fails whatever it found. */
  readonly isCancelled?: boolean
}

/** The options of a run of the verify action, with `path: dist` unless an input says otherwise. */
function optionsOf({ inputs = {}, ...options }: Scenario): RunOptions {
  return {
    actionFile: 'verify/action.yml',
    nodeArguments: ['--import', tripwire],
    ...options,
    inputs: { path: 'dist', ...inputs },
  }
}

/** Runs the verify action and applies what holds for every run. */
async function verify(scenario: Scenario): Promise<VerifyRun> {
  const before = filesOf(scenario.workspace)
  const run = await runAction(optionsOf(scenario))
  // Nothing is written but to the files of the runner, and a records file least of all.
  expect(filesOf(scenario.workspace)).toEqual(before)
  return checkRun(run, scenario)
}

function checkRun(run: ActionRun, { inputs = {}, isCancelled = false }: Scenario): VerifyRun {
  expect(run).toMatchObject({ timedOut: false, signal: null, stderr: '' })
  expect({ env: run.env, path: run.path, state: run.state }).toEqual({
    env: '',
    path: '',
    state: '',
  })
  const outcome = outputsSchema.parse(run.outputs)
  const requiresAll = inputs['require-all'] === 'true'
  checkLog(run)
  checkCounts(outcome, requiresAll)
  checkEnding(run, outcome, { requiresAll, isCancelled })
  checkSummary(run, outcome, requiresAll)
  // The platform hands on all of them.
  const full = Object.entries(run.outputs).filter(([, value]) => value !== '')
  expect(run.jobOutputs).toEqual(Object.fromEntries(full))
  return { ...run, outcome }
}

function checkLog(run: ActionRun): void {
  for (const text of [run.stdout, run.summary, ...Object.values(run.outputs)]) {
    expect(text).not.toMatch(
      /^\s+at |\bat [^\n]*\.[cm]?[jt]s:\d|node:internal|index\.js:\d|\[object /m,
    )
  }
  expect(run.stdout).not.toMatch(/[^\P{Cc}\n]/u)
  const commands = new Set(run.commands.map(({ command }) => command))
  expect(['add-mask', 'error', 'warning']).toEqual(expect.arrayContaining([...commands]))
  const { error, warning, notice } = run.annotations
  for (const messages of [error, warning, notice]) {
    expect(messages.length).toBeLessThanOrEqual(10)
    for (const message of messages) {
      expect(message).toMatch(/\S/)
      expect(message.length).toBeLessThanOrEqual(4096)
    }
  }
  expect(run.lines.length).toBeLessThan(130)
}

function checkCounts({ results, ...outcome }: Outputs, requiresAll: boolean): void {
  if (results === null) return
  const countOf = (wanted: string): number => results.filter(one => one.state === wanted).length
  expect(outcome).toMatchObject({
    'matched-count': countOf('matched'),
    'altered-count': countOf('altered'),
    'unknown-count': countOf('unknown'),
  })
  expect(countOf('missing')).toBe(requiresAll ? outcome['missing-count'] : 0)
  const artifacts = results.filter(one => one.state !== 'missing')
  const missing = results.filter(one => one.state === 'missing')
  expect(results).toEqual([...artifacts, ...missing])
  for (const part of [artifacts, missing]) {
    const names = part.map(({ artifact }) => artifact)
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
  }
  for (const one of results) {
    expect(one.message === '').toBe(one.state === 'matched')
    expect(one.recorded === null).toBe(one.state === 'unknown')
    if (one.recorded !== null) {
      expect(one.recorded.hash === one.hash).toBe(one.state !== 'altered')
      expect(String(one.recorded.record['hash']).toLowerCase()).toBe(one.recorded.hash)
    }
  }
}

function checkEnding(
  run: ActionRun,
  outcome: Outputs,
  { requiresAll, isCancelled }: Readonly<Record<'requiresAll' | 'isCancelled', boolean>>,
): void {
  const { verdict, results, ...counts } = outcome
  const bad = (['altered', 'unknown', 'missing'] as const).filter(
    name => counts[`${name}-count`] > 0 && (name !== 'missing' || requiresAll),
  )
  if (verdict === 'stopped') {
    expect(results).toEqual([])
    expect(Object.values(counts)).toEqual([0, 0, 0, 0])
    expect(run.annotations.error.length).toBeGreaterThanOrEqual(1)
  } else {
    expect(verdict).toBe(bad[0] ?? 'matched')
    expect(counts['matched-count'] + bad.length).toBeGreaterThan(0)
    const errors = (bad.length > 0 ? 1 : 0) + (isCancelled ? 1 : 0)
    expect(run.annotations.error).toHaveLength(errors)
  }
  const isGreen = verdict === 'matched' && !isCancelled
  expect(run.exitCode).toBe(isGreen ? 0 : 1)
  // So that the reason is found where the reader of a red step looks first.
  if (!isGreen) expect(run.commands.at(-1)?.command).toBe('error')
}

const ourTags =
  /<\/?(table|tr|td|th|code)>|<th align="left">|<td colspan="2">|<wbr>|<br>|<code title="[^"<>]*">/g

function checkSummary(run: ActionRun, outcome: Outputs, requiresAll: boolean): void {
  expect(run.summaryBytes).toBeLessThan(1024 * 1024)
  if (run.summary === '') return
  const { verdict, rows } = readSummary(run.summary)
  expect(run.summary.replaceAll(ourTags, '')).not.toMatch(/[<>]/)
  expect(run.summary).not.toMatch(/[^\P{Cc}\n]/u)
  expect(verdict).toMatch(
    outcome.verdict === 'matched' ? /^## ✅ VERIFIED: / : /^## ❌ NOT VERIFIED: /,
  )
  if (outcome.verdict === 'stopped') {
    expect(run.summary.trimEnd().split('\n')).toHaveLength(1)
    return
  }
  expect(run.summary).toContain('not who wrote that file')
  const told = (['altered', 'unknown', 'missing', 'matched'] as const).flatMap(name =>
    name === 'missing' && !requiresAll ? [] : [outcome[`${name}-count`]],
  )
  const total = told.reduce((sum, one) => sum + one, 0)
  const isCut = /\d artifacts? more (is|are) not shown/.test(run.summary)
  if (isCut) expect(rows.length).toBeLessThan(total)
  else expect(rows).toHaveLength(total)
}

/** All files of a workspace but those of the runner; long ones by size and time only. */
function filesOf({ root, temp }: Workspace): Readonly<Record<string, string>> {
  const files = [root, temp].flatMap(folder =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile() && !entry.parentPath.includes('_runner_file_commands'))
      .map(entry => join(entry.parentPath, entry.name)),
  )
  return Object.fromEntries(
    files.map(file => {
      const { size, mtimeMs } = statSync(file)
      const content = size > 1_000_000 ? `${size} ${mtimeMs}` : readFileSync(file, 'latin1')
      return [file, content]
    }),
  )
}

/** State of each artifact by name. */
function statesOf({ outcome }: VerifyRun): Readonly<Record<string, string>> {
  return Object.fromEntries((outcome.results ?? []).map(one => [one.artifact, one.state]))
}

/** The one line of the log that tells of an artifact. */
function logLineOf(run: VerifyRun, name: string): string {
  const lines = run.lines.filter(
    line => !line.startsWith('::') && line.includes(`"${name}"`) && !line.includes('VERIFIED'),
  )
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

const one = { 'app.zip': 'app of one', 'lib/core.tgz': 'core', empty: '', 'twin.zip': 'app of one' }
const two = { 'app.zip': 'app of two', 'extra.bin': 'extra' }
const commitOne = job.sha
const commitTwo = 'c0ffee0000000000000000000000000000000002'

/** What runs of the main action for two commits recorded. */
const records = { one: '', two: '', checksums: '' }
let service: Simulator

beforeAll(async () => {
  service = await startService()
  const first = makeRelease(one)
  const run = await notarize({ service, workspace: first })
  records.one = first.read(RECORDS)
  records.checksums = run.files.readChecksums() ?? ''
  const second = makeRelease(two)
  await notarize({ service, workspace: second, env: { GITHUB_SHA: commitTwo } })
  records.two = second.read(RECORDS)
})

/** A workspace with these files below `dist`, and records. */
function makeDeploy(files: Readonly<Record<string, string>>, lines = records.one): Workspace {
  const workspace = makeRelease(files)
  workspace.write(RECORDS, lines)
  return workspace
}

describe('artifacts that are what was registered', () => {
  it('all match, and log, outputs, summary and exit code say so', async () => {
    const run = await verify({ workspace: makeDeploy(one) })

    expect(run.exitCode).toBe(0)
    expect(run.outcome).toMatchObject({
      verdict: 'matched',
      'matched-count': 4,
      'altered-count': 0,
      'unknown-count': 0,
      'missing-count': 0,
    })
    const names = ['dist/app.zip', 'dist/empty', 'dist/lib/core.tgz', 'dist/twin.zip']
    expect(run.outcome.results?.map(({ artifact }) => artifact)).toEqual(names)
    expect(run.outcome.results?.[0]).toEqual({
      artifact: 'dist/app.zip',
      size: 10,
      hash: sha256('app of one'),
      state: 'matched',
      recorded: {
        artifact: 'dist/app.zip',
        hash: sha256('app of one'),
        service: service.url,
        sha: commitOne,
        record: service.registered.get(sha256('app of one')),
      },
      message: '',
    })
    const { verdict, titles, rows } = readSummary(run.summary)
    expect(verdict).toBe('## ✅ VERIFIED: 4 of 4 artifacts match their notarization records')
    expect(titles).toEqual([
      ...['State', 'Artifact', 'Size', 'SHA-256', 'Registered at (UTC)', 'Blockchain'],
    ])
    const { creationDate } = z
      .looseObject({ creationDate: z.number() })
      .parse(service.registered.get(sha256('core')))
    expect(rows[2]).toEqual([
      ...['✅ matched', 'dist/lib/core.tgz', '4 B', sha256('core')],
      ...[new Date(creationDate).toISOString().slice(0, 19).replace('T', ' '), 'ALGORAND'],
    ])
    expect(logLineOf(run, 'dist/empty')).toBe(`matched: "dist/empty" (0 B, ${sha256('')})`)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  it('match on another machine, from elsewhere and under other names', async () => {
    const workspace = makeWorkspace({ 'downloads/renamed.zip': 'app of one' })
    const elsewhere = makeWorkspace({ 'kept/all.jsonl': records.one, 'core of old': 'core' })
    const run = await verify({
      workspace,
      inputs: {
        path: `downloads\n${elsewhere.path('core of old')}`,
        records: elsewhere.path('kept/all.jsonl'),
      },
    })

    expect(statesOf(run)).toEqual({
      'downloads/renamed.zip': 'matched',
      [elsewhere.path('core of old').replaceAll('\\', '/')]: 'matched',
    })
    expect(run.outcome.results?.find(({ artifact }) => artifact.startsWith('down'))).toMatchObject({
      recorded: { artifact: 'dist/app.zip' },
    })
  })

  it('may be hidden files, where a pattern names those', async () => {
    const workspace = makeDeploy({ ...one, '.env': 'hidden', '.well/known': 'hidden' })
    const without = await verify({ workspace })
    const withHidden = await verify({ workspace, inputs: { path: 'dist\ndist/**/.*' } })

    expect(without.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 4 })
    expect(withHidden.outcome).toMatchObject({ verdict: 'unknown', 'unknown-count': 2 })
  })

  it('match without any variable of the platform but the files of the step', async () => {
    const workspace = makeDeploy({ 'app.zip': 'app of one' })
    const gone = ['REPOSITORY', 'SHA', 'REF', 'RUN_ID', 'SERVER_URL', 'API_URL', 'EVENT_PATH']
    const env = Object.fromEntries(gone.map(name => [`GITHUB_${name}`, undefined]))

    expect((await verify({ workspace, env })).exitCode).toBe(0)
  })

  it('match when threads hash them', async () => {
    const workspace = makeWorkspace()
    mkdirSync(workspace.path('dist'))
    const sizes = { 'a.img': 40 * 1024 * 1024, 'b.img': 40 * 1024 * 1024 + 1 }
    const lines = Object.entries(sizes).map(([name, size]) => {
      writeFileSync(workspace.path('dist', name), '')
      truncateSync(workspace.path('dist', name), size)
      const zeros = createHash('sha256').update(Buffer.alloc(size)).digest('hex')
      return makeLine(service.url, name, { hash: zeros, record: makeRecord(zeros) })
    })
    workspace.write(RECORDS, toJsonLines(lines))
    const run = await verify({ workspace })

    expect(statesOf(run)).toEqual({ 'dist/a.img': 'matched', 'dist/b.img': 'matched' })
  })

  it('match records in capitals, and of whatever service', async () => {
    const upper = sha256('app of one').toUpperCase()
    const lines = [
      makeLine('https://other.example', 'x', { hash: upper, record: makeRecord(upper) }),
      makeLine('https://third.example/prefix', 'core'),
    ]
    const workspace = makeDeploy({ 'app.zip': 'app of one', c: 'core' }, toJsonLines(lines))
    const run = await verify({ workspace })

    expect(run.outcome.results?.map(({ recorded }) => recorded?.service)).toEqual([
      'https://other.example',
      'https://third.example/prefix',
    ])
  })
})

describe('artifacts that are not', () => {
  it('are altered under a known name: both hashes are told, and when it was registered', async () => {
    const run = await verify({ workspace: makeDeploy({ ...one, 'lib/core.tgz': 'evil' }) })

    expect(run.outcome).toMatchObject({
      verdict: 'altered',
      'matched-count': 3,
      'altered-count': 1,
      'missing-count': 1,
    })
    const altered = run.outcome.results?.find(({ state: is }) => is === 'altered')
    expect(altered).toMatchObject({
      artifact: 'dist/lib/core.tgz',
      hash: sha256('evil'),
      recorded: { artifact: 'dist/lib/core.tgz', hash: sha256('core') },
    })
    const [firstRow = []] = readSummary(run.summary).rows
    const year = String(new Date().getUTCFullYear())
    for (const told of [
      logLineOf(run, 'dist/lib/core.tgz'),
      firstRow.join(' '),
      JSON.stringify(altered),
    ]) {
      expect(told).toContain(sha256('evil'))
      expect(told).toContain(sha256('core'))
      expect(told).toMatch(
        new RegExp(`registered at ${year}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC`),
      )
    }
    expect(readSummary(run.summary).verdict).toBe(
      '## ❌ NOT VERIFIED: 3 of 4 artifacts match; 1 altered, 0 unknown',
    )
    const [error = ''] = run.annotations.error
    expect(error).toMatch(/^NOT VERIFIED: 3 of 4 .*"dist\/lib\/core\.tgz": altered: /)
    expect(error).toContain(sha256('core'))
  })

  it('are altered by their base name, in whatever folder', async () => {
    const workspace = makeDeploy({ 'deep/down/app.zip': 'evil', 'app.zip.sig': 'evil' })
    const run = await verify({ workspace })

    expect(statesOf(run)).toEqual({
      'dist/app.zip.sig': 'unknown',
      'dist/deep/down/app.zip': 'altered',
    })
  })

  it('are unknown where neither hash nor name has a record', async () => {
    const run = await verify({
      workspace: makeDeploy({ 'new.zip': 'new', 'app.zip': 'app of one' }),
    })

    expect(run.outcome).toMatchObject({
      verdict: 'unknown',
      'matched-count': 1,
      'unknown-count': 1,
    })
    expect(run.outcome.results?.[1]).toMatchObject({
      artifact: 'dist/new.zip',
      size: 3,
      hash: sha256('new'),
      recorded: null,
    })
    expect(run.annotations.error[0]).toMatch(/^NOT VERIFIED: 1 of 2 .*"dist\/new\.zip": unknown: /)
  })

  it('come first in log and summary, the worst before the others; the outputs stay sorted', async () => {
    const files = { 'a.zip': 'new', 'app.zip': 'evil', empty: '', 'z.zip': 'newer' }
    const run = await verify({ workspace: makeDeploy(files) })

    expect(Object.entries(statesOf(run))).toEqual([
      ['dist/a.zip', 'unknown'],
      ['dist/app.zip', 'altered'],
      ['dist/empty', 'matched'],
      ['dist/z.zip', 'unknown'],
    ])
    const order = ['dist/app.zip', 'dist/a.zip', 'dist/z.zip', 'dist/empty']
    expect(readSummary(run.summary).rows.map(([, name]) => name)).toEqual(order)
    const logged = run.lines.flatMap(
      line => /^(?:altered|unknown|matched): "(.*?)"/.exec(line)?.[1] ?? [],
    )
    expect(logged).toEqual(order)
    expect(run.outcome.verdict).toBe('altered')
  })

  onLinux('are unknown, not altered, where they cannot be read', async () => {
    const workspace = makeDeploy(
      { 'app.zip': 'app of one' },
      records.one + toJsonLines([makeLine(service.url, 'memory', { artifact: 'dist/mem' })]),
    )
    const run = await verify({ workspace, inputs: { path: 'dist\n/proc/self/mem' } })

    expect(run.outcome.results?.[0]).toMatchObject({
      artifact: '/proc/self/mem',
      size: null,
      hash: null,
      state: 'unknown',
      recorded: null,
    })
    expect(run.outcome.results?.[0]?.message).toMatch(/read/)
    expect(readSummary(run.summary).rows[0]?.slice(0, 4)).toEqual([
      ...['❌ unknown', '/proc/self/mem', '–', '–'],
    ])
  })
})

describe('records without an artifact', () => {
  const part = { 'app.zip': 'app of one', empty: '' }

  it('are counted, and are no failure', async () => {
    const run = await verify({ workspace: makeDeploy(part) })

    expect(run.outcome).toMatchObject({ verdict: 'matched', 'missing-count': 1 })
    expect(run.outcome.results).toHaveLength(2)
    expect(run.stdout + run.summary).not.toContain('core.tgz')
  })

  it('fail with require-all, and are told by name, hash and time', async () => {
    const run = await verify({ workspace: makeDeploy(part), inputs: { 'require-all': 'true' } })

    expect(run.exitCode).toBe(1)
    expect(run.outcome).toMatchObject({
      verdict: 'missing',
      'matched-count': 2,
      'missing-count': 1,
    })
    expect(run.outcome.results?.at(-1)).toMatchObject({
      artifact: 'dist/lib/core.tgz',
      size: 4,
      hash: sha256('core'),
      state: 'missing',
      recorded: { artifact: 'dist/lib/core.tgz' },
    })
    const { verdict, rows } = readSummary(run.summary)
    expect(verdict).toMatch(/^## ❌ NOT VERIFIED: 2 of 2 .*1 recorded but missing$/)
    expect(rows[0]?.slice(0, 2)).toEqual(['❌ missing', 'dist/lib/core.tgz'])
    expect(rows[0]?.join(' ')).toMatch(/registered at \d{4}-/)
    expect(run.annotations.error[0]).toMatch(
      /1 recorded but missing.*"dist\/lib\/core\.tgz": missing/,
    )
  })

  it('have one with require-all wherever its content is, under whatever name', async () => {
    const workspace = makeDeploy({ a: 'app of one', b: '', c: 'core' })
    const run = await verify({ workspace, inputs: { 'require-all': 'true' } })

    expect(run.outcome).toMatchObject({ verdict: 'matched', 'missing-count': 0 })
    expect(readSummary(run.summary).verdict).toMatch(
      /^## ✅ VERIFIED: 3 of 3 .*0 recorded but missing$/,
    )
  })

  it('do not hide that an artifact is altered', async () => {
    const workspace = makeDeploy({ ...part, 'app.zip': 'evil' })
    const run = await verify({ workspace, inputs: { 'require-all': 'true' } })

    expect(run.outcome).toMatchObject({
      verdict: 'altered',
      'altered-count': 1,
      'missing-count': 2,
    })
  })
})

describe('the commit of the records', () => {
  it('does not limit what matches', async () => {
    const workspace = makeDeploy({ ...one, 'extra.bin': 'extra' }, records.one + records.two)
    const run = await verify({ workspace, inputs: { sha: commitTwo } })

    expect(run.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 5 })
    expect(run.outcome.results?.map(({ recorded }) => recorded?.sha)).toEqual([
      ...[commitOne, commitOne, commitTwo, commitOne, commitOne],
    ])
  })

  it.each([
    [commitOne.toUpperCase(), 'altered', sha256('app of one')],
    ['d'.repeat(40), 'unknown', undefined],
  ])('%s limits what is altered: %s', async (sha, verdict, recordedHash) => {
    const workspace = makeDeploy({ 'app.zip': 'evil' }, records.one + records.two)
    const run = await verify({ workspace, inputs: { sha } })

    expect(run.outcome.verdict).toBe(verdict)
    expect(run.outcome.results?.[0]?.recorded?.hash).toBe(recordedHash)
  })

  it.each([
    ['', 3, 'missing'],
    [commitTwo, 0, 'matched'],
  ])('%j limits what is missing to %d', async (sha, missing, verdict) => {
    const workspace = makeDeploy(two, records.one + records.two)
    const run = await verify({ workspace, inputs: { sha, 'require-all': 'true' } })

    expect(run.outcome).toMatchObject({ verdict, 'missing-count': missing })
  })
})

describe('the records files', () => {
  it('are found by patterns, each file once, without those that are excluded', async () => {
    const workspace = makeRelease({ ...one, 'extra.bin': 'extra' })
    workspace.write('records/one.jsonl', records.one)
    workspace.write('records/two.jsonl', records.two)
    workspace.write('records/old.jsonl', 'not for us')
    const run = await verify({
      workspace,
      inputs: { records: 'records/*.jsonl\nrecords/one.*\n!**/old.jsonl', 'require-all': 'true' },
    })

    expect(run.outcome).toMatchObject({ 'matched-count': 5, 'missing-count': 1 })
  })

  it('are joined by concatenation, lines that stand twice included', async () => {
    const files = { 'lib/core.tgz': 'core', empty: '', ...two }
    const workspace = makeDeploy(files, records.one + records.two + records.one)
    const run = await verify({ workspace, inputs: { 'require-all': 'true' } })

    // The content of app.zip of one is here no more, and its two lines are one record.
    expect(run.outcome).toMatchObject({
      ...{ verdict: 'missing', 'matched-count': 4, 'missing-count': 1 },
    })
  })

  it('are never artifacts, by whatever way they are found', async () => {
    const workspace = makeDeploy(one)
    workspace.write('records/two.jsonl', records.two)
    symlinkSync(workspace.path('records/two.jsonl'), workspace.path('dist/link.jsonl'))
    symlinkSync(workspace.path('records'), workspace.path('linked'))
    const inputs = { path: '.', records: `${RECORDS}\nlinked` }
    const run = await verify({ workspace, inputs })

    expect(run.outcome).toMatchObject({ verdict: 'matched', 'unknown-count': 0 })
    expect(Object.keys(statesOf(run)).filter(name => name.endsWith('.jsonl'))).toEqual([])
  })

  it('must each be there: a pattern that matches nothing stops the run', async () => {
    const workspace = makeDeploy(one)
    const run = await verify({ workspace, inputs: { records: `${RECORDS}\nrecords/*.jsonl` } })

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error).toHaveLength(1)
    expect(run.annotations.error[0]).toMatch(/^input "records".*"records\/\*\.jsonl" matches no/)
  })

  it.each(['# none', '!notarization-records.jsonl'])(
    'must be named: %j is an error of the input, not a verdict on the artifacts',
    async text => {
      const run = await verify({ workspace: makeDeploy(one), inputs: { records: text } })

      expect(run.outcome.verdict).toBe('stopped')
      expect(run.annotations.error[0]).toMatch(/^input "records"/)
    },
  )

  it('with a torn end are read up to it, with a warning; its artifact is unknown', async () => {
    const [first = '', second = '', ...rest] = records.one.split(/(?<=\n)/)
    const cut = Math.floor(second.length / 2)
    const workspace = makeDeploy(one, [...rest, first, second.slice(0, cut)].join(''))
    const run = await verify({ workspace })

    expect(run.outcome.verdict).toBe('unknown')
    expect(run.outcome['unknown-count'] + run.outcome['matched-count']).toBe(4)
    expect(run.annotations.warning).toHaveLength(1)
    expect(run.annotations.warning[0]).toMatch(/notarization-records\.jsonl.*torn/)
  })

  it('without the last newline are whole', async () => {
    const workspace = makeDeploy(one, records.one.trimEnd())
    const run = await verify({ workspace, inputs: { 'require-all': 'true' } })

    expect(run.outcome.verdict).toBe('matched')
    expect(run.annotations.warning).toEqual([])
  })

  const forged = (changes: Readonly<Record<string, unknown>>): string =>
    toJsonLines([
      makeLine('https://notary.example', 'forged', {
        record: { ...makeRecord(sha256('forged')), ...changes },
      }),
    ])

  const damages: Readonly<Record<string, string | Buffer>> = {
    'no JSON': 'garbage\n',
    'a torn line inside': '{"artifact":"dist/app.zip","si\n',
    'an empty line': '\n',
    'a value of another kind': '[]\n',
    'another object': '{"hash":"x"}\n',
    'no UTF-8': Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
    'of another hash': forged({ hash: sha256('other') }),
    'not registered': forged({ status: 'pending' }),
    signed: forged({ signed: true }),
    'in custody': forged({ custody: true }),
    'without a payment': forged({ paymentId: undefined }),
    'a field of the wrong type': forged({ creationDate: 'yesterday' }),
    'without problems': toJsonLines([{ ...makeLine('x', 'y'), problems: undefined }]),
    'problems that are no text': toJsonLines([{ ...makeLine('x', 'y'), problems: [1] }]),
  }

  it('that are damaged stop the run, and each is told by file and line', async () => {
    const workspace = makeRelease(one)
    for (const [name, line] of Object.entries(damages)) {
      const parts = [records.one, line, records.two].map(part => Buffer.from(part))
      workspace.write(`records/${name}.jsonl`, Buffer.concat(parts))
    }
    const run = await verify({ workspace, inputs: { records: 'records' } })

    expect(run.outcome.verdict).toBe('stopped')
    const [error = '', ...more] = run.annotations.error
    expect(more).toEqual([])
    expect(error).toMatch(/^input "records": /)
    for (const name of Object.keys(damages)) {
      expect(error).toContain(`"records/${name}.jsonl", line 4 `)
    }
    expect(error.match(/line \d+ /g)).toHaveLength(Object.keys(damages).length)
    expect(readSummary(run.summary).verdict).toMatch(/1 input is wrong/)
  })

  it('stop the run for one damaged line that has nothing to do with the artifacts', async () => {
    const lines = records.one + forged({ status: 'pending' })
    const run = await verify({ workspace: makeDeploy(one, lines) })

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error[0]).toContain('"notarization-records.jsonl", line 4 ')
  })

  it('that are damaged all over are told of in a bounded error, each file by name', async () => {
    const workspace = makeRelease(one)
    for (const name of ['a', 'b']) workspace.write(`${name}.jsonl`, 'garbage\n'.repeat(50))
    const run = await verify({ workspace, inputs: { records: '*.jsonl' } })

    const [error = '', ...more] = run.annotations.error
    expect(more).toEqual([])
    for (const part of ['"a.jsonl", line 1 ', '"b.jsonl", line 1 ', '45 more']) {
      expect(error).toContain(part)
    }
    expect(error.length).toBeLessThan(3000)
  })

  onPosix('of another kind are no records files, and nothing hangs', async () => {
    const workspace = makeDeploy(one)
    mkdirSync(workspace.path('folder'))
    expect(spawnSync('mkfifo', [workspace.path('fifo')]).status).toBe(0)
    symlinkSync('nowhere', workspace.path('link'))
    const inputs = { records: `${RECORDS}\nfolder\nfifo\nlink` }
    const run = await verify({ workspace, inputs })

    expect(run.outcome.verdict).toBe('stopped')
    const [error = ''] = run.annotations.error
    for (const name of ['folder', 'fifo', 'link']) expect(error).toContain(`"${name}" matches no`)
  })

  it('without any line know nothing', async () => {
    const run = await verify({ workspace: makeDeploy({ a: 'a' }, '') })

    expect(run.outcome).toMatchObject({ verdict: 'unknown', 'missing-count': 0 })
  })
})

describe('a line with problems', () => {
  const problems = ['status is "pending", not "registered"']
  const bad = toJsonLines([
    makeLine('https://notary.example', 'bad.zip', {
      problems,
      record: { ...makeRecord(sha256('bad.zip')), status: 'pending' },
    }),
  ])

  it('is no match: the artifact is unknown, and is told why', async () => {
    const workspace = makeDeploy(
      { 'bad.zip': 'bad.zip', 'app.zip': 'app of one' },
      records.one + bad,
    )
    const run = await verify({ workspace })

    expect(statesOf(run)).toEqual({ 'dist/app.zip': 'matched', 'dist/bad.zip': 'unknown' })
    expect(logLineOf(run, 'dist/bad.zip')).toMatch(/its record has problems$/)
  })

  it('is no record that an artifact is altered from, or missing for', async () => {
    const workspace = makeDeploy({ ...one, 'bad.zip': 'other' }, records.one + bad)
    const run = await verify({ workspace, inputs: { 'require-all': 'true' } })

    expect(run.outcome).toMatchObject({
      ...{ 'altered-count': 0, 'unknown-count': 1, 'missing-count': 0 },
    })
  })

  it('yields to a line without', async () => {
    const good = toJsonLines([makeLine('https://other.example', 'bad.zip')])
    const run = await verify({ workspace: makeDeploy({ x: 'bad.zip' }, bad + good) })

    expect(run.outcome.verdict).toBe('matched')
  })
})

describe('checksums', () => {
  it('of the main action stand for the artifacts, which need not be here', async () => {
    const workspace = makeWorkspace({ sums: records.checksums, [RECORDS]: records.one })
    const inputs = { path: '', checksums: 'sums', 'require-all': 'true' }
    const run = await verify({ workspace, inputs })

    expect(run.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 4 })
    expect(run.outcome.results?.map(({ size }) => size)).toEqual([null, null, null, null])
    expect(readSummary(run.summary).rows[0]?.[2]).toBe('–')
  })

  it('in either form are held against the records like files', async () => {
    const lines = [
      `${sha256('app of one')} *app.zip`,
      `SHA256 (lib/core.tgz) = ${sha256('evil').toUpperCase()}`,
      `${sha256('new')}  ./new`,
    ]
    const workspace = makeWorkspace({ sums: lines.join('\r\n'), [RECORDS]: records.one })
    const run = await verify({ workspace, inputs: { path: '', checksums: 'sums' } })

    expect(statesOf(run)).toEqual({
      'app.zip': 'matched',
      'lib/core.tgz': 'altered',
      new: 'unknown',
    })
  })

  it('and files of the same name and bytes are one artifact; of other bytes they stop the run', async () => {
    const workspace = makeDeploy({ 'app.zip': 'app of one' })
    workspace.write('sums', `${sha256('app of one')}  dist/app.zip\n`)
    const inputs = { checksums: 'sums' }
    const same = await verify({ workspace, inputs })
    workspace.write('sums', `${sha256('evil')}  dist/app.zip\n`)
    const other = await verify({ workspace, inputs })

    expect(same.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 1 })
    expect(other.outcome.verdict).toBe('stopped')
    const [error = ''] = other.annotations.error
    for (const part of ['dist/app.zip', sha256('evil'), sha256('app of one')]) {
      expect(error).toContain(part)
    }
  })
})

describe('hostile text', () => {
  const names = [
    '::error::forged',
    '##[error]forged',
    'x ##[add-mask]app',
    'a%0A::warning::b',
    'line\n::error::forged',
    'cr\r::set-output name=verdict::matched',
    'esc\u001b[2J\u0007bell',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '| cell | `code` | **bold**',
    '@octocat #1 &lt;b&gt;',
    '\u202egnp.exe\u200b',
    'ünï cödé 漢字 🎉',
    ' leading and trailing ',
    'quote"\'`$(id)',
  ]

  onPosix(
    'in file names is exact in the outputs and does nothing elsewhere, in each state',
    async () => {
      const contents = Object.fromEntries(names.map((name, index) => [name, `content ${index}`]))
      const recorded = makeRelease(contents)
      await notarize({ service, workspace: recorded })
      // Every third is as it was, every third is other bytes, and every third is not there.
      const here = names.flatMap((name, index) =>
        index % 3 === 2 ? [] : [[name, index % 3 === 0 ? `content ${index}` : 'evil'] as const],
      )
      const files = { ...Object.fromEntries(here), '::notice::new <b>': 'new' }
      const workspace = makeDeploy(files, recorded.read(RECORDS))
      const run = await verify({ workspace, inputs: { 'require-all': 'true' } })

      expect(run.masks).toEqual([])
      const told = (run.outcome.results ?? []).map(({ artifact, state: is }) => [artifact, is])
      const expected = names.flatMap((name, index) => {
        const artifact = `dist/${name}`
        if (index % 3 === 0) return [[artifact, 'matched']]
        const missing = [artifact, 'missing']
        return index % 3 === 1 ? [[artifact, 'altered'], missing] : [missing]
      })
      const all = [...expected, ['dist/::notice::new <b>', 'unknown']]
      expect(told.map(pair => pair.join(' ')).toSorted()).toEqual(
        all.map(pair => pair.join(' ')).toSorted(),
      )
      // The verdict, one line for each, and the error.
      expect(run.lines).toHaveLength(told.length + 2)
    },
  )

  it('in records does nothing', async () => {
    const evil = '</td></tr></table>\n\u2028::error::x ##[error]x <script>alert(1)</script>'
    const lines = [
      makeLine(evil, 'a', {
        artifact: `dist/${evil}/a`,
        record: {
          ...makeRecord(sha256('a')),
          blockchainType: evil,
          description: evil,
          [evil]: evil,
        },
      }),
      makeLine(service.url, 'b', {
        artifact: evil,
        record: { ...makeRecord(sha256('b')), creationDate: -1, blockchainType: 'x'.repeat(5000) },
        source: { ...makeLine('x', 'x').source, sha: evil, ref: evil },
      }),
    ]
    const workspace = makeDeploy({ a: 'a', c: 'c' }, toJsonLines(lines))
    const run = await verify({ workspace, inputs: { 'require-all': 'true' } })

    expect(run.outcome.results?.find(({ state: is }) => is === 'missing')).toMatchObject({
      artifact: evil,
      recorded: { sha: evil },
    })
    expect(run.outcome.results?.[0]?.recorded?.record[evil]).toBe(evil)
    expect(run.annotations.error).toHaveLength(1)
  })

  onPosix('in damaged records and in inputs does nothing', async () => {
    const workspace = makeRelease({ a: 'a' })
    workspace.write('::error::r\n.jsonl', '{"artifact":"::error::x\\n"}\n##[error]x\n')
    const damaged = await verify({ workspace, inputs: { records: '*.jsonl' } })
    const wrong = await verify({
      workspace,
      inputs: {
        path: '##[error]x ::error::\u0007<b>',
        sha: '##[error]x',
        'require-all': '::error::x\r::error::y',
      },
    })

    expect(damaged.annotations.error).toHaveLength(1)
    expect(wrong.annotations.error).toHaveLength(3)
  })

  it('with the value of a secret in it is in no output: the platform would drop it', async () => {
    const secret = 'hunter2hunter2'
    const workspace = makeDeploy({ [`${secret}.zip`]: 'app of one' })
    const options = optionsOf({ workspace, env: { https_proxy: `http://u:${secret}@127.0.0.1:9` } })
    const run = await runAction(options)

    expect(run.masks).toContain(secret)
    const said = run.lines.filter(line => !line.startsWith('::add-mask::'))
    const told = [...said, run.summary, ...Object.values(run.outputs)]
    expect(told.filter(text => text.includes(secret))).toEqual([])
  })
})

describe('the limits of the platform', () => {
  it('leave the output results whole at 300,000 characters, and empty it beyond, with a warning', async () => {
    const content = 'big'
    const lineWith = (length: number): string =>
      toJsonLines([
        makeLine(service.url, content, {
          record: { ...makeRecord(sha256(content)), description: 'x'.repeat(length) },
        }),
      ])
    const workspace = makeDeploy({ big: content }, lineWith(0))
    const small = await verify({ workspace })
    const room = 300_000 - (small.outputs['results']?.length ?? 0)
    workspace.write(RECORDS, lineWith(room))
    const full = await verify({ workspace })
    workspace.write(RECORDS, lineWith(room + 1))
    const over = await verify({ workspace })

    expect(full.outputs['results']).toHaveLength(300_000)
    expect(full.annotations.warning).toEqual([])
    expect(over.outputs['results']).toBe('')
    expect(over.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 1 })
    expect(over.annotations.warning).toHaveLength(1)
    expect(over.annotations.warning[0]).toContain('results')
  })

  it('hold for 4,000 artifacts: the summary is cut and counts the rest, the worst stays first', async () => {
    const names = Array.from({ length: 4_000 }, (_, index) => `${'漢'.repeat(60)} ${index}.zip`)
    const lines = names.map((name, index) =>
      makeLine(service.url, name, index === 0 ? {} : { artifact: `dist/${name}` }),
    )
    const sums = names.map((name, index) => `${sha256(index === 3900 ? 'evil' : name)}  ${name}\n`)
    const workspace = makeWorkspace({ sums: sums.join(''), [RECORDS]: toJsonLines(lines) })
    const run = await verify({ workspace, inputs: { path: '', checksums: 'sums' } })

    expect(run.outcome).toMatchObject({
      ...{ verdict: 'altered', results: null, 'matched-count': 3_999, 'altered-count': 1 },
    })
    const { rows } = readSummary(run.summary)
    expect(rows[0]?.[1]).toBe(names[3900])
    const [, rest] = /^(\d+) artifacts more are not shown/m.exec(run.summary) ?? []
    expect(rows.length + Number(rest)).toBe(4_000)
    expect(run.summaryBytes).toBeGreaterThan(900_000)
    expect(run.annotations.error).toHaveLength(1)
  })

  it('cut a long name visibly, and keep it whole in the outputs', async () => {
    const name = `${'n'.repeat(4000)}.zip`
    const workspace = makeWorkspace({ sums: `${sha256('x')}  ${name}\n`, [RECORDS]: records.one })
    const run = await verify({ workspace, inputs: { path: '', checksums: 'sums' } })

    expect(run.outcome.results?.[0]?.artifact).toBe(name)
    for (const text of [run.stdout, run.summary]) {
      expect(text).toContain('cut, 4004 characters')
      expect(text).not.toContain(name)
    }
  })
})

describe('bad input', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly RegExp[]]>([
    [
      'nothing is named, and nothing else is right',
      {
        ...{ path: '', sha: '6dcb09b', 'require-all': 'yes', 'show-summary': '1' },
        ...{ 'release-tag': '', 'github-token': 'a b' },
      },
      [
        /"path" is empty .*"checksums" and "release-tag"/,
        /"sha" .*40 or 64 hex digits \(got "6dcb09b"\)/,
        /"require-all" must be true or false \(got "yes"\)/,
        /"show-summary" must be true or false \(got "1"\)/,
        /"github-token" must be one line/,
      ],
    ],
    [
      'patterns match nothing',
      { path: 'dist\nbuild/*', checksums: 'sums' },
      [/"path": .*"build\/\*" matches no file/, /"checksums": .*"sums" matches no checksums file/],
    ],
    ['there are only comments', { path: '# dist' }, [/"path": there is no pattern/]],
    ['all is excluded', { path: 'dist\n!dist' }, [/"path": .*"dist" matches no file/]],
    [
      'patterns are none, and checksums are none',
      { path: 'dist/../x', checksums: 'dist/app.zip' },
      [/"path": .*"dist\/\.\.\/x" cannot be used/, /"checksums": "dist\/app\.zip", line 1/],
    ],
    ['the records are not there', { records: 'gone' }, [/"records": .*"gone" matches no/]],
    ['the pattern of the records is none', { records: 'a/../b' }, [/"records": .*cannot be used/]],
    ['a tag comes without a token', { 'release-tag': 'v1' }, [/"github-token" is empty/]],
    [
      'a tag is none',
      { 'release-tag': 'refs/tags/v1', 'github-token': 'token1' },
      [/"release-tag" must be the tag alone/],
    ],
  ])('stops the run and names each input when %s', async (_, inputs, messages) => {
    const run = await verify({ workspace: makeDeploy(one), inputs })

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error).toHaveLength(messages.length)
    for (const message of messages) {
      expect(run.annotations.error.filter(error => message.test(error))).toHaveLength(1)
    }
    expect(run.annotations.error.every(error => error.startsWith('input "'))).toBe(true)
    const wrong = messages.length === 1 ? '1 input is wrong' : `${messages.length} inputs are wrong`
    expect(run.summary).toBe(
      `## ❌ NOT VERIFIED: nothing was held against the records, ${wrong}; see the errors of this step\n`,
    )
  })

  it('is told at once, that of the records files too', async () => {
    const inputs = { path: 'nope\nnada', checksums: 'sums', records: 'a/../b', sha: 'main' }
    const run = await verify({ workspace: makeDeploy(one), inputs })

    const told = run.annotations.error.map(error => /^input "([\w-]+)"/.exec(error)?.[1])
    expect(told.toSorted()).toEqual(['checksums', 'path', 'records', 'sha'])
    expect(run.summary).toContain('4 inputs are wrong')
  })

  it('does not stop the run where it is only blank: an empty input is its default', async () => {
    const names = ['checksums', 'release-tag', 'records', 'sha', 'require-all', 'show-summary']
    const inputs = Object.fromEntries(names.map(name => [name, ' \n']))
    const run = await verify({ workspace: makeDeploy(one), inputs })

    expect(run.outcome.verdict).toBe('matched')
    expect(run.summary).not.toBe('')
  })
})

describe('the summary', () => {
  it('can be left away; outputs and exit code stay', async () => {
    const workspace = makeDeploy({ 'app.zip': 'evil' })
    const run = await verify({ workspace, inputs: { 'show-summary': 'false' } })

    expect(run.summary).toBe('')
    expect(run.outcome.verdict).toBe('altered')
  })

  it('that cannot be written is a warning; outputs that cannot be written fail the run', async () => {
    const workspace = makeDeploy(one)
    const summary = await verify({ workspace, env: { GITHUB_STEP_SUMMARY: workspace.temp } })
    const outputs = await runAction(
      optionsOf({ workspace, env: { GITHUB_OUTPUT: join(workspace.temp, 'gone') } }),
    )

    expect(summary.exitCode).toBe(0)
    expect(summary.annotations.warning).toHaveLength(1)
    expect(outputs.exitCode).toBe(1)
    expect(outputs.annotations.error).toHaveLength(1)
    expect(outputs.stderr).toBe('')
  })
})

describe('the network', () => {
  it('is not used: not for the service of the records, not for a proxy, not for GitHub', async () => {
    const requests = service.requests.length
    const run = await verify({
      workspace: makeDeploy(one),
      inputs: { 'github-token': 'ghs_tokenThatIsNotNeeded', sha: commitOne },
      env: { https_proxy: service.url, http_proxy: service.url, GITHUB_API_URL: service.url },
    })

    // The tripwire says nothing, as in every run of this file.
    expect(run.stderr).toBe('')
    expect(run.masks).toEqual(['ghs_tokenThatIsNotNeeded'])
    expect(service.requests).toHaveLength(requests)
  })

  it('would have been seen', async () => {
    const github = await startRelease([])
    const run = await runAction(
      optionsOf({
        workspace: makeDeploy(one),
        inputs: { 'release-tag': TAG, 'github-token': github.token },
        env: { GITHUB_API_URL: github.url },
      }),
    )

    expect(run.stderr).toMatch(/^network: connect$/m)
  })
})

/** A deploy job that knows only the release. */
async function verifyRelease(
  assets: readonly AssetSeed[],
  {
    inputs = {},
    files = {},
    isCancelled = false,
    ...options
  }: GitHubOptions & {
    readonly inputs?: Scenario['inputs']
    readonly files?: Readonly<Record<string, string>>
    readonly isCancelled?: boolean
    readonly release?: Partial<ReleaseSeed>
  } = {},
): Promise<VerifyRun> {
  const github = await startRelease(assets, options)
  const scenario = {
    workspace: makeWorkspace(files),
    inputs: { path: '', 'release-tag': TAG, 'github-token': github.token, ...inputs },
    env: { GITHUB_API_URL: github.url },
    nodeArguments: [],
    isCancelled,
  }
  const run = await verify(scenario)
  checkGitHub(run, github)
  return run
}

/** The token is masked and goes to the API only; nothing is changed there. */
function checkGitHub(run: ActionRun, { token, calls, mistakes }: FakeGitHub): void {
  expect(run.masks).toEqual([token])
  const said = run.lines.filter(line => !line.startsWith('::add-mask::'))
  const told = [...said, run.summary, ...Object.values(run.outputs)]
  expect(told.filter(text => text.includes(token))).toEqual([])
  expect(calls.map(({ method }) => method).filter(method => method !== 'GET')).toEqual([])
  expect(mistakes).toEqual([])
}

describe('a release', () => {
  const app: AssetSeed = { name: 'app.zip', content: 'app of one' }
  const core: AssetSeed = { name: 'core.tgz', content: 'core' }
  const empty: AssetSeed = { name: 'empty', content: '' }
  const attached = (): AssetSeed => ({ name: RECORDS, content: records.one })

  it('is held against its attached records, asset by asset, and those are no artifacts', async () => {
    const run = await verifyRelease(
      [app, core, empty, attached(), { name: 'notarization-checksums.txt', content: 'x' }],
      { inputs: { 'require-all': 'true' } },
    )

    expect(statesOf(run)).toEqual({ 'app.zip': 'matched', 'core.tgz': 'matched', empty: 'matched' })
    expect(run.outcome).toMatchObject({ verdict: 'matched', 'missing-count': 0 })
    expect(run.outcome.results?.[1]).toMatchObject({ artifact: 'core.tgz', size: 4 })
  })

  it('is altered where an asset was replaced, and unknown where one was added', async () => {
    const evil = { name: 'core.tgz', content: 'evil' }
    const run = await verifyRelease([app, evil, { name: 'x', content: 'x' }, attached()])

    expect(statesOf(run)).toEqual({ 'app.zip': 'matched', 'core.tgz': 'altered', x: 'unknown' })
  })

  it('as a draft, whose digests are not known, is read as a stream', async () => {
    const run = await verifyRelease([app, core, attached()], {
      ...{ release: { draft: true }, givesDigests: false, tags: {} },
    })

    expect(statesOf(run)).toEqual({ 'app.zip': 'matched', 'core.tgz': 'matched' })
  })

  it('is held against the records file that is here, if one is', async () => {
    const run = await verifyRelease([app, attached()], { files: { [RECORDS]: records.two } })

    expect(statesOf(run)).toEqual({ 'app.zip': 'altered' })
  })

  it('without records stops the run, as one without artifacts does', async () => {
    const none = await verifyRelease([app])
    const nothing = await verifyRelease([attached()])
    const named = await verifyRelease([app, attached()], { inputs: { records: 'mine.jsonl' } })

    expect([none, nothing, named].map(({ outcome }) => outcome.verdict)).toEqual([
      ...['stopped', 'stopped', 'stopped'],
    ])
    expect(none.annotations.error[0]).toMatch(/^input "records"/)
    expect(nothing.annotations.error[0]).toMatch(/no artifact was found/)
    expect(named.annotations.error[0]).toMatch(/^input "records".*"mine\.jsonl"/)
  })

  it('and files are held against the records together', async () => {
    const files = { 'dist/app.zip': 'app of one', 'dist/empty': '' }
    const run = await verifyRelease([app, core, attached()], { files, inputs: { path: 'dist' } })

    expect(statesOf(run)).toEqual({
      ...{ 'app.zip': 'matched', 'core.tgz': 'matched' },
      ...{ 'dist/app.zip': 'matched', 'dist/empty': 'matched' },
    })
  })

  it('shows a file that is not its asset; the error speaks of this action, not of notarizing', async () => {
    const files = { 'dist/app.zip': 'evil' }
    const run = await verifyRelease([app, attached()], { files, inputs: { path: 'dist' } })

    expect(run.exitCode).toBe(1)
    const [error = ''] = run.annotations.error
    for (const part of ['dist/app.zip', sha256('app of one')]) expect(error).toContain(part)
    expect(error).not.toMatch(/built here|notarize the assets/)
  })

  it.each<[string, GitHubFault, RegExp]>([
    ['has gone', { kind: 'status', status: 404 }, /404/],
    ['breaks off', { kind: 'cut' }, /connection|whole/],
  ])('whose records file %s stops the run, and a whole sentence says so', async (_, fault, why) => {
    const run = await verifyRelease([app, attached()], { faults: [{ route: 'storage', fault }] })

    expect(run.outcome.verdict).toBe('stopped')
    const [error = ''] = run.annotations.error
    expect(error).toMatch(/records/)
    expect(error).toMatch(why)
    expect(error).toMatch(/^(input "|"|the )/i)
  })

  it('that is not there stops the run', async () => {
    const run = await verifyRelease([app], { inputs: { 'release-tag': 'v9' } })

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error[0]).toMatch(/^input "release-tag": the release "v9" was not found/)
  })

  it('with damaged records stops the run and names the line', async () => {
    const damaged = { name: RECORDS, content: `${records.one}garbage\n` }
    const run = await verifyRelease([app, damaged])

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error[0]).toMatch(/^input "records": .*release.*line 4 /)
  })
})

describe('a cancelled run', () => {
  /** Starts a run, and interrupts it as soon as `isReady` says so. */
  async function interrupt(
    scenario: Scenario,
    isReady: (output: string) => boolean,
  ): Promise<VerifyRun> {
    const started = startAction(optionsOf({ timeoutMs: 15_000, ...scenario }))
    let output = ''
    let isSent = false
    started.child.stdout.on('data', (text: string) => {
      output += text
      if (isSent || !isReady(output)) return
      isSent = true
      started.child.kill('SIGINT')
    })
    return checkRun(await started.finished, scenario)
  }

  onPosix('that hashes ends at once, with outputs and summary, and is no success', async () => {
    const workspace = makeDeploy({ huge: '' })
    // Nothing but a hole, which takes no room and half a minute.
    truncateSync(workspace.path('dist/huge'), 64 * 1024 ** 3)
    const inputs = { 'github-token': 'ghs_0123456789abcdef' }
    const run = await interrupt({ workspace, inputs, isCancelled: true }, output =>
      output.includes('::add-mask::'),
    )

    expect(run.outcome).toMatchObject({ verdict: 'unknown', 'unknown-count': 1 })
    expect(run.outcome.results?.[0]?.message).toContain('cancelled')
    expect(run.annotations.error.at(-1)).toMatch(/cancelled/)
    expect(run.durationMs).toBeLessThan(10_000)
  })

  onPosix.each<[string, Route]>([
    ['the list of releases', 'list-releases'],
    ['its attached records', 'storage'],
  ])('that waits for a GitHub which is silent about %s ends within 5 s', async (_, route) => {
    const assets = [
      { name: 'app.zip', content: 'app of one' },
      { name: RECORDS, content: records.one },
    ]
    const seen = Promise.withResolvers<null>()
    const github = await startRelease(assets, {
      faults: [{ route, fault: { kind: 'silence' } }],
      onCall: call => {
        if (call.route === route) seen.resolve(null)
      },
    })
    const scenario = {
      workspace: makeWorkspace(),
      inputs: { path: '', 'release-tag': TAG, 'github-token': github.token },
      env: { GITHUB_API_URL: github.url },
      nodeArguments: [],
    }
    // The runner kills it after 10 s, and nobody would learn what it had found.
    const started = startAction(optionsOf({ ...scenario, timeoutMs: 10_000 }))
    await Promise.race([seen.promise, started.finished])
    started.child.kill('SIGINT')
    const run = checkRun(await started.finished, scenario)

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.durationMs).toBeLessThan(9_000)
  })
})

describe('docs/verify.md', () => {
  const text = readFileSync(join(repository, 'docs/verify.md'), 'utf8')

  /** The text between the heading and the next one. */
  function section(heading: string): string {
    const [, rest = ''] = text.split(`\n${heading}\n`)
    return rest.split(/\n#{2,3} /)[0] ?? ''
  }

  function scriptsOf(heading: string): readonly string[] {
    return [...section(heading).matchAll(/^```sh\n(.*?)^```/gms)].map(([, script = '']) => script)
  }

  it.each([
    ['## Inputs', 'inputs'],
    ['## Outputs', 'outputs'],
  ] as const)('has each name of verify/action.yml in %j, with its default', (heading, kind) => {
    const fields = z.record(z.string(), z.looseObject({ default: z.string().optional() }))
    const action = z
      .looseObject({ inputs: fields, outputs: fields })
      .parse(parse(readFileSync(join(repository, 'verify/action.yml'), 'utf8')))
    const rows = [...section(heading).matchAll(/^\| `([\w-]+)` +\|(?: +(?:`([^`]+)`)? +\|)?/gm)]
    const told = rows.map(([, name, value = '']) => [name, kind === 'inputs' ? value : ''])
    expect(told.toSorted()).toEqual(
      Object.entries(action[kind])
        .map(([name, field]) => [name, field.default ?? ''])
        .toSorted(),
    )
  })

  it('has each verdict in its table', () => {
    const rows = [...section('## Verdicts and what to do').matchAll(/^\| `(\w+)`/gm)]
    expect(rows.map(([, name]) => name).toSorted()).toEqual([
      ...outputsSchema.shape.verdict.options.toSorted(),
    ])
  })

  const artifacts = { same: 'app of one', 'other bytes': 'evil', 'with problems': 'problems' }

  /** Runs a script where the artifact `app.tar.gz`, and `dist` with two more, lie beside the records of real runs. */
  function runScript(script: string, content: string): { status: number | null; stdout: string } {
    const bad = makeLine(service.url, 'problems', { problems: ['status is "pending"'] })
    const { root } = makeWorkspace({
      'app.tar.gz': content,
      'dist/a b.zip': 'core',
      'dist/-c.zip': content,
      [RECORDS]: records.one + toJsonLines([bad]) + records.two,
    })
    const shell = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(shell.stderr).toBe('')
    return shell
  }

  const has = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0
  const single = [
    ['Linux', scriptsOf('### Linux')[0] ?? '', has('sha256sum')],
    ['macOS', scriptsOf('### macOS')[0] ?? '', has('shasum')],
    ['jq', scriptsOf('### With jq')[0] ?? '', has('jq') && has('sha256sum')],
  ] as const

  it.each(single)(
    'has a command for %s that finds the record, and only a good one',
    (_, script, isThere) => {
      expect(script).toContain('app.tar.gz')
      if (!isThere) return
      const same = runScript(script, artifacts.same)
      expect(same.status).toBe(0)
      expect(same.stdout).toContain('dist/app.zip')
      expect(same.stdout).not.toContain('lib/core.tgz')
      for (const content of [artifacts['other bytes'], artifacts['with problems']]) {
        const other = runScript(script, content)
        expect(other.status).not.toBe(0)
        expect(other.stdout).toBe('')
      }
    },
  )

  it('has a command for all files of a folder, which fails for one without a record', () => {
    const [, script = ''] = scriptsOf('### Linux')

    expect(runScript(script, artifacts.same)).toMatchObject({
      status: 0,
      stdout: 'matched     dist/-c.zip\nmatched     dist/a b.zip\n',
    })
    expect(runScript(script, artifacts['with problems'])).toMatchObject({
      status: 1,
      stdout: 'NO RECORD   dist/-c.zip\nmatched     dist/a b.zip\n',
    })
  })
})

describe('the examples', () => {
  const stepSchema = z.looseObject({
    uses: z.string().optional(),
    run: z.string().optional(),
    with: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
  })
  const workflowSchema = z.looseObject({
    permissions: z.strictObject({}),
    jobs: z.record(
      z.string(),
      z.looseObject({
        permissions: z.record(z.string(), z.string()),
        strategy: z.looseObject({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
        steps: z.array(stepSchema),
      }),
    ),
  })

  function readExample(name: string): z.infer<typeof workflowSchema>['jobs'] {
    return workflowSchema.parse(parse(readFileSync(join(repository, 'examples', name), 'utf8')))
      .jobs
  }

  /** The inputs of the one step of a job that uses this action, expressions filled in. */
  function inputsOf(
    job: { readonly steps: readonly z.infer<typeof stepSchema>[] } | undefined,
    action: string,
    values: Readonly<Record<string, string>> = {},
  ): Readonly<Record<string, string>> {
    const [step, ...more] = (job?.steps ?? []).filter(({ uses }) => uses === action)
    expect(more).toEqual([])
    const fill = (value: string): string =>
      value.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (all, name: string) => {
        const known = values[name]
        if (known === undefined) throw new Error(`${all} is not known here`)
        return known
      })
    return Object.fromEntries(
      Object.entries(step?.with ?? {}).map(([name, value]) => [name, fill(String(value))]),
    )
  }

  it.each(['deploy.yml', 'matrix-release-coverage.yml'])(
    '%s puts no expression into a script, and gives no job a right that it has no use for',
    name => {
      const jobs = Object.values(readExample(name))
      const scripts = jobs.flatMap(({ steps }) => steps.map(({ run = '' }) => run))
      expect(scripts.filter(script => script.includes('${{'))).toEqual([])
      const rights = jobs.map(({ permissions }) => Object.values(permissions))
      expect(rights.flat().filter(right => right === 'write')).toHaveLength(
        name === 'deploy.yml' ? 0 : 3,
      )
    },
  )

  it('matrix-release-coverage.yml passes with all parts, and with none that is lost on the way', async () => {
    const { build, release } = readExample('matrix-release-coverage.yml')
    const targets = build?.strategy?.matrix['target'] ?? []
    expect(targets.length).toBeGreaterThan(1)
    const world = makeWorkspace()
    for (const target of targets) {
      const workspace = makeRelease({ [`app-${target}.zip`]: `app for ${target}` })
      const given = inputsOf(build, 'OWNER/REPO@v1', {
        'matrix.target': target,
        'secrets.NOTARIZATION_API_KEY': '',
        'secrets.NOTARIZATION_SUBSCRIPTION': '',
      })
      const { path = '', 'records-path': recordsPath = '' } = given
      await notarize({ service, workspace, inputs: { path, 'records-path': recordsPath } })
      for (const file of [`dist/app-${target}.zip`, recordsPath]) {
        world.write(file, workspace.read(file))
      }
    }
    const inputs = inputsOf(release, 'OWNER/REPO/verify@v1', { 'github.sha': job.sha })
    const whole = await verify({ workspace: world, inputs })
    rmSync(world.path(`dist/app-${targets[0] ?? ''}.zip`))
    const lost = await verify({ workspace: world, inputs })
    world.write(`dist/app-${targets[0] ?? ''}.zip`, `app for ${targets[0] ?? ''}`)
    rmSync(world.path(`records/${targets[1] ?? ''}.jsonl`))
    const unrecorded = await verify({ workspace: world, inputs })

    expect(whole.outcome).toMatchObject({
      ...{ verdict: 'matched', 'matched-count': targets.length, 'missing-count': 0 },
    })
    expect(lost.outcome).toMatchObject({ verdict: 'missing', 'missing-count': 1 })
    expect(unrecorded.outcome).toMatchObject({ verdict: 'unknown', 'unknown-count': 1 })
  })

  it('deploy.yml passes for the files of the release, and for nothing more, less or other', async () => {
    const inputs = inputsOf(readExample('deploy.yml')['deploy'], 'OWNER/REPO/verify@v1')
    const downloaded = (changes: Readonly<Record<string, string>> = {}): Workspace => {
      const files = { 'app.zip': 'app of one', 'core.tgz': 'core', empty: '', ...changes }
      const evidence = { [RECORDS]: records.one, 'notarization-checksums.txt': records.checksums }
      return makeWorkspace(
        Object.fromEntries(
          Object.entries({ ...files, ...evidence }).map(([name, text]) => [
            `release/${name}`,
            text,
          ]),
        ),
      )
    }
    const short = downloaded()
    rmSync(short.path('release/core.tgz'))
    const runs = [downloaded(), downloaded({ more: 'x' }), short, downloaded({ empty: 'x' })]
    const verdicts: string[] = []
    for (const workspace of runs)
      verdicts.push((await verify({ workspace, inputs })).outcome.verdict)

    expect(verdicts).toEqual(['matched', 'unknown', 'missing', 'altered'])
  })
})
