/**
 * Decides what a run says at its end: how it ended becomes one report. The words are in `words.ts`, what to do in `steps.ts`,
 * running again in `run-again.ts`; all pure. The rest only formats the report.
 */
import { isFailed, isPlanned, isRegistered, mayBeRegistered, countCharges } from '../outcome.ts'
import type { Artifact, FailedArtifact, RegisteredArtifact } from '../outcome.ts'
import { logGroup } from '../keep/keep.ts'
import { describeFields } from '../records/record.ts'
import type { Note } from '../runtime/runner.ts'
import { quote } from '../text/escape.ts'
import { evidenceName } from '../text/names.ts'
import { capitalize, formatTime, joinFirst, pluralize, toSentence } from '../text/phrases.ts'
import {
  maxNames,
  type Fact,
  type Job,
  type Report,
  type Row,
  type RunEnd,
  type Step,
  type Table,
} from './report.ts'
import {
  decideWay,
  describeAgain,
  describeNext,
  formatRange,
  isConflict,
  isInDoubt,
} from './run-again.ts'
import {
  explainFailure,
  explainFailures,
  explainProblem,
  explainRun,
  formatStep,
  lookUpConflicts,
  lookUpDoubts,
  makeStep,
  nameFile,
  summarize,
  toSteps,
  type Finding,
} from './steps.ts'

const maxErrors = 10
/** For an annotation; a longer one leaves out what was observed. */
const maxErrorLength = 260

/** Judges how a run of the notarizing action ended. */
export function judge(end: RunEnd, job: Job): Report {
  const { artifacts, verdict } = end
  const { host, inputs } = job
  const failed = artifacts.filter(isFailed)
  const ofRun = explainRun(end.outputsError, host, job.recordsPath)
  const toFix = [
    ...end.problems.map(problem => explainProblem(problem, host)),
    ...explainFailures(failed, job),
    ...ofRun,
  ]
  const isGood = toFix.length === 0 && failed.length === 0 && verdict !== 'stopped'
  const steps = isGood || inputs.dryRun ? null : findSteps(end, job, toFix)
  const fixes = inputs.dryRun ? toSteps(toFix) : []
  const cost = describeCost(end, job)
  const title = describeVerdict(end, job, isGood)
  return {
    exitCode: isGood ? 0 : 1,
    title,
    facts: [cost, steps?.next ?? describeGoodNext(end, job)],
    lead: 'What to do, in order',
    steps: steps?.steps ?? (isGood ? rescue(end, job) : fixes),
    warnings: [...host.runner.warnings, ...warnOfSecondCharges(artifacts.filter(isRegistered))],
    pointers: inputs.dryRun ? [] : pointToRecords(end, job),
    table: makeTable(artifacts, job),
    compare: end.hasPage ? compare : null,
    errors: isGood ? [] : describeErrors(end, job, { toFix, steps: steps?.steps ?? fixes, title }),
    failures: failed.map(artifact => ({ artifact, message: describeFailure(artifact, job) })),
  }
}

const compare = {
  text: `Put ${evidenceName} from the workflow artifact beside the downloaded files, and run:`,
  command: `sha256sum --ignore-missing -c ${evidenceName}`,
}

/** Finds what to do after a run that failed: what would be lost, look-ups, what to put right, and how to run again. */
function findSteps(end: RunEnd, job: Job, toFix: readonly Finding[]) {
  const { artifacts } = end
  const inDoubt = artifacts.filter(isInDoubt)
  const isPending = artifacts
    .filter(isFailed)
    .some(({ outcome }) => outcome.failure.reason === 'not-yet-registered')
  const needsWorkflow = toFix.some(({ needs }) => needs === 'workflow')
  const way = decideWay({ end, job, needsWorkflow, isPending })
  const first = rescue(end, job)
  const untried = artifacts
    .filter(isFailed)
    .filter(({ outcome }) => outcome.failure.code === 'not-tried').length
  const about = {
    job,
    run: way.run,
    warning: first.length > 0 ? '' : way.warning,
    // Trust was lost before the first record.
    isDown: untried > 0 && end.charges.least === 0,
    untried: inDoubt.some(isDoubtOfStep) ? untried : 0,
  }
  const doubts = lookUpDoubts(inDoubt, about)
  const conflicts = lookUpConflicts(artifacts.filter(isConflict), {
    ...about,
    warning: doubts.length > 0 ? '' : about.warning,
  })
  let fixes = toSteps(toFix)
  const lead = doubts[0] ?? conflicts[0]
  if (untried > 0 && doubts.length === 0) fixes = noteUntried(fixes, untried)
  if (first.length === 0 && lead === undefined) fixes = openWith(way.warning, fixes)
  const steps = [...first, ...doubts, ...conflicts, ...fixes, way.step]
  const lookUpStep = doubts.length === 0 ? null : first.length + 1
  return { steps, next: describeNext(end, way, lookUpStep) }
}

