/** Compares the committed bundle with its peers, measured in the same rounds. Run by `npm run bench`. */
import { execSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { globSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { startArtifactService } from '../__tests__/support/artifact-service.ts'
import { cleanUp } from '../__tests__/support/clean-up.ts'
import { startGitHub } from '../__tests__/support/github.ts'
import { job, runAction, type RunOptions, type StepProcess } from '../__tests__/support/runner.ts'
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

/** A run of the action, and how it must end, so that no failed run is measured. */
interface BenchRun extends RunOptions {
  readonly workspace: Workspace
  readonly verdict?: string
  readonly artifacts?: number
}

/** What the action is compared with; `time` returns milliseconds. */
interface Peer {
  readonly name: string
  readonly time: () => number
}

const rounds = 7

/** Runs the action. Rejects if the result is not the expected one. */
async function timeAction({ verdict, artifacts = 0, ...run }: BenchRun) {
  rmSync(run.workspace.path('notarization-records.jsonl'), { force: true })
  let [startedAt, endedAt] = [NaN, NaN]
  const onStart = (child: StepProcess): void => {
    startedAt = performance.now()
    child.once('close', () => (endedAt = performance.now()))
  }
  const { outputs, stdout, visibleLog } = await runAction({ ...run, timeoutMs: 600_000, onStart })
  const isExpected =
    outputs['verdict'] === verdict && Number(outputs['artifact-count'] ?? 0) === artifacts
  if (isExpected) return { milliseconds: endedAt - startedAt, stdout }
  throw new Error(`a run ended with an unexpected result: ${visibleLog.slice(-2000)}`)
}

/** A command that must succeed. */
function shell(command: string, cwd = '.', name = command): Peer {
  const time = (): number => {
    const startedAt = performance.now()
    execSync(command, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    return performance.now() - startedAt
  }
  return { name: `\`${name}\``, time }
}

const startOfNode = shell(`exec "${process.execPath}" -e 0`, '.', 'node -e 0')

/** Alternates the action and its peer. The first round warms the caches and does not count. */
async function compare(what: string, run: BenchRun, { name, time }: Peer, atMost = 1.25) {
  const [ours, figures] = [new Array<number>(), new Array<number>()]
  for (let round = 0; round <= rounds; round += 1) {
    ours.push((await timeAction(run)).milliseconds)
    figures.push(time())
  }
  const peer = { name, figures: figures.slice(1) }
  return [{ what, unit: 'ms', ours: ours.slice(1), atMost, peer }] as const
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

/** Calls `work` with a run that registers small files at a service with this latency. */
async function registering<T>(
  artifacts: number,
  latencyMs: number,
  work: (run: BenchRun) => Promise<T>,
): Promise<T> {
  const options = { requested: 'any', repeat: 'accept', latencyMs: () => latencyMs } as const
  const service = await startSimulator(options)
  const inputs = {
    'api-key': DEFAULT_API_KEY,
    'base-url': service.url,
    subscription: JSON.stringify(exampleSubscription),
    path: 'small',
    concurrency: '8',
    'max-registrations': '1000000',
  }
  const workspace = makeSmallFiles(artifacts)
  return work({ workspace, inputs, verdict: 'registered', artifacts }).finally(service.close)
}

const cases: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  start: () => {
    const run = dryRun(makeWorkspace({ 'one.bin': 'one' }), 'one.bin', 1)
    return compare('dry run of one small file', run, startOfNode, 6)
  },

  post: () => {
    const run = { workspace: makeWorkspace(), state: {} }
    return compare('post step with nothing to keep', run, startOfNode, 2)
  },

  bundle: () => {
    const cwd = join(import.meta.dirname, '../dist')
    const sizes = globSync('**/*.js', { cwd }).map(file => statSync(join(cwd, file)).size)
    const ours = [sizes.reduce((sum, size) => sum + size) / 1e6]
    return Promise.resolve([{ what: 'all bundles', unit: 'MB', ours, atMost: 4.6 }])
  },

  register: () =>
    registering(200, 100, run => {
      const peer = { name: 'a login and 25 rounds of 8, computed', time: () => 2600 }
      return compare('200 registrations, 100 ms latency, 8 at once', run, peer)
    }),

  /** Of the step itself: the post step is not measured. */
  keep: () =>
    registering(200, 0, async run => {
      const { env } = await startArtifactService()
      const ours: number[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const inputs = { ...run.inputs, 'keep-records': 'false' }
        const without = await timeAction({ ...run, env, inputs })
        ours.push((await timeAction({ ...run, env })).milliseconds - without.milliseconds)
      }
      const what = 'keeping the records of 200 registrations'
      return [{ what, unit: 'ms', ours: ours.slice(1), atMost: 1500 }]
    }),

  /** V8 takes twice as much where it may, to collect less often. */
  memory: () =>
    registering(8000, 0, async run => {
      const nodeArguments = ['--max-old-space-size=90', '--trace-gc']
      const { stdout } = await timeAction({ ...run, nodeArguments })
      // What is left after a collection lives: `Mark-Compact 54.2 (98.5) -> 17.3 (97.4) MB`.
      const left = stdout.matchAll(/Mark-Compact.*? -> (\d+\.\d+) /g)
      const ours = [Math.max(...Array.from(left, ([, mebibytes]) => Number(mebibytes)))]
      return [{ what: 'heap that lives, 8000 registrations', unit: 'MiB', ours, atMost: 90 }]
    }),

  'hash-large': () => {
    const run = dryRun(makeWorkspace(), 'big', 4)
    const make = 'mkdir big; for n in 1 2 3 4; do head -c 512M /dev/urandom > big/$n; done'
    shell(make, run.workspace.root).time()
    const command = `ls big/* | xargs -P${availableParallelism()} -n1 openssl dgst -sha256`
    return compare('4 files of 512 MiB', run, shell(command, run.workspace.root))
  },

  'hash-many': () => {
    const run = dryRun(makeSmallFiles(20_000), 'small', 20_000)
    const peer = shell('find small -type f | xargs sha256sum', run.workspace.root)
    return compare('20,000 files of 4 to 12 KiB, including the search', run, peer)
  },

  /** Its assets have digests, so they are not downloaded. */
  release: () => {
    const what = 'a release of 1,000 assets with digests'
    const assets = Array.from({ length: 1000 }, (_, index) => {
      return { name: `app-${index}.tar.gz`, content: String(index) }
    })
    return registering(0, 20, async run => {
      const [beyond, calls] = [new Array<number>(), new Array<number>()]
      for (let round = 0; round < rounds; round += 1) {
        const tags = { [job.refName]: { commit: job.sha } }
        const github = await startGitHub({ releases: [{ tag: job.refName, assets }], tags })
        const source = { 'release-tag': job.refName, 'github-token': github.token }
        const inputs = { ...run.inputs, ...source, path: '', concurrency: '64' }
        const env = { GITHUB_API_URL: github.url }
        const { milliseconds } = await timeAction({ ...run, inputs, env, artifacts: 1000 })
        // A login and 16 rounds of 64.
        beyond.push(milliseconds - 17 * 20)
        calls.push(github.calls.length)
      }
      return [
        { what: `${what}, calls to GitHub`, unit: 'calls', ours: calls, atMost: 12 },
        { what: `${what}, time beyond the service`, unit: 'ms', ours: beyond, atMost: 1000 },
      ]
    })
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

Usage: npm run bench -- [CASE]

  CASE    one of ${Object.keys(cases).join(', ')} (default: all)
  --help  print this
`

const { words } = readCommandLine(HELP, {}, 1)
const selected = words.length === 0 ? Object.keys(cases) : words
const measures = selected.map(name => cases[name] ?? stopForUsage(`there is no case "${name}"`))
await runCommand(async () => {
  const [load = 0] = loadavg()
  if (load > availableParallelism() / 2) {
    console.error(`bench: the load is ${load.toFixed(1)}; run it again on an idle machine`)
  }
  console.log('| what | ours | peer | ratio | at most | met |\n|---|---|---|---|---|---|')
  for (const measure of measures) {
    for (const row of await measure()) console.log(tableRow(row))
    cleanUp()
  }
  return true
})
