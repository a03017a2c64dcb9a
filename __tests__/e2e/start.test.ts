/** The start of both actions (an old Node, an early signal), and bugs in them. */
import { describe, expect, it } from '@jest/globals'
import { checkFinishedRun } from '../support/finished-run.ts'
import { runAction } from '../support/runner.ts'
import { after, asNode20, boom, whenListening } from '../support/script.ts'
import { makeLetters, notarize, startService } from './support.ts'

const inputs = { path: 'dist', 'dry-run': 'true' }

describe.each([
  ['action.yml', inputs],
  ['verify/action.yml', { path: 'dist' }],
])('%s', (actionFile, inputs) => {
  it('stops on Node 20 and names Node 24', async () => {
    const run = await runAction({ actionFile, inputs, nodeArguments: after(asNode20) })
    expect([run.exitCode, run.lines.length, run.outputs]).toEqual([1, 1, {}])
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/Node 24.*Node 20\.20\.2\. Nothing was sent/),
    ])
  })

  it('reports a run that is canceled before the program is loaded', async () => {
    const nodeArguments = whenListening('SIGTERM', 'process.emit("SIGINT")')
    const run = await runAction({ actionFile, inputs, nodeArguments, workspace: makeLetters('a') })
    checkFinishedRun(run, [])
    expect(run.annotations.error).toEqual([expect.stringMatching(/canceled/)])
    expect(run.outputs['verdict']).toBe('stopped')
  })

  it('reports a bug that occurs at startup', async () => {
    const nodeArguments = whenListening('unhandledRejection', boom)
    const run = await runAction({ actionFile, inputs, nodeArguments })
    checkFinishedRun(run, [])
    const message = /internal-error.*boom.*octo\/notarize-release\/issues/
    expect(run.annotations.error).toEqual([expect.stringMatching(message)])
    expect(run.outputs['verdict']).toBe('stopped')
  })
})

it('a process that exits before its report fails', async () => {
  const nodeArguments = whenListening('unhandledRejection', 'setImmediate(() => process.exit())')
  const run = await runAction({ inputs, nodeArguments })
  expect(run.exitCode).toBe(1)
  expect(run.annotations.error).toEqual([expect.stringMatching(/internal-error: .*before its/)])
})

it('an action that lacks files fails', async () => {
  const withoutChunks = `require('node:module').registerHooks({ load: (url, context, next) => {
    if (/\\d\\.index\\.js$/.test(url)) throw new Error('missing')
    return next(url, context)
  } })`
  const run = await runAction({ inputs, nodeArguments: after(withoutChunks) })
  expect([run.exitCode, run.stderr]).toEqual([1, ''])
  expect(run.annotations.error).toEqual([expect.stringMatching(/internal-error.*not be loaded/)])
})

describe('a bug that occurs', () => {
  it('during calls does not change their results, but the run fails', async () => {
    const script = `
      const http = require('node:http')
      const { request } = http
      http.request = (...args) => {
        if (String(args[0].path ?? args[0].pathname).includes('registration')) ${boom}
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
    const nodeArguments = after(script)
    const run = await runAction({ nodeArguments, workspace: makeLetters('a'), inputs })
    expect([run.exitCode, run.outputs['verdict']]).toEqual([1, 'dry-run'])
    expect(run.annotations.error).toEqual([expect.stringMatching(/^internal-error: .*boom/)])
  })
})
