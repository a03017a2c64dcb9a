import { afterAll, expect, it } from '@jest/globals'
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'
import { reportCompared, reportNotCompared } from '../../src/verify/verify-report.ts'
import type { VerifyResult } from '../../src/verify/compare.ts'
import { haltOf, hostFor, keepReport } from '../report/results.ts'
import type { Reported, ReportChanges } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { decodeHtml } from '../support/html.ts'
import { hashOf, makeRecord } from '../support/samples.ts'
import { artifact, bad, compare, record, sent, unread } from './samples.ts'

afterAll(cleanUp)

const { inputs } = readVerifyInputs({})

function reportOf(
  verified: readonly VerifyResult[],
  changes: ReportChanges = {},
): Promise<Reported> {
  const compared = { verified, checkedAgainst: '9 records' }
  return keepReport(runner => {
    runner.warning('a warning')
    return reportCompared(compared, hostFor(runner, changes), inputs)
  }, changes.isFull)
}

function countsOf({ outputs }: Reported): readonly unknown[] {
  return ['matched', 'altered', 'unknown', 'missing'].map(state => outputs[`${state}-count`])
}

const matched = compare([artifact('a', 1)], [record('a', 1)])
const requireAll = { requireAll: true }
/** Results that do not match, for every reason. */
const wrong = [
  compare([artifact('a', 9)], [record('a', 1)]),
  compare([unread('c')], []),
  compare([artifact('a', 1)], [record('a', 1, bad)]),
  compare([artifact('a', 1)], [sent('a', 1)]),
  compare([artifact('a', 1)], []),
  compare([artifact('a', 1)], [record('a', 1), record('b', 2)], requireAll).slice(1),
]

it('log, outputs, summary and exit code say that everything matches', async () => {
  const run = await reportOf(matched)
  const { verdict, rows } = readSummary(run.summary)
  expect([run.exitCode, run.outputs['verdict'], run.errors]).toEqual([0, 'matched', []])
  expect(countsOf(run)).toEqual([1, 0, 0, 0])
  expect(run.log[0]).toBe(`matched: "a" (1 B, ${hashOf(1)})`)
  expect(verdict).toBe('## ✅ VERIFIED: 1 of 1 artifact matches its notarization record')
  const digits = hashOf(1).slice(0, 12)
  expect(rows).toEqual([['✅ matched', 'a', '1 B', digits, '2026-01-01 00:00:00', 'ALGORAND']])
  expect(run.summary).toContain('A warning.')
  expect(run.summary).not.toContain('Do not deploy')
})

it.each(wrong.flatMap((one, index) => wrong.slice(index).map(other => [one, other] as const)))(
  'each result that does not match has one next step, in any company: %#',
  async (one, other) => {
    for (const halt of [haltOf(), haltOf('cancelled'), haltOf('bug')]) {
      const all = [...new Set([...one, ...other])]
      const { exitCode, errors, log, outputs, summary } = await reportOf(all, { halt })
      expect([exitCode, errors.length > 0, summary.startsWith('## ❌ ')]).toEqual([1, true, true])
      for (const text of errors) expect(text.length).toBeLessThan(340)
      const page = decodeHtml(summary.replaceAll(/<(?!wbr)[^>]*>/g, ''))
      const steps = new Set(all.map(({ state, remedy }) => `${state} ${remedy}`)).size
      const count = steps + (halt.reason === null ? 0 : 1)
      expect(summary.match(/<b>Next:/g)).toHaveLength(count)
      for (const { remedy } of all) {
        const text = remedy.slice(1)
        expect([
          page.includes(text),
          String(outputs['results']).includes(JSON.stringify(text).slice(1, -1)),
        ]).toEqual([true, true])
        expect(log.some(line => line.includes(text))).toBe(true)
      }
      const worst = all.find(({ state }) => state === outputs['verdict'])
      expect(errors[0]).toContain(worst?.remedy.slice(1))
    }
  },
)

it('what does not match is counted and comes first, the worst before the rest; outputs are sorted by name', async () => {
  const artifacts = [artifact('a', 1), artifact('b', 9), unread('c'), artifact('x', 2)]
  const entries = [record('a', 1), record('b', 3), record('d', 4), record('y', 2)]
  const run = await reportOf(compare(artifacts, entries, requireAll))
  expect([run.exitCode, run.outputs['verdict']]).toEqual([1, 'altered'])
  expect(countsOf(run)).toEqual([2, 1, 1, 1])
  expect(JSON.parse(String(run.outputs['results']))).toMatchObject([
    { artifact: 'a', state: 'matched', message: '' },
    { artifact: 'b', state: 'altered', hash: hashOf(9), recorded: { hash: hashOf(3) } },
    { artifact: 'c', state: 'unknown', size: null, hash: null, recorded: null },
    { artifact: 'x', state: 'matched', message: 'Its record is under another name, "y".' },
    { artifact: 'd', state: 'missing' },
  ])
  const headline = '1 altered, 1 unknown, 1 missing; 2 of 4 artifacts match their notarization'
  const { verdict, rows } = readSummary(run.summary)
  expect(verdict).toContain(`## ❌ NOT VERIFIED: ${headline}`)
  const order = ['b', 'c', 'd', 'x', 'a']
  expect(rows.map(([, name]) => name)).toEqual(order)
  expect(run.log.slice(0, 5).map(line => /"(.*?)"/.exec(line)?.[1])).toEqual(order)
})

it('a run that stops or is canceled says so, and is not green', async () => {
  const canceled = await reportOf(matched, { halt: haltOf('cancelled') })
  expect(canceled.exitCode).toBe(1)
  expect(canceled.summary).toMatch(/^## ❌ NOT VERIFIED: the run was canceled; 1 of 1 artifact/)
  expect(canceled.errors).toEqual([expect.stringContaining('run was canceled')])
  const problems = [{ input: 'records', message: 'input "records": it has no pattern; add one' }]
  const stopped = await keepReport(runner => reportNotCompared(problems, hostFor(runner), inputs))
  const { exitCode, outputs, errors, summary } = stopped
  expect([exitCode, outputs['verdict'], outputs['results'], errors.length]).toEqual([
    1,
    'stopped',
    '[]',
    1,
  ])
  expect(summary).toMatch(/^## ❌ NOT VERIFIED: stopped/)
})

it('results have at most 120,000 bytes; longer ones are left empty with a warning', async () => {
  const lengthOf = async (length: number): Promise<number> => {
    const long = makeRecord(hashOf(1), { description: 'x'.repeat(length) })
    const entries = [record('a', 1, { record: long })]
    const { outputs, warnings, summary } = await reportOf(compare([artifact('a', 1)], entries))
    expect(warnings).toHaveLength(outputs['results'] === '' ? 2 : 1)
    expect(summary.includes('is empty, because it would')).toBe(warnings.length === 2)
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
  const artifacts = [artifact('b', 1), artifact(`${evil}3`, 3)]
  const { summary } = await reportOf(compare(artifacts, entries, requireAll))
  const html = renderMarkdown(summary).replace(/"[^"]*"/g, '""')
  expect(html).not.toMatch(/<img\b/)
  expect(html.match(/<a\b/g)).toHaveLength(1)
  expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
})
