/** The first moments of both actions: on a Node that is too old, while the bundle is loaded, and without all its files. */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { checkFinishedRun } from '../support/finished-run.ts'
import { runAction } from '../support/runner.ts'
import type { ActionRun } from '../support/runner.ts'
import { API_KEY } from '../support/samples.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'

const repository = resolve(import.meta.dirname, '../..')

afterAll(cleanUp)

/** A copy of what a workflow gets. */
function copyAction(): string {
  const folder = makeTemporaryFolder()
  for (const name of ['dist', 'verify', 'action.yml'])
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  return folder
}

/** Runs an action after a script, in the same process. */
function runAfter(
  script: string,
  options: Parameters<typeof runAction>[0] = {},
): Promise<ActionRun> {
  const file = join(makeTemporaryFolder(), 'first.cjs')
  writeFileSync(file, script)
  return runAction({ nodeArguments: ['--require', file], ...options })
}

const actions = [
  ['action.yml', { path: 'dist', 'dry-run': 'true' }],
  ['verify/action.yml', { path: 'dist' }],
] as const

describe.each(actions)('%s', (actionFile, inputs) => {
  it.each(['12.22.12', '20.20.2', '23.11.1'])('on Node %s says one sentence', async version => {
    const script = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
    const run = await runAfter(script, { actionFile, inputs, actionFolder: copyAction() })
    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringMatching(/Node 24 .*nothing was sent/)])
    expect(run.annotations.error[0]).toContain(version)
    expect(run.lines).toHaveLength(1)
    expect(run.outputs).toEqual({})
  })

  it('reports a run that is cancelled before the program is loaded', async () => {
    // The signal comes as soon as there is somebody to hear it.
    const script = `
      const on = process.on
      process.on = function (event, listener) {
        on.call(process, event, listener)
        if (event === 'SIGTERM') process.kill(process.pid, 'SIGINT')
        return process
      }`
    const workspace = makeWorkspace({ 'dist/a': 'a' })
    const options = { actionFile, inputs, workspace, actionFolder: copyAction() }
    const run = await runAfter(script, options)
    checkFinishedRun(run, { secrets: [API_KEY], mustFail: true })
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/cancelled.*; nothing was (sent|verified)/),
    ])
    expect(run.outputs['verdict']).toBe('stopped')
    expect(run.summary).toMatch(/cancelled/)
  })

  it('shows no stack trace if a part of it is missing', async () => {
    const actionFolder = copyAction()
    for (const name of readdirSync(join(actionFolder, 'dist')))
      if (/^\d+\.index\.js$/.test(name)) rmSync(join(actionFolder, 'dist', name))
    const run = await runAction({ actionFile, inputs, actionFolder })
    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringMatching(/^internal-error: .*loaded/)])
    expect(run.lines).toHaveLength(1)
  })
})

describe('dist', () => {
  it('has each part once, and both actions use the same', () => {
    const names = readdirSync(join(repository, 'dist'), { recursive: true, encoding: 'utf8' })
    const own = names.filter(name => name.includes('/'))
    expect(own.sort()).toEqual(['hash-worker/index.js', 'verify/index.js'])
  })
})
