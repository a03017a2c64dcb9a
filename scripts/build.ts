/**
 * Builds `dist/`: one bundle for both actions, the worker that hashes, and one file with the licences of all that is
 * bundled. Everything is made in `lib/` and put in place at the end, so that a failed build leaves the old bundle.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { z } from 'zod'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Builds dist from the source.

Usage: npm run build -- [options]

  --check  fail if that changes anything that is committed
  --help   print this
`

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')
const made = join(lib, 'dist')

const { options } = readCommandLine(HELP, z.object({ check: z.boolean().default(false) }))
await runCommand(() => {
  rmSync(lib, { recursive: true, force: true })
  runNode(root, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  bundle('index.js', 'dist')
  bundle('artifacts/hash-worker.js', 'dist/hash-worker')
  // Both have it from the folder above.
  rmSync(join(made, 'hash-worker', 'package.json'))
  mkdirSync(join(made, 'verify'))
  // The second action: the same bundle, which sees how it was started.
  writeFileSync(join(made, 'verify', 'index.js'), "import '../index.js?verify'\n")

  // With what is loaded late as a part of it: a chunk of its own would overwrite the licences of the others.
  const all = ['./artifacts/hash-worker.js', ...findLateImports()]
  writeFileSync(join(lib, 'all.js'), all.map(name => `import '${name}'\n`).join(''))
  bundle('all.js', 'all', '--license', 'licenses.txt')
  cpSync(join(lib, 'all', 'licenses.txt'), join(made, 'licenses.txt'))

  rmSync(join(root, 'dist'), { recursive: true, force: true })
  cpSync(made, join(root, 'dist'), { recursive: true })
  const changes = options.check ? findChanges() : ''
  if (changes === '') return true
  console.error(`build: dist is not what the source builds; commit these changes:\n${changes}`)
  return false
})

/** What differs from what is committed. */
function findChanges(): string {
  // `git diff` would miss new files, and a global gitignore often hides "dist" from a plain `git status`.
  const status = ['status', '--porcelain', '--untracked-files=all', '--ignored', '--', 'dist']
  return execFileSync('git', status, { cwd: root, encoding: 'utf8' })
}

/** What the scripts of `lib` import late, as seen from there. */
function findLateImports(): readonly string[] {
  const files = globSync('**/*.js', { cwd: lib, exclude: ['dist/**'] }).toSorted()
  return files.flatMap(file => {
    const names = readFileSync(join(lib, file), 'utf8').matchAll(/\bimport\(["'](.+?)["']\)/g)
    const folder = dirname(file).replaceAll('\\', '/')
    return Array.from(names, ([, name = '']) =>
      name.startsWith('.') ? `./${posix.join(folder, name)}` : name,
    )
  })
}

/** Bundles a script of `lib`, in `lib`. */
function bundle(entry: string, folder: string, ...options: readonly string[]): void {
  const ncc = join(root, 'node_modules', '@vercel', 'ncc', 'dist', 'ncc', 'cli.js')
  runNode(lib, ncc, 'build', entry, '-o', folder, '--quiet', ...options)
}

function runNode(cwd: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, args, { cwd, stdio: 'inherit' })
}
