import * as z from 'zod/mini'
import { readTexts, sharedNeeds } from './input-texts.ts'
import { baseUrl, commitId, githubToken, releaseTag, yesOrNo } from './input-values.ts'

/** Every input with its default, as in `verify/action.yml`. An empty input is its default. */
export const verifyDefaults = {
  path: '',
  checksums: '',
  'release-tag': '',
  records: 'notarization-records.jsonl',
  'base-url': '',
  sha: '',
  'require-all': 'false',
  'show-summary': 'true',
  'github-token': '',
} as const

/** Name of an input. */
export type VerifyInputName = keyof typeof verifyDefaults

type RawInputs = Readonly<Record<VerifyInputName, string>>

const schema = z.object({
  path: z.string(),
  checksums: z.string(),
  releaseTag,
  /** Patterns of records files, one a line. */
  records: z.string(),
  /** Base URL of the service in normal form; null for any that is not on loopback. */
  baseUrl,
  /** The commit, 40 or 64 lower-case hex digits; null for any. */
  sha: commitId,
  requireAll: yesOrNo,
  showSummary: yesOrNo,
  githubToken,
})

/** What reading the inputs gives. */
export type VerifyInputReading = ReturnType<typeof readVerifyInputs>

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readVerifyInputs(given: RawInputs) {
  const { texts, usable, problems: wrong } = readTexts(schema, verifyDefaults, given)
  const problems = [...sharedNeeds(texts), ...wrong]
  return {
    /** Null if anything is wrong. */
    inputs: problems.length > 0 ? null : usable,
    /** Everything that is wrong, at once. */
    problems,
    /** Must be masked before anything is said. */
    secrets: [texts['github-token']],
    spared: [],
    /** What a run with wrong inputs goes by all the same, to name all problems and to report them. */
    usable,
  }
}
