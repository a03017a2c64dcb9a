/** Tells whether `dist` is what the source builds, without building: `dist` holds a stamp of its sources. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

/** The file in `dist` that holds the stamp. */
export const stampFile = 'sources.sha256'

const root = resolve(import.meta.dirname, '..')

/** Everything that decides what `dist` is. */
const sources = ['src/**/*.ts', 'scripts/{build,stamp}.ts', 'tsconfig*.json', 'package-lock.json']

/** Returns the content of the stamp: the SHA-256 of all sources, with their names. */
export function stampSources(): string {
  const files = globSync(sources, { cwd: root }).map(file => file.replaceAll(sep, '/'))
  const digest = createHash('sha256')
  for (const file of files.toSorted()) {
    const content = readFileSync(join(root, file))
    digest.update(`${file} ${content.length}\n`).update(content)
  }
  return `${digest.digest('hex')}\n`
}

/** Throws if `dist` was built from other sources. */
export function assertFreshDist(): void {
  const file = join(root, 'dist', stampFile)
  let stamp = ''
  try {
    stamp = readFileSync(file, 'utf8')
  } catch {
    // No stamp, as after a broken build, is an old one.
  }
  if (stamp !== stampSources()) throw new Error('dist is not what src builds: run "npm run build"')
}
