import { describeError } from '../failure.ts'
import { isFailed, isInDoubt, isNew, isRegistered, isServiceDown } from '../outcome.ts'
import { isUntried, mayBeRegistered, type Artifact, type FailedArtifact } from '../outcome.ts'
import type { ProofPaths } from '../records/proofs.ts'
import type { Host } from '../runtime/outside.ts'
import { takeFitting, toSentences } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Job, RunEnd } from './report.ts'
import * as steps from './steps.ts'

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
const maxWholeBytes = 120_000

/** In bytes of UTF-8. */
const maxFailuresBytes = 50_000

/** Formats a JSON array. If it is longer than {@link maxWholeBytes}, warns, and returns the empty string. */
export function formatWhole(items: readonly object[], warning: string, { runner }: Host): string {
  const texts = formatFitting(items.values(), maxWholeBytes)
  if (texts.length === items.length) return `[${texts.join(',')}]`
  runner.warning(warning)
  return ''
}

/** Formats as many items as fit into a JSON array. */
function formatFitting(items: IteratorObject<object>, maxBytes: number): readonly string[] {
  const texts = items.map(item => JSON.stringify(item))
  // With a comma or bracket after each, and the first bracket.
  return takeFitting(texts, maxBytes - 1, text => Buffer.byteLength(text) + 1)
}

/** Writes all outputs. Returns null, or why they could not be written. */
export function writeOutputs(
  { artifacts: known, verdict, charges }: Pick<RunEnd, 'artifacts' | 'verdict' | 'charges'>,
  paths: ProofPaths,
  job: Job,
): string | null {
  const { host, inputs, recordsPath } = job
  const artifacts = verdict === 'stopped' ? [] : known
  const registered = verdict === 'dry-run' ? [] : artifacts.filter(isRegistered)
  const records = registered.map(({ name: artifact, size, hash, outcome }) => {
    const { from, record, otherCharge } = outcome
    // JSON omits fields that are undefined.
    const maybeChargedAgain = otherCharge === null ? undefined : true
    const verificationUrl =
      fillVerificationUrl(inputs.verificationUrl, { hash, record }) ?? undefined
    return { artifact, size, hash, from, record, maybeChargedAgain, verificationUrl }
  })
  const failed = artifacts.filter(isFailed)
  const failures = failed.values().map(artifact => {
    const { name, size, hash, outcome } = artifact
    const { code } = outcome.failure
    const registered = mayBeRegistered(outcome) ? 'unknown' : 'no'
    const message = describeFailure(artifact, artifacts, job)
    return { artifact: name, size, hash, code, registered, message }
  })
  const tooLong =
    'The output "records" is empty, because it would exceed 120,000 bytes. Read the file in the output "records-path" instead'
  const outputs = {
    verdict,
    records: formatWhole(records, tooLong, host),
    failures: `[${formatFitting(failures, maxFailuresBytes).join(',')}]`,
    'records-path': recordsPath,
    'artifact-count': artifacts.length,
    'registered-count': registered.length,
    'newly-registered-count': registered.filter(isNew).length,
    'failed-count': failed.length,
    'charge-count': charges.least,
    'charge-count-max': charges.most,
  }
  return setOutputs({ ...outputs, ...paths }, host)
}

/** Says what happened to one of the artifacts, and what to do about it, without how to run again. */
function describeFailure(artifact: FailedArtifact, all: readonly Artifact[], job: Job): string {
  const about = { job, run: 'next run', isDown: isServiceDown(all) }
  const lookUps = steps.lookUp([artifact], about)
  const fixes = steps.toSteps(steps.explainFailures([artifact], job))
  const texts = [...lookUps, ...fixes].map(step => {
    return steps.formatStep({ ...step, answers: [] }, job.host.environment.docsUrl)
  })
  const { failure } = artifact.outcome
  const { cause, observed, next } = steps.explainFailure(failure, job)
  if (isUntried(artifact)) {
    const untried = `not sent after an earlier failure: ${steps.summarize(cause, observed)}`
    // What ended the run by a doubt is looked up first.
    const isOfDoubt = all.filter(isFailed).some(({ outcome: { failure: other } }) => {
      return other.mayHaveActed && other.reason === failure.reason
    })
    const [advice = next] = isOfDoubt ? steps.lookUp(all, about).map(step => step.next) : []
    texts.push(toSentences(isInDoubt(artifact) ? [untried] : [untried, advice]))
  }
  return texts.join(' ')
}
