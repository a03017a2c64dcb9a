/** Compares the committed bundle with its peers, measured in the same rounds. Run by `npm run bench`. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { globSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { startArtifactService } from '../__tests__/support/artifact-service.ts'
import { cleanUp, onCleanUp } from '../__tests__/support/clean-up.ts'
import { startGitHub } from '../__tests__/support/github.ts'
import { job, runAction, type RunOptions } from '../__tests__/support/runner.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'

/** A run of the action, which must succeed with this number of artifacts, so that no other run is measured. */
interface BenchRun extends RunOptions {
  readonly workspace: Workspace
  readonly artifacts: number
}

/** A shell command that the action is compared with; the ratio is at most `atMost`. */
interface Peer {
  readonly name: string
  readonly command: string
  readonly cwd: string
  readonly atMost: number
}

const root = join(import.meta.dirname, '..')
const rounds = 7

/** Runs the action. Rejects if the result is not the expected one. */
async function timeAction({ artifacts, ...run }: BenchRun) {
  rmSync(run.workspace.path('notarization-records.jsonl'), { force: true })
  let [startedAt, endedAt] = [NaN, NaN]
  const onStart: RunOptions['onStart'] = child => {
    startedAt = performance.now()
    child.once('close', () => (endedAt = performance.now()))
  }
  const { exitCode, outputs, ...ended } = await runAction({ ...run, timeoutMs: 600_000, onStart })
  const result = [exitCode, Number(outputs['artifact-count'])]
  assert.deepEqual(result, [0, artifacts], ended.visibleLog.slice(-2000))
  return { milliseconds: endedAt - startedAt, stdout: ended.stdout }
}

