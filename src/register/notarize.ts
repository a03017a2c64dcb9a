import { failRun } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { RecordsStore } from '../records/store.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/host.ts'
import { Client, type Notarize } from '../service/client.ts'
import { retrieveActive } from '../service/extensions/active-subscription.ts'
import { fillDescription, notarizeByRequest } from '../service/extensions/request-registration.ts'
import { neverRequested } from '../service/operations.ts'
import { SharedPause } from '../service/shared-pause.ts'
import type { Subscription } from '../service/subscription.ts'
import type { Transport } from '../service/transport.ts'

export interface RegisterTask {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** The commit and run to write in the lines. */
  readonly source: Source
  readonly records: RecordsStore
}

/** Selects the calls for each hash: the completion, and the extensions that the inputs ask for. */
export function chooseCalls(task: RegisterTask, transport: Transport): Notarize {
  const { host, inputs, source } = task
  const { payment, baseUrl, apiKey, maxAttempts, requestRegistration } = inputs
  const pause = new SharedPause(host.clock, host.halt)
  const client = new Client({ host, transport, pause, baseUrl, apiKey, maxAttempts })
  let retrieved: Promise<Subscription> | null = null

  const active = (): Promise<Subscription> => {
    retrieved ??= retrieveActive(client, host)
    return retrieved
  }
  return async subject => {
    const configured = payment === 'active' ? await active().catch(failRun) : payment
    if (configured !== null && !requestRegistration) {
      return client.complete(subject, configured, neverRequested)
    }
    const { artifact } = subject
    const names = { artifact, repository: source.repository ?? '', ref: source.ref ?? '' }
    const description = fillDescription(inputs.description, names)
    return notarizeByRequest(subject, { host, client, configured, active, description })
  }
}
