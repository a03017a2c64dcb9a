/**
 * Runs the committed bundle on real files, with a simulated runner, service, GitHub and artifact service and without a network:
 * a run that succeeds, one that loses a response, its look-up and re-run, and the next release. Run by `npm run demo`.
 */
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { startArtifactService } from '../__tests__/support/artifact-service.ts'
import { startGitHub, type AssetSeed } from '../__tests__/support/github.ts'
import { toText } from '../__tests__/support/html.ts'
import { runAction } from '../__tests__/support/runner.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, faultWords, planFaults } from '../simulator/index.ts'
import { readFault, startSimulator, type SeenRequest } from '../simulator/index.ts'
import { readCommandLine, runCommand } from './command.ts'
import { ownName } from './own-name.ts'

const HELP = `Shows what you see when the action notarizes a release, when a response is lost, when you look the file up and
re-run the failed job, and in the next release. Nothing leaves this machine: a simulator replaces the service.

Usage: npm run demo -- [FAULT...] [options]

  (none)        the whole story
  FAULT...      only a run in which these faults meet the files, in the order in which they are sent; the last one is
                for all other files: ${faultWords.join(', ')}
  --log         also show the log and the calls to the service
  --out FOLDER  where to save files, records, evidence pages and job summaries (default: .demo)
  --help        print this`

const known = {
  log: { type: 'boolean', default: false },
  out: { type: 'string', default: '.demo' },
} as const
const { options, words } = readCommandLine(HELP, known, true)

/** A job on a new machine. */
interface Scene {
  readonly title: string
  readonly introduction: string
  /** What to notarize, relative to the repository. */
  readonly files: readonly string[]
  /** The first attempt begins a workflow run, without kept records. */
  readonly attempt: 1 | 2
  /** See `planFaults`. */
  readonly faults: readonly string[]
  /** Whether a person has looked up what has no record, and confirms what the service has registered. */
  readonly isConfirmed?: boolean
  /** The exit code, new records, and charged registrations. */
  readonly expected?: string
}

const root = resolve(import.meta.dirname, '..')
const documents = ['README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY'].map(name => `${name}.md`)
const release = [...documents, 'LICENSE', 'package.json']

const story: readonly Scene[] = [
  {
    title: '1. A release is notarized',
    introduction: `    - uses: ${ownName}@v1
      with:
        path: '*'
        api-key: \${{ secrets.NOTARIZATION_API_KEY }}`,
    files: ['dist/index.js', 'dist/licenses.txt', 'action.yml'],
    attempt: 1,
    faults: [],
    expected: '0 3 3',
  },
  {
    title: '2. Another release: the response for one of six files is lost',
    introduction: `The service has registered that file, but the action cannot know this. It never sends a file twice by
itself, because that may be a second charge.`,
    files: release,
    attempt: 1,
    faults: ['ok', 'ok', 'ok', 'lost', 'ok'],
    expected: '1 5 6',
  },
  {
    title: '3. A person looks the file up, confirms it, and re-runs the failed job',
    introduction: `The service has it, so its SHA-256 goes into the repository variable for confirmed-hashes. The re-run, on a
new machine, finds the records of attempt 1, and sends nothing.`,
    files: release,
    attempt: 2,
    faults: [],
    isConfirmed: true,
    expected: '0 0 0',
  },
  {
    title: '4. The next release: one file is new, five have not changed',
    introduction:
      'With earlier-releases: true, the action finds the records on the release before.',
    files: [...documents, 'LICENSE', 'tsconfig.json'],
    attempt: 1,
    faults: [],
    expected: '0 1 1',
  },
]

const custom: Scene = {
  title: `A release of six files, with these faults: ${words.join(' ')}`,
  introduction: 'max-attempts is 1. By default, the action retries what was certainly not done.',
  files: release,
  attempt: 1,
  faults: words,
}

const width = 100

function show(title: string, text: string): void {
  console.log(
    `\n${`--- ${title} `.padEnd(width, '-')}\n${text.trim().replaceAll(/^(?=.)/gm, '  ')}`,
  )
}

