/** A release that is notarized for the first time: what is sent and what is reported. */
import { describe, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { readRecordsFile, readSummary } from '../support/finished-run.ts'
import { job } from '../support/runner-environment.ts'
import { API_KEY, sha256, subscription, subscriptionText } from '../support/samples.ts'
import { after, checkWithSha256sum, makeRelease, notarize, startService } from './support.ts'

/** Compares all requests with the documentation: one login, then one completion for each hash, and no more. */
function checkTraffic(service: Simulator, hashes: readonly string[]): void {
  const { host, pathname } = new URL(service.url)
  const expected = (path: string, bodyText: string, authorization?: string) => ({
    method: 'POST',
    path: `${pathname.replace(/\/$/, '')}/api/v2/${path}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization,
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(bodyText)),
      'content-type': 'application/json',
      host,
      'user-agent': 'notarize-release',
    },
    bodyText,
  })
  const token = `Bearer ${service.tokens.at(-1) ?? ''}`
  const completions = hashes.map(hash =>
    expected(`registration/${hash}/forfait`, subscriptionText, token),
  )
  const [login, ...calls] = service.requests.map(({ method, path, headers, bodyText }) => {
    return { method, path, headers: { ...headers }, bodyText }
  })
  expect(login).toEqual(expected('auth/login', JSON.stringify({ apiKey: API_KEY })))
  expect(new Set(calls)).toEqual(new Set(completions))
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

describe('a release that is notarized for the first time', () => {
  it('logs in once, registers each hash once and reports it everywhere', async () => {
    const service = await startService({
      prefix: '/notary',
      latencyMs: () => 50,
      record: () => ({ creationDate: 1_767_225_600_000 }),
    })
    // Sorted by UTF-16 code units.
    const contents = { 'app.zip': 'zip!', 'sub/read me': 'read', '\u{1f680}': 'r', '\uff5e': 't' }
    const workspace = makeRelease(contents)
    const run = await notarize({ service, workspace, inputs: { concurrency: '3' } })

    const expected = Object.entries(contents).map(([name, content]) => {
      const hash = sha256(content)
      const record = service.registered.get(hash)
      return { artifact: `dist/${name}`, size: content.length, hash, record }
    })
    const hashes = expected.map(({ hash }) => hash)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    checkTraffic(service, hashes)
    expect(service.maxInFlight).toBe(3)
    expect(service.maxConnections).toBeLessThanOrEqual(4)
    expect(run.results).toMatchObject({
      verdict: 'registered',
      records: expected.map(entry => ({ ...entry, from: 'this-run' })),
      failures: [],
      'records-path': workspace.path('notarization-records.jsonl'),
      'registered-count': 4,
      'newly-registered-count': 4,
    })

    // Each record line settles the state line that was written before its call.
    const { repository, sha, ref, runId, runAttempt } = job
    const source = expect.objectContaining({ repository, sha, ref, runId, runAttempt })
    const { records, states } = readRecordsFile(run)
    const times = new Map(states.map(({ hash, at }) => [hash, at]))
    expect(states).toHaveLength(4)
    expect(records.toSorted((a, b) => byCodeUnits(a.artifact, b.artifact))).toEqual(
      expected.map(entry => {
        const at = times.get(entry.hash)
        return { ...entry, service: service.url, at, problems: [], source }
      }),
    )
    expect(checkWithSha256sum(run)).toEqual(expected.map(({ artifact }) => `${artifact}: OK`))

    const { verdict, rows } = readSummary(run.summary)
    expect(verdict).toMatch(/^## ✅ NOTARIZED: 4 of 4 .*4 new/u)
    expect(rows.map(row => row.slice(1))).toEqual(
      expected.map(({ artifact, size, hash }) => {
        return [artifact, `${size} B`, hash.slice(0, 12), '2026-01-01 00:00:00', 'ALGORAND']
      }),
    )
    const evidence = workspace.read(run.results['evidence-path'])
    for (const { artifact, hash } of expected) {
      expect(run.visibleLog).toContain(`registered: "${artifact}"`)
      expect(evidence).toContain(hash)
    }
  })

  it('masks every secret before it prints anything else, and removes them from its environment', async () => {
    const service = await startService()
    const needles = JSON.stringify([API_KEY, subscription.customer])
    const atExit = `process.on('exit', () => {
      const texts = [...Object.entries(process.env).flat(), ...process.argv, ...process.execArgv]
      const leaks = ${needles}.filter(text => texts.join().includes(text))
      console.log('AT EXIT ' + leaks.length + texts.includes('INPUT_API-KEY') + texts.includes('INPUT_PATH'))
    })`
    const run = await notarize({ service, nodeArguments: after(atExit) })

    const { sessionId, customer, defaultPaymentMethod, latestInvoice } = subscription
    const secrets = [API_KEY, sessionId, customer, defaultPaymentMethod, latestInvoice]
    const masks = secrets.map(secret => `::add-mask::${secret}`)
    expect(run.lines.slice(0, masks.length).sort()).toEqual(masks.sort())
    expect(run.masks).toEqual(expect.arrayContaining([...service.tokens]))
    expect(run.lines).toContain('AT EXIT 0falsetrue')
  })
})
