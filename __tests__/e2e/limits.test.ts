import { afterAll, describe, expect, it } from '@jest/globals'
import { exampleSubscription, startSimulator } from '../../simulator/index.ts'
import { cleanUp } from '../support/clean-up.ts'
import { runAction } from '../support/runner.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

/** So many small files in one folder, each with its own content. */
function makeFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`dist/ä${index}`, `content ${index}`]),
  )
}

describe('a run at the limit of the platform', () => {
  it('plans 20,000 files of one folder, with a summary under 1 MiB that counts the rest', async () => {
    const workspace = makeWorkspace(makeFiles(20_000))
    const run = await runAction({ workspace, inputs: { path: 'dist', 'dry-run': 'true' } })
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.outputs['artifact-count']).toBe('20000')
    expect(run.summaryBytes).toBeLessThan(1024 * 1024)
    expect(run.summary).toMatch(/\d+ artifacts more are not shown/)
  })

  it('reports 10,000 failures in one error, in 50,000 characters and under 1 MiB', async () => {
    const service = await startSimulator({ requested: 'any' })
    const workspace = makeWorkspace(makeFiles(10_000))
    const run = await runAction({
      workspace,
      inputs: {
        'api-key': 'a key that is wrong',
        'base-url': service.url,
        subscription: JSON.stringify(exampleSubscription),
        path: 'dist',
        'max-registrations': '10000',
      },
    })
    await service.close()
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
    expect(run.annotations.error).toHaveLength(1)
    expect(run.outputs['failed-count']).toBe('10000')
    expect(run.outputs['failures']?.length ?? Infinity).toBeLessThanOrEqual(50_000)
    expect(run.summaryBytes).toBeLessThan(1024 * 1024)
    expect(run.lines.length).toBeLessThan(200)
  })
})
