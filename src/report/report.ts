import { hash } from 'node:crypto'
import { evidenceName } from '../text/names.ts'
import { pluralize } from '../text/phrases.ts'
import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { readRegularFile } from '../records/disk.ts'
import { renderEvidence } from '../records/evidence.ts'
import { parseRecords } from '../records/lines.ts'
import type { Attachment, Release } from '../release/release.ts'
import type { Host } from '../runtime/host.ts'
import { describeError } from '../text/system-error.ts'
import { deliverOutputs, deliverSummary, reportStop, writeTemporary } from './deliver.ts'
import * as faults from './faults.ts'
import { countArtifacts, formatError, formatLog, type Judgement } from './log.ts'
import { makeOutputs } from './outputs.ts'
import { countState, rankArtifacts, states } from './states.ts'
import { formatSummary } from './summary.ts'

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

const nothingSent = 'nothing was registered or charged'

/** Writes log, outputs, evidence page and summary, and the state for the post step. Returns the exit code. Never rejects. */
export async function report(end: RunEnd, options: ReportOptions): Promise<0 | 1> {
  if (end.kind === 'completed') return reportCompleted(end, options)
  const { problems, checksumsPath } = end
  const { host, inputs, recordsPath } = options
  const how = host.halt.isCancelled && problems.length === 0 ? 'canceled' : 'stopped'
  const paths = { records: recordsPath, checksums: checksumsPath, evidence: '' }
  const shown = { paths, template: null, hasRelease: false, rerun: '' }
  return reportStop(problems, host, {
    verdict: `❌ ${inputs.dryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: ${how} before anything was sent`,
    nothing: nothingSent,
    page: 'failures.md#stopped-before-anything-was-sent',
    outputs: makeOutputs([], 'stopped', shown),
    showSummary: inputs.showSummary,
  })
}

async function reportCompleted(end: CompletedRun, options: ReportOptions): Promise<0 | 1> {
  const { host, inputs, recordsPath } = options
  const { runner, halt, secrets, environment } = host
  const { attachment, checksumsPath } = end
  const { showSummary, attachToRelease, keepRecords, verificationUrl } = inputs
  const hasRelease = inputs.releaseTag !== null
  const clean = (text: string): string => secrets.redactLine(text)
  const cleanFault = (fault: faults.Fault): faults.Fault => {
    const what = fault.what.map(clean)
    return { ...fault, short: clean(fault.short), what, remedy: clean(fault.remedy) }
  }
  const artifacts = end.artifacts.map(artifact => withoutSecrets(artifact, host))
  const ranked = rankArtifacts(artifacts)
  const verdict = decideVerdict(artifacts, inputs.dryRun)
  const template = verificationUrl && clean(verificationUrl)
  const evidence = inputs.dryRun ? '' : await handOver(end, options)

  // Whether the post step keeps the records for a re-run.
  const isKept = keepRecords && environment.artifactService !== null
  const foundBy = findReaders(end, isKept)
  const cost = describeCost(end, options, foundBy)
  const ofArtifacts = faults.explainFailures(ranked, hasRelease)
  const ofHalt = faults.explainHalt(halt, cost, hasRelease).map(cleanFault)
  const about = { attachToRelease, keepRecords, isKept, cost }
  const ofRelease = faults.explainAttachment(attachment, about).map(cleanFault)
  // After a signal nothing is attached, so the signal is what to act on.
  const toActOn = halt.isCancelled ? ofHalt : [...ofHalt, ...ofRelease]
  const paths = { records: recordsPath, checksums: checksumsPath, evidence }
  const rerun = faults.tellRerun([...ofArtifacts, ...toActOn], { hasRelease, foundBy })
  const outputs = makeOutputs(artifacts, verdict, { paths, template, hasRelease, rerun })
  const ofOutputs = deliverOutputs(outputs, runner, cost)
  const steps = faults.orderSteps(ofArtifacts, [...ofOutputs, ...toActOn])

  const judgement: Judgement = {
    ranked,
    verdict,
    cost,
    runFaults: [...ofHalt, ...ofOutputs, ...ofRelease],
    steps,
    rerun: faults.tellRerun(steps, { hasRelease, foundBy }),
    template,
    docsUrl: environment.docsUrl,
    recordsPath: clean(inputs.recordsPath),
  }
  formatLog(judgement).forEach(runner.info)
  attachment?.warnings.forEach(runner.warning)
  const chargedAgain = countState(ranked, states.chargedAgain)
  if (chargedAgain > 0) {
    const what = `${pluralize(chargedAgain, 'artifact')} may have been charged more than once`
    const why = 'an earlier call got no answer, or several runs registered the same hash'
    runner.warning(`${what}: ${why}. Check what the service charged`)
  }
  if (outputs['records'] === '') {
    const why = 'The output "records" is empty, because it would exceed 120,000 bytes'
    runner.warning(`${why}. Read the file in the output "records-path" instead`)
  }
  if (showSummary) {
    await deliverSummary(formatSummary(judgement, runner.warnings.map(clean)), runner)
  }
  if (steps.length === 0) return 0
  runner.error(formatError(judgement))
  return 1
}

/** Decides the output `verdict` by the artifacts alone: saving and attaching do not change it. */
function decideVerdict(artifacts: readonly Artifact[], isDryRun: boolean): Judgement['verdict'] {
  if (isDryRun) return 'dry-run'
  if (artifacts.length === 0) return 'nothing-found'
  if (!artifacts.some(isFailed)) return 'registered'
  return artifacts.some(isRegistered) ? 'partial' : 'failed'
}

/** Replaces secrets, and line breaks in what is shown on one line. */
function withoutSecrets(artifact: Artifact, { secrets }: Host): Artifact {
  const name = secrets.redactText(artifact.name)
  if (isRegistered(artifact)) {
    // A line of the records file may be from a run that had other secrets.
    const record = secrets.redactJson(artifact.outcome.record)
    return { ...artifact, name, outcome: { ...artifact.outcome, record } }
  }
  if (!isFailed(artifact)) return { ...artifact, name }
  const { failure } = artifact.outcome
  const clean = (text: string): string => secrets.redactLine(text)
  const [cause, detail] = [clean(failure.cause), clean(failure.detail)]
  const parts = { cause, detail, remedy: clean(failure.remedy) }
  return { ...artifact, name, outcome: failed(failure.with(parts)) }
}

/** Decides which runs find what this one registered. */
function findReaders({ artifacts, attachment }: CompletedRun, isKept: boolean): faults.FoundBy {
  const isNew = countArtifacts(artifacts).newlyRegistered > 0
  if (!isNew || attachment?.hasAllLines === true) return 'all'
  return isKept ? 'reruns' : 'none'
}

/** Says what a failed run means for the cost: who pays again for what is registered. */
function describeCost(
  { artifacts }: CompletedRun,
  { host, inputs }: ReportOptions,
  foundBy: faults.FoundBy,
): string {
  const isNothing = countState(artifacts, states.failed) === artifacts.length
  if (inputs.dryRun || isNothing) return nothingSent
  if (host.halt.unsaved.length > 0) return 'everything that is registered was charged'
  return costs[foundBy]
}

const costs = {
  all: 'what is registered is not paid for again',
  reruns: 're-running the failed jobs does not pay again for what is registered; any other run may',
  none: 'a run without the records file pays again',
} as const

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
