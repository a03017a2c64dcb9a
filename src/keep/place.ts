import type { WorkflowArtifact } from '../runtime/outside.ts'

/**
 * Where the records of this run and of its earlier attempts are, the best place first. It decides what a later run is
 * charged for: the worst place of any record counts.
 */
export type Place =
  /** There are none. */
  | { readonly kind: 'none' }
  /** The release has all of them: every later run for its tag finds them. The workflow artifacts have them, too. */
  | { readonly kind: 'release'; readonly artifacts: readonly WorkflowArtifact[] }
  /** A re-run of the failed jobs finds them; a new run has to be given them. */
  | {
      readonly kind: 'artifact'
      /** At least one. */
      readonly artifacts: readonly WorkflowArtifact[]
      /** False if an earlier attempt may have registered files, but no line of it was found. */
      readonly isComplete: boolean
    }
  /** An earlier attempt may have registered files, but no line of it was found. This attempt has no records. */
  | { readonly kind: 'unknown' }
  /** After a signal, the post step keeps them; how, only the end of the log tells. */
  | { readonly kind: 'post-step' }
  /** Nothing but the records file has them, as with `keep-records: false`. */
  | { readonly kind: 'file' }
  /** No run finds them: the log has lines to save. */
  | { readonly kind: 'log' }
  /** What an earlier attempt kept cannot be read, or is damaged; nothing was sent. */
  | { readonly kind: 'unreadable' }
