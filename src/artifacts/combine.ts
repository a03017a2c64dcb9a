import { problemAt, type Problem } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits, joinFirst } from '../text/words.ts'
import { isHashed, type Artifact, type HashedArtifact } from './artifact.ts'

export interface CombinedArtifacts {
  /** Sorted by name; a local artifact and a different asset may have the same name. */
  readonly combined: readonly Artifact[]
  /** The names that have two hashes, as one problem. */
  readonly problems: readonly Problem[]
}

const maxConflictsShown = 3

/**
 * Combines local artifacts that have the same name: a file takes precedence over an entry of a checksums file, and a
 * failure over both. A release asset with the base name and hash of a local artifact is that artifact.
 */
export function combineArtifacts(artifacts: readonly Artifact[]): CombinedArtifacts {
  const locals = new Map<string, Artifact>()
  const hashes = new Map<string, string>()
  const conflicts = new Set<string>()
  const alike: Artifact[] = []
  for (const artifact of artifacts) {
    const { source, name } = artifact
    if (source === 'release-tag') continue
    const known = locals.get(name)
    const outweighs = !isHashed(artifact) || source === 'path'
    // Names that are not valid UTF-8 may look alike.
    if (known !== undefined && !isHashed(known) && !isHashed(artifact)) alike.push(artifact)
    if (known === undefined || (isHashed(known) && outweighs)) locals.set(name, artifact)
    if (!isHashed(artifact)) continue
    const { hash } = artifact
    const other = hashes.get(name) ?? hash
    hashes.set(name, other)
    if (other !== hash) conflicts.add(`"${quote(name)}" has two hashes, ${other} and ${hash}`)
  }
  const known = new Set(locals.values().filter(isHashed).map(keyOf))
  const assets = artifacts.filter(
    asset => asset.source === 'release-tag' && !(isHashed(asset) && known.has(keyOf(asset))),
  )
  const combined = [...locals.values(), ...alike, ...assets].sort((a, b) =>
    compareCodeUnits(a.name, b.name),
  )
  if (conflicts.size === 0) return { combined, problems: [] }
  const shown = joinFirst([...conflicts], maxConflictsShown)
  const text = `${shown}; create the checksums again from the files to notarize`
  return { combined, problems: [problemAt('checksums', text)] }
}

function keyOf({ hash, name }: HashedArtifact): string {
  return `${hash} ${baseName(name)}`
}
