/** Runs the simulator of the service, for people and workflows. Run by `npm run simulator`. */
import { readFileSync } from 'node:fs'
import { DEFAULT_API_KEY, exampleSubscription, planFaults } from '../simulator/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'
import { faultHelp, faultOptions, readFaults } from './fault-options.ts'

const HELP = `Runs the notarization service in memory, for experiments. Stop it with Ctrl+C.

Usage: npm run simulator -- [options]

  --port N              port on 127.0.0.1 (default: a free one)
  --requested any|FILE  hashes that can be completed: any (default), or the words in FILE
                        (such as the output of sha256sum)
  --accept-repeats      allow requesting and completing a hash more than once
  --help                print this
${faultHelp}
To see the job summary of a run with such faults, use the same options with: npm run demo
`

const { options } = readCommandLine(HELP, {
  ...faultOptions,
  port: { type: 'string', default: '0' },
  requested: { type: 'string', default: 'any' },
  'accept-repeats': { type: 'boolean', default: false },
})
const port = wholeNumber('port', options.port, { max: 65_535 })
const faults = planFaults(readFaults(options))

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
await runCommand(async () => {
  const { requested } = options
  const simulator = await startSimulator({
    port,
    faults,
    requested: requested === 'any' ? 'any' : readFileSync(requested, 'utf8').split(/\s+/),
    repeat: options['accept-repeats'] ? 'accept' : 'refuse',
    onFinished: ({ method, path, answeredStatus = 'no response' }) => {
      console.log(`${new Date().toISOString()} ${method} ${path} -> ${answeredStatus}`)
    },
  })
  console.log(`URL:          ${simulator.url}`)
  console.log(`API key:      ${DEFAULT_API_KEY}`)
  console.log(`Subscription: ${JSON.stringify(exampleSubscription)}`)
  return true
})
