/** Runs of the action in a world, one after the other: everything between finding the artifacts and the report. */
import { Stop } from '../../src/failure.ts'
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { RunArtifacts, type KeepHost } from '../../src/keep/run-artifacts.ts'
import { isRegistered, planned, type Artifact } from '../../src/outcome.ts'
import { makePlan } from '../../src/plan.ts'
import { readRecords } from '../../src/records/store.ts'
import { register } from '../../src/register/register.ts'
import { Release, type Attachment, type ReleaseHost } from '../../src/release/release.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostIn } from '../artifacts/host.ts'
import { makeLine, sha256, source } from '../support/samples.ts'
import { linesOf, WorldDisk } from './disk.ts'
import { WorldGitHub } from './github.ts'
import { WorldArtifacts } from './kept.ts'
import { judgeCall, judgeCharges, judgeRun } from './oracle.ts'
import type { Choices } from './schedule.ts'
import { Scheduler } from './scheduler.ts'
import { serviceUrl, WorldService, type SentCall } from './service.ts'

const recordsPath = '/records.jsonl'
const maxRuns = 3
const subscription = '{"id":"sub_1"}'

function inputsOf(changes: Readonly<Record<string, string>>): NotarizeInputs {
  const common = { path: '*', 'api-key': 'key-0123456789', 'base-url': serviceUrl, subscription }
  const { inputs, problems } = readInputs({ 'max-attempts': '2', ...common, ...changes }, 0)
  if (problems.length === 0) return inputs
  throw new Error(`the inputs of the world are wrong: ${JSON.stringify(problems)}`)
}

/** How a run follows the one before. */
interface Next {
  readonly does: string
  /** Whether it is the next attempt of the same run. */
  readonly isRerun?: boolean
  /** Whether the disk is empty. */
  readonly isNewMachine?: boolean
  /** Whether what earlier attempts kept is out of reach. */
  readonly isHidden?: boolean
}

/** Attempt 1 of run 1. */
const first: Next = { does: 'the first run', isRerun: true }
const again: Next = { does: 'another run on the same machine' }
const elsewhere: Next = { does: 'another run on a new machine', isNewMachine: true }
const rerun: Next = { does: 'a re-run on a new machine', isNewMachine: true, isRerun: true }
const rerunHere: Next = { does: 'a re-run on the same machine', isRerun: true }
const rerunAll: Next = { ...rerun, does: 'a re-run of all jobs on a new machine', isHidden: true }

const release = { 'release-tag': 'v1', 'attach-to-release': 'true', 'github-token': 'token' }
const requests = { 'request-registration': 'true' }
/** A service that requires requests completes only what was requested, and accepts each request once. */
const usual = {
  artifacts: ['a', 'b'],
  isUsuallyBusy: false,
  requiresRequests: false,
  next: [again],
}
const inTurn = inputsOf({ concurrency: '1' })
/** What all runs of a schedule have; each run has one of the inputs, usually the first. */
const scenarios = [
  { ...usual, name: 'two artifacts', inputs: [inputsOf({}), inTurn] },
  {
    ...usual,
    name: 'a release',
    inputs: [inputsOf({ ...release, concurrency: '1' })],
    next: [again, elsewhere, rerun],
  },
  {
    ...usual,
    name: 'requests',
    artifacts: ['a'],
    requiresRequests: true,
    inputs: ['', subscription, 'active'].map(data => inputsOf({ ...requests, subscription: data })),
  },
  {
    ...usual,
    name: 'an outage',
    artifacts: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    isUsuallyBusy: true,
    inputs: ['1', '2'].map(concurrency => inputsOf({ 'max-attempts': '1', concurrency })),
  },
  { ...usual, name: 're-runs', inputs: [inTurn], next: [rerun, rerunAll, rerunHere] },
]

const otherSource = { ...source, runId: '9' }
const otherLine = JSON.stringify(makeLine(serviceUrl, 'other', { source: otherSource }))

export type Scenario = (typeof scenarios)[number]

