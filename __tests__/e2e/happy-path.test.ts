/** A release that is notarized for the first time: what is sent and what is reported. */
import { expect, it } from '@jest/globals'
import { readRecordsFile, readSummary } from '../support/finished-run.ts'
import { job } from '../support/runner.ts'
import { API_KEY, sha256, subscriptionText } from '../support/samples.ts'
import { FILE, makeRelease, notarize, startService } from './support.ts'

it('a run logs in once, registers each hash once and reports it everywhere', async () => {
  const service = await startService({ prefix: '/notary' })
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
    'records-path': workspace.path(FILE),
  })

  const token = `Bearer ${service.tokens.at(-1) ?? ''}`
  const [login, ...completions] = service.requests.map(({ path, headers, bodyText }) => {
    return [path.replace('/notary/api/v2/', ''), headers.authorization, bodyText]
  })
  expect(login).toEqual(['auth/login', undefined, JSON.stringify({ apiKey: API_KEY })])
  const all = expected.map(({ hash }) => [`registration/${hash}/forfait`, token, subscriptionText])
  expect(completions.sort()).toEqual(all.sort())
  expect(service.maxConnections).toBeLessThanOrEqual(4)

  // Each record line settles the state line that was written before its call.
  const { repository, sha, ref, runId, runAttempt } = job
  const source = expect.objectContaining({ repository, sha, ref, runId, runAttempt })
  const { records, states } = readRecordsFile(run)
  const times = new Map(states.map(({ hash, at }) => [hash, at]))
  const written = expected.map(entry => {
    const at = times.get(entry.hash)
    return { ...entry, service: service.url, at, problems: [], source }
  })
  expect([states.length, new Set(records)]).toEqual([4, new Set(written)])

  const evidence = workspace.read(run.results['evidence-path'])
  expect(readSummary(run.summary).verdict).toMatch(/^## ✅ NOTARIZED: 4 of 4 /u)
  for (const { artifact, hash } of expected) {
    expect(run.visibleLog).toContain(`registered: "${artifact}"`)
    expect(evidence).toContain(hash)
  }
})
