/** The verify action compares artifacts with records, also with those that a real run of the main action wrote. */
import { symlinkSync } from 'node:fs'
import { beforeAll, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { checkFinishedRun, statFiles, readSummary } from '../support/finished-run.ts'
import { startGitHub, type AssetSeed } from '../support/github.ts'
import { verifyOutputsSchema } from '../support/outputs.ts'
import { runAction, type RunOptions } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import { makeLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { FILE, makeRelease, notarize, startService } from './support.ts'

/** Runs the verify action, with `path: dist` by default. */
async function verify({ workspace = makeWorkspace(), ...options }: RunOptions) {
  const before = filesOf(workspace)
  const inputs = { path: 'dist', ...options.inputs }
  const run = await runAction({ actionFile: 'verify/action.yml', workspace, ...options, inputs })
  checkFinishedRun(run, run.masks)
  // The action only reads.
  expect(filesOf(workspace)).toEqual(before)
  const outcome = verifyOutputsSchema.parse(run.outputs)
  const states = outcome.results?.map(({ artifact, state }) => `${artifact} ${state}`)
  return { ...run, outcome, states }
}

/** Lists the files of a workspace, except the runner's own. */
function filesOf({ root, temp }: Workspace): readonly string[] {
  return [root, temp].flatMap(statFiles).filter(file => !file.includes('_runner_file_'))
}

const release = { 'app.zip': 'app of one', 'lib/core.tgz': 'core', empty: '' }
/** Written by a run of the main action. */
let records = ''
let service: Simulator

beforeAll(async () => {
  service = await startService()
  const run = await notarize({ service, workspace: makeRelease(release) })
  records = run.workspace.read(FILE)
})

/** Creates a workspace with these files below `dist` and a records file. */
function makeDeploy(files: Readonly<Record<string, string>>, lines = records): Workspace {
  const workspace = makeRelease(files)
  workspace.write(FILE, lines)
  return workspace
}

/** Verifies records of the service of these tests: a loopback address must be set as `base-url`. */
const verifyHere = (scenario: RunOptions) =>
  verify({ ...scenario, inputs: { 'base-url': service.url, ...scenario.inputs } })

const requireAll = { 'require-all': 'true' } as const

it('log, outputs, summary and exit code report a match, and the service is not called', async () => {
  const requests = service.requests.length
  const run = await verifyHere({ workspace: makeDeploy(release), inputs: requireAll })
  const hash = sha256('app of one')
  const record = service.registered.get(hash)
  const artifact = 'dist/app.zip'
  expect(run.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 3 })
  expect(run.outcome.results?.[0]).toEqual({
    artifact,
    size: 10,
    hash,
    state: 'matched',
    recorded: { artifact, hash, service: service.url, sha: job.sha, record },
    message: '',
  })
  expect(readSummary(run.summary).verdict).toMatch(/VERIFIED: 3 of 3 artifacts/)
  expect(run.lines).toContain(`matched: "dist/empty" (0 B, ${sha256('')})`)
  expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  expect(service.requests).toHaveLength(requests)
})

it('every records file that matches the default pattern is used, and is not an artifact', async () => {
  const workspace = makeDeploy({ ...release, 'extra.bin': 'extra' })
  const extra = makeLine(service.url, 'extra', { artifact: 'dist/extra.bin' })
  workspace.write('notarization-records-2.jsonl', toJsonLines([extra]))
  symlinkSync(workspace.path(FILE), workspace.path('dist/link.jsonl'))
  const run = await verifyHere({ workspace, inputs: { path: '.', sha: extra.source.sha } })
  expect(run.states).toEqual(
    ['app.zip', 'empty', 'extra.bin', 'lib/core.tgz'].map(name => `dist/${name} matched`),
  )
  // The messages of the others say that they belong to another commit.
  expect(run.outcome.results?.filter(({ message }) => message === '')).toHaveLength(1)
})

// Windows has no signals.
const onPosix = process.platform === 'win32' ? it.skip : it
onPosix('a run that is canceled while it hashes fails, and says why', async () => {
  // A few small files would be hashed in one turn of the event loop.
  const names = Array.from({ length: 1_500 }, (_, index) => `file ${index}`)
  const lines = toJsonLines(names.map(name => makeLine(service.url, name)))
  const run = await verifyHere({
    workspace: makeDeploy(Object.fromEntries(names.map(name => [name, name])), lines),
    inputs: { 'github-token': 'ghs_0123456789abcdef' },
    onStart: child => {
      // The first line masks the token.
      child.stdout.once('data', () => child.kill('SIGINT'))
    },
  })
  expect(run.outcome.verdict).toBe('stopped')
  expect(run.annotations.error.at(-1)).toMatch(/canceled/)
})

const tag = job.refName
const lineOf = (name: string, content: string) =>
  toJsonLines([makeLine('https://app.dedit.io', content, { artifact: name })])

const app: AssetSeed = { name: 'app.zip', content: 'app' }
const core: AssetSeed = { name: 'core.tgz', content: 'core' }
const page: AssetSeed = { name: 'notarization-evidence.md', content: 'x' }
const saved: AssetSeed = { name: FILE, content: lineOf('dist/app.zip', 'app') }
const more: AssetSeed = {
  name: 'notarization-records-0123456789ab.jsonl',
  content: lineOf('core.tgz', 'core'),
}

/** Verifies a release like a deploy job that knows only the tag. */
async function verifyRelease(
  assets: readonly AssetSeed[],
  files: Readonly<Record<string, string>> = {},
) {
  const tags = { [tag]: { commit: job.sha } }
  const github = await startGitHub({ releases: [{ tag, assets }], tags })
  const path = 'dist/app.zip' in files ? 'dist' : ''
  const run = await verify({
    workspace: makeWorkspace(files),
    inputs: { path, 'release-tag': tag, 'github-token': github.token, ...requireAll },
    env: { GITHUB_API_URL: github.url },
  })
  expect(run.masks).toEqual([github.token])
  expect(github.calls.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(github.mistakes).toEqual([])
  return run
}

const local = { 'dist/app.zip': 'app' }
const evil = { ...app, content: 'evil' }
const otherRecords = { [FILE]: lineOf('app.zip', 'another') }
const altered = ['app.zip altered']

it.each<[string, readonly AssetSeed[], Readonly<Record<string, string>>, readonly string[]]>([
  [
    'all its records, which are not artifacts',
    [app, core, saved, more, page],
    {},
    ['app.zip matched', 'core.tgz matched'],
  ],
  ['the local records file, if there is one', [app, saved], otherRecords, altered],
  [
    'its records, including an asset that differs from the local file',
    [evil, saved],
    local,
    ['app.zip altered', 'dist/app.zip matched'],
  ],
  ['its records, counting an equal local file once', [app, saved], local, ['dist/app.zip matched']],
])('a release is compared with %s', async (_, assets, files, states) => {
  expect((await verifyRelease(assets, files)).states).toEqual(states)
})

it('a release without records stops the run', async () => {
  const run = await verifyRelease([app])
  expect(run.outcome.verdict).toBe('stopped')
  expect(run.annotations.error).toEqual([expect.stringMatching(/^input "records"/i)])
})
