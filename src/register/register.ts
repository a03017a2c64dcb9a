import type { Host } from '../host.ts'
import type { NotarizeInputs } from '../inputs.ts'
import type { Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { createProgress } from '../progress.ts'
import type { Completion, RecordsFile } from '../records/file.ts'
import { tailWarning } from '../records/reading.ts'
import { openRecordsFile } from '../records/store.ts'
import { createClient } from '../service/client.ts'
import { checkProxy } from '../service/proxy.ts'
import { createTransport } from '../service/transport.ts'
import { runPool } from './pool.ts'
import { createRetryLog } from './retry-log.ts'
import { registerOne } from './registration.ts'
import { chooseWay } from './way.ts'

/** What registering needs of the run. */
export interface RegisterTask extends Omit<Host<never>, 'raw' | 'workerFile'> {
  readonly inputs: NotarizeInputs
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** What the file needs first. */
  readonly store: Completion
}

/** What came of registering. */
export interface Registered {
  /** By hash. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Whether somebody removed or cut the records file meanwhile. */
  readonly isRecordsFileGone: boolean
}

/**
 * Makes the registrations; with none, only completes the records file where it must be. Throws a `Stop`, before anything
 * is sent, if the file cannot be written.
 */
export async function register(
  registrations: readonly Registration[],
  task: RegisterTask,
): Promise<Registered> {
  const { recordsPath, store, runner, inputs, environment, halt } = task
  if (registrations.length > 0) checkProxy(inputs.baseUrl, environment.proxyProblems)
  const file = await openRecordsFile(recordsPath, registrations.length, store)
  if (file === null) return { outcomes: new Map(), isRecordsFileGone: false }
  tailWarning({ name: recordsPath, tail: store.tail }, 'cut off').forEach(runner.warning)
  const outcomes = await registerAll(registrations, file, task).catch((error: unknown) => {
    // Something may have been sent: what has no outcome here gets one all the same.
    halt.noteBug(error, environment.reportTo)
    return new Map<string, Outcome>()
  })
  return { outcomes, isRecordsFileGone: !(await file.close()) }
}

async function registerAll(
  registrations: readonly Registration[],
  file: RecordsFile,
  task: RegisterTask,
): Promise<ReadonlyMap<string, Outcome>> {
  if (registrations.length === 0) return new Map()
  const { inputs, environment, runner, clock, halt } = task
  const { concurrency, timeoutMs } = inputs
  const transport = createTransport({ timeoutMs, maxConnections: concurrency + 1 })
  const onRetry = createRetryLog(runner.info)
  const client = createClient({ ...task, ...inputs, transport, onRetry })
  const options = { ...task, file, notarize: chooseWay(client, task) }
  const progress = createProgress('registering', clock, runner.info)
  let failures = 0
  try {
    return await runPool(registrations, {
      ...{ concurrency, halt, reportTo: environment.reportTo },
      registerOne: registration => registerOne(registration, options),
      onSettled: ({ state }, done) => {
        if (state === 'failed') failures += 1
        const detail = failures === 0 ? '' : `${failures} failed`
        progress({ done, total: registrations.length, detail })
      },
    })
  } finally {
    transport.close()
  }
}