async function timePeer({ command, cwd }: Peer): Promise<number> {
  const startedAt = performance.now()
  const shell = spawn('sh', ['-c', command], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  assert.deepEqual(await once(shell, 'close'), [0, null], command)
  return performance.now() - startedAt
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

function print(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

/** Prints a figure of ours and its limit. */
function printFigure(what: string, ours: readonly number[], atMost: number, unit: string): void {
  const figure = median(ours)
  const digits = unit === 'MB' ? 2 : 0
  print(what, `${figure.toFixed(digits)} ${unit}`, '', '', atMost, figure <= atMost ? 'yes' : 'NO')
}

/**
 * Measures the action and its peers in turn, and prints the medians and the median of the ratios per round. The first round
 * warms the caches and does not count.
 */
async function compare(what: string, run: BenchRun, ...peers: readonly Peer[]): Promise<void> {
  const measured: (readonly number[])[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const figures = [(await timeAction(run)).milliseconds]
    for (const peer of peers) figures.push(await timePeer(peer))
    if (round > 0) measured.push(figures)
  }
  const ours = median(measured.map(([figure = NaN]) => figure)).toFixed(0)
  for (const [index, { name, atMost }] of peers.entries()) {
    const theirs = measured.map(figures => figures[index + 1] ?? NaN)
    const ratio = median(measured.map(([figure = NaN], round) => figure / (theirs[round] ?? NaN)))
    const peer = `\`${name.replaceAll('|', '\\|')}\`: ${median(theirs).toFixed(0)} ms`
    print(what, `${ours} ms`, peer, ratio.toFixed(2), atMost, ratio <= atMost ? 'yes' : 'NO')
  }
}

/** Runs the action once, and returns the largest number that a pattern finds in its log. */
async function findLargest(run: BenchRun, pattern: RegExp): Promise<readonly number[]> {
  const { stdout } = await timeAction(run)
  return [Math.max(...Array.from(stdout.matchAll(pattern), ([, number]) => Number(number)))]
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
  return { workspace, inputs, artifacts }
}

/** Starts a service, and returns it with a run that registers small files there. */
async function registering(artifacts: number, latencyMs: number) {
  const options = { requested: 'any', repeat: 'accept', latencyMs: () => latencyMs } as const
  const service = await startSimulator(options)
  onCleanUp(() => void service.close())
  const inputs = {
    'api-key': DEFAULT_API_KEY,
    'base-url': service.url,
    subscription: JSON.stringify(exampleSubscription),
    path: 'small',
    concurrency: '8',
    'max-registrations': '1000000',
  }
  return { service, run: { workspace: makeSmallFiles(artifacts), inputs, artifacts } }
}

function hashLarge(count: number, size: string, atMost: number): Promise<void> {
  const { root: cwd, ...workspace } = makeWorkspace({ 'big/0': '' })
  const command = `for n in $(seq ${count}); do head -c ${size} /dev/urandom > big/$n; done; rm big/0`
  execFileSync('sh', ['-c', command], { cwd })
  const name = 'openssl dgst -sha256 big/*'
  const run = dryRun({ root: cwd, ...workspace }, 'big', count)
  return compare(`${count} x ${size}iB`, run, { name, command: name, cwd, atMost })
}

const asAttest = `
  import { createHash } from "node:crypto"
  import { createReadStream, statSync } from "node:fs"
  import { pipeline } from "node:stream/promises"
  import { create } from "@actions/glob"
  for (const file of await (await create(process.argv[1])).glob()) {
    if (statSync(file).isFile()) await pipeline(createReadStream(file), createHash("sha256"))
  }`

const cases: Readonly<Record<string, () => Promise<void> | void>> = {
  start: () => {
    const run = dryRun(makeWorkspace({ 'one.bin': 'one' }), 'one.bin', 1)
    const command = `exec "${process.execPath}" -e 0`
    const peer = { name: 'node -e 0', command, cwd: root, atMost: 6 }
    return compare('dry run of one small file', run, peer)
  },

  bundle: () => {
    const files = globSync('dist/**/*.js', { cwd: root })
    const ours = [files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0) / 1e6]
    printFigure('all bundles', ours, 4.6, 'MB')
  },

  register: async () => {
    const { service, run } = await registering(200, 100)
    await timeAction(run)
    const headers = `-H 'content-type: application/json' -H 'authorization: Bearer ${service.tokens[0]}'`
    const data = `-o /dev/null -d '${JSON.stringify(exampleSubscription)}'`
    const url = `'${service.url}/api/v2/registration/[1-200]/forfait'`
    const command = `curl -sSfZ --parallel-max 8 ${headers} ${data} ${url} 2>&1`
    const peer = { name: 'curl -Z --parallel-max 8', command, cwd: root, atMost: 1.25 }
    return compare('200 registrations, 100 ms latency, 8 at once', run, peer)
  },

  keep: async () => {
    const { run } = await registering(200, 0)
    const { env } = await startArtifactService()
    const ours: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const inputs = { ...run.inputs, 'keep-records': 'false' }
      const without = await timeAction({ ...run, env, inputs })
      ours.push((await timeAction({ ...run, env })).milliseconds - without.milliseconds)
    }
    printFigure('keeping the records of 200 registrations', ours, 1500, 'ms')
  },

  /** V8 takes twice as much where it may, to collect less often. */
  heap: async () => {
    const { run } = await registering(8000, 0)
    const nodeArguments = ['--max-old-space-size=90', '--trace-gc']
    // What is left after a collection lives: `Mark-Compact 54.2 (98.5) -> 17.3 (97.4) MB`.
    const pattern = /Mark-Compact.*? -> (\d+\.\d+) /g
    const ours = await findLargest({ ...run, nodeArguments }, pattern)
    printFigure('heap that lives, 8,000 registrations', ours, 90, 'MiB')
  },

  peak: async () => {
    const { run } = await registering(8000, 0)
    const inputs = { ...run.inputs, concurrency: '16' }
    const report = `process.on('exit', () => {
      const status = process.getBuiltinModule('fs').readFileSync('/proc/self/status', 'utf8')
      console.log('peak', Number(/VmHWM:\\s*(\\d+)/.exec(status)[1]) / 1024)
    })`
    const nodeArguments = [`--import=data:text/javascript,${encodeURIComponent(report)}`]
    const ours = await findLargest({ ...run, inputs, nodeArguments }, /^peak (.+)$/gm)
    printFigure('peak memory, 8,000 registrations, 16 at once', ours, 240, 'MiB')
  },

  'hash-large': () => hashLarge(4, '512M', 1.25),
  'hash-one': () => hashLarge(1, '1G', 1.3),

  'hash-many': () => {
    const run = dryRun(makeSmallFiles(20_000), 'small', 20_000)
    const { root: cwd, path } = run.workspace
    const name = 'find small -type f | xargs sha256sum'
    const sums = { name, command: name, cwd, atMost: 3.5 }
    const command = `"${process.execPath}" --input-type=module -e '${asAttest}' ${path('small')}`
    const attest = { name: 'the way of actions/attest', command, cwd: root, atMost: 0.6 }
    return compare('20,000 files of 4 to 12 KiB, including the search', run, sums, attest)
  },

  /** Its assets have digests, so they are not downloaded. */
  release: async () => {
    const { run } = await registering(0, 0)
    const assets = Array.from({ length: 1000 }, (_, index) => {
      return { name: `app-${index}.tar.gz`, content: String(index) }
    })
    const tags = { [job.refName]: { commit: job.sha } }
    const github = await startGitHub({ releases: [{ tag: job.refName, assets }], tags })
    const source = { 'release-tag': job.refName, 'github-token': github.token, path: '' }
    const env = { GITHUB_API_URL: github.url }
    await timeAction({ ...run, inputs: { ...run.inputs, ...source }, env, artifacts: 1000 })
    printFigure('a release of 1,000 assets with digests', [github.calls.length], 12, 'calls')
  },
}

const HELP = `Compares the action with its peers and prints a table in Markdown.

Usage: npm run bench -- [CASE...]

  CASE    ${Object.keys(cases).join(', ')} (default: all)
  --help  print this`

const { words } = readCommandLine(HELP, {}, true)
const selected = words.length === 0 ? Object.keys(cases) : words
const measures = selected.map(name => cases[name] ?? stopForUsage(`there is no case "${name}"`))
await runCommand(async () => {
  const [load = 0] = loadavg()
  if (load > availableParallelism() / 2) {
    console.error(`bench: the load is ${load.toFixed(1)}; run it again on an idle machine`)
  }
  print('what', 'ours', 'peer', 'ratio', 'at most', 'met')
  print('---', '---', '---', '---', '---', '---')
  for (const measure of measures) {
    await measure()
    cleanUp()
  }
  return true
})
