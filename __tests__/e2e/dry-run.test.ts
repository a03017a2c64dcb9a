import { readdirSync, statSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { readSummary } from '../support/finished-run.ts'
import { makeLine, makeStateLine, sha256 } from '../support/samples.ts'
import type { Workspace } from '../support/workspace.ts'
import { checkWithSha256sum, FILE, makeRelease, notarize, startService } from './support.ts'

/** Lists every file and folder of a workspace with what a write changes. */
function list(workspace: Workspace): readonly unknown[] {
  const names = readdirSync(workspace.root, { recursive: true, encoding: 'utf8' })
  return names.sort().map(name => {
    const { mtimeMs, size, ino } = statSync(workspace.path(name))
    return { name, mtimeMs, size, ino }
  })
}

it('a dry run needs no secret, makes no connection, reports the plan and writes nothing', async () => {
  const service = await startService()
  const wrong = makeLine(service.url, 'wrong', { problems: ['custody is true, not false'] })
  const lines = [makeLine(service.url, 'known'), makeStateLine(service.url, 'open'), wrong]
  const names = ['known', 'new', 'open', 'wrong']
  const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])), lines)
  // An incomplete last line is not cut off.
  workspace.write(FILE, `${workspace.read(FILE)}{"artifact":"dist/to`)
  const before = list(workspace)
  const run = await notarize({ service, workspace, inputs: { 'dry-run': 'TRUE' } })

  expect(run.results).toMatchObject({ verdict: 'dry-run', failures: [], 'artifact-count': 4 })
  expect(checkWithSha256sum(run)).toEqual(names.map(name => `dist/${name}: OK`))
  expect(run.visibleLog).toMatch(/would be registered: "dist\/new"/)
  const { verdict, rows } = readSummary(run.summary)
  expect(verdict).toMatch(/^## 🔎 DRY RUN, nothing was sent: 2 of 4 artifacts would be registered/u)
  expect(verdict).toMatch(/1 of them may .*1 registered before, 1 not sent/)
  expect(rows.map(row => row[3])).toEqual(expect.arrayContaining(names.map(sha256)))

  // Without base-url no line counts.
  const inputs = { 'api-key': '', 'base-url': '', subscription: '', 'dry-run': 'true' }
  const without = await notarize({ workspace, inputs })
  expect(readSummary(without.summary).verdict).toMatch(/: 4 of 4 artifacts would be registered/)
  expect(without.masks).toEqual([])
  expect(list(workspace)).toEqual(before)
  expect(service.maxConnections).toBe(0)
})