function isDoubtOfStep({ outcome }: Artifact): boolean {
  return outcome.state === 'failed' && outcome.failure.mayHaveActed
}

function noteUntried([first, ...others]: readonly Step[], untried: number): readonly Step[] {
  if (first === undefined) return []
  const text = `${pluralize(untried, 'other file was', 'other files were')} then not sent.`
  return [{ ...first, happened: [...first.happened, text] }, ...others]
}

/** Lets the first step begin with a warning. */
function openWith(warning: string, [first, ...others]: readonly Step[]): readonly Step[] {
  if (first === undefined || warning === '') return first === undefined ? [] : [first, ...others]
  return [{ ...first, next: `${capitalize(warning)}. ${first.next}` }, ...others]
}

/** The step that saves records which are only in the log; none without any. */
function rescue({ records, keepError, workflowArtifacts }: RunEnd, { host }: Job): readonly Step[] {
  const { onlyInLog, isEarlierInLogs } = records
  if (onlyInLog === 0 && !isEarlierInLogs) return []
  const { runUrl } = host.environment.source
  const link = runUrl === null ? null : { name: 'log of this run', url: runUrl }
  const lines = onlyInLog === 1 ? 'the record line' : `the ${onlyInLog} record lines`
  let next = `${lines} from the log of this step`
  if (isEarlierInLogs)
    next =
      onlyInLog === 0
        ? 'the record lines, if there are any, from the logs of earlier attempts'
        : `${next}, and those in the logs of earlier attempts`
  const happened: string[] = []
  if (keepError !== null)
    happened.push(toSentence(`the workflow artifact could not be uploaded: ${keepError}`))
  if (onlyInLog > 0)
    happened.push(`The lines are in the group "${logGroup}", or where they could not be written.`)
  if (workflowArtifacts.length > 0)
    happened.push('The other records are in the workflow artifact below.')
  return [
    makeStep(`do not re-run. Save ${next}`, {
      happened,
      link,
      docs: 'records.md#save-lines-from-the-log',
    }),
  ]
}

/** Says what this step was charged for, for certain and at most, and by whom. */
function describeCost({ verdict, charges, runCharges, artifacts }: RunEnd, { inputs }: Job): Fact {
  const { host } = new URL(inputs.baseUrl)
  const { least, most } = charges
  const sentences: Fact['sentences'][number][] = []
  let text = 'none.'
  if (most > 0) {
    const doubts = most - least
    const files = pluralize(doubts, 'file was', 'files were')
    const why = doubts === 0 ? '' : ` (${files} sent, but no record came back)`
    text = `${host} charged you for ${formatRange(least, most, 'registration')}${why}.`
  } else if (verdict === 'stopped' || inputs.dryRun) text = 'none. Nothing was sent.'
  else if (artifacts.some(isFailed)) text = `none. ${host} registered nothing in this step.`
  sentences.push({ text, isBold: false })
  if (runCharges.most > most) {
    const all = formatRange(runCharges.least, runCharges.most, 'registration')
    sentences.push({ text: `This run so far, as far as known: ${all}.`, isBold: false })
  }
  const twice = artifacts.filter(isRegistered).filter(({ outcome }) => outcome.otherCharge !== null)
  if (twice.length > 0) {
    const files = pluralize(countCharges(twice), 'file')
    sentences.push({ text: `⚠️ ${files} may have been charged twice.`, isBold: true })
  }
  return { label: 'Cost', sentences }
}