/** Returns what a job summary shows before anything is unfolded, in lines that fit the screen. */
function toScreen(summary: string): string {
  let steps = 0
  const folded = summary
    .replaceAll(/<details>\s*<summary>(.*?)<\/summary>.*?<\/details>/gs, '<p>▸ $1</p>')
    .replaceAll(/<li>.*?<\/li>/gs, step => step.replaceAll('<br>', '\n'))
    .replaceAll('<li>', () => `\n${(steps += 1)}. `)
  const text = toText(folded.replace(/^## /, '')).replaceAll(/ \[[^\]\s]*\]/g, '')
  return text.replaceAll(/(?=.{98})(.{1,97}) /g, '$1\n')
}

function toLine({ method, path, answeredStatus }: SeenRequest): string {
  const shortPath = path.replace(/(?<=[0-9a-f]{12})[0-9a-f]{52}/, '...')
  return `${method} ${shortPath} -> ${answeredStatus ?? 'no response'}`
}

await runCommand(async () => {
  let selectFault = planFaults([])
  const service = await startSimulator({ repeat: 'accept', faults: seen => selectFault(seen) })
  const inputs = { path: '*', 'api-key': DEFAULT_API_KEY, 'base-url': service.url }
  const countCharges = (): number => service.completionCounts.values().reduce((a, b) => a + b, 0)
  let artifacts = await startArtifactService()
  /** The records on the release before. */
  let released: readonly AssetSeed[] = []

  /** Runs a job, shows what a user sees, and saves it in a folder. Returns what {@link Scene.expected} has. */
  const runJob = async (scene: Scene, folder: string): Promise<string> => {
    const { files, attempt, faults, isConfirmed = false } = scene
    selectFault = planFaults(faults.map(readFault))
    if (attempt === 1) artifacts = await startArtifactService()
    const [callsBefore, chargesBefore] = [service.requests.length, countCharges()]
    const contents = files.map(file => [basename(file), readFileSync(join(root, file))] as const)
    const workspace = makeWorkspace(Object.fromEntries(contents))
    const github = await startGitHub({ releases: [{ tag: 'v1.0.0', assets: released }] })
    const lookedUp = isConfirmed ? [...service.registered.keys()].join(' ') : ''
    const { outputs, ...run } = await runAction({
      workspace,
      inputs: {
        ...inputs,
        'verification-url': 'https://notary.example/verification/{hash}',
        'max-attempts': '1',
        'confirmed-hashes': lookedUp,
        'earlier-releases': String(released.length > 0),
        'github-token': github.token,
      },
      env: {
        ...artifacts.env,
        GITHUB_API_URL: github.url,
        GITHUB_RUN_ATTEMPT: String(attempt),
        GITHUB_RUN_ID: String(released.length + 1),
      },
    })
    const charges = countCharges() - chargesBefore
    show('The job summary', toScreen(run.summary))
    const lines = Object.entries(outputs).map(([name, value]) => `${name}: ${value}`)
    show('The outputs', lines.map(line => line.replace(/(?<=^.{94}).+/s, '...')).join('\n'))
    if (options.log) {
      show('The log', run.visibleLog)
      show('The calls', service.requests.slice(callsBefore).map(toLine).join('\n'))
    }
    console.log(`\nExit code: ${run.exitCode}. Registrations that the service charges: ${charges}.`)

    rmSync(folder, { recursive: true, force: true })
    cpSync(workspace.root, folder, { recursive: true })
    for (const [name, file] of Object.entries(outputs)) {
      if (name.endsWith('-path') && file !== '') copyFileSync(file, join(folder, basename(file)))
    }
    writeFileSync(join(folder, 'summary.md'), run.summary)
    const content = workspace.read(basename(outputs['records-path'] ?? ''))
    if (attempt === 2) released = [{ name: 'notarization-records.jsonl', content }]
    return `${run.exitCode} ${outputs['newly-registered-count']} ${charges}`
  }

  let isGood = true
  for (const [index, scene] of (words.length === 0 ? story : [custom]).entries()) {
    console.log(`\n${`=== ${scene.title} `.padEnd(width, '=')}\n${scene.introduction}`)
    const result = await runJob(scene, join(options.out, `${index + 1}`))
    isGood &&= result === (scene.expected ?? result)
  }
  await service.close()
  console.log(`\nSaved in ${options.out}, one folder per run: files, records, evidence page and job summary.
To verify the files, run in one of them: sha256sum --ignore-missing -c notarization-evidence.md`)
  if (!isGood) console.log('A run did not end as expected.')
  return isGood
})
