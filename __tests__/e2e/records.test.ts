/** What a records file means for the next run, whole or not. What a failing disk does to it is in records-file.test.ts. */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import {
  checkStopped,
  checkTraffic,
  makeLine,
  makeRecord,
  makeRelease,
  makeStateLine,
  notarize,
  readLines,
  readStateLines,
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
    const connectionsBefore = service.maxConnections
    workspace.write('renamed', 'b')

    const inputs = { path: 'dist\nrenamed', 'api-key': 'key_revoked_meanwhile' }
    const second = await notarize({ service, workspace, inputs })

    checkTraffic(service, { hashes: ['a', 'b'].map(sha256) })
    expect(service.maxConnections).toBe(connectionsBefore)
    // A hash is known under any name, and no line is added for a new one.
    expect(workspace.read(FILE)).toBe(before)
    expect(second.results).toMatchObject({
      verdict: 'registered',
      'registered-count': 4,
      'newly-registered-count': 0,
    })
    const [a, b, twin] = first.results.records ?? []
    expect(second.results.records).toEqual(
      [a, b, twin, { ...b, artifact: 'renamed' }].map(one => ({ ...one, from: 'records-file' })),
    )
    expect(readSummary(second.summary).verdict).toMatch(/0 newly registered, 4 known before/)
    expect(second.visibleLog).toContain('registered before: "dist/a"')
  })

  it('registers what is new, and tells it from what was known', async () => {
    const service = await startService()
    const workspace = makeRelease({ b: 'old', changed: 'one' })
    await notarize({ service, workspace })
    for (const name of ['a', 'c', 'changed']) workspace.write(`dist/${name}`, `new ${name}`)
    const run = await notarize({ service, workspace })

    expect(run.results.records?.map(({ artifact, hash, from }) => [artifact, hash, from])).toEqual([
      ['dist/a', sha256('new a'), 'this-run'],
      ['dist/b', sha256('old'), 'records-file'],
      ['dist/c', sha256('new c'), 'this-run'],
      ['dist/changed', sha256('new changed'), 'this-run'],
    ])
    expect(readSummary(run.summary).verdict).toMatch(/3 newly registered, 1 known before/)
    // The record of the old content stays.
    expect(readLines(run).map(({ hash }) => hash)).toContain(sha256('one'))
    expect([...service.completionCounts.values()]).toEqual([1, 1, 1, 1, 1])
  })

  it('after a partial failure sends only what failed, and has settled what was refused', async () => {
    const service = await startService({ requested: [sha256('a')] })
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const first = await notarize({ service, workspace })
    const states = readStateLines(first).filter(({ hash }) => hash === sha256('b'))
    service.request(sha256('b'))
    const second = await notarize({ service, workspace })

    expect(first.results.verdict).toBe('partial')
    const [sent, settled, ...more] = states
    expect(more).toEqual([])
    expect(sent?.state).toBe('sent')
    expect(settled).toEqual({ ...sent, state: 'not-registered' })
    expect(second.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
    expect([...service.completionCounts.values()]).toEqual([1, 1])
    expect(second.annotations).toEqual({ error: [], warning: [], notice: [] })
  })
})

