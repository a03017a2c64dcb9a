const maxUrlLength = 2000

/** Returns what is wrong with a template for verification URLs; null if it is valid. */
export function checkVerificationTemplate(template: string): string | null {
  const filled = template.replaceAll(/\{(?:hash|txId)\}/g, 'x')
  const url = URL.parse(filled)
  if (url === null || /[\s\p{Cc}\\]/u.test(template)) return 'must be one URL'
  if (!/^https:\/\//i.test(template)) return 'must start with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain credentials'
  if (/[{}]/.test(filled)) return 'must have no placeholders except {hash} and {txId}'
  if (/^https:\/{2,}[^/?#]*\{/i.test(template)) return 'must have a host without placeholders'
  if (template.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`
  if (!template.includes('{')) return 'must have the placeholder {hash} or {txId}'
  return null
}

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
    const transaction = encodeURIComponent(txId.toWellFormed())
    url = url.replaceAll('{txId}', () => transaction)
  }
  if (url.length > maxUrlLength) return null
  return url
}
