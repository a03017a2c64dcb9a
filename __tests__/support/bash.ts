/** Runs scripts of workflows and documentation pages. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { shim } from './gh.ts'
import type { Values } from './runner-environment.ts'
import type { Workspace } from './workspace.ts'

/** Runs a script in the workspace. `commands` are scripts that stand in for commands, by name, in addition to `gh`. */
export async function runBash(
  script: string,
  workspace: Workspace,
  env: Values,
  commands: Readonly<Record<string, string>>,
) {
  const folder = join(workspace.temp, 'bin')
  for (const [name, body] of Object.entries({ gh: shim, ...commands })) {
    workspace.write(join(folder, name), `#!/bin/bash -e\n${body}`)
    chmodSync(join(folder, name), 0o755)
  }
  const child = spawn('bash', ['-c', script], {
    cwd: workspace.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PATH: [folder, process.env['PATH'] ?? ''].join(delimiter) },
  })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await ended
  return { status: child.exitCode, stdout, stderr }
}
