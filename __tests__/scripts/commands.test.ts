import { execFile } from 'node:child_process'
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
  const { promise, resolve } = Promise.withResolvers<readonly unknown[]>()
  execFile(process.execPath, all, { cwd: elsewhere }, (error, stdout, stderr) => {
    resolve([error?.code ?? 0, stdout, stderr])
  })
  return promise
}

it('each command prints its help and does nothing else', async () => {
  const runs = await Promise.all(commands.map(command => run(command, '--help')))
  const help: unknown = expect.stringMatching(/^.*Usage: /ms)
  expect(runs).toEqual(commands.map(() => [0, help, '']))
})

it.each([
  ['explore', '--seed', 'x'],
  ['simulator', '--record', '[]'],
  ['demo', '--no-such-option'],
  ['build', 'now'],
  ['probe', '--base-url', 'http://notary.invalid'],
  ['probe', '--api-key=secret'],
])('%s refuses %s %s', async (name, ...args) => {
  const [code, stdout, stderr] = await run(`scripts/${name}.ts`, ...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^.*--help.*\n$/)
  expect(stderr).not.toContain('secret')
})
