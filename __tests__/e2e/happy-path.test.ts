import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkTraffic,
  checkWithSha256sum,
  makeRelease,
  notarize,
  readLines,
  readSummary,
  sha256,
  startService,
  subscription,
  subscriptionText,
} from './support.ts'

const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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
        hash,
        description: 'Registered by the simulator',
        custody: false,
        signed: false,
        signer: null,
        signature: null,
        txHash: null,
        status: 'registered',
        blockchainType: 'ALGORAND',
        holder: null,
        txId: null,
        assetId: null,
        tags: [],
        paymentId: subscription.id,
        creationDate: 1_767_225_600_000,
        payload: null,
        userId: subscription.userId,
      }
      return { artifact: `dist/${name}`, size: content.length, hash, record }
    })
    const hashes = expected.map(({ hash }) => hash)

    expect(run.exitCode).toBe(0)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    checkTraffic(service, { hashes })
    expect([...service.completionCounts.values()]).toEqual([1, 1, 1])

    expect(run.results).toEqual({
      verdict: 'registered',
      records: expected.map(entry => ({ ...entry, from: 'this-run' })),
      failures: [],
      'records-path': workspace.path('notarization-records.jsonl'),
      'checksums-path': run.outputs['checksums-path'],
      'artifact-count': 3,
      'registered-count': 3,
      'newly-registered-count': 3,
      'failed-count': 0,
    })
    expect(readLines(run).toSorted((a, b) => byCodeUnits(a.artifact, b.artifact))).toEqual(
      expected.map(entry => ({
        ...entry,
        service: service.url,
        problems: [],
        source: expect.objectContaining({
          repository: job.repository,
          sha: job.sha,
          ref: job.ref,
          runId: job.runId,
          runAttempt: job.runAttempt,
        }),
      })),
    )
    const checksums = expected.map(({ artifact, hash }) => `${hash}  ${artifact}\n`).join('')
    expect(run.files.readChecksums()).toBe(checksums)
    expect(checkWithSha256sum(run)).toEqual(expected.map(({ artifact }) => `${artifact}: OK`))

    const summary = readSummary(run.summary)
    expect(summary.verdict).toMatch(/3 of 3 artifacts.*3 newly registered, 0 known before/)
    expect(summary.titles).toEqual([
      'State',
      'Artifact',
      'Size',
      'SHA-256',
      'Registered at (UTC)',
      'Blockchain',
    ])
    expect(summary.rows.map(row => row.slice(1))).toEqual(
      expected.map(({ artifact, size, hash }) => [
        artifact,
        `${size} B`,
        hash,
        '2026-01-01 00:00:00',
        'ALGORAND',
      ]),
    )
    expect(summary.shell).toContain('sha256sum -c')
    for (const { artifact, hash } of expected) {
      expect(summary.shell).toContain(`${hash}  ${artifact}\n`)
      expect(run.visibleLog).toContain(`registered: "${artifact}"`)
    }
  })

  it('masks every secret before its first use, and says nothing else before', async () => {
    const service = await startService()
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }) })

    const [token = ''] = service.tokens
    const { sessionId, customer, defaultPaymentMethod, latestInvoice } = subscription
    const given = [API_KEY, sessionId, customer, defaultPaymentMethod, latestInvoice]
    expect(run.masks.toSorted(byCodeUnits)).toEqual(
      [...given, token, ...token.split('.')].sort(byCodeUnits),
    )
    expect(run.lines.slice(0, given.length).sort(byCodeUnits)).toEqual(
      given.map(secret => `::add-mask::${secret}`).sort(byCodeUnits),
    )
  })

  it('shows the transaction of a record that has one', async () => {
    const service = await startService({ record: () => ({ txId: 'TX7QZ' }) })
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }) })

    const { titles, rows } = readSummary(run.summary)
    expect(titles.at(-1)).toBe('Transaction')
    expect(rows[0]?.at(-1)).toBe('TX7QZ')
  })

  it('registers with 1 at a time, the same release, in the order of the names', async () => {
    const service = await startService({ latencyMs: 5 })
    const workspace = makeRelease({ c: 'c', a: 'a', b: 'b' })
    const run = await notarize({ service, workspace, inputs: { concurrency: '1' } })

    expect(service.maxInFlight).toBe(1)
    expect(readLines(run).map(({ artifact }) => artifact)).toEqual(['dist/a', 'dist/b', 'dist/c'])
  })

  it('has no more registrations in flight than asked for, over one connection more at most', async () => {
    const service = await startService({ latencyMs: 100 })
    const contents = Array.from({ length: 14 }, (_, index) => `content ${index}`)
    const workspace = makeRelease(
      Object.fromEntries(contents.map((content, index) => [`file-${index}`, content])),
    )
    await notarize({ service, workspace, inputs: { concurrency: '5' } })

    checkTraffic(service, { hashes: contents.map(sha256) })
    expect(service.maxInFlight).toBe(5)
    expect(service.maxConnections).toBeLessThanOrEqual(6)
  })
})

