/** The one table of how to run again: by where the records are, and by whether the workflow or the commit has to change. */
import type { Place } from '../keep/keep.ts'
import type { Artifact } from '../outcome.ts'
import { pluralize, toSentences } from '../text/phrases.ts'
import type { Host } from '../runtime/outside.ts'
import type { Step } from './report.ts'
import type { RunEnd } from './run-end.ts'
import { countCharges, stateOf, states } from './states.ts'
import { addressOf, confirmHash, isForLookUp } from './words.ts'

/** What to do as an imperative clause, why not otherwise as a sentence, and the section of the docs that has more. */
type Way = readonly [next: string, why?: string, docs?: string]

const giveRecords = 'records.md#give-a-new-run-the-records'
const saveLines = 'records.md#save-lines-from-the-log'
const oldCommit = 'A re-run would use the old workflow and commit.'
const noRerun = 'Do not re-run: a re-run would not find these records.'
const save = 'save the record lines from the log, and start a new run with them'

const rerun: Way = ['re-run the failed jobs']
const newRun: Way = ['start a new run', oldCommit]
const withRecords: Way = ['start a new run with these records', oldCommit, giveRecords]
const withLines: Way = [save, noRerun, saveLines]
const withLinesAndOthers: Way = [`${save} and the other records below`, noRerun, saveLines]
const savedFile = 'start a new run with the records file, if a later step saved it'
const withFile: Way = [savedFile, noRerun, giveRecords]

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
  const way = findWay(end, isChanged)
  const [next, why = '', docs = null] = way
  let subject = docs === null ? 'The new run' : 'With these records, the new run'
  if (way === rerun) subject = 'The re-run'
  const hints = [why, ...describeNumbers(end, subject)]
  if (end.artifacts.some(artifact => isInDoubt(artifact) && !isToLookUp(artifact))) {
    const section = addressOf(confirmHash, host)
    hints.push(
      `To avoid a second charge, first look up the files that may be registered: ${section}.`,
    )
  }
  return {
    next,
    hint: toSentences(hints),
    docs: docs && addressOf(docs, host),
    happened: [],
    results: [],
  }
}

function findWay(end: RunEnd, isChanged: boolean): Way {
  const { kind } = end.place
  const isUnsaved = end.kind === 'completed' && end.unsaved.length > 0
  if (isUnsaved)
    return kind === 'workflow-artifact' || kind === 'file' ? withLinesAndOthers : withLines
  const [same, changed] = table[kind]
  return isChanged ? changed : same
}

/** Says what the next run registers and is charged for at most, and what a run without the records would be. */
function describeNumbers(end: RunEnd, subject: string): readonly string[] {
  const { artifacts, isEarlierMissing, recorded } = end
  // A run that stopped before its plan does not know.
  if (artifacts.length === 0) {
    return [`${subject} registers the files that have no record, for one charge each.`]
  }
  const isKnown = ({ outcome }: Artifact): boolean => stateOf(outcome) === states.known
  // What the service says that it has is sent, but not registered.
  const isLeft = (artifact: Artifact): boolean =>
    artifact.outcome.state !== 'registered' && !isKnown(artifact)
  const left = artifacts.filter(isLeft)
  const most = left.some(isToLookUp) ? 'at most ' : ''
  const second = describeSecond(isEarlierMissing ? left : left.filter(isInDoubt), left)
  const texts = [`${subject} registers ${most}${describeFiles(left)}${second}.`]
  const all = artifacts.filter(artifact => isLeft(artifact) || recorded.has(artifact.hash ?? ''))
  if (all.length > left.length) {
    texts.push(`A run without these records registers ${most}${describeFiles(all)}.`)
  }
  if (artifacts.some(isKnown)) {
    texts.push('Files that the service already has fail again unless they are confirmed.')
  }
  return texts
}

function isInDoubt({ outcome }: Artifact): boolean {
  const state = stateOf(outcome)
  return state === states.unsure || state === states.inDoubt
}

/** Whether another step asks to look a file up. */
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
