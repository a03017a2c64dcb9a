/** What a run of the notarizing action reports at its end. */
import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Place } from '../keep/keep.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { pluralize, toSentence } from '../text/phrases.ts'
import * as judge from './judge.ts'
import { formatError, formatLog, formatStepLines } from './log.ts'
import * as outputs from './outputs.ts'
import { tellAgain, withLast, type RunAgain } from './run-again.ts'
import { formatStopSummary, formatSummary } from './summary.ts'

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
  readonly release: {
    readonly tag: string
    /** For a browser; null if unknown. */
    readonly url: string | null
    readonly lacksRecords: boolean
  } | null
  /** Artifacts whose record is only in the log. */
  readonly unsaved: readonly string[]
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
}

/** How a run ended. */
export type RunEnd = StoppedRun | CompletedRun

/** Sets the outputs of a completed run, before its records are kept. Returns null, or why they could not be written. */
export function writeOutputs(end: CompletedRun, job: Job): string | null {
  const { host, recordsPath } = job
  const told = tell(end, job)
  const { artifacts, checksumsPath, evidencePath } = told.end
  const template = told.inputs.verificationUrl
  const paths = { records: recordsPath, checksums: checksumsPath, evidence: evidencePath }
  const made = outputs.makeOutputs(artifacts, told.verdict, { paths, template })
  if (made['records'] === '') {
    const why = 'The output "records" is empty, because it would exceed 120,000 bytes'
    host.runner.warning(`${why}. Read the file in the output "records-path" instead`)
  }
  const failures = outputs.formatFailures(artifacts, told.again, told)
  return outputs.setOutputs({ ...made, failures }, host)
}

/** A completed run as log, summary, annotation and outputs tell it: artifacts and findings are without secrets. */
export interface Told extends judge.JudgeContext {
  readonly end: CompletedRun
  /** All artifacts, the most serious first. */
  readonly ranked: readonly Artifact[]
  readonly verdict: outputs.Verdict
  /** Everything that went wrong. The run passes if there is nothing. */
  readonly findings: readonly judge.Finding[]
  /** How to run again; null if nothing went wrong. */
  readonly again: RunAgain | null
  /** The findings, and how to run again, in an order that can be followed. */
  readonly steps: readonly judge.Step[]
}

/** Judges a completed run: what every report says about it. */
function tell(completed: CompletedRun, job: Job): Told {
  const { host } = job
  const end = { ...completed, artifacts: withoutSecrets(completed.artifacts, host) }
  const { place, unsaved, outputsError } = end
  const context = contextOf(job)
  const { dryRun } = context.inputs
  const ranked = judge.rankArtifacts(end.artifacts)
  const { total, registered, failed } = judge.countArtifacts(ranked)
  // Failures say for themselves what they cost.
  let cost = ''
  if (dryRun || total === 0) cost = judge.nothingCharged(host)
  else if (failed === 0) {
    cost = `${pluralize(registered, 'artifact is', 'artifacts are')} registered`
  }
  const ofRun = judge.explainRun(host, { unsaved, outputsError, cost })
  const findings = judge.explainAll(ranked, ofRun, context)
  const again = tellAgain(findings, dryRun ? null : place, unsaved.length > 0)
  const verdict = outputs.decideVerdict(end.artifacts, dryRun)
  const steps = withLast(findings, again)
  return { ...context, end, ranked, verdict, findings, again, steps }
}

function contextOf({ inputs, host }: Job): judge.JudgeContext {
  const recordsPath = host.secrets.redactLine(inputs.recordsPath)
  let { verificationUrl } = inputs
  if (verificationUrl !== null) verificationUrl = host.secrets.redactLine(verificationUrl)
  return { inputs: { ...inputs, recordsPath, verificationUrl }, host }
}

/** Writes log and summary, and again the output `failures`. Returns the exit code. Never rejects. */
export async function report(end: RunEnd, job: Job): Promise<0 | 1> {
  if (end.kind === 'stopped') return reportStopped(end, job)
  const { runner, secrets } = job.host
  const told = tell(end, job)
  // Where the records are decides how to run again, and was not known before.
  if (told.ranked.some(isFailed)) {
    const failures = outputs.formatFailures(told.end.artifacts, told.again, told)
    outputs.setOutputs({ failures }, job.host)
  }
  for (const line of formatLog(told)) runner.info(line)
  warnOfCharges(told, runner)
  if (job.inputs.showSummary) {
    const warnings = runner.warnings.map(text => secrets.redactLine(text))
    await outputs.writeSummary(formatSummary(told, warnings), job.host)
  }
  const [first] = told.findings
  if (first === undefined) return 0
  runner.error(formatError(told, first))
  return 1
}

