import type { WorkflowArtifact } from '../runtime/outside.ts'

/**
 * Where the records of this run and of its earlier attempts are, the best place first. It decides what a later run is
 * charged for: the worst place of any record counts.
 */
export type Place =
  /** There are none, or the release has all of them: every later run finds them. */
  | { readonly kind: 'none' | 'release' }
  /** A re-run of the failed jobs finds them; a new run has to be given them. `artifacts` has at least one. */
  | { readonly kind: 'artifact'; readonly artifacts: readonly WorkflowArtifact[] }
  /** After a signal, the post step keeps them; how, only the end of the log tells. */
  | { readonly kind: 'post-step' }
  /** No run finds them: the log has lines to save. `why` they could not be kept: a clause; null if only the file failed. */
  | { readonly kind: 'log'; readonly why: string | null }
  /** Nothing keeps them, as the inputs ask for (`keep-records: false`), but the records file. */
  | { readonly kind: 'file' }
  /** What an earlier attempt kept cannot be read; nothing was sent. */
  | { readonly kind: 'unreadable' }
  /** An earlier attempt may have registered files, but no line of it was found. */
  | { readonly kind: 'unknown' }
