/** Decides what a run says at its end: outcomes and how it ended become one report. Pure, and the only place that decides. */
import type { Problem } from '../failure.ts'
import { failed, isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { describeFields } from '../records/record.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { evidenceName } from '../text/names.ts'
import { pluralize, toSentence } from '../text/phrases.ts'
import * as findings from './findings.ts'
import type { Finding } from './findings.ts'
import type { Place, Report, Row, Step } from './report.ts'
import type { CompletedRun, Job, RunEnd, StoppedRun } from './run-end.ts'
import { tellAgain } from './run-again.ts'
import { describeCost, describeError, describeOnlyInLog } from './verdict.ts'
import { describeVerdict, nothingCharged } from './verdict.ts'
import { countHashes, countStates, decideVerdict } from './states.ts'
import { rankArtifacts, stateOf, states, type State } from './states.ts'

/** Judges how a run of the notarizing action ended. */
export function judge(end: RunEnd, job: Job): Report {
  const clean = { ...end, artifacts: withoutSecrets(end.artifacts, job.host) }
  return clean.kind === 'stopped' ? judgeStopped(clean, job) : judgeCompleted(clean, job)
}

function judgeCompleted(end: CompletedRun, { inputs, host }: Job): Report {
  const { place, unsaved, outputsError, isEarlierMissing } = end
  const context = { inputs, host }
  const ranked = rankArtifacts(end.artifacts)
  const verdict = decideVerdict(ranked, inputs.dryRun)
  const ofArtifacts = findings.explainFailures(ranked, context)
  const wrong = [...ofArtifacts, ...findings.explainRun(context, outputsError, unsaved)]
  const isChanged = wrong.some(({ needs }) => needs === 'workflow')
  const hasUnsaved = unsaved.length > 0
  const query = { artifacts: ranked, place, hasUnsaved, isChanged, isEarlierMissing }
  const told = tellAgain({ ...query, isCounted: true })
  const again = wrong.length > 0 && !inputs.dryRun ? told.again : null
  const steps = [...findings.toSteps(wrong), ...tellLeft(end, wrong.length > 0)]
  if (again !== null) steps.push(told.step)
  const cost = inputs.dryRun
    ? nothingCharged(inputs.baseUrl, host)
    : describeCost(end, inputs.baseUrl, host)
  const title = describeVerdict(ranked, verdict, { end, wrong, hasMore: steps.length > 0 })
  const columns = columnsOf(ranked)
  const [first] = wrong
  return {
    exitCode: first === undefined ? 0 : 1,
    title,
    cost,
    counts: describeCounts(ranked),
    steps,
    todo: { lead: 'What to do', docs: 'failures.md' },
    again,
    warnings: warningsOf(end, host),
    places: inputs.dryRun ? [] : describePlaces(end, inputs.recordsPath),
    table: {
      columns,
      rows: ranked.map(artifact => describeRow(artifact, columns.length, context)),
      isFolded: ranked.some(isFailed),
      elsewhere: `see the outputs and ${inputs.recordsPath}`,
    },
    errors: first === undefined ? [] : [describeError(ranked, { end, wrong, first, steps, cost })],
    failures: end.artifacts.filter(isFailed).map(artifact => {
      const own = findings.toSteps([findings.explainFailure([artifact], context)])
      const all = again === null ? own : [...own, told.step]
      return { artifact, message: all.map(formatStep).join(' ') }
    }),
  }
}

/** Formats a step on one line. */
export function formatStep({ next, hint, happened, results }: Step): string {
  const costs = results.map(({ cost }) => cost)
  const texts = [next, hint, ...happened, ...costs].filter(text => text !== '')
  return texts.map(toSentence).join(' ')
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
function tellLeft({ artifacts, place }: CompletedRun, hasFailed: boolean): readonly Step[] {
  const registered = artifacts.filter(isRegistered)
  const steps: Step[] = []
  if (place.kind === 'log' && !hasFailed) {
    const count = countHashes(registered)
    const again = `${pluralize(count, 'file')} (${pluralize(count, 'charge')})`
    const hint = `a later run without them registers ${again} again: docs:records.md#save-lines-from-the-log`
    const next = 'save the record lines from the log of this step'
    steps.push({ next, hint, happened: ['the records are only in the log'], results: [] })
  }
  const twice = registered.filter(({ outcome }) => outcome.maybeChargedAgain)
  if (twice.length > 0) {
    const about = twice.map(({ name }) => ({ name, url: null }))
    const cost = states.chargedAgain.words
    const why = 'an earlier call ended without a record, or several runs registered the same file'
    const results = [{ cost, about }]
    steps.push({ next: 'check the bill of the service', hint: '', happened: [why], results })
  }
  return steps
}

function columnsOf(ranked: readonly Artifact[]): readonly string[] {
  const records = ranked.filter(isRegistered).map(({ outcome }) => describeFields(outcome.record))
  if (records.length === 0) return []
  const columns = ['Registered at (UTC)', 'Blockchain']
  if (records.some(({ transaction }) => transaction !== '')) columns.push('Transaction')
  return columns
}

function describeRow(artifact: Artifact, columns: number, context: findings.Context): Row {
  const { outcome } = artifact
  const { sign, words } = stateOf(outcome)
  const url = findings.lookUpUrl(artifact, context)
  const row = { sign, words, artifact, url, detail: '', cells: [], isPlain: isPlain(artifact) }
  if (!isRegistered(artifact)) {
    const note = findings.describeReason(artifact, context)
    if (outcome.state !== 'failed') return { ...row, note }
    const { code, observed } = outcome.failure
    return { ...row, note, detail: [code, observed].filter(text => text !== '').join('; ') }
  }
  const { record, isConfirmed } = artifact.outcome
  if (isConfirmed) return { ...row, note: 'confirmed by a person after a look-up' }
  const { time, blockchain, transaction } = describeFields(record)
  return { ...row, note: '', cells: [time, blockchain, transaction].slice(0, columns) }
}

const plainStates: ReadonlySet<State> = new Set<State>([
  states.planned,
  states.registered,
  states.registeredBefore,
])

/** Whether nothing is to be said about an artifact. */
function isPlain({ outcome }: Artifact): boolean {
  return plainStates.has(stateOf(outcome))
}

/** Returns the warnings that still mean something. */
function warningsOf(
  { artifacts, isEarlierMissing }: CompletedRun,
  { runner }: Host,
): readonly string[] {
  const warnings = [...runner.warnings]
  const isNew = artifacts.filter(isRegistered).some(({ outcome }) => outcome.from === 'this-run')
  if (isEarlierMissing && isNew) {
    warnings.push(
      'No records of an earlier attempt were found. If an earlier attempt registered these files, they were charged a second time: docs:records.md#where-it-is-kept',
    )
  }
  if (artifacts.length === 0) {
    warnings.push('If you expected artifacts, check the patterns: docs:reference.md#patterns')
  }
  return warnings
}

/** Says where the records are and how to use them; nothing if there are none. */
function describePlaces(end: CompletedRun, recordsPath: string): readonly Place[] {
  const { place, release, unsaved, hasEvidence } = end
  const none = { links: [], command: '' }
  const places: Place[] = []
  if (place.kind === 'release' && release !== null) {
    const links = [{ name: release.tag, url: release.url }]
    places.push({ ...none, label: 'Records', text: 'on the release', links })
  }
  if (place.kind === 'log' || unsaved.length > 0) {
    const [count] = describeOnlyInLog(end)
    const text = `${count ?? 'only in the log'}; to save them: docs:records.md#save-lines-from-the-log`
    places.push({ ...none, label: 'Records', text })
  }
  if (place.kind === 'file') {
    const text = `only in the file "${quote(recordsPath)}"; to keep it: docs:records.md#where-it-is-kept`
    places.push({ ...none, label: 'Records', text })
  }
  places.push(...describeKept(place))
  if (place.kind === 'workflow-artifact' && hasEvidence) {
    const text = `put ${evidenceName} from there beside the downloaded files, and run`
    const command = `sha256sum --ignore-missing -c ${evidenceName}`
    places.push({ label: 'Compare files', text, links: [], command })
  }
  return places
}

/** Links the workflow artifacts with records, the newest first. */
function describeKept({ workflowArtifacts }: CompletedRun['place']): readonly Place[] {
  if (workflowArtifacts.length === 0) return []
  const links = workflowArtifacts.toReversed()
  return [{ label: 'Records', text: 'in the workflow artifact', links, command: '' }]
}

/** Judges a run that stopped before anything was sent. */
function judgeStopped(end: StoppedRun, { inputs, host }: Job): Report {
  const { artifacts, place, problems, outputsError, isEarlierMissing } = end
  const cost = nothingCharged(inputs.baseUrl, host)
  let how = 'stopped'
  if (host.halt.isCanceled && problems.length === 0) how = 'canceled'
  let title = `NOT NOTARIZED: ${how} before anything was sent`
  if (host.environment.attempt > 1) title = `${how.toUpperCase()}: this attempt sent nothing`
  if (inputs.dryRun) title = `DRY RUN ${how}: nothing was sent`
  const tellLast = (wrong: readonly Finding[]) => {
    const isChanged = wrong.some(({ needs }) => needs === 'workflow')
    const isCounted = artifacts.length > 0
    const query = { artifacts, place, hasUnsaved: false, isChanged, isCounted, isEarlierMissing }
    return inputs.dryRun ? null : tellAgain(query)
  }
  const stopped = { title: `❌ ${title}`, cost, docs: 'failures.md', tellLast }
  return judgeStop({ problems, outputsError }, stopped, host)
}

const maxErrors = 10

/** Judges a run of either action that stopped: an error for each input, at most ten. */
export function judgeStop(
  {
    problems,
    outputsError,
  }: { readonly problems: readonly Problem[]; readonly outputsError: string | null },
  {
    title,
    cost,
    docs,
    tellLast,
  }: {
    readonly title: string
    readonly cost: string
    readonly docs: string
    readonly tellLast: (wrong: readonly Finding[]) => ReturnType<typeof tellAgain> | null
  },
  host: Host,
): Report {
  const explained = problems.map(problem => findings.explainProblem(problem, host))
  const ofRun = findings.explainRun({ host }, outputsError)
  const wrong = [...explained, ...ofRun]
  const last = tellLast(wrong)
  const steps = [...findings.toSteps(wrong)]
  if (last !== null) steps.push(last.step)
  const inputs = [...new Set(problems.map(({ input }) => input))]
  const texts = inputs.map(input => {
    const own = explained.filter((_, index) => problems[index]?.input === input)
    return own.map(({ short, next }) => `${toSentence(short)} ${toSentence(next)}`).join(' ')
  })
  texts.push(...ofRun.map(({ short, next }) => `${toSentence(short)} ${toSentence(next)}`))
  if (texts.length > maxErrors) {
    const left = inputs.slice(maxErrors - 1).flatMap(input => input ?? [])
    const names = left.map(input => `"${input}"`).join(', ')
    texts.splice(maxErrors - 1, texts.length, `Also wrong: ${names}.`)
  }
  const errors = texts.map(text => `${text} ${toSentence(cost)}`)
  if (errors.length === 1 && last !== null) errors[0] += ` ${toSentence(last.step.next)}`
  return {
    exitCode: 1,
    title,
    cost,
    counts: [],
    steps,
    todo: { lead: 'What to do', docs },
    again: last?.again ?? null,
    warnings: host.runner.warnings,
    places: [],
    table: { columns: [], rows: [], isFolded: false, elsewhere: '' },
    errors,
    failures: [],
  }
}
