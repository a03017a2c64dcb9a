/** The verify action with `release-tag`: a deploy job that knows only the release. */
import { describe, expect, it } from '@jest/globals'
import { startGitHub, type AssetSeed, type GitHubOptions } from '../support/github.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, makeLine, toJsonLines } from './support.ts'
import { statesOf, verify, type VerifyRun, type VerifyScenario } from './verify-support.ts'

const tag = job.refName
const service = 'https://notary.example'
const lineOf = (name: string, content: string) =>
  toJsonLines([makeLine(service, content, { artifact: name })])

const app: AssetSeed = { name: 'app.zip', content: 'app' }
const core: AssetSeed = { name: 'core.tgz', content: 'core' }
const records: AssetSeed = { name: FILE, content: lineOf('dist/app.zip', 'app') }
const more: AssetSeed = {
  name: 'notarization-records-0123456789ab.jsonl',
  content: lineOf('core.tgz', 'core'),
}

interface Given extends GitHubOptions {
  readonly inputs?: VerifyScenario['inputs']
  readonly files?: Readonly<Record<string, string>>
  readonly isDraft?: boolean
  readonly mustFail?: boolean
  readonly onStart?: VerifyScenario['onStart']
}

/** Verifies a release with these assets; the token goes to the API only, where nothing is changed. */
async function verifyRelease(assets: readonly AssetSeed[], given: Given = {}): Promise<VerifyRun> {
  const { inputs = {}, files = {}, isDraft = false, mustFail = false, ...others } = given
  const { onStart = () => undefined, ...options } = others
  const github = await startGitHub({
    releases: [{ tag, assets, draft: isDraft }],
    tags: isDraft ? {} : { [tag]: { commit: job.sha } },
    ...options,
  })
  const run = await verify({
    workspace: makeWorkspace(files),
    inputs: { path: '', 'release-tag': tag, 'github-token': github.token, ...inputs },
    env: { GITHUB_API_URL: github.url },
    mustFail,
    timeoutMs: 20_000,
    onStart,
  })
  expect(run.masks).toEqual([github.token])
  expect(github.calls.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(github.mistakes).toEqual([])
  return run
}

describe('a release', () => {
  it.each<[string, readonly AssetSeed[], Given, readonly string[]]>([
    [
      'is compared with all its records, and those are no artifacts',
      [app, core, records, more, { name: 'notarization-evidence.md', content: 'x' }],
      { inputs: { 'require-all': 'true' } },
      ['app.zip matched', 'core.tgz matched'],
    ],
    [
      'as a draft without digests is read as a stream',
      [app, records],
      { isDraft: true, givesDigests: false },
      ['app.zip matched'],
    ],
    [
      'is compared with the records file that is here, if there is one',
      [app, records],
      { files: { [FILE]: lineOf('app.zip', 'another') } },
      ['app.zip altered'],
    ],
    [
      'shows an asset that is not the good file here',
      [{ ...app, content: 'evil' }, records],
      { files: { 'dist/app.zip': 'app' }, inputs: { path: 'dist' } },
      ['app.zip altered', 'dist/app.zip matched'],
    ],
    [
      'shows an asset that is the good file here once',
      [app, records],
      { files: { 'dist/app.zip': 'app' }, inputs: { path: 'dist' } },
      ['dist/app.zip matched'],
    ],
  ])('%s', async (_, assets, given, states) => {
    expect(statesOf(await verifyRelease(assets, given))).toEqual(states)
  })

  it.each<[string, readonly AssetSeed[], Given, RegExp]>([
    ['without records', [app], {}, /^input "records": neither .* nor the release has a records/],
    ['without artifacts', [records], {}, /^input "release-tag": the release has no assets/],
    [
      'with damaged records',
      [app, { name: FILE, content: 'garbage\n' }],
      {},
      /^input "records": "notarization-records\.jsonl of the release", line 1 is not valid JSON/,
    ],
  ])('%s stops the run', async (_, assets, given, message) => {
    const run = await verifyRelease(assets, given)
    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(message)])
  })

  const onPosix = process.platform === 'win32' ? it.skip : it
  onPosix('ends the run when it is cancelled while GitHub is silent', async () => {
    let interrupt = (): unknown => undefined
    const run = await verifyRelease([app, records], {
      faults: [{ route: 'storage', fault: { kind: 'silence' } }],
      onCall: ({ route }) => {
        if (route === 'storage') interrupt()
      },
      mustFail: true,
      onStart: child => {
        interrupt = () => child.kill('SIGINT')
      },
    })
    expect(run.outcome.verdict).toBe('stopped')
  })
})
