/** Runs of the action in a world, one after the other: everything between reading inputs and the report. */
import type { HashedArtifact } from '../../src/artifacts/artifact.ts'
import { bugFailure, Stop } from '../../src/failure.ts'
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { isRegistered, type Result } from '../../src/outcome.ts'
import { makePlan, resultsOf } from '../../src/plan.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { readRecords } from '../../src/records/store.ts'
import { registerAll } from '../../src/register/register.ts'
import type { Attachment, EvidenceInput } from '../../src/release/attach.ts'
import { openRelease, type ReleaseHost } from '../../src/release/open.ts'
import { countResults, decideVerdict } from '../../src/report/verdict.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { Runner } from '../../src/runtime/runner.ts'
import { hostIn } from '../artifacts/host.ts'
import { linesOf, WorldDisk } from './disk.ts'
import { makeLine, sha256, source } from '../support/samples.ts'
import { WorldGitHub } from './github.ts'
import { judgeCall, judgeCharges, judgeMoment, judgeRun } from './oracle.ts'
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

const release = { 'release-tag': 'v1', 'attach-to-release': 'true', 'github-token': 'token' }
const requests = { 'request-registration': 'true' }
/** A service that requires requests completes only what was requested, and accepts each request once. */
const usual = { artifacts: ['a', 'b'], isUsuallyBusy: false, requiresRequests: false }
/** What all runs of a schedule have; each run has one of the inputs, usually the first. */
const scenarios = [
  { ...usual, name: 'two artifacts', inputs: [inputsOf({}), inputsOf({ concurrency: '1' })] },
  { ...usual, name: 'a release', inputs: [inputsOf({ ...release, concurrency: '1' })] },
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
  readonly disk: WorldDisk
}

/** Plays one schedule: up to three runs, one after the other. */
export async function play(choices: Choices): Promise<Played> {
  const scheduler = new Scheduler(choices)
  const scenario = scenarios[scheduler.choose(scenarios.length)]
  if (scenario === undefined) throw new Error('the world has no such scenario')
  const service = new WorldService(scheduler, scenario)
  const github = new WorldGitHub(scheduler, scenario.artifacts)
  let disk = new WorldDisk(scheduler)
  const hasRelease = scenario.name === 'a release'
  const otherJob = github.otherJob(otherLine)
  scheduler.log(`scenario: ${scenario.name}`)
  const calls: SentCall[] = []
  const lines: string[] = []
  for (let number = 1; number <= maxRuns && scheduler.violations.length === 0; number++) {
    const isFresh = number > 1 && hasRelease && scheduler.choose(2) === 1
    if (isFresh) disk = new WorldDisk(scheduler)
    scheduler.log(`run ${number}${isFresh ? ' on another machine' : ''}`)
    scheduler.nowMs += 60_000
    if (hasRelease && !github.hasOtherEnded) scheduler.interleave(otherJob)
    const run = new Run(number, { scheduler, scenario, service, github, disk })
    await run.play()
    calls.push(...run.calls)
    lines.push(...disk.syncedLines, ...run.printed, ...github.lines)
    scheduler.addViolations(`run ${number}`, judgeRun(run))
    scheduler.addViolations('all runs', judgeCharges(lines, calls))
    scheduler.log(`run ${number} ends: ${run.end}`)
    if (run.isGreen && run.calls.length === 0) break
  }
  return scheduler
}

/** One run of the action, as seen from outside. */
export class Run {
  readonly number: number
  readonly inputs: NotarizeInputs
  readonly artifacts: readonly HashedArtifact[]
  readonly disk: WorldDisk
  readonly github: WorldGitHub
  /** The lines of the file and the release when it starts. */
  readonly before: readonly string[]
  readonly calls: SentCall[] = []
  readonly printed: string[] = []
  readonly warnings: string[] = []
  isKilled = false
  isAttaching = false
  results: readonly Result[] = []
  /** Null if there was nothing to attach, or if it ended before. */
  attachment: Attachment | null = null
  /** Why it stopped before anything was sent; null if it did not stop. */
  stop: string | null = null
  readonly #scheduler: Scheduler
  readonly #service: WorldService
  readonly #host: ReleaseHost

