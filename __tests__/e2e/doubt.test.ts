/** Hashes whose answer was lost: logged before they are sent, open over several runs, and settled by a line. */
import { describe, expect, it } from '@jest/globals'
import { resetFault, statusFault, type Endpoint, type Fault } from '../../simulator/index.ts'
import { readRecordsText } from '../support/record-lines.ts'
import {
  endsOf,
  FILE,
  makeLetters,
  makeLine,
  makeRecord,
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
const later = statusFault(429, { headers: { 'retry-after': '0' } })
const byRequest = { 'request-registration': 'true', subscription: '' } as const

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

it.each<[string, Faults, object, seen: string, isChargedAgain: boolean]>([
  ['one call', {}, {}, 'login 0, completion 1', false],
  [
    'calls that may have acted',
    { completion: [lost, busy] },
    {},
    'login 0, completion 1, completion 1, completion 1',
    true,
  ],
  [
    'calls that did not act',
    { completion: [later, statusFault(401)] },
    {},
    'login 0, completion 1, completion 1, login 1, completion 1',
    false,
  ],
  [
    'a request that was lost, then answered, and its completion',
    { request: [lost, later] },
    byRequest,
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

it('max-attempts: 1 sends nothing again within the run', async () => {
  const service = await inTurn({ completion: [lost] })
  const run = await notarize({ service, inputs: { 'max-attempts': '1' } })
  expect(endsOf(run)).toEqual({ 'dist/a': 'unavailable/unknown' })
  expect(trafficOf(service)).toEqual(['login', 'completion a'])
})

describe('a hash that an earlier run left open', () => {
  /** What an earlier run left: `a` open, also twice after a merge, `b` settled, `c` sent by another run, too. */
  const leaveOpen = (service: string): readonly unknown[] => {
    const [a, b, c] = ['a', 'b', 'c'].map(content => makeStateLine(service, content))
    return [
      a,
      a,
      b,
      { ...b, state: 'not-registered' },
      c,
      makeLine(service, 'c'),
      { ...c, at: '2026-02-01T00:00:00.000Z' },
    ]
  }

  it('is counted apart, sent again, and may have been charged more than once', async () => {
    const service = await inTurn({})
    const workspace = makeLetters('abc', leaveOpen(service.url))
    const run = await notarize({ service, workspace })

    expect(endsOf(run)).toEqual({
      'dist/a': 'registered',
      'dist/b': 'registered',
      'dist/c': 'registered',
    })
    expect(chargedAgain(run)).toEqual([true, false, true])
    expect(run.visibleLog).toMatch(
      /^3 artifacts found, 2 distinct hashes are left to register; 1 hash is open/m,
    )
    expect(run.visibleLog).toMatch(/registered, may have been charged more than once: "dist\/a"/m)
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/^2 artifacts .*charged more than once/),
    ])
    expect(readSummary(run.summary).verdict).toContain('2 may have been charged more than once')
    expect(run.summary).toMatch(/1 hash is open/)
    const evidence = workspace.read(run.results['evidence-path'])
    expect(evidence.match(/charged more than once/g)?.length).toBeGreaterThanOrEqual(2)

    // It stays with the record.
    expect(chargedAgain(await notarize({ service, workspace }))).toEqual([true, false, true])
    expect(trafficOf(service)).toHaveLength(3)
  })

  const always = (fault: Fault): readonly Fault[] => Array<Fault>(9).fill(fault)
  it.each<[end: string, what: string, Faults, inputs?: object]>([
    ['refused', 'HTTP 409', { completion: always(statusFault(409)) }],
    ['unavailable', 'a lost answer', { completion: always(lost) }],
    ['login-refused', 'HTTP 403 to the login', { login: always(statusFault(403)) }],
    [
      'request-refused',
      'two refusals',
      { request: [statusFault(404)], completion: [statusFault(404)] },
      byRequest,
    ],
  ])('stays unknown without a record: %s by %s', async (end, _, faults, inputs = {}) => {
    const service = await inTurn(faults)
    const workspace = makeLetters('a', leaveOpen(service.url))
    const run = await notarize({ service, workspace, inputs: { ...inputs, 'max-attempts': '1' } })
    expect(endsOf(run)).toEqual({ 'dist/a': `${end}/unknown` })
    expect(run.results.failures[0]?.message).toMatch(/an earlier run/)
    // What this run sent, and is certain of, it settles; what the earlier one sent stays open.
    const own = readStateLines(run).slice(leaveOpen('').length - 1)
    const isSent = trafficOf(service).some(step => /^(completion|request)/.test(step))
    const isLost = faults.completion?.includes(lost) === true
    const expected = isSent ? ['sent', ...(isLost ? [] : ['not-registered'])] : []
    expect(own.map(({ state }) => state)).toEqual(expected)
  })

  it('is planned as new once a line settles it, and done once a line has its record', async () => {
    const service = await inTurn({})
    const [a, b] = ['a', 'b'].map(content => makeStateLine(service.url, content))
    // Made by hand: a record line without "at".
    const byHand = makeLine(service.url, 'b', { at: undefined })
    const workspace = makeLetters('ab', [a, b, { ...a, state: 'not-registered' }, byHand])
    const run = await notarize({ service, workspace })
    const from = run.results.records?.map(one => `${one.artifact} ${one.from}`)
    expect(from).toEqual(['dist/a this-run', 'dist/b records-file'])
    expect(chargedAgain(run)).toEqual([false, false])
    expect(run.visibleLog).not.toContain('open')
  })
})

it('a record that contradicts its request is kept, and not sent again before a line settles it', async () => {
  const wrong = sha256('b')
  const service = await startService({
    repeat: 'accept',
    record: hash =>
      hash === wrong && service.completionCounts.get(wrong) === undefined ? { custody: true } : {},
  })
  const workspace = makeLetters('ab')
  const first = await notarize({ service, workspace })
  const ends = { 'dist/a': 'registered', 'dist/b': 'record-mismatch/unknown' }
  expect(endsOf(first)).toEqual(ends)
  expect(first.results.failures[0]?.message).toMatch(/custody is true/)
  const text = workspace.read(FILE)

  const second = await notarize({ service, workspace })
  expect(endsOf(second)).toEqual(ends)
  expect(workspace.read(FILE)).toBe(text)
  expect(trafficOf(service)).toHaveLength(3)

  const sent = readStateLines(first).find(({ hash }) => hash === wrong)
  workspace.write(FILE, text + toJsonLines([{ ...sent, state: 'not-registered' }]))
  const third = await notarize({ service, workspace })
  expect(endsOf(third)).toEqual({ 'dist/a': 'registered', 'dist/b': 'registered' })
  expect(chargedAgain(third)).toEqual([false, false])

  // A good record outweighs one with problems.
  const record = makeRecord(wrong)
  workspace.write(FILE, text + toJsonLines([makeLine(service.url, 'b', { record, at: undefined })]))
  expect(endsOf(await notarize({ service, workspace }))['dist/b']).toBe('registered')
  expect(service.completionCounts.get(wrong)).toBe(2)
})
