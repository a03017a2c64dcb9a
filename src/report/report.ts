import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Place } from '../keep/place.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { pluralize, toSentence } from '../text/phrases.ts'
import { deliverOutputs, deliverSummary, type Outputs } from './deliver.ts'
import * as judge from './judge.ts'
import { formatError, formatLog, formatSteps, type Told } from './log.ts'
import { formatFailures, makeOutputs } from './outputs.ts'
import { formatPage } from './page.ts'
import { formatSummary, formatTodo } from './summary.ts'

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
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
}

/** How a run ended. */
export type RunEnd = StoppedRun | CompletedRun

/** Sets the outputs of a completed run, before its records are kept. Returns null, or why they could not be written. */
export function writeOutputs(end: CompletedRun, job: Job): string | null {
  const { inputs, host, recordsPath } = job
  const artifacts = cleanAll(end.artifacts, host)
  const { checksumsPath: checksums, evidencePath: evidence } = end
  const paths = { records: recordsPath, checksums, evidence }
  const verdict = decideVerdict(artifacts, inputs.dryRun)
  const template = cleanTemplate(job)
  const failures = tellFailures(artifacts, end, job)
  const outputs: Outputs = { ...makeOutputs(artifacts, verdict, { paths, template }), failures }
  if (outputs['records'] === '') {
    const why = 'The output "records" is empty, because it would exceed 120,000 bytes'
    host.runner.warning(`${why}. Read the file in the output "records-path" instead`)
  }
  return deliverOutputs(outputs, host.runner)
}

/** Formats the output `failures`, which says how to run again. */
function tellFailures(
  artifacts: readonly Artifact[],
  { place }: CompletedRun,
  { inputs, host }: Job,
): string {
  const context = { inputs, reportTo: host.environment.reportTo }
  const findings = judge.findFailures(judge.rankArtifacts(artifacts), context)
  return formatFailures(artifacts, judge.tellAgain(findings, place), context)
}

/** Writes log and summary, and the outputs that were not written before. Returns the exit code. Never rejects. */
export async function report(end: RunEnd, job: Job): Promise<0 | 1> {
  return end.kind === 'completed' ? reportCompleted(end, job) : reportStopped(end, job)
}

async function reportCompleted(end: CompletedRun, job: Job): Promise<0 | 1> {
  const { inputs, host } = job
  const { runner, halt, secrets, environment } = host
  const { place, unsaved, outputsError } = end
  const artifacts = cleanAll(end.artifacts, host)
  const ranked = judge.rankArtifacts(artifacts)
  const registered = artifacts.filter(isRegistered)
  const ofArtifacts = judge.findFailures(ranked, { inputs, reportTo: environment.reportTo })
  let cost = 'nothing was registered or charged'
  if (registered.length > 0) cost = 'what is registered stays registered'
  const ofRun = judge.findRunFailures({
    halt,
    unsaved,
    outputsError,
    cost,
    reportTo: environment.reportTo,
  })
  const findings = judge.orderFindings(
    ofArtifacts,
    ofRun.map(finding => cleanFinding(finding, host)),
  )
  // Where the records are decides how to run again, and was not known before.
  if (ofArtifacts.length > 0) {
    deliverOutputs({ failures: tellFailures(artifacts, end, job) }, runner)
  }
  const told: Told = {
    end,
    ranked,
    verdict: decideVerdict(artifacts, inputs.dryRun),
    findings,
    again: judge.tellAgain(findings, place),
    template: cleanTemplate(job),
    docsUrl: environment.docsUrl,
    recordsPath: secrets.redactLine(inputs.recordsPath),
  }
  for (const line of formatLog(told)) runner.info(line)
  const again = registered.filter(({ outcome }) => outcome.maybeChargedAgain).length
  if (again > 0) {
    const what = `${pluralize(again, 'artifact')} may have been charged more than once`
    runner.warning(
      `${what}, because an earlier call got no response, or several runs registered the same file. Check what the service charged`,
    )
  }
  if (place.kind === 'unknown' || (place.kind === 'artifact' && !place.isComplete)) {
    if (registered.some(({ outcome }) => outcome.from === 'this-run')) {
      runner.warning(
        'No records of an earlier attempt were found. If one registered these files, they were charged again',
      )
    }
  }
  if (inputs.showSummary) {
    const warnings = runner.warnings.map(text => secrets.redactLine(text))
    await deliverSummary(formatSummary(told, warnings, job), runner)
  }
  if (findings.length === 0) return 0
  runner.error(formatError(told))
  return 1
}

