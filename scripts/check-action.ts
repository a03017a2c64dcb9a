/**
 * Checks `action.yml` and every workflow of this repository with GitHub's own language service, offline.
 * Run by `npm run check:action`; another folder may be given as argument.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(process.argv[2] ?? repository)

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
