import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Result } from '../../src/outcome.ts'
import { countResults } from '../../src/report/outputs.ts'
import { formatSummary, formatVerdict } from '../../src/report/summary.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { failedAs, hashOf, plannedAs, registeredAs, reportAll } from './results.ts'

afterAll(cleanUp)

const MIB = 1024 * 1024

const summaryOf = (results: readonly Result[], isDryRun = false): string =>
  formatSummary({ results, isDryRun, recordsPath: 'out/records.jsonl' })

/** What a reader sees of HTML in one line: no tags, and every space is a space. */
const seen = (html: string): string => html.replace(/<[^>]*>/g, '').replaceAll('&nbsp;', ' ')

/** The rows below the header, each as what a reader sees of its cells. */
const rowsOf = (summary: string): readonly (readonly string[])[] =>
  summary
    .split('\n')
    .filter(line => line.startsWith('<tr><td'))
    .map(row => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => seen(cell)))

const titlesOf = (summary: string): readonly string[] =>
  [...summary.matchAll(/<th[^>]*>(.*?)<\/th>/g)].map(([, title = '']) => title)

const firstLine = (summary: string): string => summary.split('\n')[0] ?? ''

/** How many rows a summary says that it leaves out. */
const leftOut = (summary: string): number =>
  Number(/^(\d+) artifacts? more (?:is|are) not shown/m.exec(summary)?.[1] ?? 0)

