/**
 * Registrations whose answer was lost: noted before they are sent, never forgotten, and sent again or not as the author
 * chose. What each single fault leaves in the records file is checked by the fault matrix, what a kill leaves in
 * kill.test.ts.
 */
import { describe, expect, it } from '@jest/globals'
import { rawFault, resetFault, silenceFault, statusFault } from '../../simulator/index.ts'
import type { Endpoint, Fault } from '../../simulator/index.ts'
import { findUnsettled, readRecordsText } from '../support/record-lines.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  makeLine,
  makeStateLine,
  notarize,
  readStateLines,
  readSummary,
  sha256,
  startService,
  toJsonLines,
} from './support.ts'
import type { CheckedRun } from './support.ts'

const FILE = 'notarization-records.jsonl'

type Inputs = Readonly<Record<string, string>>
/** What the requests to an endpoint meet, in order; then it is honest. */
type Faults = Readonly<Partial<Record<Endpoint, readonly Fault[]>>>

/** Files below `dist` whose contents are their names, and a records file with these lines. */
function makeRelease(names: string, lines: readonly unknown[] = []): Workspace {
  const files = names.split('').map(name => [`dist/${name}`, name] as const)
  return makeWorkspace({ ...Object.fromEntries(files), [FILE]: toJsonLines(lines) })
}

const readRecords = (workspace: Workspace) =>
  readRecordsText(workspace.exists(FILE) ? workspace.read(FILE) : '')

const lost = resetFault('done')
const atOnce = { 'max-attempts': '3', concurrency: '1' } as const
const atMostOnce = { 'retry-unanswered': 'false' } as const
const byRequest = { 'request-registration': 'true', subscription: '' } as const

/** A service that meets its requests so; `see` is called before each. */
function inTurn(faults: Faults, see: (endpoint: Endpoint) => void = () => undefined) {
  return startService({
    ...{ repeat: 'accept', repeatRequest: 'accept' },
    faults: ({ endpoint, nthOfEndpoint }) => {
      see(endpoint)
      return faults[endpoint]?.[nthOfEndpoint - 1]
    },
  })
}

describe('a sent line', () => {
  const busy = statusFault(503, { headers: { 'retry-after': '0' } })
  const later = statusFault(429, { headers: { 'retry-after': '0' } })
  interface Note {
    readonly after: string
    readonly faults: Faults
    readonly inputs?: Inputs
    /** Each request, with the number of `sent` lines that were there when it came. */
    readonly seen: readonly string[]
  }
  it.each<Note>([
    { after: 'the login', faults: {}, seen: ['login 0', 'completion 1'] },
    {
      after: 'each try that may have acted',
      faults: { completion: [lost, busy] },
      seen: ['login 0', 'completion 1', 'completion 2', 'completion 3'],
    },
    {
      after: 'no try that did not act',
      faults: { completion: [later, statusFault(401)] },
      seen: ['login 0', 'completion 1', 'completion 1', 'login 1', 'completion 1'],
    },
    {
      after: 'the login, and stands for request and completion together',
      ...{ faults: {}, inputs: byRequest },
      seen: ['login 0', 'request 1', 'completion 1'],
    },
    {
      after: 'each try of either call that may have acted',
      ...{ faults: { request: [lost, later], completion: [lost] }, inputs: byRequest },
      seen: ['login 0', 'request 1', 'request 2', 'request 2', 'completion 2', 'completion 3'],
    },
  ])('is in the file before a call that may act goes out: after $after', async row => {
    const workspace = makeRelease('a')
    const seen: string[] = []
    const service = await inTurn(row.faults, endpoint => {
      const { states, rest } = readRecords(workspace)
      expect(rest).toBe('')
      seen.push(`${endpoint} ${states.filter(({ state }) => state === 'sent').length}`)
    })
    const run = await notarize({ service, workspace, inputs: { ...atOnce, ...row.inputs } })

    expect(run.results.verdict).toBe('registered')
    expect(seen).toEqual(row.seen)
    expect(new Set(readStateLines(run).map(({ state }) => state))).toEqual(new Set(['sent']))
  })
})

/** What an earlier run left of `a`: two tries without an answer, one of them twice, as after a merge; of `b`: nothing. */
function leaveOpen(service: string): readonly unknown[] {
  const first = makeStateLine(service, 'a')
  const second = makeStateLine(service, 'a', { at: '2026-01-01T00:00:09.000Z' })
  const sent = makeStateLine(service, 'b')
  return [first, second, first, sent, { ...sent, state: 'not-registered' }]
}

const runOf = /2026-01-01T00:00:09.000Z, https:\/\/github\.com\/octo\/app\/actions\/runs\/1/

function failureOf(run: CheckedRun, artifact: string) {
  const { code, registered, message } =
    run.results.failures.find(one => one.artifact === artifact) ?? {}
  return { end: `${code}/${registered}`, message }
}