describe('a later attempt of a run', () => {
  const env = { GITHUB_RUN_ATTEMPT: '2' }
  const ofRun = (runId: string, runAttempt: string) => ({
    source: { ...makeLine('', '').source, runId, runAttempt },
  })
  const warned = [expect.stringMatching(/attempt 2.*paid again.*attach-to-release.*cache/)]

  it.each([
    { what: 'no records file', line: null, warning: warned },
    { what: 'no line of this run', line: ofRun('1', '1'), warning: warned },
    { what: 'a line of this attempt alone', line: ofRun(job.runId, '2'), warning: warned },
    { what: 'a line of an earlier attempt', line: ofRun(job.runId, '1'), warning: [] },
    { what: 'no such line in a dry run', line: null, dryRun: 'true', warning: warned },
    { what: 'nothing left to register', line: ofRun('1', '1'), files: {}, warning: [] },
  ])('that finds $what is warned as it must be', async scenario => {
    const { line, warning, dryRun = 'false', files = { b: 'b' } } = scenario
    const service = await startService()
    const workspace = makeRelease({ a: 'a', ...files })
    if (line !== null) workspace.write(FILE, toJsonLines([makeLine(service.url, 'a', line)]))
    const run = await notarize({ service, workspace, env, inputs: { 'dry-run': dryRun } })

    expect(run.exitCode).toBe(0)
    expect(run.annotations.warning).toEqual(warning)
    // Who reads the summary alone must know it, too.
    expect(run.summary.includes('would be paid again')).toBe(warning.length > 0)
  })
})

describe('an open hash', () => {
  const earlier = (url: string, changes = {}) => toJsonLines([makeStateLine(url, 'a', changes)])

  it('is sent again, counted apart, and may have been charged more than once', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    workspace.write(FILE, earlier(service.url))
    const dry = await notarize({ service, workspace, inputs: { 'dry-run': 'true' } })
    const run = await notarize({ service, workspace })
    const next = await notarize({ service, workspace })

    expect(readSummary(dry.summary).verdict).toMatch(/2 of 2 .*\(1 may have been registered by an/)
    expect(run.visibleLog).toContain('1 of them may have been registered by an earlier run')
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/^1 artifact is registered, but may have been charged more than once/),
    ])
    for (const { records } of [run.results, next.results]) {
      expect(records?.map(({ unansweredTries }) => unansweredTries)).toEqual([1, undefined])
    }
    expect(run.visibleLog).toContain('registered, may have been charged more than once: "dist/a"')
    expect(readSummary(run.summary).rows[0]?.[0]).toMatch(/may have been charged more than once/)
    checkTraffic(service, { hashes: ['a', 'b'].map(sha256) })
  })

  it('that is refused now may be registered all the same, and the reader learns by which run', async () => {
    const service = await startService({ requested: [] })
    const workspace = makeRelease({ a: 'a', b: 'b' })
    workspace.write(FILE, earlier(service.url))
    const run = await notarize({ service, workspace })

    expect(run.results.failures).toMatchObject([
      { artifact: 'dist/a', code: 'refused', registered: 'unknown' },
      { artifact: 'dist/b', code: 'refused', registered: 'no' },
    ])
    expect(run.results.failures[0]?.message).toMatch(
      /2026-01-01T00:00:00\.000Z.*https:\/\/github\.com\/octo\/app\/actions\/runs\/1\/attempts\/1/,
    )
    // Neither settled nor forgotten: one more line says that it was sent again.
    const states = readStateLines(run).filter(({ hash }) => hash === sha256('a'))
    expect(states.map(({ state }) => state)).toEqual(expect.arrayContaining(['sent', 'sent']))
  })

  it.each([
    { what: 'another service', changes: { service: 'https://other.example' } },
    { what: 'a hash that was settled', settled: true },
  ])('is not one of $what', async ({ changes = {}, settled = false }) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const rest = settled ? earlier(service.url, { state: 'not-registered' }) : ''
    workspace.write(FILE, `${earlier(service.url, changes)}${rest}`)
    const run = await notarize({ service, workspace })

    expect(run.annotations.warning).toEqual([])
    expect(run.results.records).toMatchObject([{ artifact: 'dist/a', from: 'this-run' }])
    expect(run.results.records?.[0]).not.toHaveProperty('unansweredTries')
  })

  it('is not sent with retry-unanswered: false, until a person settles it as the message says', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(
      FILE,
      earlier(service.url) + earlier(service.url, { at: '2026-01-02T00:00:00.000Z' }),
    )
    const inputs = { 'retry-unanswered': 'false', 'max-registrations': '0' }
    const run = await notarize({ service, workspace, inputs })

    checkTraffic(service, { hashes: [] })
    expect(run.results.failures).toMatchObject([{ code: 'unavailable', registered: 'unknown' }])
    expect(run.results.failures[0]?.message).toContain(`remove lines 1, 2 of "${FILE}"`)

    workspace.write(FILE, '')
    const again = await notarize({ service, workspace, inputs: { 'retry-unanswered': 'false' } })
    expect(again.results.verdict).toBe('registered')
    checkTraffic(service, { hashes: [sha256('a')] })
  })
})

