import { afterEach, expect, it } from '@jest/globals'
import { probe, type CallName } from '../../scripts/probe.ts'
import { rawFault, resetFault, startSimulator, statusFault } from '../../simulator/index.ts'
import type { Endpoint, Fault, SimulatorOptions } from '../../simulator/index.ts'
import { cleanUp, onCleanUp } from '../support/clean-up.ts'
import { sha256 } from '../support/samples.ts'

const apiKey = 'probe-key-7f3a99c1'
const hash = sha256('what is to be notarized')
const free = ['login', 'active-subscription'] as const
const all: readonly CallName[] = [...free, 'request', 'completion', 'repetition']

afterEach(cleanUp)

/** Probes a new simulator. */
async function probeService(options: SimulatorOptions = {}, allowed = all) {
  const service = await startSimulator({ apiKeys: [apiKey], ...options })
  onCleanUp(() => void service.close())
  let report = ''
  const print = (line: string): void => {
    report += `${line}\n`
  }
  const isGood = await probe({ baseUrl: service.url, apiKey, hash, allowed, print })
  const secrets = [apiKey, hash, ...service.tokens]
  expect(secrets.filter(secret => report.includes(secret))).toEqual([])
  return { isGood, report, calls: service.requests.map(({ endpoint }) => endpoint) }
}

it.each<readonly CallName[]>([free, [...free, 'request', 'completion']])(
  'the probe makes only the allowed calls: %s %s %s %s',
  async (...allowed) => {
    const { isGood, calls } = await probeService({ requested: 'any' }, allowed)
    expect([isGood, calls]).toEqual([true, allowed])
  },
)

it('the probe shows the type of each field, what differs from the specification, and no value', async () => {
  const salt = 'Xq7Zw'
  const { report, isGood } = await probeService({
    activeSubscription: {
      id: `id ${salt}`,
      created: '2026-01-01T00:00:00Z',
      currentPeriodEnd: Date.UTC(2020, 0, 2) / 1000,
      planId: undefined,
    },
    record: () => ({ assetId: 7, custody: 'false', holder: salt, [`${salt} x`]: 1, more: {} }),
  })
  for (const line of [
    '  created: string (time)',
    '  assetId: integer',
    '  more: object',
    '  1 fields not shown',
    'subscription: fields of unexpected types: planId (missing), created',
    'record: the action accepts it',
    'record: fields of unexpected types: assetId',
  ]) {
    expect(report).toContain(`\n${line}\n`)
  }
  for (const value of [salt, '2020-01-02']) expect(report).not.toContain(value)
  expect(isGood).toBe(true)
})

it.each<[Endpoint, Fault, string, calls: number]>([
  ['login', statusFault(401, { body: { message: 'Leak' } }), '-> HTTP 401\n', 1],
  ['active-subscription', rawFault('<html>Leak'), '-> HTTP 200\n  no JSON object\n', 2],
  ['request', resetFault, '-> no response (', 3],
])('the probe stops after the first call that fails: %s', async (...row) => {
  const [endpoint, fault, shown, count] = row
  const { isGood, report, calls } = await probeService({
    faults: request => (request.endpoint === endpoint ? fault : undefined),
  })
  expect(report).toContain(shown)
  expect(report).not.toContain('Leak')
  expect([isGood, calls.length]).toEqual([false, count])
})
