import { expect, it } from '@jest/globals'
import { connectToGitHub } from '../../src/release/octokit.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { runVerify } from '../../src/verify/verify.ts'
import { hostIn } from '../artifacts/host.ts'
import { lineOf } from '../records/entries.ts'
import { createKeeper, haltOf } from '../report/results.ts'
import { startGitHub } from '../support/github.ts'
import { source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

const recorded = lineOf('a', { service: 'https://app.dedit.io' })
const { root } = makeWorkspace({ 'dist/a': 'a', 'notarization-records.jsonl': recorded })

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

const asset = (name: string, content: string) => ({ name, content })
const noLists =
  'Input "records": neither the workspace nor the release has a records file. Download the records files first.'
const noAssets = 'Input "release-tag": the release has no assets to verify. Check the tag.'

const lists = asset('notarization-records.jsonl', recorded)
it.each([
  ['without records stops a run', [asset('a', 'a')], [noLists]],
  ['without other assets stops a run', [lists], [noAssets]],
  ['is compared with its records', [asset('a', 'a'), lists], []],
])('a release %s', async (_, assets, expected) => {
  const tags = { v1: { commit: source.sha } }
  const github = await startGitHub({ releases: [{ tag: 'v1', assets }], tags })
  const env = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'octo/app' }
  const folder = makeWorkspace().root
  const { runner, reported } = createKeeper()
  const environment = readEnvironment(env, folder)
  const host = { ...hostIn(folder), runner, environment, connectToGitHub }
  const inputs = { 'release-tag': 'v1', 'github-token': github.token }
  expect(reported(await runVerify(host, inputs)).errors).toEqual(expected)
})
