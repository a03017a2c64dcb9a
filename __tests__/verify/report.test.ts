import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { makeFailure } from '../../src/failure.ts'
import { Secrets } from '../../src/secrets.ts'
import { compareWithRecords } from '../../src/verify/compare.ts'
import { indexRecords } from '../../src/verify/records.ts'
import { reportVerification, type VerifyEnding } from '../../src/verify/report.ts'
import { readSummary } from '../support/finished-run.ts'
import { hashOf, makeRecord, source, toJsonLines } from '../support/samples.ts'

const SERVICE = 'https://notary.example'
const sha = 'a'.repeat(40)

function artifact(name: string, content: number): Artifact {
  return { source: 'path', name, size: content, hash: hashOf(content) }
}

function line(name: string, content: number, record: object = {}) {
  const hash = hashOf(content)
  const from = { ...source, sha }
  const head = { artifact: name, size: content, hash, service: SERVICE, source: from }
  const problems: readonly string[] = []
  return { ...head, record: { ...makeRecord(hash), ...record }, problems }
}

type Line = ReturnType<typeof line> | object

interface Given {
  readonly requireAll?: boolean
  readonly sha?: string | null
  readonly isCancelled?: boolean
  readonly secret?: string
}

function endingOf(
  artifacts: readonly Artifact[],
  lines: readonly Line[],
  given: Given,
): VerifyEnding {
  const bytes = Buffer.from(toJsonLines(lines))
  const records = indexRecords([{ bytes, name: 'records.jsonl' }], null)
  const { requireAll = false, sha: commit = null } = given
  const compared = compareWithRecords({ artifacts, records, sha: commit })
  return { kind: 'ended', ...compared, ...records, sha: commit, requireAll }
}

/** What a report gave to the runner. */
async function reportOf(ending: VerifyEnding, { isCancelled = false, secret }: Given = {}) {
  const said: Record<'info' | 'warning' | 'error', string[]> = { info: [], warning: [], error: [] }
  const outputs: Record<string, string | number> = {}
  const secrets = new Secrets(() => undefined)
  secrets.add(secret === undefined ? [] : [secret])
  let summary = ''
  const exitCode = await reportVerification(ending, {
    runner: {
      info: text => said.info.push(text),
      warning: text => said.warning.push(text),
      error: text => said.error.push(text),
      setOutput: (name, value) => {
        outputs[name] = value
      },
      writeSummary: markdown => {
        summary = markdown
        return Promise.resolve()
      },
    },
    ...{
      halt: { isCancelled, hasUnsaved: false },
      secrets,
      source,
      baseUrl: null,
      showSummary: true,
    },
    tempFolder: mkdtempSync(join(tmpdir(), 'verify-report-')),
  })
  return { exitCode, ...said, outputs, summary, rows: readSummary(summary).rows }
}

async function report(artifacts: readonly Artifact[], lines: readonly Line[], given: Given = {}) {
  return reportOf(endingOf(artifacts, lines, given), given)
}

describe('an altered artifact', () => {
  it('is one row and one reason, also with require-all; the outputs keep both counts', async () => {
    const run = await report([artifact('dist/app', 2)], [line('dist/app', 1)], { requireAll: true })

    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({
      ...{ verdict: 'altered', 'altered-count': 1, 'missing-count': 1 },
    })
    expect(JSON.parse(String(run.outputs['results']))).toHaveLength(2)
    expect(run.rows).toHaveLength(1)
    const row = run.rows[0]?.join(' ') ?? ''
    for (const part of [hashOf(1), hashOf(2), '2026-01-01 00:00:00 UTC', SERVICE]) {
      expect(row).toContain(part)
    }
    expect(run.summary.match(/<li>/g)).toHaveLength(1)
    expect(run.summary.indexOf('<b>Do not deploy.</b>')).toBeLessThan(
      run.summary.indexOf('<table>'),
    )
    expect(run.info.filter(text => text.startsWith('missing'))).toEqual([])
    expect(run.error).toHaveLength(1)
  })

  it('leaves the row of another record that is missing', async () => {
    const lines = [line('app', 1), line('other', 3)]
    const run = await report([artifact('app', 2)], lines, { requireAll: true })

    expect(run.rows.map(([state, name]) => `${state} ${name}`)).toEqual([
      ...['❌ altered app', '❌ missing other'],
    ])
  })
})

describe('a match', () => {
  it('has the time and the service in its row; log and summary name the service once more', async () => {
    const run = await report([artifact('app', 1)], [line('app', 1)])

    expect(run).toMatchObject({ exitCode: 0, warning: [], error: [] })
    const registered = ['2026-01-01 00:00:00', SERVICE, 'ALGORAND']
    expect(run.rows).toEqual([['✅ matched', 'app', '1 B', hashOf(1), ...registered]])
    expect(run.info).toEqual([
      `matched: "app" (1 B, ${hashOf(1)})`,
      `Checked against 1 record of "${SERVICE}"`,
      '✅ VERIFIED: 1 of 1 artifact match their notarization records',
    ])
    expect(run.summary).toContain('Checked against 1 record')
    expect(run.summary).not.toContain('Do not deploy')
  })

  it.each([
    ['app', null, null],
    ['elsewhere/app', null, null],
    ['x', null, /recorded under another name, "app"/],
    ['app', 'b'.repeat(40), /recorded for another commit, a{40}/],
  ])('of %j for the commit %j says %s', async (name, commit, note) => {
    const others = [artifact('a', 2), artifact('b', 3)]
    const lines = [line('app', 1), line('a', 2), line('b', 3)].map((one, index) =>
      index === 0 || commit === null ? one : { ...one, source: { ...source, sha: commit } },
    )
    const run = await report([...others, artifact(name, 1)], lines, { sha: commit })

    expect(run.exitCode).toBe(0)
    // It comes first: the log shows no more than a hundred.
    const [logged = ''] = run.info
    for (const text of [logged, run.rows[0]?.[0] ?? '']) {
      if (note === null) expect(text).not.toContain('recorded')
      else expect(text).toMatch(note)
    }
    expect(run.summary.includes('of another name or commit')).toBe(note !== null)
  })
})

