import { afterAll, describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/outcome.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { sha256 } from '../support/samples.ts'
import { cases } from './cases.ts'
import { endedWith, failedAs, registeredAs, reportAll, stoppedBy } from './results.ts'

afterAll(cleanUp)

async function summaryOf(artifacts: readonly Artifact[]): Promise<string> {
  return (await reportAll(endedWith(...artifacts))).summary
}

/** A release that has all records. */
function attachmentWith(warnings: readonly string[]) {
  return { tag: 'v1', failure: null, warnings, hasAllLines: true }
}

describe('the table', () => {
  it('has a row for each artifact, the most urgent first, with the fields of its record', async () => {
    const time = Date.UTC(2026, 0, 31, 12)
    const record = { creationDate: time, blockchainType: 'ALGORAND', txId: null, txHash: 'TX1' }
    const { titles, rows } = readSummary(
      await summaryOf([
        registeredAs('a', record),
        failedAs('b', { isKnown: true }),
        { ...registeredAs('c', {}, { from: 'records-file' }), size: null },
        failedAs('d', { registered: 'unknown' }),
        registeredAs('e', {}, { maybeChargedAgain: true }),
        { ...failedAs('f', { cause: 'it is locked' }), size: null, hash: null },
        failedAs('g', { code: 'record-mismatch', registered: 'unknown' }),
      ]),
    )
    const fixed = ['State', 'Artifact', 'Size', 'SHA-256']
    expect(titles).toEqual([...fixed, 'Registered at (UTC)', 'Blockchain', 'Transaction'])
    const digits = (name: string): string => sha256(name).slice(0, 12)
    expect(rows).toEqual([
      ['❓ may be registered', 'd', '7 B', digits('d'), 'see 1 above'],
      ['❓ record in doubt', 'g', '7 B', digits('g'), 'see 2 above'],
      ['❌ not registered', 'f', '–', '–', 'see 3 above'],
      ['❌ not registered', 'b', '7 B', digits('b'), 'see 4 above'],
      ['⚠️ registered, maybe charged more than once', 'e', '7 B', digits('e'), '–', '–', '–'],
      ['✅ registered', 'a', '7 B', digits('a'), '2026-01-31 12:00:00', 'ALGORAND', 'TX1'],
      ['✅ registered before', 'c', '–', digits('c'), '–', '–', '–'],
    ])
  })

  it('links each hash to its look-up; steps and log also link what may be registered', async () => {
    const inputs = { verificationUrl: 'https://x.example/{hash}' }
    const maybe = [failedAs('a', { registered: 'unknown' }), failedAs('k', { isKnown: true })]
    const end = endedWith(...maybe, failedAs('b'), registeredAs('c'))
    const { summary, log } = await reportAll(end, { inputs })
    for (const hash of ['a', 'b', 'c'].map(sha256)) {
      const code = `<code title="${hash}">${hash.slice(0, 12)}</code>`
      expect(summary).toContain(`<a href="https://x.example/${hash}">${code}</a>`)
    }
    const linked = [...summary.matchAll(/<code>(\w)<\/code> \(<a [^>]*>look up</g)]
    expect(linked.map(([, name]) => name)).toEqual(['a', 'k'])
    expect(log.filter(line => line.includes('look-up: https://x.example/'))).toHaveLength(2)
  })

  it('says in a dry run what a run would do', async () => {
    const [end = endedWith(), changes] = cases.get('dry-run') ?? []
    const { rows } = readSummary((await reportAll(end, changes)).summary)
    expect(rows.map(([state]) => state?.slice(0, 2).trim())).toEqual(['❓', '⚠️', '🔎', '✅'])
    expect(rows.map(row => row.at(-1)?.includes('settle'))).toEqual([true, true, false, false])
  })

  const bad = [failedAs('bad'), registeredAs('twice', {}, { maybeChargedAgain: true })]
  it.each<[number, readonly Artifact[], tables: readonly (number | 'folded')[]]>([
    [50, bad, [52]],
    [51, bad, [2, 'folded', 51]],
    [51, [], ['folded', 51]],
  ])('folds more than 50 rows that need no attention: %d', async (count, others, tables) => {
    const good = Array.from({ length: count }, (_, index) => registeredAs(`file-${index}`))
    const summary = await summaryOf([...good, ...others])
    const found = [...summary.matchAll(/<details>|<table>(.*?)<\/table>/gs)]
    expect(found.map(([, rows]) => rows?.match(/<tr><td>/g)?.length ?? 'folded')).toEqual(tables)
    expect(summary).not.toContain('Transaction')
  })
})

it('a summary shows all warnings and how to check, and can be turned off', async () => {
  const end = { ...endedWith(registeredAs('a')), attachment: attachmentWith(['a file is new']) }
  const { summary } = await reportAll(end, { warned: ['the period ended'] })
  expect(summary).toMatch(/⚠️ The period ended\..*⚠️ A file is new\..*\/docs\/verify\.md">/s)
  expect(await summaryOf([failedAs('a')])).not.toContain('verify.md')
  expect(await summaryOf([])).toContain('/docs/reference.md#patterns">')
  for (const other of [end, stoppedBy('x')]) {
    expect((await reportAll(other, { inputs: { showSummary: false } })).summary).toBe('')
  }
})

it('a summary says whether a re-run pays again for what is registered', async () => {
  const end = endedWith(failedAs('a'), registeredAs('b'))
  const attached = { ...end, attachment: attachmentWith([]) }
  expect((await reportAll(end)).summary).toContain('does not pay again')
  expect((await reportAll(attached)).summary).toContain('is not paid for again')
  const notKept = await reportAll(end, { inputs: { keepRecords: false } })
  expect(notKept.summary).toContain('pays again')
  expect(await summaryOf([failedAs('a')])).not.toMatch(/pa(?:ys?|id for) again/)
})

it('untrusted text has no effect on the page', async () => {
  const evil =
    '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat #1 ::error:: x_www.evil.example a@evil.example'
  const parts = { cause: evil, detail: evil, remedy: `${evil}!`, rerun: null }
  const artifacts = [
    failedAs(`${evil}1`, { registered: 'unknown', ...parts }),
    registeredAs(`${evil}2`, { creationDate: evil, blockchainType: evil, txId: evil }),
  ]
  const attachment = { tag: evil, failure: parts, warnings: [evil], hasAllLines: false }
  for (const end of [{ ...endedWith(...artifacts), attachment }, stoppedBy(evil)]) {
    const { summary } = await reportAll(end, { warned: [evil], inputs: { verificationUrl: null } })
    const html = renderMarkdown(summary)
    expect(html.match(/<a href="(?!https:\/\/github\.com\/octo\/)/g)).toBeNull()
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<(?:img|script)\b/)
    expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
    expect(summary.replace(/"[^"]*"/g, '""')).not.toMatch(/@octocat|#1\b|^::/m)
  }
})

it.each<[string, count: number, name: (index: number) => string, cause: string]>([
  ['short names', 10_000, index => `file-${index}`, 'x'],
  ['long names', 900, index => `${'<'.repeat(20_000)}${index}é`, 'x'],
  ['the longest messages', 3000, index => `${index}`, '<漢>'.repeat(2000)],
])('rows that do not fit into 1 MiB are only counted: %s', async (_, count, name, cause) => {
  const artifacts = Array.from({ length: count }, (__, index) =>
    failedAs(name(index), { cause: `${index}${cause}` }),
  )
  const summary = await summaryOf([...artifacts, registeredAs('good')])
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(Buffer.byteLength(summary)).toBeGreaterThan(900_000)
  const omitted = /<p>(\d+) more artifacts are not shown; .*notarization-records\.jsonl/
  const [, left] = omitted.exec(summary) ?? []
  expect(readSummary(summary).rows.length + Number(left)).toBe(count + 1)
  expect(summary).not.toContain('good')
})
