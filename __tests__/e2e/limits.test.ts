/** Runs at the limits of the platform. The sizes of outputs, summary and annotations are checked for every run. */
import { expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { makeLetters, notarize, startService } from './support.ts'

/** Creates a checksums file with this many entries, and the inputs for it. */
function makeChecksums(count: number) {
  const names = Array.from({ length: count }, (_, index) => `ä${index}`)
  const SUMS = names.map(name => `${sha256(name)}  ${name}\n`).join('')
  const inputs = { path: '', checksums: 'SUMS', 'max-registrations': '5000' }
  return { workspace: makeWorkspace({ SUMS }), inputs }
}

it('5,000 artifacts are planned, and the summary counts rows that do not fit', async () => {
  const { workspace, inputs } = makeChecksums(5000)
  const run = await notarize({ workspace, inputs: { ...inputs, 'dry-run': 'true' } })
  expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 5000 })
  expect(run.checksums.split('\n')).toHaveLength(5001)
  expect(run.summary).toMatch(/\d+ more artifacts are not shown/)
  expect(run.lines.length).toBeLessThan(200)
})

it('if the service is down, only the first of 1,000 artifacts are tried', async () => {
  const fault = statusFault(503, { headers: { 'retry-after': '0' } })
  const service = await startService({ faults: [{ fault, endpoint: 'completion' }] })
  const { workspace, inputs } = makeChecksums(1000)
  const run = await notarize({ service, workspace, inputs: { ...inputs, 'max-attempts': '2' } })
  expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 1000 })
  expect(run.results.failures.length).toBeLessThan(1000)
  expect(run.lines.length).toBeLessThan(200)
  // Three more were in flight when the fifth failed, and there is one login.
  expect(service.requests.length).toBeLessThanOrEqual((5 + 3) * 2 + 1)
})

it('the summary is appended to that of earlier steps; a failure to write it is a warning', async () => {
  const workspace = makeLetters('a')
  workspace.write('summary.md', '# The step before\n')
  const inputs = { 'dry-run': 'true' }
  const env = { GITHUB_STEP_SUMMARY: workspace.path('summary.md') }
  await notarize({ workspace, env, inputs })
  expect(workspace.read('summary.md')).toMatch(/^# The step before\n## .*1 of 1/u)

  const run = await notarize({ inputs, env: { GITHUB_STEP_SUMMARY: '/nonexistent/summary.md' } })
  expect(run.annotations.warning).toEqual([expect.stringMatching(/summary/)])
})
