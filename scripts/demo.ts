/**
 * Packs this repository as its release and notarizes it, twice, with the committed bundle in a look-alike of the runner
 * and a simulator in place of the service. Run by `npm run demo`. Needs no network and leaves nothing behind; exit code
 * 0 only if all is as it should be.
 */
import { resolve } from 'node:path'
import { z } from 'zod'
import { runAction } from '../__tests__/support/runner.ts'
import type { ActionRun } from '../__tests__/support/runner.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import type { Simulator } from '../simulator/index.ts'
import { readCommandLine, runCommand } from './command.ts'
import { makeRelease } from './demo-release.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Notarizes this repository as its own release, against the simulator.

Usage: npm run demo

  --help  print this
`

const OWN_NAME = readOwnName(resolve(import.meta.dirname, '..'))
const RECORDS_FILE = 'notarization-records.jsonl'

const PATTERN = 'release/*'

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

/** Cuts what is long; the whole text is in the records file. */
function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}... (${text.length} characters)` : text
}

/** What must be true, each with the sentence that says so. */
type Checks = (readonly [isSo: boolean, sentence: string])[]

/** A step of a workflow that uses this action, with the address of the simulator and these inputs. */
function showStep(url: string, ...inputs: readonly string[]): void {
  const given = ['api-key: ${{ secrets.NOTARIZATION_API_KEY }}', `base-url: ${url}`, ...inputs]
  say(`    - uses: ${OWN_NAME}@v1`, '      with:', ...given.map(line => `        ${line}`))
}

/** Runs the action, and shows its log and the requests that it made. */
async function showRun(
  service: Simulator,
  workspace: Workspace,
  more: Readonly<Record<string, string>>,
): Promise<ActionRun> {
  const before = service.requests.length
  const inputs = { 'api-key': DEFAULT_API_KEY, 'base-url': service.url, path: PATTERN, ...more }
  const run = await runAction({ workspace, inputs })
  say(indent(run.visibleLog), '', `Exit code: ${run.exitCode ?? 'none'}`)
  const requests = service.requests.slice(before)
  say(`Requests that the service saw of it: ${requests.length}`, '')
  for (const { method, path, answeredStatus } of requests) {
    say(`    ${method} ${path} -> ${answeredStatus ?? 'no answer'}`)
  }
  return run
}

/** Whether a run registered all of these artifacts, or knew them, and says so. */
function hasSaid({ exitCode, outputs }: ActionRun, count: number, newly: number): boolean {
  return (
    exitCode === 0 &&
    outputs['verdict'] === 'registered' &&
    outputs['artifact-count'] === String(count) &&
    outputs['registered-count'] === String(count) &&
    outputs['newly-registered-count'] === String(newly)
  )
}

/** Whether nobody who sees these runs sees a secret. */
function hidesSecrets(runs: readonly ActionRun[], records: string, service: Simulator): boolean {
  const { sessionId, customer, latestInvoice } = exampleSubscription
  const given = [DEFAULT_API_KEY, sessionId, customer, latestInvoice, ...service.tokens]
  const secrets = given.filter(secret => secret !== null)
  const texts = runs.flatMap(run => [
    ...run.lines.filter(line => !line.startsWith('::add-mask::')),
    ...Object.values(run.outputs),
    run.summary,
  ])
  return ![...texts, records].some(text => secrets.some(secret => text.includes(secret)))
}

async function demonstrate(service: Simulator, alone: Simulator): Promise<boolean> {
  const workspace = makeWorkspace()
  const checks: Checks = []
  const readRecords = (): string =>
    workspace.exists(RECORDS_FILE) ? workspace.read(RECORDS_FILE) : ''
  say('notarize-release notarizes its own release. Nothing leaves this machine.')

  heading('1. What is released')
  const artifacts = makeRelease(workspace)
  const count = artifacts.length
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
  const secret = 'subscription: ${{ secrets.NOTARIZATION_SUBSCRIPTION }}'
  showStep(service.url, secret, `path: ${PATTERN}`)

  heading('4. First run: the log, as the runner shows it')
  const subscription = JSON.stringify(exampleSubscription)
  const first = await showRun(service, workspace, { subscription })
  checks.push(
    [hasSaid(first, count, count), `the first run registered all ${count} artifacts`],
    [
      service.requests.length === 1 + count &&
        artifacts.every(({ hash }) => service.registered.has(hash)),
      `it took one login and ${count} registrations`,
    ],
  )

  heading('5. The outputs, for later steps and jobs')
  for (const [name, value] of Object.entries(first.outputs)) say(`    ${name}: ${shorten(value)}`)

  heading('6. The records file: keep it, it is the proof and prevents paying twice')
  const records = readRecords()
  say(`    ${workspace.path(RECORDS_FILE)}`, '', indent(records))
  const kept = records.split('\n').filter(line => line.includes('"record":'))
  checks.push([
    kept.length === count &&
      artifacts.every(({ hash }) => kept.some(line => line.includes(`"hash":"${hash}"`))),
    'every record is in the records file, one line each',
  ])

  heading('7. The job summary, as Markdown')
  say(indent(first.summary))

  heading('8. Second run, with the same records file: nothing is sent twice')
  const second = await showRun(service, workspace, { subscription })
  checks.push(
    [
      [first, second].every(
        run => Object.keys(run.jobOutputs).length === Object.keys(run.outputs).length,
      ),
      'every output reaches the jobs that come after',
    ],
    [
      hidesSecrets([first, second], readRecords(), service),
      'no secret stands in log, outputs, summary or records file',
    ],
    [hasSaid(second, count, 0), `the second run found all ${count} artifacts registered`],
    [service.requests.length === 1 + count, 'it sent nothing, not even a login'],
    [
      [...service.completionCounts.values()].every(times => times === 1),
      'nothing was registered twice',
    ],
    [readRecords() === records, 'it left the records file as it was'],
  )

  heading('9. With the API key alone: artifacts that the service has never heard of')
  say(
    'No request was made beforehand and no subscription is given: with request-registration: true the action',
    'requests each registration, and completes it with the subscription data of the answer.',
    '',
  )
  showStep(alone.url, 'request-registration: true', `path: ${PATTERN}`)
  say('')
  // Another service, for which the records file has no line.
  const third = await showRun(alone, workspace, { 'request-registration': 'true' })
  checks.push([
    hasSaid(third, count, count) &&
      alone.registered.size === count &&
      alone.requests.length === 1 + 2 * count,
    'with the key alone, each registration was requested and completed once',
  ])

  heading('10. Is all as it should be?')
  for (const [isSo, sentence] of checks) say(`    ${isSo ? 'yes' : 'NO '}  ${sentence}`)
  const stderr = [first, second, third].map(run => run.stderr).join('')
  if (stderr !== '') say('', 'On stderr, where nothing should be:', '', indent(stderr))
  const isGood = stderr === '' && checks.every(([isSo]) => isSo)
  say(
    '',
    isGood
      ? `All is as it should be: ${count} artifacts notarized with ${count} registrations, and the second run sent nothing.`
      : 'NOT all is as it should be; see the lines with NO above.',
  )
  return isGood
}

readCommandLine(HELP, z.object({}))
await runCommand(async () => {
  const services = await Promise.all([startSimulator(), startSimulator()])
  try {
    return await demonstrate(...services)
  } finally {
    for (const service of services) await service.close()
  }
})
