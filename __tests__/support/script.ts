/** Runs code of ours in a process of its own, with rights and limits that a test cannot give to itself. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const NOBODY = 65_534

/** How a script runs. */
export interface ScriptOptions {
  /** The largest file that it may write, in KiB. */
  readonly maxFileKib?: number
  /** The largest heap of JavaScript that it may have, in MiB. */
  readonly maxHeapMib?: number
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
export function runScript(script: string, options: ScriptOptions = {}): ScriptRun {
  const limit = options.maxFileKib === undefined ? '' : `ulimit -f ${options.maxFileKib} && `
  const heap = options.maxHeapMib === undefined ? '' : `--max-old-space-size=${options.maxHeapMib} `
  const rights = options.isNobody === true && isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
  return spawnSync(
    'bash',
    ['-c', `${limit}exec "$0" ${heap}--input-type=module --eval "$1"`, process.execPath, script],
    { encoding: 'utf8', timeout: 30_000, ...rights },
  )
}

/** Whether a user without rights can run our modules here; else what needs one cannot be tested. */
export function canBeNobody(): boolean {
  const script = `import ${JSON.stringify(moduleUrl('src/stop.ts'))}`
  return process.platform !== 'win32' && runScript(script, { isNobody: true }).status === 0
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
