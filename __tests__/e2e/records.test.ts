import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import { job } from '../support/runner-environment.ts'
import {
  checkTraffic,
  makeLine,
  makeRecord,
  makeRelease,
  notarize,
  readLines,
  readSummary,
  sha256,
  startService,
  subscription,
  toJsonLines,
} from './support.ts'

const FILE = 'notarization-records.jsonl'

describe('a second run with the records file of the first', () => {
  it('sends nothing at all, not even a login, and reports the same records', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b', twin: 'a' })
    const first = await notarize({ service, workspace })
    const before = workspace.read(FILE)
    const requestsBefore = service.requests.length
    const connectionsBefore = service.maxConnections

    const second = await notarize({ service, workspace })

    expect(second.exitCode).toBe(0)
    expect(service.requests).toHaveLength(requestsBefore)
    expect(service.maxConnections).toBe(connectionsBefore)
    checkTraffic(service, { hashes: ['a', 'b'].map(sha256) })
    expect(workspace.read(FILE)).toBe(before)
    expect(second.results).toMatchObject({
      verdict: 'registered',
      'artifact-count': 3,
      'registered-count': 3,
      'newly-registered-count': 0,
    })
    expect(second.results.records).toEqual(
      first.results.records?.map(entry => ({ ...entry, from: 'records-file' })),
    )
    expect(readSummary(second.summary).verdict).toMatch(/0 newly registered, 3 known before/)
    expect(second.visibleLog).toContain('registered before: "dist/a"')
  })

  it('needs neither the service nor a valid key when all is known', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    await notarize({ service, workspace })
    await service.close()
    const run = await notarize({
      service,
      workspace,
      inputs: { 'api-key': 'key_revoked_meanwhile' },
    })

    expect(run.results.verdict).toBe('registered')
  })

  it('registers what is new, and tells it from what was known', async () => {
    const service = await startService()
    const workspace = makeRelease({ b: 'old' })
    await notarize({ service, workspace })
    workspace.write('dist/a', 'new')
    workspace.write('dist/c', 'new too')
    const run = await notarize({ service, workspace })

    checkMixed(run.results.records ?? [])
    expect(run.results).toMatchObject({
      'artifact-count': 3,
      'registered-count': 3,
      'newly-registered-count': 2,
    })
    expect(readSummary(run.summary).verdict).toMatch(/2 newly registered, 1 known before/)
    expect(readLines(run).map(({ artifact }) => artifact)[0]).toBe('dist/b')
    expect(readLines(run)).toHaveLength(3)
    expect([...service.completionCounts.values()]).toEqual([1, 1, 1])
    expect(service.requests.filter(({ endpoint }) => endpoint === 'login')).toHaveLength(2)
  })

  function checkMixed(
    records: readonly { readonly artifact: string; readonly from: string }[],
  ): void {
    expect(records.map(({ artifact, from }) => [artifact, from])).toEqual([
      ['dist/a', 'this-run'],
      ['dist/b', 'records-file'],
      ['dist/c', 'this-run'],
    ])
  }

  it('knows a hash under another name, and adds no line for the new name', async () => {
    const service = await startService()
    const workspace = makeRelease({ old: 'same' })
    await notarize({ service, workspace })
    const before = workspace.read(FILE)
    workspace.write('renamed/new', 'same')
    const run = await notarize({ service, workspace, inputs: { path: 'renamed' } })

    expect(workspace.read(FILE)).toBe(before)
    expect(run.results.records).toMatchObject([{ artifact: 'renamed/new', from: 'records-file' }])
    checkTraffic(service, { hashes: [sha256('same')] })
  })

  it('registers a file that changed, and keeps the record of the old content', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'one' })
    await notarize({ service, workspace })
    workspace.write('dist/a', 'two')
    const run = await notarize({ service, workspace })

    expect(run.results.records).toMatchObject([{ hash: sha256('two'), from: 'this-run' }])
    expect(readLines(run).map(({ artifact, hash }) => [artifact, hash])).toEqual([
      ['dist/a', sha256('one')],
      ['dist/a', sha256('two')],
    ])
  })

  it('does not compare paymentId: the subscription may be another by now', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a')]))
    const run = await notarize({ service, workspace })

    expect(run.results.records).toMatchObject([
      { from: 'records-file', record: { paymentId: 'sub_of_an_earlier_period' } },
    ])
    checkTraffic(service, { hashes: [] })
  })

  it('after a partial failure sends only what failed', async () => {
    const service = await startService({ requested: [sha256('a')] })
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const first = await notarize({ service, workspace })
    service.request(sha256('b'))
    const second = await notarize({ service, workspace })

    expect(first.results.verdict).toBe('partial')
    expect(second.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
    expect([...service.completionCounts]).toEqual([
      [sha256('a'), 1],
      [sha256('b'), 1],
    ])
  })
})

