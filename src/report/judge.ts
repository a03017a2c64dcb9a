/**
 * Decides what a run says at its end: outcomes and how it ended become one report. The words are in `words.ts`, what went wrong
 * in `findings.ts`, rows in `table.ts`, running again in `run-again.ts`; all pure. The rest only formats the report.
 */
import { untried } from '../failure.ts'
import { countCharges, failed, isFailed, isNew, isPlanned } from '../outcome.ts'
import { isRegistered, type Artifact, type FailedArtifact, type Verdict } from '../outcome.ts'
import { linkTo } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { cut } from '../text/escape.ts'
import { pluralize, toSentences } from '../text/phrases.ts'
import { explain, explainRun, formatStep, leadIn, summarize } from './findings.ts'
import { toSteps, type Finding } from './findings.ts'
import type { Report, Step } from './report.ts'
import { describeOnlyInLog, pointToRecords, tellAgain, tellToSave } from './run-again.ts'
import type { CompletedRun, Job, RunEnd, StoppedRun } from './run-end.ts'
import { judgeStop } from './stop.ts'
import { lookUpUrl, makeTable } from './table.ts'
import { findWords, stateOf, states, words, type State } from './words.ts'

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
  const { artifacts, verdict } = end
  const { inputs, host } = job
  const ranked = rankArtifacts(artifacts)
  const ofArtifacts = ranked.filter(isFailed).map(artifact => explainFailure(artifact, job))
  const wrong = [...ofArtifacts, ...explainRun(end.outputsError, end.unsaved, job)]
  const hasFailed = wrong.length > 0
  const again = hasFailed && !inputs.dryRun ? [tellAgain(end, wrong, host)] : []
  const steps = [...toSteps(wrong), ...tellRest(end, hasFailed, job), ...again]
  const cost = describeCost(end, job)
  const trouble = { wrong, steps, onlyInLog: describeOnlyInLog(end), cost }
  const byState = Map.groupBy(ranked, ({ outcome }) => stateOf(outcome))
  const counts = Array.from(byState, ([{ label }, { length }]) => `${length} ${label}`)
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

