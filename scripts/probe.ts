/**
 * Makes each call of the notarization service once, against a real service, and tells which of our assumptions held.
 * Run by `npm run probe`. For a person who has an account; no test of ours can know what the live service does.
 *
 * Of an answer only its status and its shape are shown: names and types of fields, never a value, a header or a part
 * of a body. A name that does not look like the name of a field (an id, an e-mail address) is counted, not shown.
 */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

const HELP = `Usage: NOTARIZATION_API_KEY=... npm run probe -- --base-url URL --file PATH [--yes]

  --base-url URL       https address of the service, without /api/v2; http for a loopback host only
  --file PATH          the file whose SHA-256 is registered: one that was never registered before
  --yes                also request and complete the registration; without it only the login and the
                       active subscription are called, which cost nothing
  --timeout-seconds N  for one call, 1 to 600 (default: 30)
  --help               print this

The API key is read from the environment variable NOTARIZATION_API_KEY only.
Exit code: 0 all was well, 1 a call failed or an assumption did not hold, 2 wrong usage.
`

const MAX_BODY_BYTES = 1024 * 1024
/** Deeper levels, further fields and further forms of elements are only said to be there. */
const MAX_DEPTH = 6
const MAX_FIELDS = 60
const MAX_FORMS = 5
/** A shorter text would hide names by chance. */
const MIN_SECRET_LENGTH = 6

type Kind = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'
type JsonObject = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, readonly Kind[]>>

const textOrNull = ['string', 'null'] as const

/** service-api.md 2.2; on a free plan four of them are null. */
const SUBSCRIPTION_FIELDS: Fields = {
  sessionId: ['string'],
  id: textOrNull,
  userId: ['integer'],
  planId: ['string'],
  planNickname: ['string'],
  status: ['string'],
  created: ['integer'],
  currentPeriodStart: ['integer'],
  currentPeriodEnd: ['integer'],
  canceledAt: ['integer', 'boolean'],
  customer: textOrNull,
  defaultPaymentMethod: textOrNull,
  latestInvoice: textOrNull,
}

/** service-api.md 2.1; `paymentId` is null on a free plan. */
const RECORD_FIELDS: Fields = {
  hash: ['string'],
  description: ['string'],
  custody: ['boolean'],
  signed: ['boolean'],
  signer: textOrNull,
  signature: textOrNull,
  txHash: textOrNull,
  status: ['string'],
  blockchainType: ['string'],
  holder: textOrNull,
  txId: textOrNull,
  assetId: textOrNull,
  tags: ['array'],
  paymentId: textOrNull,
  creationDate: ['integer'],
  payload: ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'],
  userId: ['integer'],
}

// ---- What was asked for

class UsageError extends Error {}

type Task = {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string
  /** SHA-256 of the file, lower-case hex. */
  readonly hash: string
  readonly mayRegister: boolean
  readonly timeoutMs: number
}

/** Messages repeat no argument: somebody may have put the key there. */
function readArguments() {
  try {
    return parseArgs({
      options: {
        'base-url': { type: 'string', default: '' },
        file: { type: 'string', default: '' },
        yes: { type: 'boolean', default: false },
        'timeout-seconds': { type: 'string', default: '30' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch {
    throw new UsageError('unknown or incomplete arguments (the API key is never one)')
  }
}

function readBaseUrl(text: string): string {
  if (text === '') throw new UsageError('--base-url is missing')
  const url = URL.parse(text)
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url?.hostname ?? '')
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback)) {
    throw new UsageError('--base-url must start with https://; http:// is for a loopback host only')
  }
  // In the text: an empty query or fragment does not show in the parsed URL.
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new UsageError('--base-url must have no credentials, query or fragment')
  }
  const baseUrl = url.href.replace(/\/+$/, '')
  if (/\/api\/v2(\/|$)/.test(baseUrl)) {
    throw new UsageError('--base-url must end before /api/v2, which is added to it')
  }
  return baseUrl
}

function readApiKey(): string {
  const apiKey = (process.env['NOTARIZATION_API_KEY'] ?? '').trim()
  if (apiKey === '') {
    throw new UsageError('the environment variable NOTARIZATION_API_KEY is missing or empty')
  }
  if (/[\r\n]/.test(apiKey)) throw new UsageError('NOTARIZATION_API_KEY must be one line')
  return apiKey
}

function readTimeoutMs(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > 600) {
    throw new UsageError('--timeout-seconds must be a whole number from 1 to 600')
  }
  return seconds * 1000
}

