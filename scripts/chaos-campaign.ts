/** One campaign: a set of artifacts, registered through as many disturbed runs as it takes, checked all the while. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { findUnsettled, isOpen, readRecordsText } from '../__tests__/support/record-lines.ts'
import type { RecordsFile } from '../__tests__/support/record-lines.ts'
import { startAction } from '../__tests__/support/runner.ts'
import type { ActionRun } from '../__tests__/support/runner.ts'
import { API_KEY, makeLine, sha256, subscriptionText } from '../__tests__/support/samples.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import { startSimulator } from '../simulator/index.ts'
import type { Fault, SeenRequest, Simulator } from '../simulator/index.ts'
import { drawBalance } from './balance.ts'
import { MAX_LATENCY_MS, pickFault } from './chaos-plan.ts'
import type { Moment, Setup } from './chaos-plan.ts'

const RECORDS_FILE = 'notarization-records.jsonl'
/** A run without faults may have to follow one that was stopped by the breaker. */
const MAX_CALM_RUNS = 3

const SUMS = [
  ...['accepted', 'recorded', 'recordedByHand', 'lost', 'killed', 'unansweredTries', 'open'],
] as const

/** What happened in all campaigns, and all that was wrong: nothing, if the action keeps its word. */
export type Tally = ReturnType<typeof startTally>

/** Starts counting. What each number is stands in the table of `chaos.ts`. */
export function startTally() {
  return {
    ...{ campaigns: 0, artifacts: 0, runs: 0, kills: 0, killsInFlight: 0, signals: 0 },
    ...{ faultyRuns: 0, calmRuns: 0, faults: 0, incompleteLines: 0, settledByHand: 0, readings: 0 },
    ...{ accepted: 0, recorded: 0, recordedByHand: 0, lost: 0, killed: 0 },
    ...{ unansweredTries: 0, open: 0 },
    violations: new Set<string>(),
  }
}

/** Runs one campaign with these moments, as far as its setup wants them, and adds to the tally what happened. */
export async function runCampaign(
  setup: Setup,
  moments: readonly Moment[],
  tally: Tally,
): Promise<void> {
  const service = await startSimulator({
    ...{ requested: 'any', repeat: 'accept', repeatRequest: 'accept', apiKeys: [API_KEY] },
    latencyMs: ({ endpoint, number }) =>
      endpoint === 'completion' ? (number * 7919) % MAX_LATENCY_MS : 0,
    faults: request => campaign.meet(request),
    onFinished: request => {
      campaign.see(request)
    },
  })
  const campaign = new Campaign(setup, service, tally)
  try {
    for (const moment of moments) {
      if (await campaign.disturb(moment)) break
    }
    await campaign.finish()
  } finally {
    await service.close()
  }
}

class Campaign {
  readonly #setup: Setup
  readonly #service: Simulator
  readonly #tally: Tally
  readonly #contents: readonly string[]
  readonly #hashes: readonly string[]
  readonly #workspace
  /** Hashes whose record was written by hand. */
  readonly #recordedByHand = new Set<string>()
  /** Numbers of requests that met a fault, and of those whose process was killed. */
  readonly #faulty = new Set<number>()
  readonly #killed = new Set<number>()
  #isCalm = false
  #onArrival: (request: SeenRequest) => void = () => undefined
  #onFinished: (request: SeenRequest) => void = () => undefined

  constructor(setup: Setup, service: Simulator, tally: Tally) {
    this.#setup = setup
    this.#service = service
    this.#tally = tally
    this.#contents = Array.from({ length: setup.artifacts }, (_, at) => `${setup.seed} ${at}`)
    this.#hashes = this.#contents.map(content => sha256(content))
    const lines = this.#hashes.map((hash, index) => `${hash}  artifact-${index}.bin\n`)
    this.#workspace = makeWorkspace({ SHA256SUMS: lines.join('') })
  }

