import { setFlagsFromString } from 'node:v8'
import { systemClock, type Clock } from './clock.ts'
import { proxyVariables, readEnvironment, type Environment } from './environment.ts'
import { Halt } from './register/halt.ts'
import { bug } from './register/pool.ts'
import { createRunner, readRawInputs, type Runner } from './runner.ts'
import { Secrets } from './secrets.ts'

/** Everything that a run needs from outside. */
export interface Host<Name extends string> {
  readonly raw: Readonly<Record<Name, string>>
  readonly environment: Environment
  readonly runner: Runner
  readonly secrets: Secrets
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly halt: Halt
  /** Script of the worker threads that hash. */
  readonly workerFile: URL
}

/** What an entry gives. */
export interface Entry<Name extends string> {
  readonly defaults: Readonly<Record<Name, string>>
  readonly workerFile: URL
  /** Gives the exit code; never rejects. */
  readonly run: (host: Host<Name>) => Promise<0 | 1>
}

/** How long open handles may keep the process after the report, in milliseconds. */
const lingerMs = 500

/** Runs an action in this process: signals, bugs and the exit code are handled here and nowhere else. */
export async function start<Name extends string>({
  defaults,
  workerFile,
  run,
}: Entry<Name>): Promise<void> {
  // Short-lived objects are collected early: 4,000 registrations would take twice the memory else.
  setFlagsFromString('--max-semi-space-size=2')
  setFlagsFromString('--semi-space-growth-factor=1')
  // Until the run says otherwise: a process that ends too early must not look like a success.
  process.exitCode = 1
  // What a dependency should not use any more is no news for who reads the log.
  process.noDeprecation = true
  // The verification of certificates stays on, whatever the job has set.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']

  // The toolkit takes name:port for a URL with the scheme "name", and would go around the proxy.
  for (const name of proxyVariables) {
    const address = process.env[name]
    if (address && !address.includes('://')) process.env[name] = `http://${address}`
  }

  const raw = readRawInputs(defaults)
  const environment = readEnvironment(process.env, process.cwd())
  const secrets: Secrets = new Secrets(line => {
    runner.mask(line)
  })
  const runner = createRunner(text => secrets.redactText(text))
  const halt = new Halt()
  const state = { isFinished: false, hasBug: false }
  const reportBug = (error: unknown, consequence: string): void => {
    const reason = bug(error, environment.reportTo)
    halt.stop(reason)
    runner.error(`${reason.code}: ${reason.what}; ${consequence}; ${reason.remedy}`)
  }

  // Whoever reads the log may go away; the run must not.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      halt.cancel()
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      state.hasBug = true
      reportBug(error, 'nothing more is sent')
    })
  }
  process.on('exit', () => {
    if (state.isFinished) return
    reportBug(
      new Error('the run ended before its report'),
      'see the records file for what is registered',
    )
  })

  const host = { raw, environment, runner, secrets, halt, workerFile }
  const exitCode = await run({ ...host, clock: systemClock, random: Math.random }).catch(
    (error: unknown) => {
      reportBug(error, 'see the records file for what is registered')
      return 1
    },
  )
  state.isFinished = true
  process.exitCode = state.hasBug ? 1 : exitCode
  halt.signal.addEventListener('abort', () => {
    process.exitCode = 1
    if (exitCode === 0) runner.error('The run was cancelled by a signal after its report')
  })
  // A connection that hangs, as one to a silent proxy, must not keep the job.
  setTimeout(() => {
    process.exit()
  }, lingerMs).unref()
}
