import type { Clock } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { Inputs } from '../inputs.ts'
import type { Secrets } from '../secrets.ts'
import type { Client } from '../service/core/client.ts'
import { notarizeWith, type Notarize } from '../service/core/notarize.ts'
import { activeSubscription } from '../service/extensions/active-subscription.ts'
import { fillDescription, notarizeByRequest } from '../service/extensions/request-registration.ts'

/** What the choice depends on. */
export interface WayOptions {
  readonly inputs: Pick<Inputs, 'subscription' | 'requestRegistration' | 'description'>
  readonly environment: Pick<Environment, 'source'>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly warn: (text: string) => void
  readonly notice: (text: string) => void
}

/** Chooses how registrations are made: as `service-api.md` has it, or with the extensions that the inputs ask for. */
export function chooseWay(client: Client, options: WayOptions): Notarize {
  const { inputs, environment, secrets, clock } = options
  const { subscription, requestRegistration, description } = inputs
  const reader = {
    secrets,
    nowMs: () => clock.now(),
    warn: onlyOnce(options.warn),
    notice: onlyOnce(options.notice),
  }
  const active = activeSubscription(client, reader)
  const { repository, ref } = environment.source
  const describe = ({ name }: { readonly name: string }): string =>
    fillDescription(description, { artifact: name, repository: repository ?? '', ref: ref ?? '' })

  return async subject => {
    const given = subscription === 'active' ? await active() : subscription
    if (given !== null && 'kind' in given && given.kind === 'failed') {
      return { completion: { ...given, endsRun: given.reason }, paymentId: null }
    }
    const usable = given !== null && 'kind' in given ? given.subscription : given
    if (requestRegistration) {
      return notarizeByRequest({ ...reader, client, given: usable, active, describe })(subject)
    }
    if (usable === null) throw new Error('the inputs were not checked')
    return notarizeWith(client, usable)(subject)
  }
}

function onlyOnce(warn: (text: string) => void): (text: string) => void {
  const told = new Set<string>()
  return text => {
    if (told.has(text)) return
    told.add(text)
    warn(text)
  }
}