describe('the records file', () => {
  it('may lie in a folder that is missing, or outside the workspace', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const outside = join(workspace.temp, 'cache', 'records.jsonl')
    for (const [name, path] of [
      ['a', 'some/new/folder/records.jsonl'],
      ['b', outside],
    ] as const) {
      const inputs = { 'records-path': path, path: `dist/${name}` }
      const run = await notarize({ service, workspace, inputs })

      expect(run.results['records-path']).toBe(workspace.path(path))
      expect(readLines(run).map(({ artifact }) => artifact)).toEqual([`dist/${name}`])
    }
    expect(workspace.exists(FILE)).toBe(false)
  })

  it('is only appended to: what was there stays byte for byte', async () => {
    const service = await startService()
    const workspace = makeRelease({ known: 'known', new: 'new' })
    // Fields that this version does not know, and spaces of another writer.
    const before = `${JSON.stringify({ ...makeLine(service.url, 'known'), added: { later: 1 } }).replace('{', '{ ')}\n`
    workspace.write(FILE, before)
    const inputs = { 'show-summary': 'false' }
    await notarize({ service, workspace, inputs })

    const text = workspace.read(FILE)
    expect(text.startsWith(before)).toBe(true)
    const added = text.slice(before.length).trimEnd().split('\n')
    expect(added).toEqual([expect.stringContaining('"sent"'), expect.stringContaining('"record"')])
  })

  it('may be the concatenation of those of several jobs, and counts a hash once', async () => {
    const service = await startService()
    const { url } = service
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c', d: 'd', e: 'e' })
    const wrong = makeLine(url, 'c', { problems: ['custody is true, not false'] })
    const sent = makeStateLine(url, 'e')
    const text = toJsonLines([
      ...[makeLine(url, 'a', { hash: sha256('a').toUpperCase() }), makeLine(url, 'a')],
      // Other services, be it by a prefix or by the protocol.
      makeLine('https://other.example', 'b'),
      ...[makeLine(`${url}/eu`, 'b'), makeLine(url.replace('http:', 'https:'), 'b')],
      ...[wrong, makeStateLine(url, 'c'), wrong, makeLine('https://other.example', 'c')],
      // A record without problems outweighs the others, whichever comes first.
      ...[makeLine(url, 'd', { problems: ['odd'] }), makeLine(url, 'd')],
      ...[sent, makeLine(url, 'e'), sent, makeLine(url, 'e', { problems: ['odd'] })],
    ])
    workspace.write(FILE, text)

    const run = await notarize({ service, workspace })

    checkTraffic(service, { hashes: [sha256('b')] })
    expect(run.results).toMatchObject({
      verdict: 'partial',
      records: ['a', 'b', 'd', 'e'].map(name => ({
        artifact: `dist/${name}`,
        from: name === 'b' ? 'this-run' : 'records-file',
      })),
      failures: [{ artifact: 'dist/c', code: 'record-mismatch', registered: 'unknown' }],
    })
    expect(run.results.failures[0]?.message).toContain(`remove lines 6, 7, 8 of "${FILE}"`)
    expect(workspace.read(FILE).startsWith(text)).toBe(true)
  })

  it('may be empty', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write(FILE, '')
    const run = await notarize({ service, workspace })

    expect(run.results['newly-registered-count']).toBe(1)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  it('does not have its paymentId compared, as the subscription may be another by now', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const record = makeRecord(sha256('a'), { paymentId: 'sub_of_an_earlier_period' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a', { record })]))
    const run = await notarize({ service, workspace })

    expect(run.results.records).toMatchObject([{ from: 'records-file', record }])
  })

  it('names in each line the commit and the run that it was made for', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    await notarize({ service, workspace })
    workspace.write('dist/b', 'b')
    const other = {
      ...{ repository: 'octo/other', sha: 'f'.repeat(40), ref: 'refs/pull/7/merge' },
      ...{ runId: '99', runAttempt: '1' },
    }
    const env = {
      GITHUB_REPOSITORY: other.repository,
      GITHUB_SHA: other.sha,
      GITHUB_REF: other.ref,
      GITHUB_RUN_ID: other.runId,
      GITHUB_RUN_ATTEMPT: other.runAttempt,
    }
    const run = await notarize({ service, workspace, env })

    const { repository, sha, ref, runId, runAttempt } = job
    for (const lines of [readLines(run), readStateLines(run)]) {
      expect(lines.map(line => line.source)).toMatchObject([
        { repository, sha, ref, runId, runAttempt },
        other,
      ])
    }
  })
})

