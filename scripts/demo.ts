/**
 * Notarizes real files with the committed bundle, and again as a re-run on a new machine: with a simulated runner, service
 * and artifact service, without a network. Shows what a user sees, and keeps the files. Run by `npm run demo`.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { startArtifactService } from '../__tests__/support/artifact-service.ts'
import { decodeHtml } from '../__tests__/support/html.ts'
import { runAction, type ActionRun, type RunOptions } from '../__tests__/support/runner.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../simulator/index.ts'
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

/** Creates the workspace of a new machine. */
function makeRelease(): Workspace {
  const files = released.map(name => {
    return [`release/${basename(name)}`, readFileSync(join(repository, name))] as const
  })
  return makeWorkspace(Object.fromEntries(files))
}

/** Runs the action as the next attempt of a job, and shows its log and its calls. */
async function showRun(title: string, service: Simulator, options: RunOptions) {
  const before = service.requests.length
  const run = await runAction(options)
  const calls = service.requests
    .slice(before)
    .map(({ method, path, answeredStatus }) => `${method} ${path} -> ${answeredStatus ?? 'none'}`)
  const ending = `Exit code ${run.exitCode ?? 'none'}; calls to the service: ${calls.length}`
  show(title, [run.visibleLog, ending, ...calls].join('\n'))
  return run
}

/** Copies the released files and the results of the run to a folder. */
function keep({ workspace, outputs, summary }: ActionRun, folder: string): readonly string[] {
  const results = ['records-path', 'evidence-path', 'checksums-path'].map(
    name => outputs[name] ?? '',
  )
  const files = [...released.map(name => workspace.path('release', basename(name))), ...results]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
  writeFileSync(join(folder, 'summary.md'), summary)
  return readdirSync(folder)
}

async function demonstrate(service: Simulator, folder: string): Promise<boolean> {
  console.log(
    'Notarizes three real files. Nothing leaves this machine: a simulator replaces the service.',
  )
  show(
    'The step of the workflow',
    `- uses: ${readOwnName(repository)}@v1
  with:
    path: release/*
    api-key: \${{ secrets.NOTARIZATION_API_KEY }}

Here, base-url is ${service.url}, the simulator.`,
  )
  const artifacts = await startArtifactService()
  const inputs = { path: 'release/*', 'api-key': DEFAULT_API_KEY, 'base-url': service.url }
  const options = { workspace: makeRelease(), inputs, env: artifacts.env }
  const first = await showRun('The log, as the runner shows it', service, options)
  const kept = keep(first, folder)
  const outputs = Object.entries(first.outputs).map(([name, value]) => `${name}: ${value}`)
  show('The outputs, for later steps and jobs', outputs.join('\n'))
  show('The job summary, as text', toPlainText(first.summary))
  show(
    'The records file, which prevents paying twice',
    first.workspace.read('notarization-records.jsonl'),
  )
  const page = readFileSync(join(folder, 'notarization-evidence.md'), 'utf8')
  show('The evidence page, which proves what was registered', page)

  const calls = service.requests.length
  await showRun('The post step, which keeps the records', service, { ...options, postAfter: first })
  const rerun = {
    ...options,
    workspace: makeRelease(),
    env: { ...artifacts.env, GITHUB_RUN_ATTEMPT: '2' },
  }
  const second = await showRun('The job is re-run on a new machine', service, rerun)

  const counts = [first, second].map(run => run.outputs['newly-registered-count'])
  const checks: Readonly<Record<string, boolean>> = {
    'both runs are green': first.exitCode === 0 && second.exitCode === 0,
    'the first run registered all files, the re-run none': counts.join() === '3,0',
    'each file was requested and completed once, after one login': calls === 1 + 2 * 3,
    'the re-run found the records and sent nothing': service.requests.length === calls,
  }
  const lines = Object.entries(checks).map(([check, isMet]) => `${isMet ? 'yes' : 'NO '} ${check}`)
  show('Checks', lines.join('\n'))
  const isGood = Object.values(checks).every(Boolean)
  console.log(`\n${isGood ? 'All checks passed.' : 'Some checks FAILED.'}`)
  console.log(`Kept in ${relative(process.cwd(), folder)}: ${kept.join(', ')}`)
  console.log('To verify them, run there: sha256sum --ignore-missing -c notarization-evidence.md')
  return isGood
}

const { options } = readCommandLine(HELP, { out: { type: 'string', default: '.demo' } })
await runCommand(async () => {
  const service = await startSimulator()
  try {
    return await demonstrate(service, resolve(options.out))
  } finally {
    await service.close()
  }
})
