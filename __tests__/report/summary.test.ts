import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Result } from '../../src/outcome.ts'
import { renderMarkdown } from '../../scripts/github-page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  before,
  endedWith,
  failedAs,
  registeredAs,
  reportAll,
  stoppedBy,
  type ReportChanges,
} from './results.ts'
import { hashOf, sha256 } from '../support/samples.ts'

afterAll(cleanUp)

const MIB = 1024 * 1024

const summaryOf = async (
  results: readonly Result[],
  changes: ReportChanges = {},
): Promise<string> => (await reportAll(endedWith(...results), changes)).summary

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

/** How many rows a summary says that it leaves out. */
const leftOut = (summary: string): number =>
  Number(/<p>(\d+) more artifacts? (?:is|are) not shown/.exec(summary)?.[1] ?? 0)

describe('the table', () => {
  it('has a row for each artifact, failures first, with what a reader looks for', async () => {
    const record = {
      ...{ creationDate: Date.UTC(2026, 0, 31, 12, 0, 0), blockchainType: 'ALGORAND', txId: 'TX1' },
    }
    const summary = await summaryOf([
      registeredAs('a', record),
      failedAs('b', { code: 'refused', what: 'why' }),
      registeredAs('c', {}, before),
      failedAs('d', { registered: 'unknown', what: 'why' }),
      registeredAs('e', {}, { unansweredTries: 2 }),
    ])
    const titles = ['State', 'Artifact', 'Size', 'SHA-256', 'Registered at (UTC)', 'Blockchain']
    expect(titlesOf(summary)).toEqual([...titles, 'Transaction'])
    expect(rowsOf(summary)).toEqual([
      ['❓ may be registered', 'd', '7 B', hashOf(2), 'unavailable: why'],
      ['❌ not registered', 'b', '7 B', hashOf(2), 'refused: why'],
      ['✅ registered', 'a', '7 B', hashOf(1), '2026-01-31 12:00:00', 'ALGORAND', 'TX1'],
      ['✅ registered before', 'c', '7 B', hashOf(1), '–', '–', '–'],
      [
        '✅ registered; ⚠️ may have been charged more than once (2 tries without an answer)',
        ...['e', '7 B', hashOf(1), '–', '–', '–'],
      ],
    ])
  })

  it('has a column for what there is only, and rows as wide as its header', async () => {
    for (const [results, columns] of [
      [[failedAs('a')], 5],
      [[failedAs('a'), registeredAs('b', { txId: null, txHash: '' })], 6],
      [[failedAs('a'), registeredAs('b', { txHash: 'T' })], 7],
    ] as const) {
      const summary = await summaryOf(results)
      expect(titlesOf(summary)).toHaveLength(columns)
      const row = summary.split('\n').find(line => line.startsWith('<tr><td>❌')) ?? ''
      const span = Number(/colspan="(\d+)"/.exec(row)?.[1] ?? 0)
      expect(rowsOf(summary)[0]?.length).toBe(titlesOf(summary).length - span + 1)
    }
  })

  it('has a dash for a time that is none, and for what was not read', async () => {
    for (const creationDate of [null, 'soon', NaN, Infinity, 9e15, {}, undefined]) {
      expect(rowsOf(await summaryOf([registeredAs('a', { creationDate })]))[0]?.[4]).toBe('–')
    }
    const unread = { ...failedAs('a', { code: 'unreadable' }), size: null, hash: null }
    expect(rowsOf(await summaryOf([unread]))[0]?.slice(2, 4)).toEqual(['–', '–'])
  })

  it('lists ten reasons, what may be registered first, and gives the whole text to failures beyond', async () => {
    const results = Array.from({ length: 24 }, (_, index) =>
      failedAs(`file-${index}`, {
        ...{ remedy: `do ${index % 12}`, registered: index % 12 === 11 ? 'unknown' : 'no' },
      }),
    )
    const { summary, log } = await reportAll(endedWith(...results))
    expect(summary.match(/<b>Next:<\/b> Do \d+/g)).toEqual(
      [11, 0, 1, 2, 3, 4, 5, 6, 7, 8].map(index => `<b>Next:</b> Do ${index}`),
    )
    expect(summary).toContain('<p>4 more artifacts failed for other reasons')
    for (const row of rowsOf(summary)) {
      const isListed = !/file-(?:9|10|21|22)$/.test(row[1] ?? '')
      const text = isListed ? /^unavailable: the service is away$/ : /nothing was spent.*; do \d+$/
      expect(row.at(-1)).toMatch(text)
    }
    expect(log.filter(line => line.includes('do 10'))).toHaveLength(2)
  })
})

