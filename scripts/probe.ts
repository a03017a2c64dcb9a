/**
 * Makes each call once against the live service, and prints a report for an issue. Run by `npm run probe`, by someone
 * with an account: no test can know what the live service does.
 */
import { hash as hashOf } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { baseUrl } from '../src/inputs/input-values.ts'
import { checkRecord } from '../src/records/record.ts'
import { textOf } from '../src/text/field.ts'
import { proxyProblem } from '../src/service/proxy.ts'
import { createTransport } from '../src/service/transport.ts'
import { parseJsonObject, type JsonObject } from '../src/text/json.ts'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'
import { describeFields, type CallName } from './probe-report.ts'

const HELP = `Makes each call of the notarization service once, and prints a report for an issue: names and types of
fields, never values. Needs an account, its API key in the environment, and a file that was never registered:

  export NOTARIZATION_API_KEY=...
  npm run -s probe -- --base-url https://app.dedit.io --file some-file > report.txt

Usage: npm run -s probe -- --base-url URL --file PATH [options]

  --allow-request     also request the registration, which may be charged
  --allow-completion  also complete it, which may be charged and cannot be undone
  --complete-twice    also complete it twice, to see whether the service refuses; may be charged twice
  --help              print this

Without options it only logs in and retrieves the active subscription, which is free.
`

/** The allowed calls, the hash, and where to print the report. */
export interface ProbeTask {
  readonly baseUrl: string
  readonly apiKey: string
  readonly hash: string
  readonly allowed: readonly CallName[]
  readonly print: (line: string) => void
}

/** Makes the allowed calls in order until one fails; returns whether all succeeded. */
export async function probe(task: ProbeTask): Promise<boolean> {
  const { baseUrl: base, apiKey, hash, allowed, print } = task
  const transport = createTransport(30_000)
  const secrets = [apiKey]
  let token: string | null = null
  const failed: CallName[] = []

  /** Makes a call and prints the result; returns the answer if it is a 2xx with a JSON object. */
  const call = async (
    name: CallName,
    path: string,
    body?: string,
  ): Promise<JsonObject | undefined> => {
    if (failed.length > 0 || !allowed.includes(name)) return undefined
    const method = body === undefined ? 'GET' : 'POST'
    const url = new URL(`${base}/api/v2/${path}`)
    const request = { url, body: body ?? null, token }
    const reply = await transport.send(request, new AbortController().signal)
    const isAnswer = reply.kind === 'answer'
    const result = isAnswer ? `HTTP ${reply.status}` : `no answer (${reply.reason})`
    print(`${name}: ${method} /api/v2/${path.replace(/[0-9a-f]{64}/, '{hash}')} -> ${result}`)
    const fields = isAnswer ? parseJsonObject(reply.body ?? '') : undefined
    if (name === 'login' && typeof fields?.['token'] === 'string') {
      token = fields['token']
      secrets.push(token)
    }
    if (isAnswer && reply.status >= 200 && reply.status < 300 && fields !== undefined) {
      const lines = describeFields(name, fields, secrets)
      print(lines.map(line => `  ${line}`).join('\n'))
      return fields
    }
    // Other answers: do not even show the names of fields.
    if (isAnswer) print(`  ${fields === undefined ? 'no' : 'a'} JSON object`)
    failed.push(name)
    return undefined
  }

  print(`Report of npm run probe, ${new Date().toISOString().slice(0, 10)}`)
  await call('login', 'auth/login', JSON.stringify({ apiKey }))
  const active = await call('active-subscription', 'payment/subscription/active')
  const registration = {
    blockchainType: 'ALGORAND',
    custody: 'false',
    description: 'Probe of the notarization service',
    hash,
    signed: 'false',
    status: 'not_registered',
  }
  const requested = await call(
    'request',
    'registration/?subscription=true',
    JSON.stringify(registration),
  )
  const subscription = requested ?? active ?? {}
  const completion = [`registration/${hash}/forfait`, JSON.stringify(subscription)] as const
  const record = await call('completion', ...completion)
  const again = await call('repetition', ...completion)
  transport.close()
  if (record !== undefined) print(judgeRecord(record, hash, subscription))
  if (record !== undefined && allowed.includes('repetition')) {
    print(judgeRepetition(record, again))
  }
  // A refused repetition is a valid finding.
  return failed.every(name => name === 'repetition')
}

/** Says whether the action would accept the record, with names of fields, never values. */
function judgeRecord(record: JsonObject, hash: string, subscription: JsonObject): string {
  const paymentId = textOf(subscription['id'] ?? null)
  const problems = checkRecord(record, { hash, paymentId, redacted: [] })
  if (problems.length === 0) return 'record: the action accepts it'
  const fields = problems.map(problem => problem.split(' ')[0])
  return `record: the action refuses it because of ${fields.join(', ')}`
}

function judgeRepetition(record: JsonObject, again: JsonObject | undefined): string {
  if (again === undefined) return 'repetition: refused'
  const what = isDeepStrictEqual(record, again) ? 'the same record' : 'another record'
  return `repetition: answered with ${what}; check the account for a second charge`
}

async function main(): Promise<boolean> {
  if (process.argv.length === 2) {
    process.stdout.write(HELP)
    return true
  }
  const flag = z.boolean().default(false)
  const { options } = readCommandLine(
    HELP,
    z.object({
      'base-url': z.string('is missing').pipe(baseUrl),
      file: z.string().default(''),
      'allow-request': flag,
      'allow-completion': flag,
      'complete-twice': flag,
    }),
  )
  const apiKey = (process.env['NOTARIZATION_API_KEY'] ?? '').trim()
  if (!/^.+$/.test(apiKey)) stopForUsage('NOTARIZATION_API_KEY must be set to one line')
  const proxy = proxyProblem(options['base-url'], process.env)
  if (proxy !== null) throw new Error(proxy.message)
  const allowed: CallName[] = ['login', 'active-subscription']
  if (options['allow-request']) allowed.push('request')
  if (options['allow-completion'] || options['complete-twice']) allowed.push('completion')
  if (options['complete-twice']) allowed.push('repetition')
  const hash = allowed.length > 2 ? hashOf('sha256', readFileSync(options.file)) : ''
  if (!allowed.includes('completion')) {
    console.error('To try a registration, add --allow-request and --allow-completion.')
  }
  return probe({ baseUrl: options['base-url'], apiKey, hash, allowed, print: console.log })
}

if (import.meta.main) await runCommand(main)