/** Warns about what was maybe charged more than once. */
function warnOfCharges({ end }: Told, runner: Host['runner']): void {
  const registered = end.artifacts.filter(isRegistered)
  const again = registered.filter(({ outcome }) => outcome.maybeChargedAgain).length
  if (again > 0) {
    const what = `${pluralize(again, 'artifact')} may have been charged more than once`
    const why = 'an earlier call got no response, or several runs registered the same file'
    // The table says which.
    runner.passingWarning(`${what}: ${why}. Check what the service charged`)
  }
}

async function reportStopped(
  { problems, checksumsPath, place }: StoppedRun,
  { host, inputs, recordsPath }: Job,
): Promise<1> {
  let how = 'stopped'
  if (host.halt.isCanceled && problems.length === 0) how = 'canceled'
  let title = `NOT NOTARIZED: ${how} before anything was sent`
  let nothing = judge.nothingCharged(host)
  if (host.environment.attempt > 1) {
    nothing = 'this attempt sent nothing'
    title = `${how.toUpperCase()}: ${nothing}`
  }
  if (inputs.dryRun) title = `DRY RUN ${how}: nothing was sent`
  const paths = { records: recordsPath, checksums: checksumsPath, evidence: '' }
  const made = outputs.makeOutputs([], 'stopped', { paths, template: null })
  return reportStop(problems, host, {
    title: `❌ ${title}`,
    nothing,
    outputs: { ...made, failures: '[]' },
    docs: 'failures.md',
    place: inputs.dryRun ? null : place,
    showSummary: inputs.showSummary,
  })
}

/** How a run of either action that stopped is shown. */
export interface Stopped {
  /** The first line of the summary. */
  readonly title: string
  /** What was not done: a clause. */
  readonly nothing: string
  readonly outputs: outputs.Outputs
  /** The page of the docs on what to do. */
  readonly docs: string
  /** Null where nothing is ever charged. */
  readonly place: Place | null
  readonly showSummary: boolean
}

const maxErrors = 10

/** Reports a run of either action that stopped: an error for each input, at most ten, and a summary. Never rejects. */
export async function reportStop(
  stoppedBy: readonly Problem[],
  host: Host,
  stopped: Stopped,
): Promise<1> {
  const { runner, secrets } = host
  const { docsUrl } = host.environment
  const { title, nothing, docs, place } = stopped
  const outputsError = outputs.setOutputs(stopped.outputs, host)
  const problems = stoppedBy.map(judge.completeProblem).map(problem => {
    return { ...problem, message: secrets.redactLine(problem.message) }
  })
  const ofRun = judge.explainRun(host, { unsaved: [], outputsError, cost: '' })
  const findings = judge.explainProblems(problems).concat(ofRun)
  const again = tellAgain(findings, place)
  const steps = withLast(findings, again)
  runner.info(toSentence(nothing))
  for (const line of formatStepLines(steps, docsUrl)) runner.info(line)
  if (stopped.showSummary) {
    const warnings = runner.warnings.map(text => secrets.redactLine(text))
    const parts = { nothing, todo: { steps, docs, docsUrl }, warnings, place }
    await outputs.writeSummary(formatStopSummary(title, parts), host)
  }
  const ofInputs = Map.groupBy(problems, ({ input }) => input)
  const texts = Array.from(ofInputs.values(), group => {
    return toSentence(group.map(({ message }) => message).join('; '))
  })
  for (const { happened, next } of ofRun) texts.push(`${toSentence(happened)} ${toSentence(next)}`)
  if (texts.length > maxErrors) {
    const left = [...ofInputs.keys()]
      .slice(maxErrors - 1)
      .flatMap(input => input ?? [])
      .map(input => `"${input}"`)
    texts.splice(maxErrors - 1, texts.length, `Also wrong: ${left.join(', ')}.`)
  }
  for (const text of texts) {
    const parts = [text, toSentence(nothing)]
    if (texts.length === 1 && again !== null) parts.push(again.next)
    runner.error(parts.join(' '))
  }
  return 1
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
