/**
 * The fault matrix: each row is one thing that goes wrong on the wire, with what must become of the artifact, and the
 * requests that it may cost. Log, outputs, records file, summary and exit code must all say the same.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
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
  makeRelease,
  notarize,
  readLines,
  readOutputs,
  readStateLines,
  readSummary,
  secretsOf,
  sha256,
  startService,
  subscriptionText,
} from './support.ts'
import type { CheckedRun } from './support.ts'

type Failure = CheckedRun['results']['failures'][number]
type Ends = 'registered' | `${Failure['code']}/${Failure['registered']}`

/** Lets the service do what it is for. */
const honest = 'honest' as const
/** What a try meets; a number is that status. */
type Reaction = Fault | number | typeof honest

/** One line of the matrix: what must come of it, at the cost of so many requests, and what each of them meets. */
interface Row {
  readonly fault: string
  readonly ends: Ends
  readonly requests: number
  /** The last one stands for all that follow. */
  readonly tries: readonly Reaction[]
}

type Costs = readonly [ends: Ends, requests: number]

function row(fault: string, [ends, requests]: Costs, ...tries: readonly Reaction[]): Row {
  return { fault, ends, requests, tries }
}

const mib = 1024 * 1024

/** A server that nobody may speak to: redirects point at it. */
let trapConnections = 0
const trap = createServer(socket => {
  trapConnections += 1
  socket.destroy()
})
trap.listen(0, '127.0.0.1')
await once(trap, 'listening')
const trapAddress = trap.address()
if (typeof trapAddress !== 'object' || trapAddress === null) throw new Error('no port')
const trapUrl = `http://127.0.0.1:${trapAddress.port}`

afterAll(() => {
  trap.close()
  // No redirect was followed, whichever call it answered.
  expect(trapConnections).toBe(0)
})

const breakPoints = ['connect-accepted', 'request-read', 'done', 'mid-headers', 'mid-body'] as const

const twice: Costs = ['unavailable/unknown', 2]

/** What is tried again, or is final although it is a trouble of the service. */
const outageRows: readonly Row[] = [
  ...breakPoints.map(at => row(`a connection that breaks at "${at}"`, twice, resetFault(at))),
  row('a body in chunks that is cut', twice, resetFault('mid-body', 'chunked')),
  ...[408, 425, 429].map(status => row(`HTTP ${status}`, ['unavailable/no', 2], status)),
  ...[500, 502, 503, 504].map(status => row(`HTTP ${status}`, twice, status)),
  ...[501, 505, 507, 511, 520, 599].map(status =>
    row(`HTTP ${status}, which is final`, ['unavailable/unknown', 1], status, honest),
  ),
]

const slowRows: readonly Row[] = [
  row('no answer', twice, silenceFault({ done: false })),
  row('no answer although it was carried out', twice, silenceFault({ done: true })),
  row('an answer that trickles past the deadline', twice, trickleFault(50)),
]

const inAnHour = (sign: 1 | -1): string => new Date(Date.now() + sign * 3_600_000).toUTCString()

const waiting = (status: number, retryAfter: string): Fault =>
  statusFault(status, { headers: { 'retry-after': retryAfter } })

/** How each form is read is tested beside the reader; here is what it costs. */
const retryAfterRows: readonly Row[] = [
  row('HTTP 503, in an hour', ['unavailable/unknown', 1], waiting(503, inAnHour(1)), honest),
  row('HTTP 503, an hour ago', ['registered', 2], waiting(503, inAnHour(-1)), honest),
  row('HTTP 429, after 61 s', ['unavailable/no', 1], waiting(429, '61'), honest),
  ...['0', '1', '-1', 'soon'].map(value =>
    row(`HTTP 429, after ${value}`, ['registered', 2], waiting(429, value), honest),
  ),
]

const odd: Costs = ['invalid-response/unknown', 1]

const redirectRows: readonly Row[] = [301, 302, 303, 307, 308].map(status =>
  row(`HTTP ${status} to another host`, odd, redirectFault(trapUrl, { status })),
)

const refusals = [
  ...[400, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421],
  ...[422, 423, 424, 426, 428, 431, 451, 499],
]

