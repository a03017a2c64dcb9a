import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { readOwnName } from '../../scripts/own-name.ts'
import { readPage, root as repository } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'

const actionFile = readPage('action.yml')

afterAll(cleanUp)

it('check-action finds wrong keys, inputs and expressions', () => {
  const { root } = makeWorkspace({
    'package.json': readPage('package.json'),
    'action.yml': `brandng: {}\n${actionFile}`,
    'verify/action.yml': actionFile.replace(/^ {2}path:/m, '  pattern:'),
    'examples/nested/release.yml': `on: push
jobs:
  release:
    runs-on: ubuntu-latest
    steps:
      - { uses: "${readOwnName(repository)}@v1", with: { pth: dist } }
      - { uses: ./verify, with: { pattern: dist } }
      - uses: ./verify
        with: { path: dist }
      - { uses: actions/checkout@v4, with: { anything: goes } }
      - run: echo "\${{ nowhere.value }}"
`,
  })
  const script = join(repository, 'scripts/check-action.ts')
  const { status, stdout } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    "action.yml:1: Unexpected value 'brandng'",
    "examples/nested/release.yml:6: Invalid action input 'pth'",
    "examples/nested/release.yml:9: Invalid action input 'path'",
    "examples/nested/release.yml:11: Unrecognized named-value: 'nowhere'",
  ])
})
