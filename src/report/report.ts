/** What a run of the notarizing action reports at its end. */
import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Place } from '../keep/keep.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { pluralize } from '../text/phrases.ts'
import * as judge from './judge.ts'
import { formatError, formatLog, type Told } from './log.ts'
import { formatFailures, makeOutputs, setOutputs } from './outputs.ts'
import { cleanFinding, reportStop, writeSummary } from './stopped.ts'
import { formatSummary } from './summary.ts'

/** What a run works with, from its inputs to its report. */
export interface Job {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute. */
  readonly recordsPath: string
}

/** A run that stopped before anything was sent. */
export interface StoppedRun {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
  /** Absolute; empty if nothing was hashed. */
  readonly checksumsPath: string
  readonly place: Place
}

/** A run that knows the outcome of each artifact. */
export interface CompletedRun {
  readonly kind: 'completed'
  /** Sorted by name. */
  readonly artifacts: readonly Artifact[]
  /** Absolute; empty if nothing was hashed. */
  readonly checksumsPath: string
  /** Absolute; empty if nothing is registered. */
  readonly evidencePath: string
  readonly place: Place
  /** Null without `release-tag`. */
  readonly release: { readonly tag: string; readonly lacksLines: boolean } | null
  /** Artifacts whose record is only in the log. */
  readonly unsaved: readonly string[]
  /** Whether an earlier attempt may have registered files, but no line of it was found. */
  readonly isEarlierMissing: boolean
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
}

/** How a run ended. */
export type RunEnd = StoppedRun | CompletedRun

/** Sets the outputs of a completed run, before its records are kept. Returns null, or why they could not be written. */
export function writeOutputs(end: CompletedRun, job: Job): string | null {
  const { inputs, host, recordsPath } = job
  const artifacts = withoutSecrets(end.artifacts, host)
  const paths = { records: recordsPath, checksums: end.checksumsPath, evidence: end.evidencePath }
  const { template } = contextOf(job)
  const verdict = decideVerdict(artifacts, inputs.dryRun)
  const outputs = makeOutputs(artifacts, verdict, { paths, template })
  if (outputs['records'] === '') {
    const why = 'The output "records" is empty, because it would exceed 120,000 bytes'
    host.runner.warning(`${why}. Read the file in the output "records-path" instead`)
  }
  const failures = tellFailures(artifacts, end, job)
  return setOutputs({ ...outputs, failures }, host.runner)
}

/** Formats the output `failures`, which says how to run again. */
function tellFailures(artifacts: readonly Artifact[], end: CompletedRun, job: Job): string {
  const findings = findAll(judge.rankArtifacts(artifacts), end, job)
  return formatFailures(artifacts, tellAgainAfter(findings, end, job), contextOf(job))
}

/** Finds everything that went wrong. */
function findAll(
  ranked: readonly Artifact[],
  { unsaved, outputsError }: CompletedRun,
  job: Job,
): readonly judge.Finding[] {
  const { host } = job
  const { total, registered, failed } = judge.countArtifacts(ranked)
  // Failures say for themselves what they cost.
  let cost = ''
  if (job.inputs.dryRun || total === 0) cost = nothingCharged(host)
  else if (failed === 0)
    cost = `${pluralize(registered, 'artifact is', 'artifacts are')} registered`
  const { reportTo } = host.environment
  const ofRun = judge.explainRun({ halt: host.halt, unsaved, outputsError, cost, reportTo })
  return judge.joinFindings(
    judge.explainFailures(ranked, contextOf(job)),
    ofRun.map(finding => cleanFinding(finding, host)),
  )
}

function isLaterAttempt({ environment }: Host): boolean {
  return Number(environment.source.runAttempt) > 1
}

function nothingCharged(host: Host): string {
  const when = isLaterAttempt(host) ? ' in this attempt' : ''
  return `nothing was registered or charged${when}`
}

function tellAgainAfter(
  findings: readonly judge.Finding[],
  { place, isEarlierMissing }: CompletedRun,
  { inputs }: Job,
) {
  return judge.tellAgain(findings, inputs.dryRun ? null : place, isEarlierMissing)
}

function contextOf({ inputs, host }: Job): judge.JudgeContext {
  const { verificationUrl } = inputs
  const template = verificationUrl && host.secrets.redactLine(verificationUrl)
  return { inputs, template, reportTo: host.environment.reportTo }
}

/** Writes log and summary, and the outputs that were not written before. Returns the exit code. Never rejects. */
export async function report(end: RunEnd, job: Job): Promise<0 | 1> {
  return end.kind === 'completed' ? reportCompleted(end, job) : reportStopped(end, job)
}

