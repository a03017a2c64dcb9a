/** Runs the simulator of the service, for workflows (`.github/actions/simulator`). Run by `npm run simulator`. */
import { readFileSync } from 'node:fs'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Runs the notarization service in memory, on a free port of 127.0.0.1. Stop it with Ctrl+C.

Usage: npm run simulator -- [options]

  --requested any|FILE  hashes that can be completed: any (default), or the words in FILE
                        (such as the output of sha256sum)
  --help                print this

To see how the action reports faults of the service: npm run demo -- --help
`

const { options } = readCommandLine(HELP, { requested: { type: 'string', default: 'any' } })

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
await runCommand(async () => {
  const { requested } = options
  const simulator = await startSimulator({
    requested: requested === 'any' ? 'any' : readFileSync(requested, 'utf8').split(/\s+/),
    onFinished: ({ method, path, answeredStatus = 'no response' }) => {
      console.log(`${new Date().toISOString()} ${method} ${path} -> ${answeredStatus}`)
    },
  })
  console.log(`URL:          ${simulator.url}`)
  console.log(`API key:      ${DEFAULT_API_KEY}`)
  console.log(`Subscription: ${JSON.stringify(exampleSubscription)}`)
  return true
})
