/** How a run ended: what `main.ts` knows, and `judge.ts` reads. */
import type { Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Place } from '../keep/keep.ts'
import type { Artifact, Verdict } from '../outcome.ts'
import type { Release } from '../release/release.ts'
import type { Host } from '../runtime/outside.ts'

/** What a run works with, from its inputs to its report. */
export interface Job {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute. */
  readonly recordsPath: string
}

interface AnyRun {
  /** Sorted by name. Of a run that stopped: those of its plan, or none. */
  readonly artifacts: readonly Artifact[]
  readonly place: Place
  /** The hashes with a record of this run, of any attempt, that is not on the release. */
  readonly recorded: ReadonlySet<string>
  /** Whether this is a later attempt, and no line of an earlier one was found. */
  readonly isEarlierMissing: boolean
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
}

/** A run that stopped before anything was sent. */
export interface StoppedRun extends AnyRun {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
}

/** A run that knows the outcome of each artifact. */
export interface CompletedRun extends AnyRun {
  readonly kind: 'completed'
  readonly verdict: Verdict
  /** Null without `release-tag`. */
  readonly release: Pick<Release, 'tag' | 'url'> | null
  /** Artifacts whose record is only in the log. */
  readonly unsaved: readonly string[]
  /** The number of completions that may have been charged without a record. */
  readonly doubtCount: number
}

export type RunEnd = StoppedRun | CompletedRun
