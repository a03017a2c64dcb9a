/**
 * Builds `dist/`: the bundle of each entry, and one file with the licences of all that is bundled. Everything is made
 * aside and put in place at the end, so that a failed build leaves the old bundle.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Entries below `src/`, with the folder below `dist/` that each is bundled to. */
const entries = [{ source: 'index', folder: '.' }] as const

/** Packages that are loaded late: a chunk of its own would overwrite the licences of the others. */
const lateImports = ['@actions/github'] as const

const lib = 'lib'
const made = join(lib, 'dist')

rmSync(lib, { recursive: true, force: true })
run('typescript/bin/tsc', '-p', 'tsconfig.build.json')
for (const { source, folder } of entries) bundle(`${source}.js`, join(made, folder))

const all = [...lateImports, ...entries.map(({ source }) => `./${source}.js`)]
writeFileSync(join(lib, 'all.js'), all.map(name => `import '${name}'\n`).join(''))
bundle('all.js', join(lib, 'all'), '--license', 'licenses.txt')
cpSync(join(lib, 'all', 'licenses.txt'), join(made, 'licenses.txt'))

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
cpSync(made, 'dist', { recursive: true })

function bundle(entry: string, folder: string, ...options: readonly string[]): void {
  run('@vercel/ncc/dist/ncc/cli.js', 'build', join(lib, entry), '-o', folder, '--quiet', ...options)
}

function run(script: string, ...options: readonly string[]): void {
  execFileSync(process.execPath, [join('node_modules', script), ...options], { stdio: 'inherit' })
}
