import { addAbortListener } from 'node:events'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { addProxySchemes, readEnvironment } from './environment.ts'
import { endGuardedCall } from './guard.ts'
import { Halt } from './halt.ts'
import type { Host, Outside } from './outside.ts'
import { createRunner, mask, readRawInputs, type RawInputs } from './runner.ts'
import { Secrets } from './secrets.ts'

/** Runs one of the actions, reports, and returns the exit code. */
export type Action = (host: Host, rawInputs: RawInputs) => Promise<0 | 1>

/** Runs an action; handles signals (the first aborts `canceled`), bugs and the exit code. */
export async function runInHost(
  run: Action,
  outside: Outside,
  canceled: AbortSignal,
): Promise<void> {
  // Deprecation warnings about dependencies are noise in the log. With --no-deprecation, this is read-only.
  Reflect.set(process, 'noDeprecation', true)
  // TLS verification stays on, even if the job turns it off.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  // Node gives up the first address of a host after 250 ms, even if only that one works.
  setDefaultAutoSelectFamilyAttemptTimeout(2000)
  addProxySchemes(process.env)

  const rawInputs = readRawInputs()
  const environment = readEnvironment(process.env, process.cwd())
  const secrets = new Secrets(mask)
  const runner = createRunner(text => secrets.redactText(text), environment.docsUrl)
  const halt = new Halt(outside.clock)
  const host: Host = { ...outside, environment, runner, secrets, halt }
  const noteUncaught = (error: unknown): void => {
    if (!endGuardedCall(error)) halt.noteBug(error)
  }
  /** Null until the run has been reported. */
  let exitCode: 0 | 1 | null = null

  // The log reader may disconnect; the run must continue.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.on('uncaughtException', noteUncaught)
  process.on('unhandledRejection', noteUncaught)
  process.on('exit', () => {
    if (exitCode === null) halt.noteBug(new Error('the run ended before its report'))
    if (exitCode !== 1) reportLate(host)
  })
  addAbortListener(canceled, () => {
    halt.cancel()
  })
  // Node delivers signals between event loop turns: receive those that arrived during loading.
  await setImmediate()

  try {
    exitCode = await run(host, rawInputs)
    process.exitCode = exitCode
  } catch (error) {
    halt.noteBug(error)
  }
  // Receive signals that arrived at the end of the report.
  await setImmediate()
  // Ends connections and timers that libraries leave behind, once the log is written.
  process.stdout.write('', () => process.exit())
}

/** Fails the run if a bug or a signal came too late for its report. */
function reportLate({ environment: { reportTo }, halt: { bug, isCanceled }, runner }: Host): void {
  const rest = 'What is reported above still holds.'
  if (bug !== null) {
    runner.error(
      `${bug.code}: This action has a bug (${bug.observed}). ${rest} Report it at ${reportTo}`,
    )
  } else if (isCanceled) runner.error(`The run was canceled after its report. ${rest}`)
  else return
  process.exitCode = 1
}