  /** A request arrives: what it meets. */
  meet(request: SeenRequest): Fault | undefined {
    this.#checkArrival(request)
    this.#onArrival(request)
    if (!this.#setup.hasFaults || this.#isCalm) return undefined
    const fault = pickFault(this.#setup.seed, request)
    if (fault !== undefined) this.#faulty.add(request.number)
    return fault
  }

  /** A request was answered, or lost. */
  see(request: SeenRequest): void {
    this.#read()
    this.#onFinished(request)
  }

  /** Runs the action and disturbs it; says whether it ended by itself with everything registered. */
  async disturb(moment: Moment): Promise<boolean> {
    const { run, sent } = await this.#run(moment)
    this.#tally.runs += 1
    if (run.signal === 'SIGKILL') {
      this.#tally.kills += 1
      for (const { number } of sent) this.#killed.add(number)
    } else if (moment.signal !== null && run.exitCode !== 0) this.#tally.signals += 1
    else this.#tally.faultyRuns += 1
    for (const { violations } of this.#balances()) this.#say(...violations)
    if (run.signal === 'SIGKILL' && moment.tear !== null) this.#appendPart(moment.tear)
    return run.exitCode === 0
  }

  /** Runs without faults until all is green; with at most once a person settles what is open before each run. */
  async finish(): Promise<void> {
    const tally = this.#tally
    this.#isCalm = true
    let run: ActionRun | undefined
    for (let count = 0; count < MAX_CALM_RUNS && run?.exitCode !== 0; count += 1) {
      if (!this.#setup.retryUnanswered) this.#settleByHand()
      run = (await this.#run(null)).run
      tally.calmRuns += 1
    }
    const { verdict, 'registered-count': count } = run?.outputs ?? {}
    if (run?.exitCode !== 0) this.#say(`${MAX_CALM_RUNS} runs without faults did not end green`)
    if (verdict !== 'registered') this.#say(`the verdict is ${verdict ?? 'missing'}`)
    if (count !== String(this.#hashes.length))
      this.#say(`registered-count is ${count ?? 'missing'}`)
    for (const balance of this.#balances()) {
      if (balance.recorded + balance.recordedByHand === 0) this.#say('a hash has no record')
      for (const name of SUMS) tally[name] += balance[name]
      this.#say(...balance.violations)
    }
    tally.campaigns += 1
    tally.artifacts += this.#hashes.length
    tally.faults += this.#faulty.size
  }

  /** Runs the action, and gives what it sent. */
  async #run(moment: Moment | null) {
    const { retryUnanswered, requestRegistration, hasFaults } = this.#setup
    const service = this.#service
    const before = this.#read()
    const first = service.requests.length
    const { child, finished } = startAction({
      workspace: this.#workspace,
      inputs: {
        'api-key': API_KEY,
        'base-url': service.url,
        subscription: subscriptionText,
        checksums: 'SHA256SUMS',
        ...(hasFaults ? { 'max-attempts': '3', 'timeout-seconds': '1' } : {}),
        'request-registration': String(requestRegistration),
        'retry-unanswered': String(retryUnanswered),
      },
    })
    if (moment !== null) {
      this.#watch(moment, signal => {
        if (child.exitCode !== null || child.signalCode !== null) return
        if (signal === 'SIGKILL' && service.inFlight > 0) this.#tally.killsInFlight += 1
        child.kill(signal)
      })
    }
    const run = await finished
    this.#onArrival = this.#onFinished = () => undefined
    // What a process had sent when it was killed is still carried out.
    await delay(MAX_LATENCY_MS + 50)
    const sent = service.requests.slice(first)
    this.#checkRun(run, before, sent)
    return { run, sent }
  }

  /** Sends the signal at its moment, once. */
  #watch(moment: Moment, send: (signal: NodeJS.Signals) => void): void {
    const { signal, kind, atCompletion, afterMs } = moment
    if (signal === null) return
    let isOver = false
    const strike = (): void => {
      if (isOver || (kind === 'in-flight' && this.#service.inFlight === 0)) return
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

  #say(...violations: readonly string[]): void {
    for (const violation of violations) this.#tally.violations.add(violation)
  }

  #readText(): string {
    return this.#workspace.exists(RECORDS_FILE) ? this.#workspace.read(RECORDS_FILE) : ''
  }

  #read(): RecordsFile {
    this.#tally.readings += 1
    try {
      return readRecordsText(this.#readText())
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error))
      return { records: [], states: [], rest: '' }
    }
  }

  /** A completion goes out when its line is on disk, and not before. */
  #checkArrival({ endpoint, hash }: SeenRequest): void {
    if (endpoint !== 'completion' || hash === undefined) return
    const file = this.#read()
    const accepted = this.#service.completionCounts.get(hash) ?? 0
    const { length } = findUnsettled(file, { service: this.#service.url, hash })
    if (length < accepted + 1) this.#say(`${hash}: sent with ${length} lines that say so`)
    if (file.records.some(line => line.hash === hash)) this.#say(`${hash}: sent with a record`)
  }

  #checkRun(run: ActionRun, before: RecordsFile, sent: readonly SeenRequest[]): void {
    const linesOf = ({ records, states }: RecordsFile): ReadonlySet<string> =>
      new Set([...records, ...states].map(line => JSON.stringify(line)))
    if (!linesOf(before).isSubsetOf(linesOf(this.#read()))) this.#say('lines of the file are gone')
    if (run.timedOut) this.#say('a run did not end')
    if (run.stderr !== '') this.#say(`stderr: ${run.stderr.slice(0, 200)}`)
    const wasOpen = ({ hash = '' }: SeenRequest): boolean =>
      isOpen(before, { service: this.#service.url, hash })
    if (!this.#setup.retryUnanswered && sent.some(wasOpen)) {
      this.#say('an open hash was sent again at most once')
    }
  }

  #balances() {
    const accepted = this.#service.requests.flatMap(request => {
      const { endpoint, hash, isAccepted, number } = request
      if (endpoint !== 'completion' || isAccepted !== true || hash === undefined) return []
      const isAnswered = request.isAnswered === true && !this.#faulty.has(number)
      return [{ hash, isAnswered, isKilled: this.#killed.has(number) }]
    })
    const books = {
      ...{ service: this.#service.url, accepted, file: this.#read() },
      recordedByHand: this.#recordedByHand,
      isAtMostOnce: !this.#setup.retryUnanswered,
    }
    return this.#hashes.map(hash => drawBalance(hash, books))
  }

  /** Leaves a part of a line at the end of the file, as a machine does that lost its power. */
  #appendPart(share: number): void {
    const text = this.#readText()
    const line = text.split('\n').at(-2)
    if (line === undefined || !text.endsWith('\n')) return
    const part = line.slice(0, 1 + Math.floor(share * (line.length - 2)))
    appendFileSync(this.#workspace.path(RECORDS_FILE), part)
    this.#tally.incompleteLines += 1
  }

  /** Does what the README asks of a person: look an open hash up, then add its record or remove its lines. */
  #settleByHand(): void {
    const { url, registered } = this.#service
    const file = this.#read()
    const open = this.#hashes.filter(hash => isOpen(file, { service: url, hash }))
    if (open.length === 0) return
    const unregistered = open.filter(hash => !registered.has(hash))
    const kept = this.#readText()
      .split('\n')
      .slice(0, -1)
      .filter(line => !unregistered.some(hash => line.includes(`"hash":"${hash}"`)))
    const added = this.#contents
      .map(content => makeLine(url, content))
      .filter(({ hash }) => open.includes(hash) && registered.has(hash))
      .map(line => JSON.stringify({ ...line, record: registered.get(line.hash) }))
    const text = [...kept, ...added].map(line => `${line}\n`).join('')
    writeFileSync(this.#workspace.path(RECORDS_FILE), text)
    for (const hash of open) if (registered.has(hash)) this.#recordedByHand.add(hash)
    this.#tally.settledByHand += open.length
  }
}