describe('the advice', () => {
  it('is one for what has the same consequences, with the first three names and texts', async () => {
    const away = ['a', 'b', 'c', 'd'].map(name => failedAs(name, { what: `no answer to ${name}` }))
    const summary = await summaryOf([...away, failedAs('e', { code: 'refused', status: 418 })])
    expect(summary.match(/<b>Next:<\/b>/g)).toHaveLength(2)
    expect(summary).toContain('<code>c</code> and 1 more<br>')
    expect(summary).toContain('No answer to a; or: no answer to b; or: no answer to c.')
    expect(summary).toContain('is neither sent nor charged again')
  })

  it('never says to run again what is never sent again', async () => {
    const mismatch = { code: 'record-mismatch', registered: 'unknown', remedy: 'ask' } as const
    expect(await summaryOf([failedAs('e', mismatch)])).not.toMatch(/run .*again|sent .*again/i)
  })
})

const evil =
  '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat #1 ::error:: x_www.evil.example a@evil.example'

describe('foreign text', () => {
  it('does nothing on the page, wherever it stands', async () => {
    const record = { blockchainType: evil, txId: evil, creationDate: 1 }
    const results = [
      failedAs(evil, { code: 'refused', status: 409, what: evil, remedy: evil }),
      failedAs(`${evil}1`, { registered: 'unknown', what: evil, remedy: `${evil}!` }),
      registeredAs(`${evil}2`, record),
    ]
    const source = {
      ...{ repository: evil, sha: evil, ref: evil, runId: evil, runAttempt: evil },
      ...{ commitUrl: 'javascript:alert(1)', runUrl: evil },
    }
    const links = [{ name: evil, url: 'javascript:alert(1)' }]
    const ending = { ...endedWith(...results), warnings: [evil] }
    const attachment = { tag: evil, failure: evil, links }
    const changes = { source, recordsPath: evil, baseUrl: evil, releaseTag: evil }
    const endings = [
      { ...ending, attachment },
      { ...ending, attachment: { ...attachment, failure: null } },
      stoppedBy(evil),
    ]
    for (const one of endings) {
      const page = (await reportAll(one, changes)).summary
      // Not what stands in a title, where it is only text.
      const html = renderMarkdown(page).replace(/"[^"]*"/g, '""')
      expect(html).not.toMatch(/<(?:img|a|script)\b/)
      expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
      expect(page).not.toMatch(/@octocat|#1\b|^::/m)
    }
  })
})

describe('the limit of 1 MiB', () => {
  const rows = (count: number, name: (index: number) => string): readonly Result[] =>
    Array.from({ length: count }, (_, index) => registeredAs(name(index)))

  it.each([
    ['short names', 10_000, (index: number) => `file-${index}`],
    ['names of many bytes', 5000, (index: number) => `${'漢'.repeat(250)}-${index}`],
    ['names that grow when shown', 3000, (index: number) => `${'\u202e'.repeat(250)}${index}`],
    ['names of any length', 500, (index: number) => `${'<'.repeat(20_000)}${index}é`],
  ])('is kept in bytes, and rows that do not fit are counted: %s', async (_, count, name) => {
    const summary = await summaryOf(rows(count, name))
    expect(Buffer.byteLength(summary)).toBeLessThan(MIB)
    expect(rowsOf(summary).length + leftOut(summary)).toBe(count)
    if (leftOut(summary) > 0) {
      expect(Buffer.byteLength(summary)).toBeGreaterThan(MIB * 0.9)
      expect(summary).toMatch(/not shown; <code>notarization-records\.jsonl<\/code>/)
    }
  })

  it('is kept with the longest messages, failures first', async () => {
    const results = [
      ...rows(10, index => `good-${index}`),
      ...Array.from({ length: 3000 }, (_, index) =>
        failedAs(`bad-${index}`, { what: `${index}${'<漢>'.repeat(2000)}`, remedy: `${index}` }),
      ),
    ]
    const summary = await summaryOf(results)
    expect(Buffer.byteLength(summary)).toBeLessThan(MIB)
    expect(rowsOf(summary).length + leftOut(summary)).toBe(3010)
    expect(rowsOf(summary).flat().join('\n')).not.toContain('good-')
  })

  it('leaves nothing out that fits', async () => {
    expect(leftOut(await summaryOf(rows(1500, index => `file-${index}`)))).toBe(0)
  })
})

describe('how to check', () => {
  const fileAs = (name: string, changes: Partial<Result> = {}): Result => ({
    ...registeredAs(name),
    hash: sha256(`of ${name}`),
    ...changes,
  })
  const blocksOf = (summary: string): readonly string[] =>
    [...summary.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block = '']) => block)
  /** What a block compares. */
  const linesOf = (block = ''): readonly string[] => block.split('\n').slice(1, -1)
  const lineOf = (name: string, shown = name): string => `${sha256(`of ${name}`)}  ${shown}`
  const paste = (block: string | undefined, cwd: string): readonly string[] =>
    spawnSync('bash', ['-c', block ?? ''], { cwd, encoding: 'utf8' })
      .stdout.trim()
      .split('\n')

  it('is a text that a shell can run as it is, in the workspace and beside the downloaded files', async () => {
    const names = ['out/app.zip', 'a b/c-d_e@f+g,h=i%.tgz', '.hidden', '=x']
    const flat = names.map(name => name.slice(name.lastIndexOf('/') + 1))
    const contents = names.map(name => `of ${name}`)
    const filesOf = (paths: readonly string[]): Record<string, string> =>
      Object.fromEntries(paths.map((path, index) => [path, contents[index] ?? '']))
    const summary = await summaryOf(names.map(name => fileAs(name)))
    const [workspace, folder] = blocksOf(summary)
    expect(summary).toContain('<p>In the workspace of the job:</p>')
    expect(paste(workspace, makeWorkspace(filesOf(names)).root)).toEqual(
      names.map(name => `${name}: OK`),
    )
    expect(summary).toContain('<details><summary>In a folder with the downloaded files</summary>')
    const some = makeWorkspace(filesOf(flat.slice(0, 2))).root
    expect(paste(folder, some)).toEqual(flat.slice(0, 2).map(name => `${name}: OK`))
    const altered = makeWorkspace({ ...filesOf(flat), '=x': 'altered' }).root
    expect(paste(folder, altered)).toContain('=x: FAILED')
  })

  const flat = 'In the workspace of the job, or a folder with the downloaded files:'
  const assets = 'In a folder with the downloaded assets of <code>v1</code>:'

  it.each<[string, Result, ReportChanges, where: string, command: string]>([
    ['one text where names lie flat', fileAs('a.zip'), {}, flat, 'sha256sum -c'],
    [
      ...(['for the assets of a release', fileAs('out/a.zip'), { releaseTag: 'v1' }] as const),
      ...([assets, 'sha256sum --ignore-missing -c'] as const),
    ],
    [
      ...(['for what may lie elsewhere', fileAs('a.zip', { size: null }), {}, flat] as const),
      'sha256sum --ignore-missing -c',
    ],
  ])('is %s', async (_, file, changes, where, command) => {
    const summary = await summaryOf([file], changes)
    expect(summary).toContain(where)
    expect(blocksOf(summary)).toEqual([`${command} - <<'END'\n${lineOf(file.name, 'a.zip')}\nEND`])
    expect(summary).toMatch(/macOS.*shasum -a 256.*Windows.*Get-FileHash/)
  })

  it('has no base name that two files with other bytes share', async () => {
    const names = ['a/x.zip', 'b/x.zip', 'c/y']
    const blocks = blocksOf(await summaryOf(names.map(name => fileAs(name))))
    expect(blocks.map(linesOf)).toEqual([names.map(name => lineOf(name)), [lineOf('c/y', 'y')]])
  })

  it('is only for what is registered, and for names that a shell takes as they are', async () => {
    const odd = [
      ...['a\nb', "a'b", '$(x)', '`x`', '-n', ' x', 'x ', 'a\\b', '漢.zip', '```', '', '/abs'],
    ].map(name => fileAs(name))
    const summary = await summaryOf([failedAs('bad.zip'), ...odd, fileAs('good.zip')])
    expect(linesOf(blocksOf(summary)[0])).toEqual([lineOf('good.zip')])
    expect(summary).toContain(`${odd.length} more are not in these lines`)
    const none = await summaryOf(odd)
    expect(blocksOf(none)).toEqual([])
    expect(none).toContain('<code>checksums-path</code>')
  })

  it('is not there when there is nothing to check', async () => {
    expect(await summaryOf([failedAs('a')])).not.toContain('sha256sum')
    expect(await summaryOf([registeredAs('a')], { isDryRun: true })).not.toContain('sha256sum')
  })

  it.each([
    ['https://x.example/{hash}', 'https://notary.example', 'each SHA-256 above links it'],
    [null, 'https://notary.example', 'at the service (<code>https&#58;//notary.example</code>);'],
    [null, null, 'at the service; with the input <code>verification-url</code>'],
  ])(
    'says where the registration itself is looked up: %s',
    async (verificationUrl, baseUrl, text) => {
      expect(await summaryOf([fileAs('a')], { verificationUrl, baseUrl })).toContain(text)
    },
  )

  it('shows fifty lines, and counts the rest', async () => {
    const summary = await summaryOf(
      Array.from({ length: 70 }, (_, index) => registeredAs(`file-${index}`)),
    )
    expect(linesOf(blocksOf(summary)[0])).toHaveLength(50)
    expect(summary).toContain('20 more are not in these lines')
  })
})