/** Names that would act somewhere if nobody stopped them. */
const evilNames = [
  '::error::x',
  '::set-output name=verdict::registered',
  '##[error]forged',
  ' ::warning::after a space',
  'line\nbreak',
  '\n::error::on a line of its own',
  'carriage\rreturn',
  'tab\tand escape\u001b[31m',
  'back\\slash',
  '\\nliteral',
  '-leading-dash',
  '--help',
  'with spaces  in it.txt',
  ' leading space',
  'trailing space ',
  '*star*',
  '[link](https:example.com)',
  '![image](x.png)',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '</code></td></tr></table>\n\n# heading',
  '&amp; &lt;b&gt;',
  '| a | table | cell |',
  '`code` and ```fence```',
  '**bold** _em_ ~~gone~~',
  '# heading',
  '@octocat #1',
  '$(id) `id` $HOME ${{ secrets.X }}',
  '%0A::error::decoded',
  '"quotes" and \'quotes\'',
  'END',
  'naïve – 日本語 – 🚀',
  'e\u0301 decomposed, é composed',
  'rtl \u202egnp.exe',
  'zero\u200bwidth',
  'x'.repeat(255),
  '{"json":true}',
  'name,with;separators=and:colons',
]

describe('names', () => {
  it('do nothing, whatever they are, and come out as they are', async () => {
    const service = await startService()
    const names = [...evilNames, `${'d'.repeat(200)}/${'e'.repeat(200)}/${'f'.repeat(200)}`]
    const workspace = makeRelease(Object.fromEntries(names.map((name, at) => [name, `file ${at}`])))
    // At the top of the workspace a name has nothing before it that could make it harmless.
    const bare = ['::error::bare', '##[error]bare', '-rf', '#comment', '!negated', 'plain']
    for (const name of bare) workspace.write(name, `bare ${name}`)

    const run = await notarize({ service, workspace, inputs: { path: '*\ndist/**' } })

    const expected = [
      ...names.map((name, at) => ({ artifact: `dist/${name}`, hash: sha256(`file ${at}`) })),
      ...bare.map(name => ({ artifact: name, hash: sha256(`bare ${name}`) })),
    ].sort((a, b) => byCodeUnits(a.artifact, b.artifact))
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    expect(run.results.records?.map(({ artifact, hash }) => ({ artifact, hash }))).toEqual(expected)
    expect(run.commands.filter(({ command }) => command !== 'add-mask')).toEqual([])
    checkTraffic(service, { hashes: expected.map(({ hash }) => hash) })
    expect(readLines(run)).toHaveLength(expected.length)
    expect(
      readLines(run)
        .map(({ artifact }) => artifact)
        .sort(byCodeUnits),
    ).toEqual(expected.map(({ artifact }) => artifact))
    expect(checkWithSha256sum(run)).toHaveLength(expected.length)

    const { rows, shell } = readSummary(run.summary)
    const shown = rows.map(row => row[1] ?? '')
    for (const name of ['dist/<img src=x onerror=alert(1)>', 'dist/| a | table | cell |', '-rf']) {
      expect(shown).toContain(name)
    }
    expect(shown).toContain('dist/line\\u000abreak')
    expect(shown.filter(name => /[\n\r\u001b\u202e\u200b]/.test(name))).toEqual([])
    // The long one is cut so that the reader sees it, with its hash whole.
    const [long] = rows.filter(row => row[1]?.startsWith('dist/ddd') === true)
    expect(long?.[1]).toMatch(/…|\.\.\./)
    expect(long?.[3]).toBe(sha256(`file ${names.length - 1}`))
    // Nothing that a shell would read as the end of the list, or as an option, stands in the block to paste.
    for (const line of shell.split('\n').slice(2, -3)) expect(line).toMatch(/^[0-9a-f]{64} {2}\w/)
  })

  it('is checked by sha256sum -c even if it is a single dash', async () => {
    const service = await startService()
    const workspace = makeWorkspace({ '-': 'a dash' })
    const run = await notarize({ service, workspace, inputs: { path: '-' } })

    expect(run.results.records).toMatchObject([{ artifact: '-', hash: sha256('a dash') }])
    expect(checkWithSha256sum(run)).toHaveLength(1)
  })

  it('sort by UTF-16 code units, not by the alphabet of the machine', async () => {
    const service = await startService()
    const names = ['b', 'B', 'a', 'Z', 'ä', '10', '9', '\u{1f680}', '\uff5e', '_']
    const workspace = makeRelease(Object.fromEntries(names.map(name => [name, `of ${name}`])))
    const run = await notarize({
      service,
      workspace,
      env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
    })

    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual(
      names.map(name => `dist/${name}`).sort(byCodeUnits),
    )
  })
})

