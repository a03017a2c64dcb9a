/** What the benchmark measures: each case gives rows of figures, taken in the same run as those of its peers. */
import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import { concurrency, dryRun, makeBigFiles, makeSmallFiles, registerRun } from './bench-files.ts'
import { measurePeakMiB, startSimulatorProcess, time, timeAction } from './bench-run.ts'
import type { ActionRun } from './bench-run.ts'

const REPOSITORY = resolve(import.meta.dirname, '..')
/** Sizes of the cases, and how often each is run. */
const full = {
  ...{ bigMiB: 512, oneMiB: 1024, smallFiles: 20_000, registrations: 200, few: 1000, many: 8000 },
  ...{ memoryArtifacts: 4000, rounds: 7, startRounds: 25, registerRounds: 5, scaleRounds: 5 },
} as const
const small: Sizes = {
  ...{ bigMiB: 64, oneMiB: 128, smallFiles: 2000, registrations: 40, few: 100, many: 800 },
  ...{ memoryArtifacts: 400, rounds: 3, startRounds: 5, registerRounds: 2, scaleRounds: 2 },
}
/** How large the cases are. */
export type Sizes = Readonly<Record<keyof typeof full, number>>

/** The sizes by name. */
export const sizesOf = { full, small } as const

/** One line of the table. What is measured is in milliseconds, MiB or MB. */
export interface Row {
  readonly what: string
  readonly peer: string
  readonly unit: 'ms' | 'MiB' | 'MB' | 'ms each'
  readonly ours: readonly number[]
  /** Of the same turns as ours; empty where ours is compared with the limit itself. */
  readonly peers: readonly number[]
  /** Of the ratio, or of ours where there is no peer; null where the row is only for comparison. */
  readonly atMost: number | null
  readonly aim: number | null
}

/** Runs all in turns, and gives the results of each; the first turn warms the caches and does not count. */
function takeTurns(
  rounds: number,
  runs: readonly (() => number)[],
): readonly (readonly number[])[] {
  const turns = Array.from({ length: rounds + 1 }, () => runs.map(run => run()))
  return runs.map((_, at) => turns.slice(1).map(turn => turn[at] ?? NaN))
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
  rounds: number,
  { run, folder, commands, atMost, aim }: HashingCase,
): readonly Row[] {
  const cwd = run.workspace.root
  const peers: readonly Peer[] = [
    ...commands.map(command => ({ name: `\`${command}\``, run: shell(command, cwd) })),
    { name: 'plain `pipeline(createReadStream, hash)`', run: pipelineOf(folder, cwd) },
  ]
  const runs = [() => timeAction(run), ...peers.map(peer => peer.run)]
  const [ours = [], ...theirs] = takeTurns(rounds, runs)
  return peers.map(({ name }, at) => ({
    ...{ what, peer: name, unit: 'ms', ours, peers: theirs[at] ?? [] },
    ...(at === 0 ? { atMost, aim } : { atMost: null, aim: null }),
  }))
}

function hashFour(sizes: Sizes): readonly Row[] {
  const run = dryRun(makeBigFiles(4, sizes.bigMiB), 'big', 4)
  const cores = availableParallelism()
  const commands = [
    `ls big/* | xargs -P${cores} -n1 openssl dgst -sha256`,
    `ls big/* | xargs -P${cores} -n1 sha256sum`,
    'sha256sum big/*',
  ]
  const limits = { atMost: 1.25, aim: 1.1 }
  return compareHashing(`4 files of ${sizes.bigMiB} MiB`, sizes.rounds, {
    ...{ run, folder: 'big', commands, ...limits },
  })
}

function hashOne(sizes: Sizes): readonly Row[] {
  const run = dryRun(makeBigFiles(1, sizes.oneMiB), 'big', 1)
  const commands = ['openssl dgst -sha256 big/*', 'sha256sum big/*']
  const limits = { atMost: 1.3, aim: 1.0 }
  return compareHashing(`1 file of ${sizes.oneMiB} MiB`, sizes.rounds, {
    ...{ run, folder: 'big', commands, ...limits },
  })
}

function hashMany(sizes: Sizes): readonly Row[] {
  const run = dryRun(makeSmallFiles(sizes.smallFiles, true), 'small', sizes.smallFiles)
  const commands = ['find small -type f | xargs sha256sum']
  const limits = { atMost: 1.0, aim: 0.6 }
  return compareHashing(
    `${sizes.smallFiles} files of 4 to 12 KiB, finding them included`,
    sizes.rounds,
    {
      ...{ run, folder: 'small', commands, ...limits },
    },
  )
}

function startUp(sizes: Sizes): readonly Row[] {
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

async function registering(sizes: Sizes): Promise<readonly Row[]> {
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

async function scaling(sizes: Sizes): Promise<readonly Row[]> {
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

async function memory(sizes: Sizes): Promise<readonly Row[]> {
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

/** Every case by its name. */
export const cases = {
  'hash-4': hashFour,
  'hash-1': hashOne,
  'hash-many': hashMany,
  start: startUp,
  register: registering,
  scale: scaling,
  memory,
  bundle: bundleSize,
} as const satisfies Readonly<
  Record<string, (sizes: Sizes) => readonly Row[] | Promise<readonly Row[]>>
>

/** Runs each of the three main cases once with the profiler. */
export async function profileAll(folder: string, sizes: Sizes): Promise<void> {
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
