import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { readPage, root } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

const commands = [...new Set(readPage('package.json').match(/scripts\/[\w-]+\.ts/g))].sort()

// A command that runs despite its arguments does no harm here.
const elsewhere = makeTemporaryFolder()
afterAll(cleanUp)

function run(command: string, ...args: readonly string[]) {
  const all = ['--disable-warning=ExperimentalWarning', join(root, command), ...args]
  return spawnSync(process.execPath, all, { cwd: elsewhere, encoding: 'utf8', timeout: 120_000 })
}

it.each(commands)('%s prints its help and does nothing else', command => {
  const { status, stdout, stderr } = run(command, '--help')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^.*Usage: /ms)
})

it.each([
  ['explore', '--seed', 'x'],
  ['simulator', '--record', '[]'],
  ['demo', '--no-such-option'],
  ['build', 'now'],
  ['probe', '--base-url', 'http://notary.invalid'],
  ['probe', '--api-key=secret'],
])('%s refuses %s %s', (name, ...args) => {
  const { status, stdout, stderr } = run(`scripts/${name}.ts`, ...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^.*--help.*\n$/)
  expect(stderr).not.toContain('secret')
})
