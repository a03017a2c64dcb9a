/**
 * Runs the committed bundle on real files, with a simulated runner, service and artifact service and without a network: a
 * run that succeeds, one that fails, and its re-run. Run by `npm run demo`.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { startArtifactService } from '../__tests__/support/artifact-service.ts'
import { decodeHtml } from '../__tests__/support/html.ts'
import { runAction, type ActionRun, type RunOptions } from '../__tests__/support/runner.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, planFaults, startSimulator } from '../simulator/index.ts'
import { readCommandLine, runCommand } from './command.ts'
import { faultHelp, faultOptions, readFaults } from './fault-options.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Shows what you see when the action notarizes a release, when the service fails, and when you re-run the
failed job. Nothing leaves this machine: a simulator replaces the service.

Usage: npm run demo -- [options]

  (none)        a run that succeeds, a run that fails, and its re-run
  (faults)      only a run with these faults, such as --after 1 --lose 2 --known --fail 503
  --out FOLDER  where to save files, records, evidence pages and job summaries (default: .demo)
  --help        print this
${faultHelp}`

const root = resolve(import.meta.dirname, '..')
const documents = ['README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY'].map(name => `${name}.md`)
const nextRelease = [...documents, 'LICENSE', 'package.json']

/** A job on a new machine. */
interface Scene {
  readonly title: string
  /** What to look at. */
  readonly introduction: string
  /** What to notarize, relative to the repository. */
  readonly files: readonly string[]
  /** The run attempt; the first begins a workflow run, without kept records. */
  readonly attempt: '1' | '2'
  readonly hasFaults: boolean
}

const story: readonly Scene[] = [
  {
    title: '1. A release is notarized',
    introduction: `This is the step of the workflow, without base-url, which is set to the simulator:

    - uses: ${readOwnName(root)}@v1
      with:
        path: '*'
        api-key: \${{ secrets.NOTARIZATION_API_KEY }}

Look at the first line of the job summary: it says whether the release is notarized.`,
    files: ['dist/index.js', 'dist/licenses.txt', 'action.yml'],
    attempt: '1',
    hasFaults: false,
  },
  {
    title: '2. The service fails after four of the six files of the next release',
    introduction: 'Look at the job summary: it says what to do, and what that costs.',
    files: nextRelease,
    attempt: '1',
    hasFaults: true,
  },
  {
    title: '3. The service is back, and the failed job is re-run on a new machine',
    introduction: 'Look at the calls: only the two files without a record are sent again.',
    files: nextRelease,
    attempt: '2',
    hasFaults: false,
  },
]

function show(title: string, text: string): void {
  console.log(`\n--- ${title} ${'-'.repeat(95 - title.length)}\n`)
  console.log(text.trim().replaceAll(/^(?=.)/gm, '    '))
}

/** Returns the job summary as plain text, with one line per table row. */
function toPlainText(markdown: string): string {
  const lines = markdown.replaceAll(/<(?=(li|br|p)\b)/g, '\n<').replaceAll(/<\/t[dh]>/g, '  ')
  return decodeHtml(lines.replaceAll(/<\/?(?!wbr)[a-z][^>]*>/g, '')).replaceAll(/^#+ /gm, '')
}

/** Runs a job, shows what a user sees, and saves it in a folder. */
async function runJob(files: readonly string[], folder: string, options: RunOptions) {
  const contents = files.map(file => [basename(file), readFileSync(join(root, file))] as const)
  const workspace = makeWorkspace(Object.fromEntries(contents))
  const run = await runAction({ ...options, workspace })
  show(`The log; the exit code is ${run.exitCode ?? 'missing'}`, run.visibleLog)
  const outputs = Object.entries(run.outputs).map(([name, value]) => `${name}: ${value}`)
  show('The outputs', outputs.map(line => line.replace(/(?<=^.{160}).+/s, '...')).join('\n'))
  show('The job summary, as text', toPlainText(run.summary))

  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of contents) writeFileSync(join(folder, name), content)
  for (const name of ['records-path', 'evidence-path', 'checksums-path']) {
    const file = run.outputs[name] ?? ''
    if (file !== '') copyFileSync(file, join(folder, basename(file)))
  }
  writeFileSync(join(folder, 'summary.md'), run.summary)
  return run
}

const command = { ...faultOptions, out: { type: 'string', default: '.demo' } } as const
const { options } = readCommandLine(HELP, command)
const wanted = readFaults(options)
const isStory = wanted.lose === 0 && !wanted.known && wanted.fail === null

await runCommand(async () => {
  const selectFault = planFaults(isStory ? { ...wanted, after: 4, fail: 503 } : wanted)
  let hasFaults = false
  const service = await startSimulator({
    repeat: 'accept',
    faults: request => (hasFaults ? selectFault(request) : undefined),
  })
  const inputs = {
    path: '*',
    'api-key': DEFAULT_API_KEY,
    'base-url': service.url,
    // By default, the action does not give up so soon.
    'max-attempts': '2',
  }
  const runs: ActionRun[] = []
  let { env } = await startArtifactService()
  const scenes = isStory ? story : story.slice(1, 2)
  for (const [index, { title, introduction, files, attempt, ...scene }] of scenes.entries()) {
    hasFaults = scene.hasFaults
    if (attempt === '1') ({ env } = await startArtifactService())
    const [rule, calls] = ['='.repeat(100), service.requests.length]
    console.log(`\n\n${rule}\n${isStory ? title : 'A run with faults'}\n${rule}\n\n${introduction}`)
    const folder = join(options.out, `${index + 1}`)
    const job = { inputs, env: { ...env, GITHUB_RUN_ATTEMPT: attempt } }
    runs.push(await runJob(files, folder, job))
    const lines = service.requests.slice(calls).map(({ method, path, answeredStatus }) => {
      const shortPath = path.replace(/([0-9a-f]{12})[0-9a-f]{52}/, '$1...')
      return `${method} ${shortPath} -> ${answeredStatus ?? 'no response'}`
    })
    show('The calls to the service', lines.join('\n'))
  }
  await service.close()
  console.log(`\n\nSaved in ${options.out}, one folder per run: files, records, evidence page and job summary.
To verify the files, run in one of them: sha256sum --ignore-missing -c notarization-evidence.md`)
  if (!isStory) return true

  const results = [
    runs.map(({ exitCode }) => exitCode),
    runs.map(({ outputs }) => outputs['newly-registered-count']),
    [...service.completionCounts.values()],
  ]
  const isGood = results.join(' ') === '0,1,0 3,4,2 1,1,1,1,1,1,1,1,1'
  console.log(isGood ? 'All as expected.' : `NOT as expected: ${results.join(' ')}`)
  return isGood
})
