/** Runs of the action in a world: plan and registration as they are, one run after the other on the same disk. */
import { createHash } from 'node:crypto'
import { inputDefaults, readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { bugFailure, Stop } from '../../src/failure.ts'
import { isRegistered, type Result } from '../../src/outcome.ts'
import { makePlan, resultsOf } from '../../src/plan.ts'
import { openRecordsFile, readRecords } from '../../src/records/store.ts'
import { registerAll } from '../../src/register/register.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { Host } from '../../src/runtime/host.ts'
import type { Runner } from '../../src/runtime/runner.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import {
  findUnaccounted,
  findViolations,
  type ObservedRun,
  type ReportedOutcome,
} from './oracle.ts'
import type { Choices } from './schedule.ts'
import { WorldService } from './service.ts'
import { createClock, Scheduler, WorldDisk } from './world.ts'

const recordsPath = '/records.jsonl'
const names = ['a', 'b']
const hashes = names.map(name => createHash('sha256').update(name).digest('hex'))
const maxRuns = 3

const given = {
  'api-key': 'key-0123456789',
  'base-url': 'https://notary.example',
  path: '*',
  subscription: '{"id":"sub_1"}',
  'max-attempts': '2',
}

/** What a schedule came to. */
export interface Played {
  readonly violations: readonly string[]
  /** What happened, in words. */
  readonly story: readonly string[]
}

/** Plays one schedule: up to three runs, each after the end of the one before. */
export async function play(choices: Choices): Promise<Played> {
  const scheduler = new Scheduler(choices)
  const disk = new WorldDisk(scheduler)
  const service = new WorldService(scheduler, disk)
  const violations: string[] = []
  for (let number = 1; number <= maxRuns && violations.length === 0; number++) {
    scheduler.tell(`run ${number}`)
    disk.fullWrites = 1
    const observed = await observe(number, { scheduler, disk, service })
    violations.push(...findViolations(observed, hashes))
    violations.push(...findUnaccounted([...disk.syncedLines, ...observed.printed], service.calls))
    scheduler.tell(`run ${number} ends: ${describe(observed)}`)
    // Printed lines are for a person: no later run knows them.
    if (observed.printed.length > 0) break
    if (observed.exitCode === 0 && observed.calls.length === 0) break
  }
  return { violations, story: scheduler.story }
}

interface World {
  readonly scheduler: Scheduler
  readonly disk: WorldDisk
  readonly service: WorldService
}

async function observe(number: number, world: World): Promise<ObservedRun> {
  const { scheduler, disk, service } = world
  const before = readLines(disk.text)
  const callsBefore = service.calls.length
  const faultyBefore = service.faultyCalls.length
  const printed: string[] = []
  const host = createHost(scheduler, { number, print: line => printed.push(line) })
  const concurrency = scheduler.choose(2) === 0 ? 4 : 1
  const isCancelled = (): boolean => host.halt.isCancelled
  service.beginRun({ number, concurrency, isCancelled, printed })
  let results: readonly Result[] = []
  const end = { wasKilled: false }
  let stop: string | null = null
  const done = notarize(host, world, concurrency).then(
    outcome => {
      results = outcome
    },
    (error: unknown) => {
      stop = error instanceof Error ? error.message : 'an unknown error'
    },
  )
  const cancel = (): boolean => {
    scheduler.tell('  the run is cancelled')
    host.halt.cancel()
    return false
  }
  const kill = (): boolean => {
    scheduler.tell('  the run is killed')
    end.wasKilled = true
    service.kill()
    disk.kill()
    return true
  }
  await scheduler.run(done, [kill, cancel])
  scheduler.clear()
  if (!end.wasKilled) disk.end()
  const outcomes = end.wasKilled ? null : outcomesOf(results)
  const isGreen = outcomes !== null && !host.halt.isCancelled && results.every(isRegistered)
  return {
    number,
    before,
    after: disk.syncedLines,
    printed,
    calls: service.calls.slice(callsBefore),
    outcomes,
    exitCode: outcomes === null ? null : Number(!isGreen),
    faultyCalls: service.faultyCalls.slice(faultyBefore),
    stop,
  }
}

async function notarize(
  host: Host,
  { disk, service }: World,
  concurrency: number,
): Promise<readonly Result[]> {
  const inputs = { ...readNotarizeInputs(), concurrency }
  const { source } = host.environment
  const records = readRecords({
    path: recordsPath,
    name: inputs.recordsPath,
    others: [],
    service: inputs.baseUrl,
    disk,
  })
  const artifacts = names.map((name, at) => {
    return { source: 'path', name, size: 1, hash: hashes[at] ?? '' } as const
  })
  const plan = makePlan({ inputs, artifacts, counts: [], records, release: null, source })
  Stop.ifAny(plan.problems)
  const file = await openRecordsFile(recordsPath, records, plan.toRegister.length > 0)
  if (file === null) return plan.results
  const transport = service.transport()
  const task = { host, inputs, recordsPath, records, source }
  const outcomes = await registerAll(plan.toRegister, { task, file, transport })
  await file.close()
  return resultsOf(plan, outcomes, bugFailure('no outcome', ''))
}

/** The lines of a records file; a last one without its newline counts if it is whole. */
function readLines(text: string): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last.endsWith('}}') ? [...lines, last] : lines
}

function readNotarizeInputs(): NotarizeInputs {
  const { inputs } = readInputs({ ...inputDefaults, ...given }, 0)
  if (inputs?.kind === 'notarize') return inputs
  throw new Error('the inputs of the world are wrong')
}

interface HostOptions {
  readonly number: number
  readonly print: (line: string) => void
}

function createHost(scheduler: Scheduler, { number, print }: HostOptions): Host {
  const clock = createClock(scheduler)
  const ignore = (): void => undefined
  const runner: Runner = {
    mask: ignore,
    info: text => {
      if (text.startsWith('{')) print(text)
    },
    notice: ignore,
    warning: ignore,
    error: ignore,
    setOutput: ignore,
    writeSummary: () => Promise.resolve(),
  }
  const env = { GITHUB_RUN_ID: String(number), GITHUB_RUN_ATTEMPT: '1' }
  return {
    environment: readEnvironment(env, '/'),
    runner,
    secrets: new Secrets(ignore),
    clock,
    random: () => 0.5,
    halt: new Halt(clock),
    workerFile: new URL('file:///none'),
  }
}

function outcomesOf(results: readonly Result[]): ReadonlyMap<string, ReportedOutcome> {
  const outcomes = new Map<string, ReportedOutcome>()
  for (const { hash, outcome } of results) {
    if (outcome.state === 'registered') {
      outcomes.set(hash ?? '', { state: 'registered', from: outcome.from })
    } else if (outcome.state === 'failed') {
      const { registered, code } = outcome.failure
      outcomes.set(hash ?? '', { state: 'failed', registered, code })
    }
  }
  return outcomes
}

function describe({ outcomes }: ObservedRun): string {
  if (outcomes === null) return 'killed'
  const texts = [...outcomes].map(([hash, { state, code = '', registered = '' }]) =>
    `${hash.slice(0, 4)} ${state} ${code} ${registered}`.trim(),
  )
  return texts.join(', ')
}
