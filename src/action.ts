import { runInHost } from './host.ts'
import { inputDefaults } from './inputs.ts'
import { run } from './main.ts'

// Of the bundle, where the worker has a folder of its own; named by a variable, so that the bundler leaves it alone.
const workerPath = './hash-worker/index.js'

/** Runs one of the two actions in this process; `cancelled` aborts at the first signal. */
export async function runAction(
  name: 'notarize' | 'verify',
  cancelled: AbortSignal,
): Promise<void> {
  const shared = { workerFile: new URL(workerPath, import.meta.url), cancelled }
  if (name === 'notarize') {
    await runInHost({ ...shared, defaults: inputDefaults, run })
    return
  }
  const { verify, verifyDefaults } = await import('./verify/main.ts')
  await runInHost({ ...shared, defaults: verifyDefaults, run: verify })
}
