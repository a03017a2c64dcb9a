import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator, statusFault } from './index.ts'
import type { SeenRequest, SimulatorOptions } from './index.ts'

const HELP = `The notarization service in memory, for trying things out. Stop it with Ctrl+C.

Usage: node simulator/cli.ts [options]

  --port N             port on 127.0.0.1 (default: a free one)
  --latency-ms N       wait this long before carrying out a request (default: 0)
  --requested any|FILE hashes that may be completed: any (default), or those that start
                       the lines of FILE (the output of sha256sum will do)
  --api-key KEY        the API key that logs in (default: ${DEFAULT_API_KEY})
  --fault-rate R       share of completions answered 503 and not carried out, 0 to 1 (default: 0)
  --help               print this
`

const wholeNumber = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number)

const argumentsSchema = z.object({
  port: wholeNumber.pipe(z.number().max(65_535)).default(0),
  'latency-ms': wholeNumber.default(0),
  requested: z.string().min(1).default('any'),
  'api-key': z.string().min(1).default(DEFAULT_API_KEY),
  'fault-rate': z
    .string()
    .regex(/^\d*\.?\d+$/, 'must be a number from 0 to 1')
    .transform(Number)
    .pipe(z.number().max(1))
    .default(0),
  help: z.boolean().default(false),
})

type Arguments = z.infer<typeof argumentsSchema>

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'latency-ms': { type: 'string' },
      requested: { type: 'string' },
      'api-key': { type: 'string' },
      'fault-rate': { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const parsed = argumentsSchema.safeParse(values)
  if (parsed.success) return parsed.data
  throw new Error(z.prettifyError(parsed.error))
}

function readHashes(path: string): readonly string[] {
  const firstWords = readFileSync(path, 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/)[0] ?? '')
  return firstWords.filter(word => word !== '')
}

function toOptions(args: Arguments): SimulatorOptions {
  return {
    port: args.port,
    latencyMs: args['latency-ms'],
    requested: args.requested === 'any' ? 'any' : readHashes(args.requested),
    apiKeys: [args['api-key']],
    faults: ({ endpoint }) =>
      endpoint === 'completion' && Math.random() < args['fault-rate']
        ? statusFault(503)
        : undefined,
    onFinished: logRequest,
  }
}

function logRequest({ at, method, path, answeredStatus }: SeenRequest): void {
  console.log(`${new Date(at).toISOString()} ${method} ${path} -> ${answeredStatus ?? 'no answer'}`)
}

async function main(): Promise<void> {
  const args = readArguments()
  if (args.help) {
    console.log(HELP)
    return
  }
  const simulator = await startSimulator(toOptions(args))
  console.log(`URL:          ${simulator.url}`)
  console.log(`API key:      ${args['api-key']}`)
  console.log(`Subscription: ${JSON.stringify(exampleSubscription)}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void simulator.close())
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error('Run with --help to see the options.')
  process.exitCode = 2
}
