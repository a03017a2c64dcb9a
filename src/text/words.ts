/** A number with its noun: `1 artifact`, `2 artifacts`; `many` for a plural that is no `s`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The first items, and how many more there are: `a; b; and 3 more`. `rest` names what is left out. */
export function joinFirst(
  items: readonly string[],
  max: number,
  { separator = '; ', rest = 'more' }: { readonly separator?: string; readonly rest?: string } = {},
): string {
  const left = items.length - max
  return left > 0
    ? [...items.slice(0, max), `and ${left} ${rest}`].join(separator)
    : items.join(separator)
}

/** Sorts by UTF-16 code units, the order of every list that the action shows. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The last part of a name with `/`. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
