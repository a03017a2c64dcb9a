import { Stop } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { RecordsFile } from '../records/file.ts'
import { tailWarning } from '../records/parse-records.ts'
import { createProgress } from '../runtime/progress.ts'
import { proxyProblem } from '../service/proxy.ts'
import { createTransport, type Transport } from '../service/transport.ts'
import { chooseCalls, type RegisterTask } from './notarize.ts'
import { runPool } from './pool.ts'
import { registerOne } from './registration.ts'

/**
 * Makes the registrations and returns the outcome of each hash. If there are none, only completes
 * the records file. Throws a `Stop` if the file or the proxy cannot be used; then nothing is sent.
 */
export async function register(
  registrations: readonly Registration[],
  task: RegisterTask,
): Promise<ReadonlyMap<string, Outcome>> {
  const { host, inputs, recordsPath, records } = task
  const hasWork = registrations.length > 0
  const problem = hasWork ? proxyProblem(inputs.baseUrl, host.environment.proxies) : null
  if (problem !== null) throw new Stop(problem)
  const file = await RecordsFile.open(recordsPath, records, hasWork)
  if (file === null) return new Map()
  tailWarning(records.reading, 'cut off').forEach(host.runner.warning)
  const transport = createTransport(inputs.timeoutSeconds * 1000)
  try {
    return await registerAll(registrations, { task, file, transport })
  } catch (error) {
    // Something may have been sent, so the caller reports the bug for each hash without an outcome.
    host.halt.noteBug(error, host.environment.reportTo)
    return new Map()
  } finally {
    transport.close()
    await file.close()
  }
}

export interface RegisterOptions {
  readonly task: RegisterTask
  readonly file: RecordsFile
  readonly transport: Transport
}

export async function registerAll(
  registrations: readonly Registration[],
  { task, file, transport }: RegisterOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const { host, inputs } = task
  const { environment, runner, clock, halt } = host
  const notarize = chooseCalls(task, transport)
  const progress = createProgress('registering', clock, runner.info)
  const unexpected = new Set<string>()
  let failures = 0
  const outcomes = await runPool(registrations, {
    concurrency: inputs.concurrency,
    halt,
    reportTo: environment.reportTo,
    registerOne: registration => registerOne(registration, notarize, { ...task, file, unexpected }),
    onDone: ({ state }, done) => {
      if (state === 'failed') failures += 1
      const detail = failures === 0 ? '' : `${failures} failed`
      progress(done, registrations.length, detail)
    },
  })
  if (unexpected.size > 0) {
    const fields = [...unexpected].join(', ')
    runner.notice(`Some record fields have an undocumented type and were kept unchanged: ${fields}`)
  }
  return outcomes
}
