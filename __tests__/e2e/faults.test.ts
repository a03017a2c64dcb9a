/**
 * The fault matrix: each row is one thing that goes wrong on the wire, with the outcome that the artifact must have,
 * and the requests that it may cost. Log, outputs, records file, summary and exit code must all tell the same.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import {
  hugeFault,
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  statusFault,
  trickleFault,
} from '../../simulator/index.ts'
import type { Fault, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { runAction } from '../support/runner.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkEveryRun,
  makeRecord,
  makeRelease,
  notarize,
  readLines,
  readOutputs,
  readSummary,
  secretsOf,
  sha256,
  startService,
  subscription,
  subscriptionText,
} from './support.ts'
import type { CheckedRun } from './support.ts'

type Code = CheckedRun['results']['failures'][number]['code']
type Certainty = CheckedRun['results']['failures'][number]['registered']
type Ends = 'registered' | { readonly code: Code; readonly registered: Certainty }

const no = (code: Code): Ends => ({ code, registered: 'no' })
const unknown = (code: Code): Ends => ({ code, registered: 'unknown' })

/** Lets the service do what it is for. */
const honest = 'honest' as const

/** One line of the matrix: what each try meets (the last stands for all further ones), and what must come of it. */
interface Row {
  readonly fault: string
  readonly tries: readonly (Fault | typeof honest)[]
  readonly ends: Ends
  readonly requests: number
}

const mib = 1024 * 1024

/** A server that nobody may speak to: redirects point at it. */
const trap = createServer(socket => {
  trapConnections += 1
  socket.destroy()
})
let trapConnections = 0
const trapUrl = `http://127.0.0.1:${await listen(trap)}`

afterAll(() => {
  trap.close()
})

