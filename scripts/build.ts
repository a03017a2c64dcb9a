/**
 * Builds `dist/`: the bundle of each entry, and one file with the licences of all that is bundled. Everything is made
 * aside and put in place at the end, so that a failed build leaves the old bundle.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Entries below `src/`, with the folder below `dist/` that each is bundled to. */
const entries = [
  { source: 'index', folder: '.' },
  { source: 'artifacts/hash-worker', folder: 'hash-worker' },
  { source: 'verify/index', folder: 'verify' },
] as const

/** Packages that are loaded late: a chunk of its own would overwrite the licences of the others. */
const lateImports = ['@actions/github', 'undici/index.js'] as const

/** What stands for `undici` in the bundle, see there. */
const standIn = './github/late-undici.js'

const lib = 'lib'
const made = join(lib, 'dist')

rmSync(lib, { recursive: true, force: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
})
writeFileSync(
  join(lib, 'tsconfig.json'),
  JSON.stringify({ compilerOptions: { paths: { undici: [standIn] } } }),
)
for (const { source, folder } of entries) bundle(`${source}.js`, join('dist', folder))

const all = [...lateImports, ...entries.map(({ source }) => `./${source}.js`)]
writeFileSync(join(lib, 'all.js'), all.map(name => `import '${name}'\n`).join(''))
bundle('all.js', 'all', '--license', 'licenses.txt')
cpSync(join(lib, 'all', 'licenses.txt'), join(made, 'licenses.txt'))

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
cpSync(made, 'dist', { recursive: true })

/** Bundles a script of `lib`, in `lib`: the bundler reads the tsconfig.json there. */
function bundle(entry: string, folder: string, ...options: readonly string[]): void {
  const ncc = join('..', 'node_modules', '@vercel', 'ncc', 'dist', 'ncc', 'cli.js')
  const given = ['build', entry, '-o', folder, '--quiet', ...options]
  execFileSync(process.execPath, [ncc, ...given], { cwd: lib, stdio: 'inherit' })
}
