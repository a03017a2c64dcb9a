/** What faults of the service cost: 60 files, default inputs, from the first hash on and from the 20th on. */
import { expect, it } from '@jest/globals'
import type { Reply, Transport } from '../../src/runtime/outside.ts'
import { respond } from '../service/support.ts'
import { hashOf, makeRecord, readCall, subscription } from '../support/samples.ts'
import { makeArtifacts, TestRun, VirtualClock, wordsOf } from './support.ts'

const recordOf = (hash: string, changes: object = {}) =>
  respond(200, makeRecord(hash, { paymentId: subscription.id, ...changes }))
const lost: Reply = { kind: 'lost', detail: 'timeout after 30 s' }
const page = '<!doctype html><title>Log in</title>'

/** The reply to a completion. */
const faults: Readonly<Record<string, (hash: string) => Reply>> = {
  'no connection': () => ({ kind: 'unreachable', detail: 'connection refused' }),
  lost: () => lost,
  cut: () => ({ kind: 'lost', detail: 'connection reset' }),
  'HTTP 500': () => respond(500, ''),
  'HTTP 502': () => respond(502, page),
  'HTTP 503': () => respond(503, ''),
  '503 with Retry-After: 30': () => respond(503, '', 30_000),
  'HTTP 522': () => respond(522, page),
  'HTTP 429': () => respond(429, ''),
  '429 with Retry-After: 90': () => respond(429, '', 90_000),
  pending: hash => recordOf(hash, { status: 'pending' }),
  'another hash': () => recordOf(hashOf(999)),
  '200 "OK"': () => respond(200, 'OK'),
  '200 with an error': () => respond(200, { error: 'quota exceeded' }),
  '200 {}': () => respond(200, {}),
  HTML: () => respond(200, page),
  redirect: () => respond(302, ''),
  'HTTP 402': () => respond(402, {}),
  'HTTP 403': () => respond(403, {}),
  'HTTP 409': () => respond(409, {}),
  'HTTP 422': () => respond(422, {}),
}

/** Whether the service may have acted on a completion that got this reply. */
function mayHaveActed(reply: Reply): boolean {
  if (reply.kind !== 'response') return reply.kind === 'lost'
  return reply.status < 400 || reply.status >= 500
}

/** Registers 60 files with a service that has a fault from a number on. */
async function play(fault: (hash: string) => Reply, from: number) {
  const clock = new VirtualClock()
  const run = new TestRun('', { 'max-attempts': '7' })
  let reached = 0
  const acted: string[] = []
  const send: Transport['send'] = async (request, signal) => {
    const { kind, hash } = readCall(request)
    if (kind !== 'completion') return run.send(request)
    const isFaulty = parseInt(hash, 16) >= from
    const reply = isFaulty ? fault(hash) : recordOf(hash)
    await clock.sleep(reply === lost ? 30_000 : 1000, signal)
    if (reply.kind !== 'unreachable') reached += 1
    if (isFaulty && mayHaveActed(reply)) acted.push(hash)
    return reply
  }
  const createTransport = (): Transport => ({ send, close: run.close })
  const host = { clock, createTransport, random: () => 0.5 }
  const artifacts = await clock.pass(run.register(makeArtifacts(60), host))
  const words = wordsOf(artifacts)
  const doubts = run.lines.filter(line => line.includes('"state":"unknown"'))
  expect(doubts).toHaveLength(acted.length)
  const inDoubt = words.filter(word => word.endsWith('/unknown')).length
  expect(inDoubt).toBe(new Set(acted).size)
  const perHash = Map.groupBy(acted, hash => hash).values()
  const most = Math.max(0, ...perHash.map(({ length }) => length))
  const seconds = Math.round(clock.now() / 1000)
  return { reached, acting: acted.length, most, inDoubt, seconds }
}

/** The columns of the table: numbers of completions, of hashes in doubt, and seconds. */
const columns = ['reached', 'acting', 'most', 'inDoubt', 'seconds'] as const

it('no fault of the service costs more than two completions in doubt per file, and in all if nothing works', async () => {
  const rows = [['', ...columns, '', ...columns]]
  for (const [name, fault] of Object.entries(faults)) {
    const first = await play(fault, 0)
    const later = await play(fault, 19)
    expect([name, Math.max(first.acting, first.most, later.most) <= 2]).toEqual([name, true])
    const cells = [first, later].flatMap(costs => ['', ...columns.map(column => costs[column])])
    rows.push([name, ...cells.slice(1)].map(String))
  }
  const table = rows.map(([name = '', ...cells]) =>
    [name.padEnd(26), ...cells.map(cell => cell.padStart(8))].join('').trimEnd(),
  )
  const title = '60 files. Left: from the first on. Right: from the 20th on.'
  expect(`\n${title}\n${table.join('\n')}\n`).toMatchSnapshot()
})
