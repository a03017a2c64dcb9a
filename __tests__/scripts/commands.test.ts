/** What holds for each command of this repository. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { npmScripts, root } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

const files = Object.values(npmScripts).flatMap(
  line => line.match(/scripts\/[\w-]+\.(?:ts|mjs)/g) ?? [],
)
const commands = [...new Set(files)].sort()

// Where a command that runs in spite of its arguments does no harm.
const elsewhere = makeTemporaryFolder()
afterAll(cleanUp)

function run(command: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, command), ...args],
    { cwd: elsewhere, encoding: 'utf8', timeout: 30_000 },
  )
  return { status, stdout, stderr }
}

it('there are commands to check', () => {
  expect(commands).toEqual(expect.arrayContaining(['scripts/build.ts', 'scripts/demo.ts']))
})

describe.each(commands)('%s', command => {
  it('prints its help, and does nothing else', () => {
    const { status, stdout, stderr } = run(command, '--help')

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^.*Usage: /ms)
    expect(stdout.length).toBeLessThan(2000)
  })

  it.each(['--no-such-option', 'one two three'])('refuses %s on one line', words => {
    const { status, stdout, stderr } = run(command, ...words.split(' '))

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr.split('\n')).toHaveLength(2)
    expect(stderr).toContain('--help')
  })
})

describe('the options of the commands', () => {
  it.each([
    ['chaos', '--seed', '-1'],
    ['chaos', '--runs', 'many'],
    ['bench', '--only', 'everything'],
    ['simulator', '--port', '70000'],
    ['simulator', '--latency-ms', 'soon'],
    ['simulator', '--fault-rate', '2'],
    ['simulator', '--requested', '/does/not/exist'],
    ['picture', '--all', 'pictures', '--case', 'no-such-case'],
    ['picture', '--case', 'outage'],
    ['own', 'no-owner'],
    ['own', 'https://github.com/octo/app'],
  ])('%s refuses %s %s %s %s', (name, ...args) => {
    const { status, stdout, stderr } = run(`scripts/${name}.ts`, ...args)

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr.split('\n')).toHaveLength(2)
  })
})
