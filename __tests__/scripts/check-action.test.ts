import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'

const repository = resolve(import.meta.dirname, '../..')
const actionFile = readFileSync(resolve(repository, 'action.yml'), 'utf8')
const packageFile = readFileSync(resolve(repository, 'package.json'), 'utf8')

function check(folder: string): { exitCode: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(
    process.execPath,
    [resolve(repository, 'scripts/check-action.ts'), folder],
    { encoding: 'utf8' },
  )
  return { exitCode: status, lines: stdout.split('\n').filter(line => line !== '') }
}

function checkFiles(files: Record<string, string>): ReturnType<typeof check> {
  const all = { 'action.yml': actionFile, 'package.json': packageFile, ...files }
  return check(makeWorkspace(all).root)
}

function workflow(...steps: string[]): string {
  return [
    'on: push',
    'jobs:',
    '  release:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...steps.map(step => `      ${step}`),
    '',
  ].join('\n')
}

afterAll(cleanUp)

describe('check-action', () => {
  test('finds nothing to complain about in this repository', () => {
    expect(check(repository)).toEqual({ exitCode: 0, lines: [] })
  })

  test('names file and line of an unknown key in action.yml', () => {
    const broken = actionFile.replace(/^branding:/m, 'brandng:')
    const line = broken.split('\n').indexOf('brandng:') + 1

    expect(checkFiles({ 'action.yml': broken })).toEqual({
      exitCode: 1,
      lines: [`action.yml:${line}: Unexpected value 'brandng'`],
    })
  })

  test('fails for an action.yml that is no YAML, and for none at all', () => {
    expect(checkFiles({ 'action.yml': 'inputs: [' }).exitCode).toBe(1)
    expect(check(makeWorkspace({ 'package.json': packageFile }).root).exitCode).toBe(1)
  })

  test.each(['./', 'OWNER/REPO@v1', 'octo/notarize-release@v1'])(
    'finds an unknown input given to %s, and only that one',
    uses => {
      const text = workflow(`- uses: ${uses}`, '  with:', '    path: dist', '    pth: dist')

      expect(checkFiles({ '.github/workflows/release.yml': text })).toEqual({
        exitCode: 1,
        lines: [".github/workflows/release.yml:9: Invalid action input 'pth'"],
      })
    },
  )

  test('finds an unknown output of a step that runs this action', () => {
    const text = workflow(
      '- uses: ./',
      '  id: notarize',
      '- run: echo "${{ steps.notarize.outputs.verdict }}"',
      '- run: echo "${{ steps.notarize.outputs.verdikt }}"',
    )

    expect(checkFiles({ 'examples/nested/release.yml': text })).toEqual({
      exitCode: 1,
      lines: [
        "examples/nested/release.yml:9: Invalid action output 'verdikt' in 'steps.notarize.outputs.verdikt'",
      ],
    })
  })

  test('checks a second action in a folder of its own against the inputs of that one', () => {
    const second = actionFile.replace(/^ {2}path:/m, '  pattern:')
    const text = workflow(
      '- uses: ./verify',
      '  with: { pattern: dist }',
      '- uses: ./verify',
      '  with: { path: dist }',
    )

    expect(
      checkFiles({ 'verify/action.yml': second, '.github/workflows/verify.yml': text }).lines,
    ).toEqual([".github/workflows/verify.yml:9: Invalid action input 'path'"])
  })

  test('finds mistakes in the workflow itself, and leaves the inputs of other actions alone', () => {
    const text = workflow(
      '- uses: actions/checkout@v4',
      '  with: { anything: goes }',
      '- run: echo "${{ nowhere.value }}"',
    )

    expect(checkFiles({ '.github/workflows/ci.yml': text })).toEqual({
      exitCode: 1,
      lines: [".github/workflows/ci.yml:8: Unrecognized named-value: 'nowhere'"],
    })
  })
})
