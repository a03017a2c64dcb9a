import { expect, it } from '@jest/globals'
import { probe, type CallName } from '../../scripts/probe.ts'
import { rawFault, resetFault, startSimulator, statusFault } from '../../simulator/index.ts'
import type { Endpoint, Fault, SeenRequest, SimulatorOptions } from '../../simulator/index.ts'
import { onCleanUp } from '../support/clean-up.ts'
import { sha256 } from '../support/samples.ts'

const apiKey = 'probe-key-7f3a99c1'
const hash = sha256('what is to be notarized')
const free = ['login', 'active-subscription'] as const
const all: readonly CallName[] = [...free, 'request', 'completion', 'repetition']

async function probeService(options: SimulatorOptions = {}, allowed = all) {
  const service = await startSimulator({ apiKeys: [apiKey], ...options })
  onCleanUp(() => void service.close())
  const lines: string[] = []
  const print = (line: string): void => void lines.push(`${line}\n`)
  const isGood = await probe({ baseUrl: service.url, apiKey, hash, allowed, print })
  const report = lines.join('')
  const secrets = [apiKey, hash, ...service.tokens]
  expect(secrets.filter(secret => report.includes(secret))).toEqual([])
  return { isGood, report, calls: service.requests.map(({ endpoint }) => endpoint) }
}

it('the probe shows the type of each field, what differs from the specification, and no value', async () => {
  const salt = 'Xq7Zw'
  const { report, isGood } = await probeService({
    activeSubscription: {
      id: `id ${salt}`,
      created: '2026-01-01T00:00:00Z',
      currentPeriodEnd: Date.UTC(2020, 0, 2) / 1000,
    },
    record: () => ({ assetId: 7, custody: 'false', holder: salt, [`${salt} x`]: 1, more: {} }),
  })
  const lines = ['created: string (time)', 'assetId: integer', 'more: object', '1 fields not shown']
  for (const line of lines) expect(report).toContain(`\n  ${line}\n`)
  expect(report).toContain('\nrecord: the action accepts it\n')
  for (const value of [salt, '2020-01-02']) expect(report).not.toContain(value)
  expect(isGood).toBe(true)
})

it.each<[string, readonly CallName[], shown: string, Endpoint?, Fault?]>([
  ['the free calls', free, '-> HTTP 200\n'],
  ['the allowed calls', [...free, 'request', 'completion'], 'record: the action accepts it\n'],
  ['a login that fails', ['login'], '-> HTTP 401\n', 'login', statusFault(401, { body: 'Leak' })],
  ['HTML', free, '-> HTTP 200\n  no JSON object\n', 'active-subscription', rawFault('<p>Leak')],
  ['a lost response', [...free, 'request'], '-> no response: ', 'request', resetFault],
])('the probe ends after %s', async (...[, calls, shown, endpoint, fault]) => {
  const faults = (request: SeenRequest) => (request.endpoint === endpoint ? fault : undefined)
  const isFaulty = fault !== undefined
  const probed = await probeService({ requested: 'any', faults }, isFaulty ? all : calls)
  expect(probed).toMatchObject({ isGood: !isFaulty, calls, report: expect.stringContaining(shown) })
  expect(probed.report).not.toContain('Leak')
})
