import { isFailed, isRegistered, type FailedResult, type RegisteredResult } from '../outcome.ts'
import type { JsonObject } from '../text/json.ts'
import type { Outputs } from './deliver.ts'
import { explain, formatExplanation } from './explain.ts'
import { lookupUrl, type Findings } from './findings.ts'
import type { Verdict } from './verdict.ts'

/** In bytes of UTF-8: an environment variable takes 128 KiB, and a workflow may add to it. */
export const maxRecordsBytes = 120_000

/** In UTF-16 code units; `failures` is truncated to what fits. */
const maxFailuresLength = 50_000

/** Formats a JSON array, or the empty string if too long. Reads no more items than fit. */
export function formatWhole(items: Iterable<JsonObject>): string {
  const { text, isWhole } = takeFitting(items, maxRecordsBytes, item => Buffer.byteLength(item))
  return isWhole ? text : ''
}

/** Formats as many whole items as fit. */
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

/** Makes all outputs of a run; `records` is empty if too long. A path is absolute, or empty. */
export function makeOutputs(
  findings: Findings,
  verdict: Verdict | 'stopped',
  paths: Readonly<Record<'recordsPath' | 'checksumsPath' | 'evidencePath', string>>,
): Outputs {
  const { results, counts } = findings
  const isDryRun = verdict === 'dry-run'
  const registered = (isDryRun ? [] : results).values().filter(isRegistered)
  const failures = results.values().filter(isFailed)
  return {
    verdict,
    records: formatWhole(registered.map(result => recordEntry(result, findings))),
    failures: takeFitting(failures.map(failureEntry), maxFailuresLength, item => item.length).text,
    'records-path': paths.recordsPath,
    'checksums-path': paths.checksumsPath,
    'evidence-path': paths.evidencePath,
    'artifact-count': counts.total,
    'registered-count': isDryRun ? 0 : counts.registered,
    'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
    'failed-count': counts.failed,
  }
}

// JSON omits fields that are undefined.
function recordEntry(result: RegisteredResult, findings: Findings): JsonObject {
  const { name, size, hash, outcome } = result
  const { from, record, redacted, maybeChargedAgain } = outcome
  const verificationUrl = lookupUrl(result, findings)
  return {
    artifact: name,
    size,
    hash,
    from,
    record,
    redacted: redacted.length > 0 ? redacted : undefined,
    verificationUrl: verificationUrl && findings.host.secrets.redactText(verificationUrl),
    maybeChargedAgain: maybeChargedAgain || undefined,
  }
}

function failureEntry({ name, size, hash, outcome }: FailedResult): JsonObject {
  const { code, registered } = outcome.failure
  const message = formatExplanation(explain(outcome.failure))
  return { artifact: name, size, hash, code, registered, message }
}
