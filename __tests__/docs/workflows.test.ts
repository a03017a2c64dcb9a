/** The workflows that a reader copies from the pages are valid, and the one of the README is a part of an example. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { cleanUp } from '../support/clean-up.ts'
import { parseWorkflow } from '../support/workflow.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { blocksOf, pages, root } from './page.ts'

afterAll(cleanUp)

const blocks = pages
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'yaml')
  .map(({ page, text }) => ({ page, text, value: z.unknown().parse(parse(text)) }))

/** A whole workflow around what a page shows: a list of steps, a job, or a workflow as it is. */
function toWorkflow(value: unknown): unknown {
  if (Array.isArray(value)) return toWorkflow({ steps: value })
  const isWorkflow = z.object({ on: z.unknown() }).safeParse(value).success
  if (isWorkflow) return value
  const job = z.looseObject({ steps: z.array(z.unknown()) }).parse(value)
  return { on: 'push', jobs: { job: { 'runs-on': 'ubuntu-latest', ...job } } }
}

describe('the workflows of the pages', () => {
  it('are there, and valid with the inputs and outputs of both actions', () => {
    const copied = ['action.yml', 'verify/action.yml', 'package.json']
    const files = Object.fromEntries(copied.map(file => [file, readFileSync(join(root, file))]))
    const workflows = Object.fromEntries(
      blocks.map(({ value }, index) => [
        `.github/workflows/${index}.yml`,
        stringify(toWorkflow(value)),
      ]),
    )
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'scripts/check-action.ts'), makeWorkspace({ ...files, ...workflows }).root],
      { encoding: 'utf8' },
    )

    expect(blocks.map(({ page }) => page)).toEqual(['README.md', 'README.md', 'docs/verify.md'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  it('the quick start is a part of examples/release.yml, which is replayed as a whole', () => {
    const shown = z
      .object({ permissions: z.record(z.string(), z.string()), steps: z.array(z.unknown()) })
      .parse(blocks[0]?.value)
    const example = parseWorkflow(readFileSync(join(root, 'examples/release.yml'), 'utf8'))
    const { permissions = {}, steps = [] } = example.jobs['publish'] ?? {}

    expect(permissions).toMatchObject(shown.permissions)
    expect(steps).toEqual(expect.arrayContaining(shown.steps))
  })
})
