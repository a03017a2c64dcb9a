/**
 * Rebuilds `dist` and fails if that changes anything that is committed: a modified, a deleted or a new file.
 * Run by `npm run check:dist`.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { readCommandLine } from './command.ts'

const HELP = `Rebuilds dist and fails if that changes anything that is committed.

Usage: npm run check:dist

  --help  print this
`

readCommandLine(HELP, z.object({}))
const root = fileURLToPath(new URL('..', import.meta.url))

function stop(text: string): never {
  process.stderr.write(`check:dist: ${text}\n`)
  process.exit(1)
}

const build = spawnSync('npm run -s build', { cwd: root, shell: true, stdio: 'inherit' })
if (build.status !== 0) stop('the build failed')

// `git diff` would miss new files, and a global gitignore often hides "dist" from a plain `git status`.
const status = spawnSync(
  'git',
  ['status', '--porcelain', '--untracked-files=all', '--ignored', '--', 'dist'],
  { cwd: root, encoding: 'utf8' },
)
if (status.status !== 0) {
  stop(`git status failed: ${status.error?.message ?? status.stderr.trim()}`)
}

const changes = status.stdout.trimEnd()
if (changes !== '') {
  stop(`dist is not what the source builds; run "npm run build" and commit dist:\n${changes}`)
}
