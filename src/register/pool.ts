import assert from 'node:assert'
import { bugFailure, type Failure } from '../failure.ts'
import { failed, type Artifact, type Outcome, type PlannedArtifact } from '../outcome.ts'
import type { Halt } from '../runtime/halt.ts'
import { describeError } from '../text/system-error.ts'
import { formatTime } from '../text/time.ts'

/** This many `unavailable` or unpaid hashes stop the run, if none in between is registered. */
export const maxOutages = 5

const notTried = `not tried after ${maxOutages} failed registrations`

export interface PoolOptions {
  /** Maximum registrations at a time. */
  readonly concurrency: number
  readonly halt: Halt
  readonly registerOne: (artifact: PlannedArtifact) => Promise<Outcome>
  /** Address for bug reports. */
  readonly reportTo: string
}

/** Registers one artifact of each group; the others of the group share its hash and its outcome. Never rejects. */
export async function runPool(
  groups: Iterable<readonly PlannedArtifact[]>,
  { concurrency, halt, registerOne, reportTo }: PoolOptions,
): Promise<ReadonlyMap<Artifact, Outcome>> {
  const outcomes = new Map<Artifact, Outcome>()
  const remaining = Iterator.from(groups)
  let outages = 0
  let stopReason: Failure | null = null

  const registerFirst = async (artifact: PlannedArtifact): Promise<Outcome> => {
    const reason = stopReason ?? halt.reason
    if (reason !== null) return failed(reason.with({ registered: 'no' }))
    const outcome = await registerOne(artifact).catch((error: unknown) =>
      failed(bugFailure(describeError(error), reportTo)),
    )
    if (outcome.state === 'registered') outages = 0
    if (outcome.state !== 'failed') return outcome
    const { failure } = outcome
    if (isOutage(failure)) outages += 1
    if (failure.endsRun) stopReason ??= failure
    if (outages >= maxOutages) stopReason ??= failure.with({ detail: notTried })
    return outcome
  }
  const work = async (): Promise<void> => {
    for (const group of remaining) {
      const [first] = group
      assert(first !== undefined, 'a group has an artifact')
      const outcome = addOpen(await registerFirst(first), first)
      for (const artifact of group) outcomes.set(artifact, outcome)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcomes
}

/** Whether the next hash will probably fail in the same way. */
function isOutage({ code, status }: Failure): boolean {
  const isRefused = code === 'refused' || code === 'request-refused'
  return code === 'unavailable' || (isRefused && (status === 402 || status === 403))
}

/** Says that an earlier run sent the hash, so that the artifact may be registered whatever this run did. */
function addOpen(outcome: Outcome, { outcome: { openSince } }: PlannedArtifact): Outcome {
  if (outcome.state !== 'failed' || openSince === null) return outcome
  const { failure } = outcome
  const sent = `an earlier run sent this hash on ${formatTime(Date.parse(openSince))} UTC and saved no record`
  const detail = failure.detail === '' ? sent : `${failure.detail}; ${sent}`
  return failed(failure.with({ registered: 'unknown', detail }))
}
