/** The workflow artifacts that hold records, one for each content of a records file. */

const form = /^notarization-records-\d+-([0-9a-f]{12})(?:-1)?$/

/** Returns the name for a records file with this SHA-256 (hex). Another attempt or content has another name. */
export function makeArtifactName(runAttempt: string, digest: string): string {
  return `notarization-records-${runAttempt}-${digest.slice(0, 12)}`
}

/** Returns the first 12 hex digits of the SHA-256 that an artifact's records must have; null if the name is not ours. */
export function readDigits(artifactName: string): string | null {
  return form.exec(artifactName)?.[1] ?? null
}
