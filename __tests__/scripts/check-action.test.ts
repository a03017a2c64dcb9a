import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { readOwnName } from '../../scripts/own-name.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'

const repository = resolve(import.meta.dirname, '../..')
const actionFile = readFileSync(resolve(repository, 'action.yml'), 'utf8')
const packageFile = readFileSync(resolve(repository, 'package.json'), 'utf8')

function check(folder: string) {
  const script = resolve(repository, 'scripts/check-action.ts')
  const { status, stdout } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  return { status, lines: stdout.split('\n').filter(line => line !== '') }
}

/** A workflow whose steps begin at line 6. */
const workflow = (...steps: readonly string[]): string =>
  ['on: push', 'jobs:', '  release:', '    runs-on: ubuntu-latest', '    steps:']
    .concat(steps.map(step => `      ${step}`))
    .join('\n')

afterAll(cleanUp)

describe('check-action', () => {
  it('finds nothing to complain about in this repository', () => {
    expect(check(repository)).toEqual({ status: 0, lines: [] })
  })

  it.each([{ 'package.json': packageFile }, { 'action.yml': 'inputs: [' }])(
    'fails without an action.yml that can be read (%#)',
    files => {
      expect(check(makeWorkspace({ 'package.json': packageFile, ...files }).root).status).toBe(1)
    },
  )

  const release = '.github/workflows/release.yml'
  const badInput = (uses: string) => workflow(`- uses: ${uses}`, '  with:', '    pth: dist')
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'an unknown key in action.yml',
      { 'action.yml': `brandng: {}\n${actionFile}` },
      "action.yml:1: Unexpected value 'brandng'",
    ],
    ['an unknown input', { [release]: badInput('./') }, `${release}:8: Invalid action input 'pth'`],
    [
      'an unknown input of the published name',
      { [release]: badInput(`${readOwnName(repository)}@v1`) },
      `${release}:8: Invalid action input 'pth'`,
    ],
    [
      'an unknown output of a step that runs this action',
      {
        'examples/nested/release.yml': workflow(
          '- uses: ./',
          '  id: notarize',
          '- run: echo "${{ steps.notarize.outputs.verdict }}"',
          '- run: echo "${{ steps.notarize.outputs.verdikt }}"',
        ),
      },
      "examples/nested/release.yml:9: Invalid action output 'verdikt' in 'steps.notarize.outputs.verdikt'",
    ],
    [
      'an input that a second action in a folder of its own does not have',
      {
        'verify/action.yml': actionFile.replace(/^ {2}path:/m, '  pattern:'),
        [release]: workflow(
          ...['- uses: ./verify', '  with: { pattern: dist }'],
          ...['- uses: ./verify', '  with: { path: dist }'],
        ),
      },
      `${release}:9: Invalid action input 'path'`,
    ],
    [
      'a mistake in the workflow itself, and nothing in the inputs of other actions',
      {
        [release]: workflow(
          ...['- uses: actions/checkout@v4', '  with: { anything: goes }'],
          '- run: echo "${{ nowhere.value }}"',
        ),
      },
      `${release}:8: Unrecognized named-value: 'nowhere'`,
    ],
  ])('finds %s', (_what, files, line) => {
    const all = { 'action.yml': actionFile, 'package.json': packageFile, ...files }

    expect(check(makeWorkspace(all).root)).toEqual({ status: 1, lines: [line] })
  })
})
