import type { Clock } from '../clock.ts'
import type { Environment } from '../environment.ts'
import { changeFailure } from '../failure.ts'
import type { NotarizeInputs } from '../inputs.ts'
import type { Runner } from '../runner.ts'
import type { Secrets } from '../secrets.ts'
import type { Client, Notarize, Subject } from '../service/client.ts'
import { activeSubscription } from '../service/extensions/active-subscription.ts'
import { fillDescription, notarizeByRequest } from '../service/extensions/request-registration.ts'

/** What the choice depends on. */
export interface WayOptions {
  readonly inputs: Pick<NotarizeInputs, 'way' | 'description'>
  readonly environment: Pick<Environment, 'source'>
  readonly runner: Pick<Runner, 'warning' | 'notice'>
  readonly secrets: Secrets
  readonly clock: Clock
}

/** Chooses how registrations are made: as `service-api.md` has it, or with the extensions that the inputs ask for. */
export function chooseWay(client: Client, options: WayOptions): Notarize {
  const { inputs, environment, runner, secrets, clock } = options
  const { repository, ref } = environment.source
  const reader = {
    ...{ secrets, clock },
    warn: onlyOnce(runner.warning),
    notice: onlyOnce(runner.notice),
  }
  const active = activeSubscription(client, reader)
  const describe = ({ name }: Subject): string => {
    const values = { artifact: name, repository: repository ?? '', ref: ref ?? '' }
    return fillDescription(inputs.description, values)
  }

  return async (subject, intent) => {
    const { kind, subscription } = inputs.way
    // No other hash gets better data, as it is retrieved once.
    const given =
      subscription === 'active'
        ? await changeFailure(active(), () => ({ endsRun: true }))
        : subscription
    const notarize =
      kind === 'request' || given === null
        ? notarizeByRequest({ ...reader, client, given, active, describe })
        : client.completeWith(given)
    return notarize(subject, intent)
  }
}

function onlyOnce(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>()
  return text => {
    if (said.has(text)) return
    said.add(text)
    say(text)
  }
}
