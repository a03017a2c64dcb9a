/** How numbers, sizes, times, names, fields and lines are written. */

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

/** Turns a clause into a sentence: a capital letter unless it begins with a name, and a period. */
export function toSentence(clause: string): string {
  const isWord = /^[a-z]+(?:-[a-z]+)*[ :,;]/.test(clause)
  const start = isWord ? `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}` : clause
  return /[.!?…\]]$/.test(clause) ? start : `${start}.`
}

/** Compares by UTF-16 code units, the order of all lists that the action shows. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the part of a name after the last `/`. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Formats a number of bytes: exact below 1 KiB, then with one decimal; a dash for null. */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return '–'
  let text = `${bytes} B`
  let value = bytes
  for (const unit of ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']) {
    if (value < 1024) break
    value /= 1024
    text = `${value.toFixed(1)} ${unit}`
  }
  return text
}

/** Formats a number of seconds: `45 s`, `3 min`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats epoch milliseconds as `2026-01-31 12:00:00` in UTC, and any other field of a record as {@link fieldText}. */
export function formatTime(value: unknown): string {
  const date = new Date(typeof value === 'number' ? value : NaN)
  if (Number.isNaN(date.getTime())) return fieldText(value)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}

/** Returns a string, number or boolean as text, with all digits; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value)
  return isScalar ? JSON.stringify(value) : null
}

/** Returns {@link textOf}, but the empty string instead of null. */
export function fieldText(value: unknown): string {
  return textOf(value) ?? ''
}

/** Returns a line of a checksums file as `sha256sum` writes it, including its newline. */
export function formatChecksum({ name, hash }: Readonly<Record<'name' | 'hash', string>>): string {
  // sha256sum reads a single dash as standard input.
  if (name === '-') return `${hash}  ./-\n`
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`
}
