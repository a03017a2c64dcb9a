/** How a run ended, and what is said about it. Log, summary, annotations and outputs only format a report. */
import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Whereabouts } from '../keep/keep.ts'
import type { Artifact, Verdict } from '../outcome.ts'
import type { Charges } from '../records/ledger.ts'
import type { Host, WorkflowArtifact } from '../runtime/outside.ts'
import type { Note } from '../runtime/runner.ts'
import { upperFirst } from '../text/phrases.ts'

/** What a run of the notarizing action works with, from its inputs to its report. */
export interface Job {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute. */
  readonly recordsPath: string
}

/** How a run of the notarizing action ended. One that stopped before it sent anything has the verdict `stopped`. */
export interface RunEnd {
  readonly verdict: Verdict
  /** Why the run stopped; none after a signal or a bug. */
  readonly problems: readonly Problem[]
  /** Sorted by name, without secrets. Of a run that stopped: those of its plan, or none. */
  readonly artifacts: readonly Artifact[]
  /** What this step was charged for. */
  readonly charges: Charges
  /** What the workflow run was charged for, as far as its steps and attempts are known. */
  readonly runCharges: Charges
  readonly records: Whereabouts
  /** The one that this step has uploaded, or else those of earlier attempts, the newest last. */
  readonly workflowArtifacts: readonly WorkflowArtifact[]
  /** Whether it has the evidence page of all that is registered. */
  readonly hasPage: boolean
  /** Why the records could not be kept; null if they were, or need not be. */
  readonly keepError: string | null
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  /** Null without `release-tag`. */
  readonly release: { readonly tag: string; readonly url: string | null } | null
}

/** All texts are plain and without secrets. */
export interface Report {
  readonly exitCode: 0 | 1
  /** The verdict, with its sign. */
  readonly title: string
  /** The lines below it. */
  readonly facts: readonly Fact[]
  /** Everything to do, in the order in which it is done. */
  readonly steps: readonly Step[]
  readonly warnings: readonly Note[]
  readonly pointers: readonly Note[]
  /** A row for each artifact, the most serious first. */
  readonly rows: readonly Row[]
  /** Whether there is an evidence page, with which downloaded files can be compared. */
  readonly hasPage: boolean
  /** Annotations, at most ten. */
  readonly errors: readonly string[]
}

export interface Fact {
  readonly label: string
  /** A sentence before the text, in bold; empty if there is none. */
  readonly warning: string
  readonly text: string
}

/** Makes a line; after a warning, its text begins with a capital letter. */
export function makeFact(label: string, warning: string, text: string): Fact {
  return { label, warning, text: warning === '' ? text : upperFirst(text) }
}

export interface Step {
  /** A sentence before `next`, if a re-run would lose money. */
  readonly warning?: string
  /** An imperative sentence. */
  readonly next: string
  /** What happened, the likely cause first, and more about it: sentences. */
  readonly happened: readonly string[]
  /** The likely cause in an annotation: a clause without what a service said. */
  readonly brief?: string
  /** The files that it is about, if that does not go without saying. */
  readonly files?: readonly NamedFile[]
  /** What to do after each finding. */
  readonly answers?: readonly Answer[]
  /** The section of the docs that has more, such as `records.md#confirm-a-hash`. */
  readonly docs?: string | undefined
}

export interface NamedFile {
  readonly name: string
  /** To look it up; null if that is not needed. */
  readonly hash: string | null
  /** For a browser; null if there is no page. */
  readonly url: string | null
}

export interface Answer {
  readonly label: string
  readonly text: string
  /** The section of the docs that says how. */
  readonly docs?: string
}

export interface Row {
  /** The state and its cause in a few words, with the sign. */
  readonly state: string
  readonly artifact: Pick<Artifact, 'name' | 'size' | 'hash'>
  /** Where people look up the hash; null if there is no need to. */
  readonly url: string | null
  /** What is to be said about it alone: a clause; empty if nothing. */
  readonly note: string
  /** When it was registered (UTC), on which blockchain, in which transaction; empty where unknown. */
  readonly cells: readonly string[]
  /** The most serious first: it may be registered, it failed, there is something to say about it, there is nothing. */
  readonly rank: 0 | 1 | 2 | 3
}

/** How many names a text shows at most. */
export const maxNames = 3
