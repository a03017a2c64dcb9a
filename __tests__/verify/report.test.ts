import { afterAll, expect, it } from '@jest/globals'
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'
import { reportCompared } from '../../src/verify/verify-report.ts'
import type { VerifyResult } from '../../src/verify/compare.ts'
import { haltOf, hostFor, keepReport } from '../report/results.ts'
import type { Reported, ReportChanges } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { hashOf, makeRecord } from '../support/samples.ts'
import { artifact, compare, record, unread } from './samples.ts'

afterAll(cleanUp)

const { inputs } = readVerifyInputs({})

function reportOf(verified: readonly VerifyResult[], changes?: ReportChanges): Promise<Reported> {
  const compared = { verified, checkedAgainst: '9 records', warnings: ['a warning'] }
  return keepReport(runner => reportCompared(compared, hostFor(runner, changes), inputs))
}

function countsOf({ outputs }: Reported): readonly unknown[] {
  return ['matched', 'altered', 'unknown', 'missing'].map(state => outputs[`${state}-count`])
}

const matched = compare([artifact('a', 1)], [record('a', 1)])

it('log, outputs, summary and exit code say that everything matches', async () => {
  const run = await reportOf(matched)
  const { verdict, rows } = readSummary(run.summary)
  expect([run.exitCode, run.outputs['verdict'], run.errors]).toEqual([0, 'matched', []])
  expect(countsOf(run)).toEqual([1, 0, 0, 0])
  expect(run.log[0]).toBe(`matched: "a" (1 B, ${hashOf(1)})`)
  expect(verdict).toBe('## ✅ VERIFIED: 1 of 1 artifact matches its notarization record')
  expect(rows).toEqual([['✅ matched', 'a', '1 B', hashOf(1), '2026-01-01 00:00:00', 'ALGORAND']])
  expect(run.summary).toContain('A warning.')
  expect(run.summary).not.toContain('Do not deploy')
})

it('what does not match is counted and comes first, the worst before the rest; outputs are sorted by name', async () => {
  const artifacts = [artifact('b', 9), unread('c'), artifact('a', 1), artifact('x', 2)]
  const entries = [record('a', 1), record('b', 3), record('d', 4), record('y', 2)]
  const run = await reportOf(compare(artifacts, entries, { requireAll: true }))

  expect([run.exitCode, run.outputs['verdict']]).toEqual([1, 'altered'])
  expect(countsOf(run)).toEqual([2, 1, 1, 2])
  expect(JSON.parse(String(run.outputs['results']))).toMatchObject([
    { artifact: 'a', state: 'matched', message: '' },
    { artifact: 'b', state: 'altered', hash: hashOf(9), recorded: { hash: hashOf(3) } },
    { artifact: 'c', state: 'unknown', size: null, hash: null, recorded: null },
    { artifact: 'x', state: 'matched', message: 'recorded under another name, "y"' },
    { artifact: 'b', state: 'missing', hash: hashOf(3) },
    { artifact: 'd', state: 'missing' },
  ])
  const headline = '1 altered, 1 unknown, 2 missing; 2 of 4 artifacts match their notarization'
  const { verdict, rows } = readSummary(run.summary)
  expect(verdict).toContain(`## ❌ NOT VERIFIED: ${headline}`)
  const order = ['b', 'c', 'b', 'd', 'x', 'a']
  expect(rows.map(([, name]) => name)).toEqual(order)
  expect(run.log.slice(0, 6).map(line => /"(.*?)"/.exec(line)?.[1])).toEqual(order)
  expect(run.errors).toEqual([expect.stringContaining('First: "b" is altered: its name has')])
  expect(run.summary).toContain('<b>Do not deploy.</b>')
  expect(run.summary.match(/<b>\d artifacts? (altered|unknown|missing)<\/b><br>/g)).toHaveLength(3)
})

it('results have at most 120,000 bytes; longer ones are left empty with a warning', async () => {
  const lengthOf = async (length: number): Promise<number> => {
    const long = makeRecord(hashOf(1), { description: 'x'.repeat(length) })
    const entries = [record('a', 1, { record: long })]
    const { outputs, warnings, summary } = await reportOf(compare([artifact('a', 1)], entries))
    expect(warnings).toHaveLength(outputs['results'] === '' ? 1 : 0)
    expect(summary.includes('is empty, because it would')).toBe(warnings.length === 1)
    return String(outputs['results']).length
  }
  const most = 120_000 - (await lengthOf(0))
  expect([await lengthOf(most), await lengthOf(most + 1)]).toEqual([120_000, 0])
})

it('no secret is shown, not even a truncated one', async () => {
  const secret = 'hunter2hunter2'
  const long = makeRecord(hashOf(1), { description: `by ${secret}`, blockchainType: secret })
  const entries = [record(`${'n'.repeat(190)}${secret}`, 1, { record: long })]
  const artifacts = [artifact(`${'x'.repeat(250)}${secret}`, 1)]
  const run = await reportOf(compare(artifacts, entries), { secrets: [secret] })
  expect(JSON.stringify(run).replaceAll('<wbr>', '')).not.toContain('hunter')
})

it('untrusted text has no effect on the page', async () => {
  const evil = '</td></table>\n# [x](https://evil.example) <img src=x> | `a` @octocat'
  const texts = makeRecord(hashOf(1), { creationDate: evil, blockchainType: evil })
  const entries = [record(evil, 1, { record: texts }), record(`${evil}2`, 2)]
  const artifacts = [artifact('b', 1), artifact(`${evil}2`, 3)]
  const { summary } = await reportOf(compare(artifacts, entries, { requireAll: true }))
  const html = renderMarkdown(summary).replace(/"[^"]*"/g, '""')
  expect(html).not.toMatch(/<img\b/)
  expect(html.match(/<a\b/g)).toHaveLength(1)
  expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
})

it('a canceled run fails even if everything matches, and says why', async () => {
  const { exitCode, errors, summary } = await reportOf(matched, { halt: haltOf('cancelled') })
  expect(exitCode).toBe(1)
  expect(summary).toMatch(/^## ❌ NOT VERIFIED: the run was cancelled; 1 of 1 artifact matches/)
  expect(errors).toEqual([expect.stringContaining('the run was cancelled')])
})
