/** Runs of the action in a world: all that they do between reading inputs and the report, one run after the other. */
import { createHash } from 'node:crypto'
import { bugFailure, Stop } from '../../src/failure.ts'
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { isRegistered, type Result } from '../../src/outcome.ts'
import { makePlan, resultsOf } from '../../src/plan.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { readRecords } from '../../src/records/store.ts'
import { registerAll } from '../../src/register/register.ts'
import type { Attachment, EvidenceInput } from '../../src/release/attach.ts'
import { openRelease } from '../../src/release/open.ts'
import { countResults, decideVerdict } from '../../src/report/verdict.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { Host } from '../../src/runtime/host.ts'
import type { Runner } from '../../src/runtime/runner.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { WorldGitHub } from './github.ts'
import {
  findUnaccounted,
  findViolations,
  type ObservedAttachment,
  type ObservedRun,
  type ReportedOutcome,
} from './oracle.ts'
import type { Choices } from './schedule.ts'
import { WorldService, type ServiceMood } from './service.ts'
import { createClock, linesOf, Scheduler, WorldDisk } from './world.ts'

/** What the runs of a schedule are to do. */
interface Scenario extends ServiceMood {
  readonly name: string
  readonly artifacts: readonly string[]
  readonly inputs: readonly NotarizeInputs[]
}

const recordsPath = '/records.jsonl'
const maxRuns = 3
const service = 'https://notary.example'
const subscription = '{"id":"sub_1"}'

function inputsOf(given: Readonly<Record<string, string>>): NotarizeInputs {
  const common = { 'api-key': 'key-0123456789', 'base-url': service, 'max-attempts': '2' }
  const { inputs, problems } = readInputs({ path: '*', ...common, ...given }, 0)
  if (inputs?.kind === 'notarize') return inputs
  throw new Error(`the inputs of the world are wrong: ${JSON.stringify(problems)}`)
}

const once = { 'max-attempts': '1' }
const requests = { 'request-registration': 'true' }
const release = { 'release-tag': 'v1', 'attach-to-release': 'true', 'github-token': 'token' }

const usual = { artifacts: ['a', 'b'], isOut: false, wantsRequests: false }

/** Each with the inputs that a run may have; the first ones are the ordinary ones. */
const scenarios: readonly Scenario[] = [
  {
    ...usual,
    name: 'two artifacts',
    inputs: [inputsOf({ subscription }), inputsOf({ subscription, concurrency: '1' })],
  },
  {
    ...usual,
    name: 'a release',
    inputs: [inputsOf({ ...release, subscription, concurrency: '1' })],
  },
  {
    name: 'requests',
    artifacts: ['a'],
    inputs: ['', subscription, 'active'].map(data => inputsOf({ ...requests, subscription: data })),
    isOut: false,
    wantsRequests: true,
  },
  {
    name: 'an outage',
    artifacts: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    inputs: ['1', '2'].map(concurrency => inputsOf({ ...once, subscription, concurrency })),
    isOut: true,
    wantsRequests: false,
  },
]

const environments = [1, 2, 3].map(number =>
  readEnvironment({ GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: `${number}` }, '/'),
)

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A record of another job. */
const otherRecord = { hash: sha256('other'), status: 'registered', custody: false, signed: false }
const otherLine = JSON.stringify({
  artifact: 'other',
  size: 5,
  hash: otherRecord.hash,
  service,
  record: otherRecord,
  problems: [],
  source: { runId: '9' },
})

/** What a schedule came to. */
export interface Played {
  readonly violations: readonly string[]
  /** What happened, in words. */
  readonly story: readonly string[]
}

interface World {
  readonly scheduler: Scheduler
  readonly scenario: Scenario
  readonly disk: WorldDisk
  readonly service: WorldService
  readonly github: WorldGitHub
  /** What other jobs have yet to do. */
  readonly others: (() => void)[]
}

