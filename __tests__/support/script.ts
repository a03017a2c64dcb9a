/** Runs code of ours in a process of its own, with rights that a test cannot give to itself. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The id of a user and a group without rights. */
export const NOBODY = 65_534

/** How a script runs. */
export interface ScriptOptions {
  /** As a user without rights, where the tests run as root. */
  readonly isNobody?: boolean
}

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
export function runScript(script: string, { isNobody = false }: ScriptOptions = {}): ScriptRun {
  const user = isNobody && process.getuid?.() === 0 ? NOBODY : undefined
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script]
  const limits = { encoding: 'utf8', timeout: 30_000 } as const
  return spawnSync(process.execPath, args, { ...limits, uid: user, gid: user })
}

/** Whether a user without rights can run our modules here; else what needs one cannot be tested. */
export function canBeNobody(): boolean {
  const script = `import ${JSON.stringify(moduleUrl('src/failure.ts'))}`
  return process.platform !== 'win32' && runScript(script, { isNobody: true }).status === 0
}
