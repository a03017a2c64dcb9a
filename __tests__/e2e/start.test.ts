/** The first moments of both actions: on a Node that is too old, while the bundle is loaded, and without all its files. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { checkFinishedRun } from '../support/finished-run.ts'
import { runAction } from '../support/runner.ts'
import type { ActionRun } from '../support/runner.ts'
import { API_KEY, subscriptionText } from '../support/samples.ts'
import { startService } from './support.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'

const secretInputs = { 'api-key': API_KEY, subscription: subscriptionText }
const repository = resolve(import.meta.dirname, '../..')

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

/** A script that does something as soon as bugs are heard. */
const whenHeard = (does: string): string => `
  const on = process.on
  process.on = function (event, listener) {
    on.call(process, event, listener)
    if (event === 'unhandledRejection') setImmediate(() => { ${does} })
    return process
  }`

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

  it('names a bug that shows before anything is done, in its one error and in the summary', async () => {
    const script = whenHeard("throw new Error('boom')")
    const run = await runAfter(script, { actionFile, inputs, actionFolder: copyAction() })
    checkFinishedRun(run, { secrets: [API_KEY], mustFail: true })
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/^internal-error: .*boom.*issues$/),
    ])
    expect(run.outputs['verdict']).toBe('stopped')
    expect(run.summary).toMatch(/stopped before.*boom/s)
  })

  it('says that it ended before its report', async () => {
    const script = whenHeard('process.exit()')
    const run = await runAfter(script, { actionFile, inputs, actionFolder: copyAction() })
    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/^internal-error: .*ended before its report/),
    ])
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

describe('a bug that shows', () => {
  it('while calls are made takes nothing from what they come to, but the run fails', async () => {
    const script = `
      const http = require('node:http')
      const { request } = http
      http.request = (...given) => {
        if (given[0].pathname.includes('registration')) setImmediate(() => { throw new Error('boom') })
        return request(...given)
      }`
    const service = await startService()
    const inputs = { ...secretInputs, 'base-url': service.url, path: 'dist' }
    const run = await runAfter(script, { inputs, workspace: makeWorkspace({ 'dist/a': 'a' }) })
    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringMatching(/internal-error: .*boom/)])
    expect(run.outputs).toMatchObject({ verdict: 'registered', 'newly-registered-count': '1' })
    expect(run.summary).toMatch(/^## ⚠️ NOTARIZED, but the run met a bug in this action: 1 of 1/u)
  })

  it('after a report makes a green run red', async () => {
    const script = `
      const timer = setInterval(() => {
        if (process.exitCode !== 0) return
        clearInterval(timer)
        throw new Error('boom')
      })`
    const workspace = makeWorkspace({ 'dist/a': 'a' })
    const run = await runAfter(script, { workspace, inputs: { path: 'dist', 'dry-run': 'true' } })
    expect(run.outputs['verdict']).toBe('dry-run')
    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringMatching(/^internal-error: .*boom/)])
  })
})

describe('dist', () => {
  it('has each part once, and both actions use the same', () => {
    const names = readdirSync(join(repository, 'dist'), { recursive: true, encoding: 'utf8' })
    const own = names.filter(name => name.includes('/'))
    expect(own.sort()).toEqual(['hash-worker/index.js', 'verify/index.js'])
  })

  it('has no module in two of the parts that are loaded when they are needed', () => {
    const parts = readdirSync(join(repository, 'dist')).filter(name => name.endsWith('index.js'))
    const modules = parts.flatMap(part => {
      const text = readFileSync(join(repository, 'dist', part), 'utf8')
      return Array.from(text.matchAll(/^\/\*{3}\/ (\d+):/gm), ([, id]) => id)
    })
    expect(modules.length).toBeGreaterThan(parts.length)
    expect(modules.filter((id, index) => modules.indexOf(id) < index)).toEqual([])
  })
})
