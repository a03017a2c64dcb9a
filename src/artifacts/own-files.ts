/** Name of the records file by default, and of the first records asset. */
export const recordsName = 'notarization-records.jsonl'

/** Name of the evidence page. */
export const evidenceName = 'notarization-evidence.md'

/** How the name of the asset begins by which it is tried whether files can be uploaded. */
export const writeTestPrefix = 'notarization-write-test-'

/** Whether an asset of the release holds records. */
export function isRecordsAsset(name: string): boolean {
  return name.startsWith('notarization-records') && name.endsWith('.jsonl')
}

/** Whether this action writes or attaches files of this name, which are never artifacts. */
export function isOwnFile(baseName: string): boolean {
  if (baseName === evidenceName || baseName.startsWith(writeTestPrefix)) return true
  return /^notarization-records.*\.jsonl(?:\..*)?$/s.test(baseName)
}
