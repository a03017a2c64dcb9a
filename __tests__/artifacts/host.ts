import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Host } from '../../src/runtime/outside.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { createTransport } from '../../src/service/transport.ts'
import type { Workspace } from '../support/workspace.ts'

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
  const unreachable = (): Promise<never> => Promise.reject(new Error('unreachable'))
  return {
    environment: readEnvironment({ GITHUB_WORKSPACE: workspace }, workspace),
    runner: {
      info: ignore,
      group: (_, call) => call(),
      warning: ignore,
      logWarning: ignore,
      error: ignore,
      warnings: [],
      setOutput: ignore,
      writeSummary: () => Promise.resolve(),
    },
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

/** Runs a function without root rights, so that permissions apply; `workspace` itself stays readable. */
export async function asNobody<T>(workspace: Workspace, run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run()
  chmodSync(dirname(workspace.root), 0o755)
  process.seteuid?.(65_534)
  try {
    return await run()
  } finally {
    process.seteuid?.(0)
  }
}
