/**
 * Has the client of the action make each call of the notarization service, against a real service, and says which of
 * our assumptions held. Run by `npm run probe`. For a person who has an account; no test of ours can know what the
 * live service does.
 *
 * Of an answer only its status and its shape are shown: names and types of fields, never a value, a header or a part
 * of a body. A name that does not look like the name of a field (an id, an e-mail address) is counted, not shown.
 */
import { hash as hashOf } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { systemClock } from '../src/clock.ts'
import { completeProxies, readEnvironment } from '../src/environment.ts'
import { failureIn } from '../src/failure.ts'
import { Halt } from '../src/halt.ts'
import { baseUrl } from '../src/input-values.ts'
import { Secrets } from '../src/secrets.ts'
import { createClient } from '../src/service/client.ts'
import { activeSubscription } from '../src/service/extensions/active-subscription.ts'
import { notarizeByRequest } from '../src/service/extensions/request-registration.ts'
import { isSuccess, mayHaveActed } from '../src/service/operation.ts'
import type { Reply } from '../src/service/exchange.ts'
import { checkProxy } from '../src/service/proxy.ts'
import { createTransport } from '../src/service/transport.ts'
import { toLogLine } from '../src/text/escape.ts'
import { parseJson, parseJsonObject, type JsonObject } from '../src/text/json.ts'
import { describeError } from '../src/text/system-error.ts'
import { readCommandLine, runCommand, stopForUsage, wholeNumber } from './command.ts'
import { calls, judge } from './probe-assumptions.ts'
import { fieldsOf, shapeOf, type IsName } from './probe-shape.ts'

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

/** What is wrong with a reply, if anything is. */
function findProblem(reply: Reply, isName: IsName): string | null {
  switch (reply.kind) {
    case 'lost':
      return `no complete answer: ${reply.reason}`
    case 'untrusted':
      return `the certificate is not trusted: ${reply.reason}`
    case 'too-large':
      return 'a body over 1 MiB'
    case 'answer':
      if (!isSuccess(reply)) return 'a status that is not 2xx'
      if (parseJsonObject(reply.body) !== undefined) return null
  }
  try {
    return `no JSON object of at most 200 levels, but ${shapeOf(parseJson(reply.body), isName)}`
  } catch {
    // Not the error: its message quotes the text.
    return 'no JSON'
  }
}

function say(...lines: readonly string[]): void {
  process.stdout.write(lines.map(line => `${line}\n`).join(''))
}

interface Task {
  readonly baseUrl: string
  readonly apiKey: string
  readonly hash: string
  readonly mayRegister: boolean
  readonly timeoutMs: number
}

