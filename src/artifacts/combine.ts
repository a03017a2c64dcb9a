import { problemAt, type Problem } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits, joinFirst } from '../text/words.ts'
import { isHashed, type Artifact, type HashedArtifact } from './artifact.ts'

/** The artifacts of all inputs. */
export interface CombinedArtifacts {
  /** Sorted by name; a local artifact and an asset that is another may have the same. */
  readonly combined: readonly Artifact[]
  /** The problem of names with two hashes. */
  readonly problems: readonly Problem[]
}

const maxConflictsShown = 3

/**
 * Makes one artifact of all local ones with one name: a file outweighs an entry of a checksums file, and a failure
 * outweighs both. An asset of the release with the base name and the hash of a local artifact is that artifact.
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
    // Names that are no valid UTF-8 may look alike.
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
    one => one.source === 'release-tag' && !(isHashed(one) && known.has(keyOf(one))),
  )
  const combined = [...locals.values(), ...alike, ...assets].sort((a, b) =>
    compareCodeUnits(a.name, b.name),
  )
  if (conflicts.size === 0) return { combined, problems: [] }
  const shown = joinFirst([...conflicts], maxConflictsShown)
  const text = `${shown}; create the checksums anew from the files to notarize`
  return { combined, problems: [problemAt('checksums', text)] }
}

function keyOf({ hash, name }: HashedArtifact): string {
  return `${hash} ${baseName(name)}`
}
