import { Failure } from '../failure.ts'
import type { PlannedArtifact, Registered } from '../outcome.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Client } from '../service/client.ts'
import { joinRefusal, type Payers } from '../service/extensions.ts'

/** What all registrations of a run share. */
export interface Registering {
  readonly ledger: Ledger
  readonly client: Client
  readonly payers: Payers
}

/** Registers the hash of an artifact: write-ahead, so that a killed run leaves a trace of each call. Rejects with the failure. */
export async function registerArtifact(
  artifact: PlannedArtifact,
  { ledger, client, payers }: Registering,
): Promise<Registered> {
  const payer = await payers.find(artifact, ledger.source)
  await client.logIn()
  const intent = await ledger.logIntent(artifact)
  try {
    return await intent.record(await client.complete(intent, payer))
  } catch (error) {
    const failure = joinRefusal(Failure.from(error), payer.refusal)
    if (failure.registered === 'no') await intent.refute()
    throw failure
  }
}