/** What happened in a schedule, and what was wrong, in words. */
export interface Played {
  readonly violations: readonly string[]
  readonly story: readonly string[]
}

interface World {
  readonly scheduler: Scheduler
  readonly scenario: Scenario
  readonly service: WorldService
  readonly github: WorldGitHub
  readonly artifacts: WorldArtifacts
  readonly disk: WorldDisk
}

/** Plays one schedule: up to three runs, one after the other. */
export async function play(choices: Choices): Promise<Played> {
  const scheduler = new Scheduler(choices)
  const scenario = scenarios[scheduler.choose(scenarios.length)]
  if (scenario === undefined) throw new Error('the world has no such scenario')
  const service = new WorldService(scheduler, scenario)
  const github = new WorldGitHub(scheduler, scenario.artifacts)
  const artifacts = new WorldArtifacts(scheduler)
  let disk = new WorldDisk(scheduler)
  const hasRelease = scenario.name === 'a release'
  const otherJob = github.otherJob(otherLine)
  scheduler.log(`scenario: ${scenario.name}`)
  const calls: SentCall[] = []
  const lines: string[] = []
  let [runId, attempt] = [1, 0]
  for (let number = 1; number <= maxRuns && scheduler.violations.length === 0; number++) {
    const next = number === 1 ? first : scenario.next[scheduler.choose(scenario.next.length)]
    const { does, isRerun = false, isNewMachine = false, isHidden = false } = next ?? again
    if (isNewMachine) disk = new WorldDisk(scheduler)
    if (isRerun) attempt += 1
    else [runId, attempt] = [runId + 1, 1]
    artifacts.begin(isRerun && !isHidden)
    scheduler.log(does)
    scheduler.nowMs += 60_000
    if (hasRelease && !github.hasOtherEnded) scheduler.interleave(otherJob)
    const world = { scheduler, scenario, service, github, artifacts, disk }
    const run = new Run(runId, attempt, world)
    await run.play()
    calls.push(...run.calls)
    lines.push(...disk.syncedLines, ...run.printed, ...github.lines)
    scheduler.addViolations(does, judgeRun(run))
    scheduler.addViolations('all runs', judgeCharges(lines, calls))
    scheduler.log(`it ends: ${run.end}`)
    if (scenario.next.includes(rerun)) artifacts.keep(run)
    if (run.isGreen && run.calls.length === 0) break
  }
  return scheduler
}

/** One run of the action, as seen from outside. */
export class Run {
  readonly inputs: NotarizeInputs
  readonly artifacts: readonly (Artifact & { readonly hash: string })[]
  readonly disk: WorldDisk
  readonly github: WorldGitHub
  readonly kept: WorldArtifacts
  /** The run ID and attempt that its lines have. */
  readonly source: { readonly runId: string; readonly runAttempt: string }
  /** The lines that it can find when it starts. */
  readonly before: readonly string[]
  readonly calls: SentCall[] = []
  readonly printed: string[] = []
  readonly warnings: string[] = []
  isKilled = false
  results: readonly Artifact[] = []
  /** Null if there was nothing to attach, or if it ended before. */
  attachment: Attachment | null = null
  /** Why it stopped before anything was sent; null if it did not stop. */
  stop: string | null = null
  readonly #scheduler: Scheduler
  readonly #service: WorldService
  readonly #host: KeepHost & ReleaseHost

