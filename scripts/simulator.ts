/** Runs the simulator of the service, for people and workflows. Run by `npm run simulator`. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import type { SimulatorOptions } from '../simulator/index.ts'
import { parseJsonObject } from '../src/text/json.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'
import { likeReport } from './probe-report.ts'

const HELP = `Runs the notarization service in memory, for experiments. Stop it with Ctrl+C.

Usage: npm run simulator -- [options]

  --port N              port on 127.0.0.1 (default: a free one)
  --latency-ms N        milliseconds to wait before processing a request (default: 0)
  --requested any|FILE  hashes that can be completed: any (default), or the words in FILE
                        (such as the output of sha256sum)
  --api-key KEY         the API key that logs in (default: ${DEFAULT_API_KEY})
  --accept-repeats      allow completing a hash more than once
  --record JSON         fields to change in every record, such as '{"assetId": 7, "txId": "X"}'
  --subscription JSON   fields to change in the active subscription
  --like REPORT         answer like the service in a saved report of "npm run probe"
  --help                print this
`

const jsonObject = z.string().transform((text, context) => {
  const object = parseJsonObject(text)
  if (object === undefined) context.addIssue('must be a JSON object')
  return object ?? {}
})

const optionsSchema = z.object({
  port: wholeNumber({ max: 65_535 }).default(0),
  'latency-ms': wholeNumber().default(0),
  requested: z.string().min(1, 'must be "any" or a file').default('any'),
  'api-key': z.string().min(1, 'must not be empty').default(DEFAULT_API_KEY),
  'accept-repeats': z.boolean().default(false),
  record: jsonObject.default({}),
  subscription: jsonObject.default({}),
  like: z.string().optional(),
})

/** Converts the options: an honest service or the one in a report, with some fields changed. */
function optionsOf(flags: z.output<typeof optionsSchema>): SimulatorOptions {
  const { requested, like } = flags
  const base: SimulatorOptions = like === undefined ? {} : likeReport(readFileSync(like, 'utf8'))
  return {
    ...base,
    port: flags.port,
    latencyMs: flags['latency-ms'],
    apiKeys: [flags['api-key']],
    requested: requested === 'any' ? 'any' : readFileSync(requested, 'utf8').split(/\s+/),
    repeat: flags['accept-repeats'] ? 'accept' : (base.repeat ?? 'refuse'),
    record: (hash, honest) => ({ ...base.record?.(hash, honest), ...flags.record }),
    activeSubscription: { ...base.activeSubscription, ...flags.subscription },
    onFinished: ({ at, method, path, answeredStatus = 'no answer' }) => {
      console.log(`${new Date(at).toISOString()} ${method} ${path} -> ${answeredStatus}`)
    },
  }
}

await runCommand(
  async () => {
    const options = optionsOf(readCommandLine(HELP, optionsSchema).options)
    const simulator = await startSimulator(options)
    const subscription = { ...exampleSubscription, ...options.activeSubscription }
    console.log(`URL:          ${simulator.url}`)
    console.log(`API key:      ${options.apiKeys?.join() ?? ''}`)
    console.log(`Subscription: ${JSON.stringify(subscription)}`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await simulator.close()
    return true
  },
  { handlesSignals: true },
)
