/**
 * Campaigns of real processes under faults, signals and kills: each registers a set of artifacts through as many disturbed
 * runs as it takes, and compares the records file with what the service accepted all the while.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  rawFault,
  resetFault,
  silenceFault,
  startSimulator,
  statusFault,
  type Fault,
  type SeenRequest,
  type Simulator,
} from '../../simulator/index.ts'
import { makeRandom } from '../support/random.ts'
import {
  findUnsettled,
  isMaybeChargedAgain,
  readRecordsText,
  type RecordsFile,
} from '../support/record-lines.ts'
import { runAction, type ActionRun, type StepProcess } from '../support/runner.ts'
import { API_KEY, sha256, subscriptionText } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

/** Longest wait of the simulator before it carries out a request. */
const maxLatencyMs = 30
const recordsFile = 'notarization-records.jsonl'
/** A run without faults may have to follow one that stopped after five failures. */
const maxCalmRuns = 3

const faults: readonly Fault[] = [
  statusFault(503, { effect: 'after' }),
  statusFault(429, { headers: { 'retry-after': '0' } }),
  statusFault(409),
  resetFault('request-read'),
  resetFault('done'),
  resetFault('mid-body'),
  silenceFault({ done: true }),
  rawFault('', { effect: 'after' }),
]

/** What happened in all campaigns, and all that was wrong: nothing, if the action keeps its promises. */
class Tally {
  campaigns = 0
  artifacts = 0
  runs = 0
  kills = 0
  killsInFlight = 0
  faults = 0
  /** Completions that the service accepted. */
  accepted = 0
  readonly violations = new Set<string>()
}

/** Runs campaigns until that many runs were disturbed, or something is wrong; the seed picks what goes wrong. */
export async function runChaos(runs: number, seed: number): Promise<Tally> {
  const tally = new Tally()
  while (tally.runs < runs && tally.violations.size === 0) {
    await new Campaign(tally, seed).run(Math.min(6, runs - tally.runs))
  }
  return tally
}

class Campaign {
  readonly #tally: Tally
  readonly #random: () => number
  readonly #hashes: readonly string[]
  readonly #workspace
  #attempt = 0
  #isCalm
  #onCompletion: () => void = () => undefined

  constructor(tally: Tally, seed: number) {
    this.#tally = tally
    // Without faults at first: most kills come while calls are in flight.
    this.#isCalm = tally.campaigns % 2 === 0
    const own = Math.imul(seed, 65_537) + tally.campaigns
    this.#random = makeRandom(own)
    this.#hashes = Array.from({ length: 40 }, (_, at) => sha256(`${own} ${at}`))
    const lines = this.#hashes.map((hash, index) => `${hash}  artifact-${index}.bin\n`)
    this.#workspace = makeWorkspace({ SHA256SUMS: lines.join('') })
  }

  /** Disturbs at most so many runs, then runs until all is green. */
  async run(most: number): Promise<void> {
    const service = await startSimulator({
      requested: 'any',
      repeat: 'accept',
      repeatRequest: 'accept',
      apiKeys: [API_KEY],
      latencyMs: ({ endpoint, number }) =>
        endpoint === 'completion' ? (number * 7919) % maxLatencyMs : 0,
      faults: request => {
        this.#checkArrival(request, service)
        if (request.endpoint === 'completion') this.#onCompletion()
        return this.#pickFault(request)
      },
    })
    try {
      let left = most
      while (left > 0 && !(await this.#disturb(service))) left -= 1
      await this.#finish(service)
    } finally {
      await service.close()
    }
  }

  #pickFault(request: SeenRequest): Fault | undefined {
    const random = this.#random()
    const isHit = random < (request.endpoint === 'login' ? 0.1 : 0.35)
    if (this.#isCalm || !isHit) return undefined
    this.#tally.faults += 1
    return faults[Math.floor(this.#random() * faults.length)]
  }

  /** Runs the action and disturbs it; returns whether it ended by itself with everything registered. */
  async #disturb(service: Simulator): Promise<boolean> {
    const random = this.#random
    const signals = ['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT', null] as const
    const signal = signals[Math.floor(random() * signals.length)] ?? null
    let left = 1 + Math.floor(random() * 8)
    const afterMs = random() * maxLatencyMs
    const run = await this.#start(service, child => {
      const strike = (): void => {
        if (signal === null || child.exitCode !== null) return
        if (signal === 'SIGKILL' && service.inFlight > 0) this.#tally.killsInFlight += 1
        child.kill(signal)
      }
      this.#onCompletion = () => {
        left -= 1
        if (left === 0) setTimeout(strike, afterMs)
      }
    })
    this.#tally.runs += 1
    if (run.signal === 'SIGKILL') this.#tally.kills += 1
    return run.exitCode === 0
  }

