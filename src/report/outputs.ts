import {
  isFailed,
  isRegistered,
  type FailedResult,
  type RegisteredResult,
  type Result,
} from '../outcome.ts'
import type { Secrets } from '../secrets.ts'
import { cut, maxMessageLength } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { messageOf, type Facts } from './explain.ts'
import { countResults, type decideVerdict } from './verdict.ts'

/** Makes results fit to leave the action: without secrets, and with the link to look them up. */
export type Publisher = ReturnType<typeof createPublisher>

/** See {@link Publisher}; `template` is the input `verification-url`. */
export function createPublisher(secrets: Secrets, template: string | null) {
  const publish = <R extends Result>(result: R, record: JsonObject | null): R => {
    const { hash } = result
    const url = record === null ? undefined : fillVerificationUrl(template, { hash, record })
    const link = url === undefined ? {} : { verificationUrl: url }
    return { ...result, name: secrets.redactText(result.name), ...link }
  }
  return {
    failed: (result: FailedResult): FailedResult => {
      const { failure } = result.outcome
      // What is certainly not registered is not to be found.
      const mayBeThere = failure.registered === 'unknown' || failure.status === 409
      const what = secrets.redactText(failure.what)
      const remedy = secrets.redactText(failure.remedy)
      const outcome = { state: 'failed', failure: { ...failure, what, remedy } } as const
      return { ...publish(result, mayBeThere ? {} : null), outcome }
    },
    registered: (result: RegisteredResult): RegisteredResult => {
      const { record, redacted } = secrets.redact(result.outcome.record)
      const places = [...new Set([...result.outcome.redacted, ...redacted])]
      const outcome = { ...result.outcome, record, redacted: places }
      return { ...publish(result, record), outcome }
    },
  }
}

/** An environment variable takes 128 KiB; this leaves room for its name and for what a workflow adds. In bytes of UTF-8. */
export const maxRecordsBytes = 120_000

/** `failures` is cut to what fits, in UTF-16 code units. */
const maxFailuresLength = 50_000

/** A JSON array, whole, or the empty string if it has more than {@link maxRecordsBytes} of UTF-8. Takes no more items than fit. */
export function formatWhole(items: Iterable<JsonObject>): string {
  const { text, isWhole } = takeFitting(items, maxRecordsBytes, text => Buffer.byteLength(text))
  return isWhole ? text : ''
}

/** A JSON array of as many whole items as fit. */
function takeFitting(
  items: Iterable<JsonObject>,
  max: number,
  lengthOf: (text: string) => number,
): { readonly text: string; readonly isWhole: boolean } {
  const texts: string[] = []
  let length = 1
  let isWhole = true
  for (const item of items) {
    const text = JSON.stringify(item)
    length += lengthOf(text) + 1
    isWhole = length <= max
    if (!isWhole) break
    texts.push(text)
  }
  return { text: `[${texts.join(',')}]`, isWhole }
}

/** An entry of the output `records`. */
function recordOutput(result: RegisteredResult): JsonObject {
  const { name, size, hash, outcome, verificationUrl } = result
  const { from, record, redacted, unansweredTries } = outcome
  const places = redacted.length > 0 ? { redacted } : {}
  const link = verificationUrl === undefined ? {} : { verificationUrl }
  const tries = unansweredTries > 0 ? { unansweredTries } : {}
  return { artifact: name, size, hash, from, record, ...places, ...link, ...tries }
}

/** An entry of the output `failures`. */
function failureOutput(result: FailedResult, facts: Facts): JsonObject {
  const { name, size, hash, outcome, verificationUrl } = result
  const { code, registered } = outcome.failure
  const message = cut(messageOf(outcome.failure, facts, verificationUrl), maxMessageLength)
  return { artifact: name, size, hash, code, registered, message }
}

/** All outputs of a run; one that stopped has no results. `records` is empty if it would be too long. */
export function makeOutputs(run: {
  readonly verdict: ReturnType<typeof decideVerdict> | 'stopped'
  /** Sorted by name. */
  readonly results: readonly Result[]
  readonly facts: Facts
  readonly publish: Publisher
  /** Absolute paths of files, or the empty string. */
  readonly paths: Readonly<Record<'records-path' | 'checksums-path' | 'evidence-path', string>>
}) {
  const { verdict, results, facts, publish, paths } = run
  const counts = countResults(results)
  const isDryRun = verdict === 'dry-run'
  const registered = results
    .values()
    .filter(isRegistered)
    .take(isDryRun ? 0 : Infinity)
  const failed = results.values().filter(isFailed)
  const failures = failed.map(result => failureOutput(result, facts))
  return {
    verdict,
    records: formatWhole(registered.map(result => recordOutput(publish.registered(result)))),
    failures: takeFitting(failures, maxFailuresLength, text => text.length).text,
    ...paths,
    'artifact-count': counts.total,
    'registered-count': isDryRun ? 0 : counts.registered,
    'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
    'failed-count': counts.failed,
  }
}
