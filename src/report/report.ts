import { hash } from 'node:crypto'
import { evidenceName } from '../artifacts/own-files.ts'
import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { readRegularFile } from '../records/disk.ts'
import { renderEvidence } from '../records/evidence.ts'
import { parseRecords } from '../records/lines.ts'
import type { Attachment, Release } from '../release/release.ts'
import type { Host } from '../runtime/host.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { toSingleLine } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { pluralize } from '../text/format.ts'
import { deliverOutputs, deliverSummary, writeTemporary } from './deliver.ts'
import * as faults from './faults.ts'
import { formatLog } from './log.ts'
import { makeOutputs } from './outputs.ts'
import { rankArtifacts, states } from './states.ts'
import { reportStop } from './stop.ts'
import { formatSummary } from './summary.ts'
import { countArtifacts, countState, decideVerdict, formatError, formatVerdict } from './verdict.ts'

/** A run that stopped before anything was sent. */
export interface StoppedRun {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
  /** Absolute; empty if nothing was hashed. */
  readonly checksumsPath: string
}

/** A run that knows the outcome of each artifact. */
export interface CompletedRun {
  readonly kind: 'completed'
  /** Sorted by name. */
  readonly artifacts: readonly Artifact[]
  /** Absolute; empty if nothing was hashed. */
  readonly checksumsPath: string
  /** Null without `release-tag`, and in a dry run. */
  readonly attachment: Attachment | null
  /** Null without `release-tag`. */
  readonly release: Release | null
}

/** How a run ended. */
export type RunEnd = StoppedRun | CompletedRun

export interface ReportOptions {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute. */
  readonly recordsPath: string
}

/** Writes log, outputs, evidence page and summary, and the state for the post step. Returns the exit code. Never rejects. */
export async function report(end: RunEnd, options: ReportOptions): Promise<0 | 1> {
  return end.kind === 'completed' ? reportCompleted(end, options) : reportStopped(end, options)
}

const nothingSent = 'nothing was registered or charged'

function reportStopped(end: StoppedRun, options: ReportOptions): Promise<1> {
  const { problems, checksumsPath } = end
  const { host, inputs, recordsPath } = options
  const how = host.halt.isCancelled && problems.length === 0 ? 'canceled' : 'stopped'
  const paths = { records: recordsPath, checksums: checksumsPath, evidence: '' }
  const stop = {
    problems,
    verdict: `❌ ${inputs.dryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: ${how} before anything was sent`,
    nothing: nothingSent,
    page: 'failures.md#stopped-before-anything-was-sent',
    outputs: makeOutputs([], 'stopped', { paths, template: null }),
    showSummary: inputs.showSummary,
  }
  return reportStop(stop, host)
}

async function reportCompleted(end: CompletedRun, options: ReportOptions): Promise<0 | 1> {
  const { host, inputs, recordsPath } = options
  const { runner, halt, secrets, environment } = host
  const { attachment, checksumsPath } = end
  const { docsUrl } = environment
  const clean = (text: string): string => toSingleLine(secrets.redactText(text))

  const artifacts = end.artifacts.map(artifact => withoutSecrets(artifact, secrets))
  const ranked = rankArtifacts(artifacts)
  const counts = countArtifacts(artifacts)
  const verdict = decideVerdict(counts, inputs.dryRun)
  const template = inputs.verificationUrl && clean(inputs.verificationUrl)
  const evidence = inputs.dryRun ? '' : await handOver(end, options)
  const paths = { records: recordsPath, checksums: checksumsPath, evidence }
  const outputs = makeOutputs(artifacts, verdict, { paths, template })
  const outputsFailure = deliverOutputs(outputs, runner)

  const cost = describeCost(end, options)
  const ofRun = faults.explainRun(halt, outputsFailure, cost)
  const ofRelease = faults.explainAttachment(attachment, inputs.attachToRelease, cost)
  const runFaults = [...ofRun, ...ofRelease].map(fault => faults.cleanFault(fault, clean))
  // After a signal nothing is attached, so the signal is what to act on.
  const toActOn = runFaults.slice(0, halt.isCancelled ? ofRun.length : runFaults.length)
  const steps = faults.orderSteps(faults.explainFailures(ranked), toActOn)
  const shown = { template, docsUrl, recordsPath: clean(inputs.recordsPath) }
  const judgement = { ranked, counts, verdict, runFaults, steps, cost, ...shown }
  formatLog(judgement).forEach(runner.info)
  runner.info(formatVerdict(judgement))
  attachment?.warnings.forEach(runner.warning)
  const chargedAgain = countState(ranked, states.chargedAgain)
  if (chargedAgain > 0) runner.warning(describeChargedAgain(chargedAgain))
  if (outputs['records'] === '') runner.warning(noRecordsOutput)
  if (inputs.showSummary) {
    await deliverSummary(formatSummary(judgement, runner.warnings.map(clean)), runner)
  }
  if (steps.length === 0) return 0
  runner.error(formatError(judgement))
  return 1
}