describe('a last line without its newline', () => {
  const lineOf = (url: string, content: string): string => JSON.stringify(makeLine(url, content))

  it.each([
    { what: 'the first byte of a line', cut: () => '{' },
    { what: 'half a letter', cut: () => Buffer.from('{"artifact":"漢').subarray(0, -1) },
    { what: 'a line of 1 MB', cut: () => `{"artifact":"${'x'.repeat(1_000_000)}` },
    {
      what: 'all of a line but its last byte',
      cut: (url: string) => lineOf(url, 'b').slice(0, -1),
    },
    {
      what: 'a part of a state line',
      cut: (url: string) => JSON.stringify(makeStateLine(url, 'b')).slice(0, -9),
    },
  ])('is an incomplete write and cut off when it is $what', async ({ cut }) => {
    const service = await startService()
    const whole = `${lineOf(service.url, 'a')}\n`
    const text = Buffer.concat([Buffer.from(whole), Buffer.from(cut(service.url))])
    // Also where nothing is left to register, so that the file is whole again.
    const known = makeRelease({ a: 'a' })
    known.write(FILE, text)
    const nothing = await notarize({ service, workspace: known })
    const workspace = makeRelease({ a: 'a', b: 'b' })
    workspace.write(FILE, text)
    const run = await notarize({ service, workspace })

    const warning = [
      expect.stringMatching(/last line of ".*notarization-records.jsonl" is incomplete/),
    ]
    for (const one of [nothing, run]) expect(one.annotations.warning).toEqual(warning)
    expect(known.read(FILE)).toBe(whole)
    expect(workspace.read(FILE).startsWith(whole)).toBe(true)
    expect(readLines(run).map(({ hash }) => hash)).toEqual(['a', 'b'].map(sha256))
    checkTraffic(service, { hashes: [sha256('b')] })
  })

  it.each([{ a: 'a' }, { a: 'a', b: 'b' }])('that parses counts and gets it: %j', async files => {
    const service = await startService()
    const workspace = makeRelease(files)
    const open = lineOf(service.url, 'a')
    workspace.write(FILE, open)
    const run = await notarize({ service, workspace })

    expect(run.annotations.warning).toEqual([])
    checkTraffic(service, { hashes: Object.keys(files).slice(1).map(sha256) })
    expect(workspace.read(FILE).startsWith(`${open}\n`)).toBe(true)
    expect(readLines(run)).toHaveLength(Object.keys(files).length)
  })
})

