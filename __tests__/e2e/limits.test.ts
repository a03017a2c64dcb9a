/** Runs at the limits of the platform. The size of outputs, summary and annotations is checked for every run. */
import { expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, makeLetters, makeRelease, notarize, readSummary, startService } from './support.ts'

const numbered = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`ä${n}`, `content ${n}`] as const))

it('20,000 files of one folder are planned, and the summary counts the rows that do not fit', async () => {
  const inputs = { 'dry-run': 'true' }
  const run = await notarize({ workspace: makeRelease(numbered(20_000)), inputs })
  expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 20_000 })
  expect(run.checksums.split('\n')).toHaveLength(20_001)
  expect(run.summary).toMatch(/\d+ more artifacts are not shown/)
  expect(run.lines.length).toBeLessThan(200)
})

it('2,000 failures are one error, and the output has as many as fit', async () => {
  const service = await startService()
  const inputs = { 'api-key': 'a key that is wrong', 'max-registrations': '2000' }
  const run = await notarize({ service, workspace: makeRelease(numbered(2_000)), inputs })
  expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 2_000 })
  expect(run.results.failures.length).toBeLessThan(2_000)
  expect(run.lines.length).toBeLessThan(200)
})

it('records that do not fit are left out with a warning, and more than 50 green rows are folded', async () => {
  const service = await startService({
    faults: ({ nthOfEndpoint, endpoint }) =>
      endpoint === 'completion' && nthOfEndpoint === 1 ? statusFault(404) : undefined,
    record: () => ({ payload: 'x'.repeat(2_000) }),
  })
  const inputs = { concurrency: '16' }
  const run = await notarize({ service, workspace: makeRelease(numbered(70)), inputs })
  expect(run.results).toMatchObject({ verdict: 'partial', records: null, 'registered-count': 69 })
  expect(run.annotations.warning).toEqual([expect.stringContaining('records-path')])
  const [above = '', folded = ''] = run.summary.split('<details>')
  expect(readSummary(above).rows).toHaveLength(1)
  expect(readSummary(folded).rows).toHaveLength(69)
})

it.each([
  ['is not set', undefined],
  ['names a file that is missing', '/nonexistent/summary.md'],
])('a summary that cannot be written is a warning: GITHUB_STEP_SUMMARY %s', async (_, value) => {
  const run = await notarize({ inputs: { 'dry-run': 'true' }, env: { GITHUB_STEP_SUMMARY: value } })
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
  const workspace = makeWorkspace({ 'dist/a': 'a' })
  const options = { service, workspace, env: { GITHUB_OUTPUT: '/nonexistent/output' } }
  await expect(notarize(options)).rejects.toThrow()
  expect(workspace.read(FILE)).toContain('"record":')
})
