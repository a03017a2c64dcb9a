import * as z from 'zod/mini'
import type { RawInputs } from '../runtime/runner.ts'
import * as values from './input-values.ts'
import { checkShared, inputNames, parseInputs, type ParsedInputs } from './parse-inputs.ts'

/** The default of `records`. */
export const defaultRecords = 'notarization-records*.jsonl'

/** Every input, with its default as in `verify/action.yml`. */
const schema = z.object({
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  releaseTag: values.optional(values.releaseTag),
  /** Patterns of records files, one per line. */
  records: z.prefault(z.string(), defaultRecords),
  /** The service whose records count, in normal form. */
  baseUrl: z.prefault(values.baseUrl, values.defaultBaseUrl),
  /** The commit whose records are required, in lower case; null for any. */
  sha: values.optional(values.commitId),
  requireAll: z.prefault(values.boolean, 'false'),
  showSummary: z.prefault(values.boolean, 'true'),
  githubToken: z.prefault(values.githubToken, ''),
})

export const verifyInputNames = inputNames(schema)

/** The inputs of the verify action. */
export type VerifyInputs = Readonly<z.infer<typeof schema>>

/** The inputs as read. */
export interface VerifyInputReading extends ParsedInputs<VerifyInputs> {
  /** Must be masked before anything is logged. */
  readonly secrets: readonly string[]
}

/** Checks all inputs at once; pure. Each problem names the value (never a secret) and the remedy. */
export function readVerifyInputs(rawInputs: RawInputs): VerifyInputReading {
  const { inputs, problems } = parseInputs(schema, rawInputs)
  const secrets = [rawInputs['github-token'] ?? '']
  return { inputs, problems: [...checkShared(rawInputs), ...problems], secrets }
}
