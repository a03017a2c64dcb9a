/** The verify action compares artifacts with records, also with those that a real run of the main action wrote. */
import { symlinkSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { lineOf } from '../records/entries.ts'
import { checkFinishedRun, statFiles } from '../support/finished-run.ts'
import { startGitHub, type AssetSeed } from '../support/github.ts'
import { verifyOutputsSchema } from '../support/outputs.ts'
import { job, runAction, type RunOptions } from '../support/runner.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { FILE, makeRelease, notarize, startService } from './support.ts'

async function verify(workspace: Workspace, options: RunOptions) {
  // Except the runner's own files.
  const statAll = () =>
    [workspace.root, workspace.temp]
      .flatMap(statFiles)
      .filter(file => !file.includes('_runner_file_'))
  const before = statAll()
  const run = await runAction({ actionFile: 'verify/action.yml', workspace, ...options })
  checkFinishedRun(run, run.masks)
  // The action only reads.
  expect(statAll()).toEqual(before)
  const outcome = verifyOutputsSchema.parse(run.outputs)
  const states = outcome.results?.map(({ artifact, state }) => `${artifact} ${state}`)
  return { ...run, outcome, states }
}

it('log, outputs and exit code report a match with real records, which are no artifacts, and the service is not called', async () => {
  const service = await startService()
  const release = { 'app.zip': 'app of one', 'lib/core.tgz': 'core' }
  const { workspace } = await notarize({ service, workspace: makeRelease(release) })
  const more = lineOf('more', { service: service.url })
  workspace.write('dist/more', 'more')
  workspace.write('notarization-records-2.jsonl', `${more}{"artifact":"cut`)
  symlinkSync(workspace.path(FILE), workspace.path('dist/link.jsonl'))
  const requests = service.requests.length
  const inputs = { 'base-url': service.url, path: '.', 'require-all': 'true' }
  const env = { https_proxy: 'http://user:pass-word@127.0.0.1:9' }
  const run = await verify(workspace, { inputs, env })
  expect(run.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 3 })
  expect(run.lines.filter(line => !line.startsWith('::debug::'))).toEqual([
    '::add-mask::pass-word',
    expect.stringMatching(/^::warning::.*records-2.* is incomplete/),
    `✅ matched: "dist/app.zip" (10 B, ${sha256('app of one')})`,
    `✅ matched: "dist/lib/core.tgz" (4 B, ${sha256('core')})`,
    `✅ matched: "dist/more" (4 B, ${sha256('more')})`,
    `Compared with: 3 records of "${service.url}".`,
    '✅ VERIFIED: 3 of 3 files match their notarization records',
  ])
  expect(service.requests).toHaveLength(requests)
})

const ofName = (artifact: string, content: string): string =>
  lineOf(content, { service: 'https://app.dedit.io', artifact })

const app: AssetSeed = { name: 'app.zip', content: 'app' }
const saved: AssetSeed = { name: FILE, content: ofName('dist/app.zip', 'app') }
const rest: readonly AssetSeed[] = [
  { name: 'core.tgz', content: 'core' },
  { name: 'notarization-records-0123456789ab.jsonl', content: ofName('core.tgz', 'core') },
  { name: 'notarization-evidence.md', content: 'x' },
]
const otherRecords = { [FILE]: ofName('app.zip', 'another') }
const noRecords = /^Input "records": neither the workspace nor the release has a records file\./
const noAssets = /^Input "release-tag": the release has no assets to verify\. Check the tag\./

it.each<[string, readonly AssetSeed[], Readonly<Record<string, string>>, string, error?: RegExp]>([
  ['all records assets', [app, saved, ...rest], {}, 'app.zip matched, core.tgz matched'],
  ['the local records, if there are any', [app, saved], otherRecords, 'app.zip altered'],
  ['nothing, which stops the run, if it has no records', [app], {}, '', noRecords],
  ['nothing, which stops the run, if it has nothing else', [saved], {}, '', noAssets],
])(
  'a release is compared with %s',
  async (_, assets, files, states, error = /^Do not deploy: 1 altered/) => {
    const { refName: tag, sha: commit } = job
    const github = await startGitHub({ releases: [{ tag, assets }], tags: { [tag]: { commit } } })
    const ofRelease = { path: '', 'release-tag': tag, 'github-token': github.token }
    const inputs = { ...ofRelease, 'require-all': 'true' }
    const env = { GITHUB_API_URL: github.url }
    const run = await verify(makeWorkspace(files), { inputs, env })
    expect(run.masks).toEqual([github.token])
    expect(run.states?.join(', ')).toBe(states)
    if (run.exitCode !== 0) expect(run.annotations.error).toEqual([expect.stringMatching(error)])
  },
)
