/**
 * Holds the action against its peers, each in the same run: ratios, never times. Run by `npm run bench`; prints a Markdown
 * table and writes a JSON file. Every run of ours is the committed bundle as a child process in the environment of the
 * runner. Ours and its peers take turns; a ratio is the median of the ratios of the turns.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { randomFillSync } from 'node:crypto'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cleanUp } from '../__tests__/support/clean-up.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'
import {
  measurePeakMiB,
  registeringInputs,
  startSimulatorProcess,
  time,
  timeAction,
} from './bench-run.ts'
import type { ActionRun } from './bench-run.ts'

const HELP = `Holds the action against its peers and prints a table of ratios.

Usage: npm run bench -- [options]

  --quick           small sizes and few rounds, for a try
  --only NAME       only these rows (hash-4, hash-1, hash-many, start, register, scale, memory, bundle);
                    may be given more than once
  --out FILE        where the JSON goes (default: .bench/result.json)
  --profile FOLDER  no table: run the three main cases once each with --cpu-prof, profiles to FOLDER
  --help            print this
`

const REPOSITORY = resolve(import.meta.dirname, '..')
const MIB = 1024 * 1024

const { values: args } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join(REPOSITORY, '.bench', 'result.json') },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** Sizes of the cases, and how often each is run. */
const full = {
  ...{ bigMiB: 512, oneMiB: 1024, smallFiles: 20_000, registrations: 200, few: 1000, many: 8000 },
  ...{ memoryArtifacts: 4000, rounds: 7, startRounds: 25, registerRounds: 5, scaleRounds: 5 },
} as const
const small: Readonly<Record<keyof typeof full, number>> = {
  ...{ bigMiB: 64, oneMiB: 128, smallFiles: 2000, registrations: 40, few: 100, many: 800 },
  ...{ memoryArtifacts: 400, rounds: 3, startRounds: 5, registerRounds: 2, scaleRounds: 2 },
}
const sizes: Readonly<Record<keyof typeof full, number>> = args.quick ? small : full

/** One line of the table. What is measured is in milliseconds, MiB or MB. */
interface Row {
  readonly what: string
  readonly peer: string
  readonly unit: 'ms' | 'MiB' | 'MB' | 'ms each'
  readonly ours: readonly number[]
  /** Of the same turns as ours; empty where ours is held against the limit itself. */
  readonly peers: readonly number[]
  /** Of the ratio, or of ours where there is no peer; null where the row is only for comparison. */
  readonly atMost: number | null
  readonly aim: number | null
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}

/** The median of the ratios turn by turn, or of ours alone where there is no peer. */
function figureOf({ ours, peers }: Row): number {
  if (peers.length === 0) return median(ours)
  return median(ours.map((one, index) => one / (peers[index] ?? NaN)))
}

/** Runs all in turns, and gives the results of each; the first turn warms the caches and does not count. */
function takeTurns(
  rounds: number,
  runs: readonly (() => number)[],
): readonly (readonly number[])[] {
  const turns = Array.from({ length: rounds + 1 }, () => runs.map(run => run()))
  return runs.map((_, at) => turns.slice(1).map(turn => turn[at] ?? NaN))
}

