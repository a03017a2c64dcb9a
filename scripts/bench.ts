/** Compares the committed bundle with its peers, measured in the same rounds. Run by `npm run bench`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from '../__tests__/support/clean-up.ts'
import { startGitHub } from '../__tests__/support/github.ts'
import { job, type Values } from '../__tests__/support/runner-environment.ts'
import { runAction, type RunOptions } from '../__tests__/support/runner.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'

/** A line of the table. */
interface Row {
  readonly what: string
  readonly unit: 'ms' | 'MiB' | 'MB' | 'calls'
  readonly ours: readonly number[]
  /** Limit for the median of ours, or with a peer for the median of the ratios per round. */
  readonly atMost: number
  readonly peer?: { readonly name: string; readonly figures: readonly number[] }
}

/** Measures a case; a scale of 1 is the full size. */
type Measure = (scale: number, rounds: number) => readonly Row[] | Promise<readonly Row[]>

/** A run of the action; with a result, so that no failed run is measured. */
interface BenchRun extends RunOptions {
  readonly workspace: Workspace
  readonly verdict?: string
  readonly artifacts?: number
}

/** Measures the duration and the peak memory of a process; `peakMiB` is NaN if the system does not report it. */
async function measure(child: ChildProcess) {
  const startedAt = performance.now()
  const status = `/proc/${child.pid}/status`
  let peakMiB = NaN
  const timer = setInterval(() => {
    const text = existsSync(status) ? readFileSync(status, 'utf8') : ''
    const [, peakKiB] = /VmHWM:\s*(\d+)/.exec(text) ?? []
    if (peakKiB !== undefined) peakMiB = Number(peakKiB) / 1024
  }, 100)
  await once(child, 'close')
  clearInterval(timer)
  return { milliseconds: performance.now() - startedAt, peakMiB }
}

/** Runs the action. Rejects if the result is not the expected one. */
async function measureAction(run: BenchRun) {
  rmSync(run.workspace.path('notarization-records.jsonl'), { force: true })
  const measuring = Promise.withResolvers<Awaited<ReturnType<typeof measure>>>()
  const onStart = (child: ChildProcess): void => {
    measuring.resolve(measure(child))
  }
  const { outputs, visibleLog } = await runAction({ ...run, timeoutMs: 600_000, onStart })
  const { verdict, 'artifact-count': count } = outputs
  if (verdict === run.verdict && Number(count ?? 0) === (run.artifacts ?? 0))
    return measuring.promise
  throw new Error(`a run ended with an unexpected result: ${visibleLog.slice(-2000)}`)
}

/** Runs a program and returns its milliseconds. Rejects if it fails. */
async function timeProgram(program: string, args: readonly string[], cwd = '.'): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const { milliseconds } = await measure(child)
  if (child.exitCode === 0) return milliseconds
  throw new Error(`${program} ${args.join(' ')} failed`)
}

interface Comparison extends Pick<Row, 'what' | 'atMost'> {
  readonly rounds: number
  readonly run: BenchRun
  /** The name of the peer, and a function that returns its milliseconds. */
  readonly name: string
  readonly time: () => Promise<number>
}

/** Alternates the action and its peer. The first round warms the caches and does not count. */
async function compare(comparison: Comparison): Promise<readonly Row[]> {
  const { what, atMost, rounds, run, name, time } = comparison
  const [ours, figures] = [new Array<number>(), new Array<number>()]
  for (let round = 0; round <= rounds; round += 1) {
    ours.push((await measureAction(run)).milliseconds)
    figures.push(await time())
  }
  const peer = { name, figures: figures.slice(1) }
  return [{ what, unit: 'ms', ours: ours.slice(1), atMost, peer }]
}

/** Compares a run with the start of Node. */
function compareStart(comparison: Omit<Comparison, 'name' | 'time'>) {
  const time = () => timeProgram(process.execPath, ['-e', '0'])
  return compare({ ...comparison, rounds: comparison.rounds * 3, name: '`node -e 0`', time })
}

