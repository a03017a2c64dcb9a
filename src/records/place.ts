/** A records file from elsewhere, such as an asset of a release. */
export interface RecordsSource {
  /** As messages name it: `notarization-records.jsonl of the release`. */
  readonly name: string
  readonly bytes: Buffer
  /** How to go on if it is damaged: an imperative clause. */
  readonly remedy: string
}

/** A place outside this machine that keeps records: it gives lines at the start, and takes the file at the end. */
export interface RecordsPlace {
  /** The records files that it holds. */
  readonly records: readonly RecordsSource[]
  /** For the log and the summary. */
  readonly warnings: readonly string[]
}