describe('the records file', () => {
  it('may lie in a folder that is missing, or outside the workspace', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const outside = join(workspace.temp, 'cache', 'records.jsonl')
    const inside = 'some/new/folder/records.jsonl'
    const one = await notarize({
      service,
      workspace,
      inputs: { 'records-path': inside, path: 'dist/a' },
    })
    const two = await notarize({
      service,
      workspace,
      inputs: { 'records-path': outside, path: 'dist/b' },
    })

    expect(one.results['records-path']).toBe(workspace.path(inside))
    expect(readLines(one)).toHaveLength(1)
    expect(two.results['records-path']).toBe(outside)
    expect(readLines(two)).toHaveLength(1)
    expect(workspace.exists(FILE)).toBe(false)
  })

  it('is only appended to: what was there stays byte for byte', async () => {
    const service = await startService()
    const workspace = makeRelease({ known: 'known', new: 'new' })
    // Fields that this version does not know, and spaces of another writer.
    const before = `${JSON.stringify({ ...makeLine(service.url, 'known'), added: { later: 1 } }).replace('{', '{ ')}\n`
    workspace.write(FILE, before)
    const run = await notarize({ service, workspace })

    expect(run.results.verdict).toBe('registered')
    const text = workspace.read(FILE)
    expect(text.startsWith(before)).toBe(true)
    expect(text.slice(before.length).split('\n')).toHaveLength(2)
    expect(text.slice(before.length)).toContain(sha256('new'))
  })

  it('may be the concatenation of those of several jobs, the same hash in each', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const lines = ['a', 'b', 'a', 'b'].map(content => makeLine(service.url, content))
    workspace.write(FILE, toJsonLines(lines))
    const run = await notarize({ service, workspace })

    expect(run.results).toMatchObject({ 'registered-count': 2, 'newly-registered-count': 0 })
    checkTraffic(service, { hashes: [] })
  })

  it('may be empty', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, '')
    const run = await notarize({ service, workspace })

    expect(run.results['newly-registered-count']).toBe(1)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  it('of another service does not count, and keeps its lines', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const lines = [
      makeLine('https://notary.example', 'a'),
      makeLine(`${service.url}/eu`, 'a'),
      makeLine(service.url.replace('http:', 'https:'), 'a'),
    ]
    workspace.write(FILE, toJsonLines(lines))
    const run = await notarize({ service, workspace })

    checkTraffic(service, { hashes: [sha256('a')] })
    expect(run.results.records).toMatchObject([{ from: 'this-run' }])
    expect(readLines(run).map(line => line.service)).toEqual([
      ...lines.map(line => line.service),
      service.url,
    ])
  })

  it('names in each line the commit and the run that it was made for', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    await notarize({ service, workspace })
    workspace.write('dist/b', 'b')
    const source = {
      repository: 'octo/other',
      sha: 'f'.repeat(40),
      ref: 'refs/pull/7/merge',
      runId: '99',
      runAttempt: '2',
    }
    const env = {
      GITHUB_REPOSITORY: source.repository,
      GITHUB_SHA: source.sha,
      GITHUB_REF: source.ref,
      GITHUB_RUN_ID: source.runId,
      GITHUB_RUN_ATTEMPT: source.runAttempt,
    }
    const run = await notarize({ service, workspace, env })

    const { repository, sha, ref, runId, runAttempt } = job
    expect(readLines(run).map(line => line.source)).toMatchObject([
      { repository, sha, ref, runId, runAttempt },
      source,
    ])
  })
})