async function hashFile(path: string): Promise<string> {
  if (path === '') throw new UsageError('--file is missing')
  try {
    // A pipe would be waited for without end.
    if (!statSync(path).isFile()) throw new UsageError('--file must be a regular file')
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--file cannot be read (${findCode(error) ?? 'unknown reason'})`)
  }
}

// ---- One call

type Call = {
  readonly method: 'GET' | 'POST'
  /** Behind the base URL; `shownPath` has names in place of values. */
  readonly path: string
  readonly shownPath?: string
  readonly token?: string
  readonly bodyText?: string
  /** Whether it changes something at the service. */
  readonly isReal: boolean
}

type Answer =
  | { readonly kind: 'lost'; readonly reason: string }
  /** Its text is undefined when it is over the limit or not UTF-8. */
  | { readonly kind: 'answered'; readonly status: number; readonly text: string | undefined }

/** Takes no proxy and follows no redirect. One deadline covers everything up to the last byte. */
async function send(call: Call, { baseUrl, timeoutMs }: Task): Promise<Answer> {
  const { method, path, token, bodyText } = call
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(bodyText === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(bodyText === undefined ? {} : { body: bodyText }),
      redirect: 'manual',
      signal,
    })
    return { kind: 'answered', status: response.status, text: await readText(response) }
  } catch (error) {
    if (signal.aborted) return { kind: 'lost', reason: `not within ${timeoutMs / 1000} s` }
    // Never the message: it can hold an address or a header.
    return { kind: 'lost', reason: findCode(error) ?? 'the connection failed' }
  }
}

async function readText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  const stream: ReadableStream<Uint8Array> | null = body
  for await (const chunk of stream ?? []) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    return undefined
  }
}

/** The code of an error, or of what caused it, such as ECONNREFUSED. */
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : findCode(error.cause)
}

// ---- Shapes

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return 'object'
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    // Not the error: its message quotes the text.
    return undefined
  }
}

/** Tells names of fields from data that stands in the place of one. */
type IsName = (name: string) => boolean

function nameJudge(secrets: readonly string[]): IsName {
  return name =>
    Object.hasOwn(SUBSCRIPTION_FIELDS, name) ||
    Object.hasOwn(RECORD_FIELDS, name) ||
    (name.length <= 40 &&
      /^[A-Za-z_][A-Za-z_-]*\d{0,3}[A-Za-z_-]*$/.test(name) &&
      !secrets.some(secret => name.includes(secret)) &&
      !(name.length >= MIN_SECRET_LENGTH && secrets.some(secret => secret.includes(name))))
}

/** The lines that tell the types of a value and all that is in it. */
function describeShape(value: unknown, isName: IsName, depth = 0): readonly string[] {
  const kind = kindOf(value)
  const isContainer = Array.isArray(value) || isObject(value)
  if (isContainer && depth === MAX_DEPTH) return [`${kind}, its inside not shown`]
  if (Array.isArray(value)) return describeArray(value, isName, depth)
  if (isObject(value)) return describeObject(value, isName, depth)
  return [kind]
}

function describeArray(
  values: readonly unknown[],
  isName: IsName,
  depth: number,
): readonly string[] {
  if (values.length === 0) return ['array, empty']
  const forms = new Map<string, readonly string[]>()
  for (const value of values) {
    const form = describeShape(value, isName, depth + 1)
    forms.set(form.join('\n'), form)
  }
  return [
    'array of',
    ...[...forms.values()].slice(0, MAX_FORMS).flatMap(indent),
    ...(forms.size > MAX_FORMS ? indent(['more, not shown']) : []),
  ]
}

function describeObject(object: JsonObject, isName: IsName, depth: number): readonly string[] {
  const entries = Object.entries(object)
  if (entries.length === 0) return ['object, empty']
  const shown = entries.filter(([name]) => isName(name)).slice(0, MAX_FIELDS)
  const hidden = entries.length - shown.length
  return [
    'object',
    ...shown.flatMap(([name, value]) => {
      const [first = '', ...rest] = describeShape(value, isName, depth + 1)
      return indent([`${name}: ${first}`, ...rest])
    }),
    ...(hidden === 0 ? [] : indent([describeHidden(hidden)])),
  ]
}

function describeHidden(count: number): string {
  return count === 1 ? '1 field, its name not shown' : `${count} fields, their names not shown`
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map(line => `  ${line}`)
}

// ---- Assumptions

type Verdict = 'held' | 'did not hold' | 'not seen'
type Finding = {
  readonly assumption: string
  readonly verdict: Verdict
  readonly details: readonly string[]
}

/** What the last two calls were answered with. */
type Seen = { readonly request: JsonObject | undefined; readonly record: JsonObject | undefined }

function find(
  assumption: string,
  holds: boolean | undefined,
  details: readonly string[] = [],
): Finding {
  const verdict = holds === undefined ? 'not seen' : holds ? 'held' : 'did not hold'
  return { assumption, verdict, details }
}

function judgeLogin(login: JsonObject | undefined): readonly Finding[] {
  const token = login === undefined ? undefined : readToken(login)
  const claims = token === undefined ? undefined : readClaims(token)
  return [
    find(
      'login: the answer has a token, a string that can stand in a header',
      login && token !== undefined,
    ),
    find('login: the token is a JWT', token === undefined ? undefined : claims !== undefined),
    find('login: the JWT has exp, in epoch seconds', claims && isBetween(claims.exp, 1e9, 1e11)),
  ]
}

/** What a header can carry behind "Bearer ". */
function readToken({ token }: JsonObject): string | undefined {
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : undefined
}

/** Of the claims only exp is taken: the others hold personal data. */
function readClaims(token: string): { readonly exp: unknown } | undefined {
  const parts = token.split('.')
  const [header, claims] = parts.map(part =>
    /^[\w-]+$/.test(part) ? readJson(Buffer.from(part, 'base64url').toString()) : undefined,
  )
  if (parts.length !== 3 || !isObject(header) || !isObject(claims)) return undefined
  return { exp: claims['exp'] }
}

function judgeSubscription(
  call: string,
  subscription: JsonObject | undefined,
  isName: IsName,
): readonly Finding[] {
  const areNull = (...fields: readonly string[]): readonly boolean[] =>
    fields.map(field => subscription?.[field] === null)
  const looksFree = areNull('id', 'customer', 'latestInvoice').includes(true)
  const isFree =
    !areNull('id', 'customer', 'defaultPaymentMethod', 'latestInvoice').includes(false) &&
    isDigits(subscription?.['sessionId'])
  return [
    ...judgeFields(call, subscription, { fields: SUBSCRIPTION_FIELDS, isName }),
    find(
      `${call}: on a free plan id, customer, defaultPaymentMethod and latestInvoice are all null, and sessionId is digits`,
      looksFree ? isFree : undefined,
    ),
  ]
}

function judgeFields(
  call: string,
  object: JsonObject | undefined,
  { fields, isName }: { readonly fields: Fields; readonly isName: IsName },
): readonly Finding[] {
  const listed = Object.keys(fields)
  const there = `${call}: all ${listed.length} fields are there`
  const typed = `${call}: the fields that are there have the types that are listed`
  if (object === undefined) return [find(there, undefined), find(typed, undefined)]

  const missing = listed.filter(name => !Object.hasOwn(object, name))
  const additional = Object.keys(object).filter(name => !Object.hasOwn(fields, name))
  const named = additional.filter(isName).slice(0, MAX_FIELDS)
  const hidden = additional.length - named.length
  const mistyped = Object.entries(fields)
    .filter(([name, kinds]) => Object.hasOwn(object, name) && !kinds.includes(kindOf(object[name])))
    .map(([name, kinds]) => `${name} is ${kindOf(object[name])}, not ${kinds.join(' or ')}`)
  return [
    find(there, missing.length === 0, [
      ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
      ...(additional.length === 0
        ? []
        : [
            `additional: ${[...named, ...(hidden === 0 ? [] : [describeHidden(hidden)])].join(', ')}`,
          ]),
    ]),
    find(typed, mistyped.length === 0, mistyped),
  ]
}

function judgeRecord({ request, record }: Seen, hash: string, isName: IsName): readonly Finding[] {
  const checks: readonly (readonly [string, (record: JsonObject) => boolean | undefined])[] = [
    [
      'hash is that of the file',
      ({ hash: own }) => typeof own === 'string' && own.toLowerCase() === hash,
    ],
    ['custody is false', ({ custody }) => custody === false],
    ['signed is false', ({ signed }) => signed === false],
    ['status is registered', ({ status }) => status === 'registered'],
    [
      'paymentId is the id of the subscription, null included',
      ({ paymentId }) => (request?.['id'] === undefined ? undefined : paymentId === request['id']),
    ],
    [
      'creationDate is an integer of the magnitude of milliseconds',
      ({ creationDate }) => Number.isInteger(creationDate) && isBetween(creationDate, 1e12, 1e14),
    ],
  ]
  return [
    ...checks.map(([assumption, holds]) =>
      find(`completion: ${assumption}`, record && holds(record)),
    ),
    ...judgeFields('completion', record, { fields: RECORD_FIELDS, isName }),
  ]
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\d+$/.test(value)
}

function isBetween(value: unknown, least: number, limit: number): boolean {
  return typeof value === 'number' && least <= value && value < limit
}

// ---- The run

type Result =
  | { readonly kind: 'object'; readonly object: JsonObject; readonly text: string }
  | { readonly kind: 'not-good' }
  | { readonly kind: 'lost' }

function say(...lines: readonly string[]): void {
  process.stdout.write(lines.map(line => `${line}\n`).join(''))
}

/** Makes a call, prints what became of it, and gives the object it was answered with. */
async function make(call: Call, task: Task, secrets: string[]): Promise<Result> {
  say('', `${call.method} {base-url}${call.shownPath ?? call.path}`)
  const answer = await send(call, task)
  if (answer.kind === 'lost') {
    say(`  failed: no complete answer (${answer.reason})${warnOfEffect(call, undefined)}`)
    return { kind: 'lost' }
  }
  const { status, text } = answer
  say(`  status ${status}`)
  if (text === undefined) say('  body over 1 MiB, or not UTF-8')
  const value = text === undefined ? undefined : readJson(text)
  if (isObject(value)) learnSecrets(value, secrets)
  if (text === '') say('  no body')
  else if (value !== undefined) say(...indent(describeShape(value, nameJudge(secrets))))
  else if (text !== undefined) say('  body is not JSON')

  const isGood = status >= 200 && status < 300
  if (isGood && text !== undefined && isObject(value))
    return { kind: 'object', object: value, text }
  const why = isGood ? 'no JSON object' : 'a status that is not 2xx'
  say(`  failed: ${why}${warnOfEffect(call, status)}`)
  return { kind: 'not-good' }
}

function warnOfEffect({ isReal }: Call, status: number | undefined): string {
  const isRefused = status !== undefined && status >= 400 && status < 500
  return isReal && !isRefused ? '; the service may have carried it out all the same' : ''
}

/** No name of a field may tell a part of the token. */
function learnSecrets({ token }: JsonObject, secrets: string[]): void {
  if (typeof token !== 'string') return
  secrets.push(...[token, ...token.split('.')].filter(text => text.length >= MIN_SECRET_LENGTH))
}

/** Makes the calls in their order, each with what those before it gave, as far as that leads. */
async function makeAll(task: Task, secrets: string[]): Promise<readonly Result[]> {
  const { apiKey, hash, mayRegister } = task
  const login = await make(
    {
      method: 'POST',
      path: '/api/v2/auth/login',
      bodyText: JSON.stringify({ apiKey }),
      isReal: false,
    },
    task,
    secrets,
  )
  const token = login.kind === 'object' ? readToken(login.object) : undefined
  if (token === undefined) return [login]

  const active = await make(
    { method: 'GET', path: '/api/v2/payment/subscription/active', token, isReal: false },
    task,
    secrets,
  )
  if (!mayRegister || active.kind === 'lost') return [login, active]

  const request = await make(
    {
      method: 'POST',
      path: '/api/v2/registration/?subscription=true',
      token,
      bodyText: requestBody(hash),
      isReal: true,
    },
    task,
    secrets,
  )
  if (request.kind !== 'object') return [login, active, request]

  const completion = await make(
    {
      method: 'POST',
      path: `/api/v2/registration/${hash}/forfait`,
      shownPath: '/api/v2/registration/{hash}/forfait',
      token,
      // As it came, byte for byte.
      bodyText: request.text,
      isReal: true,
    },
    task,
    secrets,
  )
  return [login, active, request, completion]
}

/** Returns whether all was well. */
async function probe(task: Task): Promise<boolean> {
  const { apiKey, hash, mayRegister } = task
  const secrets = apiKey.length >= MIN_SECRET_LENGTH ? [apiKey] : []
  const results = await makeAll(task, secrets)
  if (results.length < 4) {
    const why = results.length === 2 && !mayRegister ? 'they need --yes' : 'see what failed above'
    say('', `Calls not made: ${4 - results.length} of 4; ${why}`)
  }

  const [login, active, request, record] = results.map(result =>
    result.kind === 'object' ? result.object : undefined,
  )
  const isName = nameJudge(secrets)
  const findings = [
    ...judgeLogin(login),
    ...judgeSubscription('active subscription', active, isName),
    ...judgeSubscription('request', request, isName),
    ...judgeRecord({ request, record }, hash, isName),
  ]
  say('', 'Assumptions')
  for (const { assumption, verdict, details } of findings) {
    say(
      `  ${verdict.padEnd(12)}  ${assumption}`,
      ...details.map(detail => `${' '.repeat(18)}${detail}`),
    )
  }
  return (
    results.every(result => result.kind === 'object') &&
    findings.every(finding => finding.verdict !== 'did not hold')
  )
}

/** The documented valid example, which sends the two flags as strings. */
function requestBody(hash: string): string {
  return JSON.stringify({
    blockchainType: 'ALGORAND',
    custody: 'false',
    description: 'Probe of the notarization service',
    hash,
    signed: 'false',
    status: 'not_registered',
  })
}

async function main(): Promise<number> {
  const args = readArguments()
  if (args.help) {
    process.stdout.write(HELP)
    return 0
  }
  const task: Task = {
    baseUrl: readBaseUrl(args['base-url']),
    apiKey: readApiKey(),
    mayRegister: args.yes,
    timeoutMs: readTimeoutMs(args['timeout-seconds']),
    hash: await hashFile(args.file),
  }
  const next = task.mayRegister
    ? 'with --yes it is made now'
    : 'without --yes only the login and the active subscription are called'
  process.stderr.write(
    `Warning: a registration is real, cannot be undone and may be paid; ${next}.\n`,
  )
  return (await probe(task)) ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  // Never a message or a stack of an error that is not ours: it can hold what an answer said.
  const text = error instanceof UsageError ? `${error.message}\n\n${HELP}` : 'a bug of the probe\n'
  process.stderr.write(`probe: ${text}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
