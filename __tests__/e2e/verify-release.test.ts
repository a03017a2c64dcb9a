/** The verify action with `release-tag`: a deploy job that knows only the release. */
import { expect, it } from '@jest/globals'
import { startGitHub, type AssetSeed } from '../support/github.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, makeLine, toJsonLines } from './support.ts'
import { statesOf, verify, type VerifyRun } from './verify-support.ts'

const tag = job.refName
const lineOf = (name: string, content: string) =>
  toJsonLines([makeLine('https://notary.example', content, { artifact: name })])

const app: AssetSeed = { name: 'app.zip', content: 'app' }
const core: AssetSeed = { name: 'core.tgz', content: 'core' }
const page: AssetSeed = { name: 'notarization-evidence.md', content: 'x' }
const records: AssetSeed = { name: FILE, content: lineOf('dist/app.zip', 'app') }
const more: AssetSeed = {
  name: 'notarization-records-0123456789ab.jsonl',
  content: lineOf('core.tgz', 'core'),
}

/** Verifies a release with these assets; the token goes to the API only, where nothing is changed. */
async function verifyRelease(
  assets: readonly AssetSeed[],
  files: Readonly<Record<string, string>> = {},
): Promise<VerifyRun> {
  const tags = { [tag]: { commit: job.sha } }
  const github = await startGitHub({ releases: [{ tag, assets }], tags })
  const path = 'dist/app.zip' in files ? 'dist' : ''
  const run = await verify({
    workspace: makeWorkspace(files),
    inputs: { path, 'release-tag': tag, 'github-token': github.token, 'require-all': 'true' },
    env: { GITHUB_API_URL: github.url },
  })
  expect(run.masks).toEqual([github.token])
  expect(github.calls.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(github.mistakes).toEqual([])
  return run
}

const local = { 'dist/app.zip': 'app' }
const evil = { ...app, content: 'evil' }
const another = { [FILE]: lineOf('app.zip', 'another') }
const altered = ['app.zip altered', 'app.zip missing']

it.each<[string, readonly AssetSeed[], Readonly<Record<string, string>>, readonly string[]]>([
  [
    'all its records, and those are no artifacts',
    [app, core, records, more, page],
    {},
    ['app.zip matched', 'core.tgz matched'],
  ],
  ['the records file that is here, if there is one', [app, records], another, altered],
  [
    'its records, also what is not the good file here',
    [evil, records],
    local,
    ['app.zip altered', 'dist/app.zip matched'],
  ],
  ['its records, the good file here once', [app, records], local, ['dist/app.zip matched']],
])('a release is compared with %s', async (_, assets, files, states) => {
  expect(statesOf(await verifyRelease(assets, files))).toEqual(states)
})

it.each<[string, readonly AssetSeed[], RegExp]>([
  ['records', [app], /^input "records": neither .* nor the release has a records/],
  ['artifacts', [records], /^input "release-tag": the release has no assets/],
])('a release without %s stops the run', async (_, assets, message) => {
  const run = await verifyRelease(assets)
  expect(run.outcome.verdict).toBe('stopped')
  expect(run.annotations.error).toEqual([expect.stringMatching(message)])
})
