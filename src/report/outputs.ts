import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Outputs } from './deliver.ts'
import { countArtifacts, explainFailure, type Again, type FindingContext } from './judge.ts'
import { formatFinding } from './log.ts'

/** In bytes of UTF-8: an environment variable takes 128 KiB, and a workflow may add to it. */
export const maxRecordsBytes = 120_000

/** In UTF-16 code units. */
const maxFailuresLength = 50_000

const minEntryBytes = 64

/** Formats a JSON array, or the empty string if it is longer than {@link maxRecordsBytes}. */
export function formatWhole<T>(items: readonly T[], toEntry: (item: T) => object): string {
  if (items.length > maxRecordsBytes / minEntryBytes) return ''
  const text = JSON.stringify(items.map(toEntry))
  return Buffer.byteLength(text) > maxRecordsBytes ? '' : text
}

/** Formats as many of the first items as fit into {@link maxFailuresLength}. */
function formatFitting(items: Iterable<object>): string {
  const texts: string[] = []
  let length = 1
  for (const item of items) {
    const text = JSON.stringify(item)
    length += text.length + 1
    if (length > maxFailuresLength) break
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

/** Formats the output `failures`: for each artifact that failed why, and what to do. */
export function formatFailures(
  artifacts: readonly Artifact[],
  again: Again | null,
  context: FindingContext,
): string {
  const failures = artifacts.values().filter(isFailed)
  const entries = failures.map(artifact => {
    const { name, size, hash, outcome } = artifact
    const { code, registered } = outcome.failure
    const finding = explainFailure(outcome.failure, context, [artifact])
    const message = `${formatFinding(finding)} ${again?.text ?? ''}`.trimEnd()
    return { artifact: name, size, hash, code, registered, message }
  })
  return formatFitting(entries)
}

/** Makes all outputs but `failures` from the artifacts, sorted by name. `records` is empty if too long. */
export function makeOutputs(
  artifacts: readonly Artifact[],
  verdict: string,
  run: {
    /** Absolute, or empty if there is no such file. */
    readonly paths: Readonly<Record<'records' | 'checksums' | 'evidence', string>>
    readonly template: string | null
  },
): Outputs {
  const { paths, template } = run
  const isDryRun = verdict === 'dry-run'
  const counts = countArtifacts(artifacts)
  const registered = isDryRun ? [] : artifacts.filter(isRegistered)
  const records = formatWhole(registered, ({ name, size, hash, outcome }) => {
    const { from, record } = outcome
    // JSON omits fields that are undefined.
    const maybeChargedAgain = outcome.maybeChargedAgain || undefined
    const verificationUrl = fillVerificationUrl(template, { hash, record })
    return { artifact: name, size, hash, from, record, maybeChargedAgain, verificationUrl }
  })
  return {
    verdict,
    records,
    'records-path': paths.records,
    'checksums-path': paths.checksums,
    'evidence-path': paths.evidence,
    'artifact-count': counts.total,
    'registered-count': registered.length,
    'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
    'failed-count': counts.failed,
  }
}
