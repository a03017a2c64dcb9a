/**
 * Packs this repository as its release and notarizes it, twice, with the committed bundle in a look-alike of the runner
 * and a simulator in place of the service. Run by `npm run demo`. Needs no network and leaves nothing behind; exit code
 * 0 only if all is as it should be.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cleanUp } from '../__tests__/support/clean-up.ts'
import { runAction } from '../__tests__/support/runner.ts'
import type { ActionRun } from '../__tests__/support/runner.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import type { Simulator } from '../simulator/index.ts'

const REPOSITORY = resolve(import.meta.dirname, '..')
const RECORDS_FILE = 'notarization-records.jsonl'

/** What a workflow writes under `with:`; the simulator gives the address. */
const inputs = {
  'api-key': DEFAULT_API_KEY,
  subscription: JSON.stringify(exampleSubscription),
  path: 'release/*',
} as const

interface Artifact {
  readonly name: string
  readonly bytes: number
  readonly hash: string
}

const say = (...lines: readonly string[]): void => {
  for (const line of lines) console.log(line)
}

const heading = (title: string): void => {
  say('', `=== ${title} ${'='.repeat(Math.max(3, 90 - title.length))}`, '')
}

const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map(line => `    ${line}`.trimEnd())
    .join('\n')

/** Runs the npm that started this script if there is one, and the one on the PATH else. */
function packInto(folder: string, workspace: Workspace): void {
  const pack = [
    ...['pack', '--silent', '--ignore-scripts', '--offline', '--no-update-notifier'],
    ...['--pack-destination', folder, '--cache', join(workspace.temp, 'npm-cache')],
  ]
  const cli = process.env['npm_execpath'] ?? ''
  // npm would leave a cache of its code in the folder for temporary files.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const options = { cwd: REPOSITORY, encoding: 'utf8', env } as const
  const done = /npm-cli\.c?js$/.test(cli)
    ? spawnSync(process.env['npm_node_execpath'] ?? process.execPath, [cli, ...pack], options)
    : spawnSync('npm', pack, { ...options, shell: process.platform === 'win32' })
  if (done.status !== 0) {
    const reason = done.error?.message ?? done.stderr.trim()
    throw new Error(`npm pack failed: ${reason === '' ? 'it gave no reason' : reason}`)
  }
}

function readArtifact(folder: string, name: string): Artifact {
  const content = readFileSync(join(folder, name))
  const hash = createHash('sha256').update(content).digest('hex')
  return { name, bytes: content.length, hash }
}

