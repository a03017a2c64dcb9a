import { homedir } from 'node:os'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { Host } from '../../src/runtime/host.ts'
import { Secrets } from '../../src/runtime/secrets.ts'

/** Creates a host that finds files in this workspace and logs nothing. */
export function hostIn(workspace: string): Host {
  const ignore = (): void => undefined
  const log = { info: ignore, notice: ignore, warning: ignore, error: ignore, warnings: [] }
  const writeSummary = (): Promise<void> => Promise.resolve()
  return {
    environment: readEnvironment({ GITHUB_WORKSPACE: workspace, HOME: homedir() }, workspace),
    runner: { ...log, mask: ignore, setOutput: ignore, saveState: ignore, writeSummary },
    secrets: new Secrets(ignore),
    clock: systemClock,
    random: () => 0,
    halt: new Halt(),
    workerFile: new URL('../../src/artifacts/hash-worker.ts', import.meta.url),
  }
}
