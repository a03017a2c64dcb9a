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
import type { RecordLine, StateLine } from '../support/record-lines.ts'
import { sha256 } from '../support/samples.ts'
import { linesOf, WorldDisk } from './disk.ts'
import { WorldGitHub } from './github.ts'
import { WorldArtifacts } from './kept.ts'
import { judgeCall, judgeRun } from './oracle.ts'
import type { Choices } from './schedule.ts'
import { Scheduler } from './scheduler.ts'
import { serviceUrl, WorldService, type SentCall } from './service.ts'

const recordsPath = '/records.jsonl'
const maxRuns = 3
const subscription = '{"id":"sub_1"}'

function inputsOf(changes: Readonly<Record<string, string>>): NotarizeInputs {
  const common = { path: '*', 'api-key': 'key-0123456789', 'base-url': serviceUrl, subscription }
  return readInputs({ 'max-attempts': '2', ...common, ...changes }, 0).inputs
}

/** How a run follows the one before. */
const again = {
  does: 'a run on the same machine',
  /** Whether it is the next attempt of the same run. */
  isRerun: false,
  /** Whether the disk is empty. */
  isNewMachine: false,
  /** Whether it sees what earlier attempts kept. */
  seesKept: false,
}
const elsewhere = { ...again, does: 'a run on a new machine', isNewMachine: true }
const rerunHere = { ...again, does: 'a re-run on the same machine', isRerun: true, seesKept: true }
const rerun = { ...rerunHere, does: 'a re-run on a new machine', isNewMachine: true }
const rerunAll = { ...rerun, does: 'a re-run of all jobs on a new machine', seesKept: false }

