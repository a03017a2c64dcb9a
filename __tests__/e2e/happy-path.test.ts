/** A release that is notarized for the first time: what is sent, and what is an artifact. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { rawFault } from '../../simulator/index.ts'
import {
  API_KEY,
  checkTraffic,
  checkWithSha256sum,
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
import type { CheckedRun } from './support.ts'

const silent = { error: [], warning: [], notice: [] }

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const namesOf = (run: CheckedRun) => run.results.records?.map(({ artifact }) => artifact)

describe('a release that is notarized for the first time', () => {
  it('logs in once, registers each hash once and reports it everywhere', async () => {
    const service = await startService({
      nowMs: () => 1_767_225_600_000,
      tokenLifetimeSeconds: null,
    })
    const contents = { 'app.tar.gz': 'archive', 'app.zip': 'zip!', 'sub/readme.txt': 'read me' }
    const workspace = makeRelease(contents)

    const run = await notarize({ service, workspace })

    const expected = Object.entries(contents).map(([name, content]) => {
      const hash = sha256(content)
      const record = {
        ...{ hash, description: 'Registered by the simulator', custody: false, signed: false },
        ...{ signer: null, signature: null, txHash: null, status: 'registered' },
        ...{ blockchainType: 'ALGORAND', holder: null, txId: null, assetId: null, tags: [] },
        ...{ paymentId: subscription.id, creationDate: 1_767_225_600_000, payload: null },
        userId: subscription.userId,
      }
      return { artifact: `dist/${name}`, size: content.length, hash, record }
    })
    const hashes = expected.map(({ hash }) => hash)

    expect(run.annotations).toEqual(silent)
    checkTraffic(service, { hashes })
    expect([...service.completionCounts.values()]).toEqual([1, 1, 1])

    expect(run.results).toMatchObject({
      verdict: 'registered',
      records: expected.map(entry => ({ ...entry, from: 'this-run' })),
      failures: [],
      'records-path': workspace.path('notarization-records.jsonl'),
      'registered-count': 3,
      'newly-registered-count': 3,
    })
    const { repository, sha, ref, runId, runAttempt } = job
    const source = expect.objectContaining({ repository, sha, ref, runId, runAttempt })
    expect(readLines(run).toSorted((a, b) => byCodeUnits(a.artifact, b.artifact))).toEqual(
      expected.map(entry => ({ ...entry, service: service.url, problems: [], source })),
    )
    // What was asked is kept as well, one line for each hash, and nothing of it had to be settled.
    expect(
      readStateLines(run)
        .map(({ state, hash }) => `${state} ${hash}`)
        .sort(),
    ).toEqual(hashes.map(hash => `sent ${hash}`).sort())
    const checksums = expected.map(({ artifact, hash }) => `${hash}  ${artifact}\n`).join('')
    expect(run.files.readChecksums()).toBe(checksums)
    expect(checkWithSha256sum(run)).toEqual(expected.map(({ artifact }) => `${artifact}: OK`))

    const summary = readSummary(run.summary)
    expect(summary.verdict).toMatch(/3 of 3 artifacts.*3 newly registered, 0 known before/)
    const titles = ['State', 'Artifact', 'Size', 'SHA-256', 'Registered at (UTC)', 'Blockchain']
    expect(summary.titles).toEqual(titles)
    const time = '2026-01-01 00:00:00'
    expect(summary.rows.map(row => row.slice(1))).toEqual(
      expected.map(({ artifact, size, hash }) => [artifact, `${size} B`, hash, time, 'ALGORAND']),
    )
    expect(summary.shell).toContain('sha256sum -c')
    const evidence = workspace.read(run.results['evidence-path'])
    for (const { artifact, hash } of expected) {
      expect(summary.shell).toContain(`${hash}  ${artifact}\n`)
      expect(run.visibleLog).toContain(`registered: "${artifact}"`)
      expect(evidence).toContain(`\`${artifact}\`, `)
      expect(evidence).toContain(hash)
    }
  })

  it('masks every secret before its first use, and says nothing else before', async () => {
    const service = await startService()
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }) })

    const [token = ''] = service.tokens
    const { sessionId, customer, defaultPaymentMethod, latestInvoice } = subscription
    const given = [API_KEY, sessionId, customer, defaultPaymentMethod, latestInvoice]
    expect(run.masks.toSorted()).toEqual([...given, token, ...token.split('.')].sort())
    expect(run.lines.slice(0, given.length).sort()).toEqual(
      given.map(secret => `::add-mask::${secret}`).sort(),
    )
  })

  it.each([1, 5])(
    'has %d registrations in flight at most, over one connection more, begun in the order of the names',
    async concurrency => {
      const service = await startService({ latencyMs: 100 })
      const names = Array.from({ length: 9 }, (_, index) => `file-${8 - index}`)
      const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])))
      const run = await notarize({ service, workspace, inputs: { concurrency: `${concurrency}` } })

      checkTraffic(service, { hashes: names.map(sha256) })
      expect(service.maxInFlight).toBe(concurrency)
      expect(service.maxConnections).toBeLessThanOrEqual(concurrency + 1)
      const asked = readStateLines(run).map(({ artifact }) => artifact)
      expect(asked).toEqual(names.toSorted().map(name => `dist/${name}`))
    },
  )
})

describe('names', () => {
  it('with nothing before them do nothing, sort by UTF-16 code units, and come out as they are', async () => {
    const service = await startService()
    // At the top of the workspace a name has nothing before it that could make it harmless.
    const acting = [
      '::error::x',
      '##[error]x',
      '\n::error::x',
      '-rf',
      '--help',
      '-',
      'END',
      "'; id",
    ]
    const odd = [
      '#comment',
      '!negated',
      ' leading',
      'trailing ',
      '*star*',
      'back\\slash',
      '\\nliteral',
    ]
    const sorting = ['b', 'B', 'a', 'Z', 'ä', '10', '9', '\u{1f680}', '\uff5e', '_', 'e\u0301', 'é']
    const names = [...acting, ...odd, ...sorting, 'c\rr', `${'d'.repeat(200)}/${'e'.repeat(200)}`]
    const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, `of ${name}`])))
    const env = { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' }
    const run = await notarize({ service, workspace, inputs: { path: '**' }, env })

    expect(run.annotations).toEqual(silent)
    expect(run.commands.filter(({ command }) => command !== 'add-mask')).toEqual([])
    const sorted = names.toSorted(byCodeUnits)
    expect(run.results.records?.map(({ artifact, hash }) => [artifact, hash])).toEqual(
      sorted.map(name => [name, sha256(`of ${name}`)]),
    )
    checkTraffic(service, { hashes: names.map(name => sha256(`of ${name}`)) })
    expect(checkWithSha256sum(run)).toHaveLength(names.length)

    const { rows, shell } = readSummary(run.summary)
    expect(rows.map(row => row[1])).toEqual(expect.arrayContaining(['-rf', '\\u000a::error::x']))
    // Nothing that a shell would read as the end of the list, or as an option, stands in the block to paste.
    for (const line of shell.split('\n').slice(2, -3)) {
      expect(line).toMatch(/^[0-9a-f]{64} {2}[\w.+@%,=][\w .+@%,=/-]*$/)
    }

    // The checksums file is an input again: in another workspace it stands for the same artifacts.
    const other = makeWorkspace({ SUMS: run.files.readChecksums() ?? '' })
    const again = await notarize({
      service: await startService(),
      workspace: other,
      inputs: { path: '', checksums: 'SUMS', 'show-summary': 'false' },
    })
    expect(namesOf(again)).toEqual(sorted.map(name => (name === '-' ? './-' : name)).map(dropDot))
    expect(again.files.readChecksums()).toBe(run.files.readChecksums())
  })

  const dropDot = (name: string): string => name.replace(/^\.\//, '')

  it('that are not valid UTF-8 are failures, whether of a file, a folder or a link', async () => {
    const service = await startService()
    const workspace = makeRelease({ good: 'good' })
    const bad = (...parts: readonly string[]) =>
      Buffer.concat([
        Buffer.from(`${workspace.path('dist')}/`),
        Buffer.from(parts.join('/'), 'latin1'),
      ])
    writeFileSync(bad('file-\xff.zip'), 'x')
    mkdirSync(bad('folder-\xfe'))
    writeFileSync(bad('folder-\xfe', 'inside.zip'), 'y')
    symlinkSync('good', bad('link-\xfd.zip'))
    writeFileSync(bad('left-out-\xfc.log'), 'z')

    const run = await notarize({ service, workspace, inputs: { path: 'dist\n!dist/*.log' } })

    checkTraffic(service, { hashes: [sha256('good')] })
    expect(namesOf(run)).toEqual(['dist/good'])
    expect(run.results.failures.map(({ artifact, code }) => [artifact, code])).toEqual([
      ['dist/file-\\xFF.zip', 'unreadable'],
      ['dist/folder-\\xFE', 'unreadable'],
      ['dist/link-\\xFD.zip', 'unreadable'],
    ])
    expect(readSummary(run.summary).rows.map(row => row[1])).toContain('dist/file-\\xFF.zip')
  })
})

describe('contents', () => {
  it('that are the same share one registration and one line, and both names are reported', async () => {
    const service = await startService()
    const workspace = makeRelease({ b: 'twin', a: 'twin', c: 'other' })
    const run = await notarize({ service, workspace })

    checkTraffic(service, { hashes: [sha256('twin'), sha256('other')] })
    expect(
      readLines(run)
        .map(({ artifact }) => artifact)
        .sort(),
    ).toEqual(['dist/a', 'dist/c'])
    expect(namesOf(run)).toEqual(['dist/a', 'dist/b', 'dist/c'])
    expect(run.results).toMatchObject({ 'artifact-count': 3, 'newly-registered-count': 3 })
  })
})

describe('patterns', () => {
  it('exclude, skip comments, name files and hidden parts, and take a folder as all below it', async () => {
    const service = await startService()
    const path = '# what we ship\n\n  dist  \n!dist/**/*.log\r\n.release/*\n!.release/?b\n\nLICENSE'
    const taken = ['.release/a', 'LICENSE', 'dist/deep/er/keep.bin', 'dist/keep.bin']
    const left = ['.release/.b', 'dist/debug.log', 'dist/deep/debug.log', 'dist/.env', 'notes.txt']
    const names = [...taken, ...left]
    const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, name])))
    const run = await notarize({ service, workspace, inputs: { path } })

    expect(namesOf(run)).toEqual(taken)
    checkTraffic(service, { hashes: taken.map(sha256) })
  })

  it('reach outside the workspace, and the artifact then has its absolute path', async () => {
    const service = await startService()
    const workspace = makeRelease({ inside: 'in' })
    const outside = join(workspace.temp, 'built', 'outside.bin')
    mkdirSync(join(workspace.temp, 'built'))
    writeFileSync(outside, 'out')
    const path = `${workspace.temp}/built\n${workspace.path('dist/inside')}`
    const run = await notarize({ service, workspace, inputs: { path } })

    expect(namesOf(run)).toEqual([outside, 'dist/inside'])
    expect(checkWithSha256sum(run)).toEqual([`${outside}: OK`, 'dist/inside: OK'])
  })

  it('never take the records file, also when it lies among the artifacts', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const inputs = { 'records-path': 'dist/records/kept.jsonl' }
    await notarize({ service, workspace, inputs })
    const second = await notarize({ service, workspace, inputs })

    expect(second.results['records-path']).toBe(workspace.path('dist/records/kept.jsonl'))
    expect(namesOf(second)).toEqual(['dist/a'])
    checkTraffic(service, { hashes: [sha256('a')] })
  })
})

it('the base URL may have a prefix, and has one normal form, so that its spelling registers nothing twice', async () => {
  const service = await startService({ prefix: '/notary' })
  const workspace = makeRelease({ a: 'a' })
  await notarize({ service, workspace })
  const again = service.url.replace('http:', 'HTTP:').replace('127.0.0.1', '127.1')
  const run = await notarize({ service, workspace, inputs: { 'base-url': `${again}//` } })

  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
  checkTraffic(service, { hashes: [sha256('a')], prefix: '/notary' })
  expect(readLines(run).map(line => line.service)).toEqual([service.url])
})

describe('the subscription', () => {
  const { customer, ...rest } = subscription
  const wide = { ...rest, planNickname: 'Größe "L" 🚀', extra: { nested: [1.5, null, '2'] } }
  const wideText = JSON.stringify({ ...wide, customer })
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const ended = { ...subscription, canceledAt: true, status: 'paused', currentPeriodEnd: 1 }

  it.each([
    { what: 'JSON with odd spaces', given: ` {"a" : 1.0,  ${wideText.slice(1)} ` },
    { what: 'base64', given: base64(wideText), body: wideText },
    {
      what: 'a misspelt customer',
      given: JSON.stringify({ ...rest, custumer: customer }),
      body: JSON.stringify({ ...rest, customer }),
    },
    {
      what: 'base64 on several lines, which the runner masks line by line',
      given: base64(subscriptionText).replaceAll(/.{76}/g, '$&\n'),
      body: subscriptionText,
      warning: /subscription.*several lines.*mask/,
    },
    { what: 'ended', given: JSON.stringify(ended), warning: /status.*cancel.*period.*1970/is },
  ])('is passed on as it was given: $what', async ({ given, body = given.trim(), warning }) => {
    const service = await startService({ missingFields: 'accept' })
    const inputs = { subscription: given }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    const said = run.annotations.warning.join('\n')
    if (warning === undefined) expect(run.annotations).toEqual(silent)
    else expect(said).toMatch(warning)
    checkTraffic(service, { hashes: [sha256('a')], body })
    const { sessionId, defaultPaymentMethod, latestInvoice } = subscription
    expect(run.masks).toEqual(
      expect.arrayContaining([sessionId, customer, defaultPaymentMethod, latestInvoice]),
    )
  })

  it('without an id gets a notice, as paymentId then is not compared', async () => {
    const service = await startService({ record: () => ({ paymentId: 'sub_of_somebody' }) })
    const inputs = { subscription: JSON.stringify({ ...subscription, id: null }) }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations).toEqual({ ...silent, notice: [expect.stringContaining('paymentId')] })
    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
  })
})

it.each(['{"id":null,"status":"paused","canceledAt":1}', '{"id":7}', '{}'])(
  'subscription data that a request is answered with is not spoken of where the given data pays: %s',
  async text => {
    const fault = rawFault(text, { effect: 'after' })
    const service = await startService({ faults: [{ fault, endpoint: 'request' }] })
    const inputs = { 'request-registration': 'true' }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.results.verdict).toBe('registered')
    expect(run.annotations).toEqual(silent)
  },
)

it('checksums files join the files of path; the same name with the same hash is one artifact', async () => {
  const service = await startService()
  const workspace = makeRelease({ a: 'a', b: 'b' })
  workspace.write(
    'SHA256SUMS',
    `${sha256('a')}  dist/a\nSHA256 (remote.iso) = ${sha256('remote')}\n`,
  )
  const run = await notarize({ service, workspace, inputs: { checksums: 'SHA256SUMS' } })

  expect(run.results.records?.map(({ artifact, size }) => [artifact, size])).toEqual([
    ['dist/a', 1],
    ['dist/b', 1],
    ['remote.iso', null],
  ])
  checkTraffic(service, { hashes: ['a', 'b', 'remote'].map(sha256) })
  expect(readSummary(run.summary).rows.map(row => row[2])).toEqual(['1 B', '1 B', '–'])
})
