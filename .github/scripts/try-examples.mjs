/**
 * Runs the quick start of README.md and the examples with act 0.2.89 in host mode, offline, against the simulator, the
 * stand-ins of the artifact service and of GitHub, and a stand-in of `gh`. Needs act on the PATH.
 *
 *     node scripts/set-up.mjs .github/scripts/try-examples.mjs
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { startArtifactService } from '../../__tests__/support/artifact-service.ts'
import { cleanUp } from '../../__tests__/support/clean-up.ts'
import { startGitHub } from '../../__tests__/support/github.ts'
import { makeTemporaryFolder } from '../../__tests__/support/workspace.ts'
import { ownName } from '../../scripts/own-name.ts'
import { DEFAULT_API_KEY, startSimulator } from '../../simulator/index.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = makeTemporaryFolder()
const makeFolder = name => {
  mkdirSync(join(folder, name))
  return join(folder, name)
}
const [action, app, bin, uploads, transfer] = ['action', 'app', 'bin', 'uploads', 'transfer'].map(
  makeFolder,
)

const simulator = await startSimulator({ requested: [] })
const artifacts = await startArtifactService()
const assets = ['one', 'two'].map(name => ({ name, content: `asset ${name}` }))
const github = await startGitHub({ releases: [{ tag: 'v1', assets }] })

// The action as published, except that its default service is the simulator.
for (const part of ['action.yml', 'dist', 'verify']) {
  cpSync(join(root, part), join(action, part), { recursive: true })
}
const metadata = readFileSync(join(root, 'action.yml'), 'utf8')
const service = 'default: https://app.dedit.io\n'
assert(metadata.includes(service))
writeFileSync(join(action, 'action.yml'), metadata.replace(service, `default: ${simulator.url}\n`))

// `gh` for a repository in which only v1 has a release, which is not immutable. It copies what is uploaded,
// and downloads it again.
writeFileSync(
  join(bin, 'gh'),
  `#!/bin/bash
case "$*" in
  *'.immutable == true'*) echo false ;;
  'api '*/releases*) ;;
  'api '*/commits/tags/*) echo "$GITHUB_SHA" ;;
  'release create '* | 'release upload '*)
    for word in "\${@:4}"; do [[ $word == -* ]] || cp "$word" '${uploads}' || exit 1; done ;;
  'release download '*) cp -r '${uploads}' "\${@: -1}" ;;
  *) exit 1 ;;
esac
`,
)
chmodSync(join(bin, 'gh'), 0o755)

// A repository with the examples and the quick start. What it builds differs for each workflow.
const workflows = join(app, '.github/workflows')
cpSync(join(root, 'examples'), workflows, { recursive: true })
const deploy = readFileSync(join(workflows, 'deploy.yml'), 'utf8')
writeFileSync(
  join(workflows, 'deploy.yml'),
  deploy.replace('SERVICE: https://app.dedit.io', `SERVICE: ${simulator.url}`),
)
writeFileSync(
  join(app, 'Makefile'),
  'dist:\n\tmkdir -p dist/deep && echo one $$GITHUB_WORKFLOW > dist/app.txt && echo two $$GITHUB_WORKFLOW > dist/deep/b.txt\n',
)
const [, quickStart = ''] = /^ *```yaml\n(.*?)^ *```$/ms.exec(
  readFileSync(join(root, 'README.md'), 'utf8'),
)
assert(quickStart.includes('jobs:'))
writeFileSync(join(workflows, 'quick-start.yml'), quickStart)
const git = ['init --quiet', 'add .', 'remote add origin https://github.com/octo/app']
for (const words of [...git, '-c user.name=a -c user.email=a@b commit --quiet -m a', 'tag v2-rc']) {
  assert.equal(spawnSync('git', words.split(' '), { cwd: app, stdio: 'inherit' }).status, 0)
}

/** Makes an action that runs a command; its name, with the versions in quick start and `release.yml`, leads to it. */
const release = readFileSync(join(workflows, 'release.yml'), 'utf8')
function makeAction(name, command) {
  const path = makeFolder(name.replace('/', '-'))
  const steps = [{ run: command, shell: 'bash' }]
  const inputs = { name: {}, path: {}, pattern: {} }
  writeFileSync(
    join(path, 'action.yml'),
    JSON.stringify({ inputs, runs: { using: 'composite', steps } }),
  )
  const references = (quickStart + release).match(new RegExp(`${name}@\\w+`, 'g'))
  return Object.fromEntries(references.map(reference => [reference, path]))
}
const repositories = {
  [`${ownName}@v1`]: action,
  // Its steps are skipped, but act loads the action.
  ...makeAction('actions/attest', 'exit 1'),
  ...makeAction(
    'actions/upload-artifact',
    `cp -rT '\${{ inputs.path }}' '${transfer}/\${{ inputs.name }}'`,
  ),
  ...makeAction(
    'actions/download-artifact',
    `mkdir '\${{ inputs.path }}' && cp -r '${transfer}'/\${{ inputs.pattern || format('{0}/*', inputs.name) }} '\${{ inputs.path }}'`,
  ),
}

