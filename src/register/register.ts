import assert from 'node:assert'
import { bugFailure, describeError, Failure, Stop } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import {
  failed,
  isPlanned,
  type Artifact,
  type Outcome,
  type PlannedArtifact,
  type Registered,
} from '../outcome.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Host } from '../runtime/outside.ts'
import { Client } from '../service/client.ts'
import { Payers } from '../service/payers.ts'
import { proxyProblem } from '../service/proxy.ts'
import { Trust } from './trust.ts'

/** How often the log says how far the run is, in milliseconds. */
const progressMs = 30_000

export interface RegisterTask {
  readonly host: Host
  readonly inputs: NotarizeInputs
  readonly ledger: Ledger
}

/**
 * Registers the planned artifacts, one registration for each hash, and returns all artifacts. If none is planned, only
 * completes the records file. Rejects only with a `Stop`, if the file or the proxy cannot be used; then nothing is sent.
 */
export async function register(
  artifacts: readonly Artifact[],
  task: RegisterTask,
): Promise<readonly Artifact[]> {
  const { host, inputs, ledger } = task
  const planned = artifacts.filter(isPlanned)
  const { artifactService, attempt, proxies } = host.environment
  if (planned.length > 0) {
    const urls = [inputs.baseUrl]
    // Nothing is spent on records that cannot be kept.
    if (inputs.keepRecords && artifactService !== null) urls.push(artifactService)
    Stop.ifAny(urls.flatMap(url => proxyProblem(url, proxies) ?? []).slice(0, 1))
  }
  if (planned.length > 0 && attempt > 1 && inputs.keepRecords && artifactService === null) {
    const text =
      'This server has no artifact service, so records of earlier attempts are only in their logs. What they registered and the records file lacks is charged again'
    host.runner.warning(text, 'records.md#where-it-is-kept')
  }
  ledger.open(planned.length > 0)
  const outcomes = new Map<string, Outcome>()
  if (planned.length > 0) await registerAll(planned, outcomes, task)
  ledger.close()
  const unfinished = failed(host.halt.bug ?? bugFailure('a registration did not end'))
  return artifacts.map(artifact => {
    if (!isPlanned(artifact)) return artifact
    return { ...artifact, outcome: outcomes.get(artifact.hash) ?? unfinished }
  })
}

/** What all registrations of a run share. */
interface Registering {
  readonly host: Host
  readonly ledger: Ledger
  readonly client: Client
  readonly payers: Payers
  readonly trust: Trust
}

/**
 * Registers the first artifact of each hash: one at a time until there is a record, then at most `concurrency` at a time.
 * Adds the outcome of each hash. Never rejects.
 */
async function registerAll(
  planned: readonly PlannedArtifact[],
  outcomes: Map<string, Outcome>,
  { host, inputs, ledger }: RegisterTask,
): Promise<void> {
  const { runner, clock, halt } = host
  const transport = host.createTransport(inputs.timeoutSeconds * 1000)
  const client = new Client(host, transport, inputs)
  const trust = new Trust()
  const run = { host, ledger, client, payers: new Payers(client, host, inputs), trust }
  const queue = inOrder(planned)
  const total = queue.length
  let loggedMs = clock.monotonic()
  const noteBug = (error: unknown): void => {
    halt.noteBug(error)
  }

  const work = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      const artifact = queue.shift()
      if (artifact === undefined) return
      const outcome = await registerOne(artifact, run)
      outcomes.set(artifact.hash, outcome)
      if (queue.length === 0 || clock.monotonic() - loggedMs < progressMs) continue
      loggedMs = clock.monotonic()
      const failures = outcomes.values().filter(({ state }) => state === 'failed')
      runner.info(`${outcomes.size} of ${total} done, ${[...failures].length} failed`)
    }
  }
  await work(() => trust.isEarned).catch(noteBug)
  const workers = Array.from({ length: inputs.concurrency }, () => work(() => false).catch(noteBug))
  // What another worker has begun is finished.
  await Promise.all(workers)
  transport.close()
}

/** Returns an artifact of each hash. Those in doubt come last, so that one that always fails does not block the others. */
function inOrder(planned: readonly PlannedArtifact[]): PlannedArtifact[] {
  const groups = Map.groupBy(planned, ({ hash }) => hash)
  const firsts = Array.from(groups.values(), ([first]) => {
    assert(first !== undefined, 'a group has an artifact')
    return first
  })
  const isInDoubt = ({ outcome }: PlannedArtifact): boolean => outcome.lastDoubtAt !== null
  return [...firsts.filter(first => !isInDoubt(first)), ...firsts.filter(isInDoubt)]
}

/** Registers a hash unless nothing more may be sent, and judges the service by what became of it. */
async function registerOne(artifact: PlannedArtifact, run: Registering): Promise<Outcome> {
  const { halt } = run.host
  const { lastDoubtAt } = artifact.outcome
  if (halt.reason !== null) return failed(halt.reason, lastDoubtAt)
  try {
    const registered = await registerHash(artifact, run)
    run.trust.earn()
    return registered
  } catch (error) {
    const failure = error instanceof Failure ? error : bugFailure(describeError(error))
    // What ends the run is what happens to the rest, too, but nothing was seen of them.
    if (failure.endsRun) halt.end(failure.with({ mayHaveActed: false }))
    else if (run.trust.lose(failure)) halt.end(new Failure('not-tried', failure.reason))
    return failed(failure, lastDoubtAt)
  }
}

/** Registers a hash: payer, completion, then its record, or the doubt about a call that may have acted. Rejects with the failure. */
async function registerHash(
  artifact: PlannedArtifact,
  { host, ledger, client, payers }: Registering,
): Promise<Registered> {
  const payer = await payers.obtain(artifact, ledger.source)
  try {
    return ledger.saveRecord(artifact, await client.complete(artifact, payer))
  } catch (error) {
    // Nobody knows what a bug did.
    const bug = bugFailure(describeError(error)).with({ mayHaveActed: true })
    const failure = error instanceof Failure ? error : bug
    try {
      if (failure.mayHaveActed) ledger.saveDoubt(artifact, failure)
    } catch (second) {
      host.halt.noteBug(second)
    }
    throw failure
  }
}
