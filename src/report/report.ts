/** What is said about a finished run of either action. Log, summary, annotations and outputs only format it. */
import type { Artifact, FailedArtifact } from '../outcome.ts'

/** All texts are plain and without secrets. A section of the docs in one, such as `docs/records.md#where`, becomes a link. */
export interface Report {
  readonly exitCode: 0 | 1
  /** The verdict, with its sign. */
  readonly title: string
  /** What it cost, or what was compared: a sentence. */
  readonly cost: string
  /** How many artifacts have which state; empty if all have the same. */
  readonly counts: readonly string[]
  /** Everything to do, in the order in which it can be done. */
  readonly steps: readonly Step[]
  /** Above the steps: an imperative, and the page of the docs on all of it. */
  readonly todo: { readonly lead: string; readonly docs: string }
  /** For a run of the notarizing action that failed; null otherwise. */
  readonly again: RunAgain | null
  readonly warnings: readonly string[]
  /** Where the records are, and how to use them. */
  readonly places: readonly Place[]
  readonly table: Table
  /** Annotations, at most ten. */
  readonly errors: readonly string[]
  /** Each failed artifact with what happened and what to do; sorted by name. */
  readonly failures: readonly { readonly artifact: FailedArtifact; readonly message: string }[]
}

export interface Link {
  readonly name: string
  /** For a browser; null if there is no page. */
  readonly url: string | null
}

/** Something to do. The texts are clauses. */
export interface Step {
  readonly next: string
  /** More about it; empty if there is nothing to add. */
  readonly hint: string
  /** What happened, the likely cause first; one for each cause. */
  readonly happened: readonly string[]
  /** What that cost, or another result, and for what; no names if it concerns the whole run. */
  readonly results: readonly { readonly cost: string; readonly about: readonly Link[] }[]
}

/** What the last step says about the next run. */
export interface RunAgain {
  readonly way: 're-run' | 'new-run' | 'new-run-with-records'
  /** How many registrations it makes and is charged for, and how many of these may be charged a second time; null if unknown. */
  readonly charges: { readonly count: number; readonly second: number } | null
  /** How many it is charged for without the records; null if there are none. */
  readonly without: number | null
}

/** A line about records: a label, links, and a command to run, if any. */
export interface Place {
  readonly label: string
  readonly text: string
  readonly links: readonly Link[]
  /** Empty if there is none. */
  readonly command: string
}

export interface Row {
  readonly sign: string
  readonly words: string
  readonly artifact: Pick<Artifact, 'name' | 'size' | 'hash'>
  /** Where people look up the hash; null if there is no need to. */
  readonly url: string | null
  /** Why it failed, or what is to be said about it; empty if nothing. */
  readonly note: string
  /** What the log says in addition: the code and what was observed. */
  readonly detail: string
  /** The cells below the columns of the table. */
  readonly cells: readonly string[]
  readonly isPlain: boolean
}

/** A row for each artifact, the most serious first. */
export interface Table {
  /** The titles after state, artifact, size and hash. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** Whether plain rows are folded; more than 50 always are. */
  readonly isFolded: boolean
  /** Where to find the rows that do not fit. */
  readonly elsewhere: string
}
