/** The simulator of the service, for a person and for workflows. Run by `npm run simulator`. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  DEFAULT_API_KEY,
  exampleSubscription,
  startSimulator,
  statusFault,
} from '../simulator/index.ts'
import type { SeenRequest } from '../simulator/index.ts'
import { readCommandLine, runCommand, stopForUsage, wholeNumber } from './command.ts'

const HELP = `The notarization service in memory, for trying things out. Stop it with Ctrl+C.

Usage: npm run simulator -- [options]

  --port N             port on 127.0.0.1 (default: a free one)
  --latency-ms N       wait this long before carrying out a request (default: 0)
  --requested any|FILE hashes that may be completed: any (default), or those that start
                       the lines of FILE (the output of sha256sum will do)
  --api-key KEY        the API key that logs in (default: ${DEFAULT_API_KEY})
  --fault-rate R       share of completions answered 503 and not carried out, 0 to 1 (default: 0)
  --help               print this
`

const notAShare = 'must be a number from 0 to 1'

const optionsSchema = z.object({
  port: wholeNumber({ max: 65_535 }).default(0),
  'latency-ms': wholeNumber().default(0),
  requested: z.string().min(1, 'must be "any" or a file').default('any'),
  'api-key': z.string().min(1, 'must not be empty').default(DEFAULT_API_KEY),
  'fault-rate': z
    .string()
    .regex(/^\d*\.?\d+$/, notAShare)
    .transform(Number)
    .pipe(z.number().max(1, notAShare))
    .default(0),
})

function readHashes(file: string): readonly string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.map(line => line.trim().split(/\s+/)[0] ?? '').filter(word => word !== '')
  } catch {
    return stopForUsage(`--requested cannot be read (got "${file}")`)
  }
}

function logRequest({ at, method, path, answeredStatus }: SeenRequest): void {
  console.log(`${new Date(at).toISOString()} ${method} ${path} -> ${answeredStatus ?? 'no answer'}`)
}

async function main(): Promise<boolean> {
  const { options } = readCommandLine(HELP, optionsSchema)
  const { port, 'latency-ms': latencyMs, requested, 'api-key': apiKey } = options
  const simulator = await startSimulator({
    ...{ port, latencyMs, apiKeys: [apiKey], onFinished: logRequest },
    requested: requested === 'any' ? 'any' : readHashes(requested),
    faults: ({ endpoint }) =>
      endpoint === 'completion' && Math.random() < options['fault-rate']
        ? statusFault(503)
        : undefined,
  })
  console.log(`URL:          ${simulator.url}`)
  console.log(`API key:      ${apiKey}`)
  console.log(`Subscription: ${JSON.stringify(exampleSubscription)}`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await simulator.close()
  return true
}

await runCommand(main, { mindsSignals: true })