describe('contents', () => {
  it('may be empty', async () => {
    const service = await startService()
    const run = await notarize({ service, workspace: makeRelease({ empty: '' }) })

    expect(run.results.records).toMatchObject([
      { artifact: 'dist/empty', size: 0, hash: EMPTY_HASH },
    ])
    checkTraffic(service, { hashes: [EMPTY_HASH] })
    expect(readSummary(run.summary).rows[0]?.slice(1, 4)).toEqual(['dist/empty', '0 B', EMPTY_HASH])
  })

  it('are hashed as bytes, also where they are larger than one read', async () => {
    const service = await startService()
    const large = Buffer.alloc(2 * 1024 * 1024 + 1, 'large\r\n\u0000')
    const run = await notarize({ service, workspace: makeRelease({ large }) })

    expect(run.results.records).toMatchObject([{ size: large.length, hash: sha256(large) }])
    checkTraffic(service, { hashes: [sha256(large)] })
  })

  it('are hashed right when they are very large, beside small ones', async () => {
    const service = await startService()
    const workspace = makeRelease({ small: 'small', large: '', 'a/little': '' })
    const bytes = 70 * 1024 * 1024 + 1
    // Sparse: no disk is filled.
    truncateSync(workspace.path('dist/large'), bytes)
    const run = await notarize({ service, workspace })

    const hashes = [EMPTY_HASH, sha256(Buffer.alloc(bytes)), sha256('small')]
    expect(run.results.records?.map(({ artifact, hash }) => [artifact, hash])).toEqual([
      ['dist/a/little', hashes[0]],
      ['dist/large', hashes[1]],
      ['dist/small', hashes[2]],
    ])
    checkTraffic(service, { hashes })
  })

  it('are hashed right when they are very many, and one that cannot be read holds up none', async () => {
    const names = Array.from({ length: 2500 }, (_, at) => `${at % 50}/${at}`)
    const workspace = makeRelease(Object.fromEntries(names.map(name => [name, `file ${name}`])))
    const path = 'dist\n/proc/self/mem'
    const inputs = { path, 'dry-run': 'true', 'max-registrations': '5000' }
    const run = await notarize({ workspace, inputs })

    expect(run.results).toMatchObject({
      'artifact-count': 2501,
      'failed-count': 1,
      failures: [{ artifact: '/proc/self/mem', code: 'unreadable' }],
    })
    const lines = names.map(name => `${sha256(`file ${name}`)}  dist/${name}\n`)
    expect((run.files.readChecksums() ?? '').split('\n').sort(byCodeUnits)).toEqual(
      lines.join('').split('\n').sort(byCodeUnits),
    )
    expect(checkWithSha256sum(run)).toHaveLength(2500)
  })

  it('that are the same share one registration and one line, and both names are reported', async () => {
    const service = await startService()
    const workspace = makeRelease({ b: 'twin', a: 'twin', c: 'other', e1: '', e2: '' })
    const run = await notarize({ service, workspace })

    checkTraffic(service, { hashes: [sha256('twin'), sha256('other'), EMPTY_HASH] })
    expect(
      readLines(run)
        .map(({ artifact }) => artifact)
        .sort(byCodeUnits),
    ).toEqual(['dist/a', 'dist/c', 'dist/e1'])
    expect(run.results.records?.map(({ artifact, from }) => [artifact, from])).toEqual(
      ['a', 'b', 'c', 'e1', 'e2'].map(name => [`dist/${name}`, 'this-run']),
    )
    expect(run.results).toMatchObject({ 'artifact-count': 5, 'newly-registered-count': 5 })
    expect(readSummary(run.summary).verdict).toMatch(/5 of 5/)
  })
})

