/** The one table of how to run again: by where the records are, and by what has to change. */
import type { Place } from '../keep/keep.ts'

/** What a reader does. `records` are those of this run and its earlier attempts. */
type Way = 're-run' | 'new-run' | 'new-run-with-records'

/** How to run again, after all other steps. The texts are sentences. */
export interface RunAgain {
  /** The ways that `next` and `more` tell; the second one if the workflow passes no variable as "confirmed-hashes". */
  readonly ways: readonly Way[]
  /** Which files may be charged again although a reader follows a way: that an earlier attempt, or this one, may have registered. */
  readonly risks: readonly ('earlier' | 'unsure')[]
  readonly next: string
  /** What is charged then, and what a re-run without the other steps does. */
  readonly more: readonly string[]
  /** The section of the docs; null if none is needed. */
  readonly docs: string | null
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
export const confirmHash = 'records.md#confirm-a-hash'

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

const checkLog = 'Check at the end of the log that the records were kept.'

const rows: Readonly<Record<Place['kind'], Row>> = {
  none: { same: rerun, changed: newRun },
  release: { same: rerun, changed: newRun },
  artifact: {
    same: { ...rerun, charged: freeIfSame },
    changed: {
      way: 'new-run-with-records',
      next: 'start a new run that has these records (a re-run uses the old workflow and commit)',
      charged: withoutRecords,
      docs: giveRecords,
    },
  },
  log: inBoth({
    way: 'new-run-with-records',
    next: 'save the record lines from the log, and start a new run that has them',
    charged:
      'In a new run without these lines, or a re-run, you are charged again for registered files.',
    docs: giveRecords,
  }),
  file: inBoth({
    way: 'new-run-with-records',
    next: 'start a new run that has the records file, if you have a copy of it',
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
    changed: {
      way: 'new-run-with-records',
      first: checkLog,
      next: 'start a new run that has these records (a re-run uses the old workflow and commit)',
      charged: withoutRecords,
      docs: giveRecords,
    },
  },
  unreadable: {
    same: {
      way: 're-run',
      next: 're-run the failed jobs; if this happens again, save a copy of the workflow artifact with the records, delete the original, and re-run the failed jobs',
      charged: 'If you delete it, you are charged again for files whose records exist only there.',
      docs: 'records.md#damaged-records',
    },
    changed: {
      way: 'new-run-with-records',
      next: 'start a new run that has the records of this run (a re-run uses the old workflow and commit)',
      charged: withoutRecords,
      docs: giveRecords,
    },
  },
  unknown: {
    same: { ...rerun, charged: chargedAnyway },
    changed: { ...newRun, charged: chargedAnyway },
  },
}

function inBoth(cell: Cell): Row {
  return { same: cell, changed: cell }
}

/** What the other steps have in common. */
export interface Situation {
  /** Null where nothing is ever charged. */
  readonly place: Place | null
  /** Whether an earlier attempt may have registered files, but no line of it was found. */
  readonly isEarlierMissing: boolean
  /** Whether the workflow or the commit has to change. */
  readonly isChanged: boolean
  /** Whether it helps to name hashes in `confirmed-hashes`. */
  readonly canConfirm: boolean
  /** Whether something may be registered, and is sent again. */
  readonly isUnsure: boolean
  /** The numbers of the steps without which another run ends the same way. */
  readonly lasting: readonly number[]
  /** Whether these are all other steps. */
  readonly isLasting: boolean
}

/** Says how to run again. */
export function runAgain(situation: Situation): RunAgain {
  const { place, isEarlierMissing, isChanged, canConfirm, isUnsure } = situation
  const { same, changed } = rows[place?.kind ?? 'none']
  const cell = isChanged ? changed : same
  let { charged, docs } = cell
  let next = `${cell.next.slice(0, 1).toUpperCase()}${cell.next.slice(1)}.`
  const more: string[] = []
  const ways = [cell.way]
  const risks: RunAgain['risks'][number][] = []
  if (canConfirm) {
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
  if (place !== null && isEarlierMissing) {
    risks.push('earlier')
    if (charged === freeEitherWay) charged = withoutRecords
    if (![free, freeIfSame, chargedAnyway].includes(charged)) more.push(charged)
    charged = chargedAnyway
  }
  if (isUnsure) {
    risks.push('unsure')
    more.push(
      'You can also run again without the look-up: files that may be registered are then sent again, and you may be charged for them again, once.',
    )
    if (charged === free) charged = 'You are not charged again for any other file.'
  }
  if (place !== null) more.push(charged)
  return { ways, risks, next, more: more.concat(tellLasting(situation)), docs }
}

/** Says which steps another run cannot do without; nothing if there are none. */
function tellLasting({ lasting, isLasting }: Situation): readonly string[] {
  if (lasting.length === 0) return []
  const until = `Until ${lasting.length === 1 ? 'step' : 'steps'} ${lasting.join(', ')}`
  const isDone = lasting.length === 1 ? 'is done' : 'are done'
  const forThese = isLasting ? '' : ' for these files'
  return [`${until} ${isDone}, another run ends the same way${forThese}.`]
}
