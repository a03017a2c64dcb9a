import { afterAll, describe, expect, it } from '@jest/globals'
import type { Result } from '../../src/outcome.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { hashOf } from '../support/samples.ts'
import { cases } from './cases.ts'
import { endedWith, failedAs, registeredAs, reportAll, stoppedBy } from './results.ts'

afterAll(cleanUp)

async function summaryOf(results: readonly Result[]): Promise<string> {
  return (await reportAll(endedWith(...results))).summary
}

describe('the table', () => {
  it('has a row for each artifact with the fields of its record, what may be registered first', async () => {
    const time = Date.UTC(2026, 0, 31, 12)
    const record = { creationDate: time, blockchainType: 'ALGORAND', txId: null, txHash: 'TX1' }
    const summary = await summaryOf([
      { ...registeredAs('a', record), hash: hashOf(1) },
      failedAs('b', { code: 'refused' }),
      { ...registeredAs('c', {}, { from: 'records-file' }), hash: hashOf(1), size: null },
      failedAs('d', { registered: 'unknown' }),
      { ...registeredAs('e', {}, { maybeChargedAgain: true }), hash: hashOf(1) },
      { ...failedAs('f', { code: 'unreadable' }), size: null, hash: null },
      failedAs('g', { code: 'refused', status: 409 }),
    ])
    const { titles, rows } = readSummary(summary)
    const fixed = ['State', 'Artifact', 'Size', 'SHA-256']
    expect(titles).toEqual([...fixed, 'Registered at (UTC)', 'Blockchain', 'Transaction'])
    expect(rows).toEqual([
      ['❓ may be registered', 'd', '7 B', hashOf(2), 'unavailable: see 1 above'],
      ['❓ known to the service', 'g', '7 B', hashOf(2), 'refused: see 2 above'],
      ['❌ not registered', 'b', '7 B', hashOf(2), 'refused: see 3 above'],
      ['❌ not registered', 'f', '–', '–', 'unreadable: see 4 above'],
      ['⚠️ registered, may have been charged more than once', 'e', '7 B', hashOf(1), '–', '–', '–'],
      ['✅ registered', 'a', '7 B', hashOf(1), '2026-01-31 12:00:00', 'ALGORAND', 'TX1'],
      ['✅ registered before', 'c', '–', hashOf(1), '–', '–', '–'],
    ])
  })

  it('says in a dry run what a run would do', async () => {
    const [, ending = endedWith(), changes] = cases['dry-run'] ?? []
    const { rows } = readSummary((await reportAll(ending, changes)).summary)
    expect(rows.map(([state]) => state?.slice(0, 2).trim())).toEqual(['⚠️', '⚠️', '🔎', '✅'])
    expect(rows.map(row => row.at(-1)?.includes('settle'))).toEqual([true, true, false, false])
  })

  it.each([
    [50, 0],
    [51, 51],
  ])('collapses more than 50 rows that need no attention: %d', async (count, folded) => {
    const good = Array.from({ length: count }, (_, index) => registeredAs(`file-${index}`))
    const bad = [failedAs('bad'), registeredAs('twice', {}, { maybeChargedAgain: true })]
    const summary = await summaryOf([...good, ...bad])
    const [, inside = ''] = /<details>(.*)<\/details>/s.exec(summary) ?? []
    expect(inside.match(/<tr><td>/g)?.length ?? 0).toBe(folded)
    expect(readSummary(summary).rows).toHaveLength(count + 2)
    expect(summary).not.toContain('Transaction')
  })
})

it('equal failures are described once, with the first three names', async () => {
  const outages = ['a', 'b', 'c', 'd'].map(name => failedAs(name))
  const summary = await summaryOf([...outages, failedAs('e', { what: 'another text' })])
  expect(summary.match(/<b>Next:<\/b>/g)).toHaveLength(2)
  expect(summary).toContain('<code>c</code>, and 1 more<br>')
})

it.each([
  ['may be registered', { registered: 'unknown' }, true],
  ['is known to the service', { code: 'refused', status: 409 }, true],
  ['is certainly not registered', {}, false],
] as const)('a lookup is linked if it can help: the artifact %s', async (_, changes, isLinked) => {
  const url = `https://x.example/${hashOf(2)}`
  const inputs = { verificationUrl: 'https://x.example/{hash}' }
  const { summary, log } = await reportAll(endedWith(failedAs('a', changes)), { inputs })
  expect(summary.split(`<a href="${url}">`)).toHaveLength(isLinked ? 3 : 1)
  expect(log.some(line => line.includes(url))).toBe(isLinked)
})

it('a summary shows warnings and how to verify, and can be turned off', async () => {
  const warned = ['a file is missing']
  const attachment = { tag: 'v1', failure: null, warnings: warned, hasPrintedLines: false }
  const ending = { ...endedWith(registeredAs('a')), attachment, warnings: ['the period ended'] }
  const { summary, warnings } = await reportAll(ending)
  expect(warnings).toEqual(['a file is missing'])
  expect(summary).toMatch(/⚠️ A file is missing\..*⚠️ The period ended\..*\/docs\/verify\.md">/s)
  expect(summary).not.toContain('charged again')
  expect(await summaryOf([failedAs('a'), registeredAs('b')])).toContain('charged again')
  expect(await summaryOf([failedAs('a')])).not.toMatch(/charged again|verify\.md/)
  for (const end of [ending, stoppedBy('x')]) {
    expect((await reportAll(end, { inputs: { showSummary: false } })).summary).toBe('')
  }
})

it('untrusted text has no effect on the page', async () => {
  const evil =
    '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat #1 ::error:: x_www.evil.example a@evil.example'
  const record = { creationDate: evil, blockchainType: evil, txId: evil }
  const results = [
    failedAs(`${evil}1`, { registered: 'unknown', what: evil, remedy: `${evil}!` }),
    registeredAs(`${evil}2`, record),
  ]
  const attachment = { tag: evil, failure: evil, warnings: [evil], hasPrintedLines: true }
  const ended = { ...endedWith(...results), attachment, warnings: [evil] }
  for (const ending of [ended, stoppedBy(evil)]) {
    const { summary } = await reportAll(ending, { inputs: { recordsPath: evil }, docsUrl: 'docs' })
    const html = renderMarkdown(summary).replace(/"[^"]*"/g, '""')
    expect(html).not.toMatch(/<(?:img|script|a)\b/)
    expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
    expect(summary.replace(/"[^"]*"/g, '""')).not.toMatch(/@octocat|#1\b|^::/m)
  }
})

it.each<[string, count: number, name: (index: number) => string, what: string]>([
  ['short names', 10_000, index => `file-${index}`, 'x'],
  ['names of any length', 900, index => `${'<'.repeat(20_000)}${index}é`, 'x'],
  ['the longest messages', 3000, index => `${index}`, '<漢>'.repeat(2000)],
])('rows that do not fit into 1 MiB are only counted: %s', async (_, count, name, what) => {
  const results = Array.from({ length: count }, (__, index) =>
    failedAs(name(index), { what: `${index}${what}` }),
  )
  const summary = await summaryOf([...results, registeredAs('good')])
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(Buffer.byteLength(summary)).toBeGreaterThan(900_000)
  const [, left] =
    /<p>(\d+) more artifacts are not shown; .*notarization-records\.jsonl/.exec(summary) ?? []
  expect(readSummary(summary).rows.length + Number(left)).toBe(count + 1)
  expect(summary).not.toContain('good')
})