/** Fills a file with bytes that cannot be guessed, and has them on disk, so that nothing is written while we measure. */
function fill(file: string, mebibytes: number): void {
  const block = randomFillSync(Buffer.alloc(MIB))
  const descriptor = openSync(file, 'w')
  for (let done = 0; done < mebibytes; done += 1) {
    block.writeUInt32LE(done)
    writeSync(descriptor, block)
  }
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function makeBigFiles(count: number, mebibytes: number): Workspace {
  const workspace = makeWorkspace()
  mkdirSync(workspace.path('big'))
  for (let index = 0; index < count; index += 1) {
    fill(workspace.path('big', `file-${index}.bin`), mebibytes)
  }
  return workspace
}

/** Files of 4 to 12 KiB, or of some bytes, a hundred in each folder. */
function makeSmallFiles(count: number, hasSomeKib: boolean): Workspace {
  const workspace = makeWorkspace()
  const noise = randomFillSync(Buffer.alloc(12 * 1024))
  for (let index = 0; index < count; index += 1) {
    noise.writeUInt32LE(index)
    const bytes = hasSomeKib ? 4096 + ((index * 2663) % 8193) : 64
    const name = `small/${String(Math.floor(index / 100))}/file-${index}.bin`
    workspace.write(name, noise.subarray(0, bytes))
  }
  return workspace
}

function dryRun(workspace: Workspace, path: string, artifacts: number): ActionRun {
  const inputs = { path, 'dry-run': 'true', 'max-registrations': '1000000' }
  return { workspace, inputs, expected: { verdict: 'dry-run', artifacts } }
}

/** How comparable actions hash: one file after the other through a stream. */
const pipelineScript = `
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
const entries = readdirSync(process.argv[1], { recursive: true, withFileTypes: true })
for (const entry of entries.filter(entry => entry.isFile())) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(entry.parentPath, entry.name)), hash)
  console.log(hash.digest('hex'), entry.name)
}
`

function pipelineOf(folder: string, cwd: string): () => number {
  const script = ['--input-type=module', '--eval', pipelineScript]
  return () => time([process.execPath, ...script, folder], { cwd })
}

function shell(command: string, cwd: string): () => number {
  return () => time(['sh', '-c', command], { cwd })
}

interface Peer {
  readonly name: string
  readonly run: () => number
}

interface HashingCase {
  readonly run: ActionRun
  readonly folder: string
  /** The first is the one that counts; a plain pipeline is added. */
  readonly commands: readonly string[]
  readonly atMost: number
  readonly aim: number
}

function compareHashing(
  what: string,
  { run, folder, commands, atMost, aim }: HashingCase,
): readonly Row[] {
  const cwd = run.workspace.root
  const peers: readonly Peer[] = [
    ...commands.map(command => ({ name: `\`${command}\``, run: shell(command, cwd) })),
    { name: 'plain `pipeline(createReadStream, hash)`', run: pipelineOf(folder, cwd) },
  ]
  const runs = [() => timeAction(run), ...peers.map(peer => peer.run)]
  const [ours = [], ...theirs] = takeTurns(sizes.rounds, runs)
  return peers.map(({ name }, at) => ({
    ...{ what, peer: name, unit: 'ms', ours, peers: theirs[at] ?? [] },
    ...(at === 0 ? { atMost, aim } : { atMost: null, aim: null }),
  }))
}

function hashFour(): readonly Row[] {
  const run = dryRun(makeBigFiles(4, sizes.bigMiB), 'big', 4)
  const cores = availableParallelism()
  const commands = [
    `ls big/* | xargs -P${cores} -n1 openssl dgst -sha256`,
    `ls big/* | xargs -P${cores} -n1 sha256sum`,
    'sha256sum big/*',
  ]
  const limits = { atMost: 1.25, aim: 1.1 }
  return compareHashing(`4 files of ${sizes.bigMiB} MiB`, {
    ...{ run, folder: 'big', commands, ...limits },
  })
}

function hashOne(): readonly Row[] {
  const run = dryRun(makeBigFiles(1, sizes.oneMiB), 'big', 1)
  const commands = ['openssl dgst -sha256 big/*', 'sha256sum big/*']
  const limits = { atMost: 1.3, aim: 1.0 }
  return compareHashing(`1 file of ${sizes.oneMiB} MiB`, {
    ...{ run, folder: 'big', commands, ...limits },
  })
}

function hashMany(): readonly Row[] {
  const run = dryRun(makeSmallFiles(sizes.smallFiles, true), 'small', sizes.smallFiles)
  const commands = ['find small -type f | xargs sha256sum']
  const limits = { atMost: 1.0, aim: 0.6 }
  return compareHashing(`${sizes.smallFiles} files of 4 to 12 KiB, finding them included`, {
    ...{ run, folder: 'small', commands, ...limits },
  })
}

function startUp(): readonly Row[] {
  const workspace = makeWorkspace({ 'one.bin': 'one' })
  const run = dryRun(workspace, 'one.bin', 1)
  const [ours = [], peers = []] = takeTurns(sizes.startRounds, [
    () => timeAction(run),
    () => time([process.execPath, '-e', '0'], { cwd: workspace.root }),
  ])
  const what = 'dry run of one small file, start to end'
  return [{ what, peer: '`node -e 0`', unit: 'ms', ours, peers, atMost: 4.0, aim: 2.5 }]
}

const latencyMs = 100
const concurrency = 8

async function registering(): Promise<readonly Row[]> {
  const count = sizes.registrations
  const roundTrips = 1 + Math.ceil(count / concurrency)
  const workspace = makeSmallFiles(count, false)
  const service = await startSimulatorProcess(latencyMs)
  const run = registerRun(workspace, service.url, count)
  const [ours = []] = takeTurns(sizes.registerRounds, [() => timeAction(run)])
  await service.stop()
  const what = `${count} registrations, ${latencyMs} ms latency, concurrency ${concurrency}`
  const peer = `login + ${roundTrips - 1} rounds of ${latencyMs} ms, computed`
  const peers = ours.map(() => roundTrips * latencyMs)
  return [{ what, peer, unit: 'ms', ours, peers, atMost: 1.15, aim: 1.08 }]
}

function registerRun(workspace: Workspace, url: string, artifacts: number): ActionRun {
  const inputs = registeringInputs(url, { path: 'small', concurrency: String(concurrency) })
  return { workspace, inputs, expected: { verdict: 'registered', artifacts } }
}

async function scaling(): Promise<readonly Row[]> {
  const { few, many, scaleRounds } = sizes
  const fewer = makeSmallFiles(few, false)
  const more = makeSmallFiles(many, false)
  const one = makeSmallFiles(1, false)
  const times = { few: new Array<number>(), many: new Array<number>(), one: new Array<number>() }
  for (let round = 0; round < scaleRounds; round += 1) {
    // A new one each round: what it remembers would make the later rounds slower. The first run warms it up.
    const service = await startSimulatorProcess(0)
    timeAction(registerRun(fewer, service.url, few))
    times.one.push(timeAction(registerRun(one, service.url, 1)))
    times.few.push(timeAction(registerRun(fewer, service.url, few)))
    times.many.push(timeAction(registerRun(more, service.url, many)))
    await service.stop()
  }
  const each = (all: readonly number[], count: number): readonly number[] =>
    all.map(milliseconds => milliseconds / count)
  const marginal = (all: readonly number[], count: number): readonly number[] =>
    all.map((milliseconds, round) => (milliseconds - (times.one[round] ?? NaN)) / (count - 1))
  const what = `cost per artifact with ${many} artifacts, no latency`
  const peer = `itself with ${few}`
  const unit = 'ms each'
  return [
    {
      ...{ what, peer, unit, atMost: 1.15, aim: 1.0 },
      ...{ ours: each(times.many, many), peers: each(times.few, few) },
    },
    {
      ...{ what: `${what}, without start and end`, peer, unit, atMost: null, aim: null },
      ...{ ours: marginal(times.many, many), peers: marginal(times.few, few) },
    },
  ]
}

async function memory(): Promise<readonly Row[]> {
  const big = dryRun(makeBigFiles(4, sizes.bigMiB), 'big', 4)
  const workspace = makeSmallFiles(sizes.memoryArtifacts, false)
  const service = await startSimulatorProcess(0)
  const registration = registerRun(workspace, service.url, sizes.memoryArtifacts)
  const peaks = (run: ActionRun): readonly number[] => [1, 2, 3].map(() => measurePeakMiB(run))
  const rows = [
    { what: `peak memory, 4 files of ${sizes.bigMiB} MiB`, ours: peaks(big) },
    { what: `peak memory, ${sizes.memoryArtifacts} registrations`, ours: peaks(registration) },
  ]
  await service.stop()
  return rows.map(row => ({ ...row, peer: '', unit: 'MiB', peers: [], atMost: 160, aim: 100 }))
}

/** What a run of the main action can load: its own chunks and its worker, not the second action. */
function bundleSize(): readonly Row[] {
  const bytes = ['dist', 'dist/hash-worker']
    .map(folder => join(REPOSITORY, folder))
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    .filter(file => file.endsWith('.js'))
    .reduce((sum, file) => sum + statSync(file).size, 0)
  const what = 'bundle, all .js files that the main action can load'
  return [{ what, peer: '', unit: 'MB', ours: [bytes / 1e6], peers: [], atMost: 2.6, aim: null }]
}

const cases: Readonly<Record<string, () => readonly Row[] | Promise<readonly Row[]>>> = {
  'hash-4': hashFour,
  'hash-1': hashOne,
  'hash-many': hashMany,
  start: startUp,
  register: registering,
  scale: scaling,
  memory,
  bundle: bundleSize,
}

function format(value: number, unit: Row['unit']): string {
  switch (unit) {
    case 'ms':
      return value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(0)} ms`
    case 'ms each':
      return `${value.toFixed(3)} ms`
    case 'MiB':
      return `${value.toFixed(0)} MiB`
    case 'MB':
      return `${value.toFixed(2)} MB`
  }
}

function tableRow(row: Row): string {
  const { what, peer, unit, ours, peers, atMost, aim } = row
  const figure = figureOf(row)
  const isRatio = peers.length > 0
  const limit = (value: number | null): string => {
    if (value === null) return ''
    return isRatio ? value.toFixed(2) : `${value} ${unit}`
  }
  const cells = [
    what,
    format(median(ours), unit),
    isRatio ? `${peer.replaceAll('|', '\\|')}: ${format(median(peers), unit)}` : '',
    isRatio ? figure.toFixed(2) : '',
    limit(atMost),
    limit(aim),
    judge(figure, atMost, aim),
  ]
  return `| ${cells.join(' | ')} |`
}

function judge(figure: number, atMost: number | null, aim: number | null): string {
  if (atMost === null) return ''
  // The limits hold for the full sizes: in small ones the start weighs more.
  if (args.quick) return '(quick)'
  if (figure > atMost) return 'NO'
  return aim === null ? 'yes' : figure <= aim ? 'yes, aim met' : 'yes'
}

function loads(): readonly number[] {
  return loadavg().map(load => Math.round(load * 100) / 100)
}

async function measureAll(): Promise<void> {
  const unknown = args.only.find(name => !Object.hasOwn(cases, name))
  if (unknown !== undefined) throw new Error(`no row "${unknown}"; see --help`)
  const before = loads()
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(cases)) {
    if (args.only.length > 0 && !args.only.includes(name)) continue
    say(`bench: ${name}`)
    rows.push(...(await measure()))
    cleanUp()
  }
  const table = [
    '| what | ours | peer | ratio | at most | aim | ok |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(tableRow),
  ]
  console.log(table.join('\n'))
  const cores = availableParallelism()
  const result = {
    ...{ isQuick: args.quick, node: process.version, platform: process.platform, cores },
    ...{ loadBefore: before, loadAfter: loads() },
    rows: rows.map(row => ({ ...row, figure: figureOf(row) })),
  }
  mkdirSync(dirname(resolve(args.out)), { recursive: true })
  writeFileSync(args.out, `${JSON.stringify(result, null, 2)}\n`)
  say(`bench: written to ${args.out}`)
  if ((before[0] ?? 0) > cores * 0.75) {
    say(
      `bench: the load was ${before[0] ?? 0} on ${cores} cores before the start; run it again on a machine at rest`,
    )
  }
}

/** Runs each of the three main cases once with the profiler. */
async function profileAll(folder: string): Promise<void> {
  const to = (name: string): readonly string[] => [
    '--cpu-prof',
    `--cpu-prof-dir=${resolve(folder, name)}`,
  ]
  const big = dryRun(makeBigFiles(4, sizes.bigMiB), 'big', 4)
  timeAction({ ...big, nodeArguments: to('hash-4') })
  const many = dryRun(makeSmallFiles(sizes.smallFiles, true), 'small', sizes.smallFiles)
  timeAction({ ...many, nodeArguments: to('hash-many') })
  const service = await startSimulatorProcess(0)
  const registration = registerRun(makeSmallFiles(sizes.many, false), service.url, sizes.many)
  timeAction({ ...registration, nodeArguments: to('register') })
  await service.stop()
}

// Until the end says otherwise: a benchmark that ends too early must not look like a success.
process.exitCode = 1
// An exit removes the temporary folders; a bare signal would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
try {
  if (args.help) process.stdout.write(HELP)
  else if (args.profile === undefined) await measureAll()
  else await profileAll(args.profile)
  process.exitCode = 0
} catch (error) {
  say(`bench: ${error instanceof Error ? error.message : String(error)}`)
} finally {
  cleanUp()
}
