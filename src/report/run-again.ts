/** The one table of how to run again: by where the records are, and by whether the workflow or the commit has to change. */
import type { Place } from '../keep/keep.ts'
import { isFailed, isPlanned, isRegistered, type Artifact } from '../outcome.ts'
import { pluralize } from '../text/phrases.ts'
import type { RunAgain, Step } from './report.ts'
import { countHashes, stateOf, states } from './states.ts'
import { confirmHash } from './words.ts'

/** What a reader does, as an imperative clause. */
interface Cell {
  readonly way: RunAgain['way']
  readonly next: string
}

const giveRecords = 'docs:records.md#give-a-new-run-the-records'
const saveLines = 'docs:records.md#save-lines-from-the-log'
const oldCommit = 'a re-run uses the old workflow and commit'

const rerun: Cell = { way: 're-run', next: 're-run the failed jobs' }
const newRun: Cell = { way: 'new-run', next: `start a new run (${oldCommit})` }
const withRecords: Cell = {
  way: 'new-run-with-records',
  next: `start a new run with these records (${oldCommit}): ${giveRecords}`,
}
const withLines: Cell = {
  way: 'new-run-with-records',
  next: `do not re-run: save the record lines from the log, and start a new run with them: ${saveLines}`,
}
const withLinesAndRecords: Cell = {
  way: 'new-run-with-records',
  next: `do not re-run: save the record lines from the log, and start a new run with them and with the kept records: ${saveLines}`,
}
const withFile: Cell = {
  way: 'new-run-with-records',
  next: `do not re-run: start a new run with the records file, if a later step saved it: ${giveRecords}`,
}

export interface AgainQuery {
  readonly artifacts: readonly Artifact[]
  /** Where the records are. */
  readonly place: Place
  /** Whether some records are only in the log, because they could not be saved. */
  readonly hasUnsaved: boolean
  /** Whether the workflow or the commit has to change first. */
  readonly isChanged: boolean
  /** Whether the artifacts are known: the run may have stopped before. */
  readonly isCounted: boolean
  readonly isEarlierMissing: boolean
}

/** Says how to run again, in at most two sentences and the numbers. */
export function tellAgain(query: AgainQuery): { readonly step: Step; readonly again: RunAgain } {
  const { artifacts, isCounted, isEarlierMissing } = query
  const { way, next } = findCell(query)
  const left = artifacts.filter(isLeft)
  const inDoubt = countHashes(left.filter(isInDoubt))
  const count = countHashes(left)
  const registered = countHashes(artifacts.filter(isRegistered))
  const charges = isCounted ? { count, second: isEarlierMissing ? count : inDoubt } : null
  const without = registered > 0 && hasRecords(query) ? count + registered : null
  const again = { way, charges, without }
  const hints = [describeCharges(again)]
  if (inDoubt > 0) {
    hints.push(`To avoid a second charge, first look up the files in doubt: docs:${confirmHash}`)
  }
  const step = { next, hint: hints.join(' '), happened: [], results: [] }
  return { step, again }
}

function findCell({ place, hasUnsaved, isChanged }: AgainQuery): Cell {
  if (hasUnsaved) return place.kind === 'workflow-artifact' ? withLinesAndRecords : withLines
  switch (place.kind) {
    case 'none':
    case 'release':
      return isChanged ? newRun : rerun
    case 'workflow-artifact':
      return isChanged ? withRecords : rerun
    case 'log':
      return withLines
    case 'file':
      return withFile
  }
}

/** Whether records make a difference for the next run: not where every run finds them. */
function hasRecords({ place, hasUnsaved }: AgainQuery): boolean {
  return hasUnsaved || (place.kind !== 'none' && place.kind !== 'release')
}

/** Whether the next run sends the artifact: not if the service knows it already. */
function isLeft(artifact: Artifact): boolean {
  if (isPlanned(artifact)) return true
  return isFailed(artifact) && stateOf(artifact.outcome) !== states.known
}

function isInDoubt({ outcome }: Artifact): boolean {
  const state = stateOf(outcome)
  return state === states.unsure || state === states.inDoubt
}

const subjects: Readonly<Record<RunAgain['way'], string>> = {
  're-run': 'The re-run',
  'new-run': 'The new run',
  'new-run-with-records': 'That run',
}

function describeCharges({ way, charges, without }: RunAgain): string {
  const subject = subjects[way]
  if (charges === null) {
    return `${subject} registers the files that have no record, for one charge each.`
  }
  const { count, second } = charges
  let text = `${subject} registers ${pluralize(count, 'file')} (${pluralize(count, 'charge')})`
  if (count === 0) text = `${subject} registers nothing, and nothing is charged`
  else if (second > 0) {
    const which = second === count ? '' : `${second} of them `
    text += `, ${which}possibly for the second time`
  }
  if (without === null) return `${text}.`
  return `${text}; a run without these records registers ${pluralize(without, 'file')} (${pluralize(without, 'charge')}).`
}
