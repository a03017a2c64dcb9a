import { Failure } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { PlannedArtifact, Registered } from '../outcome.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Host } from '../runtime/outside.ts'
import type { Client } from '../service/client.ts'
import { fillDescription, joinRefusal, type Extensions, type Payer } from '../service/extensions.ts'
import { completion, requestedCompletion } from '../service/operations.ts'

/** What all registrations of a run share. */
export interface Registering {
  readonly host: Host
  readonly inputs: NotarizeInputs
  readonly ledger: Ledger
  readonly client: Client
  readonly extensions: Extensions
}

/** Registers the hash of an artifact: finds who is charged, logs the intent, makes the call, and saves what came of it. */
export async function registerArtifact(
  artifact: PlannedArtifact,
  run: Registering,
): Promise<Registered> {
  const { inputs, ledger, client } = run
  const { subscription, refusal } = await findPayer(artifact, run)
  await client.logIn()
  const intent = await ledger.logIntent(artifact)
  const operation = inputs.requestRegistration ? requestedCompletion : completion
  try {
    return await intent.record(await client.complete(intent, subscription, operation))
  } catch (error) {
    const failure = Failure.from(error)
    if (failure.registered === 'no') await intent.refute()
    throw refusal === null ? failure : joinRefusal(failure, refusal)
  }
}

/** Finds who is charged, as the inputs ask for: the given data, the active subscription, or what the request returns. */
async function findPayer(
  { hash, name }: PlannedArtifact,
  { host, inputs, ledger, extensions }: Registering,
): Promise<Payer> {
  const { payment, requestRegistration } = inputs
  let configured = payment
  if (configured === 'active') {
    configured = await extensions.activeSubscription().catch((error: unknown) => {
      // Without the subscription that all use, no other artifact can be registered.
      throw Failure.from(error).with({ endsRun: true })
    })
  }
  if (configured !== null && !requestRegistration)
    return { subscription: configured, refusal: null }
  // Redacted on each use: some secrets are only known after the login.
  const artifact = host.secrets.redactText(name)
  const { repository, ref } = ledger.source
  const description = fillDescription(inputs.description, { artifact, repository, ref })
  return extensions.request({ hash, name: artifact }, configured, description)
}
