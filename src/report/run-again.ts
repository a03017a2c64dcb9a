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

/** A cell of the table. */
interface Cell {
  readonly way: Way
  /** What to do before, as a sentence. */
  readonly first?: string
  /** An imperative clause. */
  readonly next: string
  /** What is charged then: a sentence. */
  readonly charged: string
  readonly docs: string | null
}

interface Row {
  /** If neither the workflow nor the commit has to change. */
  readonly same: Cell
  readonly changed: Cell
}

const giveRecords = 'records.md#give-a-new-run-the-records'

const free = 'You are not charged again.'
const freeIfSame = 'You are not charged again for registered files unless they change.'
const freeEitherWay =
  'You are not charged again for registered files unless they change, or the new run lacks these records.'
const chargedAnyway = 'You may be charged again for files that an earlier attempt registered.'
const withoutRecords = 'Without these records, you are charged again for registered files.'
const rerun = { way: 're-run', next: 're-run the failed jobs', charged: free, docs: null } as const
const newRun = {
  way: 'new-run',
  next: 'start a new run (a re-run uses the old workflow and commit)',
  charged: free,
  docs: null,
} as const
const newRunWithRecords = {
  way: 'new-run-with-records',
  next: 'give the records of this run to a new run (a re-run uses the old workflow and commit)',
  charged: withoutRecords,
  docs: giveRecords,
} as const

const checkLog = 'Check at the end of the log that the records were kept.'

const rows: Readonly<Record<Place['kind'], Row>> = {
  none: { same: rerun, changed: newRun },
  release: { same: rerun, changed: newRun },
  artifact: { same: { ...rerun, charged: freeIfSame }, changed: newRunWithRecords },
  log: inBoth({
    way: 'new-run-with-records',
    next: 'save the record lines from the log, and give them to a new run',
    charged:
      'In a new run without these lines, or a re-run, you are charged again for registered files.',
    docs: giveRecords,
  }),
  file: inBoth({
    way: 'new-run-with-records',
    next: 'give the records file to a new run, if you have a copy of it',
    charged:
      'In a new run without this file, or a re-run, you are charged again for registered files.',
    docs: giveRecords,
  }),
  'post-step': {
    same: {
      ...rerun,
      first: checkLog,
      charged: 'You are not charged again for files whose records were kept.',
      docs: giveRecords,
    },
    changed: { ...newRunWithRecords, first: checkLog },
  },
  unreadable: {
    same: {
      way: 're-run',
      next: 're-run the failed jobs. If this happens again, save a copy of the workflow artifact with the records, delete the original, and re-run the failed jobs',
      charged: 'If you delete it, you are charged again for files whose records exist only there.',
      docs: 'records.md#damaged-records',
    },
    changed: newRunWithRecords,
  },
}

/** What a new run needs besides the lines of the log, if some records could not be saved. */
const besidesLog: Readonly<Record<Place['kind'], string>> = {
  none: '',
  release: '',
  artifact: ' and the records in the workflow artifact',
  log: '',
  file: ' and the records file, if you have a copy of it,',
  'post-step': ' and the records that the post step kept',
  unreadable: '',
}

/** Returns the row of a run some of whose records are only in the log, because they could not be saved. */
function rowOfUnsaved({ kind }: Place): Row {
  const { same } = rows.log
  const { first } = rows[kind].same
  const besides = besidesLog[kind]
  if (besides === '') return rows.log
  const next = `save the record lines from the log, and give them${besides} to a new run`
  const charged =
    'In a run that lacks some of these records, such as a re-run, you are charged again for their files.'
  if (first === undefined) return inBoth({ ...same, next, charged })
  return inBoth({ ...same, first, next, charged })
}

function inBoth(cell: Cell): Row {
  return { same: cell, changed: cell }
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
  let { same, changed } = rows[place?.kind ?? 'none']
  if (place !== null && hasUnsaved) ({ same, changed } = rowOfUnsaved(place))
  const cell = isChanged ? changed : same
  let { charged, docs } = cell
  let next = toSentence(cell.next)
  const more: string[] = []
  const ways: Way[] = [cell.way]
  const risks: RunAgain['risks'][number][] = []
  if (!found.isDisjointFrom(confirmable)) {
    docs = confirmHash
    if (isChanged || same === changed) more.push('Give that run the input "confirmed-hashes", too.')
    else {
      ways.push(changed.way)
      next = `If your workflow passes a variable as "confirmed-hashes", set this variable, and ${same.next}.`
      more.push(`If not, add that input, and ${changed.next}.`)
      if (charged === freeIfSame) charged = freeEitherWay
      else if (changed.charged !== charged) more.push(changed.charged)
    }
  }
  if (cell.first !== undefined) next = `${cell.first} ${next}`
  if (place?.isEarlierMissing === true) {
    risks.push('earlier')
    if (place.kind === 'log') {
      more.push('If the log of an earlier attempt has record lines, give them to that run, too.')
    }
    if (charged === freeEitherWay) charged = withoutRecords
    if (![free, freeIfSame, chargedAnyway].includes(charged)) more.push(charged)
    charged = chargedAnyway
  }
  if (found.has(states.unsure)) {
    risks.push('unsure')
    more.push(
      'You can also run again without the look-up: files that may be registered are then sent again, and you may be charged for them again, once.',
    )
    if (charged === free) charged = 'You are not charged again for any other file.'
  }
  if (place !== null) more.push(charged)
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
