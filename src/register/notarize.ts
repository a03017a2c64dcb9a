import { FailureError, failureIn } from '../failure.ts'
import { Client, type Notarize } from '../service/client.ts'
import { retrieveActive } from '../service/extensions/active-subscription.ts'
import { fillDescription, notarizeByRequest } from '../service/extensions/request-registration.ts'
import { neverRequested } from '../service/operations.ts'
import { SharedPause } from '../service/shared-pause.ts'
import type { Subscription } from '../service/subscription.ts'
import type { Transport } from '../service/transport.ts'
import type { RegisterTask } from './task.ts'

/** Selects the calls for each hash: the completion alone, or also the extensions that the inputs ask for. */
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
  const activeForAll = async (): Promise<Subscription> => {
    try {
      return await active()
    } catch (error) {
      throw new FailureError({ ...failureIn(error), endsRun: true }, error)
    }
  }
  return async subject => {
    const given = payment === 'active' ? await activeForAll() : payment
    if (given !== null && !requestRegistration) {
      return client.complete(subject, given, neverRequested)
    }
    const { artifact } = subject
    const names = { artifact, repository: source.repository ?? '', ref: source.ref ?? '' }
    const description = fillDescription(inputs.description, names)
    return notarizeByRequest(subject, { host, client, given, active, description })
  }
}
