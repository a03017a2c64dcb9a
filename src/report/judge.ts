/**
 * Decides what a run says at its end: how it ended becomes one report. The words are in `words.ts`, what to do in `steps.ts`,
 * running again in `run-again.ts`; all pure. The rest only formats the report.
 */
import { isConflict, isFailed, isInDoubt, isRegistered, isServiceDown } from '../outcome.ts'
import { isUntried, mayBeRegistered, onePerHash } from '../outcome.ts'
import type { Artifact, RegisteredArtifact } from '../outcome.ts'
import { describeFields } from '../records/record.ts'
import type { Note } from '../runtime/runner.ts'
import { quote } from '../text/escape.ts'
import { capitalize, formatTime, pluralize, toSentence, toSentences } from '../text/phrases.ts'
import { makeFact } from './report.ts'
import type { Fact, Job, Report, Row, RunEnd, Step } from './report.ts'
import { decideWay, describeAgain, describeNext, describeReal, formatRange } from './run-again.ts'
import * as steps from './steps.ts'

export function judge(end: RunEnd, job: Job): Report {
  const { artifacts, problems, verdict } = end
  const { host } = job
  const failed = verdict === 'stopped' ? [] : artifacts.filter(isFailed)
  const isLost = end.records.onlyInLog > 0 || failed.some(isUntried)
  const toFix = [
    ...problems.map(problem => steps.explainProblem(problem, host)),
    ...steps.explainRun(end.outputsError, host, isLost),
    ...steps.explainFailures(failed, job),
  ]
  const isGood = toFix.length + failed.length === 0 && verdict !== 'stopped'
  const [title, fact] = describeVerdict(end, job, isGood)
  const { toDo, next, errors } = isGood ? comeToEnd(end, job) : findSteps(end, job, { toFix, fact })
  const twice = artifacts.filter(isRegistered).filter(({ outcome }) => outcome.otherCharge !== null)
  const rows = verdict === 'stopped' ? [] : artifacts.map(artifact => makeRow(artifact, job))
  return {
    exitCode: isGood ? 0 : 1,
    title: `${title}: ${fact}`,
    facts: [describeCost(end, job, onePerHash(twice).length), next],
    steps: toDo,
    warnings: [...host.runner.warnings, ...warnOfSecondCharges(twice)],
    pointers: pointToRecords(end, job),
    rows: rows.sort((a, b) => a.rank - b.rank),
    hasPage: end.hasPage,
    errors,
  }
}

/** What to do after a good run: only what would be lost. */
function comeToEnd(end: RunEnd, job: Job) {
  const { onlyInLog } = end.records
  const again = describeAgain(end)
  let text = 'not needed.'
  if (job.inputs.dryRun) {
    text = describeReal(end, job).next
  } else if (again !== '') {
    const isKept = end.workflowArtifacts.length > 0
    const which = isKept ? 'Re-running all jobs' : 'Any re-run of this job'
    text = `not needed. ${which} would charge you ${again}.`
    if (isKept && onlyInLog > 0)
      text +=
        ' Any re-run of this job would charge you again for those with records only in the log.'
  }
  // Where all is registered, no line in the log of an earlier attempt is needed.
  const isNeeded = job.inputs.dryRun || onlyInLog > 0
  const toDo = isNeeded ? steps.saveLines(end) : []
  return { toDo, next: makeFact('Next run', '', text), errors: [] }
}

/** What to do after a run that failed: save what would be lost, look up, put right, and run again. */
function findSteps(
  end: RunEnd,
  job: Job,
  { toFix, fact }: { readonly toFix: readonly steps.Finding[]; readonly fact: string },
) {
  const { artifacts } = end
  const failed = artifacts.filter(isFailed)
  const needsWorkflow = toFix.some(({ needs }) => needs === 'workflow')
  const way = decideWay(end, job, needsWorkflow)
  const { run, warning } = way
  const untried = failed.filter(isUntried).length
  const others =
    untried === 0 ? '' : `${pluralize(untried, 'file was', 'files were')} then not sent.`
  const saving = steps.saveLines(end)
  const lookUps = steps.lookUp(artifacts, { job, run, isDown: isServiceDown(artifacts) })
  const causes = [...lookUps, ...steps.toSteps(toFix, lookUps.length)]
  // What ended the run, or else the first thing that went wrong.
  const { reason } = job.host.halt
  const ending = reason && toSentence(steps.explainFailure(reason, job).next)
  let main =
    causes.find(step => step.next === ending) ?? causes.find(step => step.brief !== undefined)
  // Before the first record, a single doubt ends the run. Its step is the first.
  const isOwnDoubt = failed.some(({ outcome }) => outcome.failure.mayHaveActed)
  if (isOwnDoubt && isServiceDown(artifacts)) [main] = causes
  const told = causes.map(step => {
    if (step !== main || others === '') return step
    const [cause = '', ...more] = step.happened
    return { ...step, happened: [cause, others, ...more] }
  })
  const [first = way.step, ...rest] = [...saving, ...told]
  const opening = { ...first, warning }
  const toDo = [opening, ...rest, way.step]
  const lookUpStep = artifacts.some(isInDoubt) ? saving.length + 1 : null
  const dry = 'no charges while "dry-run" is true.'
  const text = job.inputs.dryRun ? dry : describeNext(end, way.given, lookUpStep)
  const errors = describeErrors(end, job, { fact, opening, others, brief: main?.brief ?? '' })
  return { toDo, next: makeFact('Next run', warning, text), errors }
}