describe('an unknown artifact', () => {
  const problems = ['status is "pending", not "registered"']
  const { record, ...head } = line('sent', 4)
  const state = { ...head, problems: undefined, state: 'sent', at: '2026-01-01T00:00:00.000Z' }
  const what = { what: 'it could not be read: permission denied', remedy: 'correct its rights' }
  const failure = makeFailure({ code: 'unreadable', ...what })

  it.each<[string, Artifact, Line, RegExp]>([
    ['without a record', artifact('a', 9), line('b', 1), /no record that counts has its hash/],
    [
      'whose record has problems',
      artifact('a', 1),
      { ...line('a', 1), problems },
      /its record has problems: status is "pending".*line 1 of "records\.jsonl"/,
    ],
    [
      'that was sent without an answer',
      artifact('sent', 4),
      state,
      /the run of 2026-01-01T00:00:00\.000Z \(https.*read no answer.*line 1 of "records\.jsonl"/,
    ],
    [
      'that could not be hashed',
      { source: 'path', name: 'a', failure },
      line('a', 1),
      /permission denied; correct its rights$/,
    ],
  ])('%s says so in results, log, summary and error', async (_, one, known, why) => {
    expect(record['hash']).toBe(hashOf(4))
    const run = await report([one], [known])

    expect(run.outputs).toMatchObject({ verdict: 'unknown', 'unknown-count': 1 })
    const results: unknown = JSON.parse(String(run.outputs['results']))
    expect(results).toMatchObject([{ state: 'unknown', message: expect.stringMatching(why) }])
    for (const text of [run.info[0], run.error[0]]) expect(text).toMatch(why)
    expect(run.rows[0]?.join(' ')).toMatch(why)
    expect(run.summary).toMatch(/Do not deploy\.[^]*<li>1 artifact [^]*What to do:/)
    expect(JSON.stringify(run)).not.toContain('nothing was sent')
  })
})

describe('results', () => {
  it('are free of secrets, keys of records included', async () => {
    const secret = 'hunter2hunter2'
    const known = line('app', 1, { description: `by ${secret}`, [secret]: [secret] })
    const run = await report([artifact(`${secret}.zip`, 1)], [known], { secret })

    expect(run.outputs['results']).not.toContain(secret)
    expect(JSON.parse(String(run.outputs['results']))).toMatchObject([
      { artifact: '***.zip', recorded: { record: { description: 'by ***', '***': ['***'] } } },
    ])
  })

  it('that do not fit are all in a file that warning and summary name', async () => {
    const contents = Array.from({ length: 250 }, (_, index) => index)
    const artifacts = contents.map(content => artifact(`${content}`, content + 250 * (content % 2)))
    const run = await report(
      artifacts,
      contents.map(content => line(`${content}`, content)),
    )

    expect(run.outputs).toMatchObject({ verdict: 'altered', results: '', 'altered-count': 125 })
    expect(run.warning).toHaveLength(1)
    const [, path = ''] = /all results are in "(.*?)"/.exec(run.warning[0] ?? '') ?? []
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(250)
    expect(run.summary.replaceAll('<wbr>', '')).toContain(path)
  })
})

describe('a cancelled run', () => {
  it.each<[string, VerifyEnding]>([
    ['stopped', { kind: 'stopped', problems: [] }],
    ['matched', endingOf([artifact('app', 1)], [line('app', 1)], {})],
  ])('that is %s fails, and its error says why', async (verdict, ending) => {
    const run = await reportOf(ending, { isCancelled: true })

    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ verdict })
    expect(run.error).toHaveLength(1)
    expect(run.error[0]).toMatch(/cancelled by a signal/)
  })
})

describe('a stopped run', () => {
  it('says so first, then its messages, one for each input', async () => {
    const problems = [
      { input: 'sha', message: 'input "sha" is <b>' },
      { input: 'records', message: 'input "records": one' },
      { input: 'records', message: 'two' },
    ]
    const run = await reportOf({ kind: 'stopped', problems })

    expect(run).toMatchObject({
      exitCode: 1,
      error: ['input "sha" is <b>', 'input "records": one; two'],
    })
    expect(run.outputs).toEqual({
      ...{ verdict: 'stopped', results: '[]' },
      ...{ 'matched-count': 0, 'altered-count': 0, 'unknown-count': 0, 'missing-count': 0 },
    })
    expect(run.summary).toMatch(/^## ❌ NOT VERIFIED: stopped before anything was checked/)
    expect(run.summary).toContain('<b>Do not deploy.</b>')
    expect(run.summary).toContain('is &lt;b&gt;')
  })
})
