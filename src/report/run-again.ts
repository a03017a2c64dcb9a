/** How to run again, and what that is charged: the one table of both. Pure. */
import { isFailed, isRegistered, mayBeRegistered } from '../outcome.ts'
import type { Artifact, FailedArtifact } from '../outcome.ts'
import { quote } from '../text/escape.ts'
import { capitalize, pluralize } from '../text/phrases.ts'
import type { Fact, Job, RunEnd, Step } from './report.ts'

/** Whether the service answered the completion of an artifact with 409. */
export function isConflict(artifact: Artifact): artifact is FailedArtifact {
  return isFailed(artifact) && artifact.outcome.failure.reason === 'already-registered'
}

/** Whether a call of this run or of an earlier one may have registered an artifact. */
export function isInDoubt(artifact: Artifact): boolean {
  const { outcome } = artifact
  if (outcome.state === 'planned') return outcome.lastDoubtAt !== null
  return isFailed(artifact) && mayBeRegistered(artifact.outcome) && !isConflict(artifact)
}

/** Counts the charges of the next run: one for each hash, and for each file that was not read. `least` leaves out what was not read or may be confirmed. */
function forecast(artifacts: readonly Artifact[]) {
  const left = artifacts.filter(artifact => !isRegistered(artifact) && !isConflict(artifact))
  const onePerHash = new Map(left.map(artifact => [artifact.hash ?? artifact.name, artifact]))
  const all = [...onePerHash.values()]
  const second = all.filter(isInDoubt).length
  const unread = all.filter(({ hash }) => hash === null).length
  return { least: all.length - second - unread, most: all.length, second }
}

/** Writes a range: `no charges`, `1 charge`, `0 or 1 charge`, `4 to 6 charges`. */
export function formatRange(least: number, most: number, noun: string): string {
  if (most === 0) return `no ${noun}s`
  if (least === most) return pluralize(most, noun)
  return `${least} ${most === least + 1 ? 'or' : 'to'} ${pluralize(most, noun)}`
}

/** How to run again. */
interface Way {
  /** How the next run is called in a sentence. */
  readonly run: 're-run' | 'new run'
  /** Opens the steps if a re-run would lose money: a clause; else empty. */
  readonly warning: string
  /** What the new run has to be given, such as `with the saved lines`; empty if nothing. */
  readonly given: string
  /** The last step. */
  readonly step: Step
}

const docs = 'records.md#give-a-new-run-the-records'
const sameBytes =
  'Records count only for the same bytes: a job that builds again makes other files.'
const download =
  'Download the workflow artifact below before this step: the action then finds the records.'

