import {
  applyDefaults,
  parseBoolean,
  parseGithubToken,
  parsePatterns,
  parseReleaseTag,
  type Parsed,
} from '../input-values.ts'
import type { Problem } from '../outcome.ts'
import { quote } from '../report/escape.ts'

/** Every input with its default, as in `verify/action.yml`. An empty input is its default. */
export const verifyDefaults = {
  path: '',
  checksums: '',
  'release-tag': '',
  records: 'notarization-records.jsonl',
  sha: '',
  'require-all': 'false',
  'show-summary': 'true',
  'github-token': '',
} as const

/** Name of an input. */
export type VerifyInputName = keyof typeof verifyDefaults

/** Checked inputs of the verify action. */
export interface VerifyInputs {
  readonly path: string
  readonly checksums: string
  readonly releaseTag: string | null
  /** Patterns of records files, one a line. */
  readonly records: string
  /** Whether `records` is only the default. */
  readonly isDefaultRecords: boolean
  /** The commit, 40 or 64 lower-case hex digits; null for any. */
  readonly sha: string | null
  readonly requireAll: boolean
  readonly showSummary: boolean
  readonly githubToken: string
}

/** Checks all inputs at once; pure. Where a problem names an input, its value is only a placeholder. */
export function readVerifyInputs(given: Readonly<Record<VerifyInputName, string>>): {
  readonly inputs: VerifyInputs
  readonly problems: readonly Problem[]
} {
  const raw = applyDefaults(verifyDefaults, given)
  const problems: Problem[] = []
  const read = <T>(
    input: VerifyInputName,
    parse: (text: string) => Parsed<T>,
    placeholder: T,
  ): T => {
    const parsed = parse(raw[input])
    if ('value' in parsed) return parsed.value
    problems.push({ input, message: `input "${input}" ${parsed.error}` })
    return placeholder
  }
  const tag = raw['release-tag']
  const inputs = {
    path: read('path', text => parsePatterns(text, raw.checksums + tag), ''),
    checksums: raw.checksums,
    releaseTag: read('release-tag', parseReleaseTag, null),
    records: raw.records,
    isDefaultRecords: raw.records === verifyDefaults.records,
    sha: read('sha', parseSha, null),
    requireAll: read('require-all', parseBoolean, false),
    showSummary: read('show-summary', parseBoolean, true),
    githubToken: read('github-token', text => parseGithubToken(text, tag), ''),
  }
  return { inputs, problems }
}

function parseSha(text: string): Parsed<string | null> {
  if (text === '') return { value: null }
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)) return { value: text.toLowerCase() }
  return { error: `must be a whole commit id of 40 or 64 hex digits (got "${quote(text, 100)}")` }
}
