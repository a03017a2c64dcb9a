import { problemAt, type Problem } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits, someOf } from '../text/words.ts'
import { isHashed, type Artifact } from './artifact.ts'

/** The artifacts of all inputs. */
export interface CombinedArtifacts {
  /** One per name, sorted. */
  readonly combined: readonly Artifact[]
  /** The problem of names with two hashes. */
  readonly problems: readonly Problem[]
}

const maxConflictsShown = 3

/**
 * Makes one artifact of all with one name: a file outweighs an entry of a checksums file, and a failure outweighs both.
 * An asset of the release with the base name and the hash of a local artifact is that artifact; the guards of the
 * release stop the run where the hashes differ.
 */
export function combineArtifacts(artifacts: readonly Artifact[]): CombinedArtifacts {
  const byName = new Map<string, Artifact>()
  const hashes = new Map<string, string>()
  const locals = new Set<string>()
  const conflicts = new Set<string>()
  for (const artifact of artifacts) {
    const { source, name } = artifact
    if (source === 'release-tag') continue
    const known = byName.get(name)
    const outweighs = !isHashed(artifact) || source === 'path'
    if (known === undefined || (isHashed(known) && outweighs)) byName.set(name, artifact)
    if (!isHashed(artifact)) continue
    const { hash } = artifact
    locals.add(`${hash} ${baseName(name)}`)
    const other = hashes.get(name) ?? hash
    hashes.set(name, other)
    if (other !== hash) conflicts.add(`"${quote(name)}" has two hashes, ${other} and ${hash}`)
  }
  for (const asset of artifacts) {
    const { source, name } = asset
    const isLocal = isHashed(asset) && locals.has(`${asset.hash} ${baseName(name)}`)
    if (source === 'release-tag' && !isLocal && !byName.has(name)) byName.set(name, asset)
  }
  const combined = [...byName.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
  if (conflicts.size === 0) return { combined, problems: [] }
  const shown = someOf([...conflicts], maxConflictsShown)
  const text = `${shown}; create the checksums anew from the files to notarize`
  return { combined, problems: [problemAt('checksums', text)] }
}
