import { expect, it } from '@jest/globals'
import { moduleUrl, runScript } from '../support/script.ts'

it.each([
  [
    'a run that rejects',
    'Promise.reject(new Error("boom"))',
    1,
    /^::error::internal-error: .*boom/,
  ],
  [
    'a signal after the report',
    '(setImmediate(() => stop.abort()), 0)',
    1,
    /^::error::.*after its/,
  ],
  ['a green run', '0', 0, /^$/],
])('the exit code matches how the run ended: %s', (_, result, status, message) => {
  const run = runScript(`
    import { runInHost } from ${JSON.stringify(moduleUrl('src/runtime/host.ts'))}
    process.exitCode = 1
    const stop = new AbortController()
    await runInHost({ inputNames: [], run: async () => ${result} }, import.meta.url, stop.signal)`)
  expect(run).toMatchObject({ status, stderr: '', stdout: expect.stringMatching(message) })
})
