import { isFailed, isRegistered, type FailedResult, type RegisteredResult } from '../outcome.ts'
import { cut, maxMessageLength } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import type { Reasons } from './explain.ts'
import type { Findings } from './findings.ts'
import type { Verdict } from './verdict.ts'

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

/** An entry of the output `records`; what says nothing is undefined, so that JSON leaves it out. */
function recordOutput(result: RegisteredResult): JsonObject {
  const { name, size, hash, outcome, verificationUrl } = result
  const { from, record, redacted, unansweredTries } = outcome
  return {
    ...{ artifact: name, size, hash, from, record },
    redacted: redacted.length > 0 ? redacted : undefined,
    verificationUrl,
    unansweredTries: unansweredTries > 0 ? unansweredTries : undefined,
  }
}

/** An entry of the output `failures`. */
function failureOutput(result: FailedResult, reasons: Reasons): JsonObject {
  const { name, size, hash, outcome } = result
  const { code, registered } = outcome.failure
  const message = cut(reasons.explain(result), maxMessageLength)
  return { artifact: name, size, hash, code, registered, message }
}

/** All outputs of a run; `records` is empty if it would be too long. Paths are absolute, or the empty string. */
export function makeOutputs(
  { results, counts, reasons, publish }: Findings,
  verdict: Verdict,
  paths: Readonly<Record<'recordsPath' | 'checksumsPath' | 'evidencePath', string>>,
) {
  const isDryRun = verdict === 'dry-run'
  const registered = (isDryRun ? [] : results).values().filter(isRegistered)
  const failed = results.values().filter(isFailed)
  const failures = failed.map(result => failureOutput(result, reasons))
  return {
    verdict,
    records: formatWhole(registered.map(result => recordOutput(publish(result)))),
    failures: takeFitting(failures, maxFailuresLength, text => text.length).text,
    'records-path': paths.recordsPath,
    'checksums-path': paths.checksumsPath,
    'evidence-path': paths.evidencePath,
    'artifact-count': counts.total,
    'registered-count': isDryRun ? 0 : counts.registered,
    'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
    'failed-count': counts.failed,
  }
}
