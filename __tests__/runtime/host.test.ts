import { expect, it } from '@jest/globals'
import { moduleUrl, runScript } from '../support/script.ts'

const isGreen = '(setInterval(() => undefined, 1000), 0)'
const rejects = 'Promise.reject(new Error("boom"))'
const fails = '(setImmediate(() => { throw new Error("boom") }), 0)'
const hasReported = '(host.halt.noteBug(new Error("boom")), 1)'
const late = 'setTimeout(() => { throw new Error("late") }, 5)'
/** A library that throws outside of its promise, which it never settles, and once more after its call has ended. */
const library = `new Promise(() => {
  setTimeout(() => { ${late}; Promise.reject(new Error("early")) })
})`
const guarded = `guard(() => ${library}, new AbortController().signal).catch(error => {
  if (error.message !== 'early') throw error
})`
const isGuarded = `(await ${guarded}, await wait(20), 0)`
const failsAfter = `(await ${guarded}, ${late}, await wait(20), 0)`
const skipsTls = 'Number("NODE_TLS_REJECT_UNAUTHORIZED" in process.env)'
const isUnread =
  '((await import("node:fs")).closeSync(process.stdout.fd), process.stdout.write("x"), 0)'
const isCanceled = '(process.kill(process.pid, "SIGINT"), 0)'

it.each([
  ['a green run with an open handle', isGreen, 0, /^$/],
  ['a run whose job turns the verification of TLS off', skipsTls, 0, /^$/],
  ['a run whose log nothing reads any more', isUnread, 0, /^$/],
  ['a run that rejects', rejects, 1, /^::error::internal-error: .*boom/],
  ['a bug after the report', fails, 1, /^::error::internal-error: .*boom.* above still holds\./],
  ['a signal at its end', isCanceled, 1, /^::error::.*canceled after its report\. .* holds\.$/m],
  ['a run that has reported its bug', hasReported, 1, /^$/],
  ['what a library throws during and after its call', isGuarded, 0, /^$/],
  ['a bug after the call of a library', failsAfter, 1, /^::error::internal-error: .*late/],
])('the exit code matches how the run ended: %s', (_, result, status, message) => {
  const run = runScript(`
    import { setTimeout as wait } from 'node:timers/promises'
    import { guard } from ${JSON.stringify(moduleUrl('src/runtime/guard.ts'))}
    import { runInHost } from ${JSON.stringify(moduleUrl('src/runtime/host.ts'))}
    import { systemClock as clock } from ${JSON.stringify(moduleUrl('src/runtime/clock.ts'))}
    process.exitCode = 1
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const signals = new AbortController()
    process.on('SIGINT', () => signals.abort())
    await runInHost(async host => ${result}, { clock }, signals.signal)`)
  expect(run).toMatchObject({ status, stderr: '', stdout: expect.stringMatching(message) })
})