describe('a records file that stops the run and stays byte for byte', () => {
  const good = makeLine('https://notary.example', 'good')
  const line = JSON.stringify(good)
  const withRecord = (changes: Record<string, unknown>, more = {}): string =>
    JSON.stringify({ ...good, record: makeRecord(good.hash, changes), ...more })

  it.each([
    ['holds an incomplete line inside', `${line}\n${line.slice(0, 40)}${line}\n${line}\n`, 2],
    ['holds two lines in one', `${line}${line}\n`, 1],
    ['has a last line that is whole but no JSON', `${line}\n${line.slice(0, 40)}\n`, 2],
    ['holds a conflict of a merge', `<<<<<<< HEAD\n${line}\n=======\n${line}\n>>>>>>> main\n`, 1],
    ['holds JSON of another form', `${line}\n${line}\n{}\n`, 3],
    ['is not UTF-8', Buffer.from(`${line.replace('dist/g', 'dist/\xff')}\n`, 'latin1'), 1],
    ['holds a record for another hash', `${withRecord({ hash: sha256('x') })}\n`, 1],
    ['ends in a record that breaks the rules', `${line}\n${withRecord({ custody: true })}`, 2],
    ['hides a wrong status', `${withRecord({ status: 'x' }, { redacted: ['/status'] })}\n`, 1],
    [
      'holds a state that is none',
      `${JSON.stringify({ ...good, record: undefined, state: 'x' })}\n`,
      1,
    ],
    ['ends in the zeros of a crash', `${line}\n${'\0'.repeat(700)}`, 2],
    ['is a text of somebody else', 'the notes of the release', 1],
    ['is another JSON of somebody else', '{"name":"app","vers', 1],
    ['is a program of somebody else', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), 1],
  ])('because it %s, also behind a link', async (_, text, at) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write('elsewhere', text)
    symlinkSync('elsewhere', workspace.path(FILE))
    const before = statSync(workspace.path(FILE)).mtimeMs
    const run = await notarize({ service, workspace })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([
      expect.stringMatching(new RegExp(`^input "records-path".*"${FILE}", line ${at}\\b`)),
    ])
    expect(readFileSync(workspace.path('elsewhere'))).toEqual(Buffer.from(text))
    expect(statSync(workspace.path(FILE)).mtimeMs).toBe(before)
  })

  it.each([
    ['a folder', 'mkdir'],
    ['a FIFO', 'mkfifo'],
  ])('or as it is: %s, without waiting', async (_, command) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    expect(spawnSync(command, [workspace.path(FILE)]).status).toBe(0)
    const run = await notarize({ service, workspace })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/"records-path"/)])
  })
})

