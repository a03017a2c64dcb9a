/** Whole runs of the main action: their log, requests, files and summary. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { doubtLineOf, lineOf } from '../records/entries.ts'
import { makeCertificate } from '../support/certificate.ts'
import { statFiles } from '../support/finished-run.ts'
import { startProxy } from '../support/proxy.ts'
import { API_KEY, subscriptionSecrets, subscriptionText } from '../support/samples.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, makeRelease, notarize, startService } from './support.ts'

const host = 'notary.example'
const certificate = makeCertificate(`DNS:${host},IP:127.0.0.1`)

it('a run masks secrets first, logs in once, and registers each hash once, all encrypted through a proxy', async () => {
  const service = await startService({ prefix: '/notary', tls: certificate })
  const password = 'pr0xy/c4nary pa55word'
  const passwords = [encodeURIComponent(password), password]
  const targets = { [`${host}:443`]: Number(new URL(service.url).port) }
  const proxy = await startProxy({ targets, credentials: `user:${password}` })
  // Without a scheme, as many runners have it.
  const https_proxy = `user:${passwords[0]}@${proxy.host}`
  // Sorted by UTF-16 code units.
  const contents = { 'app.zip': 'zip!', 'sub/read me': 'read', '\u{1f680}': 'r', '\uff5e': 't' }
  const workspace = makeRelease(contents)
  const baseUrl = `https://${host}/notary`
  const run = await notarize({
    service,
    workspace,
    inputs: { 'base-url': baseUrl, concurrency: '3' },
    env: { NODE_EXTRA_CA_CERTS: certificate.certFile, https_proxy },
    alsoSecret: passwords,
  })
  const expected = Object.entries(contents).map(([name, content]) => {
    const hash = sha256(content)
    const record = service.registered.get(hash)
    return { artifact: `dist/${name}`, size: content.length, hash, record }
  })
  const [token = ''] = service.tokens
  const masked = (text: string): string => `::add-mask::${text.replaceAll('%', '%25')}`
  // @actions/glob logs what it searches.
  expect(run.lines.filter(line => !line.startsWith('::debug::'))).toEqual([
    ...[API_KEY, ...subscriptionSecrets, ...passwords].map(masked),
    '4 artifacts found, 4 distinct hashes left to register',
    masked(token),
    ...expected.map(one => `✅ registered: "${one.artifact}" (${one.size} B, ${one.hash})`),
    'Cost: 4 registrations charged by notary.example.',
    'Next run: not needed. Any re-run of this job would charge you again for the 4 files registered here.',
    '✅ NOTARIZED: 4 of 4 files registered',
  ])
  expect(run.results).toMatchObject({
    verdict: 'registered',
    records: expected.map(entry => ({ ...entry, from: 'this-run' })),
    'records-path': workspace.path(FILE),
    'evidence-path': expect.stringContaining(workspace.temp),
    'charge-count-max': 4,
  })

  const calls = service.requests.map(({ method, path }) => `${method} ${path}`)
  const completions = expected.map(({ hash }) => `POST /notary/api/v2/registration/${hash}/forfait`)
  expect(calls.toSorted()).toEqual(['POST /notary/api/v2/auth/login', ...completions.sort()])
  const bodies = service.requests.slice(1).map(({ bodyText }) => bodyText)
  expect(new Set(bodies)).toEqual(new Set([subscriptionText]))
  expect(new Set(proxy.connects)).toEqual(new Set([`${host}:443`]))
  expect(service.maxConnections).toBeLessThanOrEqual(4)
  // The host name does pass unencrypted.
  expect([host, API_KEY, ...subscriptionSecrets, token].filter(proxy.hasSeen)).toEqual([host])
})

it('a dry run needs no secret, makes no connection, and writes nothing but its report', async () => {
  const service = await startService()
  const at = { service: service.url }
  const lines = lineOf('a', at) + doubtLineOf('b', at)
  // An incomplete last line is not cut off, and the file is no artifact.
  const recordsPath = 'dist/records.jsonl'
  const files = { 'dist/a': 'a', 'dist/b': 'b' }
  const workspace = makeWorkspace({ ...files, [recordsPath]: `${lines}{"artifact":"dist/to` })
  const summary = join(workspace.temp, 'summary.md')
  writeFileSync(summary, '# The step before\n')
  const before = statFiles(workspace.root)
  const noSecret = { 'api-key': '', subscription: '', 'max-registrations': '0' }
  const inputs = { ...noSecret, 'records-path': recordsPath, 'dry-run': 'TRUE' }
  const env = { GITHUB_STEP_SUMMARY: summary }
  const run = await notarize({ service, workspace, inputs, env })
  expect(run.results).toMatchObject({ verdict: 'dry-run', failures: [], 'artifact-count': 2 })
  expect(readFileSync(summary, 'utf8')).toMatch(/^# The step before\n## 🔎 DRY RUN: /u)
  expect(readFileSync(run.results['checksums-path'], 'utf8')).toContain(`${sha256('a')}  dist/a\n`)
  expect(run.masks).toEqual([])
  const excess = expect.stringContaining('is 0, but 1 registration is left')
  expect(run.annotations.warning).toContainEqual(excess)
  expect(statFiles(workspace.root)).toEqual(before)
  expect(service.maxConnections).toBe(0)
})
