import type { Evidence } from './evidence.ts'
import type { Ledger } from './ledger.ts'

/** In bytes of UTF-8: `actions/attest` takes predicates of up to 16 MiB. */
const maxPredicateBytes = 16_000_000

/**
 * Renders the predicate of an in-toto statement about registered artifacts: the records of a service, as JSON. Returns the
 * empty string if it would exceed {@link maxPredicateBytes}.
 */
export function renderPredicate(
  items: readonly Evidence[],
  { service, source }: Pick<Ledger, 'service' | 'source'>,
): string {
  const records = items.map(({ name: artifact, size, hash, entry, verificationUrl }) => {
    const { at, record } = entry
    // JSON omits fields that are undefined.
    const confirmed = entry.confirmed || undefined
    return { artifact, size, hash, at, record, confirmed, verificationUrl }
  })
  const text = `${JSON.stringify({ service, source, records })}\n`
  return Buffer.byteLength(text) > maxPredicateBytes ? '' : text
}