/** Compares a dry run with a shell command. */
function compareHashing(command: string, comparison: Omit<Comparison, 'name' | 'time'>) {
  const time = () => timeProgram('sh', ['-c', command], comparison.run.workspace.root)
  return compare({ ...comparison, name: `\`${command}\``, time })
}

/** Makes files of 4 to 12 KiB, 100 per folder. */
function makeSmallFiles(count: number): Workspace {
  const workspace = makeWorkspace()
  const noise = randomFillSync(Buffer.alloc(12 * 1024))
  for (let index = 0; index < count; index += 1) {
    noise.writeUInt32LE(index)
    const name = `small/${Math.floor(index / 100)}/file-${index}.bin`
    workspace.write(name, noise.subarray(0, 4096 + ((index * 2663) % 8193)))
  }
  return workspace
}

function dryRun(workspace: Workspace, path: string, artifacts: number): BenchRun {
  const inputs = { path, 'dry-run': 'true', 'max-registrations': '1000000' }
  return { workspace, inputs, verdict: 'dry-run', artifacts }
}

/** Calls `work` with the inputs for a slow service. */
async function withService<T>(latencyMs: number, work: (inputs: Values) => Promise<T>): Promise<T> {
  const options = { requested: 'any', repeat: 'accept', latencyMs: () => latencyMs } as const
  const service = await startSimulator(options)
  try {
    return await work({
      'api-key': DEFAULT_API_KEY,
      'base-url': service.url,
      subscription: JSON.stringify(exampleSubscription),
      'max-registrations': '1000000',
    })
  } finally {
    await service.close()
  }
}

