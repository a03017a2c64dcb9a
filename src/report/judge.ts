/** Joins outcomes, how the run ended, and where its records are into findings; pure. Summary, log, annotation and `failures` use the same ones. */
import assert from 'node:assert'
import type { Failure, FailureCode, Needs, Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Place } from '../keep/place.ts'
import {
  isFailed,
  isRegistered,
  type Artifact,
  type FailedArtifact,
  type Outcome,
} from '../outcome.ts'
import type { Halt } from '../runtime/halt.ts'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/phrases.ts'
import { fitReason, words, type FindingReason } from './words.ts'

/** What is known about an artifact. */
export interface State {
  readonly sign: string
  /** Words for log and summary; they also follow a number. */
  readonly words: string
  /** Whether a person has something to do about it. */
  readonly isProblem: boolean
  /** What a failure of this state means for the cost: a clause. */
  readonly cost: string
}

/** All states; the order is the rank: the most serious first. */
export const states = {
  unsure: {
    sign: '❓',
    words: 'may be registered',
    isProblem: true,
    cost: 'may be registered and charged',
  },
  contradicted: {
    sign: '❓',
    words: 'record does not match',
    isProblem: true,
    cost: 'may be registered and charged, and not sent again until you confirm it',
  },
  known: {
    sign: '❌',
    words: 'no record (409)',
    isProblem: true,
    cost: 'not charged by this attempt',
  },
  failed: {
    sign: '❌',
    words: 'not registered',
    isProblem: true,
    cost: 'not registered or charged',
  },
  open: {
    sign: '⚠️',
    words: 'would be sent again',
    isProblem: true,
    cost: 'sent earlier, without a response: sending it again may be charged again',
  },
  chargedAgain: {
    sign: '⚠️',
    words: 'registered, maybe charged more than once',
    isProblem: true,
    cost: '',
  },
  planned: { sign: '🔎', words: 'would be registered', isProblem: false, cost: '' },
  registered: { sign: '✅', words: 'registered', isProblem: false, cost: '' },
  confirmed: { sign: '✅', words: 'confirmed by a person', isProblem: false, cost: '' },
  registeredBefore: { sign: '✅', words: 'registered before', isProblem: false, cost: '' },
} as const satisfies Readonly<Record<string, State>>

export function stateOf(outcome: Outcome): State {
  switch (outcome.state) {
    case 'planned':
      return outcome.openSince === null ? states.planned : states.open
    case 'contradicted':
      return states.contradicted
    case 'failed':
      return stateOfFailure(outcome.failure)
    case 'registered':
      if (outcome.maybeChargedAgain) return states.chargedAgain
      if (outcome.isConfirmed) return states.confirmed
      return outcome.from === 'this-run' ? states.registered : states.registeredBefore
  }
}

function stateOfFailure({ reason, registered }: Failure): State {
  if (reason === 'record-mismatch') return states.contradicted
  if (registered === 'unknown') return states.unsure
  return reason === 'already-registered' ? states.known : states.failed
}

/** Sorts by rank; artifacts of one state keep their order. */
export function rankArtifacts(artifacts: readonly Artifact[]): readonly Artifact[] {
  const order: readonly State[] = Object.values(states)
  const rankOf = ({ outcome }: Artifact): number => order.indexOf(stateOf(outcome))
  return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Something that went wrong, told once for everything that it hit. Its texts are clauses without a period. */
export interface Finding {
  /** Null for a problem that stopped the run. */
  readonly reason: FindingReason | null
  readonly code: FailureCode | null
  /** The likely cause, for the first line and the annotation. */
  readonly short: string
  /** The next step, without how to run again. */
  readonly next: string
  /** What happened, the likely cause first; each is a sentence of its own. */
  readonly happened: readonly string[]
  /** Whether anything was registered or charged. */
  readonly cost: string
  readonly needs: Needs
  /** The section of the docs; null if there is none. */
  readonly docs: string | null
  /** Sorted by name; empty if it concerns the whole run. */
  readonly artifacts: readonly FailedArtifact[]
}

const confirmDocs = 'records.md#confirm-a-hash'
const maxObserved = 3
const maxFindings = 20

/** What the words of a failure depend on. */
export interface FindingContext {
  readonly inputs: NotarizeInputs
  /** Where to report bugs. */
  readonly reportTo: string
}

/** Finds what went wrong with artifacts, which are ranked; equal failures are one finding. */
export function findFailures(
  ranked: readonly Artifact[],
  context: FindingContext,
): readonly Finding[] {
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome: { failure } }) => {
    return `${failure.reason} ${failure.code} ${stateOfFailure(failure).words}`
  })
  return Array.from(groups.values().take(maxFindings), artifacts => {
    const [first] = artifacts
    assert(first !== undefined, 'a group has an artifact')
    return explainFailure(first.outcome.failure, context, artifacts)
  })
}

