/** Runs that read releases with the bundled octokit. */
import { expect, it } from '@jest/globals'
import { lineOf } from '../records/entries.ts'
import { formsOf, readRecordsFile } from '../support/finished-run.ts'
import { startGitHub, type AssetSeed } from '../support/github.ts'
import { decodeHtml } from '../support/html.ts'
import { startProxy } from '../support/proxy.ts'
import { job } from '../support/runner.ts'
import { subscription } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, notarize, secretsOf, startService } from './support.ts'

const tag = job.refName

it('a release is only read, through the proxy, and what still means something is in the summary', async () => {
  const service = await startService()
  const line = lineOf('old', { service: service.url })
  const assets: readonly AssetSeed[] = [
    { name: 'a', content: 'a' },
    { name: 'old.zip', content: 'old' },
    { name: 'cus_app-new.zip', content: 'new', digest: null },
    { name: FILE, content: `${line}{"artifact":"cut` },
  ]
  const tags = { [tag]: { commit: job.sha } }
  const apiOrigin = 'http://github.example'
  const github = await startGitHub({ releases: [{ tag, assets }], tags, apiOrigin })
  const storage = `127.0.0.1:${github.ports.storage}`
  const targets = { 'github.example:80': github.ports.api, [storage]: github.ports.storage }
  const proxy = await startProxy({ targets })
  const workspace = makeWorkspace()
  const inputs = {
    path: '',
    'release-tag': tag,
    'github-token': github.token,
    // What equals a part of the record is not masked.
    subscription: JSON.stringify({
      ...subscription,
      latestInvoice: subscription.id,
      customer: 'cus_app',
    }),
  }
  const env = {
    GITHUB_API_URL: github.url,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_RUN_ATTEMPT: '2',
    http_proxy: `http://${proxy.host}`,
  }
  const run = await notarize({ service, workspace, inputs, env, alsoSecret: [github.token] })
  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 2 })
  expect(new Set(proxy.connects)).toEqual(new Set(Object.keys(targets)))
  expect(workspace.read(FILE).startsWith(line)).toBe(true)
  expect(readRecordsFile(run).records.at(-1)?.source).toMatchObject({ ref: job.ref, sha: job.sha })
  // What is part of a name is no secret.
  const names = run.results.records?.map(({ artifact }) => artifact)
  expect(names).toEqual(['a', 'cus_app-new.zip', 'old.zip'])
  const incomplete = expect.stringMatching(/"notarization-records\.jsonl.*incomplete/)
  expect(run.annotations.warning).toEqual([incomplete])
  expect(decodeHtml(run.summary)).toEqual(incomplete)

  // Secrets of the service never go to GitHub, nor the token to the service.
  expect(run.masks).toContain(github.token)
  const seen = JSON.stringify(github.calls.map(({ path, headers }) => [path, headers]))
  expect(secretsOf(service).filter(secret => seen.includes(secret))).toEqual([])
  const seenByService = JSON.stringify(service.requests)
  expect(formsOf(github.token).filter(form => seenByService.includes(form))).toEqual([])
})
