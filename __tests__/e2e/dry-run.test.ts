import { expect, it } from '@jest/globals'
import { readSummary, statFiles } from '../support/finished-run.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { checkWithSha256sum, FILE, makeLetters, makeRelease } from './support.ts'
import { notarize, startService } from './support.ts'

it('a dry run needs no secret, makes no connection, reports the plan and writes nothing', async () => {
  const service = await startService()
  const wrong = makeLine(service.url, 'wrong', { problems: ['custody is true, not false'] })
  const lines = [makeLine(service.url, 'known'), makeStateLine(service.url, 'open'), wrong]
  const names = ['known', 'new', 'open', 'wrong']
  const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])))
  // An incomplete last line is not cut off.
  workspace.write(FILE, `${toJsonLines(lines)}{"artifact":"dist/to`)
  const before = statFiles(workspace.root)
  const run = await notarize({ service, workspace, inputs: { 'dry-run': 'TRUE' } })

  expect(run.results).toMatchObject({ verdict: 'dry-run', failures: [], 'artifact-count': 4 })
  expect(checkWithSha256sum(run)).toEqual(names.map(name => `dist/${name}: OK`))
  const { verdict, rows } = readSummary(run.summary)
  expect(verdict).toMatch(/^## 🔎 DRY RUN, .*4 artifacts/u)
  expect(rows.map(row => row[3]).sort()).toEqual(
    names.map(name => sha256(name).slice(0, 12)).sort(),
  )

  // The lines are those of another service.
  const inputs = { 'api-key': '', 'base-url': '', subscription: '', 'dry-run': 'true' }
  const elsewhere = await notarize({ workspace, inputs })
  expect(elsewhere.visibleLog).toMatch(/^4 artifacts found, 4 distinct hashes/m)
  expect(elsewhere.masks).toEqual([])
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