/** Says what comes after a good run. */
function describeGoodNext(end: RunEnd, { inputs }: Job): Fact {
  const label = 'Next run'
  const plain = (text: string): Fact => ({ label, sentences: [{ text, isBold: false }] })
  if (inputs.dryRun) {
    const step = makeStep('')
    const next = describeNext(end, { run: 'new run', warning: '', given: '', step }, null)
    const text = 'To notarize, set "dry-run" to false and start a new run.'
    return { label, sentences: [...next.sentences, { text, isBold: false }] }
  }
  const again = describeAgain(end)
  const { kind } = end.records
  if (again === '' || kind === 'release' || kind === 'none') return plain('not needed.')
  const which = kind === 'workflow-artifact' ? 'Re-running all jobs' : 'Any re-run of this job'
  return plain(`not needed. ${which} would charge you ${again}.`)
}

/** Returns the first line. It begins with a cross exactly if the run fails. */
function describeVerdict(end: RunEnd, { host, inputs }: Job, isGood: boolean): string {
  const { artifacts, verdict, records } = end
  const { isCanceled, bug } = host.halt
  if (verdict === 'stopped') {
    const how = isCanceled ? 'canceled' : 'stopped'
    if (inputs.dryRun) return `❌ DRY RUN ${how}: nothing is notarized`
    if (host.environment.attempt > 1) return `❌ ${how.toUpperCase()}: this attempt sent nothing`
    return `❌ NOT NOTARIZED: ${how} before anything was sent`
  }
  const all = pluralize(artifacts.length, 'file')
  const failed = artifacts.filter(isFailed)
  const maybe = failed.filter(({ outcome }) => mayBeRegistered(outcome)).length
  const not = failed.length - maybe
  if (verdict === 'dry-run') {
    const charges = countCharges(artifacts.filter(isPlanned))
    const unread = failed.length === 0 ? '' : `, ${failed.length} of ${all} could not be read`
    const sign = isGood ? '🔎' : '❌'
    return `${sign} DRY RUN: nothing is notarized${unread} (a real run: ${pluralize(charges, 'charge')})`
  }
  if (verdict === 'nothing-found')
    return `${isGood ? '⚠️' : '❌'} NOTHING NOTARIZED: no files found`
  const registered = artifacts.length - failed.length
  const log = records.onlyInLog
  const inLog =
    log === 0
      ? ''
      : ` (${log === registered ? 'records' : pluralize(log, 'record')} only in the log)`
  const facts = [`${registered} of ${all} registered${inLog}`]
  if (failed.length > 0 && failed.every(isConflict)) {
    if (registered === 0)
      return `❌ NOT CONFIRMED: the service says that it has ${artifacts.length === 1 ? 'the file' : `all ${all}`}, but sent no record`
    return `❌ NOT CONFIRMED: ${facts.join()}, the service has ${maybe} more without a record`
  }
  if (maybe > 0) facts.push(`${maybe} may be`)
  if (not > 0 && (maybe > 0 || registered > 0)) facts.push(`${not} ${not === 1 ? 'is' : 'are'} not`)
  if (verdict !== 'registered') {
    const title = verdict === 'partial' ? 'PARTLY NOTARIZED' : 'NOT NOTARIZED'
    return `❌ ${title}: ${facts.join(', ')}`
  }
  if (isGood) return `✅ NOTARIZED: ${facts.join()}`
  let but = 'a line could not be written'
  if (end.outputsError !== null) but = 'the outputs could not be written'
  if (bug !== null) but = 'this action has a bug'
  if (isCanceled) but = 'the run was canceled'
  return `❌ NOTARIZED, but ${but}: ${facts.join()}`
}

