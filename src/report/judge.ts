/**
 * Decides what a run says at its end: outcomes and how it ended become one report. Pure, and the only place that decides. The
 * title and the cost are in `verdict.ts`, causes and next steps in `words.ts`, rows in `findings.ts`, running again in
 * `run-again.ts`.
 */
import type { Problem } from '../failure.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { linkTo } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { joinFirst, pluralize, toSentence, toSentences } from '../text/phrases.ts'
import { describeCause, explainFailure, explainProblem, explainRun } from './findings.ts'
import { makeTable, maxNames, toSteps } from './findings.ts'
import type { Report, Step } from './report.ts'
import { countOnlyInLog, describeOnlyInLog, pointToRecords, tellAgain } from './run-again.ts'
import type { CompletedRun, Job, RunEnd, StoppedRun } from './run-end.ts'
import { decideVerdict, isNew, rankArtifacts, stateOf, states } from './states.ts'
import { describeCost, describeFailedRun, describeVerdict } from './verdict.ts'

/** Judges how a run of the notarizing action ended. */
export function judge(end: RunEnd, job: Job): Report {
  const recordsPath = job.host.secrets.redactLine(job.recordsPath)
  const clean = { ...job, recordsPath }
  const artifacts = end.artifacts.map(artifact => redact(artifact, job.host))
  if (end.kind === 'stopped') return judgeStopped({ ...end, artifacts }, clean)
  return judgeCompleted({ ...end, artifacts }, clean)
}

/** Replaces secrets: a name or a line may have some that the runner would not recognize once it is escaped. */
function redact(artifact: Artifact, { secrets }: Host): Artifact {
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
}

function judgeCompleted(end: CompletedRun, job: Job): Report {
  const { artifacts } = end
  const { inputs, host } = job
  const ranked = rankArtifacts(artifacts)
  const ofArtifacts = ranked.filter(isFailed).map(artifact => explainFailure(artifact, job))
  const wrong = [...ofArtifacts, ...explainRun(end.outputsError, end.unsaved, job)]
  const hasFailed = wrong.length > 0
  const again = hasFailed && !inputs.dryRun ? [tellAgain(end, wrong, host)] : []
  const steps = [...toSteps(wrong), ...tellRest(end, hasFailed, host), ...again]
  const cost = describeCost(end, job)
  const verdict = decideVerdict(ranked, inputs.dryRun)
  const trouble = { wrong, steps, onlyInLog: describeOnlyInLog(end), cost }
  const byState = Map.groupBy(ranked, ({ outcome }) => stateOf(outcome))
  const counts = Array.from(byState, ([{ words }, { length }]) => `${length} ${words}`)
  return {
    exitCode: hasFailed ? 1 : 0,
    title: describeVerdict(ranked, verdict, trouble),
    cost,
    counts: counts.length > 1 ? counts : [],
    lead: leadIn('What to do', 'failures.md', host),
    steps,
    warnings: warningsOf(end, host),
    pointers: inputs.dryRun ? [] : pointToRecords(end, job),
    table: makeTable(ranked, job),
    errors: hasFailed ? [describeFailedRun(artifacts, verdict, trouble)] : [],
    failures: artifacts.filter(isFailed).map(artifact => {
      const finding = explainFailure(artifact, job)
      // The entry itself names the artifact.
      const own = toSteps([{ ...finding, result: { ...finding.result, links: [] } }])
      return { artifact, message: [...own, ...again].map(formatStep).join(' ') }
    }),
  }
}

/** Leads in to the steps, with the page of the docs that has more. */
export function leadIn(lead: string, page: string, { environment }: Host): string {
  return `${lead} (${environment.docsUrl}/${page})`
}

/** Formats a step on one line. */
export function formatStep({ next, hint, happened, results }: Step): string {
  const told = results.map(({ text, links }) => {
    if (links.length === 0) return text
    const names = links.map(({ name }) => `"${quote(name)}"`)
    return `${text}: ${joinFirst(names, maxNames, { separator: ', ' })}`
  })
  return toSentences([next, hint, ...happened, ...told])
}

/** Returns what a run leaves to do although it may pass: records that are only in the log, and the bill. */
function tellRest(end: CompletedRun, hasFailed: boolean, host: Host): readonly Step[] {
  const steps: Step[] = []
  if (end.place.kind === 'log' && !hasFailed) {
    const count = countOnlyInLog(end)
    const [files, charges] = [pluralize(count, 'file'), pluralize(count, 'charge')]
    const hint = `A run without these records registers ${files} again (${charges}).`
    const todo = 'save the record lines from the log of this step'
    const next = linkTo('records.md#save-lines-from-the-log', todo, host)
    steps.push({ next, hint, happened: [], results: [] })
  }
  const twice = end.artifacts.filter(({ outcome }) => stateOf(outcome) === states.chargedAgain)
  if (twice.length > 0) {
    const links = twice.map(({ name }) => ({ name, url: null }))
    const happened = [
      'An earlier call ended without a record, or several runs registered the same file.',
    ]
    const results = [{ text: states.chargedAgain.words, links }]
    steps.push({ next: 'check the bill from the service', hint: '', happened, results })
  }
  return steps
}

/** Returns the warnings that still mean something. */
function warningsOf({ artifacts, isEarlierMissing }: CompletedRun, host: Host): readonly string[] {
  const warnings = [...host.runner.warnings]
  if (isEarlierMissing && artifacts.some(isNew)) {
    const text =
      'There are no records of an earlier attempt. If an earlier attempt registered these files, they were charged a second time'
    warnings.push(linkTo('records.md#where-it-is-kept', text, host))
  }
  if (artifacts.length === 0) {
    const text = 'If you expected artifacts, check the patterns'
    warnings.push(linkTo('reference.md#patterns', text, host))
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
  return judgeStop(
    {
      problems,
      outputsError,
      title: `❌ ${title}`,
      cost: describeCost(null, job),
      lead: leadIn('What to do', 'failures.md', host),
      again: inputs.dryRun ? [] : [tellAgain(end, problems, host)],
      pointers: inputs.dryRun ? [] : pointToRecords(end, job),
    },
    host,
  )
}

/** What is said about a run that stopped. */
export interface Stopped extends Pick<Report, 'title' | 'cost' | 'lead' | 'pointers'> {
  readonly problems: readonly Problem[]
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  /** How to run again; empty if that goes without saying. */
  readonly again: readonly Step[]
}

const maxErrors = 10

/** Judges a run of either action that stopped. Reports one error for each input, at most ten. */
export function judgeStop(stopped: Stopped, host: Host): Report {
  const { problems, outputsError, again, ...said } = stopped
  const ofRun = toSteps(explainRun(outputsError, [], { host, recordsPath: '' }))
  const explain = (found: readonly Problem[]): readonly Step[] =>
    toSteps(found.map(problem => explainProblem(problem, host)))
  const byInput = Map.groupBy(problems, ({ input }) => input)
  const causes = [...Array.from(byInput.values(), explain), ...ofRun.map(step => [step])]
  const cost = toSentence(said.cost)
  const errors = causes.map(group => `${group.map(describeCause).join(' ')} ${cost}`)
  return {
    ...said,
    exitCode: 1,
    counts: [],
    steps: [...explain(problems), ...ofRun, ...again],
    warnings: host.runner.warnings,
    table: { columns: [], rows: [], isFolded: false, elsewhere: '' },
    errors: errors.slice(0, maxErrors),
    failures: [],
  }
}