/** Gives the port of 127.0.0.1 on which the server listens from now on. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const connectionRows: readonly Row[] = [
  ...(['connect-accepted', 'request-read', 'done', 'mid-headers', 'mid-body'] as const).map(at => ({
    fault: `a connection that breaks at "${at}"`,
    tries: [resetFault(at)],
    ends: unknown('unavailable'),
    requests: 2,
  })),
  {
    fault: 'a body in chunks that is cut',
    tries: [resetFault('mid-body', 'chunked')],
    ends: unknown('unavailable'),
    requests: 2,
  },
  ...([408, 425, 429] as const).map(status => ({
    fault: `HTTP ${status}`,
    tries: [statusFault(status)],
    ends: no('unavailable'),
    requests: 2,
  })),
  ...([500, 502, 503, 504] as const).map(status => ({
    fault: `HTTP ${status}`,
    tries: [statusFault(status)],
    ends: unknown('unavailable'),
    requests: 2,
  })),
  {
    fault: 'HTTP 503 although it was carried out',
    tries: [statusFault(503, { effect: 'after' })],
    ends: unknown('unavailable'),
    requests: 2,
  },
  ...([501, 505, 507, 511, 520, 599] as const).map(status => ({
    fault: `HTTP ${status}, which is not tried again`,
    tries: [statusFault(status)],
    ends: unknown('unavailable'),
    requests: 1,
  })),
]

const slowRows: readonly Row[] = [
  {
    fault: 'no answer',
    tries: [silenceFault({ done: false })],
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'no answer although it was carried out',
    tries: [silenceFault({ done: true })],
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'an answer that trickles past the deadline',
    tries: [trickleFault(50)],
    ends: unknown('unavailable'),
    requests: 2,
  },
]

const hour = 3_600_000
const inAnHour = new Date(Date.now() + hour)
const longAgo = new Date(Date.now() - hour)

/** The three forms of a date in RFC 9110, 5.6.7. */
function dateForms(date: Date): Readonly<Record<string, string>> {
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  const imf = date.toUTCString()
  const [, day = '', month = '', year = '', time = ''] = imf.split(' ')
  const weekday = days[date.getUTCDay()] ?? ''
  return {
    'an IMF date': imf,
    'an RFC 850 date': `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
    'an asctime date': `${imf.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
  }
}

const waiting = (status: number, retryAfter: string): Fault =>
  statusFault(status, { headers: { 'retry-after': retryAfter } })

const retryAfterRows: readonly Row[] = [
  ...Object.entries(dateForms(inAnHour)).map(([form, value]) => ({
    fault: `HTTP 503 with Retry-After in an hour as ${form}`,
    tries: [waiting(503, value), honest],
    ends: unknown('unavailable'),
    requests: 1,
  })),
  ...(['3600', '61', '99999999999999999999'] as const).map(value => ({
    fault: `HTTP 429 with Retry-After: ${value}`,
    tries: [waiting(429, value), honest],
    ends: no('unavailable'),
    requests: 1,
  })),
]

const redirectRows: readonly Row[] = [
  ...([301, 302, 303, 307, 308] as const).map(status => ({
    fault: `HTTP ${status} to another host`,
    tries: [redirectFault(`${trapUrl}/api/v2/registration/x/forfait`, { status })],
    ends: unknown('invalid-response'),
    requests: 1,
  })),
  {
    fault: 'HTTP 307 although it was carried out',
    tries: [redirectFault(`${trapUrl}/`, { status: 307, effect: 'after' })],
    ends: unknown('invalid-response'),
    requests: 1,
  },
  ...([300, 304, 305, 399] as const).map(status => ({
    fault: `HTTP ${status} without a Location`,
    tries: [statusFault(status)],
    ends: unknown('invalid-response'),
    requests: 1,
  })),
]

const refusals = [
  ...[400, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423],
  ...[424, 426, 428, 431, 451, 499],
]

const refusalRows: readonly Row[] = refusals.map(status => ({
  fault: `HTTP ${status}`,
  tries: [statusFault(status), honest],
  ends: no('refused'),
  requests: 1,
}))

const paymentRows: readonly Row[] = [402, 403].map(status => ({
  fault: `HTTP ${status}`,
  tries: [statusFault(status), honest],
  ends: no('refused'),
  requests: 1,
}))

const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`

/** Bodies in which nobody finds a JSON object. */
const notObjects: Readonly<Record<string, string | Uint8Array>> = {
  'a page of HTML': '<!doctype html><title>Sign in</title>',
  'no byte': '',
  'white space': ' \n\t',
  null: 'null',
  'an empty array': '[]',
  'an array with an object': '[{}]',
  'a string': '"registered"',
  'a number': '1e400',
  true: 'true',
  'half an object': '{"hash":"',
  'two objects': '{}{}',
  'an object and a NUL': '{}\0',
  'bytes that are no UTF-8': Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d),
  'an object of 5,000 levels': nested(5000),
}

const bodyRows: readonly Row[] = [
  ...Object.entries(notObjects).map(([what, body]) => ({
    fault: `HTTP 200 with ${what}`,
    tries: [rawFault(body), honest] as const,
    ends: unknown('invalid-response'),
    requests: 1,
  })),
  ...([201, 204, 205, 206, 299] as const).map(status => ({
    fault: `HTTP ${status} without a body`,
    tries: [rawFault('', { status, effect: 'after' })],
    ends: unknown('invalid-response'),
    requests: 1,
  })),
  {
    fault: 'HTTP 200 with 300 MB of known length',
    tries: [hugeFault(300_000_000)],
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'HTTP 200 with 300 MB in chunks although it was carried out',
    tries: [hugeFault(300_000_000, { framing: 'chunked', effect: 'after' })],
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'HTTP 503 with 300 MB',
    tries: [hugeFault(300_000_000, { status: 503 })],
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'HTTP 404 with 300 MB',
    tries: [hugeFault(300_000_000, { status: 404, framing: 'chunked' })],
    ends: no('invalid-response'),
    requests: 1,
  },
  {
    fault: 'HTTP 200 with one byte more than 1 MiB',
    tries: [rawFault(' '.repeat(mib - 1) + '{}')],
    ends: unknown('invalid-response'),
    requests: 1,
  },
]

/** What the first tries leave open stays open, whatever the last one says. */
const mixedRows: readonly Row[] = [
  {
    fault: 'HTTP 404 after a lost try',
    tries: [resetFault('request-read'), statusFault(404)],
    ends: unknown('refused'),
    requests: 2,
  },
  {
    fault: 'HTTP 409 after a try whose answer was lost',
    tries: [resetFault('done'), honest],
    ends: unknown('refused'),
    requests: 2,
  },
  {
    fault: 'HTTP 409 after an answer that was cut',
    tries: [resetFault('mid-body', 'chunked'), honest],
    ends: unknown('refused'),
    requests: 2,
  },
  {
    fault: 'HTTP 404 after a 503',
    tries: [statusFault(503), statusFault(404)],
    ends: unknown('refused'),
    requests: 2,
  },
  {
    fault: 'HTTP 404 after a 429',
    tries: [statusFault(429), statusFault(404)],
    ends: no('refused'),
    requests: 2,
  },
  {
    fault: 'HTTP 404 after a 401',
    tries: [statusFault(401), statusFault(404)],
    ends: no('refused'),
    requests: 2,
  },
  {
    fault: 'HTTP 404 after a 503 and a 401',
    tries: [statusFault(503), statusFault(401), statusFault(404)],
    ends: unknown('refused'),
    requests: 3,
  },
  {
    fault: 'HTTP 408 and then 425',
    tries: [statusFault(408), statusFault(425)],
    ends: no('unavailable'),
    requests: 2,
  },
  {
    fault: 'HTTP 429 and then a 500',
    tries: [statusFault(429), statusFault(500)],
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'HTTP 500 and then a 429',
    tries: [statusFault(500), statusFault(429)],
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'HTTP 429 and then a lost try',
    tries: [statusFault(429), resetFault('request-read')],
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'HTTP 429 and then a redirect',
    tries: [statusFault(429), redirectFault(`${trapUrl}/`)],
    ends: unknown('invalid-response'),
    requests: 2,
  },
  {
    fault: 'HTTP 503 and then nonsense',
    tries: [statusFault(503), rawFault('<html>')],
    ends: unknown('invalid-response'),
    requests: 2,
  },
]

/** What a second try mends, and answers that look odd but say all that is needed. */
const recoveringRows: readonly Row[] = [
  ...([408, 425, 429, 500, 502, 503, 504] as const).map(status => ({
    fault: `HTTP ${status} once`,
    tries: [statusFault(status), honest],
    ends: 'registered' as const,
    requests: 2,
  })),
  ...(['connect-accepted', 'request-read'] as const).map(at => ({
    fault: `a connection that breaks once at "${at}"`,
    tries: [resetFault(at), honest],
    ends: 'registered' as const,
    requests: 2,
  })),
  {
    fault: 'HTTP 401 once',
    tries: [statusFault(401), honest],
    ends: 'registered',
    requests: 2,
  },
  {
    fault: 'HTTP 503 and then a 401, as the repetition does not use up a try',
    tries: [statusFault(503), statusFault(401), honest],
    ends: 'registered',
    requests: 3,
  },
  ...Object.entries(dateForms(longAgo)).map(([form, value]) => ({
    fault: `HTTP 503 once with Retry-After an hour ago as ${form}`,
    tries: [waiting(503, value), honest],
    ends: 'registered' as const,
    requests: 2,
  })),
  ...['0', '1', '-1', '-3600', '1e9', '3600.5', '0x7fffffff', '3600 seconds', '3600, 3600'].map(
    value => ({
      fault: `HTTP 503 once with Retry-After: ${value}`,
      tries: [waiting(503, value), honest],
      ends: 'registered' as const,
      requests: 2,
    }),
  ),
  ...['soon', 'Infinity', '2999-01-01T00:00:00Z', 'Mon, 31 Feb 2999 99:99:99 GMT', ','].map(
    value => ({
      fault: `HTTP 429 once with Retry-After: ${value}`,
      tries: [waiting(429, value), honest],
      ends: 'registered' as const,
      requests: 2,
    }),
  ),
]

type Changes = Readonly<Record<string, unknown>>

/** Fields laid over the honest record that make it contradict its request; undefined takes one away. */
const contradictions: Readonly<Record<string, Changes>> = {
  'the hash of another document': { hash: sha256('another document') },
  'a hash that is cut': { hash: 'abc' },
  'a hash that is a number': { hash: 7 },
  'a hash that is null': { hash: null },
  'no hash': { hash: undefined },
  'custody true': { custody: true },
  'custody "false"': { custody: 'false' },
  'custody 0': { custody: 0 },
  'no custody': { custody: undefined },
  'signed true': { signed: true },
  'signed null': { signed: null },
  'no signed': { signed: undefined },
  'status pending': { status: 'pending' },
  'status REGISTERED': { status: 'REGISTERED' },
  'status in a list': { status: ['registered'] },
  'no status': { status: undefined },
  'the id of another subscription': { paymentId: 'sub_of_somebody_else' },
  'an empty paymentId': { paymentId: '' },
  'paymentId null': { paymentId: null },
  'a paymentId that is a number': { paymentId: 7 },
  'no paymentId': { paymentId: undefined },
  'a description that is a number': { description: 7 },
  'a txId that is an object': { txId: {} },
  'tags that are no list': { tags: 'v1' },
  'a creationDate in words': { creationDate: '2026-01-31' },
  'a creationDate with a fraction': { creationDate: 1.5 },
  'a userId in words': { userId: '471100' },
  'nothing right': { hash: 1, custody: 1, signed: 1, status: 1, paymentId: 1 },
}

/** Fields laid over the honest record that leave it right. */
const harmless: Readonly<Record<string, Changes>> = {
  'no field but the five': {
    description: undefined,
    signer: undefined,
    signature: undefined,
    txHash: undefined,
    blockchainType: undefined,
    holder: undefined,
    txId: undefined,
    assetId: undefined,
    tags: undefined,
    creationDate: undefined,
    payload: undefined,
    userId: undefined,
  },
  'null for all other fields': {
    description: null,
    blockchainType: null,
    tags: null,
    creationDate: null,
    userId: null,
  },
  'unknown fields': { extra: { deep: [1, { x: null }] }, __proto__x: 'kept', toString: 'kept' },
  'a payload of any kind': { payload: [{ a: 1 }, 'b', null] },
  'a transaction': { txId: 'TX', txHash: 'TH', assetId: 'A', holder: 'H', tags: [1, 'a', null] },
}

interface Group {
  readonly title: string
  readonly rows: readonly Row[]
  /** Fields to lay over the record of a row. */
  readonly record?: (row: Row) => Changes | undefined
  readonly inputs?: Readonly<Record<string, string>>
  readonly rules?: Pick<SimulatorOptions, 'repeat'>
}

const honestRow = (fault: string, ends: Ends): Row => ({
  fault,
  tries: [honest],
  ends,
  requests: 1,
})

/** Rows that share a run, each beside an honest artifact, so that the breaker of the run stays closed. */
const groups: readonly Group[] = [
  { title: 'broken connections and outages', rows: connectionRows },
  {
    title: 'slow answers',
    rows: slowRows,
    inputs: { 'timeout-seconds': '1' },
    // On a slow machine an honest answer may miss so short a deadline, too.
    rules: { repeat: 'accept' },
  },
  { title: 'Retry-After', rows: retryAfterRows },
  { title: 'redirects', rows: redirectRows },
  { title: 'refusals', rows: [...refusalRows, ...paymentRows] },
  { title: 'bodies', rows: bodyRows },
  { title: 'mixed tries', rows: mixedRows },
  { title: 'a second try', rows: recoveringRows },
  {
    title: 'records that contradict their request',
    rows: Object.keys(contradictions).map(what => honestRow(what, unknown('record-mismatch'))),
    record: row => contradictions[row.fault],
  },
  {
    title: 'records that only look odd',
    rows: ['a hash in capitals', ...Object.keys(harmless)].map(what =>
      honestRow(what, 'registered'),
    ),
    record: row => harmless[row.fault],
  },
]

const numbered = (index: number): string => String(index + 1).padStart(2, '0')
const faultyName = (index: number): string => `dist/${numbered(index)}-a-faulty.bin`
const honestName = (index: number): string => `dist/${numbered(index)}-b-honest.bin`

function makeArtifacts({ title, rows }: Pick<Group, 'title' | 'rows'>): Workspace {
  const files = rows.flatMap((_, index) => [
    [faultyName(index).slice(5), `${title} ${faultyName(index)}`] as const,
    [honestName(index).slice(5), `${title} ${honestName(index)}`] as const,
  ])
  return makeRelease(Object.fromEntries(files))
}

const hashOf = ({ title }: Pick<Group, 'title'>, name: string): string => sha256(`${title} ${name}`)

const reactionTo = (row: Row | undefined, nth: number): Fault | undefined => {
  const reaction = row?.tries[Math.min(nth, row.tries.length) - 1]
  return reaction === honest ? undefined : reaction
}

interface GroupRun {
  readonly run: CheckedRun
  readonly service: Simulator
}

async function runGroup(group: Group): Promise<GroupRun> {
  const byHash = new Map(
    group.rows.map((row, index) => [hashOf(group, faultyName(index)), row] as const),
  )
  const service = await startService({
    ...group.rules,
    faults: ({ hash = '', nthOfHash = 1 }) => reactionTo(byHash.get(hash), nthOfHash),
    record: hash => {
      const row = byHash.get(hash)
      if (row?.fault === 'a hash in capitals') return { hash: hash.toUpperCase() }
      return (row === undefined ? undefined : group.record?.(row)) ?? {}
    },
  })
  const inputs = { 'max-attempts': '2', concurrency: '2', 'timeout-seconds': '20', ...group.inputs }
  return { service, run: await notarize({ service, workspace: makeArtifacts(group), inputs }) }
}

/**
 * Starts each job when it is asked for, and the one behind it along with it, so that two run at a time and none is
 * left over. A job that was started is not started again.
 */
function startInPairs<T>(
  list: readonly (readonly [name: string, job: () => Promise<T>])[],
): (name: string) => Promise<T> {
  const jobs = new Map(list)
  const names = [...jobs.keys()]
  const started = new Map<string, Promise<T>>()
  const start = (name: string): Promise<T> => {
    const job = jobs.get(name)
    const run = started.get(name) ?? job?.()
    if (run === undefined) throw new Error(`There is no job ${name}`)
    // The test that awaits it gets the error.
    run.catch(() => undefined)
    started.set(name, run)
    return run
  }
  return name => {
    const run = start(name)
    const next = names[names.indexOf(name) + 1]
    if (next !== undefined) void start(next)
    return run
  }
}

const toWords = (cell: string): string => cell.replaceAll(/&nbsp;|\u00a0/g, ' ')

/** What one run says about one artifact in each of its voices. */
function expectOneStory(run: CheckedRun, artifact: string, ends: Ends): void {
  const { records, failures } = run.results
  const failure = failures.find(one => one.artifact === artifact)
  const record = records?.find(one => one.artifact === artifact)
  const logLines = run.lines.filter(
    line => !line.startsWith('::') && line.includes(`"${artifact}"`),
  )
  const rows = readSummary(run.summary).rows.filter(([, name]) => name === artifact)
  const hash = failure?.hash ?? record?.hash
  const kept = readLines(run).filter(line => line.hash === hash)
  const [line = ''] = logLines
  const [[state = '', , , , reason = ''] = []] = rows

  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect([logLines.length, rows.length]).toEqual([1, 1])
  if (ends === 'registered') {
    expect(failure).toBeUndefined()
    expect(record?.from).toBe('this-run')
    expect(line).toMatch(/^registered: /)
    expect(toWords(state)).toBe('✅ registered')
    expect(kept.map(({ problems }) => problems)).toEqual([[]])
    expect(kept.map(one => one.record)).toEqual([record?.record])
    return
  }
  const words = ends.registered === 'no' ? 'not registered' : 'may be registered'
  expect(record).toBeUndefined()
  expect({ code: failure?.code, registered: failure?.registered }).toEqual(ends)
  expect(line).toContain(`FAILED, ${words}: `)
  expect(line).toContain(`: ${ends.code}: `)
  expect(toWords(state).endsWith(words)).toBe(true)
  // The reason itself may stand above the table, where several artifacts share it.
  expect(reason).toMatch(new RegExp(`^${ends.code}[:,] `))
  const problems = kept.map(one => one.problems.length > 0)
  expect(problems).toEqual(ends.code === 'record-mismatch' ? [true] : [])
}

/** The verdict must be the same text in the log and in the summary, and fit the error of the run. */
function expectOneVerdict(run: CheckedRun): void {
  const verdict = readSummary(run.summary).verdict.replace('## ', '')
  const { failures, 'artifact-count': total, 'failed-count': failed } = run.results
  const mayBe = failures.filter(({ registered }) => registered === 'unknown').length
  expect(run.lines).toContain(verdict)
  if (failed === 0) return
  expect(verdict).toContain(`${failed} failed`)
  const [error = ''] = run.annotations.error
  expect(error.startsWith(`${failed} of ${total} artifacts failed`)).toBe(true)
  expect(error).toContain(failures[0]?.code)
  for (const text of [verdict, error]) {
    expect(text.includes(`${mayBe} of them may be registered`)).toBe(mayBe > 0)
  }
}

const groupRun = startInPairs(groups.map(group => [group.title, () => runGroup(group)]))

describe.each(groups)('a completion that meets $title', group => {
  it.each(group.rows)('ends as it must: $fault', async ({ fault, ends, requests }) => {
    const { run, service } = await groupRun(group.title)
    const artifact = faultyName(group.rows.findIndex(row => row.fault === fault))
    const hash = hashOf(group, artifact)

    expectOneStory(run, artifact, ends)
    expect(service.requests.filter(request => request.hash === hash)).toHaveLength(requests)
    // What the service itself knows is the judge of "certainly not registered".
    if (ends !== 'registered' && ends.registered === 'no') {
      expect(service.completionCounts.get(hash)).toBeUndefined()
    }
    if (ends === 'registered') expect(service.completionCounts.get(hash)).toBe(1)
  })

  it('leaves the other artifacts alone, and tells one verdict', async () => {
    const { run, service } = await groupRun(group.title)
    const failing = group.rows.filter(({ ends }) => ends !== 'registered').length

    for (const index of group.rows.keys()) expectOneStory(run, honestName(index), 'registered')
    expectOneVerdict(run)
    expect(run.exitCode).toBe(failing > 0 ? 1 : 0)
    expect(run.results['failed-count']).toBe(failing)
    expect(service.maxConnections).toBeLessThanOrEqual(3)
  })
})

/** Faults of the login: no artifact is sent, so that each is certainly not registered. */
const loginRows: readonly (Row & { readonly hint?: string })[] = [
  ...[400, 401, 403, 422].map(status => ({
    fault: `HTTP ${status}`,
    tries: [statusFault(status), honest],
    ends: no('login-refused'),
    requests: 1,
    hint: 'api-key',
  })),
  ...[402, 404, 405, 407, 409, 410, 415, 418, 451].map(status => ({
    fault: `HTTP ${status}`,
    tries: [statusFault(status), honest],
    ends: no('invalid-response'),
    requests: 1,
    hint: 'base-url',
  })),
  ...[408, 425, 429, 500, 502, 503, 504].map(status => ({
    fault: `HTTP ${status}`,
    tries: [statusFault(status)],
    ends: no('unavailable'),
    requests: 2,
  })),
  ...[501, 505].map(status => ({
    fault: `HTTP ${status}, which is not tried again`,
    tries: [statusFault(status), honest],
    ends: no('unavailable'),
    requests: 1,
  })),
  ...[301, 302, 303, 307, 308].map(status => ({
    fault: `HTTP ${status} to another host`,
    tries: [redirectFault(`${trapUrl}/api/v2/auth/login`, { status }), honest],
    ends: no('invalid-response'),
    requests: 1,
    hint: 'base-url',
  })),
  ...(['connect-accepted', 'request-read', 'done', 'mid-headers', 'mid-body'] as const).map(at => ({
    fault: `a connection that breaks at "${at}"`,
    tries: [resetFault(at)],
    ends: no('unavailable'),
    requests: 2,
  })),
  {
    fault: 'a body in chunks that is cut',
    tries: [resetFault('mid-body', 'chunked')],
    ends: no('unavailable'),
    requests: 2,
  },
  {
    fault: 'no answer',
    tries: [silenceFault({ done: true })],
    ends: no('unavailable'),
    requests: 2,
  },
  {
    fault: 'an answer that trickles past the deadline',
    tries: [trickleFault(50)],
    ends: no('unavailable'),
    requests: 2,
  },
  ...Object.entries({
    'a page of HTML': '<!doctype html><title>Sign in</title>',
    'no byte': '',
    null: 'null',
    'an array': '[{"token":"aaaaaaaaaa"}]',
    'no token': '{"Token":"aaaaaaaaaa"}',
    'a token that is null': '{"token":null}',
    'a token that is a number': '{"token":1234567890}',
    'an empty token': '{"token":""}',
    'a token with a line end': '{"token":"aaaaaaaaaa\\r\\nx-evil: 1"}',
    'a token with a letter that no header can have': '{"token":"aaaaaaaaaa\u0119"}',
  }).map(([what, body]) => ({
    fault: `HTTP 200 with ${what}`,
    tries: [rawFault(body), honest],
    ends: no('invalid-response'),
    requests: 1,
    hint: 'base-url',
  })),
  {
    fault: 'HTTP 200 with 300 MB',
    tries: [hugeFault(300_000_000, { framing: 'chunked' }), honest],
    ends: no('invalid-response'),
    requests: 1,
  },
  {
    fault: 'HTTP 503 with Retry-After in an hour',
    tries: [waiting(503, '3600'), honest],
    ends: no('unavailable'),
    requests: 1,
  },
  {
    fault: 'HTTP 503 once',
    tries: [statusFault(503), honest],
    ends: 'registered',
    requests: 2,
  },
  {
    fault: 'a lost answer once',
    tries: [resetFault('done'), honest],
    ends: 'registered',
    requests: 2,
  },
]

const loginTitle = 'the login'
const loginArtifacts = [faultyName(0), honestName(0)]
const loginRun = startInPairs(loginRows.map(row => [row.fault, () => runLogin(row)]))

async function runLogin(row: Row): Promise<GroupRun> {
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'login' ? reactionTo(row, nthOfEndpoint) : undefined,
  })
  const workspace = makeArtifacts({ title: loginTitle, rows: [row] })
  const isSlow = row.tries.some(one => one !== honest && ['silence', 'trickle'].includes(one.kind))
  const inputs = {
    'api-key': API_KEY,
    'base-url': service.url,
    subscription: subscriptionText,
    path: 'dist',
    'max-attempts': '2',
    'timeout-seconds': isSlow ? '1' : '20',
  }
  const run = await runAction({ workspace, inputs })
  // Not by notarize(): a token whose answer was lost never reaches the action, so that it has no mask.
  checkEveryRun(run, secretsOf(service))
  return { service, run: { ...run, results: readOutputs(run) } }
}

describe('a login that meets a fault', () => {
  it.each(loginRows)(
    'has the outcome of every artifact: $fault',
    async ({ fault, ends, requests, hint }) => {
      const { run, service } = await loginRun(fault)

      for (const artifact of loginArtifacts) expectOneStory(run, artifact, ends)
      expectOneVerdict(run)
      expect(run.exitCode).toBe(ends === 'registered' ? 0 : 1)
      const seen = service.requests.map(({ endpoint }) => endpoint)
      const completions = ends === 'registered' ? loginArtifacts.length : 0
      expect(seen.filter(endpoint => endpoint === 'login')).toHaveLength(requests)
      expect(seen).toHaveLength(requests + completions)
      for (const { message } of run.results.failures) expect(message).toContain(hint ?? '')
    },
  )
})

describe('the host that a redirect names', () => {
  it('sees no connection, whichever call was redirected', async () => {
    await groupRun('redirects')
    await groupRun('mixed tries')
    for (const { fault } of loginRows) if (fault.includes('another host')) await loginRun(fault)

    expect(trapUrl).not.toBe('')
    expect(trapConnections).toBe(0)
  })
})

describe('a record that contradicts its request', () => {
  it('is kept, and its hash is not sent by a later run until its line is removed', async () => {
    const { service, run: earlier } = await runGroup({
      title: 'mismatch, then a later run',
      rows: [honestRow('status pending', unknown('record-mismatch'))],
      record: row => contradictions[row.fault],
    })
    const run = await notarize({ service, workspace: earlier.workspace })

    expect(service.requests.filter(({ endpoint }) => endpoint === 'completion')).toHaveLength(2)
    expect(run.exitCode).toBe(1)
    expect(run.results).toMatchObject({ verdict: 'partial', 'newly-registered-count': 0 })
    expect(run.results.failures).toMatchObject([
      { artifact: faultyName(0), code: 'record-mismatch', registered: 'unknown' },
    ])
    expect(run.results.failures[0]?.message).toMatch(/remove line \d+ of/)
    expect(readLines(run)).toHaveLength(2)
  })
})

describe('a refused completion', () => {
  it('says that an earlier run may have registered it', async () => {
    const { run } = await groupRun('refusals')

    for (const { message } of run.results.failures) {
      expect(message).toContain('may have been registered by an earlier run')
    }
  })
})

const holdingService = await startService({
  faults: ({ endpoint, nthOfEndpoint }) =>
    endpoint === 'completion' && nthOfEndpoint === 1 ? waiting(429, '2') : undefined,
  latencyMs: ({ endpoint, nthOfEndpoint }) =>
    endpoint === 'completion' && nthOfEndpoint > 1 ? 700 : 0,
})
const heldRun = notarize({
  service: holdingService,
  workspace: makeRelease(
    Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.bin`, `held back ${n}`])),
  ),
  inputs: { concurrency: '3' },
})
heldRun.catch(() => undefined)

