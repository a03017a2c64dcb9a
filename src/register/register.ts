import { bugFailure, Failure } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { failed, isInDoubt, isPlanned, onePerHash } from '../outcome.ts'
import type { Artifact, Outcome, PlannedArtifact } from '../outcome.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Host } from '../runtime/outside.ts'
import { connectToService, type Payer } from '../service/client.ts'
import { preparePayers } from '../service/payers.ts'
import { checkProxy } from '../service/proxy.ts'

/**
 * Registers the planned artifacts, and returns all artifacts: the first one of each hash, one at a time until there is a
 * record, then at most `concurrency` at a time. If none is planned, only completes the records file. Rejects only with a
 * `Stop`, if the file or the proxy cannot be used; then nothing is sent.
 */
export async function register(
  artifacts: readonly Artifact[],
  { inputs, ledger }: { readonly inputs: NotarizeInputs; readonly ledger: Ledger },
  host: Host,
): Promise<readonly Artifact[]> {
  const { environment, halt, runner } = host
  const planned = artifacts.filter(isPlanned)
  if (planned.length > 0) {
    const { artifactService, attempt, proxies } = environment
    checkProxy(inputs.baseUrl, proxies)
    // Nothing is spent on records that cannot be kept.
    if (inputs.keepRecords && artifactService !== null) checkProxy(artifactService, proxies)
    if (inputs.keepRecords && artifactService === null && attempt > 1) {
      const text =
        'This server has no artifact service, so records of earlier attempts are only in their logs. What they registered and the records file lacks is charged again'
      runner.warning(text, 'records.md#where-it-is-kept')
    }
  }
  ledger.open(planned.length > 0)
  const transmit = host.createTransport(inputs.timeoutSeconds * 1000)
  const { call, complete } = connectToService(host, transmit, inputs)
  const obtainPayer = preparePayers(call, host, inputs)
  const trust = new Trust()

  /** Unless nothing more may be sent: payer, completion, then the record, or the doubt about a call that may have acted. */
  const registerOne = async (artifact: PlannedArtifact): Promise<Outcome> => {
    const { lastDoubtAt } = artifact.outcome
    let payer: Payer | null = null
    try {
      payer = await obtainPayer(artifact, ledger.source)
      const registered = ledger.saveRecord(artifact, await complete(artifact, payer))
      trust.earn()
      return registered
    } catch (error) {
      // Nobody knows what a bug did after there was a payer.
      const bug = bugFailure(error).with({ mayHaveActed: payer !== null })
      const failure = error instanceof Failure ? error : bug
      if (failure.mayHaveActed) ledger.saveDoubt(artifact, failure)
      if (failure === bug) halt.noteBug(error)
      else if (trust.lose(failure)) halt.end(new Failure('not-tried', failure.reason))
      return failed(failure, lastDoubtAt)
    }
  }

  const firsts = onePerHash(planned)
  // Last, so that one that always fails does not block the others.
  const queue = [...firsts.filter(first => !isInDoubt(first)), ...firsts.filter(isInDoubt)]
  const outcomes = new Map<string, Outcome>()

  const work = async (isDone: () => boolean): Promise<void> => {
    try {
      while (!isDone()) {
        const artifact = queue.shift()
        if (artifact === undefined) return
        outcomes.set(artifact.hash, await registerOne(artifact))
      }
    } catch (error) {
      // The other workers finish what they have begun.
      halt.noteBug(error)
    }
  }
  await work(() => trust.isEarned)
  // If the run has ended, each hash that is left fails for that reason without being sent.
  await Promise.all(Array.from({ length: inputs.concurrency }, () => work(() => false)))

  // What no worker finished, because of bugs: nobody knows what these did.
  const bug = halt.bug ?? bugFailure(new Error('a registration did not end'))
  const unfinished = failed(bug.with({ mayHaveActed: true }))
  return artifacts.map(artifact => {
    if (!isPlanned(artifact)) return artifact
    return { ...artifact, outcome: outcomes.get(artifact.hash) ?? unfinished }
  })
}

/** So many hashes since the last record that speak against the service end the run. */
const maxFailures = 5
/** Before the first record, so many that were certainly not registered, or a single one that may be. */
const maxFailuresAtFirst = 3

/** Decides after each hash whether the service has earned more: only what is likely to succeed is sent. */
class Trust {
  /** Whether this step has a record. */
  isEarned = false
  #failures = 0

  earn(): void {
    this.isEarned = true
    this.#failures = 0
  }

  /** Notes a failure. Returns whether nothing more may be sent because of it. */
  lose({ code, status, mayHaveActed }: Failure): boolean {
    // Other failures speak against the file, not against the service or the account.
    const isOfAccount = status === 402 || status === 403
    const isOfService = mayHaveActed || code === 'unavailable' || code === 'invalid-response'
    if (!isOfAccount && !isOfService) return false
    this.#failures += 1
    if (this.isEarned) return this.#failures >= maxFailures
    return mayHaveActed || this.#failures >= maxFailuresAtFirst
  }
}
