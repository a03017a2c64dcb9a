import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { Secrets } from '../../src/secrets.ts'
import { reportVerification, type VerifyEnding } from '../../src/verify/report.ts'
import { readSummary } from '../support/finished-run.ts'
import { hashOf, source } from '../support/samples.ts'
import { artifact, bad, compare, index, line, sent, SERVICE, unread } from './samples.ts'

interface Given {
  readonly requireAll?: boolean
  readonly sha?: string | null
  readonly isCancelled?: boolean
  readonly secret?: string
}

function endingOf(
  artifacts: readonly Artifact[],
  lines: readonly object[],
  { requireAll = false, sha = null }: Given,
): VerifyEnding {
  const compared = compare(artifacts, lines, { sha })
  return { kind: 'ended', ...compared, records: index(lines), sha, requireAll }
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
      halt: { bug: null, isCancelled },
      secrets,
      source,
      baseUrl: null,
      showSummary: true,
    },
    tempFolder: mkdtempSync(join(tmpdir(), 'verify-report-')),
  })
  return { exitCode, ...said, outputs, summary, rows: readSummary(summary).rows }
}

async function report(artifacts: readonly Artifact[], lines: readonly object[], given: Given = {}) {
  return reportOf(endingOf(artifacts, lines, given), given)
}

describe('an altered artifact', () => {
  it('leaves the row of another record that is missing', async () => {
    const lines = [line('app', 1), line('other', 3)]
    const run = await report([artifact('app', 2)], lines, { requireAll: true })

    expect(run.rows.map(([state, name]) => `${state} ${name}`)).toEqual([
      ...['❌ altered app', '❌ missing other'],
    ])
    expect(run.summary).toMatch(
      /Do not deploy\.[^]*<li>1 artifact altered: [^]*<li>1 artifact missing: [^]*<table>/,
    )
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
    const of = commit === null ? {} : { sha: commit }
    const lines = [line('app', 1), line('a', 2, of), line('b', 3, of)]
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
  it.each<[string, Artifact, object, RegExp]>([
    ['without a record', artifact('a', 9), line('b', 1), /no record that counts has its hash/],
    [
      'whose record has problems',
      artifact('a', 1),
      line('a', 1, bad),
      /its record has problems: status is "pending".*line 1 of "records\.jsonl"/,
    ],
    [
      'that was sent without an answer',
      artifact('sent', 4),
      sent('sent', 4),
      /the run of 2026-01-01T00:00:00\.000Z \(https.*read no answer.*line 1 of "records\.jsonl"/,
    ],
    [
      'that could not be hashed',
      unread('a'),
      line('a', 1),
      /permission denied; correct its rights$/,
    ],
  ])('%s says so in results, log, summary and error', async (_, one, known, why) => {
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
    const known = line('app', 1, {
      record: { description: `by ${secret}`, [secret]: [secret] },
    })
    const run = await report([artifact(`${secret}.zip`, 1)], [known], { secret })

    expect(run.outputs['results']).not.toContain(secret)
    expect(JSON.parse(String(run.outputs['results']))).toMatchObject([
      { artifact: '***.zip', recorded: { record: { description: 'by ***', '***': ['***'] } } },
    ])
  })
})

describe('results with a hash that spells a secret', () => {
  it('do not show it', async () => {
    const secret = line('app', 1).hash
    const run = await report([artifact('app', 1), artifact('new', 2)], [line('app', 1)], { secret })
    expect(JSON.stringify(run.outputs)).not.toContain(secret)
    expect(JSON.stringify(run.outputs)).toContain('"matched-count":1')
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
