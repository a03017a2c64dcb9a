/** Runs that send nothing: a dry run, and invalid inputs. */
import { expect, it } from '@jest/globals'
import { readSummary, statFiles } from '../support/finished-run.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, makeLetters, notarize, startService } from './support.ts'

it('a dry run needs no secret, makes no connection, hashes in the worker, reports the plan and writes nothing', async () => {
  const service = await startService()
  const lines = toJsonLines([makeLine(service.url, 'a'), makeStateLine(service.url, 'b')])
  const large = Buffer.alloc(16 * 1024 * 1024 + 1)
  const workspace = makeWorkspace({ 'dist/a': 'a', 'dist/b': 'b', 'dist/large': large })
  // An incomplete last line is not cut off, and the file is no artifact.
  const recordsPath = 'dist/records.jsonl'
  workspace.write(recordsPath, `${lines}{"artifact":"dist/to`)
  const before = statFiles(workspace.root)
  const noSecret = { 'api-key': '', subscription: '' }
  const inputs = { ...noSecret, 'records-path': recordsPath, 'dry-run': 'TRUE' }
  const run = await notarize({ service, workspace, inputs })
  expect(run.results).toMatchObject({ verdict: 'dry-run', failures: [], 'artifact-count': 3 })
  expect(readSummary(run.summary).verdict).toMatch(/^## 🔎 DRY RUN, .*3 artifacts/u)
  expect(run.checksums).toContain(`${sha256(large)}  dist/large\n`)
  expect(run.masks).toEqual([])
  expect(statFiles(workspace.root)).toEqual(before)
  expect(service.maxConnections).toBe(0)
})

it('the summary is appended to that of earlier steps; a failure to write it is a warning', async () => {
  const workspace = makeLetters('a')
  workspace.write('summary.md', '# The step before\n')
  const inputs = { 'dry-run': 'true' }
  const env = { GITHUB_STEP_SUMMARY: workspace.path('summary.md') }
  await notarize({ workspace, env, inputs })
  expect(workspace.read('summary.md')).toMatch(/^# The step before\n## /)

  const run = await notarize({ inputs, env: { GITHUB_STEP_SUMMARY: '/nonexistent/summary.md' } })
  expect(run.annotations.warning).toEqual([expect.stringMatching(/summary/)])
})

it('all invalid inputs are reported together, in annotations and in the summary', async () => {
  const wrong = {
    'api-key': '',
    'base-url': 'http://notary.example/api/v2',
    path: 'dist/**\nreleases/*.zip',
    checksums: 'sums.txt',
    subscription: '[{"customer":"cus_not_to_be_seen"}]',
    'max-attempts': '0',
  }
  const workspace = makeWorkspace({ 'sums.txt': 'this is no checksum\nnor is this\n' })
  const run = await notarize({ workspace, inputs: wrong })
  expect(run.results.verdict).toBe('stopped')
  const named = run.annotations.error.map(message => /^input "([a-z-]+)"/i.exec(message)?.[1])
  expect(named.toSorted()).toEqual(Object.keys(wrong).toSorted())
  // The last step is how to run again.
  expect(run.summary.match(/^<li>/gm)).toHaveLength(named.length + 1)
  expect(run.visibleLog + run.summary).not.toContain('cus_not_to_be_seen')
  expect(workspace.exists(FILE)).toBe(false)
})
