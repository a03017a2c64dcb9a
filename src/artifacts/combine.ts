import { problemAt, type Problem } from '../failure.ts'
import { isHashed, type Artifact } from '../outcome.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'

/**
 * Combines local artifacts of the same name: a failure takes precedence over a file, a file over
 * a checksums entry. An asset with the base name and hash of a local artifact is that artifact.
 * Returns the artifacts by name (a local one and a different asset may share one), and the local
 * names that have two hashes as one problem.
 */
export function combineArtifacts(artifacts: readonly Artifact[]): {
  readonly combined: readonly Artifact[]
  readonly problems: readonly Problem[]
} {
  const combined: Artifact[] = []
  const conflicts: string[] = []
  const local = artifacts.filter(({ source }) => source !== 'release-tag')
  for (const [name, same] of Map.groupBy(local, artifact => artifact.name)) {
    const hashed = same.filter(isHashed)
    const hashes = [...new Set(hashed.map(({ hash }) => hash))]
    if (hashes.length > 1)
      conflicts.push(`"${quote(name)}" has two hashes, ${hashes.join(' and ')}`)
    const best = hashed.find(({ source }) => source === 'path') ?? hashed[0]
    // There may be several failures, because names that are not valid UTF-8 may look alike.
    const failures = same.filter(artifact => !isHashed(artifact))
    if (best === undefined || failures.length > 0) combined.push(...failures)
    else combined.push(best)
  }
  const keyOf = ({ hash, name }: Artifact): string => `${hash} ${baseName(name)}`
  const known = new Set(combined.filter(isHashed).map(keyOf))
  const assets = artifacts.filter(({ source }) => source === 'release-tag')
  combined.push(...assets.filter(asset => !known.has(keyOf(asset))))
  combined.sort((a, b) => compareCodeUnits(a.name, b.name))
  if (conflicts.length === 0) return { combined, problems: [] }
  const shown = joinFirst(conflicts, 3)
  const text = `${shown}; create the checksums again from the files to notarize`
  return { combined, problems: [problemAt('checksums', text)] }
}
