import type { Clock } from '../clock.ts'
import type { Source } from '../environment.ts'
import type { NotarizeInputs } from '../inputs.ts'
import type { Secrets } from '../secrets.ts'
import type { Client } from '../service/client.ts'
import { activeSubscription } from '../service/extensions/active-subscription.ts'
import { fillDescription, notarizeByRequest } from '../service/extensions/request-registration.ts'
import { notarizeWith, type Notarize } from '../service/notarize.ts'

/** What the choice depends on. */
export interface WayOptions {
  readonly inputs: Pick<NotarizeInputs, 'way' | 'description'>
  readonly source: Source
  readonly secrets: Secrets
  readonly clock: Clock
  readonly warn: (text: string) => void
  readonly notice: (text: string) => void
}

/** Chooses how registrations are made: as `service-api.md` has it, or with the extensions that the inputs ask for. */
export function chooseWay(client: Client, options: WayOptions): Notarize {
  const { inputs, source, secrets, clock } = options
  const reader = {
    secrets,
    nowMs: () => clock.now(),
    warn: onlyOnce(options.warn),
    notice: onlyOnce(options.notice),
  }
  const active = activeSubscription(client, reader)
  const { repository, ref } = source
  const describe = ({ name }: { readonly name: string }): string => {
    const values = { artifact: name, repository: repository ?? '', ref: ref ?? '' }
    return fillDescription(inputs.description, values)
  }

  return async (subject, intent) => {
    const { subscription } = inputs.way
    const paying = subscription === 'active' ? await active() : { subscription }
    // No other hash gets better data, as it is retrieved once.
    if ('failure' in paying) return { failure: { ...paying.failure, endsRun: true } }
    const given = paying.subscription
    return inputs.way.kind === 'request' || given === null
      ? notarizeByRequest({ ...reader, client, given, active, describe })(subject, intent)
      : notarizeWith(client, given)(subject, intent)
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
