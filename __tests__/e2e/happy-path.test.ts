/** A release that is notarized for the first time: what is sent, what is reported, and what is an artifact. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkTraffic,
  checkWithSha256sum,
  makeLetters,
  makeRelease,
  notarize,
  readLines,
  readStateLines,
  readSummary,
  sha256,
  startService,
  subscription,
  subscriptionText,
} from './support.ts'

const silent = { error: [], warning: [], notice: [] }
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

describe('a release that is notarized for the first time', () => {
  it('logs in once, registers each hash once and reports it everywhere', async () => {
    const service = await startService({ nowMs: () => 1_767_225_600_000 })
    const contents = { 'app.tar.gz': 'archive', 'app.zip': 'zip!', 'sub/readme.txt': 'read me' }
    const workspace = makeRelease(contents)
    const run = await notarize({ service, workspace })

    const expected = Object.entries(contents).map(([name, content]) => {
      const hash = sha256(content)
      const record = service.registered.get(hash)
      return { artifact: `dist/${name}`, size: content.length, hash, record }
    })
    const hashes = expected.map(({ hash }) => hash)
    expect(run.annotations).toEqual(silent)
    checkTraffic(service, { hashes })
    expect(run.results).toMatchObject({
      verdict: 'registered',
      records: expected.map(entry => ({ ...entry, from: 'this-run' })),
      failures: [],
      'records-path': workspace.path('notarization-records.jsonl'),
      'registered-count': 3,
      'newly-registered-count': 3,
    })

    // Each record line settles the line that was written before its call.
    const { repository, sha, ref, runId, runAttempt } = job
    const source = expect.objectContaining({ repository, sha, ref, runId, runAttempt })
    const times = new Map(readStateLines(run).map(({ hash, at }) => [hash, at]))
    expect(readStateLines(run).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    expect(readLines(run).toSorted((a, b) => byCodeUnits(a.artifact, b.artifact))).toEqual(
      expected.map(entry => {
        const at = times.get(entry.hash)
        return { ...entry, service: service.url, at, problems: [], source }
      }),
    )
    expect(run.checksums).toBe(expected.map(one => `${one.hash}  ${one.artifact}\n`).join(''))
    expect(checkWithSha256sum(run)).toEqual(expected.map(({ artifact }) => `${artifact}: OK`))

    const { verdict, rows } = readSummary(run.summary)
    expect(verdict).toMatch(/^## ✅ NOTARIZED: 3 of 3 .*3 newly registered, 0 known before/u)
    expect(rows.map(row => row.slice(1))).toEqual(
      expected.map(({ artifact, size, hash }) => {
        return [artifact, `${size} B`, hash, '2026-01-01 00:00:00', 'ALGORAND']
      }),
    )
    const evidence = workspace.read(run.results['evidence-path'])
    for (const { artifact, hash } of expected) {
      expect(run.visibleLog).toContain(`registered: "${artifact}"`)
      expect(evidence).toContain(hash)
    }
  })

  it('masks every secret before anything else is printed, and keeps them from its environment', async () => {
    const service = await startService()
    // Encoded, as the arguments of the process are searched, too, and these are some of them.
    const needles = [API_KEY, subscription.customer].map(text => btoa(text))
    const atExit = `process.on('exit', () => {
      const texts = [...Object.entries(process.env).flat(), ...process.argv, ...process.execArgv]
      const found = ${JSON.stringify(needles)}.map(atob).filter(text => texts.join().includes(text))
      console.log('AT EXIT ' + found.length + texts.includes('INPUT_API-KEY') + texts.includes('INPUT_PATH'))
    })`
    const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`]
    const run = await notarize({ service, nodeArguments })

    const { sessionId, customer, defaultPaymentMethod, latestInvoice } = subscription
    const given = [API_KEY, sessionId, customer, defaultPaymentMethod, latestInvoice]
    expect(run.lines.slice(0, given.length).sort()).toEqual(
      given.map(secret => `::add-mask::${secret}`).sort(),
    )
    expect(run.masks).toEqual(expect.arrayContaining([...service.tokens]))
    expect(run.lines).toContain('AT EXIT 0falsetrue')
  })

  it('has at most "concurrency" registrations in flight, in the order of the names', async () => {
    const service = await startService({ latencyMs: 100 })
    const workspace = makeLetters('hgfedcba')
    const run = await notarize({ service, workspace, inputs: { concurrency: '3' } })
    expect(run.results['newly-registered-count']).toBe(8)
    expect(service.maxInFlight).toBe(3)
    expect(service.maxConnections).toBeLessThanOrEqual(4)
    const sent = readStateLines(run).map(({ artifact }) => artifact)
    expect(sent).toEqual(Array.from('abcdefgh', name => `dist/${name}`))
  })

  it('logs its progress when it takes long', async () => {
    const script = join(makeTemporaryFolder(), 'clock.cjs')
    // A clock that runs a thousand times too fast.
    writeFileSync(
      script,
      'const now = performance.now.bind(performance); performance.now = () => now() * 1000',
    )
    const service = await startService({ latencyMs: 30 })
    const nodeArguments = ['--require', script]
    const inputs = { concurrency: '1' }
    const run = await notarize({ service, workspace: makeLetters('abcdef'), inputs, nodeArguments })
    expect(run.visibleLog).toMatch(/^registering: \d of 6, \d+\.\d per second, about .* left$/m)
  })
})

describe('artifacts', () => {
  it('with odd names do nothing, sort by UTF-16 code units, and keep their names', async () => {
    const service = await startService()
    // At the top of the workspace nothing stands before a name that could make it harmless.
    const acting = ['::error::x', '##[error]x', '\n::error::x', '-rf', '--help', 'END', "'; id"]
    const odd = ['#comment', '!negated', ' leading', 'trailing ', '*star*', 'back\\slash', 'c\rr']
    const sorting = ['b', 'B', 'a', 'Z', 'ä', '10', '9', '\u{1f680}', '\uff5e', 'e\u0301', 'é']
    const names = [...acting, ...odd, ...sorting, `${'d'.repeat(200)}/${'e'.repeat(200)}`]
    const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, `of ${name}`])))
    const env = { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' }
    const run = await notarize({ service, workspace, inputs: { path: '**' }, env })

    const sorted = names.toSorted(byCodeUnits)
    expect(run.annotations).toEqual(silent)
    expect(run.results.records?.map(({ artifact, hash }) => [artifact, hash])).toEqual(
      sorted.map(name => [name, sha256(`of ${name}`)]),
    )
    expect(checkWithSha256sum(run)).toHaveLength(names.length)
  })

  it('of path and checksums are one list, and equal contents share one registration', async () => {
    const service = await startService()
    const workspace = makeRelease({ b: 'twin', a: 'twin', c: 'other' })
    const [twin, remote] = [sha256('twin'), sha256('remote')]
    workspace.write('SUMS', `${twin}  dist/a\nSHA256 (remote.iso) = ${remote}\n`)
    const run = await notarize({ service, workspace, inputs: { checksums: 'SUMS' } })

    checkTraffic(service, { hashes: [twin, remote, sha256('other')] })
    expect(
      readLines(run)
        .map(({ artifact }) => artifact)
        .sort(),
    ).toEqual(['dist/a', 'dist/c', 'remote.iso'])
    expect(run.results.records?.map(({ artifact, size }) => [artifact, size])).toEqual([
      ['dist/a', 4],
      ['dist/b', 4],
      ['dist/c', 5],
      ['remote.iso', null],
    ])
    expect(run.results).toMatchObject({ 'artifact-count': 4, 'newly-registered-count': 4 })
  })
})

it('base-url may have a prefix, and its spelling registers nothing twice', async () => {
  const service = await startService({ prefix: '/notary' })
  const workspace = makeLetters('a')
  await notarize({ service, workspace })
  const again = service.url.replace('http:', 'HTTP:').replace('127.0.0.1', '127.1')
  const run = await notarize({ service, workspace, inputs: { 'base-url': `${again}//` } })

  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
  checkTraffic(service, { hashes: [sha256('a')], prefix: '/notary' })
})

describe('the subscription', () => {
  const { customer, ...rest } = subscription
  const wide = { ...rest, planNickname: 'Größe 🚀', extra: [1.5, null] }
  const misspelt = JSON.stringify({ ...wide, custumer: customer })

  it.each<[string, given: string, body: string]>([
    ['unknown fields', ` {"a" : 1.0,${subscriptionText.slice(1)} `, ''],
    ['base64', Buffer.from(misspelt).toString('base64'), JSON.stringify({ ...wide, customer })],
  ])('is passed on as given, with %s', async (_, given, body) => {
    const service = await startService()
    const run = await notarize({ service, inputs: { subscription: given } })
    checkTraffic(service, { hashes: [sha256('a')], body: body === '' ? given.trim() : body })
    expect(run.annotations).toEqual(silent)
    const { sessionId, defaultPaymentMethod, latestInvoice } = subscription
    const masks = [sessionId, customer, defaultPaymentMethod, latestInvoice]
    expect(run.masks).toEqual(expect.arrayContaining(masks))
  })
})
