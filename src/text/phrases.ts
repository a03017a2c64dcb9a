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

/** Begins a clause with a capital letter unless it begins with a name. */
export function capitalize(clause: string): string {
  if (!/^[a-z]+(?:-[a-z]+)*[ :,;]/.test(clause)) return clause
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}`
}

/** Turns a clause into a sentence: a capital letter unless it begins with a name, and a period. */
export function toSentence(clause: string): string {
  const start = capitalize(clause)
  return /[.!?…\]]$/.test(clause) ? start : `${start}.`
}
