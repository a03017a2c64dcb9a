import * as z from 'zod/mini'
import type { Problem } from '../failure.ts'
import { findSharedNeeds, readTexts } from './input-texts.ts'
import { baseUrl, commitId, githubToken, releaseTag, yesOrNo } from './input-values.ts'

/** Every input with its default, as in `verify/action.yml`. An empty input is its default. */
export const verifyDefaults = {
  path: '',
  checksums: '',
  'release-tag': '',
  records: 'notarization-records*.jsonl',
  'base-url': '',
  sha: '',
  'require-all': 'false',
  'show-summary': 'true',
  'github-token': '',
} as const

/** Name of an input. */
export type VerifyInputName = keyof typeof verifyDefaults

/** The texts that the runner gives. */
export type RawVerifyInputs = Readonly<Record<VerifyInputName, string>>

const schema = z.object({
  path: z.string(),
  checksums: z.string(),
  /** Null without one. */
  releaseTag,
  /** Patterns of records files, one per line. */
  records: z.string(),
  /** The service whose records count, in normal form; null for the only one that has any. */
  baseUrl,
  /** The commit whose records are required, in lower case; null for any. */
  sha: commitId,
  requireAll: yesOrNo,
  showSummary: yesOrNo,
  githubToken,
})

/** The inputs of the verify action, read. */
export type VerifyInputs = Readonly<z.infer<typeof schema>>

/** All inputs, checked at once. */
export interface VerifyInputReading {
  /** The inputs, defaults in place of wrong ones: a run with wrong inputs still names all problems and reports them. */
  readonly usable: VerifyInputs
  /** Everything that is wrong, at once. */
  readonly problems: readonly Problem[]
  /** Must be masked before anything is logged. */
  readonly secrets: readonly string[]
}

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readVerifyInputs(given: RawVerifyInputs): VerifyInputReading {
  const { texts, usable, problems } = readTexts(schema, verifyDefaults, given)
  return {
    usable,
    problems: [...findSharedNeeds(texts), ...problems],
    secrets: [texts['github-token']],
  }
}
