import { expect, it } from '@jest/globals'
import * as z from 'zod'
import { connectToGitHub } from '../../src/release/octokit.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { runVerify } from '../../src/verify/verify.ts'
import { hostIn } from '../artifacts/host.ts'
import { lineOf } from '../records/entries.ts'
import { createKeeper, haltOf } from '../report/results.ts'
import { startGitHub, type AssetSeed } from '../support/github.ts'
import { source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

const FILE = 'notarization-records.jsonl'
const resultSchema = z.object({ artifact: z.string(), state: z.string() })
const recorded = lineOf('a', { service: 'https://app.dedit.io' })
const { root } = makeWorkspace({ 'dist/a': 'a', [FILE]: recorded })

const ofTag = { path: '', records: 'x*', 'release-tag': 'v1', 'github-token': 'token' }
const noRecords = 'Input "records": "x*" matches no file; "y*" matches no file'
const noRecord = 'Input "records": "x*" matches no file'
const noPattern = 'Input "records": no line includes files'
const noFile = 'Input "path": "x*" matches no file'
const noUrl = 'Input "base-url" must be a URL that starts with https:// (got "x")'

it.each<
  [string, Readonly<Record<string, string>>, readonly string[], halted?: readonly 'cancelled'[]]
>([
  ['matches', {}, []],
  ['needs records', { records: 'x*\ny*' }, [noRecords]],
  ['needs each pattern', { records: 'x*' }, [noRecord]],
  ['needs the records that it is given, even if a release has others', ofTag, [noRecord]],
  ['needs artifacts', { path: 'x*' }, [noFile]],
  ['reports all wrong inputs', { records: '#', 'base-url': 'x' }, [noUrl, noPattern]],
  ['stops if it is canceled', {}, ['The run was canceled'], ['cancelled']],
])('a run %s', async (_, changes, expected, halted = []) => {
  const { runner, reported } = createKeeper()
  const host = { ...hostIn(root), runner, halt: haltOf(...halted) }
  const { exitCode, errors } = reported(await runVerify(host, { path: 'dist', ...changes }))
  expect(errors.map(text => text.split('. ')[0])).toEqual(expected)
  expect(exitCode).toBe(errors.length === 0 ? 0 : 1)
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
const noLists =
  'Input "records": neither the workspace nor the release has a records file. Download the records files first.'
const noAssets = 'Input "release-tag": the release has no assets to verify. Check the tag.'

it.each<[string, readonly AssetSeed[], Readonly<Record<string, string>>, states: string]>([
  ['all records assets', [app, saved, ...rest], {}, 'app.zip matched, core.tgz matched'],
  ['the local records, if there are any', [app, saved], otherRecords, 'app.zip altered'],
  ['nothing if it has no records', [app], {}, noLists],
  ['nothing if it has nothing else', [saved], {}, noAssets],
])('a release is compared with %s', async (_, assets, files, told) => {
  const tags = { v1: { commit: source.sha } }
  const github = await startGitHub({ releases: [{ tag: 'v1', assets }], tags })
  const proxy = { https_proxy: 'http://user:core.tgz@proxy' }
  const env = { ...proxy, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'octo/app' }
  const folder = makeWorkspace(files).root
  const { runner, reported } = createKeeper()
  const environment = readEnvironment(env, folder)
  const host = { ...hostIn(folder), runner, environment, connectToGitHub }
  const inputs = { 'release-tag': 'v1', 'github-token': github.token, 'require-all': 'true' }
  const { errors, outputs } = reported(await runVerify(host, inputs))
  const results = z.array(resultSchema).parse(JSON.parse(String(outputs['results'])))
  const states = results.map(({ artifact, state }) => `${artifact} ${state}`)
  expect((states.length === 0 ? errors : states).join(', ')).toBe(told)
})
