import assert from 'node:assert'
import { bugFailure, Failure, Stop } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { failed, isPlanned, type Artifact, type Outcome, type PlannedArtifact } from '../outcome.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Environment } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { createProgress } from '../runtime/progress.ts'
import { Client } from '../service/client.ts'
import { Extensions } from '../service/extensions.ts'
import { proxyProblem } from '../service/transport.ts'
import { describeError } from '../text/system-error.ts'
import { formatTime } from '../text/units.ts'
import { registerArtifact, type Registering } from './registration.ts'

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
  { host, inputs, ledger }: RegisterTask,
): Promise<readonly Artifact[]> {
  const groups = Map.groupBy(artifacts.filter(isPlanned), ({ hash }) => hash)
  const hasWork = groups.size > 0
  if (hasWork) checkProxies(inputs, host.environment)
  await ledger.open(hasWork)
  let outcomes: ReadonlyMap<string, Outcome> = new Map()
  if (hasWork) {
    const transport = host.createTransport(inputs.timeoutSeconds * 1000)
    const client = new Client(host, transport, inputs)
    const extensions = new Extensions(client, host)
    const run = { host, inputs, ledger, client, extensions }
    outcomes = await registerAll(groups, run)
    transport.close()
  }
  await ledger.close()
  const { unexpectedFields } = ledger
  if (unexpectedFields.size > 0) {
    const fields = [...unexpectedFields].join(', ')
    const text = `Some record fields have an undocumented type and were kept unchanged: ${fields}`
    host.runner.notice(text)
  }
  const unfinished = failed(bugFailure('the registration did not end'))
  return artifacts.map(artifact => {
    if (!isPlanned(artifact)) return artifact
    return { ...artifact, outcome: outcomes.get(artifact.hash) ?? unfinished }
  })
}

/** Throws a `Stop` if the calls to the service, or the upload of the records, would go through a proxy that cannot be used. */
function checkProxies(
  { baseUrl, keepRecords }: NotarizeInputs,
  { proxies, artifactService }: Environment,
): void {
  const urls = [baseUrl]
  if (keepRecords && artifactService !== null) urls.push(artifactService.url)
  const [problem] = urls.flatMap(url => proxyProblem(url, proxies) ?? [])
  if (problem !== undefined) throw new Stop(problem)
}

/** This many `unavailable` or unpaid hashes stop the run, if none in between is registered. */
const maxOutages = 5

/** Registers the first artifact of each hash, at most `concurrency` at a time, and returns the outcome of each hash. Never rejects: after a bug, outcomes are missing. */
async function registerAll(
  groups: ReadonlyMap<string, readonly PlannedArtifact[]>,
  run: Registering,
): Promise<ReadonlyMap<string, Outcome>> {
  const { runner, clock, halt } = run.host
  const progress = createProgress('registering', clock, runner.info)
  const outcomes = new Map<string, Outcome>()
  const remaining = groups.values()
  let stopReason: Failure | null = null
  let outages = 0
  let failures = 0

  const registerOne = async (artifact: PlannedArtifact): Promise<Outcome> => {
    const reason = stopReason ?? halt.reason
    if (reason !== null) return failed(reason.with({ registered: 'no' }))
    try {
      const registered = await registerArtifact(artifact, run)
      outages = 0
      return registered
    } catch (error) {
      const failure = error instanceof Failure ? error : bugFailure(describeError(error))
      failures += 1
      if (isOutage(failure)) outages += 1
      if (failure.endsRun) stopReason ??= failure
      const observed = `not tried after ${maxOutages} failed registrations`
      if (outages >= maxOutages) stopReason ??= failure.with({ observed })
      return failed(failure)
    }
  }
  const work = async (): Promise<void> => {
    for (const [artifact] of remaining) {
      assert(artifact !== undefined, 'a group has an artifact')
      const outcome = addOpen(await registerOne(artifact), artifact)
      outcomes.set(artifact.hash, outcome)
      progress(outcomes.size, groups.size, failures === 0 ? '' : `${failures} failed`)
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: run.inputs.concurrency }, work))
  for (const worker of workers) if (worker.status === 'rejected') halt.noteBug(worker.reason)
  return outcomes
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
