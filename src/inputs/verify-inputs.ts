import * as z from 'zod/mini'
import type { RawInputs } from '../runtime/runner.ts'
import * as shared from './shared-inputs.ts'

export const defaultRecords = 'notarization-records*.jsonl'

/** Every input, with its default as in `verify/action.yml`. */
const verifySchema = z.object({
  ...shared.commonInputs,
  /** Patterns of records files, one per line. */
  records: z.prefault(z.string(), defaultRecords),
  requireAll: z.prefault(shared.boolean, 'false'),
})

/** Checks all inputs at once; pure. */
export const readVerifyInputs = (rawInputs: RawInputs) =>
  shared.parseInputs(verifySchema, rawInputs)
