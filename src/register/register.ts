import type { Clock } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { Halt } from '../halt.ts'
import type { NotarizeInputs } from '../inputs.ts'
import type { Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { createProgress } from '../progress.ts'
import type { RecordsFile } from '../records/file.ts'
import { openRecordsFile, type RecordsStore } from '../records/store.ts'
import type { Secrets } from '../secrets.ts'
import { createClient } from '../service/client.ts'
import { checkProxy } from '../service/proxy.ts'
import { createTransport } from '../service/transport.ts'
import { quote } from '../text/escape.ts'
import { runPool } from './pool.ts'
import { createRetryLog } from './retry-log.ts'
import { registerOne, settle } from './registration.ts'
import { chooseWay } from './way.ts'

/** What registering needs of the run. */
export interface RegisterTask {
  readonly inputs: NotarizeInputs
  readonly environment: Environment
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** The records that the run began with. */
  readonly store: Pick<RecordsStore, 'tail' | 'adopted'>
  readonly runner: {
    readonly info: (text: string) => void
    readonly warning: (text: string) => void
    readonly notice: (text: string) => void
  }
  readonly secrets: Secrets
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly halt: Halt
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
  const { recordsPath, store, runner, inputs, environment } = task
  if (registrations.length > 0) checkProxy(inputs.baseUrl, environment.proxyProblems)
  const file = await openRecordsFile(recordsPath, registrations.length, store)
  if (file === null) return { outcomes: new Map(), isRecordsFileGone: false }
  if (store.tail.state === 'incomplete') {
    runner.warning(
      `The last line of "${quote(recordsPath)}" is incomplete, as after a run that was killed while it wrote; it is cut off`,
    )
  }
  let isRecordsFileGone = false
  const outcomes = await registerAll(registrations, file, task).finally(async () => {
    isRecordsFileGone = !(await file.close())
  })
  return { outcomes, isRecordsFileGone }
}

async function registerAll(
  registrations: readonly Registration[],
  file: RecordsFile,
  { inputs, environment, runner, secrets, clock, random, halt }: RegisterTask,
): Promise<ReadonlyMap<string, Outcome>> {
  if (registrations.length === 0) return new Map()
  const { apiKey, baseUrl, concurrency, maxAttempts, timeoutMs, retryUnanswered } = inputs
  const { source, reportTo } = environment
  const transport = createTransport({ timeoutMs, maxConnections: concurrency + 1 })
  const client = createClient({
    ...{ transport, clock, random, halt, secrets, baseUrl, apiKey, maxAttempts, retryUnanswered },
    onRetry: createRetryLog(runner.info),
  })
  const { warning: warn, notice, info: log } = runner
  const notarize = chooseWay(client, { inputs, source, secrets, clock, warn, notice })
  const { verificationUrl, recordsPath } = inputs
  const options = {
    ...{ notarize, file, recordsPath, service: baseUrl, source, secrets, clock, halt },
    ...{ verificationUrl, retryUnanswered, log },
  }
  const progress = createProgress('registering', clock, runner.info)
  const saves: Promise<void>[] = []
  let failures = 0
  try {
    return await runPool(registrations, {
      ...{ concurrency, halt, reportTo, settle },
      registerOne: async registration => {
        const tried = await registerOne(registration, options)
        saves.push(tried.saved)
        return tried
      },
      onSettled: ({ state }, done) => {
        if (state === 'failed') failures += 1
        const detail = failures === 0 ? '' : `${failures} failed`
        progress({ done, total: registrations.length, detail })
      },
    })
  } finally {
    await Promise.all(saves)
    transport.close()
  }
}