describe('a last line that is not whole', () => {
  it('is cut off with a warning when it does not parse, and its artifact is registered again', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const whole = toJsonLines([makeLine(service.url, 'a')])
    const torn = JSON.stringify(makeLine(service.url, 'b')).slice(0, -20)
    workspace.write(FILE, whole + torn)
    const run = await notarize({ service, workspace })

    expect(run.exitCode).toBe(0)
    expect(run.annotations.warning).toEqual([expect.stringMatching(/torn|cut/)])
    expect(run.annotations.warning[0]).toContain(FILE)
    checkTraffic(service, { hashes: [sha256('b')] })
    expect(workspace.read(FILE).startsWith(whole)).toBe(true)
    expect(readLines(run).map(({ hash }) => hash)).toEqual(['a', 'b'].map(sha256))
  })

  it('is cut off also where all is known, so that the file is whole again', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const whole = toJsonLines([makeLine(service.url, 'a')])
    workspace.write(FILE, `${whole}{"artifact":"\u{1f680}`)
    const run = await notarize({ service, workspace })

    expect(run.annotations.warning).toHaveLength(1)
    expect(workspace.read(FILE)).toBe(whole)
    checkTraffic(service, { hashes: [] })
  })

  it('is kept and gets its newline when it parses', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const open = toJsonLines([makeLine(service.url, 'a')]).trimEnd()
    workspace.write(FILE, open)
    const run = await notarize({ service, workspace })

    expect(run.annotations.warning).toEqual([])
    checkTraffic(service, { hashes: [sha256('b')] })
    expect(workspace.read(FILE).startsWith(`${open}\n`)).toBe(true)
    expect(readLines(run)).toHaveLength(2)
  })

  it('is kept and gets its newline also where nothing is left to register', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const open = toJsonLines([makeLine(service.url, 'a')]).trimEnd()
    workspace.write(FILE, open)
    await notarize({ service, workspace })

    checkTraffic(service, { hashes: [] })
    expect(workspace.read(FILE)).toBe(`${open}\n`)
  })
})

describe('a damaged records file', () => {
  const good = makeLine('https://notary.example', 'good')
  const line = JSON.stringify(good)
  const hash = good.hash
  const withRecord = (changes: Record<string, unknown>): string =>
    JSON.stringify({ ...good, record: { ...makeRecord(hash), ...changes } })
  const without = (field: string): string =>
    JSON.stringify(Object.fromEntries(Object.entries(good).filter(([name]) => name !== field)))

  it.each([
    ['a torn line inside', `${line}\n${line.slice(0, 40)}${line}\n${line}\n`, 2],
    ['a last line that is whole but no JSON', `${line}\n${line.slice(0, 40)}\n`, 2],
    ['an empty line', `${line}\n\n${line}\n`, 2],
    ['a conflict of a merge', `<<<<<<< HEAD\n${line}\n=======\n${line}\n>>>>>>> main\n`, 1],
    ['an array', `${line}\n[]\n`, 2],
    ['null', 'null\n', 1],
    ['an object without fields', `${line}\n${line}\n{}\n`, 3],
    ['an open last line of the wrong shape', `${line}\n{"artifact":"a"}`, 2],
    ['a line without problems', `${without('problems')}\n`, 1],
    ['a line without service', `${without('service')}\n`, 1],
    ['a line without record', `${without('record')}\n`, 1],
    ['a line without source', `${without('source')}\n`, 1],
    ['a hash that is none', `${JSON.stringify({ ...good, hash: 'abc' })}\n`, 1],
    ['problems that are no strings', `${JSON.stringify({ ...good, problems: [1] })}\n`, 1],
    ['a size below 0', `${JSON.stringify({ ...good, size: -1 })}\n`, 1],
    ['a record for another hash', `${withRecord({ hash: sha256('x') })}\n`, 1],
    ['a record in custody', `${line}\n${withRecord({ custody: true })}\n`, 2],
    ['a record that is signed', `${withRecord({ signed: true })}\n`, 1],
    ['a record of another status', `${withRecord({ status: 'not_registered' })}\n`, 1],
    ['a record without paymentId', `${withRecord({ paymentId: undefined })}\n`, 1],
    ['a record with a field of the wrong type', `${withRecord({ tags: 'none' })}\n`, 1],
    ['an open last line with a wrong record', withRecord({ custody: true }), 1],
  ])('with %s stops the run, names the line, and stays byte for byte', async (_, text, at) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, text)
    const before = statSync(workspace.path(FILE))
    const run = await notarize({ service, workspace })

    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toHaveLength(1)
    expect(run.annotations.error[0]).toContain(FILE)
    expect(run.annotations.error[0]).toMatch(new RegExp(`line ${at}\\b`))
    expect(workspace.read(FILE)).toBe(text)
    expect(statSync(workspace.path(FILE)).mtimeMs).toBe(before.mtimeMs)
    checkTraffic(service, { hashes: [] })
    expect(service.maxConnections).toBe(0)
  })

  it('that is not UTF-8 inside stops the run as well', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const bytes = Buffer.concat([
      Buffer.from(line.replace('dist/good', 'dist/g')),
      Buffer.from('\n'),
    ])
    bytes[bytes.indexOf('dist/g')] = 0xff
    workspace.write(FILE, bytes)
    const run = await notarize({ service, workspace })

    expect(run.annotations.error).toEqual([expect.stringMatching(/line 1\b/)])
    checkTraffic(service, { hashes: [] })
  })

  it.each([
    ['a folder', 'mkdir'],
    ['a FIFO', 'mkfifo'],
  ])('that is %s stops the run without waiting', async (_, command) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    expect(spawnSync(command, [workspace.path(FILE)]).status).toBe(0)
    const run = await notarize({ service, workspace })

    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(/records-path/)])
    checkTraffic(service, { hashes: [] })
  })
})