/** Decides how to run again by where the records are, and whether the workflow or the commit has to change. */
export function decideWay(situation: {
  readonly end: RunEnd
  readonly job: Job
  readonly needsWorkflow: boolean
}): Way {
  const { end, job, needsWorkflow } = situation
  const { artifacts, records, workflowArtifacts } = end
  const { kind } = records
  const hasLines = kind === 'log' || records.onlyInLog > 0
  const isKept = kind === 'workflow-artifact'
  const again = describeAgain(end)
  const would = (what: string): string => (again === '' ? '' : `${what} would charge you ${again}.`)
  const none = { files: [], answers: [], docs: null }

  if (kind === 'file') {
    const given = hasLines ? 'with the records file and the saved lines' : 'with the records file'
    const next = `Start a new run ${given}, not a re-run.`
    const happened = [`Did a later step save "${quote(job.inputs.recordsPath)}"?`]
    const lost = 'the file is lost with the runner. Confirm these files with "confirmed-hashes"'
    const answers = [
      { label: 'Yes', text: `use that copy. You are not charged ${again || 'again'}.`, docs: null },
      { label: 'No', text: `${lost}, or the new run charges you ${again || 'again'}.`, docs: null },
    ]
    const step = { ...none, next, happened, answers, docs }
    return { run: 'new run', warning: 'do not re-run', given, step }
  }
  if (hasLines) {
    const others = workflowArtifacts.length > 0 ? ' and the workflow artifact' : ''
    const next = `Start a new run with the lines that you saved${others}, not a re-run.`
    const step = {
      ...none,
      next,
      happened: [would('Without these lines, any run'), sameBytes],
      docs,
    }
    return { run: 'new run', warning: 'do not re-run', given: 'with the saved lines', step }
  }
  const canConfirm = job.inputs.confirmedHashes !== null
  const failed = artifacts.filter(isFailed)
  const hasOnlyConflicts = failed.length > 0 && failed.every(isConflict)
  if (needsWorkflow || (hasOnlyConflicts && !canConfirm)) {
    let why = 'A re-run uses the old workflow and commit, and ends in the same way.'
    if (!needsWorkflow) why = 'A re-run does not read an input that you add.'
    const next = `Start a new run${isKept ? ' with these records' : ''}, not a re-run.`
    const step = { ...none, next, happened: [why] }
    if (!isKept) return { run: 'new run', warning: '', given: '', step }
    const happened = [why, download, would('A new run without them'), sameBytes]
    return {
      run: 'new run',
      warning: '',
      given: 'with these records',
      step: { ...step, happened, docs },
    }
  }
  const inDoubt = artifacts.filter(isInDoubt).length
  const isPending = failed.some(({ outcome }) => outcome.failure.reason === 'not-yet-registered')
  const warning = isPending ? 'do not re-run yet' : ''
  const files = inDoubt === 1 ? 'file' : `${inDoubt} files`
  let wrong = would('Re-running all jobs')
  if (wrong === '' && inDoubt > 0) {
    wrong = `Re-running all jobs could charge you a second time for the ${files} that may be registered.`
  }
  const rerun = isKept ? 're-run the failed jobs, not all jobs.' : 're-run the failed jobs.'
  const happened = isKept ? [wrong] : []
  if (inDoubt === 0 || canConfirm) {
    return {
      run: 're-run',
      warning,
      given: '',
      step: { ...none, next: capitalize(rerun), happened },
    }
  }
  const confirmed = `If you confirmed a file, start a new run${isKept ? ' with these records' : ''}.`
  const step = { ...none, next: `${confirmed} Otherwise, ${rerun}`, happened }
  if (!isKept) return { run: 're-run', warning, given: '', step }
  return { run: 're-run', warning, given: '', step: { ...step, happened: [download, wrong], docs } }
}

/** Says what a run without the records would charge again: `again for the 4 files registered here`; empty if nothing. */
export function describeAgain({ artifacts, records: { recorded } }: RunEnd): string {
  const known = artifacts.filter(({ hash }) => recorded.has(hash ?? '')).length
  const count = artifacts.length === 0 ? recorded.size : known
  if (count === 0) return ''
  return `again for the ${count === 1 ? 'file' : `${count} files`} registered here`
}

/** Says what the next run is charged; `lookUpStep` is the number of the step that may save a second charge, null without one. */
export function describeNext(
  { verdict, artifacts, records }: RunEnd,
  { warning: clause, given }: Pick<Way, 'warning' | 'given'>,
  lookUpStep: number | null,
): Fact {
  const label = 'Next run'
  const warning = clause === '' ? '' : `${clause}.`
  // A run that stopped before its plan does not know.
  if (verdict === 'stopped' && artifacts.length === 0) {
    return { label, warning, text: '1 charge for each file without a record.' }
  }
  const { least, most, second } = forecast(artifacts)
  if (records.isFileDamaged) {
    const restored = `With the restored file: ${formatRange(0, most, 'charge')}.`
    const without = `Without it: ${formatRange(most, most, 'charge')}, each possibly a second one.`
    return { label, warning, text: `${restored} ${without}` }
  }
  const skip = lookUpStep === null ? '' : `If you skip step ${lookUpStep}, `
  const upTo = second === 1 ? '1 file' : `up to ${second} files`
  let again = 'No file is charged a second time.'
  if (second > 0) again = `${skip}${upTo} may be charged a second time.`
  const start = given === '' ? '' : `${capitalize(given)}: `
  const text = `${start}${formatRange(least, most, 'charge')}. ${again}`
  if (records.kind !== 'file') return { label, warning, text }
  const isLost = ({ hash }: Artifact): boolean => records.recorded.has(hash ?? '')
  const lost = new Set(artifacts.filter(isLost).map(({ hash }) => hash)).size
  const charges = formatRange(least + lost, most + lost, 'charge')
  return {
    label,
    warning,
    text: `${text} Without that file: ${charges}, up to ${second + lost} of them second ones.`,
  }
}
