/** The one table of how to run again: by where the records are, and by what has to change. */
import type { Place } from '../keep/keep.ts'
import { toSentence } from '../text/phrases.ts'
import { confirmable, confirmHash, states, stateOf, type Finding, type Step } from './judge.ts'

/** What a reader does. `records` are those of this run and its earlier attempts. */
type Way = 're-run' | 'new-run' | 'new-run-with-records'

/** How to run again, after all other steps. */
export interface RunAgain extends Step {
  /** The ways that the texts tell; the second one if the workflow passes no variable as "confirmed-hashes". */
  readonly ways: readonly Way[]
  /** Which files may be charged again although a reader follows a way: that an earlier attempt, or this one, may have registered. */
  readonly risks: readonly ('earlier' | 'unsure')[]
}

/** What is charged after a way: a sentence for each. */
const charges = {
  free: 'You are not charged again.',
  'free if same': 'You are not charged again for registered files unless they change.',
  'free either way':
    'You are not charged again for registered files unless they change, or the new run lacks these records.',
  'free for others': 'You are not charged again for any other file.',
  'free if kept': 'You are not charged again for files whose records were kept.',
  'without records': 'Without these records, you are charged again for registered files.',
  'without lines':
    'In a new run without these lines, or a re-run, you are charged again for registered files.',
  'without file':
    'In a new run without this file, or a re-run, you are charged again for registered files.',
  'without some':
    'In a run that lacks some of these records, such as a re-run, you are charged again for their files.',
  'if deleted': 'If you delete it, you are charged again for files whose records exist only there.',
  earlier: 'You may be charged again for files that an earlier attempt registered.',
} as const

/** A cell of the table. */
interface Cell {
  readonly way: Way
  /** What to do before, as a sentence; empty if nothing. */
  readonly first: string
  /** An imperative clause. */
  readonly next: string
  readonly charge: keyof typeof charges
  readonly docs: string | null
}

interface Row {
  /** If neither the workflow nor the commit has to change. */
  readonly same: Cell
  /** The same cell if that makes no difference. */
  readonly changed: Cell
}

const giveRecords = 'records.md#give-a-new-run-the-records'

const rerun: Cell = {
  way: 're-run',
  first: '',
  next: 're-run the failed jobs',
  charge: 'free',
  docs: null,
}
const newRun: Cell = {
  way: 'new-run',
  first: '',
  next: 'start a new run (a re-run uses the old workflow and commit)',
  charge: 'free',
  docs: null,
}
const newRunWithRecords: Cell = {
  way: 'new-run-with-records',
  first: '',
  next: 'give the records of this run to a new run (a re-run uses the old workflow and commit)',
  charge: 'without records',
  docs: giveRecords,
}

const rows: Readonly<Record<Place['kind'], Row>> = {
  none: { same: rerun, changed: newRun },
  release: { same: rerun, changed: newRun },
  'workflow-artifact': {
    same: { ...rerun, charge: 'free if same' },
    changed: newRunWithRecords,
  },
  log: inBoth({
    ...newRunWithRecords,
    next: 'save the record lines from the log, and give them to a new run',
    charge: 'without lines',
  }),
  file: inBoth({
    ...newRunWithRecords,
    next: 'give the records file to a new run, if you have a copy of it',
    charge: 'without file',
  }),
}

/** What a new run needs besides the lines of the log, if some records could not be saved. */
const besidesLog: Readonly<Partial<Record<Place['kind'], string>>> = {
  'workflow-artifact': ' and the records in the workflow artifact',
  file: ' and the records file, if you have a copy of it,',
}

function inBoth(cell: Cell): Row {
  return { same: cell, changed: cell }
}

/** Finds the row of the table. */
function findRow(place: Place | null, hasUnsaved: boolean): Row {
  const kind = place?.kind ?? 'none'
  if (!hasUnsaved) return rows[kind]
  const besides = besidesLog[kind]
  if (besides === undefined) return rows.log
  const next = `save the record lines from the log, and give them${besides} to a new run`
  const { first } = rows[kind].same
  return inBoth({ ...newRunWithRecords, first, next, charge: 'without some' })
}

/**
 * Says how to run again after all findings; null without any. `place` is null where nothing is ever charged; `hasUnsaved`
 * if some records are only in the log, because they could not be saved.
 */
export function tellAgain(
  findings: readonly Finding[],
  place: Place | null,
  hasUnsaved = false,
): RunAgain | null {
  if (findings.length === 0) return null
  const outcomes = findings.flatMap(({ artifacts }) => artifacts.map(({ outcome }) => outcome))
  const found = new Set(outcomes.map(stateOf))
  const isChanged = findings.some(({ needs }) => needs === 'workflow')
  const { same, changed } = findRow(place, hasUnsaved)
  const cell = isChanged ? changed : same
  let { charge, docs } = cell
  let next = toSentence(cell.next)
  const more: string[] = []
  const ways = [cell.way]
  const risks: RunAgain['risks'][number][] = []
  if (!found.isDisjointFrom(confirmable)) {
    docs = confirmHash
    if (cell === changed) more.push('Give that run the input "confirmed-hashes", too.')
    else {
      ways.push(changed.way)
      next = `If your workflow passes a variable as "confirmed-hashes", set this variable, and ${same.next}.`
      more.push(`If not, add that input, and ${changed.next}.`)
      if (charge === 'free if same') charge = 'free either way'
      else if (charge !== changed.charge) more.push(charges[changed.charge])
    }
  }
  if (cell.first !== '') next = `${cell.first} ${next}`
  if (found.has(states.unsure)) {
    risks.push('unsure')
    more.push(
      'You can also run again without the look-up: files that may be registered are then sent again, and you may be charged for them again, once.',
    )
    if (charge === 'free') charge = 'free for others'
  }
  if (place !== null) more.push(charges[charge])
  const hint = more.concat(tellLasting(findings)).join(' ')
  return { next, hint, happened: '', cost: '', docs, about: [], ways, risks }
}

/** Says which steps another run cannot do without; nothing if there are none. */
function tellLasting(findings: readonly Finding[]): readonly string[] {
  const lasting = findings.filter(({ needs }) => needs === 'secret' || needs === 'person')
  if (lasting.length === 0) return []
  const numbers = lasting.map(finding => findings.indexOf(finding) + 1).join(', ')
  let until = `step ${numbers} is done`
  if (lasting.length > 1) until = `steps ${numbers} are done`
  const isForFiles = lasting.every(({ artifacts }) => artifacts.length > 0)
  let ends = 'ends the same way'
  if (isForFiles && lasting.length < findings.length) ends += ' for these files'
  return [`Until ${until}, another run ${ends}.`]
}

/** Adds how to run again to the other steps. */
export function withLast(steps: readonly Step[], again: RunAgain | null): readonly Step[] {
  return again === null ? steps : [...steps, again]
}
