/** Hashes whose answer was lost: logged before they are sent, open over several runs, and settled by a line. */
import { expect, it } from '@jest/globals'
import { resetFault, statusFault, type Endpoint, type Fault } from '../../simulator/index.ts'
import { readRecordsText } from '../support/record-lines.ts'
import {
  endsOf,
  FILE,
  makeLetters,
  makeLine,
  makeStateLine,
  notarize,
  readStateLines,
  readSummary,
  sha256,
  startService,
  toJsonLines,
  trafficOf,
  type CheckedRun,
} from './support.ts'

/** What the requests to an endpoint meet, in order; then it is honest. */
type Faults = Readonly<Partial<Record<Endpoint, readonly Fault[]>>>

const lost = resetFault('done')
const busy = statusFault(503, { headers: { 'retry-after': '0' } })

/** A service that meets its requests so; `see` is called before each. */
function inTurn(faults: Faults, see: (endpoint: Endpoint) => void = () => undefined) {
  return startService({
    repeat: 'accept',
    repeatRequest: 'accept',
    faults: ({ endpoint, nthOfEndpoint }) => {
      see(endpoint)
      return faults[endpoint]?.[nthOfEndpoint - 1]
    },
  })
}

const chargedAgain = ({ results }: CheckedRun) =>
  results.records?.map(({ maybeChargedAgain }) => maybeChargedAgain ?? false)

it.each<[string, Faults, inputs: object, seen: string, isChargedAgain: boolean]>([
  [
    'calls that may have acted',
    { completion: [lost, busy] },
    {},
    'login 0, completion 1, completion 1, completion 1',
    true,
  ],
  [
    'a request that was lost, then answered, and its completion',
    { request: [lost, busy] },
    { 'request-registration': 'true', subscription: '' },
    'login 0, request 1, request 1, request 1, completion 1',
    false,
  ],
])('one sent line is on disk before %s', async (_, faults, inputs, seen, isChargedAgain) => {
  const workspace = makeLetters('a')
  const requests: string[] = []
  const service = await inTurn(faults, endpoint => {
    const { states, rest } = readRecordsText(workspace.exists(FILE) ? workspace.read(FILE) : '')
    expect(rest).toBe('')
    requests.push(`${endpoint} ${states.length}`)
  })
  const run = await notarize({ service, workspace, inputs: { ...inputs, 'max-attempts': '3' } })
  expect(requests.join(', ')).toBe(seen)
  expect(chargedAgain(run)).toEqual([isChargedAgain])
})

it('an open hash is counted apart, sent again, and may have been charged more than once', async () => {
  const service = await inTurn({})
  const [a, b, c] = ['a', 'b', 'c'].map(content => makeStateLine(service.url, content))
  // `a` is open, `b` settled, and `c` was sent by another run, too; lines stand twice, as after a merge.
  const registered = makeLine(service.url, 'c', { at: '2026-02-01T00:00:00.000Z' })
  const lines = [a, a, b, { ...b, state: 'not-registered' }, c, registered, c]
  const workspace = makeLetters('abc', lines)
  const run = await notarize({ service, workspace })

  expect(chargedAgain(run)).toEqual([true, false, true])
  expect(run.visibleLog).toMatch(
    /^3 artifacts found, 2 distinct hashes are left.*; 1 hash is open/m,
  )
  expect(run.annotations.warning).toEqual([
    expect.stringMatching(/^2 artifacts .*charged more than/),
  ])
  expect(readSummary(run.summary).verdict).toContain('2 may have been charged more than once')
  expect(run.summary).toMatch(/1 hash is open/)
  const evidence = workspace.read(run.results['evidence-path'])
  expect(evidence.match(/charged more than once/g)?.length).toBeGreaterThanOrEqual(2)

  // It stays with the record.
  expect(chargedAgain(await notarize({ service, workspace }))).toEqual([true, false, true])
  expect(trafficOf(service)).toHaveLength(3)
})

it.each<[end: string, string, Faults, lines: readonly string[]]>([
  ['refused', 'HTTP 409', { completion: [statusFault(409)] }, ['sent', 'not-registered']],
  ['unavailable', 'a lost answer', { completion: [lost] }, ['sent']],
  ['login-refused', 'HTTP 403 to the login', { login: [statusFault(403)] }, []],
])('an open hash stays unknown without a record: %s by %s', async (end, _, faults, lines) => {
  const service = await inTurn(faults)
  const workspace = makeLetters('a', [makeStateLine(service.url, 'a')])
  const run = await notarize({ service, workspace, inputs: { 'max-attempts': '1' } })
  expect(endsOf(run)).toEqual({ 'dist/a': `${end}/unknown` })
  expect(run.results.failures[0]?.message).toMatch(/an earlier run/)
  // What this run sent, and is certain of, it settles; what the earlier one sent stays open.
  expect(readStateLines(run).map(({ state }) => state)).toEqual(['sent', ...lines])
})

it('an open hash is new once a line settles it, and done once a line has its record', async () => {
  const service = await inTurn({})
  const [a, b] = ['a', 'b'].map(content => makeStateLine(service.url, content))
  // Made by hand: a record line without "at".
  const byHand = makeLine(service.url, 'b', { at: undefined })
  const workspace = makeLetters('ab', [a, b, { ...a, state: 'not-registered' }, byHand])
  const run = await notarize({ service, workspace })
  const from = run.results.records?.map(one => `${one.artifact} ${one.from}`)
  expect(from).toEqual(['dist/a this-run', 'dist/b records-file'])
  expect(chargedAgain(run)).toEqual([false, false])
})

it('a record that contradicts its request is kept, and not sent again before a line settles it', async () => {
  let record: object = { custody: true }
  const service = await startService({ repeat: 'accept', record: () => ({ ...record }) })
  const workspace = makeLetters('a')
  const first = await notarize({ service, workspace })
  expect(endsOf(first)).toEqual({ 'dist/a': 'record-mismatch/unknown' })
  expect(first.results.failures[0]?.message).toMatch(/custody is true/)
  const text = workspace.read(FILE)
  record = {}
  expect(endsOf(await notarize({ service, workspace }))).toEqual(endsOf(first))
  expect([workspace.read(FILE), trafficOf(service).length]).toEqual([text, 2])

  const [sent] = readStateLines(first)
  workspace.write(FILE, text + toJsonLines([{ ...sent, state: 'not-registered' }]))
  const third = await notarize({ service, workspace })
  expect(third.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
  expect(chargedAgain(third)).toEqual([false])
  expect(service.completionCounts.get(sha256('a'))).toBe(2)
})
