import { inputDefaults } from './inputs.ts'
import { run } from './main.ts'
import { start } from './start.ts'

// Of the bundle, where each entry has a folder of its own; named by a variable, so that the bundler leaves it alone.
const workerPath = './hash-worker/index.js'

await start({ defaults: inputDefaults, workerFile: new URL(workerPath, import.meta.url), run })