/** Says what this step was charged for, for certain and at most, and by whom. */
function describeCost(end: RunEnd, { host: { environment }, inputs }: Job, twice: number): Fact {
  const { charges, runCharges, verdict } = end
  const { host } = new URL(inputs.baseUrl)
  const { least, most } = charges
  let text = 'none.'
  if (most > 0) {
    const files = pluralize(most - least, 'file was', 'files were')
    const why = most === least ? '' : ` (${files} sent, but no usable record came back)`
    text = `${formatRange(least, most, 'registration')} charged by ${host}${why}.`
  } else if (verdict === 'stopped' && environment.attempt > 1)
    text = 'none. This attempt sent nothing.'
  else if (verdict === 'stopped' || inputs.dryRun) text = 'none. Nothing was sent.'
  else if (end.artifacts.some(isFailed)) text = `none. ${host} registered nothing in this step.`
  if (runCharges.most > most) {
    const all = formatRange(runCharges.least, runCharges.most, 'registration')
    text += ` The whole run, as far as known: ${all}.`
  }
  const files = pluralize(twice, 'file')
  const warning = twice === 0 ? '' : `⚠️ ${files} may have been charged twice.`
  return makeFact('Cost', warning, text)
}

/** Returns the two parts of the first line. It begins with a cross exactly if the run fails. */
function describeVerdict(
  end: RunEnd,
  job: Job,
  isGood: boolean,
): readonly [verdict: string, fact: string] {
  const { host, inputs } = job
  const { artifacts, verdict } = end
  const { isCanceled, bug } = host.halt
  if (verdict === 'stopped') {
    const how = isCanceled ? 'canceled' : 'stopped'
    if (inputs.dryRun) return [`❌ DRY RUN ${how}`, 'nothing is notarized']
    if (host.environment.attempt > 1)
      return [`❌ ${how.toUpperCase()}`, 'this attempt sent nothing']
    return ['❌ NOT NOTARIZED', `${how} before anything was sent`]
  }
  const all = pluralize(artifacts.length, 'file')
  const failed = artifacts.filter(isFailed)
  if (verdict === 'dry-run') {
    const unread = failed.length === 0 ? '' : `, ${failed.length} of ${all} not read`
    const fact = `nothing is notarized${unread} (${describeReal(end, job).real})`
    return [`${isGood ? '🔎' : '❌'} DRY RUN`, fact]
  }
  if (verdict === 'nothing-found')
    return [`${isGood ? '⚠️' : '❌'} NOTHING NOTARIZED`, 'no files found']
  const registered = artifacts.length - failed.length
  const { onlyInLog } = end.records
  const what = onlyInLog === registered ? 'records' : pluralize(onlyInLog, 'record')
  const fact = `${registered} of ${all} registered${onlyInLog > 0 ? ` (${what} only in log)` : ''}`
  if (failed.length > 0 && failed.every(isConflict)) {
    const count = failed.length === 1 ? 'the file' : `all ${failed.length} files`
    let told = `the service says that it has ${count}, but sent no record`
    if (registered > 0) told = `${fact}, the service says it has ${failed.length} more`
    return ['❌ NOT CONFIRMED', told]
  }
  if (verdict === 'registered') {
    if (isGood) return ['✅ NOTARIZED', fact]
    const isUnsaved = host.halt.reason?.reason === 'not-saved' && onlyInLog > 0
    let but = isUnsaved ? 'not saved' : 'the outputs are missing'
    if (bug !== null) but = 'this action has a bug'
    if (isCanceled) but = 'canceled'
    return [`❌ NOTARIZED, but ${but}`, fact]
  }
  const maybe = failed.filter(({ outcome }) => mayBeRegistered(outcome)).length
  const not = failed.length - maybe
  const facts = [fact]
  if (maybe > 0) facts.push(`${maybe} may be`)
  if (not > 0 && maybe + registered > 0) facts.push(`${not} ${not === 1 ? 'is' : 'are'} not`)
  return [`❌ ${verdict === 'partial' ? 'PARTLY' : 'NOT'} NOTARIZED`, facts.join(', ')]
}