const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`

/** Bodies in which nobody finds a JSON object. */
const notObjects: Readonly<Record<string, string | Uint8Array>> = {
  'a page of HTML': '<!doctype html><title>Sign in</title>',
  'no byte': '',
  'white space': ' \n\t',
  null: 'null',
  'an array with an object': '[{}]',
  'a string': '"registered"',
  'a number': '1e400',
  'half an object': '{"hash":"',
  'two objects': '{}{}',
  'an object and a NUL': '{}\0',
  'bytes that are no UTF-8': Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d),
  'an object of 5,000 levels': nested(5000),
  'one byte more than 1 MiB': `${' '.repeat(mib - 1)}{}`,
}

const late = { effect: 'after' } as const
const large = 300_000_000

const oddRows: readonly Row[] = [
  ...redirectRows,
  row('HTTP 307 although it was carried out', odd, redirectFault(trapUrl, late)),
  ...[300, 304, 305, 399].map(status => row(`HTTP ${status} to nowhere`, odd, status)),
  ...Object.entries(notObjects).map(([what, body]) =>
    row(`HTTP 200 with ${what}`, odd, rawFault(body), honest),
  ),
  ...[201, 204, 205, 206, 299].map(status =>
    row(`HTTP ${status} without a body`, odd, rawFault('', { status, ...late })),
  ),
  row('HTTP 200 with 300 MB', odd, hugeFault(large)),
  row('HTTP 200 with 300 MB in chunks', odd, hugeFault(large, { framing: 'chunked', ...late })),
  row('HTTP 503 with 300 MB', odd, hugeFault(large, { status: 503 })),
  row('HTTP 404 with 300 MB', ['invalid-response/no', 1], hugeFault(large, { status: 404 })),
]

const cutInChunks = resetFault('mid-body', 'chunked')
const lost = resetFault('request-read')

/** What the first tries leave open stays open, whatever the last one says. */
const mixedRows: readonly Row[] = [
  row('HTTP 404 after a lost try', ['refused/unknown', 2], lost, 404),
  row('HTTP 409 after a lost answer', ['refused/unknown', 2], resetFault('done'), honest),
  row('HTTP 409 after a cut answer', ['refused/unknown', 2], cutInChunks, honest),
  row('HTTP 404 after a 503', ['refused/unknown', 2], 503, 404),
  row('HTTP 404 after a 429', ['refused/no', 2], 429, 404),
  row('HTTP 404 after a 401', ['refused/no', 2], 401, 404),
  row('HTTP 404 after a 503 and a 401', ['refused/unknown', 3], 503, 401, 404),
  row('HTTP 425 after a 408', ['unavailable/no', 2], 408, 425),
  row('HTTP 500 after a 429', ['unavailable/unknown', 2], 429, 500),
  row('HTTP 429 after a 500', ['unavailable/unknown', 2], 500, 429),
  row(
    'HTTP 503 although it was carried out',
    ['refused/unknown', 2],
    statusFault(503, late),
    honest,
  ),
  row('a lost try after a 429', ['unavailable/unknown', 2], 429, lost),
  row('a redirect after a 429', ['invalid-response/unknown', 2], 429, redirectFault(trapUrl)),
  row('nonsense after a 503', ['invalid-response/unknown', 2], 503, rawFault('<html>')),
]

const recoveringRows: readonly Row[] = [
  ...[401, 408, 425, 429, 500, 502, 503, 504].map(status =>
    row(`HTTP ${status} once`, ['registered', 2], status, honest),
  ),
  ...(['connect-accepted', 'request-read'] as const).map(at =>
    row(`a connection that breaks once at "${at}"`, ['registered', 2], resetFault(at), honest),
  ),
  row('a 503, then a 401, which does not use up a try', ['registered', 3], 503, 401, honest),
]

type Changes = Readonly<Record<string, unknown>>

/** Fields laid over the honest record that make it contradict its request; undefined takes one away. */
const contradictions: Readonly<Record<string, Changes>> = {
  'the hash of another document': { hash: sha256('another document') },
  'no hash': { hash: undefined },
  'custody true': { custody: true },
  'signed null': { signed: null },
  'status pending': { status: 'pending' },
  'the id of another subscription': { paymentId: 'sub_of_somebody_else' },
  'no paymentId': { paymentId: undefined },
  'a creationDate in words': { creationDate: '2026-01-31' },
  'nothing right': { hash: 1, custody: 1, signed: 1, status: 1, paymentId: 1 },
}

const valueOfOthers = (value: null | undefined): Changes => ({
  ...{ signer: value, signature: value, txHash: value, blockchainType: value, holder: value },
  ...{ txId: value, assetId: value, tags: value, creationDate: value, payload: value },
  ...{ userId: value, description: value },
})

/** Fields laid over the honest record that leave it right. */
const harmless: Readonly<Record<string, Changes>> = {
  'no field but the five': valueOfOthers(undefined),
  'null for all other fields': valueOfOthers(null),
  'unknown fields': { extra: { deep: [1, { x: null }] }, __proto__x: 'kept', toString: 'kept' },
  'a payload of any kind': { payload: [{ a: 1 }, 'b', null] },
  'a transaction': { txId: 'TX', txHash: 'TH', assetId: 'A', holder: 'H', tags: [1, 'a', null] },
}

interface Group {
  readonly title: string
  readonly rows: readonly Row[]
  /** Fields to lay over the record of a row. */
  readonly record?: (row: Row, hash: string) => Changes | undefined
  readonly inputs?: Readonly<Record<string, string>>
  readonly rules?: Pick<SimulatorOptions, 'repeat'>
}

const recordRows = (faults: readonly string[], ends: Ends): readonly Row[] =>
  faults.map(fault => row(fault, [ends, 1], honest))

/** Rows that share a run, each beside an honest artifact, so that the breaker of the run stays closed. */
const groups: readonly Group[] = [
  { title: 'broken connections and outages', rows: outageRows },
  {
    title: 'slow answers',
    rows: slowRows,
    inputs: { 'timeout-seconds': '1' },
    // On a slow machine an honest answer may miss so short a deadline, too.
    rules: { repeat: 'accept' },
  },
  { title: 'Retry-After', rows: retryAfterRows },
  { title: 'refusals', rows: refusals.map(code => row(`HTTP ${code}`, ['refused/no', 1], code)) },
  { title: 'odd answers', rows: oddRows },
  { title: 'mixed tries', rows: mixedRows },
  { title: 'a second try', rows: recoveringRows },
  {
    title: 'records that contradict their request',
    rows: recordRows(Object.keys(contradictions), 'record-mismatch/unknown'),
    record: ({ fault }) => contradictions[fault],
  },
  {
    title: 'records that only look odd',
    rows: recordRows(['a hash in capitals', ...Object.keys(harmless)], 'registered'),
    record: ({ fault }, hash) => harmless[fault] ?? { hash: hash.toUpperCase() },
  },
]

const numbered = (index: number): string => String(index + 1).padStart(2, '0')
const faultyName = (index: number): string => `dist/${numbered(index)}-a-faulty.bin`
const honestName = (index: number): string => `dist/${numbered(index)}-b-honest.bin`

function makeArtifacts({ title, rows }: Pick<Group, 'title' | 'rows'>): Workspace {
  const names = rows.flatMap((_, index) => [faultyName(index), honestName(index)])
  return makeRelease(Object.fromEntries(names.map(name => [name.slice(5), `${title} ${name}`])))
}

const hashOf = ({ title }: Pick<Group, 'title'>, name: string): string => sha256(`${title} ${name}`)

const reactionTo = ({ tries }: Row, nth: number): Reaction =>
  tries[Math.min(nth, tries.length) - 1] ?? honest

function faultOf(reaction: Reaction): Fault | undefined {
  if (reaction === honest) return undefined
  return typeof reaction === 'number' ? statusFault(reaction) : reaction
}

/** Whether the action must take it that the service may have acted on a try that met this: all but a 4xx. */
function mayHaveActed(reaction: Reaction): boolean {
  const fault = faultOf(reaction)
  if (fault === undefined) return false
  const isAnswered = fault.kind === 'status' || fault.kind === 'huge'
  return !isAnswered || fault.status < 400 || fault.status > 499
}

/** How often the hash of a row is noted before it is sent: first, and again after each try that may have acted. */
function notesOf(row: Row): number {
  const before = Array.from({ length: row.requests - 1 }, (_, index) => reactionTo(row, index + 1))
  return 1 + before.filter(mayHaveActed).length
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
    faults: ({ hash = '', nthOfHash = 1 }) => {
      const row = byHash.get(hash)
      return row === undefined ? undefined : faultOf(reactionTo(row, nthOfHash))
    },
    record: hash => {
      const row = byHash.get(hash)
      return (row === undefined ? undefined : group.record?.(row, hash)) ?? {}
    },
  })
  const inputs = { 'max-attempts': '2', concurrency: '2', 'timeout-seconds': '20', ...group.inputs }
  return { service, run: await notarize({ service, workspace: makeArtifacts(group), inputs }) }
}

interface Story {
  readonly artifact: string
  readonly ends: Ends
  /** How often it was noted before it was sent. */
  readonly notes: number
}

/** Compares what one run says about one artifact in each of its voices. */
function expectOneStory(run: CheckedRun, { artifact, ends, notes }: Story): void {
  const failure = run.results.failures.find(one => one.artifact === artifact)
  const record = run.results.records?.find(one => one.artifact === artifact)
  const logLines = run.lines.filter(line => /^(FAILED|reg)/.test(line) && line.includes(artifact))
  const rows = readSummary(run.summary).rows.filter(([, name]) => name === artifact)
  const hash = failure?.hash ?? record?.hash
  const kept = readLines(run).filter(line => line.hash === hash)
  const states = readStateLines(run).filter(line => line.hash === hash)
  const moments = (state: string): string[] =>
    states.filter(line => line.state === state).map(({ at }) => at)
  const [line = ''] = logLines
  const [[state = '', , , , reason = ''] = []] = rows

  expect([logLines.length, rows.length]).toEqual([1, 1])
  expect(moments('sent')).toHaveLength(notes)
  expect(new Set(moments('sent')).size).toBe(notes)
  if (ends === 'registered') {
    const tries = notes - 1
    expect(failure).toBeUndefined()
    expect(record).toMatchObject({ from: 'this-run' })
    expect(record?.unansweredTries).toBe(tries === 0 ? undefined : tries)
    expect(line.split(': ')[0]).toMatch(
      tries === 0 ? /^registered$/ : /charged more than once \(\d+ tr/,
    )
    expect(state).toMatch(tries === 0 ? /^✅ registered$/ : /^✅ registered; .*once \(\d+ tr/)
    expect(kept).toMatchObject([{ problems: [], record: record?.record }])
    expect(moments('not-registered')).toEqual([])
    return
  }
  const isCertain = ends.endsWith('/no')
  const words = isCertain ? /not registered|refused/ : /may be registered/
  expect(record).toBeUndefined()
  expect(`${failure?.code}/${failure?.registered}`).toBe(ends)
  expect(line).toMatch(new RegExp(`^FAILED, (${words.source}): .*: ${failure?.code}(: |$)`))
  expect(state).toMatch(new RegExp(`(${words.source})$`))
  expect(reason).toMatch(new RegExp(`^${failure?.code}: `))
  expect(moments('not-registered')).toEqual(isCertain ? moments('sent') : [])
  const isKept = failure?.code === 'record-mismatch'
  expect(kept.map(one => one.problems.length > 0)).toEqual(isKept ? [true] : [])
  if (ends === 'refused/no') expect(failure?.message).toMatch(/an earlier run/)
}

/** The verdict is the same text in the log and in the summary, and fits the error and the warning of the run. */
function expectOneVerdict(run: CheckedRun): void {
  const verdict = readSummary(run.summary).verdict.replace('## ', '')
  const { records, failures, 'artifact-count': total, 'failed-count': failed } = run.results
  const mayBe = failures.filter(({ registered }) => registered === 'unknown').length
  const again = records?.filter(({ unansweredTries = 0 }) => unansweredTries > 0).length ?? 0
  expect(run.lines).toContain(verdict)
  const warnings = run.annotations.warning.filter(text => text.includes('charged more than once'))
  expect(warnings).toEqual(again === 0 ? [] : [expect.stringMatching(`^${again} artifact`)])
  if (failed === 0) return
  const [error = ''] = run.annotations.error
  expect(error.startsWith(`${failed} of ${total} artifacts failed`)).toBe(true)
  expect(error).toContain(failures[0]?.code)
  for (const text of [verdict, error]) {
    const [, some] = /(and|\d+ of them) may be registered/.exec(text) ?? []
    expect(text).toContain(`${failed} `)
    expect(some).toBe(mayBe === 0 ? undefined : mayBe === failed ? 'and' : `${mayBe} of them`)
  }
}

describe.each(groups)('a completion that meets $title', group => {
  let shared: GroupRun
  beforeAll(async () => {
    shared = await runGroup(group)
  })

  it.each(group.rows)('ends as it must: $fault', row => {
    const { run, service } = shared
    const artifact = faultyName(group.rows.indexOf(row))
    const hash = hashOf(group, artifact)

    expectOneStory(run, { artifact, ends: row.ends, notes: notesOf(row) })
    expect(service.requests.filter(request => request.hash === hash)).toHaveLength(row.requests)
    // What the service itself knows is the judge of "certainly not registered".
    const completions = service.completionCounts.get(hash) ?? 0
    if (row.ends.endsWith('/no')) expect(completions).toBe(0)
    if (row.ends === 'registered') expect(completions).toBe(1)
  })

  it('leaves the other artifacts alone, and has one verdict', () => {
    const { run, service } = shared
    const failing = group.rows.filter(({ ends }) => ends !== 'registered').length

    for (const index of group.rows.keys()) {
      const artifact = honestName(index)
      const tries = run.results.records?.find(one => one.artifact === artifact)?.unansweredTries
      if (group.rules === undefined) expect(tries).toBeUndefined()
      expectOneStory(run, { artifact, ends: 'registered', notes: 1 + (tries ?? 0) })
    }
    expectOneVerdict(run)
    expect(run.results['failed-count']).toBe(failing)
    expect(service.maxConnections).toBeLessThanOrEqual(3)
  })
})

const notThere: Costs = ['invalid-response/no', 1]
const slowLogin = 'an answer that trickles past the deadline'

/** Faults of the login: no artifact is sent, so that each is certainly not registered, and none is noted. */
const loginRows: readonly Row[] = [
  row('a lost answer', ['unavailable/no', 2], resetFault('done')),
  row('HTTP 429', ['unavailable/no', 2], 429),
  row('HTTP 501, which is final', ['unavailable/no', 1], 501, honest),
  row('HTTP 503, in an hour', ['unavailable/no', 1], waiting(503, '3600'), honest),
  row(slowLogin, ['unavailable/no', 2], trickleFault(50)),
  ...[400, 401, 403, 422].map(code => row(`HTTP ${code}`, ['login-refused/no', 1], code, honest)),
  row('HTTP 404', notThere, 404, honest),
  row('HTTP 307 to another host', notThere, redirectFault(`${trapUrl}/api/v2/auth/login`)),
  row('HTTP 200 with a page', notThere, rawFault('<!doctype html>'), honest),
  row('HTTP 200 with an odd token', notThere, rawFault('{"token":"aaaaaa\\r\\nx: 1"}'), honest),
  row('HTTP 200 with 300 MB', notThere, hugeFault(large, { framing: 'chunked' }), honest),
  row('HTTP 503 once', ['registered', 2], 503, honest),
]

/** The input that the message about a failed login names. */
const hints: Readonly<Record<string, string>> = {
  'login-refused/no': 'api-key',
  'invalid-response/no': 'base-url',
}

const loginArtifacts = [faultyName(0), honestName(0)]
async function runLogin(row: Row): Promise<GroupRun> {
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'login' ? faultOf(reactionTo(row, nthOfEndpoint)) : undefined,
  })
  const inputs = {
    ...{ 'api-key': API_KEY, 'base-url': service.url, subscription: subscriptionText },
    ...{
      path: 'dist',
      'max-attempts': '2',
      'timeout-seconds': row.fault === slowLogin ? '1' : '20',
    },
  }
  const workspace = makeArtifacts({ title: 'the login', rows: [row] })
  const run = await runAction({ workspace, inputs })
  // Not by notarize(): a token whose answer was lost never reaches the action, so that it has no mask.
  checkEveryRun(run, secretsOf(service))
  return { service, run: { ...run, results: readOutputs(run) } }
}

describe('a login that meets a fault', () => {
  it.each(loginRows)('has the outcome of every artifact: $fault', async row => {
    const { run, service } = await runLogin(row)

    const { ends } = row
    const notes = ends === 'registered' ? 1 : 0
    for (const artifact of loginArtifacts) expectOneStory(run, { artifact, ends, notes })
    expectOneVerdict(run)
    const logins = service.requests.filter(({ endpoint }) => endpoint === 'login')
    expect(logins).toHaveLength(row.requests)
    expect(service.requests).toHaveLength(row.requests + notes * loginArtifacts.length)
    for (const { message } of run.results.failures) expect(message).toContain(hints[ends] ?? '')
  })
})
