import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Workspace } from '../support/workspace.ts'

const nobody = 65_534

/** Runs a function without root rights, so that permissions apply; `workspace` itself stays readable. */
export async function asNobody<T>(workspace: Workspace, run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run()
  chmodSync(dirname(workspace.root), 0o755)
  process.seteuid?.(nobody)
  try {
    return await run()
  } finally {
    process.seteuid?.(0)
  }
}
