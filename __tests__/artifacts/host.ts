import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Host } from '../../src/runtime/outside.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { createTransport } from '../../src/service/transport.ts'

/** Creates a host with these variables that keeps what it logs, and whose signals end no call. */
export function recordingHost(env: NodeJS.ProcessEnv) {
  const base = hostIn('/')
  const log: string[] = []
  const runner: Host['runner'] = {
    ...base.runner,
    info: text => void log.push(text),
    logWarning: text => void log.push(`warning: ${text}`),
    warning: (text, docs = 'no docs') => void log.push(`${text} (${docs})`),
  }
  // The timer of a real clock would outlive the test.
  const halt = new Halt({ ...base.clock, sleep: () => new Promise(() => undefined) })
  return { ...base, environment: readEnvironment(env, '/'), runner, halt, log }
}

/** Creates a host that finds files in this workspace, logs nothing, and has neither GitHub nor its artifact service. */
export function hostIn(workspace: string): Host {
  const ignore = (): void => undefined
  const log = {
    info: ignore,
    group: <T>(_: string, call: () => Promise<T>) => call(),
    warning: ignore,
    logWarning: ignore,
    error: ignore,
    warnings: [],
  }
  const unreachable = (): Promise<never> => Promise.reject(new Error('unreachable'))
  const writeSummary = (): Promise<void> => Promise.resolve()
  return {
    environment: readEnvironment({ GITHUB_WORKSPACE: workspace }, workspace),
    runner: { ...log, setOutput: ignore, writeSummary },
    secrets: new Secrets(ignore),
    clock: systemClock,
    random: () => 0,
    disk: systemDisk,
    createTransport,
    connectToGitHub: unreachable,
    workflowArtifacts: { keep: unreachable, find: unreachable },
    halt: new Halt(systemClock),
  }
}