/** Returns the annotations: one for each wrong input, at most ten, or one for a run that failed. */
function describeErrors(
  end: RunEnd,
  job: Job,
  {
    toFix,
    steps,
    title,
  }: {
    readonly toFix: readonly Finding[]
    readonly steps: readonly Step[]
    readonly title: string
  },
): readonly string[] {
  const { problems, charges, artifacts } = end
  if (problems.length > 0) {
    const groups = [...Map.groupBy(problems, ({ input }) => input).values()]
    return groups.slice(0, maxErrors).map((group, index) => {
      const found = group.map(problem => explainProblem(problem, job.host))
      const texts = found.map(({ cause, next, hint = '' }) =>
        [cause, next, hint]
          .filter(text => text !== '')
          .map(toSentence)
          .join(' '),
      )
      return `${index === 0 ? 'Nothing was sent. ' : ''}${texts.join(' ')}`
    })
  }
  const [first] = steps
  const failed = artifacts.filter(isFailed)
  const untried = failed.filter(({ outcome }) => outcome.failure.code === 'not-tried').length
  const cause = findCause(failed, toFix, job)
  const fact = title.replace(/^\S+ [^:]*: /, '')
  const rest: string[] = []
  if (untried > 0) rest.push(`${untried} were then not sent.`)
  rest.push(
    `Charged: ${charges.most === 0 ? 'nothing' : formatRange(charges.least, charges.most, 'registration')}.`,
  )
  if (first !== undefined) rest.push(describeFirst(first))
  const whole = [`${fact}: ${summarize(cause)}.`, ...rest].join(' ')
  if (whole.length <= maxErrorLength) return [capitalize(whole)]
  const short = cause.status === '' ? cause.cause : `${cause.cause} (${cause.status})`
  return [capitalize([`${fact}: ${short}.`, ...rest].join(' '))]
}

/** Says the first step in an annotation. */
function describeFirst({ next, files }: Step): string {
  const [, warning = '', what = next] = /^(Do not re-run(?: yet)?\. )?(.*)$/s.exec(next) ?? []
  const links = files.some(({ url }) => url !== null) ? ' (links in the job summary)' : ''
  return `${warning}First ${what.charAt(0).toLowerCase()}${what.slice(1, -1)}${links}.`
}

/** Finds the likeliest cause of a failed run, without what the service said. A cancel comes first, then what is in doubt. */
function findCause(
  failed: readonly FailedArtifact[],
  toFix: readonly Finding[],
  job: Job,
): Finding {
  const none = {
    cause: 'see the job summary',
    row: '',
    next: '',
    observed: '',
    status: '',
    artifact: null,
  }
  const ofRun = toFix.filter(({ artifact }) => artifact === null)
  const doubt = failed.find(isDoubtOfStep) ?? failed.find(isConflict)
  const seen = failed.find(({ outcome }) => outcome.failure.code !== 'not-tried')
  const ofFile = doubt ?? seen
  const first = job.host.halt.isCanceled ? ofRun[0] : undefined
  if (first !== undefined || ofFile === undefined) return first ?? ofRun[0] ?? none
  const { observed } = ofFile.outcome.failure
  const found = explainFailure(ofFile, job)
  return doubt !== undefined && !isConflict(doubt)
    ? { ...found, cause: observed, observed: '' }
    : { ...found, observed: found.status }
}

/** Says what happened to an artifact, and what to do about it, without how to run again. */
function describeFailure(artifact: FailedArtifact, job: Job): string {
  const { docsUrl } = job.host.environment
  const about = { job, run: 'next run', warning: '', isDown: false, untried: 0 }
  const steps = isInDoubt(artifact) ? lookUpDoubts([artifact], about) : []
  const conflicts = isConflict(artifact) ? lookUpConflicts([artifact], about) : []
  const fixes = toSteps(explainFailures([artifact], job))
  const all = [...steps, ...conflicts, ...fixes].map(step =>
    formatStep({ ...step, answers: [] }, docsUrl),
  )
  if (artifact.outcome.failure.code !== 'not-tried') return all.join(' ')
  const { cause, next } = explainFailure(artifact, job)
  return [
    ...all,
    `Not sent, because an earlier failure ended the run: ${cause}.`,
    toSentence(next),
  ].join(' ')
}

/** Names the files that may have been charged twice, by their one cause. */
function warnOfSecondCharges(registered: readonly RegisteredArtifact[]): readonly Note[] {
  const twice = registered.filter(({ outcome }) => outcome.otherCharge !== null)
  const byCause = Map.groupBy(twice, ({ outcome: { otherCharge } }) => {
    const time = `${formatTime(Date.parse(otherCharge?.at ?? ''))} UTC`
    return otherCharge?.isDoubt === true
      ? `another call, on ${time}, got no record`
      : `it was also registered on ${time}`
  })
  return Array.from(byCause, ([cause, same]) => {
    const names = joinFirst(
      same.map(({ name }) => `"${quote(name)}"`),
      maxNames,
      { separator: ', ' },
    )
    return {
      text: `${names} may have been charged twice: ${cause}. Compare with the bill from the service.`,
      docs: null,
      link: null,
    }
  })
}

