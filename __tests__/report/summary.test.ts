import { afterAll, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/outcome.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readSummary } from '../support/finished-run.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { decodeHtml } from '../support/html.ts'
import { sha256 } from '../support/samples.ts'
import { cases } from './cases.ts'
import { endedWith, failedAs, registeredAs, reportAll, stoppedBy, placeAt } from './results.ts'

afterAll(cleanUp)

async function summaryOf(artifacts: readonly Artifact[]): Promise<string> {
  return (await reportAll(endedWith(...artifacts))).summary
}

it('the table has a row for each artifact, the most urgent first, with its reason or the fields of its record', async () => {
  const time = Date.UTC(2026, 0, 31, 12)
  const record = { creationDate: time, blockchainType: 'ALGORAND', txId: null, txHash: 'TX1' }
  const mismatch = { code: 'record-mismatch', reason: 'record-mismatch' } as const
  const { titles, rows } = readSummary(
    await summaryOf([
      registeredAs('a', record),
      failedAs('b', { code: 'refused', reason: 'already-registered', status: 409 }),
      { ...registeredAs('c', {}, { from: 'records-file' }), size: null },
      failedAs('d', { registered: 'unknown', status: 503, observed: 'seen' }),
      registeredAs('e', {}, { maybeChargedAgain: true }),
      { ...failedAs('f', { reason: 'file-changed', observed: 'seen' }), size: null, hash: null },
      failedAs('g', { ...mismatch, registered: 'unknown' }),
      registeredAs('h', record, { from: 'records-file', isConfirmed: true }),
    ]),
  )
  const fixed = ['State', 'Artifact', 'Size', 'SHA-256']
  expect(titles).toEqual([...fixed, 'Registered at (UTC)', 'Blockchain', 'Transaction'])
  const digits = (name: string): string => sha256(name).slice(0, 12)
  expect(rows.map(([state, ...rest]) => [state?.slice(0, 2).trim(), ...rest])).toEqual([
    ['❓', 'd', '7 B', digits('d'), expect.stringMatching(/failed.* \(HTTP 503\)\.$/)],
    ['❓', 'g', '7 B', digits('g'), expect.stringMatching(/does not match/)],
    ['❌', 'b', '7 B', digits('b'), expect.stringMatching(/already has.*409/)],
    ['❌', 'f', '–', '–', expect.stringMatching(/changed while.*: seen\.$/)],
    ['⚠️', 'e', '7 B', digits('e'), '–', '–', '–'],
    ['✅', 'a', '7 B', digits('a'), '2026-01-31 12:00:00', 'ALGORAND', 'TX1'],
    ['✅', 'c', '–', digits('c'), '–', '–', '–'],
    ['✅', 'h', '7 B', digits('h'), expect.stringMatching(/person/)],
  ])
  const [dryRun = endedWith(), changes] = cases.get('dry-run') ?? []
  const planned = readSummary((await reportAll(dryRun, changes)).summary).rows
  expect(planned.map(([state]) => state?.slice(0, 2).trim())).toEqual(['❓', '⚠️', '🔎', '✅'])
})

it('each hash is linked to its look-up; the log has the URL of what may be registered', async () => {
  const inputs = { verificationUrl: 'https://x.example/{hash}' }
  const open = failedAs('a', { registered: 'unknown' })
  const { summary, log } = await reportAll(endedWith(open, failedAs('b'), registeredAs('c')), {
    inputs,
  })
  for (const hash of ['a', 'b', 'c'].map(sha256)) {
    const code = `<code title="${hash}">${hash.slice(0, 12)}</code>`
    expect(summary).toContain(`<a href="https://x.example/${hash}">${code}</a>`)
  }
  expect(log.filter(line => line.includes('https://x.example/'))).toHaveLength(1)
})

const bad = [failedAs('bad'), registeredAs('twice', {}, { maybeChargedAgain: true })]
it.each<[number, readonly Artifact[], tables: readonly (number | 'folded')[]]>([
  [50, [], [50]],
  [51, [], ['folded', 51]],
  [1, bad, [2, 'folded', 1]],
])('rows without a problem are folded if anything failed, or above 50: %d', async (...row) => {
  const [count, others, tables] = row
  const good = Array.from({ length: count }, (_, index) => registeredAs(`file-${index}`))
  const summary = await summaryOf([...good, ...others])
  const found = [...summary.matchAll(/<details>|<table>(.*?)<\/table>/gs)]
  expect(found.map(([, rows]) => rows?.match(/<tr><td>/g)?.length ?? 'folded')).toEqual(tables)
  expect(summary).not.toContain('Transaction')
})

it('a summary has its parts in order: verdict, counts, what to do, warnings, where the records are, table', async () => {
  const before = registeredAs('c', {}, { from: 'records-file' })
  const { summary } = await reportAll(endedWith(failedAs('a'), registeredAs('b'), before), {
    warned: ['the period ended'],
  })
  expect(summary).toMatch(
    /^## .*\n\n<p>1 not registered · 1 new \(charged for 1 registration\) · 1 registered before<.*<ol>.*⚠️ The period ended\..*notarization-records-1-.*sha256sum --ignore-missing -c.*<table>/s,
  )
  expect((await reportAll(stoppedBy('x'), { inputs: { showSummary: false } })).summary).toBe('')
  expect((await reportAll(endedWith(), { inputs: { showSummary: false } })).summary).toBe('')
})