const noRecordsOutput =
  'The output "records" is empty, because it would exceed 120,000 bytes. Read the file in the output "records-path" instead'

function describeChargedAgain(count: number): string {
  const artifacts = pluralize(count, 'artifact')
  return `${artifacts} may have been charged more than once: an earlier call got no answer, or several runs registered the same hash. Check what the service charged`
}

/** Replaces secrets. Truncating or escaping a text first would make them unrecognizable. */
function withoutSecrets(artifact: Artifact, secrets: Secrets): Artifact {
  const name = secrets.redactText(artifact.name)
  if (isRegistered(artifact)) {
    // A line of the records file may be from a run that had other secrets.
    const record = secrets.redactJson(artifact.outcome.record)
    return { ...artifact, name, outcome: { ...artifact.outcome, record } }
  }
  if (!isFailed(artifact)) return { ...artifact, name }
  const clean = (text: string): string => toSingleLine(secrets.redactText(text))
  const { failure } = artifact.outcome
  const [cause, detail] = [clean(failure.cause), clean(failure.detail)]
  const parts = { cause, detail, remedy: clean(failure.remedy) }
  return { ...artifact, name, outcome: failed(failure.with(parts)) }
}

/** Says what a failed run means for the cost: who pays again for what is registered. */
function describeCost({ artifacts, attachment }: CompletedRun, options: ReportOptions): string {
  const { host, inputs } = options
  const isNothing = countState(artifacts, states.failed) === artifacts.length
  if (inputs.dryRun || isNothing) return nothingSent
  if (host.halt.unsaved.length > 0) return 'everything that is registered was charged'
  const isNew = countArtifacts(artifacts).newlyRegistered > 0
  if (!isNew || attachment?.hasAllLines === true) return 'what is registered is not paid for again'
  if (inputs.keepRecords && host.environment.artifactService !== null) {
    return 'a re-run does not pay again for what is registered, but a new run may'
  }
  return 'another run pays again for what this run registered, unless it finds the records file'
}

/** Writes the evidence page, and tells the post step what is done. Returns the path of the page; empty if none. */
async function handOver(end: CompletedRun, options: ReportOptions): Promise<string> {
  const { host, inputs, recordsPath } = options
  const { runner, secrets, environment } = host
  const registered = end.artifacts.filter(isRegistered)
  const isAttached = end.attachment?.hasAllLines === true
  if (registered.length === 0 && !isAttached) return ''
  try {
    const file = readRegularFile(recordsPath)
    if (isAttached) runner.saveState('attached', hash('sha256', file))
    const hashes = new Set(registered.map(artifact => artifact.hash))
    const checksums = end.release?.checksums(hashes) ?? registered
    const page = renderEvidence(parseRecords(file, inputs.recordsPath).entries, checksums)
    if (page === null || registered.length === 0) return ''
    const text = secrets.redactText(page)
    const path = await writeTemporary(environment.tempFolder, evidenceName, text)
    runner.saveState('evidence-path', path)
    return path
  } catch (error) {
    runner.warning(`The evidence page could not be written (${describeError(error)})`)
    return ''
  }
}
