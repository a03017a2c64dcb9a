/**
 * Makes a fresh clone ready: installs the dependencies, and with them the Node 24 that the action runs on.
 * Does nothing, quietly, when node_modules already holds what package-lock.json asks for.
 * Runs on Node 20, without dependencies, because it comes before both.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The first Node that runs .ts files as they are. */
const OLDEST_NODE = [22, 18]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const onWindows = process.platform === 'win32'

const say = text => process.stderr.write(`set-up: ${text}\n`)

function stop(text, exitCode = 1) {
  say(text)
  process.exit(exitCode)
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Compares the lock with the copy of it that npm leaves in node_modules when an install is complete.
 * Optional packages may be missing: those of other platforms always are.
 */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(modules, '.package-lock.json'))
  if (wanted === undefined) stop('package-lock.json is missing or damaged; restore it from git')
  if (present === undefined) return false
  const paths = new Set([...Object.keys(wanted), ...Object.keys(present)])
  paths.delete('')
  return [...paths].every(path => {
    const want = wanted[path]
    const have = present[path]
    if (have === undefined) return want.optional === true || want.devOptional === true
    return want?.version === have.version && want.integrity === have.integrity
  })
}

/** Runs the npm that started this script if there is one, with the Node that npm itself runs on. */
function npm(...args) {
  const cli = process.env.npm_execpath ?? ''
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  return /npm-cli\.c?js$/.test(cli)
    ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [cli, ...args], options)
    : spawnSync('npm', args, { ...options, shell: onWindows })
}

function install() {
  // Windows does not let npm replace the file of a process that runs.
  if (onWindows && process.execPath.startsWith(modules + sep)) {
    stop('package-lock.json has changed; run "npm ci" once, then try again')
  }
  say('installing the dependencies with npm ci, once')
  const done = npm('ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional')
  if (done.error) stop(`npm could not be started (${done.error.message}); is npm on the PATH?`)
  if (done.status !== 0) {
    stop(
      `npm ci failed (${done.signal ?? `exit code ${done.status}`}), its reason stands above; fix it and try again`,
      done.status ?? 1,
    )
  }
}

/** The version of the `node` that the next script gets, or undefined if it cannot be run. */
function nextNode() {
  const { status, stdout } = spawnSync('node', ['--version'], {
    cwd: root,
    encoding: 'utf8',
    shell: onWindows,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return status === 0 ? stdout.trim() : undefined
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

const [argument] = process.argv.slice(2)
if (argument === '--help') {
  process.stdout.write(
    'Installs what this repository needs, if it is not there. Usage: node scripts/set-up.mjs\n',
  )
  process.exit(0)
}
if (argument !== undefined) stop(`unexpected "${argument}"; run with --help to see the usage`, 2)

const mustInstall = !isInstalled()
if (mustInstall) install()
if (mustInstall || !isNewEnough(process.version)) {
  const version = nextNode()
  if (version === undefined || !isNewEnough(version)) {
    stop(
      `no Node 24 could be installed for ${process.platform} ${process.arch}, and your own Node ` +
        `(${version ?? process.version}) is older than ${OLDEST_NODE.join('.')}; install Node 24, or remove node_modules to have it tried ` +
        'once more, then try again',
    )
  }
  if (!version.startsWith('v24.')) {
    say(`no Node 24 for ${process.platform} ${process.arch}; going on with your own ${version}`)
  }
}
