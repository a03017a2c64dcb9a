/**
 * Makes calls to the live service, and prints a report for an issue: names and types of fields, never
 * values. Run by `npm run probe`, by someone with an account: no test can know what the live service does.
 */
import { hash as hashOf } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { baseUrl as baseUrlSchema } from '../src/inputs/shared-inputs.ts'
import { checkRecord } from '../src/records/record.ts'
import { checkProxy } from '../src/service/proxy.ts'
import { createTransport } from '../src/service/transport.ts'
import { textOf, parseJsonObject, type JsonObject } from '../src/text/json.ts'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'

const HELP = `Makes each call of the notarization service once, and prints a report for an issue: names and types of
fields, never values. Needs an account, and its API key in the environment:

  export NOTARIZATION_API_KEY=...
  npm run -s probe -- --base-url https://app.dedit.io > report.txt

Usage: npm run -s probe -- --base-url URL [options]

  --file PATH         the file to register: one that was never registered
  --allow-request     also request the registration, which is assumed to be free
  --allow-completion  also complete it, which may be charged and cannot be undone
  --complete-twice    also complete it twice, to see whether the service refuses; may be charged twice
  --help              print this

By default it costs nothing: it only logs in and retrieves the active subscription.`

/** The calls that the probe can make; `repetition` repeats the completion. */
export type CallName = 'login' | 'active-subscription' | 'request' | 'completion' | 'repetition'

/** Returns the type of a value, and whether a string is a time or a number. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  if (typeof value !== 'string') return JSON.isRawJSON(value) ? 'number' : typeof value
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return 'string (time)'
  return /^\d+$/.test(value) ? 'string (digits)' : 'string'
}

/** Returns a line for each field of a response. Unusual names are only counted: they may be values. */
function describeFields(fields: JsonObject): string {
  const names = Object.keys(fields)
  const shown = names.filter(name => /^[A-Za-z_-]{1,40}\d{0,3}$/.test(name))
  const lines = shown.map(name => `  ${name}: ${typeOf(fields[name])}`)
  if (shown.length < names.length) lines.push(`  ${names.length - shown.length} fields not shown`)
  return lines.join('\n')
}

/** The allowed calls, the hash, and where to print the report. */
export interface ProbeTask {
  readonly baseUrl: string
  readonly apiKey: string
  readonly hash: string
  readonly allowed: readonly CallName[]
  readonly print: (line: string) => void
}

/** Makes the allowed calls in order until one fails; returns whether all succeeded. */
export async function probe({
  baseUrl,
  apiKey,
  hash,
  allowed,
  print,
}: ProbeTask): Promise<boolean> {
  const transmit = createTransport(30_000)
  let token: string | null = null
  const failed: CallName[] = []

  /** Makes a call and prints the result; returns the response if it is a 2xx with a JSON object. */
  const call = async (name: CallName, path: string, content: object | null) => {
    if (failed.length > 0 || !allowed.includes(name)) return undefined
    const url = new URL(`${baseUrl}/api/v2/${path}`)
    const body = content === null ? null : JSON.stringify(content)
    const reply = await transmit({ url, body, token }, new AbortController().signal)
    const isResponse = reply.kind === 'response'
    const result = isResponse ? `HTTP ${reply.status}` : reply.detail
    const method = body === null ? 'GET' : 'POST'
    print(`${name}: ${method} /api/v2/${path.replace(/[0-9a-f]{64}/, '{hash}')} -> ${result}`)
    const fields = isResponse ? parseJsonObject(reply.body ?? '') : undefined
    if (isResponse && reply.status >= 200 && reply.status < 300 && fields !== undefined) {
      print(describeFields(fields))
      return fields
    }
    // Other responses: do not even show the names of fields.
    if (isResponse) print(`  ${fields === undefined ? 'no' : 'a'} JSON object`)
    failed.push(name)
    return undefined
  }

  print(`Report of npm run probe, ${new Date().toISOString().slice(0, 10)}`)
  const login = await call('login', 'auth/login', { apiKey })
  if (typeof login?.['token'] === 'string') token = login['token']
  const active = await call('active-subscription', 'payment/subscription/active', null)
  const requested = await call('request', 'registration/?subscription=true', {
    blockchainType: 'ALGORAND',
    custody: 'false',
    description: 'Probe of the notarization service',
    hash,
    signed: 'false',
    status: 'not_registered',
  })
  const subscription: JsonObject = requested ?? active ?? {}
  const record = await call('completion', `registration/${hash}/forfait`, subscription)
  if (record !== undefined) {
    const problems = checkRecord(record, { hash, paymentId: textOf(subscription['id'] ?? null) })
    const names = problems.map(problem => problem.split(' ')[0]).join(', ')
    print(`record: the action ${names === '' ? 'accepts it' : `refuses it because of ${names}`}`)
  }
  const again = await call('repetition', `registration/${hash}/forfait`, subscription)
  if (again !== undefined) {
    const which = isDeepStrictEqual(record, again) ? 'the same' : 'another'
    print(`repetition: ${which} record; check the account for a second charge`)
  }
  // A refused repetition is a valid finding.
  return failed.every(name => name === 'repetition')
}

async function main(): Promise<boolean> {
  const { options } = readCommandLine(HELP, {
    'base-url': { type: 'string', default: '' },
    file: { type: 'string', default: '' },
    'allow-request': { type: 'boolean', default: false },
    'allow-completion': { type: 'boolean', default: false },
    'complete-twice': { type: 'boolean', default: false },
  })
  const base = baseUrlSchema.safeParse(options['base-url'])
  if (!base.success) stopForUsage(`--base-url ${base.error.issues[0]?.message ?? 'is wrong'}`)
  const apiKey = (process.env['NOTARIZATION_API_KEY'] ?? '').trim()
  if (!/^.+$/.test(apiKey)) stopForUsage('NOTARIZATION_API_KEY must be set to one line')
  checkProxy(base.data, process.env)
  const allowed: CallName[] = ['login', 'active-subscription']
  if (options['allow-request']) allowed.push('request')
  if (options['allow-completion'] || options['complete-twice']) allowed.push('completion')
  if (options['complete-twice']) allowed.push('repetition')
  const hash = allowed.length > 2 ? hashOf('sha256', readFileSync(options.file)) : ''
  if (!allowed.includes('completion')) {
    console.error('To try a registration, add --allow-request and --allow-completion.')
  }
  return probe({ baseUrl: base.data, apiKey, hash, allowed, print: console.log })
}

if (import.meta.main) await runCommand(main)
