/** Tells whether `dist` is what the source builds, without building it: `dist` holds a stamp of its sources. */
import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The file in `dist` that holds the stamp. */
export const stampFile = 'sources.sha256'

/** Everything that decides what `dist` is. */
const sources = ['src/**/*.ts', 'scripts/{build,stamp}.ts', 'tsconfig*.json', 'package-lock.json']

/** Returns the content of the stamp: the SHA-256 of the hashes and names of all sources. */
export function stampSources(root: string): string {
  const lines = globSync(sources, { cwd: root }).map(file => {
    return `${hash('sha256', readFileSync(join(root, file)))}  ${file.replaceAll('\\', '/')}\n`
  })
  return `${hash('sha256', lines.toSorted().join(''))}\n`
}

/** Throws if `dist` was built from other sources. */
export function assertFreshDist(root = resolve(import.meta.dirname, '..')): void {
  const file = join(root, 'dist', stampFile)
  if (existsSync(file) && readFileSync(file, 'utf8') === stampSources(root)) return
  throw new Error('dist is not what src builds: run "npm run build"')
}
