import type { Clock } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { Inputs } from '../inputs.ts'
import type { Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { createProgress } from '../progress.ts'
import type { RecordsFile } from '../records/records-file.ts'
import { toJsonLogLine } from '../report/escape.ts'
import type { Secrets } from '../secrets.ts'
import { Gate } from '../service/core/call.ts'
import { createClient } from '../service/core/client.ts'
import { createTransport } from '../service/core/transport.ts'
import { chooseWay } from './choose-way.ts'
import type { Halt } from './halt.ts'
import { runPool } from './pool.ts'
import { registerOne } from './register-one.ts'

/** What registering needs of the run. */
export interface RegisterTask {
  readonly inputs: Inputs
  readonly environment: Environment
  /** Null only if nothing is left to register. */
  readonly records: RecordsFile | null
  readonly runner: {
    readonly info: (text: string) => void
    readonly warning: (text: string) => void
    readonly notice: (text: string) => void
  }
  readonly secrets: Secrets
  readonly clock: Clock
  readonly random: () => number
  readonly halt: Halt
}

/** Makes the registrations and gives the outcome of each hash; no call at all if there are none. */
export async function register(
  registrations: readonly Registration[],
  { inputs, environment, records, runner, secrets, clock, random, halt }: RegisterTask,
): Promise<ReadonlyMap<string, Outcome>> {
  const { apiKey, baseUrl, concurrency, maxAttempts, timeoutMs } = inputs
  if (registrations.length === 0 || records === null) return new Map()
  if (baseUrl === null) throw new Error('the inputs were not checked')
  const transport = createTransport({ timeoutMs, maxConnections: concurrency + 1 })
  const gate = new Gate()
  const context = { transport, clock, random, maxAttempts, gate, halt }
  const client = createClient({ context, baseUrl, apiKey, secrets })
  const notarize = chooseWay(client, {
    ...{ inputs, environment, secrets, clock },
    warn: runner.warning,
    notice: runner.notice,
  })
  const options = {
    ...{ notarize, records, service: baseUrl, source: environment.source, secrets, halt },
    verificationUrl: inputs.verificationUrl,
    printUnsaved: (line: unknown, why: string) => {
      runner.info(
        `A record could not be saved (${why}). Add this line to the records file by hand:`,
      )
      runner.info(toJsonLogLine(line))
    },
  }
  const progress = createProgress('registering', clock, runner.info)
  try {
    return await runPool(registrations, {
      concurrency,
      halt,
      registerOne: registration => registerOne(registration, options),
      reportTo: environment.reportTo,
      onSettled: done => {
        progress({ done, total: registrations.length, detail: '' })
      },
    })
  } finally {
    transport.close()
  }
}
