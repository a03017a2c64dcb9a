import type { Failure } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { pluralize } from '../text/words.ts'

/** The input that named an artifact. */
export type ArtifactSource = 'path' | 'checksums' | 'release-tag'

export interface HashedArtifact {
  readonly source: ArtifactSource
  /** Path relative to the workspace (absolute outside it) with `/`, name in a checksums file, or name of an asset. */
  readonly name: string
  /** Bytes; null for an entry of a checksums file. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
}

/** An artifact that could not be hashed. */
export interface FailedArtifact {
  readonly source: ArtifactSource
  readonly name: string
  readonly failure: Failure
}

export type Artifact = HashedArtifact | FailedArtifact

/** The number of artifacts that a pattern matched or a release has. */
export interface PatternCount {
  readonly input: ArtifactSource
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

export function isHashed(artifact: Artifact): artifact is HashedArtifact {
  return 'hash' in artifact
}
