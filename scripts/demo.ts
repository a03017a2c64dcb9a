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
import { judge } from './demo-checks.ts'
import { makeRelease } from './demo-release.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Notarizes this repository as its own release, against the simulator.

Usage: npm run demo

  --help  print this
`

const OWN_NAME = readOwnName(resolve(import.meta.dirname, '..'))
const RECORDS_FILE = 'notarization-records.jsonl'

/** What a workflow writes under `with:`; the simulator gives the address. */
const inputs = {
  'api-key': DEFAULT_API_KEY,
  subscription: JSON.stringify(exampleSubscription),
  path: 'release/*',
} as const

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

function showRequests(service: Simulator, from: number): void {
  for (const { method, path, answeredStatus } of service.requests.slice(from)) {
    say(`    ${method} ${path} -> ${answeredStatus ?? 'no answer'}`)
  }
}

/** Cuts what is long; the whole text is in the records file. */
function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}... (${text.length} characters)` : text
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
      `    - uses: ${OWN_NAME}@v1`,
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
    `    - uses: ${OWN_NAME}@v1`,
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

readCommandLine(HELP, z.object({}))
await runCommand(async () => {
  const service = await startSimulator()
  try {
    return await demonstrate(service, makeWorkspace())
  } finally {
    await service.close()
  }
})