const environment = { ...artifacts.env, GITHUB_API_URL: github.url, no_proxy: '127.0.0.1' }
const secrets = { NOTARIZATION_API_KEY: DEFAULT_API_KEY, GITHUB_TOKEN: github.token }
const pairs = (flag, values) =>
  Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])
const options = [
  ...['--platform', 'ubuntu-latest=-self-hosted', '--no-cache-server'],
  ...pairs('--env', environment),
  ...pairs('--secret', secrets),
  ...pairs('--local-repository', repositories),
]

/** Runs a workflow and expects that it succeeds. */
async function run(file, ...words) {
  console.log(`\n== ${file} ${words.join(' ')}`)
  const args = [...words, '--workflows', join(workflows, file), ...options]
  // act takes Node from the PATH.
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, XDG_CACHE_HOME: join(folder, 'cache') }
  const act = spawn('act', args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [log] = await Promise.all([text(act.stdout), new Promise(end => act.on('close', end))])
  console.log(log)
  assert.equal(act.exitCode, 0, `${file} failed`)
}

const completions = () =>
  simulator.requests.filter(({ endpoint }) => endpoint === 'completion').length
const kept = () => Object.keys(artifacts.kept('notarization-records.jsonl'))

await run('quick-start.yml', 'push')
assert.equal(completions(), 2)
assert.equal(kept().length, 1, 'the records are kept')

await run('quick-start.yml', 'push', '--env', 'GITHUB_RUN_ATTEMPT=2')
assert.equal(completions(), 2, 'a re-run is not charged')

await run('pull-request.yml', 'pull_request')
assert.equal(completions(), 2, 'a dry run sends nothing')

await run('backfill.yml', 'workflow_dispatch', '--input', 'tag=v1')
assert.equal(completions(), 4)
const copy = 'notarization-records-1-1.jsonl'
assert.deepEqual(readdirSync(uploads).sort(), ['notarization-evidence.md', copy])
github.addAsset('v1', { name: copy, content: readFileSync(join(uploads, copy)) })

await run('backfill.yml', 'workflow_dispatch', '--input', 'tag=v1', '--env', 'GITHUB_RUN_ID=2')
assert.equal(completions(), 4, 'the release holds the records')

await run('release.yml', 'push', '--matrix', 'os:ubuntu-latest')
assert.equal(completions(), 6)
for (const name of ['app.txt', 'b.txt', 'notarization-records.jsonl']) {
  assert(readdirSync(uploads).includes(name), `${name} is published`)
}

// As from a private repository.
await run('deploy.yml', 'workflow_dispatch', '--input', 'tag=v2-rc')
assert.equal(completions(), 6)

await simulator.close()
cleanUp()
console.log('\nThe quick start and the examples work')
