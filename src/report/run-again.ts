/** The one table of how to run again: by where the records are, and by whether the workflow or the commit has to change. */
import type { Place } from '../keep/keep.ts'
import { isFailed, isPlanned, type Artifact } from '../outcome.ts'
import { pluralize } from '../text/phrases.ts'
import type { Host } from '../runtime/outside.ts'
import type { Step } from './report.ts'
import type { RunEnd } from './run-end.ts'
import { countCharges, stateOf, states } from './states.ts'
import { addressOf, confirmHash, isForLookUp } from './words.ts'

/** A way to run again. */
interface Way {
  /** An imperative clause. */
  readonly next: string
  /** Why not otherwise: a sentence; empty if there is nothing to add. */
  readonly why: string
  readonly docs: string | null
  /** Begins the sentence with the numbers. */
  readonly subject: string
}

const giveRecords = 'records.md#give-a-new-run-the-records'
const saveLines = 'records.md#save-lines-from-the-log'
const oldCommit = 'A re-run would use the old workflow and commit.'
const noRerun = 'Do not re-run: a re-run would not find these records.'

const rerun: Way = {
  next: 're-run the failed jobs',
  why: '',
  docs: null,
  subject: 'The re-run',
}
const newRun: Way = {
  next: 'start a new run',
  why: oldCommit,
  docs: null,
  subject: 'The new run',
}
const withRecords: Way = {
  next: 'start a new run with these records',
  why: oldCommit,
  docs: giveRecords,
  subject: 'With these records, the new run',
}
const withLines: Way = {
  next: 'save the record lines from the log, and start a new run with them',
  why: noRerun,
  docs: saveLines,
  subject: 'With these records, the new run',
}
const withLinesAndRecords: Way = {
  ...withLines,
  next: 'save the record lines from the log, and start a new run with them and the other records below',
}
const withFile: Way = {
  next: 'start a new run with the records file, if a later step saved it',
  why: noRerun,
  docs: giveRecords,
  subject: 'With these records, the new run',
}

/** By where the records are: what to do if nothing has to change, and if the workflow or the commit has to. */
const table: Readonly<Record<Place['kind'], readonly [same: Way, changed: Way]>> = {
  none: [rerun, newRun],
  release: [rerun, newRun],
  'workflow-artifact': [rerun, withRecords],
  log: [withLines, withLines],
  file: [withFile, withFile],
}

/** Says how to run again, in at most two sentences and the numbers. */
export function tellAgain(end: RunEnd, isChanged: boolean, host: Host): Step {
  const { next, why, docs, subject } = findWay(end, isChanged)
  const hints = [why, ...describeNumbers(end, subject, isChanged)]
  if (hasDoubt(end)) {
    const section = addressOf(confirmHash, host)
    hints.push(
      `To avoid a second charge, first look up the files that may be registered: ${section}.`,
    )
  }
  const hint = hints.filter(text => text !== '').join(' ')
  return { next, hint, docs: docs && addressOf(docs, host), happened: [], results: [] }
}

function findWay(end: RunEnd, isChanged: boolean): Way {
  const { kind } = end.place
  const isUnsaved = end.kind === 'completed' && end.unsaved.length > 0
  if (isUnsaved)
    return kind === 'workflow-artifact' || kind === 'file' ? withLinesAndRecords : withLines
  const [same, changed] = table[kind]
  return isChanged ? changed : same
}

/** Says what the next run registers and is charged for at most, and what a run without the records would be. */
function describeNumbers(end: RunEnd, subject: string, isChanged: boolean): readonly string[] {
  const { artifacts, isEarlierMissing, recorded } = end
  // What the inputs would match after a correction is unknown.
  if (artifacts.length === 0 || (end.kind === 'stopped' && isChanged)) {
    return [`${subject} registers the files that have no record, for one charge each.`]
  }
  const left = artifacts.filter(isLeft)
  const inDoubt = left.filter(isInDoubt)
  const toLookUp = left.filter(isToLookUp)
  const most = toLookUp.length > 0 ? 'at most ' : ''
  const second = describeSecond(isEarlierMissing ? left : inDoubt, left)
  const texts = [`${subject} registers ${most}${describeFiles(left)}${second}.`]
  const all = artifacts.filter(artifact => isLeft(artifact) || recorded.has(artifact.hash ?? ''))
  const isEverywhere = end.place.kind === 'none' || end.place.kind === 'release'
  if (all.length > left.length && !isEverywhere) {
    texts.push(`A run without these records registers ${most}${describeFiles(all)}.`)
  }
  if (artifacts.some(isKnown)) {
    texts.push('Files that the service already has fail again unless they are confirmed.')
  }
  return texts
}

/** Whether a file is in doubt, and no other step asks to look it up. */
function hasDoubt({ artifacts }: RunEnd): boolean {
  return artifacts.some(artifact => isInDoubt(artifact) && !isToLookUp(artifact))
}

/** Whether the next run sends the artifact: not if the service says that it has it. */
function isLeft(artifact: Artifact): boolean {
  if (isPlanned(artifact)) return true
  return isFailed(artifact) && !isKnown(artifact)
}

function isKnown({ outcome }: Artifact): boolean {
  return stateOf(outcome) === states.known
}

function isInDoubt({ outcome }: Artifact): boolean {
  const state = stateOf(outcome)
  return state === states.unsure || state === states.inDoubt
}

function isToLookUp({ outcome }: Artifact): boolean {
  return outcome.state === 'failed' && isForLookUp(outcome.failure)
}

/** Counts files and charges: two files with the same content are one charge. */
function describeFiles(artifacts: readonly Artifact[]): string {
  if (artifacts.length === 0) return 'nothing, and nothing is charged'
  return `${pluralize(artifacts.length, 'file')} (${pluralize(countCharges(artifacts), 'charge')})`
}

/** Says how many files may be charged a second time; empty if none. */
function describeSecond(second: readonly Artifact[], left: readonly Artifact[]): string {
  if (second.length === 0) return ''
  if (second.length === left.length) return ', which may be charged a second time'
  return `, of which ${second.length} may be charged a second time`
}