/** Links the records; nothing if there are none. */
function pointToRecords(end: RunEnd, { inputs }: Job): readonly Note[] {
  const { records, workflowArtifacts, hasPage, release } = end
  const { kind, onlyInLog } = records
  const notes: Note[] = []
  if (kind === 'file')
    notes.push({
      text: `Records: only in "${quote(inputs.recordsPath)}" on the runner ("keep-records" is false), lost unless your workflow saves it.`,
      docs: 'records.md#where-it-is-kept',
      link: null,
    })
  if (onlyInLog > 0)
    notes.push({
      text: `Records: ${onlyInLog} only in the log of this step.`,
      docs: null,
      link: null,
    })
  if (kind === 'release' && release !== null) {
    notes.push({
      text: 'Records: release',
      docs: null,
      link: { name: release.tag, url: release.url },
    })
  }
  for (const { name, url } of workflowArtifacts.toReversed()) {
    const what = hasPage ? 'Records and evidence page' : 'Records'
    notes.push({ text: `${what}: workflow artifact`, docs: null, link: { name, url } })
  }
  return notes
}

/** Makes the table: a row for each artifact, the most serious first; artifacts of one state keep their order. */
function makeTable(artifacts: readonly Artifact[], job: Job): Table {
  const rows = artifacts.map(artifact => makeRow(artifact, job))
  const rank = ({ hasFailed, isPlain, url }: Row): number =>
    hasFailed ? (url === null ? 1 : 0) : isPlain ? 3 : 2
  const inFile = artifacts.some(isRegistered)
    ? `, and "${quote(job.recordsPath)}" has their records`
    : ''
  return {
    columns: ['Registered at (UTC)', 'Blockchain', 'Transaction'],
    rows: rows.sort((a, b) => rank(a) - rank(b)),
    elsewhere: `the log of this step has all of them${inFile}`,
  }
}

function makeRow(artifact: Artifact, job: Job): Row {
  const { outcome } = artifact
  const row = { artifact, url: null, note: '', cells: [], hasFailed: false, isPlain: true }
  if (outcome.state === 'planned') {
    if (outcome.lastDoubtAt === null) return { ...row, state: '🔎 would be registered' }
    return {
      ...row,
      state: '⚠️ would be sent again',
      url: nameFile(artifact, job).url,
      isPlain: false,
    }
  }
  if (outcome.state === 'registered') {
    const { time, blockchain, transaction } = describeFields(outcome.record)
    let state = '✅ registered'
    if (outcome.isConfirmed) state = '✅ confirmed by a person'
    if (outcome.otherCharge !== null) state += ', ⚠️ charged twice?'
    const { url } = outcome.otherCharge === null ? row : nameFile(artifact, job)
    return {
      ...row,
      state,
      url,
      cells: [time, blockchain, transaction],
      isPlain: outcome.otherCharge === null,
    }
  }
  return { ...row, ...describeFailedRow(artifact, outcome, job), hasFailed: true, isPlain: false }
}

function describeFailedRow(artifact: Artifact, outcome: FailedArtifact['outcome'], job: Job) {
  const { status, row, observed } = explainFailure({ ...artifact, outcome }, job)
  const { code, mayHaveActed } = outcome.failure
  let why = status === '' ? row : status
  if (outcome.failure.reason === 'timeout')
    why = `no response within ${job.inputs.timeoutSeconds} s`
  if (code === 'not-tried') why = 'not sent after an earlier failure'
  if (!mayBeRegistered(outcome))
    return { state: `❌ not registered: ${why}`, note: artifact.hash === null ? observed : '' }
  if (!mayHaveActed && !isConflict({ ...artifact, outcome })) why = 'sent by an earlier run'
  return { state: `❓ may be registered: ${why}`, url: nameFile(artifact, job).url }
}
