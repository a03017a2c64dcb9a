/** The start of both actions, and what ends it. */
import { describe, expect, it } from '@jest/globals'
import { checkFinishedRun } from '../support/finished-run.ts'
import { runAction } from '../support/runner.ts'
import { after, asNode20, boom, whenListening } from '../support/script.ts'
import { makeLetters, notarize, startService } from './support.ts'

const withoutChunks = `require('node:module').registerHooks({ load: (url, context, next) => {
  if (/\\d\\.index\\.js$/.test(url)) throw new Error('missing')
  return next(url, context)
} })`

describe.each([
  ['action.yml', { path: 'dist', 'dry-run': 'true' }],
  ['verify/action.yml', { path: 'dist' }],
])('%s reports', (actionFile, inputs) => {
  it.each<[string, string, readonly string[], message: RegExp]>([
    [
      '',
      'Node 20',
      after(asNode20),
      /^This action needs Node 24, .* Node 20\.20\.2\. Nothing was sent\. .* first on the PATH\.$/,
    ],
    [
      '',
      'missing files',
      after(withoutChunks),
      /^internal-error: .* not be loaded\. Nothing was sent/,
    ],
    [
      'stopped',
      'a cancellation before the program is loaded',
      whenListening('SIGTERM', 'process.emit("SIGINT")'),
      /canceled/,
    ],
    [
      'stopped',
      'a bug at startup',
      whenListening('unhandledRejection', boom),
      /\(internal-error\): boom\..*octo\/notarize-release\/issues/,
    ],
    [
      '',
      'a process that exits before its report',
      whenListening('unhandledRejection', 'setImmediate(() => process.exit())'),
      /^internal-error: .*before its report/,
    ],
  ])('with the verdict "%s": %s', async (verdict, _what, nodeArguments, message) => {
    const run = await runAction({ actionFile, inputs, nodeArguments, workspace: makeLetters('a') })
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
    expect(run.annotations.error).toEqual([expect.stringMatching(message)])
    expect(run.outputs['verdict'] ?? '').toBe(verdict)
    if (verdict !== '') checkFinishedRun(run, [])
    else expect(run.lines).toHaveLength(1)
  })
})

it('a bug that occurs during calls does not change their results, but the run fails', async () => {
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