describe('patterns', () => {
  it('exclude, skip comments and blank lines, name single files, and take a folder as all below it', async () => {
    const service = await startService()
    const workspace = makeWorkspace({
      'dist/keep.bin': '1',
      'dist/deep/er/keep.bin': '2',
      'dist/debug.log': 'no',
      'dist/deep/debug.log': 'no',
      'docs/manual.pdf': '3',
      'docs/draft.pdf': 'no',
      'notes.txt': 'no',
      LICENSE: '4',
    })
    const path =
      '# what we ship\n\n  dist  \n!dist/**/*.log\r\ndocs/*.pdf\n!docs/draft.pdf\n\nLICENSE'
    const run = await notarize({ service, workspace, inputs: { path } })

    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual([
      'LICENSE',
      'dist/deep/er/keep.bin',
      'dist/keep.bin',
      'docs/manual.pdf',
    ])
    checkTraffic(service, { hashes: ['1', '2', '3', '4'].map(sha256) })
  })

  it('take hidden files only where they name the hidden part', async () => {
    const service = await startService()
    const workspace = makeWorkspace({
      'dist/app': '1',
      'dist/.env': 'secret',
      'dist/.git/config': 'secret',
      'dist/.well-known/key': '2',
      '.npmrc': 'secret',
      '.release/notes.md': '3',
      '.release/.draft': 'secret',
    })
    const path = '**\ndist/.well-known/*\n.release/*'
    const run = await notarize({ service, workspace, inputs: { path } })

    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual([
      '.release/notes.md',
      'dist/.well-known/key',
      'dist/app',
    ])
  })

  it('exclude hidden files without naming the hidden part', async () => {
    const service = await startService()
    const workspace = makeWorkspace({ '.release/a': 'a', '.release/.b': 'b', '.release/c': 'c' })
    const path = '.release/*\n.release/.*\n!.release/?b\n!**/c'
    const inputs = { path, 'if-no-files-found': 'ignore' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual(['.release/a'])
  })

  it('find a workspace that itself lies in a hidden folder', async () => {
    const service = await startService()
    const outer = makeWorkspace({ '.cache/build/dist/a': 'a', '.cache/build/dist/.b': 'b' })
    const env = { GITHUB_WORKSPACE: outer.path('.cache/build') }
    // The second one reaches the workspace through a wildcard that would not match a hidden folder elsewhere.
    for (const path of ['**', `${outer.root}/**/dist/*`]) {
      const run = await notarize({ service, workspace: outer, inputs: { path }, env })

      expect(run.results.records?.map(({ artifact }) => artifact)).toEqual(['dist/a'])
      expect(run.results['records-path']).toBe(
        outer.path('.cache/build/notarization-records.jsonl'),
      )
    }
  })

  it('reach outside the workspace, and the artifact then has its absolute path', async () => {
    const service = await startService()
    const workspace = makeRelease({ inside: 'in' })
    const outside = join(workspace.temp, 'built', 'outside.bin')
    mkdirSync(join(workspace.temp, 'built'))
    writeFileSync(outside, 'out')
    const path = `${workspace.temp}/built\n${workspace.path('dist/inside')}`
    const run = await notarize({ service, workspace, inputs: { path } })

    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual([outside, 'dist/inside'])
    expect(checkWithSha256sum(run)).toEqual([`${outside}: OK`, 'dist/inside: OK'])
    checkTraffic(service, { hashes: ['in', 'out'].map(sha256) })
  })

  it('never take the records file, also when it lies among the artifacts', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const inputs = { 'records-path': 'dist/records/kept.jsonl' }
    const first = await notarize({ service, workspace, inputs })
    const second = await notarize({ service, workspace, inputs })

    expect(first.results['records-path']).toBe(workspace.path('dist/records/kept.jsonl'))
    expect(second.results.records?.map(({ artifact }) => artifact)).toEqual(['dist/a'])
    checkTraffic(service, { hashes: [sha256('a')] })
  })
})

