/** How to run again, and what that is charged: the one table of both. Pure. */
import { isRegistered, mayBeRegistered, type Artifact, type FailedArtifact } from '../outcome.ts'
import { isFailed } from '../outcome.ts'
import { quote } from '../text/escape.ts'
import { pluralize } from '../text/phrases.ts'
import type { Answer, Fact, Job, RunEnd, Step } from './report.ts'
import { makeStep } from './steps.ts'

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

/** What the next run is charged. */
interface Forecast {
  /** Without what was not read, or may be confirmed. */
  readonly least: number
  readonly most: number
  /** How many of these may be second charges. */
  readonly second: number
}

/** Counts the charges of the next run for artifacts: one for each hash, and for each file that was not read. */
function forecast(artifacts: readonly Artifact[]): Forecast {
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
  const between = most === least + 1 ? 'or' : 'to'
  return `${least} ${between} ${pluralize(most, noun)}`
}

/** What decides how to run again. */
export interface Situation {
  readonly end: RunEnd
  readonly job: Job
  /** Whether the workflow or the commit has to change. */
  readonly needsWorkflow: boolean
  /** Whether the service has accepted a file that it has not registered yet. */
  readonly isPending: boolean
}

/** How to run again. */
export interface Way {
  /** How the next run is called in a sentence. */
  readonly run: 're-run' | 'new run'
  /** What opens the first step if a re-run would lose money; else empty. */
  readonly warning: string
  /** What the new run has to be given, such as `with the saved records`; empty if nothing. */
  readonly given: string
  /** The last step. */
  readonly step: Step
}

const giveRecords = 'records.md#give-a-new-run-the-records'
const oldCommit = 'A re-run uses the old workflow and commit, and ends in the same way.'
const sameBytes =
  'Records count only for the same bytes: a job that builds again makes other files.'

/** Decides how to run again by where the records are, and what has to change. */
export function decideWay({ end, job, needsWorkflow, isPending }: Situation): Way {
  const { kind } = end.records
  const unsaved = kind === 'log' || end.records.onlyInLog > 0
  const again = describeAgain(end)
  const inDoubt = end.artifacts.filter(isInDoubt).length
  const canConfirm = job.inputs.confirmedHashes !== null
  const failed = end.artifacts.filter(isFailed)
  const onlyConflicts = failed.length > 0 && failed.every(isConflict)
  if (kind === 'file') {
    const name = `"${quote(job.inputs.recordsPath)}"`
    const given = unsaved ? 'with the records file and the saved lines' : 'with the records file'
    const yes = again === '' ? 'use that copy.' : `use that copy. You are not charged ${again}.`
    const confirm = 'the file is lost with the runner. Confirm these files with "confirmed-hashes"'
    const no =
      again === ''
        ? 'the file is lost with the runner.'
        : `${confirm}, or the new run charges you ${again}.`
    const answers: readonly Answer[] = [
      { label: 'Yes', text: yes, docs: null },
      { label: 'No', text: no, docs: null },
    ]
    const happened = [`Did a later step save ${name}?`]
    const step = makeStep(`start a new run ${given}, not a re-run`, {
      happened,
      answers,
      docs: giveRecords,
    })
    return { run: 'new run', warning: 'do not re-run', given, step }
  }
  if (unsaved) {
    const others = end.workflowArtifacts.length > 0 ? ' and the workflow artifact' : ''
    const given = `with the lines that you saved${others}`
    const happened = [sameBytes]
    if (again !== '') happened.unshift(`Without these lines, any run would charge you ${again}.`)
    const step = makeStep(`start a new run ${given}, not a re-run`, { happened, docs: giveRecords })
    return { run: 'new run', warning: 'do not re-run', given: 'with the saved records', step }
  }
  const isKept = kind === 'workflow-artifact'
  const withRecords = 'with these records'
  const download =
    'Download the workflow artifact below before this step: the action then finds the records.'
  if (needsWorkflow || (onlyConflicts && !canConfirm)) {
    const happened = [needsWorkflow ? oldCommit : 'A re-run does not read an input that you add.']
    if (!isKept) {
      const step = makeStep('start a new run, not a re-run', { happened })
      return { run: 'new run', warning: '', given: '', step }
    }
    happened.push(download)
    if (again !== '') happened.push(`A new run without them would charge you ${again}.`)
    happened.push(sameBytes)
    const step = makeStep(`start a new run ${withRecords}, not a re-run`, {
      happened,
      docs: giveRecords,
    })
    return { run: 'new run', warning: '', given: withRecords, step }
  }
  const happened: string[] = []
  const anyOther = canConfirm
    ? 'Re-running all jobs'
    : 'Re-running all jobs, or a new run without the records,'
  if (isKept && again !== '') happened.push(`${anyOther} would charge you ${again}.`)
  else if (isKept && inDoubt > 0) {
    const files = pluralize(inDoubt, 'file that may be registered', 'files that may be registered')
    happened.push(`${anyOther} would not find what is known of the ${files}.`)
  }
  const warning = isPending ? 'do not re-run yet' : ''
  const rerun = isKept ? 're-run the failed jobs, not all jobs' : 're-run the failed jobs'
  if (inDoubt === 0 || canConfirm) {
    return { run: 're-run', warning, given: '', step: makeStep(rerun, { happened }) }
  }
  const confirmed = `if you confirmed a file, start a new run${isKept ? ` ${withRecords}` : ''}. Otherwise, ${rerun}`
  if (isKept) happened.push(download)
  const docs = isKept ? giveRecords : null
  return { run: 're-run', warning, given: '', step: makeStep(confirmed, { happened, docs }) }
}

/** Says what a run without the records would be charged again: `again for the 4 files registered here`; empty if nothing. */
export function describeAgain({ artifacts, records: { recorded } }: RunEnd): string {
  const known = artifacts.filter(({ hash }) => recorded.has(hash ?? '')).length
  const count = artifacts.length === 0 ? recorded.size : known
  if (count === 0) return ''
  return `again for the ${pluralize(count, 'file')} registered here`
}

/** Says what the next run is charged; `lookUpStep` is the number of the step that may save a second charge, null without one. */
export function describeNext(end: RunEnd, way: Way, lookUpStep: number | null): Fact {
  const sentences: Fact['sentences'][number][] = []
  const add = (text: string, isBold = false): void => void sentences.push({ text, isBold })
  if (way.warning !== '') add(`${way.warning}.`, true)
  // A run that stopped before its plan does not know.
  if (end.verdict === 'stopped' && end.artifacts.length === 0) {
    add('1 charge for each file without a record.')
    const isDamaged = end.problems.some(({ input }) => input === 'records-path')
    if (isDamaged) add('Without the records file, files are charged a second time.')
    return { label: 'Next run', sentences }
  }
  const { least, most, second } = forecast(end.artifacts)
  const given = way.given === '' ? '' : `New run ${way.given}: `
  add(`${given}${formatRange(least, most, 'charge')}.`)
  const upTo = second === 1 ? '1 file' : `up to ${second} files`
  const skip = lookUpStep === null ? '' : `If you skip step ${lookUpStep}, `
  if (second > 0) add(`${skip}${upTo} may be charged a second time.`)
  else add('No file is charged a second time.')
  if (end.records.kind === 'file') {
    const lost = new Set(
      end.artifacts
        .filter(({ hash }) => end.records.recorded.has(hash ?? ''))
        .map(({ hash }) => hash),
    ).size
    const charges = formatRange(least + lost, most + lost, 'charge')
    if (lost > 0)
      add(`Without that file: ${charges}, up to ${second + lost} of them second charges.`)
  }
  return { label: 'Next run', sentences }
}
