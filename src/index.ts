import { systemClock } from './clock.ts'
import { readEnvironment } from './environment.ts'
import { run } from './main.ts'
import { Halt } from './register/halt.ts'
import { bug } from './register/pool.ts'
import { createRunner, readRawInputs } from './runner.ts'
import { Secrets } from './secrets.ts'

/** How long open handles may keep the process after the report, in milliseconds. */
const lingerMs = 500

// Until the run says otherwise: a process that ends too early must not look like a success.
process.exitCode = 1
// The verification of certificates stays on, whatever the job has set.
delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']

const raw = readRawInputs()
const environment = readEnvironment(process.env, process.cwd())
const secrets: Secrets = new Secrets(line => {
  runner.mask(line)
})
const runner = createRunner(text => secrets.redactText(text))
const halt = new Halt()
// Of the bundle: each entry has a folder of its own. Named by a variable, so that the bundler leaves it alone.
const workerPath = './hash-worker/index.js'
const workerFile = new URL(workerPath, import.meta.url)
const state = { isFinished: false, hasBug: false }

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    halt.cancel()
  })
}
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    state.hasBug = true
    const reason = bug(error, environment.reportTo)
    halt.stop(reason)
    runner.error(`${reason.code}: ${reason.what}; nothing more is sent; ${reason.remedy}`)
  })
}
process.on('exit', () => {
  if (!state.isFinished) {
    const reason = bug(new Error('the run ended before its report'), environment.reportTo)
    runner.error(
      `${reason.code}: ${reason.what}; see the records file for what is registered; ${reason.remedy}`,
    )
  }
})

const exitCode = await run({
  ...{ raw, environment, runner, secrets, halt, workerFile },
  clock: systemClock,
  random: Math.random,
})
state.isFinished = true
process.exitCode = state.hasBug ? 1 : exitCode
// A connection that hangs, as one to a silent proxy, must not keep the job.
setTimeout(() => {
  process.exit()
}, lingerMs).unref()
