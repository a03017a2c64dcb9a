/**
 * Notarizes real files with the committed bundle, in an imitation of the runner and with a simulator in place of the
 * service, twice; shows what a user sees, and keeps the files. Run by `npm run demo`. Needs no network.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { runAction, type ActionRun } from '../__tests__/support/runner.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, startSimulator } from '../simulator/index.ts'
import type { Simulator } from '../simulator/index.ts'
import { readCommandLine, runCommand } from './command.ts'
import { readOwnName } from './own-name.ts'
import { toPlainText } from './page-text.ts'

const HELP = `Notarizes the files of dist, against the simulator, and shows what a user sees.

Usage: npm run demo -- [options]

  --out FOLDER  where the records, the evidence page and the job summary are kept (default: .demo)
  --help        print this
`

const repository = resolve(import.meta.dirname, '..')
const released = ['dist/index.js', 'dist/licenses.txt', 'action.yml'] as const

function heading(title: string): void {
  console.log(`\n=== ${title} ${'='.repeat(90 - title.length)}\n`)
}

function show(text: string): void {
  console.log(text.trimEnd().replaceAll(/^(?=.)/gm, '    '))
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}...` : text
}

/** Runs the action, and shows its log and the calls that it made. */
async function showRun(workspace: Workspace, service: Simulator): Promise<ActionRun> {
  const before = service.requests.length
  const run = await runAction({
    workspace,
    inputs: {
      'api-key': DEFAULT_API_KEY,
      'base-url': service.url,
      path: 'release/*',
      'request-registration': 'true',
    },
  })
  show(run.visibleLog)
  const calls = service.requests.slice(before)
  console.log(`\nExit code ${run.exitCode ?? 'none'}. Calls to the service: ${calls.length}`)
  for (const { method, path, answeredStatus = 'no answer' } of calls) {
    show(`${method} ${path} -> ${answeredStatus}`)
  }
  return run
}

/** Keeps the released files and what the run made of them, and returns the names. */
function keep({ workspace, outputs, summary }: ActionRun, folder: string): readonly string[] {
  const made = ['records-path', 'evidence-path', 'checksums-path'].map(name => outputs[name] ?? '')
  const files = [...released.map(name => workspace.path('release', basename(name))), ...made]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
  writeFileSync(join(folder, 'job-summary.md'), summary)
  return readdirSync(folder)
}

/** Whether a run is green and says that it registered so many of the artifacts, and knew the rest. */
function isGreen({ exitCode, stderr, outputs }: ActionRun, newly: number): boolean {
  return (
    exitCode === 0 &&
    stderr === '' &&
    outputs['verdict'] === 'registered' &&
    outputs['registered-count'] === String(released.length) &&
    outputs['newly-registered-count'] === String(newly)
  )
}

async function demonstrate(service: Simulator, folder: string): Promise<boolean> {
  const workspace = makeWorkspace()
  for (const name of released) {
    workspace.write(`release/${basename(name)}`, readFileSync(join(repository, name)))
  }
  console.log(
    'Notarizes three real files. Nothing leaves this machine: a simulator is the service.',
  )

  heading('1. The step of the workflow')
  show(`- uses: ${readOwnName(repository)}@v1
  with:
    api-key: \${{ secrets.NOTARIZATION_API_KEY }}
    base-url: ${service.url}
    path: release/*
    request-registration: true`)

  heading('2. The log, as the runner shows it')
  const first = await showRun(workspace, service)
  const calls = service.requests.length
  const records = workspace.read('notarization-records.jsonl')

  heading('3. The outputs, for later steps and jobs')
  for (const [name, value] of Object.entries(first.outputs)) show(`${name}: ${shorten(value)}`)

  heading('4. The job summary, as text')
  show(toPlainText(first.summary))

  heading('5. The records file: it prevents paying twice')
  for (const line of records.trimEnd().split('\n')) show(shorten(line))

  heading('6. The evidence page: it proves, to somebody without this action, what was registered')
  const kept = keep(first, folder)
  show(readFileSync(join(folder, 'notarization-evidence.md'), 'utf8'))

  heading('7. A second run with the same records file: nothing is sent')
  const second = await showRun(workspace, service)

  heading('8. Checks')
  const shown = [first, second].flatMap(run => [run.visibleLog, run.summary])
  const secrets = [DEFAULT_API_KEY, ...service.tokens]
  const checks: Readonly<Record<string, boolean>> = {
    'the first run registered all files': isGreen(first, released.length),
    'each file was requested and completed once, after one login':
      calls === 1 + 2 * released.length && service.registered.size === released.length,
    'the second run knew all files, and sent nothing':
      isGreen(second, 0) && service.requests.length === calls,
    'it left the records file as it was': workspace.read('notarization-records.jsonl') === records,
    'no secret stands in log or summary': !shown.some(text =>
      secrets.some(secret => text.includes(secret)),
    ),
  }
  for (const [check, isMet] of Object.entries(checks)) show(`${isMet ? 'yes' : 'NO '} ${check}`)
  const isGood = Object.values(checks).every(Boolean)
  console.log(`\n${isGood ? 'All checks passed.' : 'NOT all checks passed.'}`)
  console.log(`Kept in ${relative(process.cwd(), folder)}: ${kept.join(', ')}`)
  console.log(
    'Compare the files with the evidence page: sha256sum --ignore-missing -c notarization-evidence.md',
  )
  return isGood
}

const { options } = readCommandLine(HELP, z.object({ out: z.string().default('.demo') }))
await runCommand(async () => {
  const service = await startSimulator()
  try {
    return await demonstrate(service, resolve(options.out))
  } finally {
    await service.close()
  }
})
