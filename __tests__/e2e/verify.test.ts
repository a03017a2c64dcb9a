/** The verify action compares artifacts with records, also with those that a real run of the main action wrote. */
import { symlinkSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { checkFinishedRun, readSummary, statFiles } from '../support/finished-run.ts'
import { startGitHub, type AssetSeed } from '../support/github.ts'
import { verifyOutputsSchema } from '../support/outputs.ts'
import { job, runAction, type RunOptions } from '../support/runner.ts'
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

it('log, outputs, summary and exit code report a match with a real record, and the service is not called', async () => {
  const service = await startService()
  const release = { 'app.zip': 'app of one', 'lib/core.tgz': 'core', empty: '' }
  const { workspace } = await notarize({ service, workspace: makeRelease(release) })
  const requests = service.requests.length
  const inputs = { 'base-url': service.url, 'require-all': 'true' }
  const run = await verify({ workspace, inputs })
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

const lineOf = (name: string, content: string): string =>
  toJsonLines([makeLine('https://app.dedit.io', content, { artifact: name })])

it('every records file that matches the default pattern is used, and is not an artifact', async () => {
  const workspace = makeWorkspace({
    'dist/app.zip': 'app',
    'dist/core.tgz': 'core',
    [FILE]: lineOf('dist/app.zip', 'app'),
    'notarization-records-2.jsonl': `${lineOf('dist/core.tgz', 'core')}{"artifact":"cut`,
  })
  symlinkSync(workspace.path(FILE), workspace.path('dist/link.jsonl'))
  const run = await verify({ workspace, inputs: { path: '.' } })
  expect(run.states).toEqual(['dist/app.zip matched', 'dist/core.tgz matched'])
  expect(run.annotations.warning).toEqual([expect.stringMatching(/records-2.* is incomplete/)])
})

const tag = job.refName

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
    inputs: { path, 'release-tag': tag, 'github-token': github.token, 'require-all': 'true' },
    env: { GITHUB_API_URL: github.url },
  })
  expect(run.masks).toEqual([github.token])
  return run
}

const app: AssetSeed = { name: 'app.zip', content: 'app' }
const saved: AssetSeed = { name: FILE, content: lineOf('dist/app.zip', 'app') }
const rest: readonly AssetSeed[] = [
  { name: 'core.tgz', content: 'core' },
  { name: 'notarization-records-0123456789ab.jsonl', content: lineOf('core.tgz', 'core') },
  { name: 'notarization-evidence.md', content: 'x' },
]
const local = { 'dist/app.zip': 'app' }
const otherRecords = { [FILE]: lineOf('app.zip', 'another') }
const [matched, altered] = ['app.zip matched', 'app.zip altered']

it.each<[string, readonly AssetSeed[], Readonly<Record<string, string>>, readonly string[]]>([
  ['all records assets', [app, saved, ...rest], {}, [matched, 'core.tgz matched']],
  ['the local records file, if there is one', [app, saved], otherRecords, [altered]],
  [
    'records, asset by asset',
    [{ ...app, content: 'x' }, saved],
    local,
    [altered, `dist/${matched}`],
  ],
])('a release is compared with %s', async (_, assets, files, states) => {
  expect((await verifyRelease(assets, files)).states).toEqual(states)
})

it('a release without records stops the run', async () => {
  const run = await verifyRelease([app])
  expect(run.outcome.verdict).toBe('stopped')
  expect(run.annotations.error).toEqual([expect.stringMatching(/^input "records"/i)])
})
