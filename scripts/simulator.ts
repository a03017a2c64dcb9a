/** Runs the simulator of the service, for people and workflows. Run by `npm run simulator`. */
import { readFileSync } from 'node:fs'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import { parseJsonObject, type JsonObject } from '../src/text/json.ts'
import { readCommandLine, runCommand, stopForUsage, wholeNumber } from './command.ts'

const HELP = `Runs the notarization service in memory, for experiments. Stop it with Ctrl+C.

Usage: npm run simulator -- [options]

  --port N              port on 127.0.0.1 (default: a free one)
  --requested any|FILE  hashes that can be completed: any (default), or the words in FILE
                        (such as the output of sha256sum)
  --accept-repeats      allow requesting and completing a hash more than once
  --record JSON         fields to change in every record, such as '{"assetId": 7, "txId": "X"}'
  --subscription JSON   fields to change in the active subscription
  --help                print this
`

const { options } = readCommandLine(HELP, {
  port: { type: 'string', default: '0' },
  requested: { type: 'string', default: 'any' },
  'accept-repeats': { type: 'boolean', default: false },
  record: { type: 'string', default: '{}' },
  subscription: { type: 'string', default: '{}' },
})
const port = wholeNumber('port', options.port, { max: 65_535 })
const [record, activeSubscription] = [fieldsOf('record'), fieldsOf('subscription')]

function fieldsOf(name: 'record' | 'subscription'): JsonObject {
  return parseJsonObject(options[name]) ?? stopForUsage(`--${name} must be a JSON object`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
await runCommand(async () => {
  const { requested } = options
  const simulator = await startSimulator({
    port,
    requested: requested === 'any' ? 'any' : readFileSync(requested, 'utf8').split(/\s+/),
    repeat: options['accept-repeats'] ? 'accept' : 'refuse',
    record: () => record,
    activeSubscription,
    onFinished: ({ method, path, answeredStatus = 'no answer' }) => {
      console.log(`${new Date().toISOString()} ${method} ${path} -> ${answeredStatus}`)
    },
  })
  console.log(`URL:          ${simulator.url}`)
  console.log(`API key:      ${DEFAULT_API_KEY}`)
  console.log(`Subscription: ${JSON.stringify({ ...exampleSubscription, ...activeSubscription })}`)
  return true
})
