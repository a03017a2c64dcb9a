import type { Failed, JsonObject, Registered, Result } from '../outcome.ts'
import { cut, maxMessageLength } from './escape.ts'

/** The platform drops a job output that is much longer, in UTF-16 code units. */
export const maxRecordsLength = 300_000

/** `failures` is cut to what fits, in UTF-16 code units. */
export const maxFailuresLength = 50_000

/** The answer to "is it notarized?". It follows the counts alone. */
export type Verdict =
  'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run' | 'stopped' | 'deferred'

/** Numbers of artifacts. `total` is `registered` + `failed`, except in a dry run. */
export interface Counts {
  readonly total: number
  readonly registered: number
  readonly newlyRegistered: number
  readonly failed: number
  /** Failed ones that may be registered nevertheless. */
  readonly unknown: number
  /** Those that a dry run would register. */
  readonly planned: number
  /** Those whose record has problems, in a dry run. */
  readonly held: number
}

/** A registered artifact. */
export type RegisteredResult = Result & { readonly outcome: Registered }

/** An artifact that is not known to be registered. */
export type FailedResult = Result & { readonly outcome: Failed }

/** Whether the artifact is registered. */
export function isRegistered(result: Result): result is RegisteredResult {
  return result.outcome.state === 'registered'
}

/** Whether the artifact failed. */
export function isFailed(result: Result): result is FailedResult {
  return result.outcome.state === 'failed'
}

/** Counts results. */
export function countResults(results: readonly Result[]): Counts {
  const failures = results.filter(isFailed)
  const registered = results.filter(isRegistered)
  return {
    total: results.length,
    registered: registered.length,
    newlyRegistered: registered.filter(({ outcome }) => outcome.from === 'this-run').length,
    failed: failures.length,
    unknown: failures.filter(({ outcome }) => outcome.registered === 'unknown').length,
    planned: results.filter(({ outcome }) => outcome.state === 'planned').length,
    held: results.filter(({ outcome }) => outcome.state === 'held').length,
  }
}

/** The verdict of a run that was not stopped before it sent anything. */
export function decideVerdict(counts: Counts, isDryRun: boolean): Verdict {
  if (isDryRun) return 'dry-run'
  if (counts.total === 0) return 'nothing-found'
  if (counts.failed === 0) return 'registered'
  return counts.registered === 0 ? 'failed' : 'partial'
}

/** Whether all that failed may succeed in a later run, as only the service was not available. */
export function isDeferrable(results: readonly Result[]): boolean {
  const failures = results.filter(isFailed)
  return failures.length > 0 && failures.every(({ outcome }) => outcome.isDeferrable === true)
}

/** The output `records`, or the empty string if it is longer than the platform takes. In a dry run it is `[]`. */
export function formatRecords(results: readonly Result[], isDryRun: boolean): string {
  const entries = isDryRun ? [] : results.filter(isRegistered).map(recordOutput)
  const text = JSON.stringify(entries)
  return text.length > maxRecordsLength ? '' : text
}

function recordOutput(result: RegisteredResult): JsonObject {
  const { name, size, hash, outcome, verificationUrl } = result
  const { from, record, redacted } = outcome
  const places = redacted.length > 0 ? { redacted } : {}
  const link = verificationUrl === undefined ? {} : { verificationUrl }
  return { artifact: name, size, hash, from, record, ...places, ...link }
}

/** The output `failures`: as many as fit. */
export function formatFailures(results: readonly Result[]): string {
  const items: string[] = []
  let length = 2
  for (const { name, size, hash, outcome } of results.filter(isFailed)) {
    const { code, registered } = outcome
    const message = cut(outcome.message, maxMessageLength)
    const item = JSON.stringify({ artifact: name, size, hash, code, registered, message })
    length += item.length + (items.length === 0 ? 0 : 1)
    if (length > maxFailuresLength) break
    items.push(item)
  }
  return `[${items.join(',')}]`
}
