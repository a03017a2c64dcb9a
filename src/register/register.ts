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
import { createProgress } from '../runtime/progress.ts'
import { Client } from '../service/client.ts'
import { joinRefusal, Payers } from '../service/payers.ts'
import { proxyProblem } from '../service/proxy.ts'
import { formatTime } from '../text/phrases.ts'

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
  const groups = Map.groupBy(artifacts.filter(isPlanned), ({ hash }) => hash)
  const hasWork = groups.size > 0
  const problem = hasWork ? proxyProblem(inputs.baseUrl, host.environment.proxies) : null
  if (problem !== null) throw new Stop(problem)
  await ledger.startWriting(hasWork)
  const outcomes = new Map<string, Outcome>()
  if (hasWork) await registerAll(groups, outcomes, task)
  await ledger.close()
  const unfinished = failed(host.halt.bug ?? bugFailure('a registration did not end'))
  return artifacts.map(artifact => {
    if (!isPlanned(artifact)) return artifact
    return { ...artifact, outcome: outcomes.get(artifact.hash) ?? unfinished }
  })
}

/** So many hashes that are `unavailable`, or refused with 402 or 403, stop the run, if none in between is registered. */
const maxOutages = 5

/** Registers the first artifact of each hash, at most `concurrency` at a time, and adds the outcome of each hash. Never rejects. */
async function registerAll(
  groups: ReadonlyMap<string, readonly PlannedArtifact[]>,
  outcomes: Map<string, Outcome>,
  { host, inputs, ledger }: RegisterTask,
): Promise<void> {
  const { runner, clock, halt } = host
  const transport = host.createTransport(inputs.timeoutSeconds * 1000)
  const client = new Client(host, transport, inputs)
  const run = { ledger, client, payers: new Payers(client, host, inputs) }
  const progress = createProgress('registering', clock, runner.info)
  const remaining = groups.values()
  let stopReason: Failure | null = null
  let outages = 0
  let failures = 0

  const noteFailure = (failure: Failure): Outcome => {
    failures += 1
    if (isOutage(failure)) outages += 1
    if (failure.endsRun) stopReason ??= failure
    const observed = `not tried after ${maxOutages} failed registrations`
    if (outages >= maxOutages) stopReason ??= failure.with({ observed })
    return failed(failure)
  }
  const registerOne = async (artifact: PlannedArtifact): Promise<Outcome> => {
    const reason = stopReason ?? halt.reason
    if (reason !== null) return failed(reason.with({ registered: 'no' }))
    try {
      const registered = await registerArtifact(artifact, run)
      outages = 0
      return registered
    } catch (error) {
      return noteFailure(error instanceof Failure ? error : bugFailure(describeError(error)))
    }
  }
  const work = async (): Promise<void> => {
    for (const [artifact] of remaining) {
      assert(artifact !== undefined, 'a group has an artifact')
      outcomes.set(artifact.hash, addOpen(await registerOne(artifact), artifact))
      progress(outcomes.size, groups.size, failures === 0 ? '' : `${failures} failed`)
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: inputs.concurrency }, work))
  for (const worker of workers) if (worker.status === 'rejected') halt.noteBug(worker.reason)
  transport.close()
  const { unexpectedFields } = ledger
  if (unexpectedFields.size === 0) return
  const fields = [...unexpectedFields].join(', ')
  const text = `Some record fields have an undocumented type and were kept unchanged: ${fields}`
  runner.notice(text)
}

/** What all registrations of a run share. */
interface Registering {
  readonly ledger: Ledger
  readonly client: Client
  readonly payers: Payers
}

/** Registers the hash of an artifact: write-ahead, so that a killed run leaves a trace of each call. Rejects with the failure. */
async function registerArtifact(
  artifact: PlannedArtifact,
  { ledger, client, payers }: Registering,
): Promise<Registered> {
  const payer = await payers.find(artifact, ledger.source)
  await client.logIn()
  const intent = await ledger.logIntent(artifact)
  try {
    return await intent.record(await client.complete(intent, payer))
  } catch (error) {
    const failure = joinRefusal(Failure.from(error), payer.refusal)
    if (failure.registered === 'no') await intent.refute()
    throw failure
  }
}

/** Whether the next hash will probably fail in the same way. */
function isOutage({ code, status }: Failure): boolean {
  const isRefused = code === 'refused' || code === 'request-refused'
  return code === 'unavailable' || (isRefused && (status === 402 || status === 403))
}

/** Says that an earlier run sent the hash, so that the artifact may be registered whatever this run did. */
function addOpen(outcome: Outcome, { outcome: { openSince } }: PlannedArtifact): Outcome {
  if (outcome.state !== 'failed' || openSince === null) return outcome
  const { failure } = outcome
  const sent = `an earlier run sent it on ${formatTime(Date.parse(openSince))} UTC, without a response`
  const observed = failure.observed === '' ? sent : `${failure.observed}; ${sent}`
  return failed(failure.with({ registered: 'unknown', observed }))
}