describe('the base URL', () => {
  it.each([
    ['a path prefix', '/notary/eu', ''],
    ['a path prefix and slashes at its end', '/notary/eu', '//'],
    ['a slash at its end', '', '/'],
  ])('may have %s', async (_, prefix, slashes) => {
    const service = await startService({ prefix })
    const inputs = { 'base-url': `${service.url}${slashes}` }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    checkTraffic(service, { hashes: [sha256('a')], prefix })
    expect(readLines(run).map(line => line.service)).toEqual([service.url])
  })

  it('has one normal form, so that its spelling registers nothing twice', async () => {
    const service = await startService({ prefix: '/notary' })
    const workspace = makeRelease({ a: 'a' })
    await notarize({ service, workspace })
    const again = service.url.replace('http:', 'HTTP:').replace('127.0.0.1', '127.1')
    const run = await notarize({ service, workspace, inputs: { 'base-url': `${again}/` } })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
    checkTraffic(service, { hashes: [sha256('a')], prefix: '/notary' })
  })
})

describe('the subscription', () => {
  const wide = {
    ...subscription,
    planNickname: 'Größe "L" 🚀',
    extra: { nested: [1.5, null, true, '2'] },
    another: 'field',
  }
  const wideText = JSON.stringify(wide)

  it.each([
    ['JSON', wideText, wideText],
    [
      'JSON with odd spaces',
      ` {"a" : 1.0,  ${wideText.slice(1)} `,
      `{"a" : 1.0,  ${wideText.slice(1)}`,
    ],
    ['base64', Buffer.from(wideText).toString('base64'), wideText],
    ['base64url without padding', Buffer.from(wideText).toString('base64url'), wideText],
  ])('is passed on as %s gave it, unknown fields included', async (_, given, body) => {
    const service = await startService()
    const inputs = { subscription: given }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    const [completion] = service.requests.filter(({ endpoint }) => endpoint === 'completion')
    expect(JSON.parse(completion?.bodyText ?? '')).toEqual(JSON.parse(body))
    checkTraffic(service, { hashes: [sha256('a')], body: completion?.bodyText ?? '' })
    const { sessionId, customer, defaultPaymentMethod, latestInvoice } = subscription
    expect(run.masks).toEqual(
      expect.arrayContaining([sessionId, customer, defaultPaymentMethod, latestInvoice]),
    )
  })

  it.each([
    ['pretty JSON', JSON.stringify(subscription, null, 2)],
    [
      'wrapped base64',
      Buffer.from(subscriptionText).toString('base64').replaceAll(/.{76}/g, '$&\n'),
    ],
  ])('gets a warning when it stands on several lines as %s', async (_, given) => {
    const service = await startService()
    const inputs = { subscription: given }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations).toEqual({
      error: [],
      warning: [expect.stringMatching(/subscription.*several lines.*mask/)],
      notice: [],
    })
    const [completion] = service.requests.filter(({ endpoint }) => endpoint === 'completion')
    expect(JSON.parse(completion?.bodyText ?? '')).toEqual(subscription)
  })

  it('may spell customer as custumer, and it is sent, and kept secret, as customer', async () => {
    const { customer, ...rest } = subscription
    const service = await startService()
    const inputs = { subscription: JSON.stringify({ ...rest, custumer: customer }) }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    const [completion] = service.requests.filter(({ endpoint }) => endpoint === 'completion')
    expect(JSON.parse(completion?.bodyText ?? '')).toEqual(subscription)
    expect(run.annotations.warning).toEqual([])
    expect(run.masks).toContain(customer)
  })

  it('gets one warning for all listed fields that it lacks', async () => {
    const service = await startService({ missingFields: 'accept' })
    const lacking = { ...subscription, planNickname: undefined, latestInvoice: undefined }
    const inputs = { subscription: JSON.stringify(lacking) }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations.warning).toEqual([expect.stringMatching(/planNickname.*latestInvoice/)])
    expect(run.results.verdict).toBe('registered')
  })

  it.each([
    ['cancelled, as an integer', { canceledAt: 1_700_000_001 }, /cancel/i],
    ['cancelled, as a boolean', { canceledAt: true }, /cancel/i],
    ['paused', { status: 'paused' }, /status/],
    ['past its period', { currentPeriodEnd: 1_700_000_002 }, /period/],
  ])('gets a warning when it is %s, and is sent all the same', async (_, changes, warning) => {
    const service = await startService()
    const body = JSON.stringify({ ...subscription, ...changes })
    const inputs = { subscription: body }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations.warning).toEqual([expect.stringMatching(warning)])
    checkTraffic(service, { hashes: [sha256('a')], body })
  })

  it.each([0, false, null])('is not cancelled when canceledAt is %j', async canceledAt => {
    const service = await startService()
    const body = JSON.stringify({ ...subscription, canceledAt })
    const inputs = { subscription: body }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    checkTraffic(service, { hashes: [sha256('a')], body })
  })

  it('without an id gets a notice, as paymentId then is not compared', async () => {
    const service = await startService({ record: () => ({ paymentId: 'sub_of_somebody' }) })
    const body = JSON.stringify({ ...subscription, id: null })
    const inputs = { subscription: body }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations).toEqual({
      error: [],
      warning: [],
      notice: [expect.stringContaining('paymentId')],
    })
    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
  })
})

