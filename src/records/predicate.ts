import type { Source } from '../runtime/environment.ts'
import type { RecordEntry } from './lines.ts'

/** In bytes of UTF-8. `actions/attest` takes predicates of up to 16 MiB. */
export const maxPredicateBytes = 16_000_000

/** A registered artifact under its name in this run, and the newest record of its hash at the service. */
export interface NotarizedArtifact {
  readonly name: string
  /** Bytes; null if unknown. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  readonly entry: RecordEntry
}

/** What a predicate states: which artifacts are registered at which service, for which commit and run. */
export interface Notarization {
  /** Base URL of the service in normal form. */
  readonly service: string
  /** Of the lines that this run writes. */
  readonly source: Source
  readonly artifacts: readonly NotarizedArtifact[]
}

/**
 * Renders the predicate of an in-toto statement about these artifacts, as JSON (README.md, output `predicate-path`). Empty
 * without artifacts, or if it would exceed {@link maxPredicateBytes}. Redacts nothing.
 */
export function renderPredicate({ service, source, artifacts }: Notarization): string {
  if (artifacts.length === 0) return ''
  const records = artifacts.map(({ name, size, hash, entry }) => {
    const { at, record, verificationUrl } = entry
    // JSON.stringify omits undefined fields.
    const confirmed = entry.confirmed || undefined
    return { artifact: name, size, hash, at, record, confirmed, verificationUrl }
  })
  const text = `${JSON.stringify({ service, source, records })}\n`
  if (Buffer.byteLength(text) > maxPredicateBytes) return ''
  return text
}
