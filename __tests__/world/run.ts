/** Runs of the action in a world, one after the other: the steps of `src/main.ts`, and what follows them. */
import type { NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { notarize } from '../../src/main.ts'
import { planned } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { Host } from '../../src/runtime/outside.ts'
import { hostIn } from '../artifacts/host.ts'
import type { DoubtLine, RecordLine } from '../support/record-lines.ts'
import { sha256 } from '../support/samples.ts'
import { linesOf, WorldDisk } from './disk.ts'
import { WorldGitHub } from './github.ts'
import { WorldArtifacts } from './kept.ts'
import { judgeMoney } from './money.ts'
import { findPromised, judgeCall, judgeRun, recordedHashes } from './oracle.ts'
import { again, beside, scenarios, type Scenario } from './scenarios.ts'
import type { Choices } from './schedule.ts'
import { Scheduler } from './scheduler.ts'
import { WorldService, type SentCall } from './service.ts'

const recordsPath = '/records.jsonl'
const maxRuns = 3
/** What happened in a schedule, and what was wrong, in words. */
export interface Played extends Pick<Scheduler, 'violations' | 'story'> {
  /** Why runs did not know of charges that they do not tell: one cause for each of these charges. */
  readonly unknown: readonly string[]
}

interface World {
  readonly scheduler: Scheduler
  readonly scenario: Scenario
  readonly service: WorldService
  readonly github: WorldGitHub
  readonly kept: WorldArtifacts
  disk: WorldDisk
  /** What the run before said would not be charged again. */
  promised: ReadonlySet<string>
  /** What the page of a run asked to save from its log. */
  toSave: readonly string[]
  /** What a person has saved from the log. */
  given: readonly string[]
}

/** Plays one schedule: up to three runs, one after the other. */
export async function play(choices: Choices): Promise<Played> {
  const scheduler = new Scheduler(choices)
  const scenario = scheduler.pick(scenarios)
  const nothing: readonly string[] = []
  const alone = { promised: new Set<string>(), toSave: nothing }
  const runs: Run[] = []
  const world: World = {
    scheduler,
    scenario,
    service: new WorldService(scheduler, scenario),
    github: new WorldGitHub(scheduler, scenario.artifacts),
    kept: new WorldArtifacts(scheduler),
    disk: new WorldDisk(scheduler),
    promised: new Set(),
    toSave: nothing,
    given: nothing,
  }
  scheduler.log(`scenario: ${scenario.name}`)
  let [runId, attempt] = [0, 0]
  for (let number = 1; number <= maxRuns && scheduler.violations.length === 0; number++) {
    const following = number === 2 && scenario.hasTwoJobs ? [beside] : scenario.next
    const next = number === 1 ? again : scheduler.pick(following)
    const isAfter = number > 1 && !next.isBeside
    if (next.isNewMachine) {
      world.disk = new WorldDisk(scheduler)
      // By a commit, or by a step of the workflow.
      world.disk.add(world.given)
    }
    if (next.isRerun) attempt += 1
    else if (!next.isBeside) [runId, attempt] = [runId + 1, 1]
    world.kept.begin(next.seesKept, next.isBeside)
    // Nobody promises anything to a run that is not the next attempt, or that cannot see what was kept.
    const { promised, toSave } = next.isBeside ? world : alone
    if (!next.seesKept) world.promised = new Set()
    scheduler.log(next.does)
    scheduler.nowMs += 60_000
    if (isAfter && world.toSave !== world.given && scheduler.pick([false, true])) {
      scheduler.log('a person saves the lines of the log')
      world.promised = recordedHashes(world.toSave)
      world.given = world.toSave
      world.disk.add(world.given)
    }
    let confirmed: ReadonlySet<string> = new Set()
    if (isAfter && scheduler.pick([false, true])) {
      scheduler.log('a person confirms what the service has registered')
      confirmed = new Set(world.service.registered)
    }
    const source = { runId: `${runId}`, runAttempt: `${attempt}` }
    const run = new Run(source, world, confirmed)
    runs.push(run)
    if (run.isOfRelease) world.github.interleave()
    await run.play()
    scheduler.addViolations(next.does, judgeRun(run))
    scheduler.log(`it ends: ${run.describeEnd()}`)
    world.promised = findPromised(run).union(promised)
    const onlyInLog = run.end?.records.onlyInLog ?? 0
    if (onlyInLog > 0) world.toSave = [...toSave, ...run.printed]
    if (run.isOfRelease && world.disk.text !== '' && scheduler.pick([false, true])) {
      scheduler.log('  the workflow uploads the records')
      world.github.upload(`notarization-records-${runId}-${attempt}.jsonl`, world.disk.text)
    }
    const isDone = run.results.every(({ outcome }) => outcome.state === 'registered')
    const hasEnded = run.end !== null && run.stop === null && run.calls.length === 0 && isDone
    if (hasEnded && world.toSave === world.given) break
  }
  const { broken, unknown } = judgeMoney(runs, world.service.charges)
  scheduler.addViolations('money', broken)
  const { story, violations } = scheduler
  return { story, violations, unknown }
}

/** One run of the action, as seen from outside. */
export class Run {
  /** The run ID and attempt that its lines have. */
  readonly source: { readonly runId: string; readonly runAttempt: string }
  readonly world: World
  readonly inputs: NotarizeInputs & { readonly confirmedHashes: ReadonlySet<string> }
  readonly host: Host
  readonly disk: WorldDisk
  readonly #inFile: readonly string[]
  /** What it can find of earlier attempts in workflow artifacts. */
  readonly found: readonly string[]
  readonly calls: SentCall[] = []
  /** The calls that were answered, in the order of their answers. */
  readonly answered: SentCall[] = []
  readonly printed: string[] = []
  /** All lines that it knew when it ended. */
  lines: readonly string[] = []
  /** The lines that it has uploaded, and whether it knows that. */
  readonly kept: string[] = []
  hasKept = false
  /** The outputs that it has set. */
  readonly outputs = new Set<string>()
  /** When it was canceled, in milliseconds; null if it was not. */
  canceledMs: number | null = null
  /** Null if it was killed. */
  end: RunEnd | null = null

  constructor(source: Run['source'], world: World, confirmedHashes: ReadonlySet<string>) {
    const { scheduler, scenario, github, kept, disk, service } = world
    this.source = source
    this.world = world
    this.disk = disk
    this.inputs = { ...scheduler.pick(scenario.inputs), confirmedHashes }
    this.#inFile = linesOf(disk.text)
    this.found = kept.lines
    const variables = {
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_SHA: 'c0ffee',
      GITHUB_RUN_ID: source.runId,
      GITHUB_RUN_ATTEMPT: source.runAttempt,
      ACTIONS_RUNTIME_TOKEN: scenario.hasArtifacts ? 'runtime-token' : '',
      ACTIONS_RESULTS_URL: 'https://results.example',
    }
    const host = hostIn('/')
    const halt = new Halt(scheduler.clock)
    this.host = {
      ...host,
      environment: readEnvironment(variables, '/'),
      runner: {
        ...host.runner,
        info: text => {
          if (text.startsWith('{') && !scheduler.hasEnded) this.printed.push(text)
        },
        setOutput: name => void this.outputs.add(name),
      },
      clock: scheduler.clock,
      halt,
      disk,
      createTransport: () => service.connect(this),
      connectToGitHub: () => Promise.resolve(github.connect(halt.canceled)),
      workflowArtifacts: kept.connect(this),
    }
  }

  get isOfRelease(): boolean {
    return this.inputs.releaseTag !== null
  }

  /** The lines that the release had when it read them. */
  get released(): readonly string[] {
    return this.isOfRelease ? this.world.github.lines : []
  }

  /** The lines that it can find when it starts. */
  get before(): readonly string[] {
    return [...this.#inFile, ...this.found, ...this.released]
  }

  /** What it notarizes: files, or the assets that it was told. */
  get artifacts() {
    const { github, scenario } = this.world
    const files = scenario.artifacts.map(name => ({ name, content: name.slice(-1) }))
    const all = this.isOfRelease ? github.artifacts : files
    return all.map(({ name, content }) => ({ name, hash: sha256(content) }))
  }

  get results() {
    return this.end === null || this.stop !== null ? [] : this.end.artifacts
  }

  /** Why it stopped before anything was sent; null if it did not stop. */
  get stop(): string | null {
    if (this.end?.verdict !== 'stopped') return null
    return this.end.problems.map(({ message }) => message).join()
  }

  describeEnd(): string {
    if (this.end === null) return 'killed'
    const texts = this.results.map(({ name, outcome }) => `${name} ${outcome.state}`)
    return [...texts, this.stop ?? 'done', this.end.records.kind].join(', ')
  }

  /** Whether it wrote a line. */
  hasWritten = ({ source: { runId, runAttempt } }: RecordLine | DoubtLine): boolean =>
    runId === this.source.runId && runAttempt === this.source.runAttempt

  /** Whether a line is of its workflow run. */
  isOfRun = ({ source: { runId } }: RecordLine | DoubtLine): boolean => runId === this.source.runId

  /** Whether an earlier attempt wrote a line. */
  comesAfter = (line: RecordLine | DoubtLine): boolean =>
    this.isOfRun(line) && Number(line.source.runAttempt) < Number(this.source.runAttempt)

  async play(): Promise<void> {
    const { scheduler, disk } = this.world
    const { host, inputs } = this
    disk.begin()
    scheduler.interrupt('the run is killed', () => {
      scheduler.kill()
    })
    scheduler.interrupt('the run is canceled', () => {
      this.canceledMs = scheduler.nowMs
      host.halt.cancel()
    })
    const files = this.isOfRelease ? [] : this.artifacts
    const artifacts = files.map(file => {
      return { ...file, input: 'path', size: 1, outcome: planned } as const
    })
    await scheduler.run(async () => {
      try {
        const job = { host, inputs, recordsPath }
        const end = await notarize(job, () => Promise.resolve({ artifacts, counts: [] }))
        if (!scheduler.hasEnded) this.end = end
      } catch (error) {
        const promise = `it ends with a report, not with ${String(error)}`
        scheduler.addViolations('main', [promise])
      }
    })
    this.lines = [...new Set([...this.before, ...linesOf(disk.text), ...this.printed])]
  }

  readonly onSend = (call: SentCall): void => {
    const what = `${call.kind} of ${call.hash.slice(0, 4)}`
    if (call.hash !== '') this.world.scheduler.addViolations(what, judgeCall(call, this))
    this.calls.push(call)
  }
}
