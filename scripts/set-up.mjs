/**
 * Installs missing dependencies, then runs Node 24 or newer with the arguments: `node scripts/set-up.mjs scripts/demo.ts`.
 * That is the Node that runs this script, if it is new enough, else the one in the optional package `scripts/node-24`.
 * This script itself needs only Node 20 and no dependencies.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const onWindows = process.platform === 'win32'
const platform = `${onWindows ? 'win' : process.platform}-${process.arch}`

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
 * Compares the lock file with the copy that npm leaves in node_modules after a complete install. Optional packages may
 * be missing: those of other platforms, and the link to `scripts/node-24` where Node 24 runs.
 */
function isInstalled() {
  const present = readPackages('node_modules/.package-lock.json')
  return Object.entries(readPackages('package-lock.json')).every(([path, locked]) => {
    if (path === '') return true
    if (path in present) return present[path].version === locked.version
    return [locked.optional, locked.devOptional, locked.link].includes(true)
  })
}

/** Runs `npm ci` with the npm on the PATH. */
function install() {
  process.stderr.write('set-up: installing the dependencies once with npm ci\n')
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  const done = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: onWindows })
  if (done.status !== 0) stop(`npm ci failed (${done.error?.message ?? 'see above'})`)
}

/** Returns the path of Node 24 or newer; undefined if there is none. */
function findNode() {
  if (parseInt(process.versions.node) >= 24) return process.execPath
  return [`node-${platform}`, `node-bin-${platform}`]
    .map(name => join(root, 'node_modules', name, 'bin', onWindows ? 'node.exe' : 'node'))
    .find(path => existsSync(path))
}

/** Runs Node as a child process, forwarding signals and the exit code. */
function run(node, args) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: 'inherit',
  })
  // Ctrl+C reaches the child directly.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', error => stop(error.message))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

if (!isInstalled() || findNode() === undefined) install()
const node = findNode()
if (node === undefined)
  stop(`npm has no package of Node 24 for ${platform}; install Node 24, then try again`)
const args = process.argv.slice(2)
if (args.length > 0) run(node, args)