describe('a Retry-After', () => {
  it('holds back all workers', async () => {
    const run = await heldRun

    expect(run.exitCode).toBe(0)
    const completions = holdingService.requests.filter(one => one.endpoint === 'completion')
    const times = completions.map(({ at }) => at)
    const [first = 0] = times
    expect(times).toHaveLength(10)
    // Three were under way; nothing else was until the time was up.
    expect(times.filter(at => at < first + 1900)).toHaveLength(3)
  })
})

/** A service that breaks HTTP itself: it logs in honestly, and answers each completion with a script. */
type Script = (socket: Socket, record: string) => void

const withLength = (body: string, head = 'HTTP/1.1 200 OK'): string =>
  `${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const answerHonestly: Script = (socket, record) => {
  socket.write(withLength(record))
}

interface RawService {
  readonly url: string
  /** Hashes in the order of their completions. */
  readonly completions: readonly string[]
  readonly close: () => void
}

async function startRawService(scripts: ReadonlyMap<string, Script>): Promise<RawService> {
  const completions: string[] = []
  const sockets = new Set<Socket>()
  const answer = (socket: Socket, path: string): void => {
    const hash = /registration\/([0-9a-f]{64})\/forfait$/.exec(path)?.[1]
    if (hash === undefined) {
      socket.write(withLength('{"token":"rawhead.rawclaims.rawsignature"}'))
      return
    }
    completions.push(hash)
    const record = JSON.stringify({ ...makeRecord(hash), paymentId: subscription.id })
    const script = scripts.get(hash) ?? answerHonestly
    script(socket, record)
  }
  const server = createServer(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', data => {
      text += data.toString('latin1')
      const [head = '', ...rest] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN)
      if (rest.join('\r\n\r\n').length < length || Number.isNaN(length)) return
      text = ''
      answer(socket, head.split(' ')[1] ?? '')
    })
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url, completions, close }
}

interface RawRow {
  readonly fault: string
  readonly script: Script
  readonly ends: Ends
  readonly requests: number
}

const rawRows: readonly RawRow[] = [
  {
    fault: 'an end of the connection without a byte',
    script: socket => socket.end(),
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'a body that ends politely before its length',
    script: (socket, record) => socket.end(withLength(record).slice(0, -10)),
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'chunks that end politely before the last one',
    script: (socket, record) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${record.length.toString(16)}\r\n${record}\r\n`,
      ),
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'a head that never ends',
    script: socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('X-Wait: 1\r\n'), 100)
      socket.once('close', () => {
        clearInterval(timer)
      })
    },
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'a body that is shorter than what follows',
    script: (socket, record) => {
      const cut = Math.floor(record.length / 2)
      socket.write(withLength(record.slice(0, cut)) + record.slice(cut))
    },
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'a body in an encoding that was not asked for',
    script: socket =>
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00',
      ),
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'a status that does not exist',
    script: socket => socket.write(withLength('{}', 'HTTP/1.1 999 Odd')),
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'bytes that are no HTTP',
    script: socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'a head of 100 kB',
    script: (socket, record) =>
      socket.write(withLength(record, `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}`)),
    ends: unknown('invalid-response'),
    requests: 1,
  },
  {
    fault: 'a chunk without a size',
    script: socket =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n'),
    ends: unknown('unavailable'),
    requests: 2,
  },
  {
    fault: 'HTTP 413 before the connection is reset',
    script: socket =>
      socket.write(withLength('{}', 'HTTP/1.1 413 Too Large'), () => socket.destroy()),
    ends: no('refused'),
    requests: 1,
  },
  {
    fault: 'early hints before the record',
    script: (socket, record) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${withLength(record)}`),
    ends: 'registered',
    requests: 1,
  },
  {
    fault: 'a record in HTTP/1.0, ended by the connection',
    script: (socket, record) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${record}`),
    ends: 'registered',
    requests: 1,
  },
  {
    fault: 'a record of exactly 1 MiB as text/html',
    script: (socket, record) =>
      socket.write(
        `HTTP/1.1 201 Created\r\nContent-Type: text/html\r\nContent-Length: ${mib}\r\n\r\n${record.padEnd(mib)}`,
      ),
    ends: 'registered',
    requests: 1,
  },
]

