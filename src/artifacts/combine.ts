import { problemAt, type Problem } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits, someOf } from '../text/words.ts'
import { isHashed, type Artifact, type ArtifactSource } from './artifact.ts'

/** The artifacts of all inputs. */
export interface CombinedArtifacts {
  /** One per name, sorted. */
  readonly combined: readonly Artifact[]
  /** Names with two hashes, in words. */
  readonly conflicts: readonly string[]
}

/**
 * Makes one artifact of all with one name; a failure outweighs a hash. An asset of the release with the base name and the
 * hash of a local artifact is that artifact; the guards of the release stop the run where the hashes differ.
 */
export function combineArtifacts(artifacts: readonly Artifact[]): CombinedArtifacts {
  const from = (input: ArtifactSource): readonly Artifact[] =>
    artifacts.filter(({ source }) => source === input)
  const byName = new Map<string, Artifact>()
  const hashes = new Map<string, string>()
  const conflicts = new Set<string>()
  for (const artifact of [...from('path'), ...from('checksums')]) {
    const { name } = artifact
    if (!byName.has(name) || !isHashed(artifact)) byName.set(name, artifact)
    if (!isHashed(artifact)) continue
    const { hash } = artifact
    const other = hashes.get(name) ?? hash
    hashes.set(name, other)
    if (other !== hash) conflicts.add(`"${quote(name)}" has two hashes, ${other} and ${hash}`)
  }
  const assets = from('release-tag')
  const locals = new Set<string>()
  if (assets.length > 0) for (const local of byName.values()) locals.add(keyOf(local))
  for (const asset of assets) {
    const isLocal = isHashed(asset) && locals.has(keyOf(asset))
    if (!isLocal && !byName.has(asset.name)) byName.set(asset.name, asset)
  }
  const combined = [...byName.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
  return { combined, conflicts: [...conflicts] }
}

function keyOf(artifact: Artifact): string {
  return `${isHashed(artifact) ? artifact.hash : ''} ${baseName(artifact.name)}`
}

const maxConflictsShown = 3

/** The problem of names with two hashes. */
export function conflictProblem(conflicts: readonly string[]): readonly Problem[] {
  if (conflicts.length === 0) return []
  const shown = someOf(conflicts, maxConflictsShown)
  return [problemAt('checksums', `${shown}; create the checksums anew from the files to notarize`)]
}