describe('an answer that contradicts its request', () => {
  it('is kept with its problems, reported as unknown, and never sent again until its lines are removed', async () => {
    const wrong = sha256('wrong')
    const service = await startService({
      record: hash => (hash === wrong ? { custody: true } : {}),
      repeat: 'accept',
    })
    const workspace = makeRelease({ right: 'right', wrong: 'wrong', twin: 'wrong' })
    const first = await notarize({ service, workspace })

    const failures = ['dist/twin', 'dist/wrong'].map(artifact => ({
      ...{ artifact, size: 5, hash: wrong, code: 'record-mismatch', registered: 'unknown' },
      message: expect.stringContaining('custody'),
    }))
    expect(first.results).toMatchObject({ verdict: 'partial', failures })
    expect(first.annotations.error[0]).toMatch(/2 of 3 .*dist\/twin.*record-mismatch/)
    const kept = readLines(first).filter(({ hash }) => hash === wrong)
    expect(kept).toMatchObject([
      { record: { custody: true }, problems: [expect.stringContaining('custody')] },
    ])
    expect(readSummary(first.summary).rows[0]?.[0]).toMatch(/may be registered/)
    const text = workspace.read(FILE)

    const second = await notarize({ service, workspace })

    expect(workspace.read(FILE)).toBe(text)
    checkTraffic(service, { hashes: ['right', 'wrong'].map(sha256) })
    expect(second.results).toMatchObject({ verdict: 'partial', failures, 'registered-count': 1 })
    const lines = text.split('\n')
    const numbers = lines.flatMap((line, at) => (line.includes(wrong) ? [at + 1] : []))
    for (const run of [second.results.failures[0]?.message, second.summary]) {
      expect(run).toMatch(new RegExp(`remove lines ${numbers.join(', ')} of .*${FILE}`))
      // To run the job again alone would change nothing.
      expect(run).not.toMatch(/run the job again with the same records file/)
    }

    workspace.write(FILE, lines.filter(line => !line.includes(wrong)).join('\n'))
    await notarize({ service, workspace })
    expect(service.completionCounts.get(wrong)).toBe(2)
  })

  it.each([
    ['another hash', { hash: sha256('another') }, /hash/],
    ['a signature', { signed: true }, /signed/],
    ['another status', { status: 'not_registered' }, /status/],
    ['another paymentId', { paymentId: 'sub_of_somebody' }, /paymentId/],
    ['no custody', { custody: undefined }, /custody/],
    ['a listed field of the wrong type', { creationDate: '2026-01-01' }, /creationDate/],
  ])('because of %s is a record-mismatch', async (_, changes, problem) => {
    const service = await startService({ record: () => changes })
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }) })

    expect(run.results.failures).toMatchObject([{ code: 'record-mismatch', registered: 'unknown' }])
    expect(readLines(run)[0]?.problems).toEqual([expect.stringMatching(problem)])
    checkTraffic(service, { hashes: [sha256('a')] })
  })

  it.each([
    ['a hash in upper case', (hash: string) => ({ hash: hash.toUpperCase() })],
    ['null where a field may be missing', () => ({ tags: null, creationDate: null, userId: null })],
    ['fields missing that may be', () => ({ tags: undefined, userId: undefined })],
    ['fields that nobody listed', () => ({ receipt: { url: 'x' }, payload: [1, { a: null }] })],
  ])('is not what a record with %s is', async (_, record) => {
    const service = await startService({ record })
    const workspace = makeRelease({ a: 'a' })
    const runs = [await notarize({ service, workspace }), await notarize({ service, workspace })]

    const [answered] = [...service.registered.values()]
    for (const run of runs) {
      expect(run.results.verdict).toBe('registered')
      expect(run.results.records?.[0]?.record).toEqual(JSON.parse(JSON.stringify(answered)))
    }
    checkTraffic(service, { hashes: [sha256('a')] })
  })
})

it('whatever depth of a record is accepted, the next run reads its line', async () => {
  const depths = Array.from({ length: 12 }, (_, at) => 193 + at)
  const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)])
  const service = await startService({
    record: hash => ({ payload: nested(depths.find(depth => sha256(`${depth}`) === hash) ?? 0) }),
  })
  const workspace = makeRelease(Object.fromEntries(depths.map(depth => [`${depth}`, `${depth}`])))
  const inputs = { concurrency: '1' }
  const first = await notarize({ service, workspace, inputs })
  const accepted = first.results.records ?? []
  const again = accepted.map(({ artifact }) => artifact).join('\n')
  const second = await notarize({ service, workspace, inputs: { path: again } })

  // The limit lies within these depths, or this shows nothing.
  expect(first.results.verdict).toBe('partial')
  expect(second.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
  expect(second.results.records).toHaveLength(accepted.length)
})

describe('a secret that the service echoes', () => {
  it('is replaced in line and output, and its place is listed', async () => {
    const { customer, sessionId, id } = subscription
    const service = await startService({
      record: () => ({ description: `paid by ${customer}`, payload: { x: [sessionId], id } }),
    })
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace })
    const second = await notarize({ service, workspace })

    const record = { description: 'paid by ***', payload: { x: ['***'], id } }
    const redacted = ['/description', '/payload/x/0']
    expect(readLines(run)).toMatchObject([{ record, redacted, problems: [] }])
    for (const { records } of [run.results, second.results]) {
      expect(records).toMatchObject([{ record, redacted }])
    }
  })
})
