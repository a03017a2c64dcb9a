/** One campaign: a set of artifacts, registered through as many disturbed runs as it takes, checked all the while. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { findUnsettled, isOpen, readRecordsText } from '../__tests__/support/record-lines.ts'
import type { RecordsFile } from '../__tests__/support/record-lines.ts'
import { startAction } from '../__tests__/support/runner.ts'
import type { ActionRun } from '../__tests__/support/runner.ts'
import { API_KEY, makeLine, sha256, subscriptionText } from '../__tests__/support/samples.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'
import { startSimulator } from '../simulator/index.ts'
import type { SeenRequest, Simulator } from '../simulator/index.ts'
import { drawBalance } from './balance.ts'
import type { Accepted, Balance } from './balance.ts'
import { MAX_LATENCY_MS, pickFault } from './chaos-plan.ts'
import type { Moment, Setup } from './chaos-plan.ts'

const CONCURRENCY = 4
const RECORDS_FILE = 'notarization-records.jsonl'
/** A run without faults may have to follow one that was stopped by the breaker. */
const MAX_CALM_RUNS = 3

/** What happened in a campaign. */
export interface Campaign extends Balance {
  readonly kills: number
  /** Kills at which the simulator counted at least one completion in flight. */
  readonly killsInFlight: number
  readonly signals: number
  /** Runs with faults alone. */
  readonly faultyRuns: number
  readonly calmRuns: number
  readonly artifacts: number
  readonly faults: number
  /** Times that a part of a line was put at the end of the file, as a crash of the machine leaves it. */
  readonly incompleteLines: number
  /** Hashes that a person looked up, as the README says. */
  readonly settledByHand: number
  /** How often the file was read and checked against its rules. */
  readonly readings: number
}

/** Runs one campaign with these moments, as far as its setup wants them. */
export async function runCampaign(
  setup: Setup,
  seed: number,
  moments: readonly Moment[],
): Promise<Campaign> {
  const campaign = new RunningCampaign(setup, seed)
  try {
    await campaign.start()
    for (const moment of moments) {
      if (await campaign.disturb(moment)) break
    }
    await campaign.finish()
  } finally {
    await campaign.close()
  }
  return campaign.figures()
}

