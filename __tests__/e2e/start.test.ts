/** The start of both actions (an old Node, an early signal), and bugs in them. */
import { describe, expect, it } from '@jest/globals'
import { checkFinishedRun } from '../support/finished-run.ts'
import { runAction, type ActionRun, type RunOptions } from '../support/runner.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { after, notarize, startService } from './support.ts'

/** Returns a script that acts as soon as the process has a listener for an event. */
const whenListening = (event: string, code: string): string => `
  const on = process.on
  process.on = function (event, listener) {
    on.call(process, event, listener)
    if (event === '${event}') ${code}
    return process
  }`

const inDryRun = { path: 'dist', 'dry-run': 'true' }
const bug = 'setImmediate(() => { throw new Error("boom") })'

describe.each([
  ['action.yml', inDryRun],
  ['verify/action.yml', { path: 'dist' }],
])('%s', (actionFile, inputs) => {
  const runAfter = (script: string, options: RunOptions = {}): Promise<ActionRun> =>
    runAction({ nodeArguments: after(script), actionFile, inputs, ...options })

  it('stops on Node 20 and names Node 24', async () => {
    const script = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`
    const run = await runAfter(script)
    expect([run.exitCode, run.lines.length, run.outputs]).toEqual([1, 1, {}])
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/Node 24.*Node 20\.20\.2; nothing was sent/),
    ])
  })

  it('reports a run that is canceled before the program is loaded', async () => {
    const script = whenListening('SIGTERM', 'process.kill(process.pid, "SIGINT")')
    const run = await runAfter(script, { workspace: makeWorkspace({ 'dist/a': 'a' }) })
    checkFinishedRun(run, [])
    expect(run.annotations.error).toEqual([expect.stringMatching(/canceled/)])
    expect(run.outputs['verdict']).toBe('stopped')
  })

  it('reports a bug that occurs at startup', async () => {
    const run = await runAfter(whenListening('unhandledRejection', bug))
    checkFinishedRun(run, [])
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/internal-error.*boom.*octo\/notarize-release\/issues/),
    ])
    expect(run.outputs['verdict']).toBe('stopped')
    expect(run.summary).toMatch(/boom/)
  })

  it('reports that the process exited before its report', async () => {
    const exit = 'setImmediate(() => process.exit())'
    const run = await runAfter(whenListening('unhandledRejection', exit))
    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringMatching(/internal-error: .*before its/)])
  })
})

describe('a bug that occurs', () => {
  it('during calls does not change their results, but the run fails', async () => {
    const script = `
      const http = require('node:http')
      const { request } = http
      http.request = (...args) => {
        if (String(args[0].path ?? args[0].pathname).includes('registration')) ${bug}
        return request(...args)
      }`
    const service = await startService()
    const run = await notarize({ service, nodeArguments: after(script), mustFail: true })
    expect(run.annotations.error).toEqual([expect.stringMatching(/internal-error.*boom/)])
    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
  })

  it('after the report makes a green run fail', async () => {
    const script = `
      const timer = setInterval(() => {
        if (process.exitCode !== 0) return
        clearInterval(timer)
        throw new Error('boom')
      })`
    const workspace = makeWorkspace({ 'dist/a': 'a' })
    const run = await runAction({ nodeArguments: after(script), workspace, inputs: inDryRun })
    expect([run.exitCode, run.outputs['verdict']]).toEqual([1, 'dry-run'])
    expect(run.annotations.error).toEqual([expect.stringMatching(/^internal-error: .*boom/)])
  })
})
