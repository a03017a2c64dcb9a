/** Runs code of ours in a process of its own. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a script left behind. */
export interface ScriptRun {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** URL of a module of ours, for an import in a script. */
export function moduleUrl(file: string): string {
  return pathToFileURL(resolve(import.meta.dirname, '../..', file)).href
}

/** Runs the text of a module with Node, and waits for it. */
export function runScript(script: string): ScriptRun {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script]
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })
}