/** Returns the annotations: one for each wrong input, at most ten, or one for a run that failed. */
function describeErrors(
  { problems, charges }: RunEnd,
  { host, inputs }: Job,
  told: Readonly<{ fact: string; opening: Step; others: string; brief: string }>,
): readonly string[] {
  const { fact, opening, others, brief } = told
  const { warning = '', next, files = [], brief: cause } = opening
  const page = inputs.showSummary ? 'job summary' : 'log'
  const links = files.length === 1 ? 'link' : 'links'
  const where = files.some(({ url }) => url !== null) ? ` (${links} in the ${page})` : ''
  const first = `First ${next.charAt(0).toLowerCase()}${next.slice(1, -1)}${where}.`
  if (problems.length > 0) {
    const [problem = '', ...rest] = steps.describeProblems(problems, host)
    const what = host.environment.attempt > 1 ? 'This attempt sent nothing' : 'Nothing was sent'
    // A step without a cause saves what would be lost.
    return [toSentences([what, warning, cause === undefined ? first : '', problem]), ...rest]
  }
  let why = host.halt.isCanceled ? 'the run was canceled' : brief
  if (why.length > steps.maxCauseLength) why = `the ${page} says why`
  const { least, most } = charges
  const cost = `charged: ${most === 0 ? 'nothing' : formatRange(least, most, 'registration')}`
  return [toSentences([`${capitalize(fact)}: ${why}`, others, cost, warning, first])]
}

/** Names the files that may have been charged twice, by their one cause. */
function warnOfSecondCharges(twice: readonly RegisteredArtifact[]): readonly Note[] {
  const byCause = Map.groupBy(twice, ({ outcome: { otherCharge } }) => {
    const time = formatTime(Date.parse(otherCharge?.at ?? ''))
    if (otherCharge?.isDoubt === true) return `a call at ${time} UTC got no usable record`
    return `there is also a record of ${time} UTC`
  })
  return Array.from(byCause, ([cause, same]) => {
    const text = `${steps.nameFirst(same)} may have been charged twice: ${cause}. Compare with the bill from the service.`
    return { text }
  })
}

/** Links the records; nothing if there are none. */
function pointToRecords(end: RunEnd, { inputs }: Job): readonly Note[] {
  const { records, workflowArtifacts, hasPage, release } = end
  const { kind, onlyInLog } = records
  const notes: Note[] = []
  if (kind === 'file') {
    const why = inputs.keepRecords ? '' : ' ("keep-records" is false)'
    const file = `"${quote(inputs.recordsPath)}" on the runner${why}`
    const text = `Records: only in ${file}, lost unless your workflow saves it.`
    notes.push({ text, docs: 'records.md#where-it-is-kept' })
  }
  const inLog = `Records: only in the log of this step (${onlyInLog}).`
  if (onlyInLog > 0) notes.push({ text: inLog })
  if ((kind === 'release' || records.isReleased) && release !== null) {
    notes.push({ text: 'Records: release', link: { name: release.tag, url: release.url } })
  }
  const text = `${hasPage ? 'Records and evidence page' : 'Records'}: workflow artifact`
  for (const link of workflowArtifacts.toReversed()) notes.push({ text, link })
  return notes
}

function makeRow(artifact: Artifact, job: Job): Row {
  const { outcome } = artifact
  const row = { artifact, url: null, note: '', cells: [] }
  const lookUp = () => steps.nameFile(artifact, job).url
  if (outcome.state === 'planned') {
    if (outcome.lastDoubtAt === null) return { ...row, state: '🔎 would be registered', rank: 3 }
    return { ...row, state: '⚠️ would be sent again', url: lookUp(), rank: 2 }
  }
  if (outcome.state === 'registered') {
    const { time, blockchain, transaction } = describeFields(outcome.record)
    const cells = [time, blockchain, transaction]
    const state = outcome.isConfirmed ? '✅ confirmed by a person' : '✅ registered'
    if (outcome.otherCharge === null) return { ...row, state, cells, rank: 3 }
    return { ...row, state: `${state}, ⚠️ charged twice?`, cells, rank: 2 }
  }
  const cause = steps.describeInRow({ ...artifact, outcome }, job)
  if (mayBeRegistered(outcome)) {
    return { ...row, state: `❓ may be registered: ${cause}`, url: lookUp(), rank: 0 }
  }
  // A file that was not read has an error of its own.
  const note = artifact.hash === null ? outcome.failure.observed : ''
  return { ...row, state: `❌ not registered: ${cause}`, note, rank: 1 }
}
