import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { maxEvidenceLength, renderEvidence } from '../../src/records/evidence.ts'
import { renderMarkdown } from '../../scripts/github-page.ts'
import { hashOf, sha256, source, toJsonLines } from '../support/samples.ts'

type Fields = Readonly<Record<string, unknown>>

/** A line of a records file; `record` is what it has beside the fields that each must have. */
function lineAs(artifact: string, { record = {}, ...changes }: { record?: Fields } & Fields = {}) {
  const line = { artifact, size: 7, hash: hashOf(1), service: 'https://notary.example', source }
  const needed = { custody: false, signed: false, status: 'registered', paymentId: 'sub_1' }
  const { hash } = { ...line, ...changes }
  return { ...line, problems: [], ...changes, record: { hash, ...needed, ...record } }
}

/** The page of a records file with these lines; empty if there is none. */
const pageOf = (...lines: readonly Fields[]): string =>
  renderEvidence(Buffer.from(toJsonLines(lines))) ?? ''

const full = {
  ...{ creationDate: Date.UTC(2026, 0, 31, 12), blockchainType: 'ALGORAND', userId: 42 },
  ...{ txId: null, txHash: null },
}

const rowsOf = (page: string): readonly string[] =>
  page.split('\n').filter(line => line.startsWith('| `') || line.startsWith('| –'))

describe('the evidence page', () => {
  it('has a row for each record without problems, with all that the service gave', () => {
    const page = pageOf(
      lineAs('a', { record: full, verificationUrl: 'https://x.example/1' }),
      lineAs('bad', { problems: ['status is missing'] }),
      lineAs('b', { size: null, record: { paymentId: null }, unansweredTries: 2 }),
      lineAs('c', { record: { ...full, txHash: 'TX1' } }),
    )
    expect(rowsOf(page)).toEqual([
      `| \`a\`, 7 bytes, SHA-256 \`${hashOf(1)}\` | 2026-01-31 12:00:00 UTC, \`https://notary.example\`, account \`42\`, payment \`sub_1\` | \`ALGORAND\`, transaction not given by the service | [look it up](<https://x.example/1>) |`,
      `| \`b\`, size not read, SHA-256 \`${hashOf(1)}\` | time not given by the service, \`https://notary.example\`, account not given by the service, payment not given by the service; 2 tries before had no answer | not given by the service, transaction not given by the service | no address given |`,
      expect.stringContaining('transaction `TX1`'),
    ])
    expect(page).toContain('3 registrations')
  })

  it.each([
    'What it proves, and what it does not',
    'ref `refs/tags/v1.0.0`, commit [`0000000000000000000000000000000000000000`](<https://github.com/octo/app/commit/0000000000000000000000000000000000000000>)',
    'run [`1`](<https://github.com/octo/app/actions/runs/1/attempts/1>), attempt `1`',
    '`sha256sum FILE`',
    '`shasum -a 256 FILE`',
    '`Get-FileHash -Algorithm SHA256 FILE`',
    'gh attestation verify notarization-records.jsonl --repo octo/app',
    `with the SHA-256 \`${sha256(toJsonLines([lineAs('a')]))}\``,
  ])('says: %s', text => {
    expect(pageOf(lineAs('a'))).toContain(text)
  })

  it('has the newest run first, by the clock of the service, and the files of a run by name', () => {
    const run = (runId: string, day: number, artifact: string) =>
      lineAs(artifact, {
        ...{ source: { ...source, runId }, record: { creationDate: Date.UTC(2026, 0, day) } },
      })
    const none = lineAs('none', { source: { ...source, runId: '0' } })
    const page = pageOf(
      none,
      run('1', 3, 'b'),
      run('2', 9, 'z'),
      run('3', 1, 'c'),
      run('1', 2, 'a'),
    )
    expect(rowsOf(page).map(row => /`(.*?)`/.exec(row)?.[1])).toEqual(['z', 'a', 'b', 'c', 'none'])
    expect(page.match(/^### /gm)).toHaveLength(4)
  })

  it('counts equal lines once, and is not there without a record', () => {
    expect(rowsOf(pageOf(lineAs('a'), lineAs('a'), lineAs('b')))).toHaveLength(2)
    expect(pageOf(lineAs('a', { problems: ['x'] }))).toBe('')
    expect(pageOf()).toBe('')
    expect(pageOf({ ...lineAs('a'), record: undefined, state: 'sent' })).toBe('')
  })

  it.each([
    ['short names', 5000, (index: number) => `file-${index}`],
    ['long names', 3000, (index: number) => `${index}${'x'.repeat(5000)}`],
    ['names that grow when shown', 1000, (index: number) => `${'\u202e'.repeat(300)}${index}`],
  ])('has at most 120,000 characters, and counts what does not fit: %s', (_, count, name) => {
    const entries = Array.from({ length: count }, (_unused, index) => lineAs(name(index)))
    const page = pageOf(...entries)
    const left = Number(/\*\*(\d+) more registrations are not shown here\*\*/.exec(page)?.[1])
    expect(page.length).toBeLessThanOrEqual(maxEvidenceLength)
    expect(page.length).toBeGreaterThan(maxEvidenceLength * 0.95)
    expect(rowsOf(page).length + left).toBe(count)
    expect(page).toContain('## How to compare a file')
  })

  it('has its limit also with a run for each record', () => {
    const page = pageOf(
      ...Array.from({ length: 2000 }, (_, index) =>
        lineAs('a', { hash: hashOf(index), source: { ...source, runId: `${index}` } }),
      ),
    )
    expect(page.length).toBeLessThanOrEqual(maxEvidenceLength)
    expect(page).toContain('more registrations are not shown')
  })

  it('has its limit wherever a long row would reach over it', () => {
    const verificationUrl = `https://x.example/${'x'.repeat(950)}`
    const long = Array.from({ length: 120 }, (_, index) => lineAs(`b${index}`, { verificationUrl }))
    for (let length = 0; length < 1000; length += 100) {
      const first = lineAs('a', { verificationUrl: `https://x.example/${'x'.repeat(length)}` })
      expect(pageOf(first, ...long).length).toBeLessThanOrEqual(maxEvidenceLength)
    }
  })

  it('lets no foreign text act, on GitHub or elsewhere', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            ...['`', '|', '\\', '\n', '<img src=x>', '[x](https://evil.example)', '@octocat', ' '],
            ...['www.evil.example', '</td>', '\r', '\\`', '\\|', '``', '# ', '\u202e', '***', '~~'],
          ),
        )
        .map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(text, fc.webUrl(), (evil, url) => {
        const page = pageOf(
          lineAs(evil || 'a', {
            ...{ service: evil || 'a', verificationUrl: `${url}/${evil}` },
            record: { userId: 1, paymentId: evil, blockchainType: evil, txId: evil },
            source: {
              ...{ repository: evil, sha: evil, ref: evil, runId: evil, runAttempt: evil },
              ...{ commitUrl: `javascript:${evil}`, runUrl: evil },
            },
          }),
        )
        const html = renderMarkdown(page)
        expect(html).not.toMatch(/<(?:img|script|em|strong|del)\b/)
        expect(html.match(/<h[1-6]\b/g)).toHaveLength(7)
        expect(html.match(/<td\b/g)).toHaveLength(4)
        for (const [, href = ''] of html.matchAll(/<a href="([^"]*)"/g)) {
          expect(href).toMatch(/^https?:/)
        }
        expect((html.match(/<a\b/g) ?? []).length).toBeLessThanOrEqual(2)
      }),
    )
  })
})
