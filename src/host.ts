import { setImmediate } from 'node:timers/promises'
import { systemClock, type Clock } from './clock.ts'
import { completeProxies, readEnvironment, type Environment } from './environment.ts'
import { bugFailure, describeBug } from './failure.ts'
import { Halt } from './halt.ts'
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

/** A run, and what this process has for it. */
interface HostedRun<Name extends string> {
  /** The inputs by name; what is not given is as it stands here. */
  readonly defaults: Readonly<Record<Name, string>>
  readonly workerFile: URL
  /** Aborts when the process gets a signal, from its first moment on. */
  readonly cancelled: AbortSignal
  /** Gives the exit code; never rejects. */
  readonly run: (host: Host<Name>) => Promise<0 | 1>
}

/** How long open handles may keep the process after the report, in milliseconds. */
const lingerMs = 500

/** Runs an action in this process: signals, bugs and the exit code are handled here and nowhere else. */
export async function runInHost<Name extends string>({
  defaults,
  workerFile,
  cancelled,
  run,
}: HostedRun<Name>): Promise<void> {
  // What a dependency should not use any more is no news for who reads the log.
  process.noDeprecation = true
  // The verification of certificates stays on, whatever the job has set.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  Object.assign(process.env, completeProxies(process.env))

  const raw = readRawInputs(defaults)
  const environment = readEnvironment(process.env, process.cwd())
  const secrets: Secrets = new Secrets(line => {
    runner.mask(line)
  })
  const runner = createRunner(text => secrets.redactText(text))
  const halt = new Halt()
  let isReported = false
  const bugText = (): string =>
    describeBug(halt.bug ?? bugFailure('the run ended before its report', environment.reportTo))
  /** A report that failed has said its one error. */
  const failAfterReport = (why: string): void => {
    if (process.exitCode === 0) runner.error(why)
    process.exitCode = 1
  }
  /** The report names it, unless it is over. */
  const noteBug = (error: unknown): void => {
    halt.noteBug(error, environment.reportTo)
    if (isReported) failAfterReport(bugText())
  }
  const cancel = (): void => {
    halt.cancel()
    if (isReported) failAfterReport('The run was cancelled by a signal after its report')
  }

  // Whoever reads the log may go away; the run must not.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, noteBug)
  process.on('exit', () => {
    if (!isReported) runner.error(bugText())
  })
  cancelled.addEventListener('abort', cancel)
  // A signal is heard between two turns of the event loop only: those that came while the program was loaded now.
  await setImmediate()
  if (cancelled.aborted) cancel()

  const host = { raw, environment, runner, secrets, halt, workerFile }
  try {
    process.exitCode = await run({ ...host, clock: systemClock, random: Math.random })
    isReported = true
  } catch (error) {
    noteBug(error)
  }
  if (halt.bug !== null) failAfterReport(bugText())
  if (halt.isCancelled) failAfterReport('The run was cancelled by a signal during its report')
  await setImmediate()
  // A connection that hangs, as one to a silent proxy, must not keep the job.
  setTimeout(() => {
    process.exit()
  }, lingerMs).unref()
}
