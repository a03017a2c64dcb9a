import { homedir } from 'node:os'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { systemClock, type Host } from '../../src/runtime/outside.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { createTransport } from '../../src/service/transport.ts'

/** Creates a host that finds files in this workspace, logs nothing, and has neither GitHub nor its artifact service. */
export function hostIn(workspace: string): Host {
  const ignore = (): void => undefined
  const log = {
    info: ignore,
    notice: ignore,
    warning: ignore,
    passingWarning: ignore,
    error: ignore,
    warnings: [],
  }
  const unreachable = (): Promise<never> => Promise.reject(new Error('unreachable'))
  const writeSummary = (): Promise<void> => Promise.resolve()
  return {
    environment: readEnvironment({ GITHUB_WORKSPACE: workspace, HOME: homedir() }, workspace),
    runner: { ...log, mask: ignore, setOutput: ignore, saveState: ignore, writeSummary },
    secrets: new Secrets(ignore),
    clock: systemClock,
    random: () => 0,
    disk: systemDisk,
    createTransport,
    connectToGitHub: unreachable,
    workflowArtifacts: { keep: unreachable, find: unreachable },
    halt: new Halt(systemClock),
    workerFile: new URL('../../src/artifacts/hash.ts', import.meta.url),
  }
}
