/** The command lines of all commands. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { readPage, root } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

// A command that runs despite its arguments does no harm here.
const elsewhere = makeTemporaryFolder()
afterAll(cleanUp)

function run(command: string, ...args: readonly string[]): Promise<readonly unknown[]> {
  const all = ['--disable-warning=ExperimentalWarning', join(root, command), ...args]
  const { promise, resolve } = Promise.withResolvers<readonly unknown[]>()
  execFile(process.execPath, all, { cwd: elsewhere }, (error, stdout, stderr) => {
    resolve([error?.code ?? 0, stdout, stderr])
  })
  return promise
}

it('each command prints its help and does nothing else', async () => {
  const commands = new Set(readPage('package.json').match(/scripts\/[\w-]+\.ts/g))
  for (const ended of await Promise.all(Array.from(commands, command => run(command, '--help')))) {
    expect(ended).toEqual([0, expect.stringMatching(/^.*Usage: /ms), ''])
  }
})

it.each([
  ['explore', '--seed', 'x'],
  ['build', 'now'],
  ['probe', '--base-url', 'http://notary.invalid'],
  ['probe', '--api-key=secret'],
])('%s refuses %s %s', async (name, ...args) => {
  const line = expect.stringMatching(/^(?!.*secret).*--help.*\n$/)
  expect(await run(`scripts/${name}.ts`, ...args)).toEqual([2, '', line])
})
