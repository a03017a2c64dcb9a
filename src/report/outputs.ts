import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { JsonObject } from '../text/json.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Outputs } from './deliver.ts'
import { explain, formatFault } from './faults.ts'
import { countArtifacts, type Verdict } from './verdict.ts'

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
  for (const item of items) {
    const text = JSON.stringify(item)
    length += lengthOf(text) + 1
    if (length > max) break
    texts.push(text)
  }
  return { text: `[${texts.join(',')}]`, isWhole: length <= max }
}

/** Absolute paths; empty if there is no such file. */
export type OutputPaths = Readonly<Record<'records' | 'checksums' | 'evidence', string>>

/** Makes all outputs of a run from its artifacts, sorted by name. `records` is empty if too long. */
export function makeOutputs(
  artifacts: readonly Artifact[],
  verdict: Verdict | 'stopped',
  { paths, template }: { readonly paths: OutputPaths; readonly template: string | null },
): Outputs {
  const isDryRun = verdict === 'dry-run'
  const counts = countArtifacts(artifacts)
  // JSON omits fields that are undefined.
  const records = (isDryRun ? [] : artifacts).values().filter(isRegistered)
  const entries = records.map(({ name, size, hash, outcome }) => {
    const { from, record } = outcome
    const maybeChargedAgain = outcome.maybeChargedAgain || undefined
    const verificationUrl = fillVerificationUrl(template, { hash, record })
    return { artifact: name, size, hash, from, record, maybeChargedAgain, verificationUrl }
  })
  const failures = artifacts.values().filter(isFailed)
  const reasons = failures.map(({ name, size, hash, outcome }) => {
    const { code, registered } = outcome.failure
    const message = formatFault(explain(outcome.failure))
    return { artifact: name, size, hash, code, registered, message }
  })
  return {
    verdict,
    records: formatWhole(entries),
    failures: takeFitting(reasons, maxFailuresLength, text => text.length).text,
    'records-path': paths.records,
    'checksums-path': paths.checksums,
    'evidence-path': paths.evidence,
    'artifact-count': counts.total,
    'registered-count': isDryRun ? 0 : counts.registered,
    'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
    'failed-count': counts.failed,
  }
}
