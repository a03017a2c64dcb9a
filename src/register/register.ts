import { Stop } from '../failure.ts'
import { isPlanned, type Artifact, type Outcome, type PlannedArtifact } from '../outcome.ts'
import { RecordsFile } from '../records/file.ts'
import { createProgress } from '../runtime/progress.ts'
import { Client } from '../service/client.ts'
import { retrieveActive } from '../service/extensions/active-subscription.ts'
import { proxyProblem } from '../service/proxy.ts'
import type { Subscription } from '../service/subscription.ts'
import { createTransport, type Transport } from '../service/transport.ts'
import { runPool } from './pool.ts'
import { Registration, type RegisterTask } from './registration.ts'

/**
 * Registers the planned artifacts, one registration for each hash, and returns all artifacts. If none is planned, only
 * completes the records file. Throws a `Stop` if the file or the proxy cannot be used; then nothing is sent.
 */
export async function register(
  artifacts: readonly Artifact[],
  task: RegisterTask,
  transport: Transport = createTransport(task.inputs.timeoutSeconds * 1000),
): Promise<readonly Artifact[]> {
  const { host, inputs, recordsPath, records } = task
  const planned = artifacts.filter(isPlanned)
  const hasWork = planned.length > 0
  const problem = hasWork ? proxyProblem(inputs.baseUrl, host.environment.proxies) : null
  if (problem !== null) throw new Stop(problem)
  const file = await RecordsFile.open(recordsPath, records, hasWork)
  if (file === null) return artifacts
  const outcomes = await registerPlanned(planned, { ...task, file, transport })
  transport.close()
  await file.close()
  return artifacts.map(artifact => {
    const outcome = outcomes.get(artifact)
    return outcome === undefined ? artifact : { ...artifact, outcome }
  })
}

interface PreparedTask extends RegisterTask {
  /** Open for appending. */
  readonly file: RecordsFile
  readonly transport: Transport
}

/** Registers one artifact for each hash, and logs the progress. Returns the outcome of each artifact. */
async function registerPlanned(
  planned: readonly PlannedArtifact[],
  task: PreparedTask,
): Promise<ReadonlyMap<Artifact, Outcome>> {
  const { host, inputs, transport } = task
  const { runner, clock, halt, environment } = host
  const { baseUrl, apiKey, maxAttempts, concurrency } = inputs
  const client = new Client({ host, transport, baseUrl, apiKey, maxAttempts })
  let retrieved: Promise<Subscription> | null = null
  const active = (): Promise<Subscription> => (retrieved ??= retrieveActive(client, host))
  const unexpected = new Set<string>()
  const options = { ...task, client, active, unexpected }

  const groups = Map.groupBy(planned, ({ hash }) => hash)
  const progress = createProgress('registering', clock, runner.info)
  let done = 0
  let failures = 0
  const registerOne = async (artifact: PlannedArtifact): Promise<Outcome> => {
    const outcome = await new Registration(artifact, options).run()
    done += 1
    if (outcome.state === 'failed') failures += 1
    progress(done, groups.size, failures === 0 ? '' : `${failures} failed`)
    return outcome
  }
  const { reportTo } = environment
  const outcomes = await runPool(groups.values(), { concurrency, halt, registerOne, reportTo })
  if (unexpected.size > 0) {
    const fields = [...unexpected].join(', ')
    runner.notice(`Some record fields have an undocumented type and were kept unchanged: ${fields}`)
  }
  return outcomes
}