const rawGroup = { title: 'raw', rows: rawRows.map(row => ({ ...row, tries: [] })) }

const rawService = await startRawService(
  new Map(
    rawRows.map(({ script }, index) => [hashOf(rawGroup, faultyName(index)), script] as const),
  ),
)

afterAll(rawService.close)

// From the start, beside the others: it does little but wait.
const rawRun = notarize({
  workspace: makeArtifacts(rawGroup),
  inputs: {
    'base-url': rawService.url,
    'max-attempts': '2',
    'timeout-seconds': '3',
    concurrency: '2',
  },
})
rawRun.catch(() => undefined)

describe('a completion that meets a server with HTTP of its own', () => {
  it.each(rawRows)('ends as it must: $fault', async ({ fault, ends, requests }) => {
    const run = await rawRun
    const artifact = faultyName(rawRows.findIndex(row => row.fault === fault))
    const hash = hashOf(rawGroup, artifact)

    expectOneStory(run, artifact, ends)
    expect(rawService.completions.filter(one => one === hash)).toHaveLength(requests)
  })

  it('leaves the other artifacts alone, and tells one verdict', async () => {
    const run = await rawRun

    for (const index of rawRows.keys()) expectOneStory(run, honestName(index), 'registered')
    expectOneVerdict(run)
    expect(run.exitCode).toBe(1)
  })
})

