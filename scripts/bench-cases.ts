/** What the benchmark measures: each case gives rows of figures, taken in the same run as those of its peers. */
import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import { concurrency, dryRun, makeBigFiles, makeSmallFiles, registerRun } from './bench-files.ts'
import { measurePeakMiB, withSimulator, time, timeAction } from './bench-run.ts'
import type { ActionRun } from './bench-run.ts'

const REPOSITORY = resolve(import.meta.dirname, '..')
/** Sizes of the cases, and how often each is run. */
const full = {
  ...{ bigMiB: 512, oneMiB: 1024, smallFiles: 20_000, registrations: 200, few: 1000, many: 8000 },
  ...{ rounds: 7, startRounds: 25, registerRounds: 5, scaleRounds: 5 },
} as const
const small: Sizes = {
  ...{ bigMiB: 64, oneMiB: 128, smallFiles: 2000, registrations: 40, few: 100, many: 800 },
  ...{ rounds: 3, startRounds: 5, registerRounds: 2, scaleRounds: 2 },
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

interface HashingCase {
  readonly what: string
  /** A dry run over one folder. */
  readonly run: ActionRun
  /** The first is the one that counts; a plain pipeline is added. */
  readonly commands: readonly string[]
  readonly atMost: number
  readonly aim: number
}

function compareHashing(
  rounds: number,
  { what, run, commands, atMost, aim }: HashingCase,
): readonly Row[] {
  const cwd = run.workspace.root
  const { path: folder = '' } = run.inputs
  const script = [process.execPath, '--input-type=module', '--eval', pipelineScript, folder]
  const peers = [
    ...commands.map(command => ({ peer: `\`${command}\``, words: ['sh', '-c', command] })),
    { peer: 'plain `pipeline(createReadStream, hash)`', words: script },
  ]
  const runs = [
    () => timeAction(run),
    ...peers.map(
      ({ words }) =>
        () =>
          time(words, { cwd }),
    ),
  ]
  const [ours = [], ...theirs] = takeTurns(rounds, runs)
  return peers.map(({ peer }, at) => ({
    ...{ what, peer, unit: 'ms', ours, peers: theirs[at] ?? [] },
    ...(at === 0 ? { atMost, aim } : { atMost: null, aim: null }),
  }))
}

const hashFour = ({ bigMiB, rounds }: Sizes): readonly Row[] =>
  compareHashing(rounds, {
    what: `4 files of ${bigMiB} MiB`,
    run: dryRun(makeBigFiles(4, bigMiB), 'big', 4),
    commands: [
      `ls big/* | xargs -P${availableParallelism()} -n1 openssl dgst -sha256`,
      `ls big/* | xargs -P${availableParallelism()} -n1 sha256sum`,
      'sha256sum big/*',
    ],
    ...{ atMost: 1.25, aim: 1.1 },
  })

const hashOne = ({ oneMiB, rounds }: Sizes): readonly Row[] =>
  compareHashing(rounds, {
    what: `1 file of ${oneMiB} MiB`,
    run: dryRun(makeBigFiles(1, oneMiB), 'big', 1),
    commands: ['openssl dgst -sha256 big/*', 'sha256sum big/*'],
    ...{ atMost: 1.3, aim: 1.0 },
  })

const hashMany = ({ smallFiles, rounds }: Sizes): readonly Row[] =>
  compareHashing(rounds, {
    what: `${smallFiles} files of 4 to 12 KiB, finding them included`,
    run: dryRun(makeSmallFiles(smallFiles, true), 'small', smallFiles),
    commands: ['find small -type f | xargs sha256sum'],
    ...{ atMost: 1.0, aim: 0.6 },
  })

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

async function registering({ registrations, registerRounds }: Sizes): Promise<readonly Row[]> {
  const rounds = Math.ceil(registrations / concurrency)
  const files = makeSmallFiles(registrations, false)
  const [ours = []] = await withSimulator(latencyMs, url => {
    const run = registerRun(files, url, registrations)
    return takeTurns(registerRounds, [() => timeAction(run)])
  })
  const what = `${registrations} registrations, ${latencyMs} ms latency, concurrency ${concurrency}`
  const peer = `login + ${rounds} rounds of ${latencyMs} ms, computed`
  const peers = ours.map(() => (1 + rounds) * latencyMs)
  return [{ what, peer, unit: 'ms', ours, peers, atMost: 1.15, aim: 1.08 }]
}

async function scaling({ few, many, scaleRounds }: Sizes): Promise<readonly Row[]> {
  const [fewer, more] = [makeSmallFiles(few, false), makeSmallFiles(many, false)]
  const [ours, peers] = [new Array<number>(), new Array<number>()]
  for (let round = 0; round < scaleRounds; round += 1) {
    // A new one each round: what it remembers would make the later rounds slower. The first run warms it up.
    await withSimulator(0, url => {
      timeAction(registerRun(fewer, url, few))
      peers.push(timeAction(registerRun(fewer, url, few)) / few)
      ours.push(timeAction(registerRun(more, url, many)) / many)
    })
  }
  const what = `cost per artifact with ${many} artifacts, no latency`
  return [
    { what, peer: `itself with ${few}`, unit: 'ms each', ours, peers, atMost: 1.15, aim: 1.0 },
  ]
}

async function memory({ bigMiB, many }: Sizes): Promise<readonly Row[]> {
  const peaks = (run: ActionRun): readonly number[] => [1, 2, 3].map(() => measurePeakMiB(run))
  const files = makeSmallFiles(many, false)
  const hashing = peaks(dryRun(makeBigFiles(4, bigMiB), 'big', 4))
  const registration = await withSimulator(0, url => peaks(registerRun(files, url, many)))
  return [
    { what: `peak memory, 4 files of ${bigMiB} MiB`, ours: hashing },
    { what: `peak memory, ${many} registrations`, ours: registration },
  ].map(row => ({ ...row, peer: '', unit: 'MiB', peers: [], atMost: 160, aim: 100 }))
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
export async function profileAll(
  folder: string,
  { bigMiB, smallFiles, many }: Sizes,
): Promise<void> {
  const profile = (name: string, run: ActionRun): void => {
    const to = `--cpu-prof-dir=${resolve(folder, name)}`
    timeAction({ ...run, nodeArguments: ['--cpu-prof', to] })
  }
  profile('hash-4', dryRun(makeBigFiles(4, bigMiB), 'big', 4))
  profile('hash-many', dryRun(makeSmallFiles(smallFiles, true), 'small', smallFiles))
  await withSimulator(0, url => {
    profile('register', registerRun(makeSmallFiles(many, false), url, many))
  })
}
