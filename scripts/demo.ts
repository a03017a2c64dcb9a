/**
 * Notarizes real files twice with the committed bundle, a simulated runner and the simulator, without a network. Shows
 * what a user sees, and keeps the files. Run by `npm run demo`.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { decodeHtml } from '../__tests__/support/html.ts'
import { runAction, type ActionRun } from '../__tests__/support/runner.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, startSimulator } from '../simulator/index.ts'
import type { Simulator } from '../simulator/index.ts'
import { readCommandLine, runCommand } from './command.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Notarizes three files of this repository against the simulator, and shows what a user sees.

Usage: npm run demo -- [options]

  --out FOLDER  where to keep the records, the evidence page and the job summary (default: .demo)
  --help        print this
`

const repository = resolve(import.meta.dirname, '..')
const released = ['dist/index.js', 'dist/licenses.txt', 'action.yml'] as const

/** Prints a text below a title, with long lines truncated. */
function show(title: string, text: string): void {
  console.log(`\n=== ${title} ${'='.repeat(90 - title.length)}\n`)
  for (const line of text.trimEnd().split('\n')) {
    const shown = line.length > 260 ? `${line.slice(0, 260)}...` : line
    console.log(`    ${shown}`.trimEnd())
  }
}

/** Returns the job summary as plain text, with one line per table row. */
function toPlainText(markdown: string): string {
  const text = markdown.replaceAll(/<\/t[dh]>/g, '  ').replaceAll(/<\/?(?!wbr)[a-z][^>]*>/g, '')
  return decodeHtml(text).replaceAll(/^#+ /gm, '')
}

/** Runs the action, and shows its log and its calls. */
async function showRun(
  title: string,
  workspace: Workspace,
  service: Simulator,
): Promise<ActionRun> {
  const before = service.requests.length
  const inputs = {
    'api-key': DEFAULT_API_KEY,
    'base-url': service.url,
    path: 'release/*',
    'request-registration': 'true',
  }
  const run = await runAction({ workspace, inputs })
  const calls = service.requests.slice(before)
  const lines = calls.map(
    call => `${call.method} ${call.path} -> ${call.answeredStatus ?? 'no answer'}`,
  )
  const ending = `Exit code ${run.exitCode ?? 'none'}; calls to the service: ${calls.length}`
  show(title, [run.visibleLog, ending, ...lines].join('\n'))
  return run
}

/** Copies the released files and the results of the run to a folder, and returns the file names. */
function keep({ workspace, outputs, summary }: ActionRun, folder: string): readonly string[] {
  const results = ['records-path', 'evidence-path', 'checksums-path'].map(
    name => outputs[name] ?? '',
  )
  const files = [...released.map(name => workspace.path('release', basename(name))), ...results]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
  writeFileSync(join(folder, 'job-summary.md'), summary)
  return readdirSync(folder)
}

async function demonstrate(service: Simulator, folder: string): Promise<boolean> {
  const workspace = makeWorkspace()
  for (const name of released) {
    workspace.write(`release/${basename(name)}`, readFileSync(join(repository, name)))
  }
  console.log(
    'Notarizes three real files. Nothing leaves this machine: a simulator replaces the service.',
  )
  show(
    'The step of the workflow',
    `- uses: ${readOwnName(repository)}@v1
  with:
    api-key: \${{ secrets.NOTARIZATION_API_KEY }}
    base-url: ${service.url}
    path: release/*
    request-registration: true`,
  )
  const first = await showRun('The log, as the runner shows it', workspace, service)
  const kept = keep(first, folder)
  const records = workspace.read('notarization-records.jsonl')
  const outputs = Object.entries(first.outputs).map(([name, value]) => `${name}: ${value}`)
  show('The outputs, for later steps and jobs', outputs.join('\n'))
  show('The job summary, as text', toPlainText(first.summary))
  show('The records file, which prevents paying twice', records)
  const page = readFileSync(join(folder, 'notarization-evidence.md'), 'utf8')
  show('The evidence page, which proves what was registered', page)
  const calls = service.requests.length
  const second = await showRun('A second run with the same records file', workspace, service)

  const counts = [first, second].map(run => run.outputs['newly-registered-count'])
  const checks: Readonly<Record<string, boolean>> = {
    'both runs are green': first.exitCode === 0 && second.exitCode === 0,
    'the first run registered all files, the second run none': counts.join() === '3,0',
    'each file was requested and completed once, after one login': calls === 1 + 2 * 3,
    'the second run sent nothing': service.requests.length === calls,
    'the second run did not change the records file':
      workspace.read('notarization-records.jsonl') === records,
  }
  const lines = Object.entries(checks).map(([check, isMet]) => `${isMet ? 'yes' : 'NO '} ${check}`)
  show('Checks', lines.join('\n'))
  const isGood = Object.values(checks).every(Boolean)
  console.log(`\n${isGood ? 'All checks passed.' : 'Some checks FAILED.'}`)
  console.log(`Kept in ${relative(process.cwd(), folder)}: ${kept.join(', ')}`)
  console.log('To verify them, run there: sha256sum --ignore-missing -c notarization-evidence.md')
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
