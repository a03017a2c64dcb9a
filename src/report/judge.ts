/** Decides what a run says at its end: outcomes and how it ended become one report. Pure, and the only place that decides. */
import type { Remedy } from '../failure.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { pluralize, toSentences } from '../text/phrases.ts'
import { explainFailure, explainRun, toSteps } from './findings.ts'
import type { Report, Step } from './report.ts'
import { makeTable } from './rows.ts'
import { tellAgain } from './run-again.ts'
import type { CompletedRun, Job, RunEnd, StoppedRun } from './run-end.ts'
import { countStates, decideVerdict, isNew, rankArtifacts, stateOf, states } from './states.ts'
import { judgeStop, type Stopped } from './stop.ts'
import { describeCost, describeFailedRun, describeNext, describeVerdict } from './verdict.ts'
import { countOnlyInLog, describeOnlyInLog, pointToRecords } from './whereabouts.ts'
import { addressOf } from './words.ts'

/** Judges how a run of the notarizing action ended. */
export function judge(end: RunEnd, job: Job): Report {
  const recordsPath = job.host.secrets.redactLine(job.recordsPath)
  const clean = { ...job, recordsPath }
  const artifacts = withoutSecrets(end.artifacts, job.host)
  if (end.kind === 'stopped') return judgeStopped({ ...end, artifacts }, clean)
  return judgeCompleted({ ...end, artifacts }, clean)
}

function judgeCompleted(end: CompletedRun, job: Job): Report {
  const { artifacts } = end
  const { inputs, host } = job
  const ranked = rankArtifacts(artifacts)
  const verdict = decideVerdict(ranked, inputs.dryRun)
  const ofArtifacts = ranked.filter(isFailed).map(artifact => explainFailure(artifact, job))
  const wrong = [...ofArtifacts, ...explainRun(end, job)]
  const hasFailed = wrong.length > 0
  const again = hasFailed && !inputs.dryRun ? [tellAgain(end, needsChange(wrong), host)] : []
  const steps = [...toSteps(wrong, host), ...tellRest(end, hasFailed, host), ...again]
  const cost = describeCost(end, job)
  const trouble = { wrong, steps, onlyInLog: describeOnlyInLog(end) }
  return {
    exitCode: hasFailed ? 1 : 0,
    title: describeVerdict(ranked, verdict, trouble),
    cost,
    counts: describeCounts(ranked),
    lead: `What to do (${addressOf('failures.md', host)})`,
    steps,
    warnings: warningsOf(end, host),
    pointers: inputs.dryRun ? [] : pointToRecords(end, job),
    table: makeTable(ranked, job),
    errors: hasFailed ? [describeFailedRun(artifacts, cost, trouble)] : [],
    failures: artifacts.filter(isFailed).map(artifact => {
      const own = toSteps([explainFailure(artifact, job)], host)
      return { artifact, message: [...own, ...again].map(formatStep).join(' ') }
    }),
  }
}

/** Formats a step on one line. */
export function formatStep(step: Step): string {
  const { hint, happened, results } = step
  return toSentences([describeNext(step), hint, ...happened, ...results.map(({ cost }) => cost)])
}

/** Whether the workflow or the commit has to change before another run can do better. */
function needsChange(wrong: readonly Pick<Remedy, 'needs'>[]): boolean {
  return wrong.some(({ needs }) => needs === 'workflow')
}

/** Replaces secrets: a name or a line may have some that the runner would not recognize once it is escaped. */
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

function describeCounts(ranked: readonly Artifact[]): readonly string[] {
  const counts = countStates(ranked)
  if (counts.size < 2) return []
  return Array.from(counts, ([state, count]) => `${count} ${state.words}`)
}

/** Returns what a run leaves to do although it may pass: records that are only in the log, and the bill. */
function tellRest(end: CompletedRun, hasFailed: boolean, host: Host): readonly Step[] {
  const steps: Step[] = []
  if (end.place.kind === 'log' && !hasFailed) {
    const count = countOnlyInLog(end)
    const [files, charges] = [pluralize(count, 'file'), pluralize(count, 'charge')]
    const hint = `A run without these records registers ${files} again (${charges}).`
    const next = 'save the record lines from the log of this step'
    const docs = addressOf('records.md#save-lines-from-the-log', host)
    steps.push({ next, hint, docs, happened: [], results: [] })
  }
  const twice = end.artifacts.filter(({ outcome }) => stateOf(outcome) === states.chargedAgain)
  if (twice.length > 0) {
    const about = twice.map(({ name }) => ({ name, url: null }))
    const happened = [
      'An earlier call ended without a record, or several runs registered the same file.',
    ]
    const results = [{ cost: states.chargedAgain.words, about }]
    steps.push({ next: 'check the bill of the service', hint: '', docs: null, happened, results })
  }
  return steps
}

/** Returns the warnings that still mean something. */
function warningsOf({ artifacts, isEarlierMissing }: CompletedRun, host: Host): readonly string[] {
  const warnings = [...host.runner.warnings]
  if (isEarlierMissing && artifacts.some(isNew)) {
    const docs = addressOf('records.md#where-it-is-kept', host)
    warnings.push(
      `There are no records of an earlier attempt. If an earlier attempt registered these files, they were charged a second time: ${docs}`,
    )
  }
  if (artifacts.length === 0) {
    const docs = addressOf('reference.md#patterns', host)
    warnings.push(`If you expected artifacts, check the patterns: ${docs}`)
  }
  return warnings
}

/** Judges a run that stopped before anything was sent. */
function judgeStopped(end: StoppedRun, job: Job): Report {
  const { problems, outputsError } = end
  const { inputs, host } = job
  const how = host.halt.isCanceled && problems.length === 0 ? 'canceled' : 'stopped'
  let title = `NOT NOTARIZED: ${how} before anything was sent`
  if (host.environment.attempt > 1) title = `${how.toUpperCase()}: this attempt sent nothing`
  if (inputs.dryRun) title = `DRY RUN ${how}: nothing was sent`
  const stopped: Stopped = {
    problems,
    outputsError,
    title: `❌ ${title}`,
    cost: describeCost(null, job),
    lead: `What to do (${addressOf('failures.md', host)})`,
    again: inputs.dryRun ? null : tellAgain(end, needsChange(problems), host),
    pointers: inputs.dryRun ? [] : pointToRecords(end, job),
  }
  return judgeStop(stopped, host)
}