const cases: Readonly<Record<string, Measure>> = {
  start: (_, rounds) => {
    const run = dryRun(makeWorkspace({ 'one.bin': 'one' }), 'one.bin', 1)
    return compareStart({ what: 'dry run of one small file', atMost: 6, rounds, run })
  },

  post: (_, rounds) => {
    const run = { workspace: makeWorkspace(), postAfter: { state: {} } }
    return compareStart({ what: 'post step with nothing to keep', atMost: 2, rounds, run })
  },

  bundle: () => {
    const cwd = join(import.meta.dirname, '../dist')
    const sizes = globSync('**/*.js', { cwd }).map(file => statSync(join(cwd, file)).size)
    const bytes = sizes.reduce((sum, size) => sum + size)
    return [{ what: 'all bundles', unit: 'MB', ours: [bytes / 1e6], atMost: 4.6 }]
  },

  register: (scale, rounds) => {
    const artifacts = 200 * scale
    const boundMs = (1 + Math.ceil(artifacts / 8)) * 100
    const workspace = makeSmallFiles(artifacts)
    return withService(100, common => {
      const inputs = { ...common, path: 'small', concurrency: '8' }
      return compare({
        what: `${artifacts} registrations, 100 ms latency, 8 at once`,
        atMost: 1.25,
        rounds,
        run: { workspace, inputs, verdict: 'registered', artifacts },
        name: 'a login and rounds of 8, computed',
        time: () => Promise.resolve(boundMs),
      })
    })
  },

  memory: async scale => {
    const artifacts = 8000 * scale
    const workspace = makeSmallFiles(artifacts)
    const { peakMiB } = await withService(0, common => {
      const inputs = { ...common, path: 'small', concurrency: '8' }
      return measureAction({ workspace, inputs, verdict: 'registered', artifacts })
    })
    const what = `peak memory, ${artifacts} registrations`
    return [{ what, unit: 'MiB', ours: [peakMiB], atMost: 200 }]
  },

  'hash-large': async (scale, rounds) => {
    const mebibytes = Math.ceil(512 * scale)
    const run = dryRun(makeWorkspace(), 'big', 4)
    const make = `mkdir big; for n in 1 2 3 4; do head -c ${mebibytes}M /dev/urandom > big/$n; done`
    await timeProgram('sh', ['-c', make], run.workspace.root)
    const command = `ls big/* | xargs -P${availableParallelism()} -n1 openssl dgst -sha256`
    const what = `4 files of ${mebibytes} MiB`
    return compareHashing(command, { what, atMost: 1.25, rounds, run })
  },

  'hash-many': (scale, rounds) => {
    const run = dryRun(makeSmallFiles(20_000 * scale), 'small', 20_000 * scale)
    const what = `${20_000 * scale} files of 4 to 12 KiB, including the search`
    const command = 'find small -type f | xargs sha256sum'
    return compareHashing(command, { what, atMost: 1, rounds, run })
  },

  /** Of 100 GB; its assets have digests, so they are not downloaded. */
  release: async (scale, rounds) => {
    const artifacts = 1000 * scale
    const boundMs = (1 + Math.ceil(artifacts / 64)) * 20
    const assets = Array.from({ length: artifacts }, (_, index) => {
      return { name: `app-${index}.tar.gz`, content: String(index), size: 100_000_000 }
    })
    const [beyond, calls] = [new Array<number>(), new Array<number>()]
    for (let round = 0; round < rounds; round += 1) {
      const tags = { [job.refName]: { commit: job.sha } }
      const github = await startGitHub({ releases: [{ tag: job.refName, assets }], tags })
      const { milliseconds } = await withService(20, common => {
        const inputs = {
          ...common,
          concurrency: '64',
          'release-tag': job.refName,
          'attach-to-release': 'true',
          'github-token': github.token,
        }
        const env = { GITHUB_API_URL: github.url }
        const workspace = makeWorkspace()
        return measureAction({ workspace, inputs, env, verdict: 'registered', artifacts })
      })
      beyond.push(milliseconds - boundMs)
      calls.push(github.calls.length)
    }
    const what = `a release of ${artifacts} assets with digests`
    return [
      { what: `${what}, calls to GitHub`, unit: 'calls', ours: calls, atMost: 20 },
      { what: `${what}, time beyond the service`, unit: 'ms', ours: beyond, atMost: 1000 },
    ]
  },
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

function tableRow({ what, unit, ours, atMost, peer }: Row): string {
  const format = (value: number): string => `${value.toFixed(unit === 'MB' ? 2 : 0)} ${unit}`
  const cells = [what, format(median(ours))]
  let figure = median(ours)
  if (peer === undefined) cells.push('', '', format(atMost))
  else {
    figure = median(ours.map((value, index) => value / (peer.figures[index] ?? NaN)))
    cells.push(`${peer.name.replaceAll('|', '\\|')}: ${format(median(peer.figures))}`)
    cells.push(figure.toFixed(2), atMost.toFixed(2))
  }
  return `| ${cells.join(' | ')} | ${figure <= atMost ? 'yes' : 'NO'} |`
}

const HELP = `Compares the action with its peers and prints a table in Markdown.

Usage: npm run bench -- [options] [CASE]

  CASE     one of ${Object.keys(cases).join(', ')} (default: all)
  --quick  a tenth of the size and few rounds; the limits apply to the full size
  --help   print this
`

const { options, words } = readCommandLine(HELP, { quick: { type: 'boolean', default: false } }, 1)
const selected = words.length === 0 ? Object.keys(cases) : words
const measures = selected.map(name => cases[name] ?? stopForUsage(`there is no case "${name}"`))
await runCommand(async () => {
  const [load = 0] = loadavg()
  if (load > availableParallelism() / 2) {
    console.error(`bench: the load is ${load.toFixed(1)}; run it again on an idle machine`)
  }
  console.log('| what | ours | peer | ratio | at most | met |\n|---|---|---|---|---|---|')
  for (const measureCase of measures) {
    const rows = options.quick ? await measureCase(0.1, 2) : await measureCase(1, 7)
    for (const row of rows) console.log(tableRow(row))
    cleanUp()
  }
  return true
})
