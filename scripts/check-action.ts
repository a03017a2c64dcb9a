/**
 * Checks `action.yml` and every workflow of this repository with GitHub's own language service, offline.
 * Run by `npm run check:action`; another folder may be given as argument.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { z } from 'zod'
import { readCommandLine } from './command.ts'

const HELP = `Checks action.yml and all workflows with the language service of GitHub, offline.

Usage: npm run check:action -- [FOLDER]

  FOLDER  of a repository (default: this one)
  --help  print this
`

const repository = fileURLToPath(new URL('..', import.meta.url))
const { words } = readCommandLine(HELP, z.object({}), 1)
const folder = resolve(words[0] ?? repository)

// The packages of the language service import without file extensions, which Node refuses: bundle first.
const bundle = await build({
  absWorkingDir: repository,
  entryPoints: ['scripts/action-problems.ts'],
  bundle: true,
  format: 'cjs',
  platform: 'node',
  write: false,
  logLevel: 'error',
})

const check = spawnSync(process.execPath, ['--input-type=commonjs', '-', folder], {
  input: bundle.outputFiles.map(file => file.text).join(''),
  stdio: ['pipe', 'inherit', 'inherit'],
})
if (check.error) throw check.error
process.exitCode = check.status ?? 1
