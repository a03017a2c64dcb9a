import * as z from 'zod/mini'
import type { RawInputs } from '../runtime/runner.ts'
import { baseUrl, commitId, githubToken, orNull, releaseTag, flag } from './input-values.ts'
import { checkShared, inputNames, parseInputs, type ParsedInputs } from './parse-inputs.ts'

/** The default of `records`. */
export const defaultRecords = 'notarization-records*.jsonl'

/** Every input, with its default as in `verify/action.yml`. */
const schema = z.object({
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  releaseTag: orNull(releaseTag),
  /** Patterns of records files, one per line. */
  records: z.prefault(z.string(), defaultRecords),
  /** The service whose records count, in normal form; null for the only one that has any. */
  baseUrl: orNull(baseUrl),
  /** The commit whose records are required, in lower case; null for any. */
  sha: orNull(commitId),
  requireAll: z.prefault(flag, 'false'),
  showSummary: z.prefault(flag, 'true'),
  githubToken: z.prefault(githubToken, ''),
})

/** The names of the inputs. */
export const verifyInputNames = inputNames(schema)

/** The inputs of the verify action, read. */
export type VerifyInputs = Readonly<z.infer<typeof schema>>

/** All inputs, checked at once. */
export interface VerifyInputReading extends ParsedInputs<VerifyInputs> {
  /** Must be masked before anything is logged. */
  readonly secrets: readonly string[]
}

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readVerifyInputs(given: RawInputs): VerifyInputReading {
  const { usable, problems } = parseInputs(schema, given)
  const secrets = [given['github-token'] ?? '']
  return { usable, problems: [...checkShared(given), ...problems], secrets }
}