/** Explains a failure, in the same words everywhere. */
export function explainFailure(
  failure: Failure,
  { inputs, reportTo }: FindingContext,
  artifacts: readonly FailedArtifact[] = [],
): Finding {
  const { code, status } = failure
  const reason = fitReason(failure.reason, inputs)
  const { cause, next, needs } = words[reason]
  const state = stateOfFailure(failure)
  const isUnsure = state === states.unsure
  const seen = artifacts.map(({ outcome }) => outcome.failure.observed)
  const observed = [...new Set([failure.observed, ...seen])].slice(0, maxObserved)
  let step = next.replace('{reportTo}', () => reportTo)
  if (isUnsure && needs !== 'person') {
    step = `${next}; then look up each of these files at the service, and name the SHA-256 of those that it has in "confirmed-hashes"`
  }
  return {
    reason,
    code,
    short: status === null ? cause : `${cause} (HTTP ${status})`,
    next: step,
    happened: [cause, ...observed].filter(text => text !== ''),
    cost: state.cost,
    needs,
    docs: isUnsure || needs === 'person' ? confirmDocs : `failures.md#${reason}`,
    artifacts,
  }
}

/** What ended a run apart from its artifacts. */
export interface RunEnding {
  readonly halt: Pick<Halt, 'bug' | 'isCancelled' | 'reason'>
  /** Artifacts whose record is only in the log. */
  readonly unsaved: readonly string[]
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  /** What that means for the cost: a clause. */
  readonly cost: string
  /** Where to report bugs. */
  readonly reportTo: string
}

/** Finds what went wrong apart from artifacts. */
export function findRunFailures({
  halt,
  unsaved,
  outputsError,
  cost,
  reportTo,
}: RunEnding): readonly Finding[] {
  const findings: Finding[] = []
  const add = (reason: FindingReason, code: FailureCode | null, observed = ''): void => {
    const { cause, needs } = words[reason]
    const next = words[reason].next.replace('{reportTo}', () => reportTo)
    const happened = [cause, observed].filter(text => text !== '')
    const docs = `failures.md#${reason}`
    findings.push({ reason, code, short: cause, next, happened, cost, needs, docs, artifacts: [] })
  }
  if (halt.bug !== null) add('bug', halt.bug.code, halt.bug.observed)
  if (halt.isCancelled) add('canceled', 'cancelled')
  if (unsaved.length > 0) {
    const names = unsaved.map(name => `"${quote(name)}"`)
    add('record-in-log', null, `the record of ${joinFirst(names, 3, { separator: ', ' })}`)
  } else if (halt.reason?.code === 'not-saved') add('not-saved', 'not-saved')
  if (outputsError !== null) add('outputs-not-written', null, outputsError)
  return findings
}

/** Finds why a run stopped before it sent anything; one finding for each problem. */
export function findProblems(problems: readonly Problem[], cost: string): readonly Finding[] {
  return problems.map(({ message: next, needs }) => {
    const rest = { reason: null, code: null, happened: [], docs: null, artifacts: [] }
    return { ...rest, short: next, next, cost, needs }
  })
}

/** Joins the findings of artifacts and of the run; what is both is told once. The most serious first. */
export function orderFindings(
  ofArtifacts: readonly Finding[],
  ofRun: readonly Finding[],
): readonly Finding[] {
  const told = new Set(ofArtifacts.map(({ reason }) => reason))
  const more = ofRun.filter(({ reason }) => !told.has(reason))
  // What is only in the log comes first: the log may be deleted.
  const [urgent, others] = [true, false].map(isUrgent => {
    return more.filter(({ reason }) => (reason === 'record-in-log') === isUrgent)
  })
  return [...(urgent ?? []), ...ofArtifacts, ...(others ?? [])]
}

/** How to run again. */
export interface Again {
  /** Sentences. */
  readonly text: string
  /** The section of the docs; null if none is needed. */
  readonly docs: string | null
}