/** Sorts by rank; artifacts of one state keep their order. */
function rankArtifacts(artifacts: readonly Artifact[]): readonly Artifact[] {
  const order: readonly State[] = Object.values(states)
  const rankOf = ({ outcome }: Artifact): number => order.indexOf(stateOf(outcome))
  return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Explains the failure of an artifact, and says what it cost. */
function explainFailure(artifact: FailedArtifact, job: Job) {
  const { name, outcome } = artifact
  const { failure } = outcome
  const finding = explain(findWords(failure, job.inputs), failure.observed, job)
  const links = [{ name, url: lookUpUrl(artifact, job) }]
  return { ...finding, result: { text: costOf(artifact, job), links } }
}

/** An earlier attempt may have been charged for an artifact, too. */
function costOf({ outcome }: FailedArtifact, { inputs, host }: Job): string {
  const state = stateOf(outcome)
  if (inputs.dryRun) return 'not hashed'
  const isInDoubt = outcome.failure.registered === 'unknown'
  if (state === states.heldByService && isInDoubt)
    return 'may have been charged, for an earlier call'
  const isLater = host.environment.attempt > 1
  return isLater && state === states.failed ? `${state.cost} in this attempt` : state.cost
}

/** Returns what a run leaves to do although it may pass: records that are only in the log, and the bill. */
function tellRest(end: CompletedRun, hasFailed: boolean, job: Job): readonly Step[] {
  const steps: Step[] = []
  if (end.place.kind === 'log' && !hasFailed) steps.push(tellToSave(end, job.host))
  const twice = end.artifacts.filter(({ outcome }) => stateOf(outcome) === states.chargedAgain)
  if (twice.length > 0) {
    const links = twice.map(artifact => ({ name: artifact.name, url: lookUpUrl(artifact, job) }))
    const happened = [
      'An earlier call ended without a record, or several runs registered the same file.',
    ]
    const results = [{ text: states.chargedAgain.label, links }]
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
  return warnings
}

/** Says what this attempt was charged for, for certain and at most; `end` is null if nothing was sent. */
function describeCost(end: CompletedRun | null, { inputs, host }: Job): string {
  const artifacts = end?.artifacts ?? []
  const least = countCharges(artifacts.filter(isNew))
  const doubts = end?.doubtCount ?? 0
  // A run includes its earlier attempts, which may have been charged, too.
  const when = host.environment.attempt > 1 ? 'attempt' : 'run'
  const by = `Charged by ${inputs.baseUrl} in this ${when}`
  if (least + doubts === 0) return `${by}: nothing`
  if (doubts === 0) return `${by}: ${pluralize(least, 'registration')}`
  const calls = pluralize(doubts, 'call')
  return `${by}: ${least} to ${least + doubts} registrations (${calls} may have been charged without returning a record)`
}

const titles: Readonly<Record<Verdict, readonly [sign: string, title: string]>> = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
}

/** What went wrong in a run, and where its records are. */
interface Trouble {
  /** The most serious first. */
  readonly wrong: readonly Finding[]
  readonly steps: readonly Step[]
  /** Such as `2 records are only in the log`; empty if none are. */
  readonly onlyInLog: string
  /** What it cost: a clause. */
  readonly cost: string
}

/** Returns the first line. It begins with a cross exactly if the run fails. */
function describeVerdict(
  ranked: readonly Artifact[],
  verdict: Verdict,
  { wrong, steps, onlyInLog }: Trouble,
): string {
  const all = pluralize(ranked.length, 'artifact')
  const registered = ranked.filter(isRegistered).length
  let [sign, title] = titles[verdict]
  if (steps.length > 0) sign = '⚠️'
  if (wrong.length > 0) sign = '❌'
  let fact = `${registered} of ${all} registered`
  const isCertain = ranked.some(({ outcome }) => stateOf(outcome) === states.failed)
  if (verdict === 'failed' && !isCertain) {
    title = 'NOT CONFIRMED'
    fact = `${registered} of ${all} known to be registered`
  }
  if (verdict === 'dry-run') {
    fact = `${ranked.filter(isPlanned).length} of ${all} would be registered`
  }
  if (ranked.length === 0) fact = `${all} found`
  const facts = [fact]
  const causes = [...new Set(wrong.map(({ cause }) => cause))]
  if (verdict === 'registered' && causes.length > 0) {
    title += `, but ${causes.slice(0, 2).join(', and ')}`
  } else if (!ranked.some(isFailed)) facts.push(...causes)
  if (onlyInLog !== '') facts.push(onlyInLog)
  return `${sign} ${title}: ${facts.join(', ')}`
}

const maxCauseLength = 150

/** Returns the annotation of a run that failed: how many failed and why, what it cost, where records are, and the first step. */
function describeFailedRun(
  artifacts: readonly Artifact[],
  verdict: Verdict,
  { wrong, steps, onlyInLog, cost }: Trouble,
): string {
  const all = pluralize(artifacts.length, 'artifact')
  const failedCount = artifacts.filter(isFailed).length
  const first = wrong.find(({ observed }) => !observed.startsWith(untried)) ?? wrong[0]
  let cause = cut(first === undefined ? '' : summarize(first.cause, first.observed), maxCauseLength)
  const others = new Set(wrong.map(found => found.cause))
  others.delete(first?.cause ?? '')
  // A signal and a record that was not saved are always named.
  for (const { cause: ofRun } of [words['not-saved'], words.canceled]) {
    if (others.delete(ofRun)) cause += `, and ${ofRun}`
  }
  if (others.size > 0) cause += `, and ${pluralize(others.size, 'other cause')}`
  let fact = `${artifacts.filter(isRegistered).length} of ${all} registered, but ${cause}`
  if (failedCount > 0) fact = `${failedCount} of ${all} failed: ${cause}`
  else if (artifacts.length === 0) fact = `no artifacts were found, and ${cause}`
  else if (verdict === 'dry-run') fact = `nothing was sent, and ${cause}`
  const step = `step 1 of ${steps.length}: ${steps[0]?.next ?? ''}`
  return toSentences([fact, cost, onlyInLog, step])
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
