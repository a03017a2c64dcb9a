/** Rebuilds `dist` and fails if that changes anything that is committed. Run by `npm run check`. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Rebuilds dist and fails if that changes anything that is committed.

Usage: npm run check, or node scripts/check-dist.ts

  --help  print this
`

readCommandLine(HELP, z.object({}))
await runCommand(() => {
  const cwd = join(import.meta.dirname, '..')
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd, stdio: 'inherit' })
  // `git diff` would miss new files, and a global gitignore often hides "dist" from a plain `git status`.
  const status = ['status', '--porcelain', '--untracked-files=all', '--ignored', '--', 'dist']
  const changes = execFileSync('git', status, { cwd, encoding: 'utf8' })
  if (changes === '') return true
  console.error(
    'check-dist: dist is not what the source builds; commit what "npm run build" makes:',
  )
  console.error(changes.trimEnd())
  return false
})