async function reportCompleted(end: CompletedRun, job: Job): Promise<0 | 1> {
  const { inputs, host } = job
  const { runner, secrets, environment } = host
  const artifacts = withoutSecrets(end.artifacts, host)
  const ranked = judge.rankArtifacts(artifacts)
  const findings = findAll(ranked, end, job)
  // Where the records are decides how to run again, and was not known before.
  if (artifacts.some(isFailed)) {
    setOutputs({ failures: tellFailures(artifacts, end, job) }, runner)
  }
  const told: Told = {
    ranked,
    verdict: decideVerdict(artifacts, inputs.dryRun),
    findings,
    again: tellAgainAfter(findings, end, job),
    unsavedCount: end.unsaved.length,
    template: contextOf(job).template,
    docsUrl: environment.docsUrl,
  }
  for (const line of formatLog(told)) runner.info(line)
  warnOfCharges(artifacts, end, job)
  if (inputs.showSummary) {
    const warnings = runner.warnings.map(text => secrets.redactLine(text))
    const recordsPath = secrets.redactLine(inputs.recordsPath)
    await writeSummary(
      formatSummary(told, { end, warnings, source: environment.source, recordsPath }),
      host,
    )
  }
  if (findings.length === 0) return 0
  runner.error(formatError(told))
  return 1
}

/** Warns about what was maybe charged more than once. */
function warnOfCharges(
  artifacts: readonly Artifact[],
  { isEarlierMissing }: CompletedRun,
  { host }: Job,
): void {
  const { runner } = host
  const registered = artifacts.filter(isRegistered)
  const again = registered.filter(({ outcome }) => outcome.maybeChargedAgain).length
  if (again > 0) {
    const what = `${pluralize(again, 'artifact')} may have been charged more than once`
    const why = 'an earlier call got no response, or several runs registered the same file'
    // The table says which.
    runner.passingWarning(`${what}: ${why}. Check what the service charged`)
  }
  if (isEarlierMissing && registered.some(({ outcome }) => outcome.from === 'this-run')) {
    runner.warning(
      'No records of an earlier attempt were found. If an earlier attempt registered these files, they were charged again: docs/records.md#where-it-is-kept',
    )
  }
}

async function reportStopped(
  { problems, checksumsPath, place }: StoppedRun,
  { host, inputs, recordsPath }: Job,
): Promise<1> {
  const { halt } = host
  const isLater = isLaterAttempt(host)
  const how = halt.isCancelled && problems.length === 0 ? 'canceled' : 'stopped'
  let title = `NOT NOTARIZED: ${how} before anything was sent`
  if (isLater) title = `${how.toUpperCase()}: this attempt sent nothing`
  if (inputs.dryRun) title = `DRY RUN ${how}: nothing was sent`
  const paths = { records: recordsPath, checksums: checksumsPath, evidence: '' }
  return reportStop(problems, host, {
    title: `❌ ${title}`,
    nothing: isLater ? 'this attempt sent nothing' : nothingCharged(host),
    outputs: { ...makeOutputs([], 'stopped', { paths, template: null }), failures: '[]' },
    docs: 'failures.md',
    place: inputs.dryRun ? null : place,
    showSummary: inputs.showSummary,
  })
}

/** Decides the output `verdict` by the artifacts alone: saving and keeping do not change it. */
function decideVerdict(artifacts: readonly Artifact[], isDryRun: boolean): Told['verdict'] {
  if (isDryRun) return 'dry-run'
  if (artifacts.length === 0) return 'nothing-found'
  if (!artifacts.some(isFailed)) return 'registered'
  return artifacts.some(isRegistered) ? 'partial' : 'failed'
}

/** Replaces secrets, and line breaks in what is shown on one line. */
function withoutSecrets(artifacts: readonly Artifact[], { secrets }: Host): readonly Artifact[] {
  return artifacts.map(artifact => {
    const name = secrets.redactText(artifact.name)
    if (isRegistered(artifact)) {
      // A line of the records file may be from a run that had other secrets.
      const record = secrets.redactJson(artifact.outcome.record)
      return { ...artifact, name, outcome: { ...artifact.outcome, record } }
    }
    if (!isFailed(artifact)) return { ...artifact, name }
    const { failure } = artifact.outcome
    const observed = secrets.redactLine(failure.observed)
    return { ...artifact, name, outcome: failed(failure.with({ observed })) }
  })
}