  /** Runs without faults until all is green, and counts. */
  async #finish(service: Simulator): Promise<void> {
    this.#isCalm = true
    let run = await this.#start(service)
    for (let count = 1; count < maxCalmRuns && run.exitCode !== 0; count += 1) {
      run = await this.#start(service)
    }
    if (run.exitCode !== 0) this.#report(`${maxCalmRuns} runs without faults did not end green`)
    this.#tally.campaigns += 1
    this.#tally.artifacts += this.#hashes.length
    for (const times of service.completionCounts.values()) this.#tally.accepted += times
  }

  /** Runs the action to its end, as the next attempt of one run, and checks the records file. */
  async #start(
    service: Simulator,
    onStart: (child: StepProcess) => void = () => undefined,
  ): Promise<ActionRun> {
    const before = linesOf(this.#read())
    this.#attempt += 1
    const { campaigns } = this.#tally
    const run = await runAction({
      workspace: this.#workspace,
      inputs: {
        'api-key': API_KEY,
        'base-url': service.url,
        subscription: subscriptionText,
        checksums: 'SHA256SUMS',
        'max-attempts': campaigns % 2 === 0 ? '3' : '1',
        'timeout-seconds': '1',
        'request-registration': String(campaigns % 3 === 1),
      },
      env: { GITHUB_RUN_ATTEMPT: String(this.#attempt) },
      onStart,
    })
    this.#onCompletion = () => undefined
    // What a process had sent when it was killed is still carried out.
    await delay(maxLatencyMs + 50)
    if (run.timedOut) this.#report('a run did not end')
    if (run.stderr !== '') this.#report(`stderr: ${run.stderr.slice(0, 200)}`)
    if (!before.isSubsetOf(linesOf(this.#read()))) this.#report('lines of the file are gone')
    this.#checkFile(service)
    return run
  }

  #report(violation: string): void {
    this.#tally.violations.add(violation)
  }

  #read(): RecordsFile {
    if (!this.#workspace.exists(recordsFile)) return { records: [], states: [], rest: '' }
    return readRecordsText(this.#workspace.read(recordsFile))
  }

  /** A call that may register goes out when its line is on disk, and only without a record. */
  #checkArrival({ endpoint, hash }: SeenRequest, { url: service }: Simulator): void {
    if ((endpoint !== 'completion' && endpoint !== 'request') || hash === undefined) return
    const file = this.#read()
    const isSent = findUnsettled(file, { service, hash }).some(
      ({ source }) => source.runAttempt === String(this.#attempt),
    )
    if (!isSent) this.#report(`${hash}: sent before its line was saved`)
    if (file.records.some(line => line.hash === hash)) this.#report(`${hash}: sent with a record`)
  }

  /** What the service accepted has a record, or is open. */
  #checkFile(service: Simulator): void {
    const file = this.#read()
    const recorded = new Set(file.records.map(({ hash }) => hash))
    for (const hash of this.#hashes) {
      const place = { service: service.url, hash }
      const accepted = service.completionCounts.get(hash) ?? 0
      const isKnown = recorded.has(hash)
      if (isKnown && accepted === 0) this.#report(`${hash}: a record that nobody gave`)
      const isOpen = findUnsettled(file, place).length > 0
      if (!isKnown && accepted > 0 && !isOpen) this.#report(`${hash}: forgotten`)
      const isSilent = isKnown && accepted > 1 && !isMaybeChargedAgain(file, place)
      if (isSilent) this.#report(`${hash}: charged again, and nothing says so`)
    }
  }
}

function linesOf({ records, states }: RecordsFile): ReadonlySet<string> {
  return new Set([...records, ...states].map(line => JSON.stringify(line)))
}
