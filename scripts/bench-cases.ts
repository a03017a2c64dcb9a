/** What the bench measures: each case makes rows, of figures that are taken in the same run as those of its peers. */
import { randomFillSync } from 'node:crypto'
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
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
  /** Of the median of ours, or of the median of the ratios turn by turn where there is a peer. */
  readonly atMost: number
  /** Its figures are of the same turns as ours. */
  readonly peer?: { readonly name: string; readonly figures: readonly number[] }
}

/** How large the cases are. */
export interface Sizes {
  readonly bigMiB: number
  readonly smallFiles: number
  readonly registrations: number
  readonly manyArtifacts: number
  readonly assets: number
  readonly rounds: number
}

interface Comparison {
  readonly what: string
  readonly atMost: number
  readonly rounds: number
  readonly run: BenchRun
  /** A name and the milliseconds that it takes. */
  readonly peer: readonly [name: string, measure: () => Promise<number>]
}

/** Runs the action and its peer in turns; the first turn warms the caches and does not count. */
async function compare({ what, atMost, rounds, run, peer }: Comparison): Promise<readonly Row[]> {
  const [ours, figures] = [new Array<number>(), new Array<number>()]
  const [name, measure] = peer
  for (let round = 0; round <= rounds; round += 1) {
    ours.push((await measureAction(run)).milliseconds)
    figures.push(await measure())
  }
  const counted = { name, figures: figures.slice(1) }
  return [{ what, unit: 'ms', ours: ours.slice(1), atMost, peer: counted }]
}

/** Files of random bytes. */
function makeBigFiles(count: number, mebibytes: number): Workspace {
  const workspace = makeWorkspace()
  mkdirSync(workspace.path('big'))
  const block = randomFillSync(Buffer.alloc(1024 * 1024))
  for (let done = 0; done < count * mebibytes; done += 1) {
    block.writeUInt32LE(done)
    writeFileSync(workspace.path('big', `file-${done % count}.bin`), block, { flag: 'a' })
  }
  return workspace
}

/** Files of 4 to 12 KiB, a hundred in each folder. */
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

/** Gives the work the inputs for a service that takes its time. */
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

function start({ rounds }: Sizes): Promise<readonly Row[]> {
  const workspace = makeWorkspace({ 'one.bin': 'one' })
  return compare({
    what: 'dry run of one small file, start to end',
    atMost: 6,
    rounds: rounds * 3,
    run: dryRun(workspace, 'one.bin', 1),
    peer: ['`node -e 0`', () => timeProgram([process.execPath, '-e', '0'], workspace.root)],
  })
}

/** All that a run of the main action can load. */
function bundle(): readonly Row[] {
  const cwd = join(import.meta.dirname, '..')
  const files = globSync(['dist/*.js', 'dist/hash-worker/*.js'], { cwd })
  const bytes = files.reduce((sum, file) => sum + statSync(join(cwd, file)).size, 0)
  const what = 'all JavaScript that the main action can load'
  return [{ what, unit: 'MB', ours: [bytes / 1e6], atMost: 2.6 }]
}

function register({ registrations, rounds }: Sizes): Promise<readonly Row[]> {
  const boundMs = (1 + Math.ceil(registrations / 8)) * 100
  const workspace = makeSmallFiles(registrations)
  return withService(100, given => {
    const inputs = { ...given, path: 'small', concurrency: '8' }
    return compare({
      what: `${registrations} registrations, 100 ms latency, 8 at once`,
      atMost: 1.25,
      rounds,
      run: { workspace, inputs, verdict: 'registered', artifacts: registrations },
      peer: ['a login and rounds of 8, computed', () => Promise.resolve(boundMs)],
    })
  })
}

async function memory({ manyArtifacts }: Sizes): Promise<readonly Row[]> {
  const workspace = makeSmallFiles(manyArtifacts)
  const { peakMiB } = await withService(0, given => {
    const inputs = { ...given, path: 'small', concurrency: '8' }
    return measureAction({ workspace, inputs, verdict: 'registered', artifacts: manyArtifacts })
  })
  const what = `peak memory, ${manyArtifacts} registrations`
  return [{ what, unit: 'MiB', ours: [peakMiB], atMost: 200 }]
}

function hashLarge({ bigMiB, rounds }: Sizes): Promise<readonly Row[]> {
  const workspace = makeBigFiles(4, bigMiB)
  const command = `ls big/* | xargs -P${availableParallelism()} -n1 openssl dgst -sha256`
  return compare({
    what: `4 files of ${bigMiB} MiB`,
    atMost: 1.25,
    rounds,
    run: dryRun(workspace, 'big', 4),
    peer: [`\`${command}\``, () => timeProgram(['sh', '-c', command], workspace.root)],
  })
}

function hashMany({ smallFiles, rounds }: Sizes): Promise<readonly Row[]> {
  const workspace = makeSmallFiles(smallFiles)
  const command = 'find small -type f | xargs sha256sum'
  return compare({
    what: `${smallFiles} files of 4 to 12 KiB, finding them included`,
    atMost: 1,
    rounds,
    run: dryRun(workspace, 'small', smallFiles),
    peer: [`\`${command}\``, () => timeProgram(['sh', '-c', command], workspace.root)],
  })
}

/** A release of 100 GB whose assets have digests, so that no byte of them is read. */
async function release({ assets: count, rounds }: Sizes): Promise<readonly Row[]> {
  const boundMs = (1 + Math.ceil(count / 64)) * 20
  const assets = Array.from({ length: count }, (_, index) => ({
    name: `app-${index}.tar.gz`,
    content: String(index),
    size: 100_000_000,
  }))
  const [beyond, calls] = [new Array<number>(), new Array<number>()]
  for (let round = 0; round < rounds; round += 1) {
    const tags = { [job.refName]: { commit: job.sha } }
    const github = await startGitHub({ releases: [{ tag: job.refName, assets }], tags })
    const { milliseconds } = await withService(20, given => {
      const inputs = {
        ...given,
        concurrency: '64',
        'release-tag': job.refName,
        'attach-to-release': 'true',
        'github-token': github.token,
      }
      const run = { inputs, verdict: 'registered', artifacts: count }
      const env = { GITHUB_API_URL: github.url }
      return measureAction({ ...run, workspace: makeWorkspace(), env })
    })
    beyond.push(milliseconds - boundMs)
    calls.push(github.calls.length)
    await github.close()
  }
  const what = `a release of ${count} assets with digests`
  return [
    { what: `${what}, calls to GitHub`, unit: 'calls', ours: calls, atMost: 20 },
    { what: `${what}, time beyond the service`, unit: 'ms', ours: beyond, atMost: 1000 },
  ]
}

type Measure = (sizes: Sizes) => readonly Row[] | Promise<readonly Row[]>

/** Every case by its name. */
export const cases: Readonly<Record<string, Measure>> = {
  start,
  bundle,
  register,
  memory,
  'hash-large': hashLarge,
  'hash-many': hashMany,
  release,
}
