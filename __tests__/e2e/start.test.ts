/** The start of both actions, and what ends it. */
import { describe, expect, it } from '@jest/globals'
import { checkFinishedRun } from '../support/finished-run.ts'
import { runAction } from '../support/runner.ts'
import { after } from '../support/script.ts'
import { makeLetters } from './support.ts'

const withoutChunks = after(`require('node:module').registerHooks({ load: (url, context, next) => {
  if (/\\d\\.index\\.js$/.test(url)) require('node:fs').readFileSync('missing')
  return next(url, context)
} })`)
const withOldNode = after(
  `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`,
)
/** Runs code as soon as the process listens for an event. */
const whenListening = (event: string, code: string) =>
  after(`process.on('newListener', event => { if (event === '${event}') ${code} })`)
const withCancellation = whenListening('SIGTERM', 'process.emit("SIGINT")')
const uncaught = 'setImmediate(() => { throw new Error("boom") })'
const withBug = whenListening('unhandledRejection', uncaught)
const withExit = whenListening('unhandledRejection', 'setImmediate(() => process.exit())')
const oldNode =
  /^This action needs Node 24, .* Node 20\.20\.2\. Nothing was sent\. .* on the PATH\.$/
const noFiles =
  /^internal-error: .* not be loaded \(ENOENT\)\. Nothing was sent\. Use a release .* files\.$/

const actions = [
  ['action.yml', { path: 'dist', 'dry-run': 'true' }],
  ['verify/action.yml', { path: 'dist' }],
] as const

describe.each(actions)('%s reports', (actionFile, inputs) => {
  it.each<[verdict: string, what: string, nodeArguments: readonly string[], message: RegExp]>([
    ['', 'Node 20', withOldNode, oldNode],
    ['', 'missing files', withoutChunks, noFiles],
    ['', 'an exit before the report', withExit, /^internal-error: .*before its report/],
    ['stopped', 'a cancellation while the program is loaded', withCancellation, /canceled/],
    ['stopped', 'a bug at startup', withBug, /internal-error.*boom.*octo\/notarize-release\/issue/],
  ])('with the verdict "%s": %s', async (verdict, _what, nodeArguments, message) => {
    const run = await runAction({ actionFile, inputs, nodeArguments, workspace: makeLetters('a') })
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
    expect(run.annotations.error).toEqual([expect.stringMatching(message)])
    expect(run.outputs['verdict'] ?? '').toBe(verdict)
    if (verdict !== '') checkFinishedRun(run, [])
    else expect(run.lines).toHaveLength(1)
  })
})
