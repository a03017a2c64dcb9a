import { afterAll, describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { Secrets } from '../../src/secrets.ts'
import { reportVerification, type VerifyEnding } from '../../src/verify/report.ts'
import { keepReport } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { source } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { artifact, bad, compare, index, line, sent, unread } from './samples.ts'

afterAll(cleanUp)

interface Given {
  readonly sha?: string | null
  readonly isCancelled?: boolean
  readonly secret?: string
}

function endingOf(
  artifacts: readonly Artifact[],
  lines: readonly object[],
  { sha = null }: Given = {},
): VerifyEnding {
  const compared = compare(artifacts, lines, { sha })
  return { kind: 'ended', ...compared, records: index(lines), sha, requireAll: false }
}

/** What a report gave to the runner. */
async function reportOf(ending: VerifyEnding, { isCancelled = false, secret }: Given = {}) {
  const secrets = new Secrets(() => undefined)
  secrets.add(secret === undefined ? [] : [secret])
  const options = {
    ...{ halt: { bug: null, isCancelled }, secrets, source, baseUrl: null, showSummary: true },
    tempFolder: makeTemporaryFolder(),
  }
  const reported = await keepReport(runner => reportVerification(ending, { ...options, runner }))
  return { ...reported, rows: readSummary(reported.summary).rows }
}

async function report(artifacts: readonly Artifact[], lines: readonly object[], given: Given = {}) {
  return reportOf(endingOf(artifacts, lines, given), given)
}

describe('a match', () => {
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
    const [logged = ''] = run.log
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
    for (const text of [run.log[0], run.errors[0]]) expect(text).toMatch(why)
    expect(run.rows[0]?.join(' ')).toMatch(why)
    expect(run.summary).toMatch(/Do not deploy\.[^]*<li>1 artifact [^]*What to do:/)
    expect(JSON.stringify(run)).not.toContain('nothing was sent')
  })
})

describe('results', () => {
  it('are free of secrets, keys of records and a hash that spells one included', async () => {
    const secret = 'hunter2hunter2'
    const known = line('app', 1, {
      record: { description: `by ${secret}`, [secret]: [secret] },
    })
    const run = await report([artifact(`${secret}.zip`, 1)], [known], { secret })
    expect(JSON.stringify(run)).not.toContain(secret)
    expect(JSON.parse(String(run.outputs['results']))).toMatchObject([
      { artifact: '***.zip', recorded: { record: { description: 'by ***', '***': ['***'] } } },
    ])

    const hashed = await report([artifact('app', 1)], [known], { secret: known.hash })
    expect(JSON.stringify(hashed)).not.toContain(known.hash)
    expect(hashed.outputs['matched-count']).toBe(1)
  })
})

describe('a cancelled run', () => {
  it.each<[string, VerifyEnding]>([
    ['stopped', { kind: 'stopped', problems: [] }],
    ['matched', endingOf([artifact('app', 1)], [line('app', 1)])],
  ])('that is %s fails, and its error says why', async (verdict, ending) => {
    const run = await reportOf(ending, { isCancelled: true })

    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ verdict })
    expect(run.errors).toHaveLength(1)
    expect(run.errors[0]).toMatch(/cancelled by a signal/)
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
      errors: ['input "sha" is <b>', 'input "records": one; two'],
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
