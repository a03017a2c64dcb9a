import { afterAll, expect, it } from '@jest/globals'
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'
import { reportCompared } from '../../src/verify/verify-report.ts'
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

const matched = compare([artifact('a', 1)], [record('a', 1)])
const requireAll = { requireAll: true }

it('the summary of a match has the fields of its record, warnings, and nothing to do', async () => {
  const { summary, exitCode, errors } = await reportOf(matched)
  const { verdict, rows } = readSummary(summary)
  expect([exitCode, errors]).toEqual([0, []])
  expect(verdict).toBe('## ✅ VERIFIED: 1 of 1 artifact matches its notarization record')
  const digits = hashOf(1).slice(0, 12)
  expect(rows).toEqual([['✅ matched', 'a', '1 B', digits, '2026-01-01 00:00:00', 'ALGORAND']])
  expect(summary).toContain('A warning.')
  expect(summary).not.toContain('Do not deploy')
})

/** Results that do not match, for every reason. */
const wrong: readonly (readonly VerifyResult[])[] = [
  compare([artifact('dist/app-1.2.3-linux.tar.gz', 9)], [record('app-1.2.3-linux.tar.gz', 1)]),
  compare([unread('c')], []),
  compare([artifact('a', 1)], [record('a', 1, bad)]),
  compare([artifact('a', 1)], [sent('a', 1)]),
  compare([artifact('a', 1)], []),
  compare([artifact('a', 1)], [record('a', 1), record('b', 2)], requireAll).slice(1),
]

it.each([...wrong.map(results => [results]), [wrong.flat()]])(
  'each result that does not match has one next step, the same everywhere: %#',
  async results => {
    for (const halt of [haltOf(), haltOf('cancelled'), haltOf('bug')]) {
      const { exitCode, errors, log, outputs, summary } = await reportOf(results, { halt })
      expect([exitCode, summary.startsWith('## ❌ ')]).toEqual([1, true])
      expect(errors).toHaveLength(halt.reason === null ? 1 : 2)
      const page = decodeHtml(summary.replaceAll(/<(?!wbr)[^>]*>/g, ''))
      const steps = new Set(results.map(({ state, remedy }) => `${state} ${remedy}`)).size
      // How to run again is one more step.
      expect(summary.match(/<li>/g)).toHaveLength(steps + (halt.reason === null ? 0 : 2))
      for (const { remedy } of results) {
        const text = JSON.stringify(remedy.slice(1)).slice(1, -1)
        for (const all of [page, log.join()]) expect(JSON.stringify(all)).toContain(text)
        expect(outputs['results']).toContain(text)
      }
      const worst = results.find(({ state }) => state === outputs['verdict'])
      expect(errors[0]).toContain(worst?.why.slice(1))
      expect(errors[0]).toContain(worst?.remedy.slice(1))
      expect(errors[0]?.length).toBeLessThan(310)
    }
  },
)

it('what does not match is counted and comes first, the worst before the rest; outputs are sorted by name', async () => {
  const artifacts = [artifact('a', 1), artifact('b', 9), unread('c'), artifact('x', 2)]
  const entries = [record('a', 1), record('b', 3), record('d', 4), record('y', 2)]
  const run = await reportOf(compare(artifacts, entries, requireAll))
  expect([run.exitCode, run.outputs['verdict']]).toEqual([1, 'altered'])
  const counts = { 'matched-count': 2, 'altered-count': 1, 'unknown-count': 1, 'missing-count': 1 }
  expect(run.outputs).toMatchObject(counts)
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

it('more than 50 plain matches are folded, but no match with a note', async () => {
  const artifacts = Array.from({ length: 52 }, (_, index) => artifact(`file-${index}`, index))
  const named = artifacts.slice(1).map(({ name }, index) => record(name, index + 1))
  const { summary } = await reportOf(compare(artifacts, [record('other', 0), ...named]))
  const parts = summary.split('<details>')
  expect(parts.map(part => part.match(/<tr><td>/g)?.length)).toEqual([1, 51])
})

it('a canceled run is not green', async () => {
  const { exitCode, summary } = await reportOf(matched, { halt: haltOf('cancelled') })
  expect(exitCode).toBe(1)
  expect(summary).toMatch(/^## ❌ NOT VERIFIED: the run was canceled; 1 of 1 artifact/)
})

it('results that would exceed 120,000 bytes are left empty with a warning', async () => {
  const long = makeRecord(hashOf(1), { description: 'x'.repeat(120_000) })
  const entries = [record('a', 1, { record: long })]
  const { outputs, warnings } = await reportOf(compare([artifact('a', 1)], entries))
  expect(outputs['results']).toBe('')
  expect(warnings).toEqual(['a warning', expect.stringContaining('"results" is empty')])
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
  // The heading, and the link to the docs.
  expect(html.match(/<(?:img|a|h[1-6])\b/g)).toEqual(['<h2', '<a'])
})