/** Makes the calls, as far as each leads to the next, and says what came of them; returns whether all was well. */
async function probe({ hash, mayRegister, timeoutMs, ...given }: Task): Promise<boolean> {
  const masked: string[] = []
  const secrets = new Secrets(line => masked.push(line))
  secrets.add([given.apiKey, ...readEnvironment(process.env, '').secrets])
  const isName: IsName = name =>
    Object.values(calls).some(types => Object.hasOwn(types, name)) ||
    (/^(?=.{1,40}$)[A-Za-z_][A-Za-z_-]*\d{0,3}[A-Za-z_-]*$/.test(name) &&
      !secrets.isIn(name) &&
      !(name.length >= 6 && masked.some(secret => secret.includes(name))))

  const answers = new Map<string, JsonObject | null>()
  const transport = createTransport({ timeoutMs, maxConnections: 1 })
  const client = createClient({
    ...{ ...given, clock: systemClock, random: Math.random, halt: new Halt(), secrets },
    ...{ maxAttempts: 1, retryUnanswered: false, onRetry: () => undefined },
    transport: {
      ...transport,
      send: async (request, signal) => {
        const call = request.url.href.slice(given.baseUrl.length).replace(hash, '{hash}')
        say('', `${request.method} {base-url}${call}`)
        const reply = await transport.send(request, signal)
        const object = reply.kind === 'answer' ? parseJsonObject(reply.body) : undefined
        const token = object?.['token']
        if (typeof token === 'string') secrets.add([token, ...token.split('.')])
        const types = isSuccess(reply) ? { types: calls[call] ?? {} } : {}
        const problem = findProblem(reply, isName)
        answers.set(call, problem === null ? (object ?? null) : null)
        say(
          ...('status' in reply ? [`  status ${reply.status}`] : []),
          ...fieldsOf(object ?? {}, { isName, ...types }).map(field => `    ${field}`),
        )
        if (problem === null) return reply
        const mayBe = call.startsWith('/api/v2/registration/') && mayHaveActed(reply)
        const effect = mayBe ? '; the service may have carried it out all the same' : ''
        say(`  failed: ${toLogLine(secrets.redactText(problem))}${effect}`)
        return reply
      },
    },
  })

  const quiet = { warn: () => undefined, notice: () => undefined }
  const reader = { ...quiet, secrets, clock: systemClock }
  const active = activeSubscription(client, reader)
  const describe = () => 'Probe of the notarization service'
  const register = notarizeByRequest({ ...reader, client, given: null, active, describe })
  const intent = { artifact: 'probe', isNoted: true, note: () => Promise.resolve() }
  const found = await active().then(() => null, failureIn)
  // A service in trouble gets no registration that could be paid for in vain.
  const failure =
    mayRegister && found?.code !== 'unavailable'
      ? await register({ hash, name: 'probe' }, intent).then(() => null, failureIn)
      : found
  if (failure !== null) {
    say('', `The action would report: ${failure.code}; registered: ${failure.registered}`)
  }
  transport.close()
  const left = Object.keys(calls).filter(call => !answers.has(call)).length
  const why = mayRegister || left > 2 ? 'see above' : 'they need --yes'
  if (left > 0) say('', `Calls not made: ${left} of 4; ${why}`)

  const findings = judge(answers, hash)
  say('', 'Assumptions')
  for (const [assumption, holds] of findings) {
    const verdict = holds === undefined ? 'not seen' : holds ? 'held' : 'did not hold'
    say(`  ${verdict.padEnd(12)}  ${assumption}`)
  }
  return [...answers.values()].every(Boolean) && findings.every(([, holds]) => holds !== false)
}

function readApiKey(): string {
  const apiKey = (process.env['NOTARIZATION_API_KEY'] ?? '').trim()
  if (apiKey === '') {
    stopForUsage('the environment variable NOTARIZATION_API_KEY is missing or empty')
  }
  if (/[\r\n]/.test(apiKey)) stopForUsage('NOTARIZATION_API_KEY must be one line')
  return apiKey
}

function hashFile(path: string): string {
  if (path === '') stopForUsage('--file is missing')
  try {
    // A pipe would be waited for without end.
    if (statSync(path).isFile()) return hashOf('sha256', readFileSync(path))
  } catch (error) {
    stopForUsage(`--file cannot be read: ${describeError(error)}`)
  }
  return stopForUsage('--file must be a regular file')
}

async function main(): Promise<boolean> {
  // A word is not repeated: somebody may have put the key there.
  const { options, words } = readCommandLine(
    HELP,
    z.object({
      'base-url': z
        .string()
        .default('')
        .pipe(baseUrl)
        .pipe(z.string('is empty; give the https:// URL of the service')),
      file: z.string().default(''),
      yes: z.boolean().default(false),
      'timeout-seconds': wholeNumber({ min: 1, max: 600 }).default(30),
    }),
    Infinity,
  )
  if (words.length > 0) stopForUsage('there are only options (the API key is never one)')
  const task = {
    baseUrl: options['base-url'],
    apiKey: readApiKey(),
    hash: hashFile(options.file),
    mayRegister: options.yes,
    timeoutMs: options['timeout-seconds'] * 1000,
  }
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  Object.assign(process.env, completeProxies(process.env))
  checkProxy(task.baseUrl, readEnvironment(process.env, '').proxyProblems)
  const next = task.mayRegister
    ? 'with --yes it is made now'
    : 'without --yes only the login and the active subscription are called'
  process.stderr.write(
    `Warning: a registration is real, cannot be undone and may be paid; ${next}.\n`,
  )
  return probe(task)
}

await runCommand(main)