/** Makes the release: the package, the bundle, and a checksums file of both. */
function makeRelease(workspace: Workspace): Artifact[] {
  const folder = workspace.path('release')
  mkdirSync(folder)
  packInto(folder, workspace)
  copyFileSync(join(REPOSITORY, 'dist', 'index.js'), join(folder, 'index.js'))
  const sums = readdirSync(folder)
    .sort()
    .map(name => readArtifact(folder, name))
    .map(({ hash, name }) => `${hash}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return readdirSync(folder)
    .sort()
    .map(name => readArtifact(folder, name))
}

function showRequests(service: Simulator, from: number): void {
  for (const { method, path, answeredStatus } of service.requests.slice(from)) {
    say(`    ${method} ${path} -> ${answeredStatus ?? 'no answer'}`)
  }
}

/** Cuts what is long; the whole text is in the records file. */
function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}... (${text.length} characters)` : text
}

/** What must hold after both runs, each with the sentence that says so. */
function judge(
  artifacts: readonly Artifact[],
  service: Simulator,
  { first, second, sentByFirst, recordsAfterFirst, recordsAfterSecond }: BothRuns,
): readonly (readonly [isSo: boolean, sentence: string])[] {
  const count = String(artifacts.length)
  const hashes = artifacts.map(({ hash }) => hash)
  const kept = recordsAfterFirst.trimEnd().split('\n')
  const isTold = (run: ActionRun, newly: string): boolean =>
    run.exitCode === 0 &&
    run.outputs['verdict'] === 'registered' &&
    run.outputs['artifact-count'] === count &&
    run.outputs['registered-count'] === count &&
    run.outputs['newly-registered-count'] === newly
  const secrets = [
    DEFAULT_API_KEY,
    exampleSubscription.sessionId,
    exampleSubscription.customer ?? '',
    exampleSubscription.latestInvoice ?? '',
    ...service.tokens,
  ].filter(secret => secret !== '')
  const texts = [first, second].flatMap(run => [
    ...run.lines.filter(line => !line.startsWith('::add-mask::')),
    ...Object.values(run.outputs),
    run.summary,
  ])
  return [
    [isTold(first, count), `the first run registered all ${count} artifacts`],
    [
      sentByFirst === 1 + artifacts.length && hashes.every(hash => service.registered.has(hash)),
      `it took one login and ${count} registrations`,
    ],
    [
      kept.length === hashes.length &&
        hashes.every(hash => kept.some(line => line.includes(`"hash":"${hash}"`))),
      'every record is in the records file, one line each',
    ],
    [
      [first, second].every(
        run => Object.keys(run.jobOutputs).length === Object.keys(run.outputs).length,
      ),
      'every output reaches the jobs that come after',
    ],
    [
      ![...texts, recordsAfterSecond].some(text => secrets.some(secret => text.includes(secret))),
      'no secret stands in log, outputs, summary or records file',
    ],
    [isTold(second, '0'), `the second run found all ${count} artifacts registered`],
    [service.requests.length === sentByFirst, 'it sent nothing, not even a login'],
    [
      [...service.completionCounts.values()].every(times => times === 1),
      'nothing was registered twice',
    ],
    [recordsAfterSecond === recordsAfterFirst, 'it left the records file as it was'],
  ]
}

interface BothRuns {
  readonly first: ActionRun
  readonly second: ActionRun
  /** Requests. */
  readonly sentByFirst: number
  readonly recordsAfterFirst: string
  readonly recordsAfterSecond: string
}

interface KeyAlone {
  readonly run: ActionRun
  readonly judged: readonly (readonly [isSo: boolean, sentence: string])[]
}

/** Notarizes the release once more, at a service that knows nothing of it: the action requests each registration. */
async function runWithKeyAlone(workspace: Workspace): Promise<KeyAlone> {
  const service = await startSimulator()
  try {
    say(
      'No request was made beforehand and no subscription is given: with request-registration: true the action',
      'requests each registration, and completes it with the subscription data of the answer.',
      '',
      '    - uses: OWNER/REPO@v1',
      '      with:',
      '        api-key: ${{ secrets.NOTARIZATION_API_KEY }}',
      `        base-url: ${service.url}`,
      '        request-registration: true',
      `        path: ${inputs.path}`,
      '',
    )
    const run = await runAction({
      workspace,
      inputs: {
        'api-key': inputs['api-key'],
        path: inputs.path,
        'base-url': service.url,
        'request-registration': 'true',
      },
    })
    say(indent(run.visibleLog), '', `Exit code: ${run.exitCode ?? 'none'}`)
    say('', 'What the service saw of it:', '')
    showRequests(service, 0)
    const count = service.registered.size
    const isRegistered = run.exitCode === 0 && run.outputs['newly-registered-count'] === '3'
    const sentence = 'with the key alone, each registration was requested and completed once'
    return {
      run,
      judged: [[isRegistered && count === 3 && service.requests.length === 7, sentence]],
    }
  } finally {
    await service.close()
  }
}

async function demonstrate(service: Simulator, workspace: Workspace): Promise<boolean> {
  say('notarize-release notarizes its own release. Nothing leaves this machine.')

  heading('1. What is released')
  const artifacts = makeRelease(workspace)
  say('The job has built these files, in the folder "release" of its workspace:', '')
  const width = Math.max(...artifacts.map(({ name }) => name.length))
  for (const { name, bytes, hash } of artifacts) {
    say(`    ${name.padEnd(width)}  ${String(bytes).padStart(8)} bytes  SHA-256 ${hash}`)
  }

  heading('2. The notarization service')
  for (const { hash } of artifacts) service.request(hash)
  say(
    `A simulator stands in for the service, at ${service.url}.`,
    'The action completes registrations that were requested beforehand, so each SHA-256 above was announced to it.',
  )

  heading('3. The step of the workflow')
  say(
    '    - uses: OWNER/REPO@v1',
    '      with:',
    '        api-key: ${{ secrets.NOTARIZATION_API_KEY }}',
    `        base-url: ${service.url}`,
    '        subscription: ${{ secrets.NOTARIZATION_SUBSCRIPTION }}',
    `        path: ${inputs.path}`,
  )

  heading('4. First run: the log, as the runner shows it')
  const run = (): Promise<ActionRun> =>
    runAction({ workspace, inputs: { ...inputs, 'base-url': service.url } })
  const first = await run()
  say(indent(first.visibleLog), '', `Exit code: ${first.exitCode ?? 'none'}`)
  const sentByFirst = service.requests.length
  say('', 'What the service saw of it:', '')
  showRequests(service, 0)

  heading('5. The outputs, for later steps and jobs')
  for (const [name, value] of Object.entries(first.outputs)) say(`    ${name}: ${shorten(value)}`)

  heading('6. The records file: keep it, it is the proof and prevents paying twice')
  const recordsAfterFirst = workspace.exists(RECORDS_FILE) ? workspace.read(RECORDS_FILE) : ''
  say(`    ${workspace.path(RECORDS_FILE)}`, '', indent(recordsAfterFirst))

  heading('7. The job summary, as Markdown')
  say(indent(first.summary))

  heading('8. Second run, with the same records file: nothing is sent twice')
  const second = await run()
  say(indent(second.visibleLog), '', `Exit code: ${second.exitCode ?? 'none'}`)
  say(`Requests that the service saw of it: ${service.requests.length - sentByFirst}`)
  showRequests(service, sentByFirst)
  const recordsAfterSecond = workspace.exists(RECORDS_FILE) ? workspace.read(RECORDS_FILE) : ''

  heading('9. With the API key alone: artifacts that the service has never heard of')
  const alone = await runWithKeyAlone(workspace)

  heading('10. Is all as it should be?')
  const runs = { first, second, sentByFirst, recordsAfterFirst, recordsAfterSecond }
  const judged = [...judge(artifacts, service, runs), ...alone.judged]
  for (const [isSo, sentence] of judged) say(`    ${isSo ? 'yes' : 'NO '}  ${sentence}`)
  const stderr = [first, second, alone.run]
    .map(({ stderr }) => stderr.trim())
    .filter(text => text !== '')
  if (stderr.length > 0) say('', 'On stderr, where nothing should be:', '', ...stderr.map(indent))

  const isGood = stderr.length === 0 && judged.every(([isSo]) => isSo)
  say(
    '',
    isGood
      ? `All is as it should be: ${artifacts.length} artifacts notarized with ${artifacts.length} registrations, and the second run sent nothing.`
      : 'NOT all is as it should be; see the lines with NO above.',
  )
  return isGood
}

// Until the end says otherwise: a demo that ends too early must not look like a success.
process.exitCode = 1
// An exit removes the temporary folders; a bare signal would leave them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const service = await startSimulator()
try {
  if (await demonstrate(service, makeWorkspace())) process.exitCode = 0
} catch (error) {
  console.error(
    `The demo could not be run: ${error instanceof Error ? error.message : String(error)}`,
  )
} finally {
  await service.close()
  cleanUp()
}