  constructor(number: number, { scheduler, scenario, service, github, disk }: World) {
    this.number = number
    this.inputs = scenario.inputs[scheduler.choose(scenario.inputs.length)] ?? inputsOf({})
    this.artifacts = scenario.artifacts.map(name => {
      return { source: 'path', name, size: name.length, hash: sha256(name) }
    })
    this.disk = disk
    this.github = github
    this.before = [...linesOf(disk.text), ...github.lines]
    this.#scheduler = scheduler
    this.#service = service
    const host = hostIn('/')
    const runner: Runner = {
      ...host.runner,
      info: text => {
        if (text.startsWith('{')) this.printed.push(text)
      },
      warning: text => this.warnings.push(text),
    }
    const variables = { GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: `${number}` }
    const environment = readEnvironment(variables, '/')
    const { clock } = scheduler
    const halt = new Halt(clock)
    const makeId = (): string => `run-${number}`
    const { connect } = github
    this.#host = { ...host, environment, runner, clock, halt, makeId, disk, connect }
  }

  get isCancelled(): boolean {
    return this.#host.halt.isCancelled
  }

  get isGreen(): boolean {
    const verdict = decideVerdict(countResults(this.results), this.inputs)
    return !this.isKilled && verdict === 'registered' && !this.attachment?.failure
  }

  /** The lines of the file that the release lacks. */
  get missing(): readonly string[] {
    const attached = new Set(this.github.lines)
    return linesOf(this.disk.text).filter(line => line !== '' && !attached.has(line))
  }

  /** Useless assets that it left, and that no warning names. */
  get unnamed(): readonly string[] {
    const isNamed = (name: string): boolean => this.warnings.some(text => text.includes(name))
    return this.github.leftovers.filter(name => !isNamed(name))
  }

  get end(): string {
    if (this.isKilled) return 'killed'
    if (this.stop !== null) return `stopped, ${this.stop}`
    const texts = this.results.map(({ name, outcome }) => {
      if (outcome.state !== 'failed') return `${name} ${outcome.state}`
      return `${name} ${outcome.failure.code} ${outcome.failure.registered}`
    })
    if (this.attachment !== null) texts.push(this.attachment.failure ?? 'attached')
    return texts.join(', ')
  }

  async play(): Promise<void> {
    this.github.begin(this.number, this.#checkMoment)
    this.#scheduler.interrupt('the run is killed', () => {
      this.#checkMoment()
      this.isKilled = true
      this.#scheduler.kill()
    })
    this.#scheduler.interrupt('the run is cancelled', () => {
      this.#host.halt.cancel()
    })
    const done = this.#notarize().catch((error: unknown) => {
      this.stop = error instanceof Error ? error.message : 'an unknown error'
    })
    await this.#scheduler.run(done)
    if (this.isKilled) this.disk.kill()
    else this.disk.sync()
  }

  readonly #checkMoment = (): void => {
    this.#scheduler.addViolations(`run ${this.number}`, judgeMoment(this))
  }

  readonly #onSend = (call: SentCall): void => {
    const what = `run ${this.number}, ${call.kind} of ${call.hash.slice(0, 4)}`
    if (call.hash !== '') this.#scheduler.addViolations(what, judgeCall(call, this))
    this.calls.push(call)
  }

  /** The steps of `src/main.ts`, in the world. */
  async #notarize(): Promise<void> {
    const { inputs, disk } = this
    const host = this.#host
    const opened = await openRelease(inputs, host)
    const { source, facts, records: others } = opened
    const artifacts = inputs.releaseTag === null ? this.artifacts : opened.artifacts
    const place = { path: recordsPath, name: inputs.recordsPath }
    const records = readRecords({ ...place, others, service: serviceUrl, disk })
    const plan = makePlan({ inputs, artifacts, counts: [], records, release: facts, source })
    Stop.ifAny(plan.problems)
    const evidenceOf = (results: readonly Result[]): EvidenceInput => {
      const hashes = new Set(results.filter(isRegistered).map(({ hash }) => hash))
      return { recordsPath, service: serviceUrl, hashes }
    }
    const { toRegister } = plan
    await opened.checkWritable(toRegister.length === 0 ? evidenceOf(plan.results) : null)
    const file = await RecordsFile.open(recordsPath, records, toRegister.length > 0)
    this.results = plan.results
    if (file !== null) {
      const task = { host, inputs, recordsPath, records, source }
      const transport = this.#service.connect(this.#onSend)
      const outcomes = await registerAll(toRegister, { task, file, transport })
      await file.close()
      this.results = resultsOf(plan, outcomes, bugFailure('no outcome', ''))
    }
    this.isAttaching = inputs.attachToRelease
    this.attachment = await opened.attach(evidenceOf(this.results))
  }
}
