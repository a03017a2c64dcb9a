import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { it } from '@jest/globals'
import { makeTemporaryFolder } from './workspace.ts'

/** Returns the URL of a file of this repository, for an import in a script. */
export function moduleUrl(file: string): string {
  return pathToFileURL(resolve(import.meta.dirname, '../..', file)).href
}

/** Runs the text of a module in a separate Node process. */
export function runScript(script: string) {
  // With --no-deprecation, as some jobs have it in NODE_OPTIONS, what Node knows of it is read-only.
  const flags = ['--no-deprecation', '--disable-warning=ExperimentalWarning', '--input-type=module']
  const args = [...flags, '--eval', script]
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })
}

const hasJq = spawnSync('jq', ['--version']).status === 0

/** Tests scripts for `ubuntu-latest`; skips them on a machine that cannot run them. */
export const itRunsScripts = process.platform === 'linux' && hasJq ? it : it.skip

/** Returns arguments for Node that run a script before the main one, in the same process. */
export function after(script: string): readonly string[] {
  const file = join(makeTemporaryFolder(), 'first.cjs')
  writeFileSync(file, script)
  return ['--require', file]
}
