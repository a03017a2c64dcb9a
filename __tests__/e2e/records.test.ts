/**
 * What a records file means for the next run. How its lines are read and ranked is in the tests of `records/`, hashes that
 * are left open in doubt.test.ts, a disk that fails in records-file.test.ts.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import {
  checkStopped,
  checkTraffic,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  readStateLines,
  readSummary,
  sha256,
  startService,
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
    expect(second.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
    const [a, b, twin] = first.results.records ?? []
    expect(second.results.records).toEqual(
      [a, b, twin, { ...b, artifact: 'renamed' }].map(one => ({ ...one, from: 'records-file' })),
    )
    expect(readSummary(second.summary).verdict).toMatch(/0 newly registered, 4 known before/)
    expect(second.visibleLog).toContain('registered before: "dist/a"')
  })

  it('registers what is new or failed, tells it from what was known, and only appends', async () => {
    const service = await startService({ requested: ['old', 'one'].map(sha256) })
    const workspace = makeRelease({ a: 'a', b: 'old', changed: 'one' })
    const first = await notarize({ service, workspace })
    expect(first.results.verdict).toBe('partial')
    // What was refused is settled.
    const [sent, settled, ...more] = readStateLines(first).filter(line => line.hash === sha256('a'))
    expect([sent?.state, settled, more]).toEqual([
      ...['sent', { ...sent, state: 'not-registered' }, []],
    ])
    // Fields that this version does not know, and spaces of another writer.
    const odd = JSON.stringify({ ...makeLine(service.url, 'odd'), added: 1 }).replace('{', '{ ')
    const before = `${workspace.read(FILE)}${odd}\n`
    workspace.write(FILE, before)

    for (const content of ['a', 'new']) service.request(sha256(content))
    workspace.write('dist/changed', 'new')
    workspace.write('dist/odd', 'odd')
    const run = await notarize({ service, workspace })

    expect(run.results.records?.map(({ artifact, hash, from }) => [artifact, hash, from])).toEqual([
      ['dist/a', sha256('a'), 'this-run'],
      ['dist/b', sha256('old'), 'records-file'],
      ['dist/changed', sha256('new'), 'this-run'],
      ['dist/odd', sha256('odd'), 'records-file'],
    ])
    expect(readSummary(run.summary).verdict).toMatch(/2 newly registered, 2 known before/)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    expect([...service.completionCounts.values()]).toEqual([1, 1, 1, 1])
    const text = workspace.read(FILE)
    expect(text.startsWith(before)).toBe(true)
    expect(
      text
        .slice(before.length)
        .match(/"(record|state)":/g)
        ?.sort(),
    ).toEqual([...['"record":', '"record":', '"state":', '"state":']])
  })
})

it.each([
  { what: 'no line of an earlier one is warned', attempt: '2', isWarned: true },
  { what: 'a line of an earlier one is not', attempt: '1', isWarned: false },
])('a later attempt of a run that finds $what', async ({ attempt, isWarned }) => {
  const service = await startService()
  const workspace = makeRelease({ a: 'a', b: 'b' })
  const line = makeLine(service.url, 'a')
  const source = { ...line.source, runId: job.runId, runAttempt: attempt }
  workspace.write(FILE, toJsonLines([{ ...line, source }]))
  const run = await notarize({ service, workspace, env: { GITHUB_RUN_ATTEMPT: '2' } })

  expect(run.annotations.warning).toEqual(
    isWarned ? [expect.stringMatching(/attempt 2.*paid again.*attach-to-release.*cache/)] : [],
  )
  // Who reads the summary alone must know it, too.
  expect(run.summary.includes('would be paid again')).toBe(isWarned)
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

  it.each<[string, string | Buffer, boolean]>([
    ['half a letter, which is cut off', Buffer.from('{"artifact":"漢').subarray(0, -1), true],
    ['a line of 1 MB, which is cut off', `{"artifact":"${'x'.repeat(1_000_000)}`, true],
    ['all but its newline, which it gets', '', false],
  ])('may end in %s', async (_, rest, isCut) => {
    const service = await startService()
    const whole = toJsonLines([makeLine(service.url, 'a')])
    const text = Buffer.concat([Buffer.from(isCut ? whole : whole.trimEnd()), Buffer.from(rest)])
    // Also where nothing is left to register, so that the file is whole again.
    for (const files of [{ a: 'a' }, { a: 'a', b: 'b' }]) {
      const workspace = makeRelease(files)
      workspace.write(FILE, text)
      const run = await notarize({ service, workspace })

      const warning = expect.stringMatching(/last line of ".*notarization-records.jsonl" is incom/)
      expect(run.annotations.warning).toEqual(isCut ? [warning] : [])
      expect(workspace.read(FILE).startsWith(whole)).toBe(true)
      expect(readLines(run).map(({ hash }) => hash)).toEqual(Object.keys(files).map(sha256))
    }
    checkTraffic(service, { hashes: [sha256('b')] })
  })

  const line = JSON.stringify(makeLine('https://notary.example', 'good'))
  it.each<[string, string | Buffer, number]>([
    ['holds an incomplete line inside', `${line}\n${line.slice(0, 40)}${line}\n${line}\n`, 2],
    ['ends in a record that breaks the rules', line.replace('"signed":false', '"signed":true'), 1],
    ['ends in the zeros of a crash', `${line}\n${'\0'.repeat(700)}`, 2],
    ['is a program of somebody else', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), 1],
  ])('that %s stops the run and stays byte for byte, also behind a link', async (_, text, at) => {
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
    { make: ['mkdir'], name: FILE },
    { make: ['mkfifo'], name: FILE },
    { make: ['ln', '-s', 'missing/file'], name: FILE },
    { make: ['touch'], name: 'records' },
  ])('that cannot be one stops the run without waiting: $make $name', async ({ make, name }) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    expect(spawnSync('env', [...make, workspace.path(name)]).status).toBe(0)
    const inputs = { 'records-path': name === FILE ? FILE : `${name}/${FILE}` }
    const run = await notarize({ service, workspace, inputs })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/"records-path"/)])
  })
})

it('an answer that contradicts its request is kept, and never sent again until its lines are removed', async () => {
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
  expect(readLines(first).filter(({ hash }) => hash === wrong)).toMatchObject([
    { record: { custody: true }, problems: [expect.stringContaining('custody')] },
  ])
  const text = workspace.read(FILE)

  const second = await notarize({ service, workspace })

  expect(workspace.read(FILE)).toBe(text)
  checkTraffic(service, { hashes: ['right', 'wrong'].map(sha256) })
  expect(second.results).toMatchObject({ verdict: 'partial', failures, 'registered-count': 1 })
  const lines = text.split('\n')
  const numbers = lines.flatMap((one, at) => (one.includes(wrong) ? [at + 1] : []))
  for (const said of [second.results.failures[0]?.message, second.summary]) {
    expect(said).toMatch(new RegExp(`remove lines ${numbers.join(', ')} of .*${FILE}`))
    // To run the job again alone would change nothing.
    expect(said).not.toMatch(/run the job again with the same records file/)
  }

  workspace.write(FILE, lines.filter(one => !one.includes(wrong)).join('\n'))
  await notarize({ service, workspace })
  expect(service.completionCounts.get(wrong)).toBe(2)
})
