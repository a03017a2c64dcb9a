import { afterEach, describe, expect, it } from '@jest/globals'
import { probe, type CallName } from '../../scripts/probe.ts'
import { rawFault, resetFault, startSimulator, statusFault } from '../../simulator/index.ts'
import type { Endpoint, Fault, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { sha256 } from '../support/samples.ts'

const apiKey = 'probe-key-7f3a99c1'
const hash = sha256('what is to be notarized')
const free = ['login', 'active-subscription'] as const
const all: readonly CallName[] = [...free, 'request', 'completion', 'repetition']

let running: Simulator | undefined
afterEach(() => running?.close())

/** Probes a new simulator. */
async function probeService(options: SimulatorOptions = {}, allowed = all) {
  await running?.close()
  const service = await startSimulator({ apiKeys: [apiKey], ...options })
  running = service
  const lines: string[] = []
  const print = (line: string): void => void lines.push(`${line}\n`)
  const isGood = await probe({ baseUrl: service.url, apiKey, hash, allowed, print })
  const report = lines.join('')
  const secrets = [apiKey, hash, ...service.tokens]
  expect(secrets.filter(secret => report.includes(secret))).toEqual([])
  return { isGood, report, calls: service.requests.map(({ endpoint }) => endpoint) }
}

describe('the probe', () => {
  it.each<readonly CallName[]>([free, [...free, 'request', 'completion']])(
    'makes only the allowed calls: %s %s %s %s',
    async (...allowed) => {
      const { isGood, calls } = await probeService({ requested: 'any' }, allowed)
      expect(calls).toEqual(allowed)
      expect(isGood).toBe(true)
    },
  )

  it('shows the type of each field, what differs from the specification, and no value', async () => {
    const salt = 'Xq7Zw'
    const { report, isGood } = await probeService({
      activeSubscription: { id: `id ${salt}`, created: '2026-01-01T00:00:00Z', planId: undefined },
      record: () => ({ assetId: 7, custody: 'false', holder: salt, [`${salt} x`]: 1, more: {} }),
    })
    for (const line of [
      '  created: string (time)\n',
      '\nsubscription: has missing fields or fields of an unexpected type: planId (missing), created;',
      '  assetId: integer\n',
      '  more: object\n',
      '  1 fields not shown\n',
      '\nrecord: the action accepts it\n',
      '\nrecord: fields of unexpected types: assetId\n',
    ]) {
      expect(report).toContain(line)
    }
    expect(report).not.toContain(salt)
    expect(isGood).toBe(true)
  })

  it.each<[Endpoint, Fault, string, number]>([
    ['login', statusFault(401, { body: { message: 'Leak' } }), '-> HTTP 401\n', 1],
    ['active-subscription', rawFault('<html>Leak'), '-> HTTP 200\n  no JSON object\n', 2],
    ['request', resetFault, '-> no answer (', 3],
  ])('stops after the first call that fails: %s, %j', async (...row) => {
    const [endpoint, fault, shown, count] = row
    const { isGood, report, calls } = await probeService({
      faults: request => (request.endpoint === endpoint ? fault : undefined),
    })
    expect(report).toContain(shown)
    expect(report).not.toContain('Leak')
    expect(calls).toHaveLength(count)
    expect(isGood).toBe(false)
  })
})
