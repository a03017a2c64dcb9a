/** The outputs of a step. */
import { describeError } from '../failure.ts'
import { isFailed, isNew, isRegistered, type Artifact, type Verdict } from '../outcome.ts'
import type { ProofPaths } from '../records/proofs.ts'
import type { Host } from '../runtime/outside.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Report } from './report.ts'
import type { Job } from './run-end.ts'

/** Sets outputs of a step. Returns null, or why they could not be written. */
export function setOutputs(
  outputs: Readonly<Record<string, string | number>>,
  { runner }: Host,
): string | null {
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
    return null
  } catch (error) {
    return describeError(error)
  }
}

/** In bytes of UTF-8: an environment variable takes 128 KiB, and a workflow may add to it. */
const maxBytes = 120_000

/** In UTF-16 code units. */
const maxFailuresLength = 50_000

/** Formats a JSON array. If it is longer than {@link maxBytes}, warns, and returns the empty string. */
export function formatWhole(items: readonly object[], warning: string, { runner }: Host): string {
  const text = JSON.stringify(items)
  if (Buffer.byteLength(text) <= maxBytes) return text
  runner.warning(warning)
  return ''
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

/** What most outputs are made of. */
export interface OutputSources {
  /** Sorted by name. */
  readonly artifacts: readonly Artifact[]
  readonly verdict: Verdict | 'stopped'
  readonly paths: ProofPaths
}

/** Writes all outputs; `failures` is empty until the report is made. Returns null, or why they could not be written. */
export function writeOutputs(
  { artifacts, verdict, paths }: OutputSources,
  job: Job,
): string | null {
  const { host, inputs, recordsPath } = job
  const { secrets } = host
  const registered = verdict === 'dry-run' ? [] : artifacts.filter(isRegistered)
  const records = registered.map(({ name, size, hash, outcome }) => {
    const record = secrets.redactJson(outcome.record)
    const url = fillVerificationUrl(inputs.verificationUrl, { hash, record })
    return {
      artifact: secrets.redactText(name),
      size,
      hash,
      from: outcome.from,
      record,
      // JSON omits fields that are undefined.
      maybeChargedAgain: outcome.maybeChargedAgain || undefined,
      verificationUrl: url === null ? undefined : secrets.redactText(url),
    }
  })
  const tooLong =
    'The output "records" is empty, because it would exceed 120,000 bytes. Read the file in the output "records-path" instead'
  const outputs = {
    verdict,
    records: formatWhole(records, tooLong, host),
    failures: '[]',
    'records-path': recordsPath,
    'artifact-count': artifacts.length,
    'registered-count': registered.length,
    'newly-registered-count': registered.filter(isNew).length,
    'failed-count': artifacts.filter(isFailed).length,
  }
  return setOutputs({ ...outputs, ...paths }, host)
}
