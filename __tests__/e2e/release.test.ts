/** Runs that read a release: through a proxy, and with warnings of every source. */
import { execFileSync } from 'node:child_process'
import { expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { formsOf, readRecordsFile } from '../support/finished-run.ts'
import { startGitHub } from '../support/github.ts'
import type { AssetSeed, FakeGitHub } from '../support/github.ts'
import { decodeHtml } from '../support/html.ts'
import { startProxy } from '../support/proxy.ts'
import { job } from '../support/runner.ts'
import { makeLine, sha256, subscription, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, makeLetters, notarize, secretsOf, startService } from './support.ts'
import type { CheckedRun, Scenario } from './support.ts'

const TAG = job.refName

/** Starts a GitHub with one release, whose tag points to the commit of the run. */
function startRelease(assets: readonly AssetSeed[], apiOrigin?: string): Promise<FakeGitHub> {
  const tags = { [TAG]: { commit: job.sha } }
  const releases = [{ tag: TAG, assets }]
  return startGitHub(apiOrigin === undefined ? { releases, tags } : { releases, tags, apiOrigin })
}

/** Runs the action for the release, without files. */
async function notarizeRelease(
  github: FakeGitHub,
  service: Simulator,
  { inputs, ...options }: Scenario = {},
): Promise<CheckedRun> {
  const { token, url, calls } = github
  const run = await notarize({
    workspace: makeWorkspace(),
    service,
    ...options,
    inputs: { path: '', 'release-tag': TAG, 'github-token': token, ...inputs },
    env: { GITHUB_API_URL: url, ...options.env },
    alsoSecret: [token],
  })
  expect(run.masks).toContain(token)
  // Secrets of the service never go to GitHub, nor the token to the service.
  const seen = JSON.stringify(calls.map(({ path, headers }) => [path, headers]))
  expect(secretsOf(service).filter(secret => seen.includes(secret))).toEqual([])
  const seenByService = JSON.stringify(service.requests)
  expect(formsOf(token).filter(form => seenByService.includes(form))).toEqual([])
  return run
}

it('a release and its records are read through the proxy, and not changed', async () => {
  const service = await startService()
  const oldLines = toJsonLines([makeLine(service.url, 'old')])
  const assets = [
    { name: 'old.zip', content: 'old' },
    { name: 'new.zip', content: 'new', digest: null },
    { name: FILE, content: oldLines },
  ]
  const github = await startRelease(assets, 'http://github.example')
  const storage = `127.0.0.1:${github.ports.storage}`
  const targets = { 'github.example:80': github.ports.api, [storage]: github.ports.storage }
  const proxy = await startProxy({ targets })
  const env = { http_proxy: `http://${proxy.host}`, GITHUB_REF: 'refs/heads/main' }
  const run = await notarizeRelease(github, service, { env })
  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
  expect(new Set(proxy.connects)).toEqual(new Set(Object.keys(targets)))
  expect(run.workspace.read(FILE).startsWith(oldLines)).toBe(true)
  expect(readRecordsFile(run).records.at(-1)?.source).toMatchObject({ ref: job.ref, sha: job.sha })
  const page = run.workspace.read(run.results['evidence-path'])
  expect(page).toContain(`${sha256('new')}  new.zip\n${sha256('old')}  old.zip\n`)
})

it('every warning is in an annotation and in the summary: inputs, files, release, records, plan', async () => {
  const service = await startService()
  const line = toJsonLines([makeLine(service.url, 'a')])
  const github = await startRelease([
    { name: 'a', content: 'a' },
    { name: 'unfinished.zip', state: 'starter', digest: null },
    { name: 'notarization-records.jsonl', content: `${line}{"artifact":"cut` },
  ])
  const workspace = makeLetters('ab')
  if (process.platform !== 'win32') execFileSync('mkfifo', [workspace.path('dist/fifo')])
  const inputs = {
    path: 'dist\nnothing',
    'if-no-files-found': 'warn',
    subscription: JSON.stringify({ ...subscription, status: 'paused' }),
  }
  const env = { GITHUB_RUN_ATTEMPT: '2' }
  const run = await notarizeRelease(github, service, { workspace, inputs, env })
  const summary = decodeHtml(run.summary.replaceAll(/<[^<>]*>/g, ''))
  for (const part of [
    /nput "subscription" .*status/,
    /"dist\/fifo"/,
    /"nothing"/,
    /"unfinished\.zip"/,
    /"notarization-records\.jsonl.*incomplete/,
    /earlier attempt/,
  ]) {
    expect(run.annotations.warning).toContainEqual(expect.stringMatching(part))
    expect(summary).toMatch(part)
  }
  expect(run.results).toMatchObject({ verdict: 'registered', 'artifact-count': 2 })
})