describe('an answer that contradicts its request', () => {
  it('is kept with its problems, reported as unknown, and never sent again', async () => {
    const wrong = sha256('wrong')
    const service = await startService({
      record: hash => (hash === wrong ? { custody: true } : {}),
      repeat: 'accept',
    })
    const workspace = makeRelease({ right: 'right', wrong: 'wrong' })
    const first = await notarize({ service, workspace })

    expect(first.results.verdict).toBe('partial')
    expect(first.results.failures).toEqual([
      {
        artifact: 'dist/wrong',
        size: 5,
        hash: wrong,
        code: 'record-mismatch',
        registered: 'unknown',
        message: expect.stringContaining('custody'),
      },
    ])
    expect(first.annotations.error[0]).toMatch(/1 of 2 .*dist\/wrong.*record-mismatch/)
    const kept = readLines(first).filter(({ hash }) => hash === wrong)
    expect(kept).toMatchObject([{ record: { custody: true }, artifact: 'dist/wrong' }])
    expect(kept[0]?.problems).toEqual([expect.stringContaining('custody')])
    expect(readSummary(first.summary).rows[0]?.[0]).toMatch(/may be registered/)
    const text = workspace.read(FILE)

    const second = await notarize({ service, workspace })

    expect(workspace.read(FILE)).toBe(text)
    checkTraffic(service, { hashes: ['right', 'wrong'].map(sha256) })
    expect(second.results).toMatchObject({
      verdict: 'partial',
      failures: [{ artifact: 'dist/wrong', code: 'record-mismatch', registered: 'unknown' }],
      'newly-registered-count': 0,
      'registered-count': 1,
    })
    const at = text.split('\n').findIndex(line => line.includes(wrong)) + 1
    expect(second.results.failures[0]?.message).toMatch(new RegExp(`remove line ${at}\\b`))
    expect(second.results.failures[0]?.message).toContain(FILE)

    const withoutLine = text.split('\n').filter(line => !line.includes(wrong))
    workspace.write(FILE, withoutLine.join('\n'))
    await notarize({ service, workspace })
    expect(service.completionCounts.get(wrong)).toBe(2)
  })

  it.each([
    ['another hash', { hash: sha256('another') }, /hash/],
    ['a signature', { signed: true }, /signed/],
    ['another status', { status: 'not_registered' }, /status/],
    ['another paymentId', { paymentId: 'sub_of_somebody' }, /paymentId/],
    ['no custody', { custody: undefined }, /custody/],
    ['custody as text', { custody: 'false' }, /custody/],
    ['no paymentId', { paymentId: undefined }, /paymentId/],
    ['a listed field of the wrong type', { creationDate: '2026-01-01' }, /creationDate/],
  ])('because of %s is a record-mismatch', async (_, changes, problem) => {
    const service = await startService({ record: () => changes })
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }) })

    expect(run.results).toMatchObject({
      verdict: 'failed',
      failures: [{ code: 'record-mismatch', registered: 'unknown' }],
    })
    expect(readLines(run)[0]?.problems).toEqual([expect.stringMatching(problem)])
    checkTraffic(service, { hashes: [sha256('a')] })
  })

  it.each([
    ['a hash in upper case', (hash: string) => ({ hash: hash.toUpperCase() })],
    ['null where a field may be missing', () => ({ tags: null, creationDate: null, userId: null })],
    [
      'fields missing that may be',
      () => ({ tags: undefined, holder: undefined, userId: undefined }),
    ],
    ['fields that nobody listed', () => ({ receipt: { url: 'x' }, payload: [1, { a: null }] })],
  ])('is not what a record with %s is', async (_, record) => {
    const service = await startService({ record })
    const workspace = makeRelease({ a: 'a' })
    const first = await notarize({ service, workspace })
    const second = await notarize({ service, workspace })

    expect(first.results.verdict).toBe('registered')
    expect(second.results.verdict).toBe('registered')
    const [answered] = [...service.registered.values()]
    expect(first.results.records?.[0]?.record).toEqual(JSON.parse(JSON.stringify(answered)))
    checkTraffic(service, { hashes: [sha256('a')] })
  })

  it('is outweighed by a line without problems for the same hash, whichever comes first', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const bad = (content: string) =>
      makeLine(service.url, content, {
        problems: ['custody is true'],
        record: { ...makeRecord(sha256(content)), custody: true },
      })
    const lines = [bad('a'), makeLine(service.url, 'a'), makeLine(service.url, 'b'), bad('b')]
    workspace.write(FILE, toJsonLines(lines))
    const run = await notarize({ service, workspace })

    expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 2 })
    checkTraffic(service, { hashes: [] })
  })

  it('is kept whatever the problems in its line say, for the artifacts of every name', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'same', b: 'same' })
    const problems = ['::error::forged', '##[error]forged', '<b>bold</b>\n| x |']
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'same', { problems })]))
    const run = await notarize({ service, workspace })

    expect(run.results.failures.map(({ artifact, code }) => [artifact, code])).toEqual([
      ['dist/a', 'record-mismatch'],
      ['dist/b', 'record-mismatch'],
    ])
    checkTraffic(service, { hashes: [] })
  })
})