describe('a completion that is answered with another protocol', () => {
  it('is an answer that cannot be understood, and the run goes on to its report', async () => {
    const [first, second] = loginArtifacts.map(name => hashOf({ title: 'protocol' }, name))
    const service = await startRawService(
      new Map([
        [
          first ?? '',
          socket =>
            socket.write(
              'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
            ),
        ],
      ]),
    )
    const inputs = { 'base-url': service.url, 'max-attempts': '2', concurrency: '1' }
    try {
      const workspace = makeArtifacts({ title: 'protocol', rows: [honestRow('', 'registered')] })
      const run = await notarize({ workspace, inputs })

      expectOneStory(run, faultyName(0), unknown('invalid-response'))
      expectOneStory(run, honestName(0), 'registered')
      expect(service.completions).toEqual([first, second])
    } finally {
      service.close()
    }
  })
})

describe('a service that is gone', () => {
  it('leaves every artifact certainly unregistered when the login is refused a connection', async () => {
    const service = await startService()
    await service.close()
    const workspace = makeRelease({ '01-a-faulty.bin': 'a', '01-b-honest.bin': 'b' })

    const run = await notarize({ service, workspace, inputs: { 'max-attempts': '2' } })

    for (const artifact of loginArtifacts) expectOneStory(run, artifact, no('unavailable'))
    expectOneVerdict(run)
    expect(run.exitCode).toBe(1)
    expect(service.requests).toHaveLength(0)
  })

  it('leaves every artifact certainly unregistered when it goes right after the login', async () => {
    const server = createServer(socket => {
      server.close()
      socket.once('data', () => {
        socket.end(
          withLength(
            '{"token":"rawhead.rawclaims.rawsignature"}',
            'HTTP/1.1 200 OK\r\nConnection: close',
          ),
        )
      })
    })
    const inputs = { 'base-url': `http://127.0.0.1:${await listen(server)}`, 'max-attempts': '2' }

    const workspace = makeRelease({ '01-a-faulty.bin': 'a', '01-b-honest.bin': 'b' })
    const run = await notarize({ workspace, inputs })

    for (const artifact of loginArtifacts) expectOneStory(run, artifact, no('unavailable'))
    expectOneVerdict(run)
    expect(run.exitCode).toBe(1)
  })
})