const release = { 'release-tag': 'v1', 'attach-to-release': 'true', 'github-token': 'token' }
const requests = { 'request-registration': 'true' }
const inTurn = inputsOf({ concurrency: '1' })
const usual = {
  /** The last letter is the content. */
  artifacts: ['a', 'b', 'copy of a'],
  isUsuallyBusy: false,
  /** Whether the service completes only what was requested, and accepts each request once. */
  requiresRequests: false,
  next: [again],
}
/** What all runs of a schedule have; each run has one of the inputs, usually the first. */
const scenarios = [
  { ...usual, name: 'artifacts', inputs: [inputsOf({}), inTurn] },
  {
    ...usual,
    name: 'a release',
    artifacts: ['a', 'b'],
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

export type Scenario = (typeof scenarios)[number]

/** What happened in a schedule, and what was wrong, in words. */
export type Played = Pick<Scheduler, 'violations' | 'story'>

interface World {
  readonly scheduler: Scheduler
  readonly scenario: Scenario
  readonly service: WorldService
  readonly github: WorldGitHub
  readonly kept: WorldArtifacts
  disk: WorldDisk
}

/** Plays one schedule: up to three runs, one after the other. */
export async function play(choices: Choices): Promise<Played> {
  const scheduler = new Scheduler(choices)
  const scenario = scheduler.pick(scenarios)
  const world = {
    scheduler,
    scenario,
    service: new WorldService(scheduler, scenario),
    github: new WorldGitHub(scheduler, scenario.artifacts),
    kept: new WorldArtifacts(scheduler),
    disk: new WorldDisk(scheduler),
  }
  scheduler.log(`scenario: ${scenario.name}`)
  let [runId, attempt] = [0, 0]
  for (let number = 1; number <= maxRuns && scheduler.violations.length === 0; number++) {
    const next = number === 1 ? again : scheduler.pick(scenario.next)
    if (next.isNewMachine) world.disk = new WorldDisk(scheduler)
    if (next.isRerun) attempt += 1
    else [runId, attempt] = [runId + 1, 1]
    world.kept.begin(next.seesKept)
    scheduler.log(next.does)
    scheduler.nowMs += 60_000
    if (scenario.name === 'a release') world.github.interleave()
    const run = new Run({ runId: `${runId}`, runAttempt: `${attempt}` }, world)
    await run.play()
    scheduler.addViolations(next.does, judgeRun(run))
    scheduler.log(`it ends: ${run.end}`)
    if (scenario.next.includes(rerun)) world.kept.keep(run)
    const hasWork = run.calls.length > 0 || run.results.length === 0
    const isDone = !hasWork && run.results.every(isRegistered)
    if (isDone && (run.attachment?.failure ?? null) === null) break
  }
  return scheduler
}

/** One run of the action, as seen from outside. */
export class Run {
  /** The run ID and attempt that its lines have. */
  readonly source: { readonly runId: string; readonly runAttempt: string }
  readonly world: World
  readonly inputs: NotarizeInputs
  readonly #before: readonly string[]
  readonly calls: SentCall[] = []
  readonly printed: string[] = []
  readonly warnings: string[] = []
  isKilled = false
  results: readonly Artifact[] = []
  /** Null if there was nothing to attach, or if it ended before. */
  attachment: Attachment | null = null
  /** Why it stopped before anything was sent; null if it did not stop. */
  stop: string | null = null
  readonly #host: KeepHost & ReleaseHost

  constructor(source: Run['source'], world: World) {
    const { scheduler, scenario, github, kept, disk } = world
    this.source = source
    this.world = world
    this.inputs = scheduler.pick(scenario.inputs)
    this.#before = [...linesOf(disk.text), ...kept.lines]
    const host = hostIn('/')
    const info = (text: string): void => {
      if (text.startsWith('{')) this.printed.push(text)
    }
    const warning = (text: string): void => void this.warnings.push(text)
    const variables = {
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_RUN_ID: source.runId,
      GITHUB_RUN_ATTEMPT: source.runAttempt,
      ACTIONS_RUNTIME_TOKEN: 'runtime-token',
      ACTIONS_RESULTS_URL: 'https://results.example',
    }
    this.#host = {
      ...host,
      environment: readEnvironment(variables, '/'),
      runner: { ...host.runner, info, warning },
      clock: scheduler.clock,
      halt: new Halt(scheduler.clock),
      disk,
      connect: github.connect,
      findRecords: kept.find,
    }
  }

  /** The lines that it can find when it starts. */
  get before(): readonly string[] {
    return [...this.#before, ...this.world.github.first.lines]
  }

  /** What it notarizes: files, or the assets that it was told first. */
  get artifacts() {
    const { github, scenario } = this.world
    if (this.inputs.releaseTag === null) {
      return scenario.artifacts.map(name => ({ name, hash: sha256(name.slice(-1)) }))
    }
    return github.first.artifacts.map(({ name, content }) => ({ name, hash: sha256(content) }))
  }

  get isCanceled(): boolean {
    return this.#host.halt.isCancelled
  }

  /** How it ended, in words. */
  get end(): string {
    if (this.isKilled) return 'killed'
    const texts = this.results.map(({ name, outcome }) => `${name} ${outcome.state}`)
    return [...texts, this.stop ?? this.attachment?.failure?.cause ?? 'no failure'].join(', ')
  }

  /** Whether it wrote a line. */
  hasWritten = ({ source: { runId, runAttempt } }: RecordLine | StateLine): boolean =>
    runId === this.source.runId && runAttempt === this.source.runAttempt

  /** Whether an earlier attempt wrote a line. */
  comesAfter = ({ source: { runId, runAttempt } }: RecordLine | StateLine): boolean =>
    runId === this.source.runId && Number(runAttempt) < Number(this.source.runAttempt)

  async play(): Promise<void> {
    const { scheduler, disk } = this.world
    disk.hasFailed = false
    scheduler.interrupt('the run is killed', () => {
      this.isKilled = true
      scheduler.kill()
    })
    scheduler.interrupt('the run is canceled', () => {
      this.#host.halt.cancel()
    })
    const done = this.#notarize().catch((error: unknown) => {
      this.stop = error instanceof Error ? error.message : 'an unknown error'
    })
    await scheduler.run(done)
    if (this.isKilled) disk.kill()
    else disk.sync()
  }

  readonly #onSend = (call: SentCall): void => {
    const what = `${call.kind} of ${call.hash.slice(0, 4)}`
    if (call.hash !== '') this.world.scheduler.addViolations(what, judgeCall(call, this))
    this.calls.push(call)
  }

  /** The steps of `src/main.ts`, in the world. */
  async #notarize(): Promise<void> {
    const { inputs } = this
    const { disk } = this.world
    const host = this.#host
    const { runner, environment } = host
    const kept = await RunArtifacts.open(inputs, host)
    const release = await Release.open(inputs, host)
    const files = this.artifacts.map(({ name, hash }) => {
      return { source: 'path', name, size: 1, hash, outcome: planned } as const
    })
    const others = [kept, release].flatMap(place => place?.records ?? [])
    const name = inputs.recordsPath
    const records = readRecords({ path: recordsPath, name, others, service: serviceUrl, disk })
    const plan = makePlan({
      inputs,
      artifacts: release?.artifacts ?? files,
      counts: [],
      records,
      release: release?.facts ?? null,
      isBehind: release?.lacksLines(records.content) ?? false,
      source: environment.source,
      whyMissing: kept.whyMissing,
    })
    plan.warnings.forEach(runner.warning)
    Stop.ifAny(plan.problems)
    const source = release?.source ?? environment.source
    const task = { host, inputs, recordsPath, records, source }
    this.results = await register(plan.artifacts, task, this.world.service.connect(this.#onSend))
    if (release === null) return
    const hashes = new Set(this.results.filter(isRegistered).map(({ hash }) => hash))
    const evidence = { recordsPath, service: serviceUrl, hashes, attachToRelease: true }
    this.attachment = await release.keep(evidence)
  }
}
