/** Runs the scripts of the examples, with a stand-in for `gh`. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { readPage } from '../docs/page.ts'
import { makeTemporaryFolder, type Workspace } from '../support/workspace.ts'

const step = z.object({
  run: z.string().default(''),
  with: z.record(z.string(), z.coerce.string()).default({}),
})
const workflow = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) })

/** Returns the steps of the only job of an example that has this name. */
export function stepsOf(file: string, job: string) {
  return workflow.parse(parse(readPage(`examples/${file}`))).jobs[job]?.steps ?? []
}

/** Returns a function that runs a script in a workspace, with this script as `gh`. */
export function withGh(gh: string) {
  const bin = makeTemporaryFolder()
  writeFileSync(join(bin, 'gh'), gh)
  chmodSync(join(bin, 'gh'), 0o755)
  const PATH = [bin, process.env['PATH']].join(delimiter)
  return (script: string, { root }: Workspace, variables: Readonly<Record<string, string>>) => {
    const env = { ...variables, PATH }
    return spawnSync('bash', ['-e', '-c', script], { cwd: root, env, encoding: 'utf8' })
  }
}