describe('the first line', () => {
  const verdictOf = (results: readonly Result[], isDryRun = false): string =>
    formatVerdict(countResults(results), { isDryRun })

  it('is the verdict with counts, new and known before told apart', () => {
    const results = [
      registeredAs('a'),
      registeredAs('b', {}, 'records-file'),
      registeredAs('c', {}, 'records-file'),
    ]
    expect(verdictOf(results)).toBe(
      '✅ NOTARIZED: 3 of 3 artifacts registered (1 newly registered, 2 known before)',
    )
    expect(firstLine(summaryOf(results))).toBe(`## ${verdictOf(results)}`)
  })

  it('says what failed, and what of it may be registered', () => {
    expect(
      verdictOf([registeredAs('a'), failedAs('b'), failedAs('c', 'unavailable', 'unknown')]),
    ).toBe(
      '❌ PARTLY NOTARIZED: 1 of 3 artifacts registered (1 newly registered, 0 known before); 2 failed, 1 of them may be registered',
    )
    expect(verdictOf([failedAs('a')])).toBe(
      '❌ NOT NOTARIZED: 0 of 1 artifact registered; 1 failed',
    )
  })

  it('says when nothing was found', () => {
    expect(verdictOf([])).toContain('NOTHING NOTARIZED')
  })

  it('says that a run was dry, whatever it found', () => {
    const results = [
      plannedAs('a'),
      registeredAs('b', {}, 'records-file'),
      failedAs('c', 'unreadable'),
    ]
    expect(verdictOf(results, true)).toMatch(
      /^🔎 DRY RUN, nothing was sent: 1 of 3 .*1 known before.*1 could not be hashed/,
    )
    expect(verdictOf([], true)).toContain('DRY RUN')
  })

  it.each([
    [1, '1 input is wrong'],
    [3, '3 inputs are wrong'],
  ])('says of %d wrong inputs that nothing was notarized, on one line', async (count, wrong) => {
    const problems = Array.from({ length: count }, (_, index) => ({
      input: `input-${index}`,
      message: 'is wrong',
    }))
    const ending = { kind: 'stopped', checksumsPath: '' } as const
    const { summaries } = await reportAll({
      ...ending,
      problems: [...problems, ...problems],
    })
    expect(summaries).toEqual([expect.stringMatching(/^## [^\n]*NOT NOTARIZED[^\n]*\n$/)])
    expect(summaries[0]).toContain(wrong)
  })
})

describe('the table', () => {
  it('has a row for each artifact, failures first, with what a reader looks for', () => {
    const record = {
      creationDate: Date.UTC(2026, 0, 31, 12, 0, 0),
      blockchainType: 'ALGORAND',
      txId: 'TX1',
    }
    const summary = summaryOf([
      registeredAs('a', record),
      failedAs('b', 'refused', 'unknown', 'why; do this'),
      registeredAs('c', {}, 'records-file'),
    ])
    expect(titlesOf(summary)).toEqual([
      ...[
        'State',
        'Artifact',
        'Size',
        'SHA-256',
        'Registered at (UTC)',
        'Blockchain',
        'Transaction',
      ],
    ])
    expect(rowsOf(summary)).toEqual([
      ['❓ may be registered', 'b', '7 B', hashOf(2), expect.stringContaining('refused')],
      ['✅ registered', 'a', '7 B', hashOf(1), '2026-01-31 12:00:00', 'ALGORAND', 'TX1'],
      ['✅ registered before', 'c', '7 B', hashOf(1), '–', '–', '–'],
    ])
    expect(seen(summary)).toContain('why; do this')
  })

  it('says of a failure whether it may be registered, why it failed and what to do next', () => {
    const summary = summaryOf([
      failedAs('a', 'refused', 'no'),
      failedAs('b', 'unavailable', 'unknown'),
    ])
    expect(rowsOf(summary).map(([state]) => state)).toEqual([
      '❌ not registered',
      '❓ may be registered',
    ])
    expect(summary).toContain('What to do next')
    expect(summary).toMatch(/look .*at the service/)
    const sure = summaryOf([failedAs('a')])
    expect(sure).toContain('What to do next')
    expect(sure).not.toMatch(/may be registered|look .*at the service/)
  })

  it('has rows that are as wide as its header', () => {
    for (const results of [
      [failedAs('a')],
      [failedAs('a'), registeredAs('b')],
      [failedAs('a'), registeredAs('b', { txHash: 'T' })],
    ]) {
      const summary = summaryOf(results)
      const width = titlesOf(summary).length
      const failed = summary.split('\n').find(line => line.startsWith('<tr><td>❌')) ?? ''
      const span = Number(/colspan="(\d+)"/.exec(failed)?.[1] ?? 1)
      expect(span).toBeGreaterThan(0)
      expect(rowsOf(summary)[0]?.length).toBe(width - span + 1)
    }
  })

  it('has a transaction column only if there is a transaction', () => {
    expect(titlesOf(summaryOf([registeredAs('a', { txId: null, txHash: '' })]))).not.toContain(
      'Transaction',
    )
    expect(titlesOf(summaryOf([registeredAs('a', { txHash: 'T' })]))).toContain('Transaction')
  })

  it.each([null, 'soon', NaN, Infinity, 9e15, {}, undefined])(
    'has a dash for a time that is none: %p',
    creationDate => {
      expect(rowsOf(summaryOf([registeredAs('a', { creationDate })]))[0]?.[4]).toBe('–')
    },
  )

  it('has a dash for what was not read', () => {
    const unread: Result = { ...failedAs('a', 'unreadable'), size: null, hash: null }
    expect(rowsOf(summaryOf([unread]))[0]?.slice(2, 4)).toEqual(['–', '–'])
  })

  it('is not there when nothing was found', () => {
    expect(summaryOf([])).not.toContain('<table>')
  })

  it('lets no foreign text act', () => {
    const evil =
      '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat ::error::'
    const record = { blockchainType: evil, txId: evil, creationDate: 1 }
    const summary = formatSummary({
      results: [failedAs(evil, 'refused', 'no', evil), registeredAs(`${evil}2`, record)],
      isDryRun: false,
      recordsPath: evil,
    })
    expect(summary.match(/<\/table>/g)).toHaveLength(1)
    expect(summary.match(/<tr>/g)).toHaveLength(3)
    expect(summary).not.toMatch(/<img|\[x\]|@octocat|`a`/)
    expect(summary.split('\n').filter(line => line.startsWith('#'))).toHaveLength(1)
    const table = summary.slice(summary.indexOf('<table>'), summary.indexOf('</table>'))
    expect(table).not.toMatch(/\n\s*\n/)
  })
})

describe('the limit of 1 MiB', () => {
  const rows = (count: number, name: (index: number) => string): readonly Result[] =>
    Array.from({ length: count }, (_, index) => registeredAs(name(index)))

  it.each([
    ['short names', 10_000, (index: number) => `file-${index}`],
    ['names of many bytes', 5000, (index: number) => `${'漢'.repeat(250)}-${index}`],
    [
      'names that grow when they are escaped',
      3000,
      (index: number) => `${'\u202e'.repeat(250)}${index}`,
    ],
    ['names that become entities', 3000, (index: number) => `${'<'.repeat(250)}${index}`],
    ['names of any length', 500, (index: number) => `${'x'.repeat(20_000)}${index}é`],
  ])('is kept in bytes, and rows that do not fit are counted: %s', (_, count, name) => {
    const summary = summaryOf(rows(count, name))
    expect(Buffer.byteLength(summary)).toBeLessThan(MIB)
    expect(rowsOf(summary).length + leftOut(summary)).toBe(count)
    expect(firstLine(summary)).toContain(`${count} of ${count} artifacts`)
    if (leftOut(summary) > 0) {
      expect(Buffer.byteLength(summary)).toBeGreaterThan(MIB * 0.9)
      expect(summary).toMatch(
        /not shown; <code>out&#?\/?.*records\.jsonl<\/code>|not shown; .*records\.jsonl/,
      )
    }
  })

  it('is kept with the longest messages, failures first', () => {
    const results = [
      ...rows(10, index => `good-${index}`),
      ...Array.from({ length: 3000 }, (_, index) =>
        failedAs(`bad-${index}`, 'refused', 'no', `${index}${'<漢>'.repeat(2000)}`),
      ),
    ]
    const summary = summaryOf(results)
    expect(Buffer.byteLength(summary)).toBeLessThan(MIB)
    expect(rowsOf(summary).length + leftOut(summary)).toBe(3010)
    expect(leftOut(summary)).toBeGreaterThan(10)
    expect(summary).not.toContain('good-1</code>')
  })

  it('is kept when the lines to check with are long', () => {
    const summary = summaryOf(rows(60, index => `${'n'.repeat(30_000)}-${index}`))
    expect(Buffer.byteLength(summary)).toBeLessThan(MIB)
    expect(rowsOf(summary).length + leftOut(summary)).toBe(60)
  })

  it('is kept when the records file has the longest of names', () => {
    const summary = formatSummary({
      results: rows(9000, index => `file-${index}`),
      isDryRun: false,
      recordsPath: '\u202e'.repeat(100_000),
    })
    expect(Buffer.byteLength(summary)).toBeLessThan(MIB)
  })

  it('leaves nothing out that fits', () => {
    expect(leftOut(summaryOf(rows(1500, index => `file-${index}`)))).toBe(0)
  })
})

describe('how to check', () => {
  const blockOf = (summary: string): string => /^```sh\n(.*?)\n```$/ms.exec(summary)?.[1] ?? ''

  it('is a text that a shell can run as it is', () => {
    const names = ['app.zip', 'a b/c-d_e@f+g,h=i%.tgz', '.hidden', '=x']
    const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, `of ${name}`])))
    const results = names.map(name => ({
      ...registeredAs(name),
      hash: createHash('sha256').update(`of ${name}`).digest('hex'),
    }))
    const { status, stdout } = spawnSync('bash', ['-c', blockOf(summaryOf(results))], {
      cwd: workspace.root,
      encoding: 'utf8',
    })
    expect(stdout.trim().split('\n')).toEqual(names.map(name => `${name}: OK`))
    expect(status).toBe(0)
  })

  it('is only for what is registered, and for names that a shell takes as they are', () => {
    const odd = ['a\nb', "a'b", '$(x)', '`x`', '-n', ' x', 'a\\b', '漢.zip', '```', '']
    const summary = summaryOf([
      failedAs('bad.zip'),
      ...odd.map(name => registeredAs(name)),
      registeredAs('good.zip'),
    ])
    expect(blockOf(summary).split('\n')).toEqual([
      "sha256sum -c - <<'END'",
      `${hashOf(1)}  good.zip`,
      'END',
    ])
  })

  it('is not there when there is nothing to check', () => {
    expect(summaryOf([failedAs('a')])).not.toContain('sha256sum')
    expect(summaryOf([plannedAs('a')], true)).not.toContain('sha256sum')
  })

  it('has no text without lines, which would fail in the shell', () => {
    expect(summaryOf([registeredAs('漢.zip')])).not.toContain("<<'END'\nEND")
  })

  it('shows fifty lines, and counts the rest', () => {
    const summary = summaryOf(
      Array.from({ length: 70 }, (_, index) => registeredAs(`file-${index}`)),
    )
    expect(blockOf(summary).split('\n')).toHaveLength(52)
    expect(summary).toMatch(/\b20 more are\b/)
  })
})
