/**
 * Installs the dependencies if they are missing, and with them the Node 24 that the action runs on; then runs that Node
 * with the arguments, if there are any: `node scripts/set-up.mjs scripts/demo.ts`.
 * Runs on Node 20 and without dependencies, as it comes before both.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const onWindows = process.platform === 'win32'

function stop(text) {
  process.stderr.write(`set-up: ${text}\n`)
  process.exit(1)
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return {}
  }
}

/**
 * Compares the lock with the copy of it that npm leaves in node_modules when an install is complete.
 * Optional packages may be missing: those of other platforms always are.
 */
function isInstalled() {
  const present = readPackages('node_modules/.package-lock.json')
  return Object.entries(readPackages('package-lock.json')).every(([path, wanted]) => {
    if (path === '') return true
    if (path in present) return present[path].version === wanted.version
    return wanted.optional === true || wanted.devOptional === true
  })
}

/** Runs `npm ci` with the npm on the PATH, which is that of the command `npm run` that started this script. */
function install() {
  process.stderr.write('set-up: installing the dependencies with npm ci, once\n')
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  const done = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: onWindows })
  if (done.status !== 0) stop(`npm ci failed (${done.error?.message ?? 'see above'})`)
}

/** The Node 24 that was installed, else the one that runs this script if it runs .ts files as they are. */
function findNode() {
  const platform = `${onWindows ? 'win' : process.platform}-${process.arch}`
  const installed = [`node-${platform}`, `node-bin-${platform}`]
    .map(name => join(root, 'node_modules', name, 'bin', onWindows ? 'node.exe' : 'node'))
    .find(path => existsSync(path))
  if (installed === undefined && !process.features.typescript) {
    stop(`there is no package of Node 24 for ${platform}; install Node 24, then try again`)
  }
  return installed ?? process.execPath
}

/** Runs Node in the place of this process, as far as signals and the exit code go. */
function run(args) {
  const options = ['--disable-warning=ExperimentalWarning', ...args]
  const child = spawn(findNode(), options, { stdio: 'inherit' })
  // Ctrl+C reaches the child by itself.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', error => stop(error.message))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

if (!isInstalled()) install()
const args = process.argv.slice(2)
if (args.length > 0) run(args)
