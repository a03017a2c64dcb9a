/** The default name of the records file, and the name of the first records asset. */
export const recordsName = 'notarization-records.jsonl'

export const evidenceName = 'notarization-evidence.md'

/** Whether this action writes or attaches files with this name. Such files are never artifacts. */
export function isOwnFile(baseName: string): boolean {
  return baseName === evidenceName || /^notarization-records.*\.jsonl(?:\..*)?$/s.test(baseName)
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Compares by UTF-16 code units, the order of all lists that the action shows. */
export function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Returns a line of a checksums file as `sha256sum` writes it, including its newline. */
export function formatChecksum({ name, hash }: Readonly<Record<'name' | 'hash', string>>): string {
  // sha256sum reads a single dash as standard input.
  if (name === '-') return `${hash}  ./-\n`
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  if (escaped === name) return `${hash}  ${name}\n`
  // The first backslash says that the name is escaped.
  return `\\${hash}  ${escaped}\n`
}