/** Plays one schedule: up to three runs, each after the end of the one before. */
export async function play(choices: Choices): Promise<Played> {
  const scheduler = new Scheduler(choices)
  const scenario = scenarios[scheduler.choose(scenarios.length)] ?? scenarios[0]
  if (scenario === undefined) throw new Error('the world has no scenario')
  const hashes = scenario.artifacts.map(sha256)
  const github = new WorldGitHub(scheduler, scenario.artifacts)
  const hasRelease = scenario.name === 'a release'
  const others = hasRelease ? github.otherJob(otherLine) : []
  const served = new WorldService(scheduler, scenario)
  const { violations } = scheduler
  scheduler.tell(`scenario: ${scenario.name}`)
  let disk = new WorldDisk(scheduler)
  const lines: string[] = []
  for (let number = 1; number <= maxRuns && violations.length === 0; number++) {
    const isFresh = number > 1 && hasRelease && scheduler.choose(2) === 1
    if (isFresh) disk = new WorldDisk(scheduler)
    scheduler.tell(`run ${number}${isFresh ? ' on another machine' : ''}`)
    disk.fullWrites = 1
    scheduler.nowMs += 60_000
    const run = await observe(number, {
      scheduler,
      scenario,
      disk,
      service: served,
      github,
      others,
    })
    lines.push(...disk.syncedLines, ...run.printed, ...github.lines)
    violations.push(...findViolations(run, hashes), ...findUnaccounted(lines, served.calls))
    scheduler.tell(`run ${number} ends: ${describe(run)}`)
    if (run.isGreen && run.calls.length === 0) break
  }
  return { violations, story: scheduler.story }
}

/** What a process has come to so far. */
interface Process {
  readonly host: Host
  readonly printed: string[]
  readonly warnings: string[]
  wasKilled: boolean
  isAttaching: boolean
  results: readonly Result[]
  attachment: Attachment | null
  stop: string | null
}

async function observe(number: number, world: World): Promise<ObservedRun> {
  const { scheduler, scenario, disk, github, others } = world
  const inputs = scenario.inputs[scheduler.choose(scenario.inputs.length)] ?? inputsOf({})
  const before = [...linesOf(disk.text), ...github.lines]
  const callsBefore = world.service.calls.length
  const process = createProcess(scheduler, number)
  const { host, printed } = process
  const findLacking = (): readonly string[] => {
    const attached = new Set(github.lines)
    return linesOf(disk.text).filter(line => line !== '' && !attached.has(line))
  }
  const checkPrinted = (): void => {
    const isHidden = process.isAttaching && host.halt.isCancelled
    const areKnown = !isHidden || findLacking().every(line => printed.includes(line))
    scheduler.require(areKnown, `run ${number}: it was cancelled, and did not print at once`)
  }
  github.begin({ number, onCall: checkPrinted })
  const interruptions = [
    () => {
      scheduler.tell('  the run is killed')
      checkPrinted()
      process.wasKilled = true
      scheduler.kill()
    },
    () => {
      scheduler.tell('  the run is cancelled')
      host.halt.cancel()
    },
  ].map(one => [one])
  const done = notarize(process, inputs, { ...world, number }).catch((error: unknown) => {
    process.stop = error instanceof Error ? error.message : 'an unknown error'
  })
  await scheduler.run(done, [...interruptions, others])
  if (process.wasKilled) disk.kill()
  else disk.settle()
  const outcomes = process.wasKilled ? null : outcomesOf(process.results)
  const { failure = null } = process.attachment ?? {}
  const verdict = decideVerdict(countResults(process.results), inputs)
  return {
    number,
    before,
    after: disk.syncedLines,
    printed,
    calls: world.service.calls.slice(callsBefore),
    outcomes,
    isSerial: inputs.concurrency === 1,
    isGreen: outcomes !== null && verdict === 'registered' && failure === null,
    isCancelled: host.halt.isCancelled,
    stop: process.stop,
    isRefused: github.isRefused,
    attached: process.attachment && observeAttachment(process, world, findLacking()),
  }
}

