/** A release that is notarized for the first time: what is sent and what is reported. */
import { expect, it } from '@jest/globals'
import { readRecordsFile, readSummary } from '../support/finished-run.ts'
import { job } from '../support/runner.ts'
import { API_KEY, sha256, subscriptionText } from '../support/samples.ts'
import { FILE, makeRelease, notarize, startService } from './support.ts'

it('a run logs in once, registers each hash once and reports it everywhere', async () => {
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
  expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  expect(run.results).toMatchObject({
    verdict: 'registered',
    records: expected.map(entry => ({ ...entry, from: 'this-run' })),
    failures: [],
    'records-path': workspace.path(FILE),
    'registered-count': 4,
    'newly-registered-count': 4,
  })

  const token = `Bearer ${service.tokens.at(-1) ?? ''}`
  const calls = service.requests.map(({ path, headers, bodyText }) => {
    return [path, headers.authorization, bodyText]
  })
  const login = ['/notary/api/v2/auth/login', undefined, JSON.stringify({ apiKey: API_KEY })]
  expect(calls[0]).toEqual(login)
  const completions = expected.map(({ hash }) => {
    return [`/notary/api/v2/registration/${hash}/forfait`, token, subscriptionText]
  })
  expect(calls.slice(1).sort()).toEqual(completions.sort())
  expect(service.maxInFlight).toBe(3)
  expect(service.maxConnections).toBeLessThanOrEqual(4)

  // Each record line settles the state line that was written before its call.
  const { repository, sha, ref, runId, runAttempt } = job
  const source = expect.objectContaining({ repository, sha, ref, runId, runAttempt })
  const { records, states } = readRecordsFile(run)
  const times = new Map(states.map(({ hash, at }) => [hash, at]))
  expect(states).toHaveLength(4)
  const written = expected.map(entry => {
    const at = times.get(entry.hash)
    return { ...entry, service: service.url, at, problems: [], source }
  })
  expect(new Set(records)).toEqual(new Set(written))

  const { verdict, rows } = readSummary(run.summary)
  expect(verdict).toMatch(/^## ✅ NOTARIZED: 4 of 4 /u)
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
