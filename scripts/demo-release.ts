/** The release of this repository that the demo notarizes. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Workspace } from '../__tests__/support/workspace.ts'

const REPOSITORY = resolve(import.meta.dirname, '..')

/** One file of the release. */
export interface Artifact {
  readonly name: string
  readonly bytes: number
  readonly hash: string
}

/** Runs the npm that started this script if there is one, and the one on the PATH else. */
function packInto(folder: string, workspace: Workspace): void {
  const pack = [
    ...['pack', '--silent', '--ignore-scripts', '--offline', '--no-update-notifier'],
    ...['--pack-destination', folder, '--cache', join(workspace.temp, 'npm-cache')],
  ]
  const cli = process.env['npm_execpath'] ?? ''
  // npm would leave a cache of its code in the folder for temporary files.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const options = { cwd: REPOSITORY, encoding: 'utf8', env } as const
  const done = /npm-cli\.c?js$/.test(cli)
    ? spawnSync(process.env['npm_node_execpath'] ?? process.execPath, [cli, ...pack], options)
    : spawnSync('npm', pack, { ...options, shell: process.platform === 'win32' })
  if (done.status !== 0) {
    const reason = done.error?.message ?? done.stderr.trim()
    throw new Error(`npm pack failed: ${reason === '' ? 'it gave no reason' : reason}`)
  }
}

function readArtifact(folder: string, name: string): Artifact {
  const content = readFileSync(join(folder, name))
  const hash = createHash('sha256').update(content).digest('hex')
  return { name, bytes: content.length, hash }
}

/** Makes the release: the package, the bundle, and a checksums file of both. */
export function makeRelease(workspace: Workspace): Artifact[] {
  const folder = workspace.path('release')
  mkdirSync(folder)
  packInto(folder, workspace)
  copyFileSync(join(REPOSITORY, 'dist', 'index.js'), join(folder, 'index.js'))
  const sums = readdirSync(folder)
    .sort()
    .map(name => readArtifact(folder, name))
    .map(({ hash, name }) => `${hash}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return readdirSync(folder)
    .sort()
    .map(name => readArtifact(folder, name))
}