  constructor(runId: number, attempt: number, world: World) {
    const { scheduler, scenario, service, github, artifacts, disk } = world
    this.inputs = scenario.inputs[scheduler.choose(scenario.inputs.length)] ?? inputsOf({})
    this.artifacts = scenario.artifacts.map(name => {
      return { source: 'path', name, size: name.length, hash: sha256(name), outcome: planned }
    })
    this.source = { runId: `${runId}`, runAttempt: `${attempt}` }
    this.disk = disk
    this.github = github
    this.kept = artifacts
    this.before = [...linesOf(disk.text), ...github.lines, ...artifacts.lines]
    this.#scheduler = scheduler
    this.#service = service
    const host = hostIn('/')
    const info = (text: string): void => {
      if (text.startsWith('{')) this.printed.push(text)
    }
    const warning = (text: string): void => void this.warnings.push(text)
    const runner = { ...host.runner, info, warning }
    const variables = {
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_RUN_ID: this.source.runId,
      GITHUB_RUN_ATTEMPT: this.source.runAttempt,
      ACTIONS_RUNTIME_TOKEN: 'runtime-token',
      ACTIONS_RESULTS_URL: 'https://results.example',
    }
    const environment = readEnvironment(variables, '/')
    const { clock } = scheduler
    const halt = new Halt(clock)
    const replaced = { disk, connect: github.connect, findRecords: artifacts.find }
    this.#host = { ...host, environment, runner, clock, halt, ...replaced }
  }

  get isCanceled(): boolean {
    return this.#host.halt.isCancelled
  }

  get isGreen(): boolean {
    const isWhole = this.results.length > 0 && this.results.every(isRegistered)
    return !this.isKilled && isWhole && (this.attachment?.failure ?? null) === null
  }

  /** The lines of the file that the release lacks. */
  get missing(): readonly string[] {
    const attached = new Set(this.github.lines)
    return linesOf(this.disk.text).filter(line => line !== '' && !attached.has(line))
  }

  get end(): string {
    if (this.isKilled) return 'killed'
    if (this.stop !== null) return `stopped, ${this.stop}`
    const texts = this.results.map(({ name, outcome }) => {
      if (outcome.state !== 'failed') return `${name} ${outcome.state}`
      return `${name} ${outcome.failure.code} ${outcome.failure.registered}`
    })
    if (this.attachment !== null) texts.push(this.attachment.failure?.cause ?? 'attached')
    return texts.join(', ')
  }

  async play(): Promise<void> {
    this.github.begin(this)
    this.disk.hasFailed = false
    this.#scheduler.interrupt('the run is killed', () => {
      this.isKilled = true
      this.#scheduler.kill()
    })
    this.#scheduler.interrupt('the run is canceled', () => {
      this.#host.halt.cancel()
    })
    const done = this.#notarize().catch((error: unknown) => {
      this.stop = error instanceof Error ? error.message : 'an unknown error'
    })
    await this.#scheduler.run(done)
    if (this.isKilled) this.disk.kill()
    else this.disk.sync()
  }

  readonly #onSend = (call: SentCall): void => {
    const what = `${call.kind} of ${call.hash.slice(0, 4)}`
    if (call.hash !== '') this.#scheduler.addViolations(what, judgeCall(call, this))
    this.calls.push(call)
  }

  /** The steps of `src/main.ts`, in the world. */
  async #notarize(): Promise<void> {
    const { inputs, disk } = this
    const host = this.#host
    const { runner, environment } = host
    const kept = await RunArtifacts.open(inputs, host)
    const release = await Release.open(inputs, host)
    const others = [kept, release].flatMap(place => place?.records ?? [])
    const name = inputs.recordsPath
    const records = readRecords({ path: recordsPath, name, others, service: serviceUrl, disk })
    const plan = makePlan({
      inputs,
      artifacts: release === null ? this.artifacts : release.artifacts,
      counts: [],
      records,
      release: release?.facts ?? null,
      isBehind: release?.lacksLines(records.content) ?? false,
      source: environment.source,
      whyMissing: kept.whyMissing,
    })
    plan.warnings.forEach(runner.warning)
    Stop.ifAny(plan.problems)
    const task = {
      host,
      inputs,
      recordsPath,
      records,
      source: release?.source ?? environment.source,
    }
    this.results = await register(plan.artifacts, task, this.#service.connect(this.#onSend))
    if (release === null) return
    const hashes = new Set(this.results.filter(isRegistered).map(({ hash }) => hash))
    const evidence = { recordsPath, service: serviceUrl, hashes, attachToRelease: true }
    this.attachment = await release.keep(evidence)
  }
}
