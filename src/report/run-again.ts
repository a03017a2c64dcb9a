/** How to run again, and what that is charged: the one table of both. Pure. */
import { isConflict, isFailed, isInDoubt } from '../outcome.ts'
import { isRegistered, onePerHash } from '../outcome.ts'
import { exceedsLimit } from '../plan.ts'
import { quote } from '../text/escape.ts'
import { capitalize, pluralize } from '../text/phrases.ts'
import type { Job, RunEnd, Step } from './report.ts'

/** Writes a range: `no charges`, `1 charge`, `0 or 1 charge`, `4 to 6 charges`. */
export function formatRange(least: number, most: number, noun: string): string {
  if (most === 0) return `no ${noun}s`
  if (least === most) return pluralize(most, noun)
  return `${least} ${most === least + 1 ? 'or' : 'to'} ${pluralize(most, noun)}`
}

/** What a new run is given, by where the records are. */
const givenFrom: Readonly<Record<RunEnd['records']['kind'], string>> = {
  none: '',
  release: '',
  'workflow-artifact': ' with these records',
  log: ' with the saved lines',
  file: ' with the records file',
}

/**
 * Decides how to run again by where the records are, and whether the workflow or the commit has to change. Returns the last
 * step, how the next run is called, what a new one is `given`, and the sentence that opens the steps if a re-run would lose
 * money: both are empty if there is none.
 */
export function decideWay(end: RunEnd, { inputs }: Job, needsWorkflow: boolean) {
  const { artifacts, records, workflowArtifacts } = end
  const { kind, onlyInLog } = records
  const again = describeAgain(end)
  const failed = artifacts.filter(isFailed)
  const inDoubt = artifacts.filter(isInDoubt).length
  const isUnconfirmable = inputs.confirmedHashes === null
  const hasOnlyConflicts = failed.length > 0 && failed.every(isConflict)
  const isLost = kind === 'file' || kind === 'log' || onlyInLog > 0
  const isPending = failed.some(({ outcome }) => outcome.failure.reason === 'not-yet-registered')
  const needsNewRun = isLost || needsWorkflow || (hasOnlyConflicts && isUnconfirmable)
  // A dry run needs no records.
  let given = inputs.dryRun ? '' : givenFrom[kind]
  if (kind !== 'log' && onlyInLog > 0) given += ' and the saved lines'
  else if (kind === 'log' && workflowArtifacts.length > 0) given += ' and the workflow artifact'

  const rerun = `re-run the failed jobs${kind === 'workflow-artifact' ? ', not all jobs' : ''}.`
  const mayConfirm = isUnconfirmable && (inDoubt > 0 || failed.some(isConflict))
  const isGiven = given !== '' && (needsNewRun || mayConfirm)
  let next = capitalize(rerun)
  if (needsNewRun) next = `Start a new run${given}, not a re-run.`
  else if (mayConfirm)
    next = `If you confirmed a file, start a new run${given}; otherwise, ${rerun}`
  const happened: string[] = []
  if (needsWorkflow) happened.push('A re-run uses the old workflow and commit, and fails again.')
  else if (needsNewRun && !isLost) happened.push('A re-run ignores an input that you add now.')
  if (isGiven && kind === 'workflow-artifact') {
    let them = 'artifacts below, and merge their records files,'
    if (workflowArtifacts.length === 1) them = 'artifact below'
    // Those of earlier attempts cannot always be listed.
    if (workflowArtifacts.length === 0) them = 'artifact with the records of this run'
    happened.push(`In the new run, download the workflow ${them} before the step that notarizes.`)
  }
  let wrong = isLost && workflowArtifacts.length === 0 ? 'A re-run' : 'Re-running all jobs'
  if (isGiven) wrong += ', or a new run without the records,'
  const files = inDoubt === 1 ? 'file' : `${inDoubt} files`
  if (again !== '') happened.push(`${wrong} would charge you ${again}.`)
  else if (!needsNewRun && kind === 'workflow-artifact') {
    const earlier = 'would charge you again for files that earlier attempts registered'
    const lost = `loses the note that the ${files} may be registered`
    happened.push(`${wrong} ${inDoubt > 0 ? lost : earlier}.`)
  }
  if (isGiven || again !== '') {
    happened.push(
      'Records count only for files with the same bytes, which a job that builds again usually changes.',
    )
  }
  const docs = isGiven ? 'records.md#give-a-new-run-the-records' : undefined
  let step: Step = { next, happened, docs }
  if (kind === 'file') {
    const charged = `charges you ${again || 'again'}, except those in "confirmed-hashes"`
    const answers = [
      { label: 'Yes', text: `use that copy. You are not charged ${again || 'again'}.` },
      { label: 'No', text: `the file is lost with the runner. The new run ${charged}.` },
    ]
    step = { ...step, happened: [`Did a later step save "${quote(inputs.recordsPath)}"?`], answers }
  }
  let warning = isPending ? 'Do not re-run yet.' : ''
  if (isLost) warning = 'Do not re-run.'
  return { run: needsNewRun ? 'new run' : 're-run', warning, given: needsNewRun ? given : '', step }
}

