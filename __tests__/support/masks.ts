/** Makes the masks of a secret as the runner does: every trimmed line that is not empty is one, however short. */
export function toMasks(secret: string): string[] {
  return secret
    .split(/[\r\n]/)
    .map(line => line.trim())
    .filter(line => line !== '')
}

interface Range {
  readonly start: number
  readonly end: number
}

function* findAll(text: string, mask: string): Generator<Range> {
  for (let start = text.indexOf(mask); start >= 0; start = text.indexOf(mask, start + 1)) {
    yield { start, end: start + mask.length }
  }
}

/** Replaces every masked part by `***`; parts that touch or overlap become one. The encoded forms of masks are left out. */
export function applyMasks(text: string, masks: Iterable<string>): string {
  const ranges = [...masks]
    .flatMap(mask => [...findAll(text, mask)])
    .sort((a, b) => a.start - b.start)
  let shown = ''
  let end = 0
  let hasOpenMask = false
  for (const range of ranges) {
    if (!hasOpenMask || range.start > end) {
      shown += `${text.slice(end, range.start)}***`
      hasOpenMask = true
    }
    end = Math.max(end, range.end)
  }
  return shown + text.slice(end)
}