const giveDocs = 'records.md#give-a-new-run-the-records'
const free = 'Nothing is charged again.'
const rerun = { text: 'Re-run the failed jobs.', docs: null }
const newRun = { text: 'Start a new run.', docs: null }

/** A row for each place of the records: how to run again if the workflow need not change, and if it has to. */
const rows: Readonly<Record<Place['kind'], readonly [same: Row, changed: Row]>> = {
  none: [
    { ...rerun, charged: free },
    { ...newRun, charged: free },
  ],
  release: [
    { ...rerun, charged: free },
    { ...newRun, charged: free },
  ],
  artifact: [
    { ...rerun, charged: free },
    {
      text: 'Start a new run that has the records of this run.',
      charged: 'Without them, what is registered is charged again.',
      docs: giveDocs,
    },
  ],
  'post-step': sameFor({
    text: 'Look at the end of the log, which says where the records are. If they are kept, re-run the failed jobs, or start a new run that has them if you changed the workflow.',
    charged: 'What is kept is not charged again.',
    docs: giveDocs,
  }),
  log: sameFor({
    text: 'Save the record lines from the log, and start a new run that has them.',
    charged: 'Without them, and in a re-run, what is registered is charged again.',
    docs: giveDocs,
  }),
  file: sameFor({
    text: 'Start a new run that has the records file, if you have a copy of it.',
    charged: 'Without it, and in a re-run, what is registered is charged again.',
    docs: giveDocs,
  }),
  unreadable: sameFor({
    text: 'Re-run the failed jobs. If this happens again, save a copy of that workflow artifact, delete it, and re-run the failed jobs.',
    charged: 'What only that artifact has is charged again.',
    docs: 'records.md#damaged-records',
  }),
  unknown: [
    { ...rerun, charged: 'What an earlier attempt may have registered may be charged again.' },
    { ...newRun, charged: 'What an earlier attempt may have registered may be charged again.' },
  ],
}

interface Row extends Again {
  /** What is charged: a sentence. */
  readonly charged: string
}

function sameFor(row: Row): readonly [Row, Row] {
  return [row, row]
}

/** Says how to run again after all other steps; null if nothing failed. `place` is null where nothing is ever charged. */
export function tellAgain(findings: readonly Finding[], place: Place | null): Again | null {
  if (findings.length === 0) return null
  const isChanged = findings.some(({ needs }) => needs === 'workflow')
  if (place === null) return isChanged ? newRun : rerun
  const helpless = findings.filter(({ needs }) => needs === 'person')
  const failures = findings.flatMap(({ artifacts }) => artifacts)
  const found = failures.map(({ outcome }) => stateOf(outcome))
  const isUnsure = found.includes(states.unsure)
  const canConfirm =
    isUnsure || found.some(state => state === states.known || state === states.contradicted)
  const [same, changed] = rows[place.kind]
  const { text, charged, docs } = isChanged ? changed : same
  const sentences: string[] = []
  if (helpless.length === findings.length) {
    if (!canConfirm)
      return { text: 'Until the service has settled this, a re-run ends the same way.', docs: null }
    sentences.push('Unless you confirm them, a re-run ends the same way for these files.')
  }
  if (canConfirm) {
    sentences.push(
      'To confirm files, set the variable that your workflow passes as "confirmed-hashes" before you run again. If it passes none, start a new run that has the records and that input.',
    )
  }
  sentences.push(text)
  if (isUnsure) {
    sentences.push(
      'Files that may be registered are sent again unless you confirm them, and may be charged again, once.',
    )
    sentences.push(charged === free ? 'Nothing else is charged again.' : charged)
  } else sentences.push(charged)
  if (place.kind === 'artifact' && !place.isComplete) sentences.push(rows.unknown[0].charged)
  return { text: sentences.join(' '), docs: docs ?? (canConfirm ? confirmDocs : null) }
}

/** Numbers of artifacts. `total` is the sum of `registered` and `failed`, except in a dry run. */
export function countArtifacts(artifacts: readonly Artifact[]) {
  const registered = artifacts.filter(isRegistered)
  return {
    total: artifacts.length,
    registered: registered.length,
    newlyRegistered: registered.filter(({ outcome }) => outcome.from === 'this-run').length,
    failed: artifacts.filter(isFailed).length,
  } as const
}
