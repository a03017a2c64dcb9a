import { expect, it } from '@jest/globals'
import { moduleUrl, runScript } from '../support/script.ts'

const isGreen = '(setInterval(() => undefined, 1000), 0)'
const rejects = 'Promise.reject(new Error("boom"))'
const learns = '(host.secrets.add(["s3cret-value"]), 0)'
const fails = '(setImmediate(() => { throw new Error("boom") }), 0)'
const hasReported = '(host.halt.noteBug(new Error("boom")), 1)'
const isCanceled = '(process.kill(process.pid, "SIGINT"), 0)'

it.each([
  ['a green run with an open handle', isGreen, 0, /^$/],
  ['a run that learns a secret', learns, 0, /^::add-mask::s3cret-value\n$/],
  ['a run that rejects', rejects, 1, /^::error::internal-error: .*boom/],
  ['a bug after the report', fails, 1, /^::error::internal-error: .*boom.* above still holds\./],
  [
    'a signal at its end',
    isCanceled,
    1,
    /^::error::.*canceled after its report\. .*still holds\.$/m,
  ],
  ['a run that has reported its bug', hasReported, 1, /^$/],
])('the exit code matches how the run ended: %s', (_, result, status, message) => {
  const run = runScript(`
    import { runInHost } from ${JSON.stringify(moduleUrl('src/runtime/host.ts'))}
    import { systemClock as clock } from ${JSON.stringify(moduleUrl('src/runtime/outside.ts'))}
    process.exitCode = 1
    const signals = new AbortController()
    process.on('SIGINT', () => signals.abort())
    await runInHost({ inputNames: [], run: async host => ${result} }, { clock }, signals.signal)`)
  expect(run).toMatchObject({ status, stderr: '', stdout: expect.stringMatching(message) })
})
