import { start } from '../start.ts'
import { verifyDefaults } from './inputs.ts'
import { verify } from './main.ts'

// Of the bundle, where each entry has a folder of its own; named by a variable, so that the bundler leaves it alone.
const workerPath = '../hash-worker/index.js'

await start({
  defaults: verifyDefaults,
  workerFile: new URL(workerPath, import.meta.url),
  run: verify,
})
