import { setImmediate } from 'node:timers/promises'
import { bugFailure, type Failure } from '../failure.ts'
import { systemClock, type Clock } from './clock.ts'
import { readEnvironment, type Environment } from './environment.ts'
import { Halt } from './halt.ts'
import { createRunner, readRawInputs, type RawInputs, type Runner } from './runner.ts'
import { Secrets } from './secrets.ts'

/** Everything that a run needs from outside, but for its inputs. */
export interface Host {
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

/** An action: the names of its inputs, and its run, which gives the exit code and never rejects. */
export interface Action {
  readonly inputNames: readonly string[]
  readonly run: (host: Host, given: RawInputs) => Promise<0 | 1>
}

/** How long open handles may keep the process after the report, in milliseconds. */
const lingerMs = 500

/**
 * Runs an action in this process: signals, bugs and the exit code are handled here and nowhere else. `workerFile` is the
 * script of the worker threads; `cancelled` aborts at the first signal, from the first moment of the process on.
 */
export async function runInHost(
  { inputNames, run }: Action,
  workerFile: URL,
  cancelled: AbortSignal,
): Promise<void> {
  // Deprecations of a dependency are noise in the log.
  process.noDeprecation = true
  // The verification of certificates stays on, whatever the job has set.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']

  const given = readRawInputs(inputNames)
  const environment = readEnvironment(process.env, process.cwd())
  const secrets: Secrets = new Secrets(line => {
    runner.mask(line)
  })
  const runner = createRunner(text => secrets.redactText(text))
  const halt = new Halt()
  let isReported = false
  const fail = (message: string): void => {
    runner.error(message)
    process.exitCode = 1
  }
  const failWith = ({ code, what, remedy }: Failure): void => {
    fail(`${code}: ${what}; ${remedy}`)
  }
  /** Reports what came after the report, which names what came before. */
  const checkLate = (): void => {
    if (!isReported || process.exitCode !== 0) return
    if (halt.bug !== null) failWith(halt.bug)
    else if (halt.isCancelled) fail('The run was cancelled by a signal after its report')
  }
  const noteBug = (error: unknown): void => {
    halt.noteBug(error, environment.reportTo)
    checkLate()
  }
  const cancel = (): void => {
    halt.cancel()
    checkLate()
  }

  // Whoever reads the log may go away; the run must not.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.on('uncaughtException', noteBug)
  process.on('unhandledRejection', noteBug)
  process.on('exit', () => {
    if (!isReported) failWith(bugFailure('the run ended before its report', environment.reportTo))
  })
  cancelled.addEventListener('abort', cancel)
  // Signals are delivered between two turns of the event loop: now those that came while the program was loaded.
  await setImmediate()
  if (cancelled.aborted) cancel()

  const host = { environment, runner, secrets, halt, workerFile }
  try {
    process.exitCode = await run({ ...host, clock: systemClock, random: Math.random }, given)
  } catch (error) {
    noteBug(error)
    process.exitCode = 0
  }
  isReported = true
  checkLate()
  await setImmediate()
  // A connection that hangs, as one to a silent proxy, must not keep the job.
  setTimeout(() => {
    process.exit()
  }, lingerMs).unref()
}
