/**
 * Campaigns of real processes under faults, signals and kills. Each registers a set of artifacts in several disturbed runs,
 * and compares the records file with what the service accepted.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { rawFault, resetFault, silenceFault, statusFault } from '../../simulator/faults.ts'
import { startSimulator, type Simulator } from '../../simulator/index.ts'
import type { Fault, SeenRequest } from '../../simulator/index.ts'
import { makeRandom } from '../support/random.ts'
import { findUnsettled, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import { runAction, type StepProcess } from '../support/runner.ts'
import { API_KEY, sha256, subscriptionText } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

/** Longest delay before the simulator processes a request. */
const maxLatencyMs = 30
const recordsFile = 'notarization-records.jsonl'
const maxDisturbedRuns = 6
/** More than one, because the first run may stop after five failures. */
const maxCalmRuns = 3

const signals = ['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT', null] as const
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

class Tally {
  campaigns = 0
  artifacts = 0
  /** Disturbed runs. */
  runs = 0
  killsInFlight = 0
  faults = 0
  /** Completions that the service accepted. */
  accepted = 0
  readonly violations = new Set<string>()
}

/** Plays campaigns until this many runs were disturbed or a promise is broken; the seed chooses the disturbances. */
export async function runChaos(runs: number, seed: number): Promise<Tally> {
  const tally = new Tally()
  while (tally.runs < runs && tally.violations.size === 0) {
    const service = await startSimulator({
      requested: 'any',
      repeat: 'accept',
      repeatRequest: 'accept',
      apiKeys: [API_KEY],
      latencyMs: ({ endpoint, number }) =>
        endpoint === 'completion' ? (number * 7919) % maxLatencyMs : 0,
      faults: request => campaign.receive(request),
    })
    const campaign = new Campaign(tally, seed, service)
    try {
      await campaign.play(Math.min(maxDisturbedRuns, runs - tally.runs))
    } finally {
      await service.close()
    }
  }
  return tally
}

class Campaign {
  readonly #tally: Tally
  readonly #service: Simulator
  readonly #random: () => number
  readonly #hashes: readonly string[]
  readonly #workspace
  #attempt = 0
  #isCalm
  #onCompletion = (): void => undefined

  constructor(tally: Tally, seed: number, service: Simulator) {
    this.#tally = tally
    this.#service = service
    // Every other campaign has no faults: most kills then come while calls are in flight.
    this.#isCalm = tally.campaigns % 2 === 0
    const ownSeed = Math.imul(seed, 65_537) + tally.campaigns
    this.#random = makeRandom(ownSeed)
    this.#hashes = Array.from({ length: 40 }, (_, at) => sha256(`${ownSeed} ${at}`))
    const lines = this.#hashes.map((hash, index) => `${hash}  artifact-${index}.bin\n`)
    this.#workspace = makeWorkspace({ SHA256SUMS: lines.join('') })
  }

  /** Checks a request, and chooses a fault. */
  receive(request: SeenRequest): Fault | undefined {
    this.#checkArrival(request)
    if (request.endpoint === 'completion') this.#onCompletion()
    const chance = request.endpoint === 'login' ? 0.1 : 0.35
    if (this.#random() >= chance || this.#isCalm) return undefined
    this.#tally.faults += 1
    return this.#pick(faults)
  }

  /** Disturbs runs until one is green, then runs without faults until one is green, and updates the tally. */
  async play(maxRuns: number): Promise<void> {
    const { runs } = this.#tally
    let isGreen = false
    while (!isGreen && this.#tally.runs < runs + maxRuns) {
      isGreen = await this.#run(this.#disturb)
      this.#tally.runs += 1
    }
    this.#isCalm = true
    isGreen = false
    for (let count = 0; count < maxCalmRuns && !isGreen; count++) isGreen = await this.#run()
    if (!isGreen) this.#report(`${maxCalmRuns} runs without faults were not green`)
    this.#tally.campaigns += 1
    this.#tally.artifacts += this.#hashes.length
    for (const times of this.#service.completionCounts.values()) this.#tally.accepted += times
  }

  /** Plans to send a signal soon after one of the first completions. */
  readonly #disturb = (child: StepProcess): void => {
    const signal = this.#pick(signals) ?? null
    let completionsLeft = 1 + Math.floor(this.#random() * 8)
    const afterMs = this.#random() * maxLatencyMs
    const strike = (): void => {
      if (signal === null || child.exitCode !== null) return
      if (signal === 'SIGKILL' && this.#service.inFlight > 0) this.#tally.killsInFlight += 1
      child.kill(signal)
    }
    this.#onCompletion = () => {
      completionsLeft -= 1
      if (completionsLeft === 0) setTimeout(strike, afterMs)
    }
  }

  /** Runs the action as the next attempt of one run, and checks the records file. Returns whether the run was green. */
  async #run(onStart: (child: StepProcess) => void = () => undefined): Promise<boolean> {
    const before = this.#lines
    const { campaigns } = this.#tally
    this.#attempt += 1
    const run = await runAction({
      workspace: this.#workspace,
      inputs: {
        'api-key': API_KEY,
        'base-url': this.#service.url,
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
    // The service still processes what a killed process has sent.
    await delay(maxLatencyMs + 50)
    if (run.timedOut) this.#report('a run did not end in time')
    if (run.stderr !== '') this.#report(`stderr: ${run.stderr.slice(0, 200)}`)
    if (!before.isSubsetOf(this.#lines)) this.#report('the records file lost lines')
    this.#checkFile()
    return run.exitCode === 0
  }

  #pick<T>(options: readonly T[]): T | undefined {
    return options[Math.floor(this.#random() * options.length)]
  }

  #report(violation: string): void {
    this.#tally.violations.add(violation)
  }

  #read() {
    if (!this.#workspace.exists(recordsFile)) return { records: [], states: [], rest: '' }
    return readRecordsText(this.#workspace.read(recordsFile))
  }

  get #lines(): ReadonlySet<string> {
    const { records, states } = this.#read()
    return new Set([...records, ...states].map(line => JSON.stringify(line)))
  }

  /** Checks that a call that may register a hash is sent after its line is on disk, and only if there is no record. */
  #checkArrival({ endpoint, hash }: SeenRequest): void {
    if ((endpoint !== 'completion' && endpoint !== 'request') || hash === undefined) return
    const file = this.#read()
    const unsettled = findUnsettled(file, { service: this.#service.url, hash })
    const attempts = unsettled.map(({ source }) => source.runAttempt)
    if (!attempts.includes(String(this.#attempt)))
      this.#report(`${hash}: sent before its line was saved`)
    if (file.records.some(line => line.hash === hash)) this.#report(`${hash}: sent though recorded`)
  }

  /** Checks that every hash that the service accepted has a record or is open. */
  #checkFile(): void {
    const file = this.#read()
    const recorded = new Set(file.records.map(({ hash }) => hash))
    for (const hash of this.#hashes) {
      const key = { service: this.#service.url, hash }
      const accepted = this.#service.completionCounts.get(hash) ?? 0
      const isRecorded = recorded.has(hash)
      const isOpen = findUnsettled(file, key).length > 0
      if (isRecorded && accepted === 0) this.#report(`${hash}: recorded without being accepted`)
      if (!isRecorded && accepted > 0 && !isOpen) this.#report(`${hash}: accepted, but lost`)
      const isSilent = isRecorded && accepted > 1 && !isMaybeChargedAgain(file, key)
      if (isSilent) this.#report(`${hash}: charged again, and no line says so`)
    }
  }
}
