import { problemAt, type Problem } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits, someOf } from '../text/words.ts'
import { isHashed, type Artifact } from './artifact.ts'

/**
 * One artifact for each name, sorted. An asset of the release with the base name of a hashed local artifact is that
 * artifact: the guards stop the run where their hashes differ. `conflicts`: names with two hashes, in words.
 */
export function mergeArtifacts(artifacts: readonly Artifact[]): {
  readonly merged: readonly Artifact[]
  readonly conflicts: readonly string[]
} {
  const byName = new Map<string, Artifact>()
  const hashes = new Map<string, string>()
  const conflicts = new Set<string>()
  const from = (input: Artifact['source']): readonly Artifact[] =>
    artifacts.filter(({ source }) => source === input)
  // A file that could not be read keeps its failure: its checksum proves nothing about it.
  for (const artifact of [...from('path'), ...from('checksums')]) {
    const { name } = artifact
    if (!byName.has(name)) byName.set(name, artifact)
    if (!isHashed(artifact)) continue
    const { hash } = artifact
    const other = hashes.get(name) ?? hash
    hashes.set(name, other)
    if (other !== hash) conflicts.add(`"${quote(name)}" has two hashes, ${other} and ${hash}`)
  }
  const assets = from('release-tag')
  const locals = assets.length === 0 ? [] : [...byName.values()].filter(isHashed)
  const localNames = new Set(locals.map(({ name }) => baseName(name)))
  for (const asset of assets) {
    if (!localNames.has(asset.name) && !byName.has(asset.name)) byName.set(asset.name, asset)
  }
  const merged = [...byName.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
  return { merged, conflicts: [...conflicts] }
}

const maxConflictsShown = 5

/** The problem of names with two hashes. */
export function conflictProblem(conflicts: readonly string[]): readonly Problem[] {
  if (conflicts.length === 0) return []
  const shown = someOf(conflicts, maxConflictsShown)
  const text = `${shown}; one of them is not the artifact, make the checksums anew`
  return [problemAt('checksums', text)]
}
