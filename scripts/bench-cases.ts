/** The benchmarks. Each returns rows; a peer is measured in the same run. */
import { randomFillSync } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startGitHub } from '../__tests__/support/github.ts'
import { job, type Values } from '../__tests__/support/runner-environment.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import { measureAction, timeProgram, type BenchRun } from './bench-run.ts'

/** One line of the table. */
export interface Row {
  readonly what: string
  readonly unit: 'ms' | 'MiB' | 'MB' | 'calls'
  readonly ours: readonly number[]
  /** Limit for the median of ours, or with a peer for the median of the ratios per round. */
  readonly atMost: number
  /** A comparable program, measured in the same rounds. */
  readonly peer?: { readonly name: string; readonly figures: readonly number[] }
}

interface Comparison {
  readonly what: string
  readonly atMost: number
  readonly rounds: number
  readonly run: BenchRun
  /** The name of the peer, and a function that returns its milliseconds. */
  readonly name: string
  readonly measure: () => Promise<number>
}

/** Alternates the action and its peer. The first round warms the caches and does not count. */
async function compare(comparison: Comparison): Promise<readonly Row[]> {
  const { what, atMost, rounds, run, name, measure } = comparison
  const [ours, figures] = [new Array<number>(), new Array<number>()]
  for (let round = 0; round <= rounds; round += 1) {
    ours.push((await measureAction(run)).milliseconds)
    figures.push(await measure())
  }
  const counted = { name, figures: figures.slice(1) }
  return [{ what, unit: 'ms', ours: ours.slice(1), atMost, peer: counted }]
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
  const service = await startSimulator({ requested: 'any', repeat: 'accept', latencyMs })
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

/** Measures a case; a scale of 1 is the full size. */
type Measure = (scale: number, rounds: number) => readonly Row[] | Promise<readonly Row[]>

const start: Measure = (_scale, rounds) =>
  compare({
    what: 'dry run of one small file, from start to end',
    atMost: 6,
    rounds: rounds * 3,
    run: dryRun(makeWorkspace({ 'one.bin': 'one' }), 'one.bin', 1),
    name: '`node -e 0`',
    measure: () => timeProgram([process.execPath, '-e', '0'], '.'),
  })

/** All code that the main action can load. */
const bundle: Measure = () => {
  const cwd = join(import.meta.dirname, '..')
  const files = globSync(['dist/*.js', 'dist/hash-worker/*.js'], { cwd })
  const bytes = files.reduce((sum, file) => sum + statSync(join(cwd, file)).size, 0)
  const what = 'all JavaScript that the main action can load'
  return [{ what, unit: 'MB', ours: [bytes / 1e6], atMost: 2.6 }]
}

const register: Measure = (scale, rounds) => {
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
      measure: () => Promise.resolve(boundMs),
    })
  })
}

const memory: Measure = async scale => {
  const artifacts = 8000 * scale
  const workspace = makeSmallFiles(artifacts)
  const { peakMiB } = await withService(0, common => {
    const inputs = { ...common, path: 'small', concurrency: '8' }
    return measureAction({ workspace, inputs, verdict: 'registered', artifacts })
  })
  const what = `peak memory, ${artifacts} registrations`
  return [{ what, unit: 'MiB', ours: [peakMiB], atMost: 200 }]
}

/** Compares a dry run with a shell command. */
function compareHashing(run: BenchRun, command: string) {
  const measure = () => timeProgram(['sh', '-c', command], run.workspace.root)
  return { run, name: `\`${command}\``, measure }
}

const hashLarge: Measure = async (scale, rounds) => {
  const mebibytes = Math.ceil(512 * scale)
  const run = dryRun(makeWorkspace(), 'big', 4)
  const make = `mkdir big; for n in 1 2 3 4; do head -c ${mebibytes}M /dev/urandom > big/$n; done`
  await timeProgram(['sh', '-c', make], run.workspace.root)
  const command = `ls big/* | xargs -P${availableParallelism()} -n1 openssl dgst -sha256`
  const what = `4 files of ${mebibytes} MiB`
  return compare({ what, atMost: 1.25, rounds, ...compareHashing(run, command) })
}

const hashMany: Measure = (scale, rounds) => {
  const run = dryRun(makeSmallFiles(20_000 * scale), 'small', 20_000 * scale)
  const what = `${20_000 * scale} files of 4 to 12 KiB, including the search`
  const peer = compareHashing(run, 'find small -type f | xargs sha256sum')
  return compare({ what, atMost: 1, rounds, ...peer })
}

/** A release of 100 GB. Its assets have digests, so they are not downloaded. */
const release: Measure = async (scale, rounds) => {
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
}

/** All cases by name. */
export const cases: Readonly<Record<string, Measure>> = {
  start,
  bundle,
  register,
  memory,
  'hash-large': hashLarge,
  'hash-many': hashMany,
  release,
}
