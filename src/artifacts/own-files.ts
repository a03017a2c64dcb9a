/** The default name of the records file, and the name of the first records asset. */
export const recordsName = 'notarization-records.jsonl'

export const evidenceName = 'notarization-evidence.md'

/** Whether a release asset with this name holds records. */
export function isRecordsAsset(name: string): boolean {
  return name.startsWith('notarization-records') && name.endsWith('.jsonl')
}

/** Whether this action writes or attaches files with this name. Such files are never artifacts. */
export function isOwnFile(baseName: string): boolean {
  if (baseName === evidenceName) return true
  return /^notarization-records.*\.jsonl(?:\..*)?$/s.test(baseName)
}
