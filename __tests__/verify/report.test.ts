import { afterAll, describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'
import type { Entry } from '../../src/records/line.ts'
import { reportCompared, reportNotCompared, type Compared } from '../../src/verify/verify-report.ts'
import { haltOf, hostFor, keepReport, type ReportChanges } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { hashOf, makeRecord } from '../support/samples.ts'
import { artifact, compare, record, unread } from './samples.ts'

afterAll(cleanUp)

const { usable: inputs } = readVerifyInputs({})

/** What a report gave to the runner. */
async function reportOf(compared: Compared, changes: ReportChanges = {}) {
  const run = await keepReport(runner => reportCompared(compared, hostFor(runner, changes), inputs))
  return { ...run, ...readSummary(run.summary) }
}

function compared(artifacts: readonly Artifact[], entries: readonly Entry[]): Compared {
  const verified = compare(artifacts, entries, { requireAll: true })
  return { verified, checkedAgainst: '9 records', warnings: ['a warning'] }
}

function countsOf(outputs: Readonly<Record<string, unknown>>): readonly unknown[] {
  return ['matched', 'altered', 'unknown', 'missing'].map(state => outputs[`${state}-count`])
}

describe('a verification', () => {
  it('that matches says so in log, outputs, summary and exit code', async () => {
    const run = await reportOf(compared([artifact('a', 1)], [record('a', 1)]))

    expect(run.exitCode).toBe(0)
    expect(run.errors).toEqual([])
    expect(run.outputs['verdict']).toBe('matched')
    expect(countsOf(run.outputs)).toEqual([1, 0, 0, 0])
    expect(run.log).toEqual([
      `matched: "a" (1 B, ${hashOf(1)})`,
      'Compared with 9 records',
      '✅ VERIFIED: 1 of 1 artifact matches its notarization record',
    ])
    expect(run.verdict).toBe('## ✅ VERIFIED: 1 of 1 artifact matches its notarization record')
    expect(run.rows).toEqual([
      ['✅ matched', 'a', '1 B', hashOf(1), '2026-01-01 00:00:00', 'ALGORAND'],
    ])
    expect(run.summary).toContain('A warning.')
    expect(run.summary).not.toContain('Do not deploy')
  })

  it('that fails shows the worst first, and counts what the outputs count; those are sorted', async () => {
    const artifacts = [artifact('b', 9), unread('c'), artifact('a', 1), artifact('x', 2)]
    const entries = [record('a', 1), record('b', 3), record('d', 4), record('y', 2)]
    const run = await reportOf(compared(artifacts, entries))

    expect(run.exitCode).toBe(1)
    expect(run.outputs['verdict']).toBe('altered')
    expect(countsOf(run.outputs)).toEqual([2, 1, 1, 2])
    const results: unknown = JSON.parse(String(run.outputs['results']))
    expect(results).toMatchObject([
      { artifact: 'a', state: 'matched', message: '' },
      { artifact: 'b', state: 'altered', hash: hashOf(9), recorded: { hash: hashOf(3) } },
      { artifact: 'c', state: 'unknown', size: null, hash: null, recorded: null },
      { artifact: 'x', state: 'matched', message: 'recorded under another name, "y"' },
      { artifact: 'b', state: 'missing', hash: hashOf(3) },
      { artifact: 'd', state: 'missing' },
    ])
    const headline =
      'NOT VERIFIED: 2 of 4 artifacts match their notarization records; 1 altered, 1 unknown, 2 missing'
    expect(run.verdict).toBe(`## ❌ ${headline}`)
    const order = ['b', 'c', 'b', 'd', 'x', 'a']
    expect(run.rows.map(([, name]) => name)).toEqual(order)
    expect(run.log.slice(0, 6).map(line => /"(.*?)"/.exec(line)?.[1])).toEqual(order)
    expect(run.errors).toEqual([
      expect.stringMatching(`^${headline}. Do not deploy. First: "b" is altered: its name has`),
    ])
    expect(run.summary).toContain('<b>Do not deploy.</b>')
    expect(run.summary.match(/<li>\d artifacts? (altered|unknown|missing)<br>/g)).toHaveLength(3)
  })

  it('has results up to 120,000 bytes, and beyond none, with a warning', async () => {
    const big = (length: number) =>
      record('a', 1, { record: makeRecord(hashOf(1), { description: 'x'.repeat(length) }) })
    const lengthOf = async (length: number) => {
      const run = await reportOf(compared([artifact('a', 1)], [big(length)]))
      expect(run.warnings).toHaveLength(run.outputs['results'] === '' ? 1 : 0)
      expect(run.summary.includes('is empty: it would be')).toBe(run.warnings.length === 1)
      return String(run.outputs['results']).length
    }
    const most = 120_000 - (await lengthOf(0))
    expect([await lengthOf(most), await lengthOf(most + 1)]).toEqual([120_000, 0])
  })

  it('shows no secret, not even one that is cut', async () => {
    const secret = 'hunter2hunter2'
    const entry = record(`${'n'.repeat(190)}${secret}`, 1, {
      record: makeRecord(hashOf(1), { description: `by ${secret}` }),
    })
    const artifacts = [artifact(`${'x'.repeat(250)}${secret}`, 1)]
    const run = await reportOf(compared(artifacts, [entry]), { secrets: [secret] })
    expect(JSON.stringify(run).replaceAll('<wbr>', '')).not.toContain('hunter')
    expect(run.outputs['results']).toContain('"description":"by ***"')
  })
})

describe('a run that stopped', () => {
  it('says so first, then its messages, one for each input', async () => {
    const problems = [
      { input: 'sha', message: 'input "sha" is <b>' },
      { input: 'records', message: 'input "records": one' },
      { input: 'records', message: 'two' },
    ]
    const run = await keepReport(runner => reportNotCompared(problems, hostFor(runner), inputs))
    expect(run.exitCode).toBe(1)
    expect(run.errors).toEqual(['input "sha" is <b>', 'input "records": one; two'])
    expect(run.outputs).toMatchObject({ verdict: 'stopped', results: '[]' })
    expect(countsOf(run.outputs)).toEqual([0, 0, 0, 0])
    expect(run.summary).toMatch(/^## ❌ NOT VERIFIED: stopped before anything was compared/)
    expect(run.summary).toContain('<b>Do not deploy.</b>')
  })

  it('by a signal fails, even if everything matches, and says why', async () => {
    const halt = haltOf('cancelled')
    const stopped = await keepReport(runner =>
      reportNotCompared([], hostFor(runner, { halt }), inputs),
    )
    const ended = await reportOf(compared([artifact('a', 1)], [record('a', 1)]), { halt })
    for (const { exitCode, errors } of [stopped, ended]) {
      expect(exitCode).toBe(1)
      expect(errors).toEqual([expect.stringContaining('the run was cancelled')])
    }
  })
})
