/** Says where the records of a run are, and how to run again: the one table for both. */
import type { Remedy } from '../failure.ts'
import type { Place } from '../keep/keep.ts'
import { countCharges, isNew, type Artifact } from '../outcome.ts'
import { linkTo } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { evidenceName } from '../text/names.ts'
import { pluralize, toSentences } from '../text/phrases.ts'
import type { Listing, Step } from './report.ts'
import type { CompletedRun, Job, RunEnd } from './run-end.ts'
import { confirmHash, isForLookUp, stateOf, states } from './words.ts'

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
const ways: Readonly<Record<Place['kind'], readonly [same: Way, changed: Way]>> = {
  none: [rerun, newRun],
  release: [rerun, newRun],
  'workflow-artifact': [rerun, withRecords],
  log: [withLines, withLines],
  file: [withFile, withFile],
}

/** Says how to run again after what went wrong, in at most two sentences and the numbers. */
export function tellAgain(end: RunEnd, wrong: readonly Pick<Remedy, 'needs'>[], host: Host): Step {
  const { kind } = end.place
  const [same, changed] = ways[kind]
  let way = wrong.some(({ needs }) => needs === 'workflow') ? changed : same
  if (end.kind === 'completed' && end.unsaved.length > 0) {
    const hasOthers = kind === 'workflow-artifact' || kind === 'file'
    way = hasOthers ? withLinesAndOthers : withLines
  }
  const [next, why = '', docs] = way
  let subject = docs === undefined ? 'The new run' : 'With these records, the new run'
  if (way === rerun) subject = 'The re-run'
  const hints = [why, ...describeNumbers(end, subject)]
  if (end.artifacts.some(artifact => mayBeSecond(artifact) && !isToLookUp(artifact))) {
    const text = 'To avoid a second charge, first look up the files that may be registered'
    hints.push(linkTo(confirmHash, text, host))
  }
  return { next: linkTo(docs, next, host), hint: toSentences(hints), happened: [], results: [] }
}

/** Says what the next run registers and is charged for at most, and what a run without the records would be. */
function describeNumbers(end: RunEnd, subject: string): readonly string[] {
  const { artifacts, isEarlierMissing } = end
  // A run that stopped before its plan does not know.
  if (artifacts.length === 0) {
    return [`${subject} registers the files that have no record, for one charge each.`]
  }
  const left = artifacts.filter(({ outcome }) => {
    // What the service says that it has is sent, but not registered.
    return outcome.state !== 'registered' && stateOf(outcome) !== states.heldByService
  })
  const most = left.some(isToLookUp) ? 'at most ' : ''
  const second = describeSecond(isEarlierMissing ? left : left.filter(mayBeSecond), left)
  const numbers = `${subject} registers ${most}${describeFiles(left)}${second}.`
  return [numbers, describeWithout(end, left, most)]
}

/** Says what a run without the records would register, with the files that are left; empty if there are no records. */
function describeWithout(end: RunEnd, left: readonly Artifact[] = [], most = ''): string {
  const registered = end.artifacts.filter(({ hash }) => end.recorded.has(hash ?? ''))
  if (registered.length === 0) return ''
  const files = describeFiles([...left, ...registered])
  return `A run without these records registers ${most}${files}.`
}

/** Says what to do after a good run whose records are only in the log. */
export function tellToSave(end: CompletedRun, host: Host): Step {
  const next = linkTo(saveLines, 'save the record lines from the log of this step', host)
  return { next, hint: describeWithout(end), happened: [], results: [] }
}

function mayBeSecond({ outcome }: Artifact): boolean {
  const state = stateOf(outcome)
  return state === states.inDoubt || state === states.plannedAgain
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

/** Says how many charges may be second ones; empty if none. */
function describeSecond(second: readonly Artifact[], left: readonly Artifact[]): string {
  if (second.length === 0) return ''
  const count = countCharges(second)
  if (count === countCharges(left)) return ', which may be charged a second time'
  return `, of which ${count} may be charged a second time`
}

/** The number of records that are only in the log. */
function countOnlyInLog({ artifacts, recorded, place, unsaved }: CompletedRun): number {
  if (place.kind !== 'log') return unsaved.length
  // What an earlier step of the job has printed may be all.
  return countCharges(artifacts.filter(isNew)) || recorded.size
}

/** Says how many records are only in the log; empty if none are. */
export function describeOnlyInLog(end: CompletedRun): string {
  const count = countOnlyInLog(end)
  return count === 0 ? '' : `${pluralize(count, 'record is', 'records are')} only in the log`
}

/** Links the records, and says how to use the evidence page; nothing if there are no records. */
export function pointToRecords(end: RunEnd, { recordsPath, host }: Job): readonly Listing[] {
  const { kind, workflowArtifacts, page } = end.place
  const pointers: Listing[] = []
  const add = (text: string, links: Listing['links'] = []): void => {
    pointers.push({ text, links })
  }
  if (end.kind === 'completed') {
    const count = countOnlyInLog(end)
    if (count > 0) add(`Records: ${count} only in the log of this step`)
    if (kind === 'release' && end.release !== null) {
      const { tag: name, url } = end.release
      add('Records: release', [{ name, url }])
    }
  }
  if (kind === 'file') {
    const text = `Records: only in the file "${quote(recordsPath)}"`
    add(linkTo('records.md#where-it-is-kept', text, host))
  }
  if (workflowArtifacts.length === 0) return pointers
  // The newest comes first.
  const links = workflowArtifacts.toReversed()
  if (kind === 'log' || kind === 'file') {
    add('Records of earlier attempts: workflow artifact', links)
  } else if (page !== null) {
    add('Records and evidence page: workflow artifact', [page])
    const text = `To compare downloaded files, put ${evidenceName} from there beside them, and run`
    add(text, [{ name: `sha256sum --ignore-missing -c ${evidenceName}`, url: null }])
  } else if (kind === 'none' && end.kind === 'completed' && end.doubtCount > 0) {
    add('Sent without a record: workflow artifact', links)
  } else add('Records: workflow artifact', links)
  return pointers
}
