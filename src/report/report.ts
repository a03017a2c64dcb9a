/** What is said about a finished run of either action. Log, summary, annotations and outputs only format it. */
import type { Artifact, FailedArtifact } from '../outcome.ts'

/** All texts are plain and without secrets. The address of a page of the docs in one becomes a link. */
export interface Report {
  readonly exitCode: 0 | 1
  /** The verdict, with its sign. */
  readonly title: string
  /** What it cost, or what was compared: a clause. */
  readonly cost: string
  /** How many artifacts have which state; empty if all have the same. */
  readonly counts: readonly string[]
  /** What stands above the steps. */
  readonly lead: string
  /** Everything to do, in the order in which it can be done. */
  readonly steps: readonly Step[]
  readonly warnings: readonly string[]
  /** Where the records are, and how to use them. */
  readonly pointers: readonly Listing[]
  readonly table: Table
  /** Annotations, at most ten. */
  readonly errors: readonly string[]
  /** Each failed artifact with what to do and what happened; sorted by name. */
  readonly failures: readonly { readonly artifact: FailedArtifact; readonly message: string }[]
}

/** Something to do. */
export interface Step {
  /** An imperative clause; the address of a section of the docs that has more may follow. */
  readonly next: string
  /** More about it: sentences; empty if there is nothing to add. */
  readonly hint: string
  /** What happened, the likely cause first: sentences for each cause. */
  readonly happened: readonly string[]
  /** What it cost, or another result, and for which artifacts. */
  readonly results: readonly Listing[]
}

/** A clause about some things. */
export interface Listing {
  readonly text: string
  readonly links: readonly Link[]
}

export interface Link {
  readonly name: string
  /** For a browser; null if there is no page. */
  readonly url: string | null
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

export interface Row {
  readonly sign: string
  readonly label: string
  readonly artifact: Pick<Artifact, 'name' | 'size' | 'hash'>
  /** Where people look up the hash; null if there is no need to. */
  readonly url: string | null
  /** Why it failed, or what is to be said about it: a clause; empty if nothing. */
  readonly note: string
  /** The cells below the columns of the table. */
  readonly cells: readonly string[]
  /** Whether nothing is to be said about it. */
  readonly isPlain: boolean
}
