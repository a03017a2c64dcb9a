/** The files that this action attaches to a release; with a release, nothing of these names is an artifact. */
export const attachedNames = {
  records: 'notarization-records.jsonl',
  checksums: 'notarization-checksums.txt',
  evidence: 'notarization-evidence.md',
} as const

/** Behind the name of an attached file while it is uploaded: a UUID, so that no file of others is taken for it. */
const temporary = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/** Whether an asset is the attached file of this name, or what an interrupted upload of it left. */
export function isAttached(assetName: string, name: string): boolean {
  if (!assetName.startsWith(name)) return false
  const rest = assetName.slice(name.length)
  return rest === '' || temporary.test(rest)
}

/** Whether an asset is any of the attached files, or what an interrupted upload left. */
export function isOwnAsset(assetName: string): boolean {
  return Object.values(attachedNames).some(name => isAttached(assetName, name))
}