function observeAttachment(
  { attachment, warnings }: Process,
  { disk, github }: World,
  lacking: readonly string[],
): ObservedAttachment | null {
  if (attachment === null) return null
  const isNamed = (name: string): boolean => warnings.some(text => text.includes(name))
  return {
    ...attachment,
    lacking,
    pageProblem: github.pageProblem,
    unfinished: github.leftovers.filter(name => !isNamed(name)),
    uploads: github.uploads,
    file: disk.text,
  }
}

/** What `src/main.ts` does, over the ports of the world. */
async function notarize(
  process: Process,
  inputs: NotarizeInputs,
  { scenario, disk, service: served, github, number }: World & { readonly number: number },
): Promise<void> {
  const { host, printed } = process
  const { halt } = host
  const makeId = (): string => `run-${number}`
  const source = await openRelease(inputs, { ...host, makeId, disk, connect: github.connect })
  const local = scenario.artifacts.map(name => {
    return { source: 'path', name, size: name.length, hash: sha256(name) } as const
  })
  const artifacts = inputs.releaseTag === null ? local : source.artifacts
  const records = readRecords({
    path: recordsPath,
    name: inputs.recordsPath,
    others: source.records,
    service,
    disk,
  })
  const release = source.facts
  const plan = makePlan({ inputs, artifacts, counts: [], records, release, source: source.source })
  Stop.ifAny(plan.problems)
  const evidenceOf = (results: readonly Result[]): EvidenceInput => {
    const hashes = new Set(results.filter(isRegistered).map(({ hash }) => hash))
    return { recordsPath, service, hashes }
  }
  const { toRegister } = plan
  await source.checkWritable(toRegister.length === 0 ? evidenceOf(plan.results) : null)
  const file = await RecordsFile.open(recordsPath, records, toRegister.length > 0)
  process.results = plan.results
  if (file !== null) {
    const isReady = (): boolean => inputs.releaseTag === null || github.isWritable
    const transport = served.connect({
      number,
      concurrency: inputs.concurrency,
      disk,
      printed,
      maySend: () => !halt.isCancelled && isReady(),
    })
    const task = { host, inputs, recordsPath, records, source: source.source }
    const outcomes = await registerAll(toRegister, { task, file, transport })
    await file.close()
    process.results = resultsOf(plan, outcomes, bugFailure('no outcome', ''))
  }
  process.isAttaching = inputs.attachToRelease
  process.attachment = await source.attach(evidenceOf(process.results))
}

function createProcess(scheduler: Scheduler, number: number): Process {
  const clock = createClock(scheduler)
  const ignore = (): void => undefined
  const printed: string[] = []
  const warnings: string[] = []
  const runner: Runner = {
    mask: ignore,
    info: text => {
      if (text.startsWith('{')) printed.push(text)
    },
    notice: ignore,
    warning: text => warnings.push(text),
    error: ignore,
    setOutput: ignore,
    writeSummary: () => Promise.resolve(),
  }
  const host = {
    environment: environments[number - 1] ?? readEnvironment({}, '/'),
    runner,
    secrets: new Secrets(ignore),
    clock,
    random: () => 0.5,
    halt: new Halt(clock),
    workerFile: new URL('file:///none'),
  }
  const state = { wasKilled: false, isAttaching: false, results: [], attachment: null, stop: null }
  return { ...state, host, printed, warnings }
}

function outcomesOf(results: readonly Result[]): ReadonlyMap<string, ReportedOutcome> {
  const outcomes = new Map<string, ReportedOutcome>()
  for (const { hash, outcome } of results) {
    if (outcome.state === 'registered') {
      outcomes.set(hash ?? '', { state: 'registered' })
    } else if (outcome.state === 'failed') {
      const { registered, code } = outcome.failure
      outcomes.set(hash ?? '', { state: 'failed', registered, code })
    }
  }
  return outcomes
}

function describe({ outcomes, stop, attached }: ObservedRun): string {
  if (outcomes === null) return 'killed'
  if (stop !== null) return `stopped, ${stop}`
  const texts = [...outcomes].map(([hash, { state, code = '', registered = '' }]) =>
    `${hash.slice(0, 4)} ${state} ${code} ${registered}`.trim(),
  )
  if (attached !== null) texts.push(attached.failure ?? 'attached')
  return texts.join(', ')
}