describe('a secret that the service echoes', () => {
  it('is replaced in line and output, and its place is listed', async () => {
    const service = await startService({
      record: () => ({
        description: `paid by ${subscription.customer}`,
        payload: { session: [subscription.sessionId], fine: subscription.id },
      }),
    })
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace })

    const clean = {
      description: 'paid by ***',
      payload: { session: ['***'], fine: subscription.id },
    }
    const redacted = ['/description', '/payload/session/0']
    expect(run.results.records).toMatchObject([{ record: clean, redacted }])
    expect(readLines(run)).toMatchObject([{ record: clean, redacted, problems: [] }])

    const second = await notarize({ service, workspace })
    expect(second.results.records).toMatchObject([
      { record: clean, redacted, from: 'records-file' },
    ])
  })

  it('is not told with a refusal either', async () => {
    const echo = `no such customer ${subscription.customer}; token was `
    const service = await startService({
      faults: ({ endpoint, headers }) =>
        endpoint === 'completion'
          ? statusFault(404, { body: { error: echo + (headers.authorization ?? '') } })
          : undefined,
    })
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }) })

    expect(run.results.failures).toMatchObject([{ code: 'refused', registered: 'no' }])
    expect(run.results.failures[0]?.message).toContain('no such customer ***')
  })
})
