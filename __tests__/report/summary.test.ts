import { afterAll, describe, expect, it } from '@jest/globals'
import type { Result } from '../../src/outcome.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { hashOf } from '../support/samples.ts'
import {
  before,
  endedWith,
  failedAs,
  openTags,
  plannedAs,
  registeredAs,
  reportAll,
  stoppedBy,
  type ReportChanges,
} from './results.ts'

afterAll(cleanUp)

const maxBytes = 1024 * 1024

async function summaryOf(results: readonly Result[], changes: ReportChanges = {}): Promise<string> {
  const { summary } = await reportAll(endedWith(...results), changes)
  expect(openTags(summary)).toEqual([])
  return summary
}

const linking = { inputs: { verificationUrl: 'https://x.example/{hash}' } }

describe('the table', () => {
  it('has a row for each artifact, what may be registered first, with the fields of its record', async () => {
    const time = Date.UTC(2026, 0, 31, 12)
    const record = { creationDate: time, blockchainType: 'ALGORAND', txId: null, txHash: 'TX1' }
    const summary = await summaryOf([
      { ...registeredAs('a', record), hash: hashOf(1) },
      failedAs('b', { code: 'refused' }),
      { ...registeredAs('c', {}, before), hash: hashOf(1), size: null },
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
      ['❌ not registered', 'b', '7 B', hashOf(2), 'refused: see 2 above'],
      ['❌ not registered', 'f', '–', '–', 'unreadable: see 3 above'],
      ['❓ known to the service', 'g', '7 B', hashOf(2), 'refused: see 4 above'],
      ['⚠️ registered, may have been charged more than once', 'e', '7 B', hashOf(1), '–', '–', '–'],
      ['✅ registered', 'a', '7 B', hashOf(1), '2026-01-31 12:00:00', 'ALGORAND', 'TX1'],
      ['✅ registered before', 'c', '–', hashOf(1), '–', '–', '–'],
    ])
  })

  it('has rows as wide as its header, and says in a dry run what would be done', async () => {
    const results = [plannedAs('a', 'held'), plannedAs('b', 'open'), plannedAs('c')]
    const changes = { inputs: { dryRun: true } }
    const summary = await summaryOf([...results, registeredAs('d', {}, before)], changes)
    const { titles, rows } = readSummary(summary)
    expect(rows.map(([state]) => state?.slice(0, 2).trim())).toEqual(['⚠️', '⚠️', '🔎', '✅'])
    expect(titles).toHaveLength(6)
    expect(summary.match(/<td colspan="2">/g)).toHaveLength(3)
    expect(rows[3]).toHaveLength(6)
  })

  it.each([
    [50, 0],
    [51, 51],
  ])('folds rows that need no attention if they are more than 50: %d', async (count, folded) => {
    const good = Array.from({ length: count }, (_, index) => registeredAs(`file-${index}`))
    const bad = [failedAs('bad'), registeredAs('twice', {}, { maybeChargedAgain: true })]
    const summary = await summaryOf([...good, ...bad])
    const [, inside = ''] = /<details>(.*)<\/details>/s.exec(summary) ?? []
    expect(inside.match(/<tr><td>/g)?.length ?? 0).toBe(folded)
    expect(readSummary(summary).rows).toHaveLength(count + 2)
  })
})

describe('the reasons', () => {
  it('say equal failures once, with the first three names, and others apart', async () => {
    const away = ['a', 'b', 'c', 'd'].map(name => failedAs(name))
    const summary = await summaryOf([...away, failedAs('e', { what: 'another text' })])
    expect(summary.match(/<b>Next:<\/b>/g)).toHaveLength(2)
    expect(summary).toContain('<code>c</code>, and 1 more<br>')
  })

  it.each([
    ['may be registered', { registered: 'unknown' }, true],
    ['is known to the service', { code: 'refused', status: 409 }, true],
    ['is certainly not registered', {}, false],
  ] as const)('link a look-up of what %s', async (_, changes, isLinked) => {
    const url = `https://x.example/${hashOf(2)}`
    const { summary, log } = await reportAll(endedWith(failedAs('a', changes)), linking)
    expect(summary.split(`<a href="${url}">`)).toHaveLength(isLinked ? 3 : 1)
    expect(log.some(line => line.includes(url))).toBe(isLinked)
    const none = { inputs: { verificationUrl: 'https://x.example/{txId}' } }
    expect(await summaryOf([failedAs('a', changes)], none)).not.toContain('x.example')
  })

  it('name the page of the docs where its address is not known', async () => {
    const failure = failedAs('a', { code: 'refused' })
    const known = await summaryOf([failure])
    expect(known).toContain('/blob/v1/docs/failures.md#refused">docs/failures.md</a>')
    expect(await summaryOf([failure], { docsUrl: null })).toContain('More: docs/failures.md')
  })
})

