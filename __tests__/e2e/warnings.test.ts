import { execFileSync } from 'node:child_process'
import { expect, it } from '@jest/globals'
import { decodeHtml } from '../support/html.ts'
import { makeLetters, makeLine, startService, subscription, toJsonLines } from './support.ts'
import { notarizeRelease, startRelease } from './release-support.ts'

it('every warning is an annotation and in the summary: of inputs, files, release, records, plan', async () => {
  const service = await startService()
  const { url } = service
  const text = toJsonLines([makeLine(url, 'a')])
  const github = await startRelease([
    { name: 'a', content: 'a' },
    { name: 'unfinished.zip', state: 'starter', digest: null },
    { name: 'notarization-records.jsonl', content: `${text}{"artifact":"cut` },
  ])
  const workspace = makeLetters('ab')
  if (process.platform !== 'win32') execFileSync('mkfifo', [workspace.path('dist/fifo')])
  const inputs = {
    path: 'dist\nnothing',
    'if-no-files-found': 'warn',
    'attach-to-release': 'false',
    subscription: JSON.stringify({ ...subscription, status: 'paused' }),
  }
  const env = { GITHUB_RUN_ATTEMPT: '2' }
  const run = await notarizeRelease({ github, service, workspace, inputs, env })
  const summary = decodeHtml(run.summary.replaceAll(/<[^<>]*>/g, ''))
  for (const part of [
    /nput "subscription" .*status/,
    /"dist\/fifo"/,
    /"nothing"/,
    /"unfinished\.zip"/,
    /"notarization-records\.jsonl.*incomplete/,
    /attempt 2/,
  ]) {
    expect(run.annotations.warning).toContainEqual(expect.stringMatching(part))
    expect(summary).toMatch(part)
  }
  expect(run.results).toMatchObject({ verdict: 'registered', 'artifact-count': 2 })
})
