/** Makes the masks of a secret as the runner does: every trimmed line that is not empty is one, however short. */
export function toMasks(secret: string): string[] {
  return secret
    .split(/[\r\n]/)
    .map(line => line.trim())
    .filter(line => line !== '')
}

/** Replaces every masked part by `***`, the longest first. The encoded forms of masks are left out. */
export function applyMasks(text: string, masks: readonly string[]): string {
  const longestFirst = masks.toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((shown, mask) => shown.replaceAll(mask, '***'), text)
}