describe('checksums files', () => {
  const gnuHash = sha256('gnu')
  const binaryHash = sha256('binary')
  const bsdHash = sha256('bsd')

  it('bring artifacts in GNU and BSD form, LF or CRLF, with comments, a BOM and ./ dropped', async () => {
    const service = await startService()
    const workspace = makeWorkspace({
      'sums/gnu.txt': `\ufeff# a comment\n\n${gnuHash}  ./gnu file.bin\n${binaryHash.toUpperCase()} *elsewhere/binary.bin\n`,
      'sums/bsd.txt': `SHA256 (bsd (1).bin) = ${bsdHash}\r\n\r\n# end\r\nSHA256 (..) = ${gnuHash}`,
    })
    const inputs = { path: '', checksums: 'sums/*.txt' }
    const run = await notarize({ service, workspace, inputs })

    expect(
      run.results.records?.map(({ artifact, size, hash }) => ({ artifact, size, hash })),
    ).toEqual([
      { artifact: '..', size: null, hash: gnuHash },
      { artifact: 'bsd (1).bin', size: null, hash: bsdHash },
      { artifact: 'elsewhere/binary.bin', size: null, hash: binaryHash },
      { artifact: 'gnu file.bin', size: null, hash: gnuHash },
    ])
    checkTraffic(service, { hashes: [gnuHash, binaryHash, bsdHash] })
    expect(readLines(run).map(({ size }) => size)).toEqual([null, null, null])
    expect(run.files.readChecksums()).toBe(
      `${gnuHash}  ..\n${bsdHash}  bsd (1).bin\n${binaryHash}  elsewhere/binary.bin\n${gnuHash}  gnu file.bin\n`,
    )
  })

  it('join the files of path; the same name with the same hash is one artifact', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    workspace.write('SHA256SUMS', `${sha256('a')}  dist/a\n${sha256('remote')}  remote.iso\n`)
    const run = await notarize({ service, workspace, inputs: { checksums: 'SHA256SUMS' } })

    expect(run.results.records?.map(({ artifact, size }) => [artifact, size])).toEqual([
      ['dist/a', 1],
      ['dist/b', 1],
      ['remote.iso', null],
    ])
    checkTraffic(service, { hashes: ['a', 'b', 'remote'].map(sha256) })
    const { rows } = readSummary(run.summary)
    expect(rows.map(row => row[2])).toEqual(['1 B', '1 B', '–'])
  })

  it('that this action wrote can be given to it again, names with escapes included', async () => {
    const service = await startService()
    const first = await notarize({
      service,
      workspace: makeRelease({ 'new\nline': '1', 'back\\slash': '2', 'c\rr': '3', plain: '4' }),
    })
    const workspace = makeWorkspace({ SUMS: first.files.readChecksums() ?? '' })
    const other = await startService()
    const inputs = { path: '', checksums: 'SUMS' }
    const second = await notarize({ service: other, workspace, inputs })

    expect(second.files.readChecksums()).toBe(first.files.readChecksums())
    expect(second.results.records?.map(({ artifact }) => artifact)).toEqual(
      first.results.records?.map(({ artifact }) => artifact),
    )
  })
})