describe('a hash that an earlier run left open', () => {
  it('is counted apart, sent again, and may have been charged more than once', async () => {
    const service = await inTurn({})
    const workspace = makeRelease('abc', leaveOpen(service.url))

    const run = await notarize({ service, workspace })
    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 3 })
    expect(run.visibleLog).toMatch(/3 .*; 1 of them may have been registered by an earlier run/)
    expect(run.visibleLog).toMatch(/^registered; .*charged more than once \(2 tries.*"dist\/a"/m)
    expect(run.summary).toMatch(/1 hash may have been registered by an earlier run/)
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/^1 artifact .*charged more than once/),
    ])
    const states = readSummary(run.summary).rows.map(([state = '']) => state.includes('2 tries'))
    expect(states).toEqual([true, false, false])
    const tries = run.results.records?.map(({ unansweredTries }) => unansweredTries)
    expect(tries).toEqual([2, undefined, undefined])

    // The doubt stays with the record, and is no news any more.
    const again = await notarize({ service, workspace })
    expect(again.results.records?.map(({ unansweredTries }) => unansweredTries)).toEqual(tries)
    expect(again.annotations.warning).toEqual([])
  })

  const always = (fault: Fault): readonly Fault[] => Array<Fault>(9).fill(fault)
  const gone = [statusFault(404)]
  it.each<{ readonly end: string; readonly faults: Faults; readonly inputs?: Inputs }>([
    { end: 'refused', faults: { completion: always(statusFault(409)) } },
    { end: 'refused', faults: { completion: always(statusFault(402)) } },
    { end: 'unavailable', faults: { completion: always(statusFault(429)) } },
    { end: 'unavailable', faults: { completion: always(lost) } },
    { end: 'unavailable', faults: { login: always(statusFault(503)) } },
    { end: 'login-refused', faults: { login: always(statusFault(403)) } },
    { end: 'login-refused', faults: { completion: always(statusFault(401)) } },
    { end: 'invalid-response', faults: { login: always(rawFault('<html>')) } },
    { end: 'request-refused', faults: { request: gone, completion: gone }, inputs: byRequest },
  ])('is unknown without a record, whatever the answer: $end', async row => {
    const { end, faults } = row
    const isRefused = end === 'refused' || end === 'request-refused'
    const service = await inTurn(faults)
    const workspace = makeRelease('a', leaveOpen(service.url))
    const inputs = { 'max-attempts': '1', ...row.inputs }
    const failure = failureOf(await notarize({ service, workspace, inputs }), 'dist/a')

    expect(failure.end).toBe(`${end}/unknown`)
    expect(failure.message).toMatch(runOf)
    const advice =
      /the service refuses it.*probably registered.*all lines of its hash \([0-9a-f]{64}\) from "notarization/
    expect(advice.test(failure.message ?? '')).toBe(isRefused)
    // What this run sent, and is certain of, it settles; what the earlier one sent stays open.
    const place = { service: service.url, hash: sha256('a') }
    const own = findUnsettled(readRecords(workspace), place).length - 2
    expect(own).toBe(faults.completion?.includes(lost) === true ? 1 : 0)
  })
})

describe('retry-unanswered: false', () => {
  const settle = /look its hash up.*append its record.*if not, remove /
  interface Lost {
    readonly what: string
    readonly faults: Faults
    readonly inputs?: Inputs
    readonly end?: string
  }
  const silence = silenceFault({ done: true })
  const nonsense = rawFault('<html>')
  it.each<Lost>([
    { what: 'a lost answer', faults: { completion: [lost] } },
    { what: 'a 503', faults: { completion: [statusFault(503)] } },
    { what: 'a cut answer', faults: { completion: [resetFault('mid-body')] } },
    { what: 'silence', faults: { completion: [silence] }, inputs: { 'timeout-seconds': '1' } },
    { what: 'a lost answer to its request', faults: { request: [lost] }, inputs: byRequest },
    { what: 'nonsense', faults: { completion: [nonsense] }, end: 'invalid-response' },
  ])('never sends again what met $what, in this run or the next', async row => {
    const service = await inTurn(row.faults)
    const workspace = makeRelease('a')
    const inputs = { ...atOnce, ...atMostOnce, ...row.inputs, 'if-service-unavailable': 'warn' }
    const run = await notarize({ service, workspace, inputs })

    // It is not deferred either: no later run finishes it.
    expect(run.results.verdict).toBe('failed')
    expect(failureOf(run, 'dist/a')).toEqual({
      ...{ end: `${row.end ?? 'unavailable'}/unknown`, message: expect.stringMatching(settle) },
    })
    expect(service.requests.filter(({ hash }) => hash !== undefined)).toHaveLength(1)
    const before = workspace.read(FILE)
    const seen = service.requests.length

    const next = await notarize({ service, workspace, inputs })
    expect(next.results.verdict).toBe('failed')
    const { end, message } = failureOf(next, 'dist/a')
    expect(end).toBe('unavailable/unknown')
    expect(message).toMatch(settle)
    expect(message).toContain(`remove line 1 of "${FILE}"`)
    // It needs no login.
    expect(service.requests).toHaveLength(seen)
    expect(workspace.read(FILE)).toBe(before)
  })

  it('counts an open hash for neither the limit nor the breaker', async () => {
    const service = await inTurn({})
    const open = 'abcdef'.split('').map(name => makeStateLine(service.url, name))
    const workspace = makeRelease('abcdefg', open)
    const inputs = { ...atMostOnce, 'max-registrations': '1', concurrency: '1' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results).toMatchObject({ verdict: 'partial', 'newly-registered-count': 1 })
    expect(service.completionCounts).toEqual(new Map([[sha256('g'), 1]]))
  })

  it('goes on as a person settles it: by the record, or without the lines', async () => {
    const service = await inTurn({})
    // What the line of the open hash `a` was is removed.
    const lines = [makeStateLine(service.url, 'b'), makeLine(service.url, 'b')]
    const workspace = makeRelease('ab', lines)
    const run = await notarize({ service, workspace, inputs: atMostOnce })

    const from = run.results.records?.map(record => `${record.artifact} ${record.from}`)
    expect(from).toEqual(['dist/a this-run', 'dist/b records-file'])
    expect(service.completionCounts).toEqual(new Map([[sha256('a'), 1]]))
  })
})
