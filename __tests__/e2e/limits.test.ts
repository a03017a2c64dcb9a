/** Runs at the limits of the platform. The size of outputs, summary and annotations is checked for every run. */
import { expect, it } from '@jest/globals'
import { runAction } from '../support/runner.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  FILE,
  makeLetters,
  notarize,
  sha256,
  startService,
  subscriptionText,
} from './support.ts'

/** A checksums file with so many entries. */
function makeChecksums(count: number): Workspace {
  const names = Array.from({ length: count }, (_, index) => `ä${index}`)
  return makeWorkspace({ SUMS: names.map(name => `${sha256(name)}  ${name}\n`).join('') })
}
const fromSums = { path: '', checksums: 'SUMS', 'max-registrations': '5000' }

it('5,000 artifacts are planned, and the summary counts the rows that do not fit', async () => {
  const inputs = { ...fromSums, 'dry-run': 'true' }
  const run = await notarize({ workspace: makeChecksums(5000), inputs })
  expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 5000 })
  expect(run.checksums.split('\n')).toHaveLength(5001)
  expect(run.summary).toMatch(/\d+ more artifacts are not shown/)
  expect(run.lines.length).toBeLessThan(200)
})

it('1,000 failures are one error, and the output has as many as fit', async () => {
  const service = await startService()
  const inputs = { ...fromSums, 'api-key': 'a key that is wrong' }
  const run = await notarize({ service, workspace: makeChecksums(1000), inputs })
  expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 1000 })
  expect(run.results.failures.length).toBeLessThan(1000)
  expect(run.lines.length).toBeLessThan(200)
})

it('a summary that cannot be written is a warning', async () => {
  const env = { GITHUB_STEP_SUMMARY: '/nonexistent/summary.md' }
  const run = await notarize({ inputs: { 'dry-run': 'true' }, env })
  expect(run.results.verdict).toBe('dry-run')
  expect(run.annotations.warning).toEqual([expect.stringMatching(/summary/)])
})

it('a summary is added to what other steps wrote', async () => {
  const workspace = makeLetters('a')
  workspace.write('summary.md', '# The step before\n')
  const env = { GITHUB_STEP_SUMMARY: workspace.path('summary.md') }
  await notarize({ workspace, env, inputs: { 'dry-run': 'true' } })
  expect(workspace.read('summary.md')).toMatch(/^# The step before\n## .*1 of 1/u)
})

it('outputs that cannot be written make the run fail, and the records are safe', async () => {
  const service = await startService()
  const workspace = makeLetters('a')
  const needed = { 'api-key': API_KEY, subscription: subscriptionText, path: 'dist' }
  const inputs = { ...needed, 'base-url': service.url }
  const run = await runAction({ workspace, inputs, env: { GITHUB_OUTPUT: '/nonexistent/output' } })
  expect(run.exitCode).toBe(1)
  expect(run.annotations.error).toEqual([expect.stringMatching(/outputs could not be written/)])
  expect(workspace.read(FILE)).toContain('"record":')
})
