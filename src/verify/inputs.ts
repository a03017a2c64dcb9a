import * as z from 'zod/mini'
import {
  applyDefaults,
  commitId,
  githubToken,
  inputProblems,
  optionalBaseUrl,
  patterns,
  releaseTag,
  yesOrNo,
} from '../input-values.ts'

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

const schema = (raw: RawInputs) =>
  z.pipe(
    z.object({
      path: patterns(raw.checksums + raw['release-tag']),
      checksums: z.string(),
      'release-tag': releaseTag,
      records: z.string(),
      'base-url': optionalBaseUrl,
      sha: commitId,
      'require-all': yesOrNo,
      'show-summary': yesOrNo,
      'github-token': githubToken(raw['release-tag']),
    }),
    z.transform(read => ({
      path: read.path,
      checksums: read.checksums,
      releaseTag: read['release-tag'],
      /** Patterns of records files, one a line. */
      records: read.records,
      isDefaultRecords: read.records === verifyDefaults.records,
      /** Base URL of the service in normal form; null for any that is not on loopback. */
      baseUrl: read['base-url'],
      /** The commit, 40 or 64 lower-case hex digits; null for any. */
      sha: read.sha,
      requireAll: read['require-all'],
      showSummary: read['show-summary'],
      githubToken: read['github-token'],
    })),
  )

/** Checked inputs of the verify action. */
export type VerifyInputs = z.infer<ReturnType<typeof schema>>

/** What reading the inputs gives. */
export type VerifyInputReading = ReturnType<typeof readVerifyInputs>

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readVerifyInputs(given: RawInputs) {
  const raw = applyDefaults(verifyDefaults, given)
  const parsed = schema(raw).safeParse(raw)
  const { path, checksums, records } = raw
  return {
    /** Null if anything is wrong. */
    inputs: parsed.success ? parsed.data : null,
    /** Everything that is wrong, at once. */
    problems: parsed.success ? [] : inputProblems(parsed.error.issues),
    /** Must be masked before anything is said. */
    secrets: [raw['github-token']],
    /** What a run with wrong inputs needs all the same, to name all problems and to report them: as given, or the default. */
    usable: {
      ...{ path, checksums, records },
      releaseTag: releaseTag.safeParse(raw['release-tag']).data ?? null,
      baseUrl: optionalBaseUrl.safeParse(raw['base-url']).data ?? null,
      showSummary: yesOrNo.safeParse(raw['show-summary']).data ?? true,
    },
  }
}