class RunningCampaign {
  readonly #setup: Setup
  readonly #seed: number
  readonly #contents: readonly string[]
  readonly #hashes: readonly string[]
  readonly #workspace: Workspace
  readonly #violations = new Set<string>()
  /** Hashes whose record was written by hand. */
  readonly #recordedByHand = new Set<string>()
  /** Numbers of requests that met a fault, and of those whose process was killed. */
  readonly #faulty = new Set<number>()
  readonly #killed = new Set<number>()
  readonly #counts = {
    ...{ kills: 0, killsInFlight: 0, signals: 0, faultyRuns: 0, calmRuns: 0 },
    ...{ incompleteLines: 0, settledByHand: 0, readings: 0 },
  }
  #service: Simulator | undefined
  #isCalm = false
  #onArrival: (request: SeenRequest) => void = () => undefined
  #onFinished: (request: SeenRequest) => void = () => undefined

  constructor(setup: Setup, seed: number) {
    this.#setup = setup
    this.#seed = seed
    this.#contents = Array.from({ length: setup.artifacts }, (_, index) => `${seed} ${index}`)
    this.#hashes = this.#contents.map(content => sha256(content))
    const lines = this.#hashes.map((hash, index) => `${hash}  artifact-${index}.bin\n`)
    this.#workspace = makeWorkspace({ SHA256SUMS: lines.join('') })
  }

  async start(): Promise<void> {
    this.#service = await startSimulator({
      ...{ requested: 'any', repeat: 'accept', repeatRequest: 'accept', apiKeys: [API_KEY] },
      latencyMs: ({ endpoint, number }) =>
        endpoint === 'completion' ? (number * 7919) % MAX_LATENCY_MS : 0,
      faults: request => {
        this.#checkArrival(request)
        this.#onArrival(request)
        if (!this.#setup.hasFaults || this.#isCalm) return undefined
        const fault = pickFault(this.#seed, request)
        if (fault !== undefined) this.#faulty.add(request.number)
        return fault
      },
      onFinished: request => {
        this.#read()
        this.#onFinished(request)
      },
    })
  }

  /** Runs the action and disturbs it; says whether it ended by itself with everything registered. */
  async disturb(moment: Moment): Promise<boolean> {
    const before = this.#read()
    const first = this.service.requests.length
    const run = await this.#run(moment)
    // What a process had sent when it was killed is still carried out.
    await delay(MAX_LATENCY_MS + 50)
    const sent = this.service.requests.slice(first)
    if (run.signal === 'SIGKILL') {
      this.#counts.kills += 1
      for (const { number } of sent) this.#killed.add(number)
    } else if (moment.signal !== null && run.exitCode !== 0) this.#counts.signals += 1
    else this.#counts.faultyRuns += 1
    this.#checkRun(run, before, sent)
    if (run.signal === 'SIGKILL' && moment.tear !== null) this.#appendPart(moment.tear)
    return run.exitCode === 0
  }

  /** Runs without faults until all is green; with at most once a person settles what is open before each run. */
  async finish(): Promise<void> {
    this.#isCalm = true
    for (let count = 0; count < MAX_CALM_RUNS; count += 1) {
      if (!this.#setup.retryUnanswered) this.#settleByHand()
      const before = this.#read()
      const first = this.service.requests.length
      const run = await this.#run(null)
      this.#counts.calmRuns += 1
      this.#checkRun(run, before, this.service.requests.slice(first))
      if (run.exitCode !== 0) continue
      this.#checkEnd(run)
      return
    }
    this.#say(`${MAX_CALM_RUNS} runs without faults did not end green`)
  }

  figures(): Campaign {
    const balance = this.#draw(this.#read())
    return {
      ...balance,
      ...this.#counts,
      artifacts: this.#hashes.length,
      faults: this.#faulty.size,
      violations: [...this.#violations, ...balance.violations],
    }
  }

  async close(): Promise<void> {
    await this.#service?.close()
  }

  get service(): Simulator {
    if (this.#service === undefined) throw new Error('the campaign was not started')
    return this.#service
  }

  async #run(moment: Moment | null): Promise<ActionRun> {
    const { retryUnanswered, requestRegistration, hasFaults } = this.#setup
    const { child, finished } = startAction({
      workspace: this.#workspace,
      inputs: {
        'api-key': API_KEY,
        'base-url': this.service.url,
        subscription: subscriptionText,
        checksums: 'SHA256SUMS',
        concurrency: String(CONCURRENCY),
        ...(hasFaults ? { 'max-attempts': '3', 'timeout-seconds': '1' } : {}),
        ...(requestRegistration ? { 'request-registration': 'true' } : {}),
        ...(retryUnanswered ? {} : { 'retry-unanswered': 'false' }),
      },
    })
    if (moment !== null) {
      this.#watch(moment, signal => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const isKill = signal === 'SIGKILL'
        if (isKill && this.service.inFlight > 0) this.#counts.killsInFlight += 1
        child.kill(signal)
      })
    }
    try {
      return await finished
    } finally {
      this.#onArrival = this.#onFinished = () => undefined
    }
  }

  /** Sends the signal at its moment, once. */
  #watch(moment: Moment, send: (signal: NodeJS.Signals) => void): void {
    const { signal, kind, atCompletion, afterMs } = moment
    if (signal === null) return
    let isOver = false
    const strike = (): void => {
      if (isOver || (kind === 'in-flight' && this.service.inFlight === 0)) return
      isOver = true
      send(signal)
    }
    let count = 0
    const countTo = ({ endpoint }: SeenRequest): void => {
      if (endpoint === 'completion' && ++count >= atCompletion) setTimeout(strike, afterMs).unref()
    }
    if (kind === 'any-time') setTimeout(strike, afterMs).unref()
    else if (kind === 'in-flight') this.#onArrival = countTo
    else this.#onFinished = countTo
  }

  #say(violation: string): void {
    this.#violations.add(violation)
  }

  #read(): RecordsFile {
    this.#counts.readings += 1
    const path = this.#workspace.path(RECORDS_FILE)
    try {
      return readRecordsText(existsSync(path) ? readFileSync(path, 'utf8') : '')
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error))
      return { records: [], states: [], rest: '' }
    }
  }

  /** A completion goes out when its line is on disk, and not before. */
  #checkArrival({ endpoint, hash }: SeenRequest): void {
    if (endpoint !== 'completion' || hash === undefined) return
    const file = this.#read()
    const accepted = this.service.completionCounts.get(hash) ?? 0
    const { length } = findUnsettled(file, { service: this.service.url, hash })
    if (length < accepted + 1) this.#say(`${hash}: sent with ${length} lines that say so`)
    if (file.records.some(line => line.hash === hash)) this.#say(`${hash}: sent with a record`)
  }

  #checkRun(run: ActionRun, before: RecordsFile, sent: readonly SeenRequest[]): void {
    const after = this.#read()
    const lines = [...before.records, ...before.states].map(line => JSON.stringify(line))
    const kept = new Set([...after.records, ...after.states].map(line => JSON.stringify(line)))
    if (lines.some(line => !kept.has(line))) this.#say('lines that were in the file are gone')
    if (run.timedOut) this.#say('a run did not end')
    if (run.stderr !== '') this.#say(`stderr: ${run.stderr.slice(0, 200)}`)
    const isOpenBefore = ({ hash = '' }: SeenRequest): boolean =>
      isOpen(before, { service: this.service.url, hash })
    if (!this.#setup.retryUnanswered && sent.some(isOpenBefore)) {
      this.#say('an open hash was sent again at most once')
    }
    for (const violation of this.#draw(after).violations) this.#say(violation)
  }

  #checkEnd({ outputs }: ActionRun): void {
    const expected = { verdict: 'registered', 'registered-count': String(this.#hashes.length) }
    for (const [name, value] of Object.entries(expected)) {
      if (outputs[name] !== value) this.#say(`the output ${name} is ${outputs[name] ?? 'missing'}`)
    }
    const { recorded, recordedByHand } = this.#draw(this.#read())
    const known = recorded + recordedByHand
    if (known !== this.#hashes.length) this.#say(`only ${known} hashes have a record`)
  }

  #draw(file: RecordsFile): Balance {
    const accepted = this.service.requests.flatMap((request): Accepted[] => {
      const { endpoint, hash, isAccepted, isAnswered, number } = request
      if (endpoint !== 'completion' || isAccepted !== true || hash === undefined) return []
      const isGood = isAnswered === true && !this.#faulty.has(number)
      return [{ hash, isAnswered: isGood, isKilled: this.#killed.has(number) }]
    })
    return drawBalance({
      ...{ service: this.service.url, hashes: this.#hashes, accepted, file },
      recordedByHand: this.#recordedByHand,
      isAtMostOnce: !this.#setup.retryUnanswered,
    })
  }

  /** Leaves a part of a line at the end of the file, as a machine does that lost its power. */
  #appendPart(share: number): void {
    const path = this.#workspace.path(RECORDS_FILE)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const line = text.split('\n').at(-2)
    if (line === undefined || !text.endsWith('\n')) return
    appendFileSync(path, line.slice(0, 1 + Math.floor(share * (line.length - 2))))
    this.#counts.incompleteLines += 1
  }

  /** Does what the README asks of a person: look an open hash up, then add its record or remove its lines. */
  #settleByHand(): void {
    const path = this.#workspace.path(RECORDS_FILE)
    const file = this.#read()
    const { url, registered } = this.service
    const open = this.#hashes.filter(hash => isOpen(file, { service: url, hash }))
    if (open.length === 0) return
    const unregistered = open.filter(hash => !registered.has(hash))
    const kept = readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .filter(line => !unregistered.some(hash => line.includes(`"hash":"${hash}"`)))
    const added = this.#contents
      .map(content => makeLine(url, content))
      .filter(({ hash }) => open.includes(hash) && registered.has(hash))
      .map(line => JSON.stringify({ ...line, record: registered.get(line.hash) }))
    writeFileSync(path, [...kept, ...added].map(line => `${line}\n`).join(''))
    for (const hash of open) if (registered.has(hash)) this.#recordedByHand.add(hash)
    this.#counts.settledByHand += open.length
  }
}