it('a summary shows warnings and how to check, and is written only if wanted', async () => {
  const warned = ['it is odd']
  const attachment = { tag: 'v1', failure: null, warnings: warned, hasPrintedLines: false }
  const ending = { ...endedWith(registeredAs('a')), attachment, warnings: ['the period ended'] }
  const { summary, warnings } = await reportAll(ending)
  expect(warnings).toEqual(['it is odd'])
  expect(summary).toMatch(/⚠️ It is odd\..*⚠️ The period ended\./s)
  expect(summary).toContain('/docs/verify.md">')
  expect(await summaryOf([failedAs('a')])).not.toContain('verify.md')
  const quiet = { inputs: { showSummary: false } }
  expect((await reportAll(ending, quiet)).summary).toBe('')
  expect((await reportAll(stoppedBy('x'), quiet)).summary).toBe('')
})

const evil =
  '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat #1 ::error:: x_www.evil.example a@evil.example'

it('foreign text does nothing on the page, wherever it stands', async () => {
  const record = { blockchainType: evil, txId: evil, creationDate: evil }
  const results = [
    failedAs(evil, { code: 'refused', status: 409, what: evil, remedy: evil }),
    failedAs(`${evil}1`, { registered: 'unknown', what: evil, remedy: `${evil}!` }),
    registeredAs(`${evil}2`, record),
  ]
  const attachment = { tag: evil, failure: evil, warnings: [evil], hasPrintedLines: true }
  const ended = { ...endedWith(...results), warnings: [evil] }
  const endings = [
    { ...ended, attachment },
    { ...ended, attachment: { ...attachment, failure: null } },
    stoppedBy(evil),
  ]
  const inputs = { recordsPath: evil, baseUrl: evil, releaseTag: evil }
  for (const ending of endings) {
    const { summary } = await reportAll(ending, { inputs, docsUrl: null })
    expect(openTags(summary)).toEqual([])
    // Not what stands in a title, where it is only text.
    const html = renderMarkdown(summary).replace(/"[^"]*"/g, '""')
    expect(html).not.toMatch(/<(?:img|script)\b/)
    expect(
      html.replaceAll(/<a href="">(?:<code>)?0{12}|<a href="">(?:<code>)?1</g, ''),
    ).not.toMatch(/<a\b/)
    expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
    expect(summary.replace(/"[^"]*"/g, '""')).not.toMatch(/@octocat|#1\b|^::/m)
  }
})

describe('the limit of 1 MiB', () => {
  const rows = (count: number, name: (index: number) => string): readonly Result[] =>
    Array.from({ length: count }, (_, index) => registeredAs(name(index)))
  /** How many rows a summary says that it leaves out. */
  const leftOut = (summary: string): number =>
    Number(/<p>(\d+) more artifacts? (?:is|are) not shown/.exec(summary)?.[1] ?? 0)

  it.each<[string, number, (index: number) => string]>([
    ['short names', 10_000, index => `file-${index}`],
    ['names of any length', 500, index => `${'<'.repeat(20_000)}${index}é`],
  ])('is kept in bytes, and rows that do not fit are counted: %s', async (_, count, name) => {
    const summary = await summaryOf(rows(count, name), linking)
    expect(Buffer.byteLength(summary)).toBeLessThan(maxBytes)
    expect(readSummary(summary).rows.length + leftOut(summary)).toBe(count)
    if (leftOut(summary) === 0) return
    expect(Buffer.byteLength(summary)).toBeGreaterThan(maxBytes * 0.9)
    expect(summary).toMatch(/not shown; .*<code>notarization-records\.jsonl<\/code>/)
  })

  it('is kept with the longest messages, failures first', async () => {
    const bad = Array.from({ length: 3000 }, (_, index) =>
      failedAs(`bad-${index}`, { what: `${index}${'<漢>'.repeat(2000)}`, remedy: `${index}` }),
    )
    const summary = await summaryOf([...rows(10, index => `good-${index}`), ...bad])
    expect(Buffer.byteLength(summary)).toBeLessThan(maxBytes)
    expect(readSummary(summary).rows.length + leftOut(summary)).toBe(3010)
    expect(summary).not.toContain('good-')
  })
})
