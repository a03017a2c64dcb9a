/** The outputs of a step. */
import { describeError } from '../failure.ts'
import { isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Report } from './report.ts'
import { countArtifacts, isNew, type Verdict } from './states.ts'

/** The outputs of a step by name. */
export type Outputs = Readonly<Record<string, string | number>>

/** Sets outputs of a step. Returns null, or why they could not be written. */
export function setOutputs(outputs: Outputs, { runner }: Host): string | null {
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
    return null
  } catch (error) {
    return describeError(error)
  }
}

/** In bytes of UTF-8: an environment variable takes 128 KiB, and a workflow may add to it. */
const maxRecordsBytes = 120_000

/** In UTF-16 code units. */
const maxFailuresLength = 50_000

/** Formats a JSON array, or the empty string if it is longer than {@link maxRecordsBytes}. */
export function formatWhole(items: readonly object[]): string {
  const text = JSON.stringify(items)
  return Buffer.byteLength(text) > maxRecordsBytes ? '' : text
}

/** Formats the output `failures`: as many artifacts as fit. */
export function formatFailures(failures: Report['failures']): string {
  const texts: string[] = []
  let length = 1
  for (const { artifact, message } of failures) {
    const { name, size, hash, outcome } = artifact
    const { code, registered } = outcome.failure
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
  verdict: Verdict | 'stopped',
  run: {
    /** By output; absolute, or empty if there is no such file. */
    readonly paths: Readonly<
      Record<`${'records' | 'checksums' | 'predicate' | 'evidence'}-path`, string>
    >
    /** Template of the URL where people look up a registration; null if none. */
    readonly verificationUrl: string | null
    readonly host: Host
  },
): Outputs {
  const { secrets } = run.host
  const { total, failed } = countArtifacts(artifacts)
  let registered = artifacts.filter(isRegistered)
  if (verdict === 'dry-run') registered = []
  const records = registered.map(({ name, size, hash, outcome }) => {
    const { from } = outcome
    const record = secrets.redactJson(outcome.record)
    const artifact = secrets.redactText(name)
    // JSON omits fields that are undefined.
    const maybeChargedAgain = outcome.maybeChargedAgain || undefined
    const url = fillVerificationUrl(run.verificationUrl, { hash, record })
    const verificationUrl = url === null ? undefined : secrets.redactText(url)
    return { artifact, size, hash, from, record, maybeChargedAgain, verificationUrl }
  })
  return {
    verdict,
    records: formatWhole(records),
    ...run.paths,
    'artifact-count': total,
    'registered-count': registered.length,
    'newly-registered-count': registered.filter(isNew).length,
    'failed-count': failed,
  }
}
