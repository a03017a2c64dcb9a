/** Fills in a template for one record; null without a template, a hash, or a `txId` that the template needs. */
export function fillVerificationUrl(
  template: string | null,
  { hash, record }: { readonly hash: string | null; readonly record: { readonly txId?: unknown } },
): string | null {
  if (template === null || hash === null) return null
  let url = template.replaceAll('{hash}', hash)
  if (url.includes('{txId}')) {
    const { txId } = record
    if (typeof txId !== 'string' || txId === '' || txId.includes('***')) return null
    url = url.replaceAll('{txId}', encodeURIComponent(txId.toWellFormed()))
  }
  return url
}
