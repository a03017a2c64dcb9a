/** The steps that pages show are valid. e2e/examples.test.ts replays those of README and recipes. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { blocksOf, pages, readPage, root } from './page.ts'

afterAll(cleanUp)

it('the steps that pages show use existing inputs and outputs', () => {
  const shown = pages.flatMap(blocksOf).filter(({ language }) => language === 'yaml')
  const copied = ['action.yml', 'verify/action.yml', 'package.json']
  const workspace = makeWorkspace()
  for (const file of copied) workspace.write(file, readPage(file))
  for (const [index, { text }] of shown.entries()) {
    const steps = text.replaceAll(/^(?=.)/gm, '      ')
    const job = `on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`
    workspace.write(`.github/workflows/${index}.yml`, job)
  }
  const script = join(root, 'scripts/check-action.ts')
  const check = spawnSync(process.execPath, [script, workspace.root], { encoding: 'utf8' })
  expect({ status: check.status, stdout: check.stdout }).toEqual({ status: 0, stdout: '' })
  expect(shown.length).toBeGreaterThan(4)
})
