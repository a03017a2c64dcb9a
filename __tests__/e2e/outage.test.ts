/** What a service that is down may cost: few requests, and a true word about every artifact. */
import { expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { makeLetters, makeLine, notarize, sha256, startService } from './support.ts'

const down = statusFault(503, { headers: { 'retry-after': '0' } })

it.each<[string, isGone: boolean, atMost: number]>([
  ['the attempts of one login when nobody listens', true, 0],
  ['the attempts of those in flight when it answers 503', false, 8 * 2],
])('a service that is down costs a thousand artifacts %s', async (_, isGone, atMost) => {
  const service = await startService({ faults: [{ fault: down, endpoint: 'completion' }] })
  if (isGone) await service.close()
  const names = Array.from({ length: 1000 }, (_, index) => String(index).padStart(4, '0'))
  const sums = names.map(name => `${sha256(name)}  ${name}\n`).join('')
  const run = await notarize({
    service,
    workspace: makeWorkspace({ SHA256SUMS: sums }),
    inputs: { path: '', checksums: 'SHA256SUMS', 'max-registrations': '1000', 'max-attempts': '2' },
  })
  expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 1000 })
  expect(run.lines.length).toBeLessThan(200)
  const hashes = service.requests.flatMap(({ hash }) => hash ?? [])
  expect(hashes.length).toBeLessThanOrEqual(atMost)
  // Only what was never sent is certainly not registered.
  const sent = new Set(hashes)
  for (const { hash, code, registered } of run.results.failures) {
    expect([code, registered]).toEqual(['unavailable', sent.has(hash ?? '') ? 'unknown' : 'no'])
  }
})

it('if-service-unavailable: warn lets a run pass, and the next one finish', async () => {
  const fault = statusFault(429)
  const service = await startService({ faults: [{ fault, endpoint: 'completion', to: 1 }] })
  const workspace = makeLetters('ak', [makeLine(service.url, 'k')])
  const inputs = { 'if-service-unavailable': 'warn', 'max-attempts': '1' }
  const first = await notarize({ service, workspace, inputs })
  expect(first.results).toMatchObject({ verdict: 'deferred', 'registered-count': 1 })
  expect(first.annotations.warning).toEqual([expect.stringContaining('immutable release')])
  expect((await notarize({ service, workspace, inputs })).results.verdict).toBe('registered')
})