const maxErrors = 10

async function reportStopped(
  { problems, checksumsPath, place }: StoppedRun,
  { host, inputs, recordsPath }: Job,
): Promise<1> {
  const { halt, environment } = host
  const isRerun = Number(environment.source.runAttempt) > 1
  const nothing = isRerun ? 'this attempt sent nothing' : 'nothing was registered or charged'
  const paths = { records: recordsPath, checksums: checksumsPath, evidence: '' }
  const outputs = { ...makeOutputs([], 'stopped', { paths, template: null }), failures: '[]' }
  const how = halt.isCancelled && problems.length === 0 ? 'canceled' : 'stopped'
  const what = inputs.dryRun ? 'DRY RUN' : 'NOT NOTARIZED'
  const rest = isRerun ? nothing : `${how} before anything was sent`
  return reportStop(problems, host, {
    title: `❌ ${what}: ${rest}`,
    nothing,
    outputs,
    place,
    showSummary: inputs.showSummary,
  })
}

/**
 * Reports a run of either action that stopped before anything was sent or compared: an error for each input, at most ten,
 * and a summary. `nothing` is a clause that says what was not done. Never rejects.
 */
export async function reportStop(
  problems: readonly Problem[],
  host: Host,
  run: {
    readonly title: string
    readonly nothing: string
    readonly outputs: Outputs
    /** Null where nothing is ever charged. */
    readonly place: Place | null
    readonly showSummary: boolean
  },
): Promise<1> {
  const { title, nothing, outputs, place, showSummary } = run
  const { runner, secrets, halt, environment } = host
  const outputsError = deliverOutputs(outputs, runner)
  const { reportTo, docsUrl } = environment
  const ending = { halt, unsaved: [], outputsError, cost: nothing, reportTo }
  const ofRun = judge.findRunFailures(ending)
  const ofInputs = judge.findProblems(problems, nothing)
  const findings = [...ofInputs, ...ofRun].map(finding => cleanFinding(finding, host))
  const again = judge.tellAgain(findings, place)
  for (const line of formatSteps(findings, again, docsUrl)) runner.info(line)
  if (showSummary) {
    const about = { template: null, docsUrl }
    await deliverSummary(formatPage(title, formatTodo(findings, again, about)), runner)
  }
  const errors = Array.from(
    Map.groupBy(problems, ({ input }) => input),
    ([input, group]) => {
      const text = secrets.redactLine(group.map(({ message }) => message).join('; '))
      return { input, text: `${toSentence(text)} ${toSentence(nothing)}` }
    },
  )
  for (const finding of ofRun) {
    const text = [finding.happened.join(': '), nothing, finding.next].map(toSentence).join(' ')
    errors.push({ input: null, text: secrets.redactLine(text) })
  }
  const shown = errors.length > maxErrors ? errors.slice(0, maxErrors - 1) : errors
  const left = errors.slice(shown.length).map(({ input }) => `"${input ?? ''}"`)
  if (left.length > 0)
    shown.push({ input: null, text: `Also wrong: ${left.join(', ')}. ${toSentence(nothing)}` })
  const last = again === null ? '' : ` ${again.text}`
  for (const { text } of shown) runner.error(`${text}${shown.length === 1 ? last : ''}`)
  return 1
}

/** Decides the output `verdict` by the artifacts alone: saving and keeping do not change it. */
function decideVerdict(artifacts: readonly Artifact[], isDryRun: boolean): Told['verdict'] {
  if (isDryRun) return 'dry-run'
  if (artifacts.length === 0) return 'nothing-found'
  if (!artifacts.some(isFailed)) return 'registered'
  return artifacts.some(isRegistered) ? 'partial' : 'failed'
}

function cleanTemplate({ host, inputs: { verificationUrl } }: Job): string | null {
  return verificationUrl && host.secrets.redactLine(verificationUrl)
}

function cleanFinding(finding: judge.Finding, { secrets }: Host): judge.Finding {
  const clean = (text: string): string => secrets.redactLine(text)
  const { short, next, happened } = finding
  return { ...finding, short: clean(short), next: clean(next), happened: happened.map(clean) }
}

/** Replaces secrets, and line breaks in what is shown on one line. */
function cleanAll(artifacts: readonly Artifact[], { secrets }: Host): readonly Artifact[] {
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