/** Says what a run without the records would charge again: `again for the 4 files registered here`; empty if nothing. */
export function describeAgain({ artifacts, records: { recorded } }: RunEnd): string {
  const known = artifacts.filter(({ hash }) => recorded.has(hash ?? '')).length
  const count = artifacts.length === 0 ? recorded.size : known
  if (count === 0) return ''
  return `again for the ${count === 1 ? 'file' : `${count} files`} registered here`
}

/**
 * Counts the charges of the next run: one for each hash, and for each file that was not read. `least` leaves out what was not
 * read, may be confirmed, was answered with 409, or may have a record in the log of an earlier attempt.
 */
function forecast({ artifacts, records: { isEarlierInLogs } }: RunEnd) {
  const all = onePerHash(artifacts.filter(artifact => !isRegistered(artifact)))
  const sure = all.filter(file => file.hash !== null && !isInDoubt(file) && !isConflict(file))
  const least = isEarlierInLogs ? 0 : sure.length
  return { least, most: all.length, second: all.filter(isInDoubt).length }
}

/** Says what a real run is charged after a dry run: in the first line, and in that of the next run. */
export function describeReal(end: RunEnd, { inputs }: Job) {
  const { least, most } = forecast(end)
  let real = `a real run: ${formatRange(least, most, 'charge')}`
  let start = `set "dry-run" to false and start a new run${givenFrom[end.records.kind]}.`
  if (exceedsLimit(end.artifacts, inputs)) {
    real = 'a real run would stop'
    start = `raise "max-registrations" or correct the patterns, then ${start}`
  }
  return { real, next: `${describeNext(end, '', null)} To notarize, ${start}` }
}

/**
 * Says what the next run is charged; `given` is what it has to be given. `lookUpStep` is the number of the step that may save a
 * second charge, null without one.
 */
export function describeNext(end: RunEnd, given: string, lookUpStep: number | null): string {
  const { verdict, artifacts, records } = end
  // A run that stopped before its plan does not know.
  if (verdict === 'stopped' && artifacts.length === 0) {
    return '1 charge for each file without a record.'
  }
  const { least, most, second } = forecast(end)
  if (records.isDamaged && most > 0) {
    const all = formatRange(most, most, 'charge')
    return `${formatRange(0, most, 'charge')} once the records can be read. Without them: ${all} (${formatRange(0, most, 'second charge')}).`
  }
  const skip = lookUpStep === null ? 'Without a look-up, ' : `If you skip step ${lookUpStep}, `
  const upTo = second === 1 ? '1 file' : `up to ${second} files`
  // The log of an earlier attempt may have doubts, too.
  let again = `No file${records.isEarlierInLogs ? ' with a saved record' : ''} is charged a second time.`
  if (second > 0) again = `${skip}${upTo} may be charged a second time.`
  const text = `${formatRange(least, most, 'charge')}${given}. ${again}`
  if (records.kind !== 'file' || verdict === 'dry-run') return text
  const ofFile = artifacts.filter(({ hash }) => records.recorded.has(hash ?? ''))
  const lost = onePerHash(ofFile).length
  const charges = formatRange(least + lost, most + lost, 'charge')
  const seconds = formatRange(lost, second + lost, 'second charge')
  return `${text} Without that file: ${charges} (${seconds}).`
}
