import type { Artifact } from '../outcome.ts'
import { quote } from '../text/escape.ts'
import { pluralize } from '../text/words.ts'

/** The number of artifacts that a pattern matched or a release has. */
export interface PatternCount {
  readonly input: Artifact['source']
  readonly text: string
  readonly count: number
}

const nouns = {
  path: ['file', 'files'],
  checksums: ['checksums entry', 'checksums entries'],
  'release-tag': ['release asset', 'release assets'],
} as const

export function describeCount({ input, text, count }: PatternCount): string {
  const [singular, plural] = nouns[input]
  return `"${quote(text, 100)}" matches ${pluralize(count, singular, plural)}`
}
