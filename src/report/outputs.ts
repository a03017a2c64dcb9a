/** The outputs and the summary of a step, as both actions write them. */
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { describeError } from '../failure.ts'
import { countArtifacts, explainFailure, lookUpUrl, type JudgeContext, type Step } from './judge.ts'
import { formatStepText } from './log.ts'

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

/** Writes the summary. A failure is only a warning, because the work is done. Never rejects. */
export async function writeSummary(markdown: string, { runner }: Host): Promise<void> {
  try {
    await runner.writeSummary(markdown)
  } catch (error) {
    runner.warning(`The job summary could not be written: ${describeError(error)}`)
  }
}

/** In bytes of UTF-8: an environment variable takes 128 KiB, and a workflow may add to it. */
export const maxRecordsBytes = 120_000

/** In UTF-16 code units. */
const maxFailuresLength = 50_000

/** Formats a JSON array, or the empty string if it is longer than {@link maxRecordsBytes}. */
export function formatWhole<T>(items: readonly T[], toEntry: (item: T) => object): string {
  const texts: string[] = []
  let bytes = 1
  for (const item of items) {
    const text = JSON.stringify(toEntry(item))
    bytes += Buffer.byteLength(text) + 1
    if (bytes > maxRecordsBytes) return ''
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

/** Formats the output `failures`: as many artifacts as fit, each with why it failed and what to do. */
export function formatFailures(
  artifacts: readonly Artifact[],
  again: Step | null,
  context: JudgeContext,
): string {
  const texts: string[] = []
  let length = 1
  for (const artifact of artifacts.values().filter(isFailed)) {
    const { name, size, hash, outcome } = artifact
    const { code, registered } = outcome.failure
    const steps: Step[] = [explainFailure([artifact], context)]
    if (again !== null) steps.push(again)
    const message = steps.map(formatStepText).join(' ')
    const text = JSON.stringify({ artifact: name, size, hash, code, registered, message })
    length += text.length + 1
    if (length > maxFailuresLength) break
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

/** The output `verdict` of a run that did not stop. */
export type Verdict = 'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run'

/** Decides the verdict by the artifacts alone: saving and keeping do not change it. */
export function decideVerdict(artifacts: readonly Artifact[], isDryRun: boolean): Verdict {
  if (isDryRun) return 'dry-run'
  if (artifacts.length === 0) return 'nothing-found'
  if (!artifacts.some(isFailed)) return 'registered'
  return artifacts.some(isRegistered) ? 'partial' : 'failed'
}

/** Makes all outputs but `failures` from the artifacts, sorted by name. `records` is empty if too long. */
export function makeOutputs(
  artifacts: readonly Artifact[],
  verdict: Verdict | 'stopped',
  run: {
    /** Absolute, or empty if there is no such file. */
    readonly paths: Readonly<Record<'records' | 'checksums' | 'evidence', string>>
    /** Template of the URL where people look up a registration; null if none. */
    readonly template: string | null
  },
): Outputs {
  const { paths, template } = run
  const { total, failed } = countArtifacts(artifacts)
  let registered = artifacts.filter(isRegistered)
  if (verdict === 'dry-run') registered = []
  const records = formatWhole(registered, artifact => {
    const { name, size, hash, outcome } = artifact
    const { from, record } = outcome
    // JSON omits fields that are undefined.
    const maybeChargedAgain = outcome.maybeChargedAgain || undefined
    const verificationUrl = lookUpUrl(template, artifact) ?? undefined
    return { artifact: name, size, hash, from, record, maybeChargedAgain, verificationUrl }
  })
  return {
    verdict,
    records,
    'records-path': paths.records,
    'checksums-path': paths.checksums,
    'evidence-path': paths.evidence,
    'artifact-count': total,
    'registered-count': registered.length,
    'newly-registered-count': registered.filter(({ outcome }) => outcome.from === 'this-run')
      .length,
    'failed-count': failed,
  }
}
