/** Returns a number with its noun: `1 artifact`, `2 artifacts`. `plural` is for irregular nouns. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/** Joins the first `max` items, and counts the others: `a; b; and 3 more`. `rest` replaces the word `more`. */
export function joinFirst(
  items: readonly string[],
  max: number,
  { separator = '; ', rest = 'more' }: { readonly separator?: string; readonly rest?: string } = {},
): string {
  const shown = items.slice(0, max)
  if (items.length > max) shown.push(`and ${items.length - max} ${rest}`)
  return shown.join(separator)
}

/** Returns as many items from the start as fit, by the size of each. The rest is not even made. */
export function takeFitting<T>(
  items: Iterable<T>,
  maxSize: number,
  sizeOf: (item: T) => number,
): readonly T[] {
  const taken: T[] = []
  let size = 0
  for (const item of items) {
    size += sizeOf(item)
    if (size > maxSize) break
    taken.push(item)
  }
  return taken
}

export function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Begins a clause with a capital letter unless it begins with a name. */
export function capitalize(clause: string): string {
  if (!/^[a-z]+(?:-[a-z]+)*[ :,;]/.test(clause)) return clause
  return upperFirst(clause)
}

/** Turns a clause into a sentence: a capital letter unless it begins with a name, and a period. */
export function toSentence(clause: string): string {
  const period = /[.!?…\]]$/.test(clause) ? '' : '.'
  return capitalize(clause) + period
}

/** Turns clauses into sentences, and leaves out empty ones. */
export function toSentences(clauses: readonly string[]): string {
  const texts = clauses.filter(clause => clause !== '')
  return texts.map(toSentence).join(' ')
}

/** Formats a number of seconds: `45 s`, `3 min`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats epoch milliseconds as `2026-01-31 12:00:00` in UTC; empty if no calendar has that time. */
export function formatTime(epochMs: number): string {
  const date = new Date(epochMs)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 19).replace('T', ' ')
}