it.each<[string, has: RegExp]>([
  ['registered', /<a href="[^"]*\/artifacts\/7"><code>notarization-records-1-/],
  ['on-release', /<a href="[^"]*v1\.2\.3"><code>v1\.2\.3</],
  ['release-lacks-lines', /gh release upload v1\.2\.3 notarization-records-1-1\.jsonl/],
  ['unsaved-with-others', /1 record is only in the log.*\/artifacts\/7/s],
  ['only-in-log', /records\.md#save-lines-from-the-log/],
  ['only-in-file', /records\.md#where-it-is-kept/],
  ['run-canceled', /end of the log/],
  ['stopped-on-attempt-2', /notarization-records-1-/],
])('a summary says where the records are: %s', async (name, has) => {
  const [end = endedWith(), changes] = cases.get(name) ?? []
  expect((await reportAll(end, changes)).summary).toMatch(has)
})

it('a summary names artifacts of earlier attempts as such, which lack records of this one', async () => {
  const workflowArtifacts = [1, 2].map(attempt => ({ name: `records-${attempt}`, url: null }))
  const release = { tag: 'v1', url: null, lacksRecords: true }
  for (const kind of ['log', 'post-step', 'file'] as const) {
    const place = placeAt(kind, { workflowArtifacts })
    const { summary } = await reportAll({ ...endedWith(registeredAs('a')), place, release })
    const text = decodeHtml(summary.replaceAll(/<[^>]*>/g, ''))
    expect(text).toContain('Records of earlier attempts: workflow artifact records-2, records-1')
    expect(text).not.toContain('gh release upload')
    expect(text.includes('evidence-path')).toBe(kind !== 'post-step')
    expect(text).not.toContain('from there')
  }
})

it('a tag is quoted for the shell', async () => {
  const release = { tag: "it's", url: null, lacksRecords: true }
  const { summary } = await reportAll({ ...endedWith(registeredAs('a')), release })
  expect(decodeHtml(summary)).toContain(String.raw`gh release upload 'it'\''s' notarization-`)
})

it.each<[boolean, Artifact]>([
  [true, registeredAs('a')],
  [false, registeredAs('a', {}, { from: 'records-file' })],
  [false, failedAs('a')],
])('a summary warns of missing records only if something was registered: %s', async (...row) => {
  const [isWarned, artifact] = row
  const end = { ...endedWith(artifact), place: placeAt('none', { isEarlierMissing: true }) }
  const { summary } = await reportAll(end, { attempt: 2 })
  expect(/⚠️ .*earlier attempt/.test(summary)).toBe(isWarned)
})

it('untrusted text has no effect on the page', async () => {
  const evil =
    '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat #1 ::error:: x_www.evil.example a@evil.example'
  const artifacts = [
    failedAs(`${evil}1`, { registered: 'unknown', observed: evil }),
    registeredAs(`${evil}2`, { creationDate: evil, blockchainType: evil, txId: evil }),
  ]
  const artifact = { name: evil, url: `javascript:${evil}` }
  const place = placeAt('workflow-artifact', { workflowArtifacts: [artifact] })
  const release = { tag: evil, url: `javascript:${evil}`, lacksRecords: true }
  const end = { ...endedWith(...artifacts), place, release, unsaved: [evil] }
  for (const each of [end, { ...stoppedBy(evil), place }]) {
    const inputs = { verificationUrl: null, recordsPath: evil }
    const { summary } = await reportAll(each, { warned: [evil], inputs })
    const html = renderMarkdown(summary)
    expect(html.match(/<a href="(?!https:\/\/github\.com\/octo\/)/g)).toBeNull()
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<(?:img|script)\b/)
    expect(summary).not.toContain('href="javascript')
    expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
    expect(summary.replace(/"[^"]*"/g, '""')).not.toMatch(/@octocat|#1\b|^::/m)
  }
})

it.each<[string, count: number, name: (index: number) => string]>([
  ['short names', 5000, index => `file-${index}`],
  ['long names', 900, index => `${'<'.repeat(20_000)}${index}é`],
])('rows that do not fit into 1 MiB are only counted: %s', async (_, count, name) => {
  const artifacts = Array.from({ length: count }, (__, index) => {
    return failedAs(name(index), { observed: `${index}${'<漢>'.repeat(200)}` })
  })
  const summary = await summaryOf([...artifacts, registeredAs('good')])
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(Buffer.byteLength(summary)).toBeGreaterThan(900_000)
  const omitted = /<p>(\d+) more artifacts are not shown; .*notarization-records\.jsonl/
  const [, left] = omitted.exec(summary) ?? []
  expect(readSummary(summary).rows.length + Number(left)).toBe(count + 1)
  expect(summary).not.toContain('good')
})
