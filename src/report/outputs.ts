/** The outputs of a run. */
import { describeError } from '../failure.ts'
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { Runner } from '../runtime/runner.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { countArtifacts, explainFailure, type JudgeContext } from './judge.ts'
import { formatAgain, formatStepText } from './log.ts'
import type { RunAgain } from './run-again.ts'

/** The outputs of a step by name. */
export type Outputs = Readonly<Record<string, string | number>>

/** Sets outputs of a step. Returns null, or why they could not be written. */
export function setOutputs(outputs: Outputs, { setOutput }: Runner): string | null {
  try {
    for (const [name, value] of Object.entries(outputs)) setOutput(name, value)
    return null
  } catch (error) {
    return describeError(error)
  }
}

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

/** Formats the output `failures`: as many artifacts as fit, each with why it failed and what to do. */
export function formatFailures(
  artifacts: readonly Artifact[],
  again: RunAgain | null,
  context: JudgeContext,
): string {
  const texts: string[] = []
  let length = 1
  for (const artifact of artifacts.values().filter(isFailed)) {
    const { name, size, hash, outcome } = artifact
    const { code, registered } = outcome.failure
    const step = formatStepText(explainFailure([artifact], context))
    const message = again === null ? step : `${step} ${formatAgain(again)}`
    const text = JSON.stringify({ artifact: name, size, hash, code, registered, message })
    length += text.length + 1
    if (length > maxFailuresLength) break
    texts.push(text)
  }
  return `[${texts.join(',')}]`
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
