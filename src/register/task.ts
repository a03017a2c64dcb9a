import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { RecordsStore } from '../records/store.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/host.ts'

/** What registering needs. */
export interface RegisterTask {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** The commit and run to write in the lines. */
  readonly source: Source
  readonly records: RecordsStore
}
