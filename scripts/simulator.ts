/** Runs the simulator of the service, for people and workflows. Run by `npm run simulator`. */
import { readFileSync } from 'node:fs'
import { DEFAULT_API_KEY, exampleSubscription, planFaults } from '../simulator/index.ts'
import { faultWords, readFault, startSimulator } from '../simulator/index.ts'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Runs the notarization service in memory, for experiments. Stop it with Ctrl+C.

Usage: npm run simulator -- [FAULT...] [options]

  FAULT...          a fault for each file, in the order in which they are sent; the last is for all others:
                    ${faultWords.join(', ')}
  --port N          port on 127.0.0.1 (default: a free one)
  --requested FILE  only the words in FILE, such as the output of sha256sum, can be completed
  --accept-repeats  allow requesting and completing a hash more than once
  --help            print this`

const known = {
  port: { type: 'string', default: '0' },
  requested: { type: 'string', default: 'any' },
  'accept-repeats': { type: 'boolean', default: false },
} as const
const { options, words } = readCommandLine(HELP, known, true)
await runCommand(async () => {
  const { requested } = options
  const simulator = await startSimulator({
    port: Number(options.port),
    faults: planFaults(words.map(readFault)),
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
