/**
 * Builds `dist/`: one bundle for both actions, one for keeping records, the licenses of all bundled packages, and a
 * stamp of the sources. Everything is built in `lib/` and copied at the end, so that a failed build keeps
 * the old bundle.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { readCommandLine, runCommand } from './command.ts'
import { stampFile, stampSources } from './stamp.ts'

const HELP = `Builds dist from the source.

Usage: npm run build -- [options]

  --check  fail if the result differs from what is committed
  --help   print this
`

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')
const built = join(lib, 'dist')

const { options } = readCommandLine(HELP, { check: { type: 'boolean', default: false } })
await runCommand(() => {
  // Of the sources that the build reads: a change during the build makes the stamp old.
  const stamp = stampSources(root)
  rmSync(lib, { recursive: true, force: true })
  runNode(root, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  importKeeping()
  bundle('index.js', 'dist')
  // Packages, for the most part: 5.1 MB without --minify, 2.1 MB with it.
  bundle('keep/library.js', 'dist/keep', '--minify')
  // The package.json of the parent folder applies.
  rmSync(join(built, 'keep', 'package.json'))
  mkdirSync(join(built, 'verify'))
  // The second action is the same bundle: it reads the action from its URL.
  writeFileSync(join(built, 'verify', 'index.js'), "import '../index.js?verify'\n")

  // ncc writes licenses per chunk and overwrites the file: bundle everything as one chunk to get all of them.
  const all = ['./keep/library.js', ...findDynamicImports()]
  // Exports, because the bundler drops imports that nothing uses.
  const exports = all.map((name, index) => `export * as part${index} from '${name}'\n`)
  writeFileSync(join(lib, 'all.js'), exports.join(''))
  bundle('all.js', 'all', '--license', 'licenses.txt')
  const chunks = readdirSync(join(lib, 'all')).filter(name => name.endsWith('.index.js'))
  assert.deepEqual(chunks, [], 'a package imports dynamically, so licenses.txt lacks packages')
  cpSync(join(lib, 'all', 'licenses.txt'), join(built, 'licenses.txt'))
  writeFileSync(join(built, stampFile), stamp)

  rmSync(join(root, 'dist'), { recursive: true, force: true })
  cpSync(built, join(root, 'dist'), { recursive: true })
  const changes = options.check ? findChanges() : ''
  if (changes === '') return true
  console.error(`build: dist is not what src builds; commit these changes:\n${changes}`)
  return false
})

/** Returns the differences from what is committed. */
function findChanges(): string {
  // `git diff` misses new files, and a global gitignore often hides "dist" from a plain `git status`.
  const flags = ['--porcelain', '--untracked-files=all', '--ignored', '--', 'dist']
  return execFileSync('git', ['status', ...flags], { cwd: root, encoding: 'utf8' })
}

/** Returns the dynamic imports of the scripts in `lib`, relative to `lib`. */
function findDynamicImports(): readonly string[] {
  const files = globSync('**/*.js', { cwd: lib, exclude: ['dist/**'] }).toSorted()
  return files.flatMap(file => {
    const names = readFileSync(join(lib, file), 'utf8').matchAll(/\bimport\(["'](.+?)["']\)/g)
    const folder = dirname(file).replaceAll('\\', '/')
    return Array.from(names, ([, name = '']) =>
      name.startsWith('.') ? `./${posix.join(folder, name)}` : name,
    )
  })
}

/** Makes the main bundle load that for keeping records when it is used: the bundler would include it, unminified. */
function importKeeping(): void {
  const file = join(lib, 'keep', 'workflow-artifacts.js')
  const script = readFileSync(file, 'utf8')
  const own = 'import(/* webpackIgnore: true */ "./keep/index.js")'
  const changed = script.replace('import("./library.js")', own)
  assert.notEqual(changed, script, 'the module that keeps records is not loaded')
  writeFileSync(file, changed)
}

/** Bundles a script in `lib` to a folder in `lib`. */
function bundle(entry: string, folder: string, ...options: readonly string[]): void {
  const ncc = join(root, 'node_modules', '@vercel', 'ncc', 'dist', 'ncc', 'cli.js')
  runNode(lib, ncc, 'build', entry, '-o', folder, '--quiet', ...options)
}

function runNode(cwd: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, args, { cwd, stdio: 'inherit' })
}
