import { describe, expect, it } from '@jest/globals'
import { checkWithSha256sum, makeRelease, notarize, startService } from './support.ts'
import type { CheckedRun } from './support.ts'

/** A run with so many small files in one folder, each with its own content. */
async function notarizeMany(
  count: number,
  inputs: Readonly<Record<string, string>>,
): Promise<CheckedRun> {
  const files = Array.from({ length: count }, (_, n) => [`ä${n}`, `content ${n}`] as const)
  const workspace = makeRelease(Object.fromEntries(files))
  return notarize({ workspace, service: await startService(), inputs })
}

// That the summary stays under 1 MiB and counts what it leaves out, and the like, is checked for every run.
describe('a run at the limit of the platform', () => {
  it('plans 20,000 files of one folder', async () => {
    const run = await notarizeMany(20_000, { 'dry-run': 'true' })
    expect(run.exitCode).toBe(0)
    expect(checkWithSha256sum(run)).toHaveLength(20_000)
    expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 20_000 })
    expect(run.summary).toMatch(/\d+ more artifacts are not shown/)
    expect(run.lines.length).toBeLessThan(200)
  })

  it('reports 10,000 failures in one error', async () => {
    const wrong = { 'api-key': 'a key that is wrong', 'max-registrations': '10000' }
    const run = await notarizeMany(10_000, wrong)
    expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 10_000 })
    expect(run.results.failures.length).toBeLessThan(10_000)
    expect(run.lines.length).toBeLessThan(200)
  })
})
