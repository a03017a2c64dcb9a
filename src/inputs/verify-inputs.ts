import * as z from 'zod/mini'
import type { RawInputs } from '../runtime/runner.ts'
import {
  baseUrl,
  boolean,
  commitId,
  defaultBaseUrl,
  githubToken,
  optional,
  releaseTag,
} from './input-values.ts'
import { checkShared, inputNames, parseInputs, type ParsedInputs } from './parse-inputs.ts'

/** The default of `records`. */
export const defaultRecords = 'notarization-records*.jsonl'

/** Every input, with its default as in `verify/action.yml`. */
const schema = z.object({
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  releaseTag: optional(releaseTag),
  /** Patterns of records files, one per line. */
  records: z.prefault(z.string(), defaultRecords),
  /** The service whose records count, in normal form. */
  baseUrl: z.prefault(baseUrl, defaultBaseUrl),
  /** The commit whose records are required, in lower case; null for any. */
  sha: optional(commitId),
  requireAll: z.prefault(boolean, 'false'),
  showSummary: z.prefault(boolean, 'true'),
  githubToken: z.prefault(githubToken, ''),
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
