import { FailureError, failureIn } from '../failure.ts'
import type { Client, Notarize } from '../service/client.ts'
import { activeSubscription } from '../service/extensions/active-subscription.ts'
import {
  fillDescription,
  notarizeByRequest,
  type GivenSubscription,
} from '../service/extensions/request-registration.ts'
import { completionOperation, neverRequested } from '../service/operations.ts'
import type { RegisterTask } from './task.ts'

/** Chooses the calls for each hash: the completion alone, or with the extensions that the inputs ask for. */
export function chooseCalls(client: Client, { host, inputs, source }: RegisterTask): Notarize {
  const { payment, requestRegistration, description } = inputs
  const { secrets, clock, runner } = host
  const reader = { secrets, clock, warn: runner.warning }
  const active = activeSubscription(client, reader)
  const { repository, ref } = source
  const describe = (artifact: string): string =>
    fillDescription(description, { artifact, repository: repository ?? '', ref: ref ?? '' })

  const findPayment = async (): Promise<GivenSubscription | null> => {
    if (payment !== 'active') return payment && { subscription: payment, isInputData: true }
    try {
      return { subscription: await active(), isInputData: false }
    } catch (error) {
      // It is retrieved once, for all.
      throw new FailureError({ ...failureIn(error), endsRun: true }, error)
    }
  }
  return async subject => {
    const given = await findPayment()
    if (requestRegistration || given === null) {
      return notarizeByRequest({ ...reader, client, given, active, describe })(subject)
    }
    const { subscription, isInputData } = given
    const operation = completionOperation(isInputData, neverRequested)
    return client.complete(subject, subscription, operation)
  }
}
