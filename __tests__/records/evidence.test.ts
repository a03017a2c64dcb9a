import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { renderEvidence, type NamedHash } from '../../src/records/evidence.ts'
import type { Entry, RecordEntry } from '../../src/records/lines.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { hashOf, sha256, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, stateOf } from './entries.ts'

const url = `https://notary.example/${hashOf(1)}`

/** Renders the page; empty if there is none. */
function pageOf(entries: readonly Entry[], checksums: readonly NamedHash[] = []): string {
  return renderEvidence(entries, checksums) ?? ''
}

/** Returns the numbers of the hashes in the headings of the entries. */
function shownIn(page: string): readonly number[] {
  return [...page.matchAll(/^\[?`([0-9a-f]{64})`/gm)].map(([, hash]) => parseInt(hash ?? '', 16))
}

describe('an entry of the evidence page', () => {
  it('has the linked hash, the fields from the service, tag, commit and run', () => {
    const page = pageOf([entryOf(1, { verificationUrl: url, maybeChargedAgain: true })])
    expect(page).toContain(`lists 1 registration of`)
    expect(page).toContain('\n\n## Compare downloaded files\n\nTo compare a single file')
    expect(page).toContain(`[\`${hashOf(1)}\`](<${url}>)

- File: \`dist/app-1.zip\`, 1 byte
- Service: \`https://notary.example\`
- Time (UTC), by the clock of the service: \`2026-01-01 00:00:00\`
- Account at the service: \`1\`
- Payment: \`sub_of_an_earlier_period\`
- Blockchain: \`ALGORAND\`
- Transaction: not given by the service
- Tag: \`v1.0.0\`
- Commit: [\`${source.sha}\`](<${source.commitUrl}>)
- Run: [\`1\`](<${source.runUrl}>)
- This registration may have been charged more than once.

## Look up a registration
`)
  })

  const unsafe = entryOf(1, { verificationUrl: 'javascript:x' })
  it.each<[string, RecordEntry, string]>([
    ['no size', entryOf(1, { size: null }), ', size unknown: only its checksum was read\n'],
    ['a quote', entryOf(1, { artifact: 'a`b' }), '- File: `a\\u0060b`, 1 byte\n'],
    ['a branch', entryOf(1, { source: { ...source, ref: 'refs/heads/a/b' } }), '- Branch: `a/b`\n'],
    ['another ref', entryOf(1, { source: { ...source, ref: 'refs/x' } }), '- Ref: `refs/x`\n'],
    ['only a hash', entryOf(1, { record: { txId: '', txHash: 'T' } }), '- Transaction: `T`\n'],
    ['an object', entryOf(1, { record: { userId: {} } }), '- Account at the service: not given by'],
    [
      'no time',
      entryOf(1, { at: null }),
      '- Added by hand. This entry is not a response from the service.\n',
    ],
    ['an unsafe link', unsafe, `\n\`${hashOf(1)}\`\n`],
  ])('stays readable with %s', (_, entry, text) => {
    expect(pageOf([entry])).toContain(text)
  })

  it('shows nothing that the service did not respond if a person confirmed it', () => {
    const page = pageOf([entryOf(1, { confirmed: true, record: { paymentId: 'x' } })])
    expect(page).toContain(`

- File: \`dist/app-1.zip\`, 1 byte
- Service: \`https://notary.example\`
- Confirmed at \`2026-01-31 12:00:00\` (UTC): a person looked up this SHA-256 at the service and found it registered. This entry is not a response from the service.
- Tag: \`v1.0.0\`
`)
  })
})

describe('the evidence page', () => {
  it('has an entry for each record without problems, newest first, for lines in any order', () => {
    const entries = [
      entryOf(1, { at: null }),
      entryOf(2, { at: '2026-01-31T12:00:00.000Z' }),
      entryOf(3, { at: '2026-02-01T00:00:00.000Z' }),
      entryOf(4, { problems: ['status is missing'] }),
      entryOf(2, { at: '2026-01-31T12:00:00.000Z' }),
      entryOf(2, { at: '2026-01-30T12:00:00.000Z' }),
      stateOf(5),
    ]
    const page = pageOf(entries)
    expect(shownIn(page)).toEqual([3, 2, 2, 1])
    expect(pageOf(entries.toReversed())).toBe(page)
  })

  it.each(['shasum -a 256', 'Get-FileHash', 'gh attestation verify'])(
    'shows how to use %s',
    text => {
      expect(pageOf([entryOf(1)])).toContain(text)
    },
  )

  it('is a checksums file for sha256sum', () => {
    // Names and texts that could look like other checksum lines, or end the list.
    const evil = `x\n${hashOf(9)}  other\n\`\`\`\nSHA256 (other) = ${hashOf(9)}`
    const names = ['a', 'with space', '-', 'back\\slash', '```']
    const files = Object.fromEntries(names.map(name => [name, `dist/${name}`]))
    const workspace = makeWorkspace({ ...files, 'x/twin': 'x/twin', 'y/twin': 'changed' })
    const paths = [...Object.values(files), `dist/${evil}`, 'x/twin', 'y/twin']
    const entry = entryOf(1, { artifact: evil, service: evil, source: { ...source, ref: evil } })
    const checksums = paths.map(name => ({ name, hash: sha256(name) }))
    workspace.write('notarization-evidence.md', pageOf([entry], checksums))
    const command = 'LC_ALL=C sha256sum --ignore-missing -c notarization-evidence.md'
    const { stdout, status } = spawnSync(command, { cwd: workspace.root, shell: true })

    expect(status).toBe(1)
    const lines = stdout.toString().trim().split('\n')
    expect(lines.filter(line => line.endsWith(': OK'))).toHaveLength(6)
    expect(lines.filter(line => !line.endsWith(': OK'))).toEqual(['y/twin: FAILED'])
    expect(workspace.read('notarization-evidence.md')).not.toMatch(/not listed|not shown/)
  })

  it('has at most 120,000 characters, for long names too, and counts what does not fit', () => {
    const name = (number: number): string => `dist/${'\u202e'.repeat(30)}${number}`
    const numbers = [...Array(3000).keys()]
    const entries = numbers.map(number => entryOf(number, { artifact: name(number) }))
    const checksums = numbers.map(number => ({ name: name(number), hash: hashOf(number) }))
    const page = pageOf(entries, checksums)
    expect(page.length).toBeLessThanOrEqual(120_000)
    expect(page.length).toBeGreaterThan(119_000)
    const left = page.match(/(?<=\*\*)\d+(?= more (?:files|registrations) are not)/g)?.map(Number)
    const listed = (page.match(/^[0-9a-f]{64} {2}/gm) ?? []).length
    expect(listed).toBeGreaterThan(100)
    expect(left).toEqual([3000 - listed, 3000 - shownIn(page).length])
  })

  const hostile = [
    '[x](https://evil.example) www.evil.example @octocat',
    '<img src=x></td></pre> <b>',
    '` `` ```\n~~~',
    '\n# a\r\n- b\n***\n| a |\n|---|',
    '>)\\`[a](\u202e',
  ]
  it.each([...hostile, hostile.join(''), hostile.toReversed().join('\\')])(
    'renders untrusted text as plain text: %j',
    evil => {
      const entry = entryOf(1, {
        artifact: evil,
        service: evil,
        verificationUrl: `https://notary.example/${evil}`,
        record: { userId: evil, paymentId: evil, blockchainType: evil, txId: evil },
        source: { ...source, sha: evil, ref: evil, runId: evil, commitUrl: `javascript:${evil}` },
      })
      const html = renderMarkdown(pageOf([entry], [{ name: evil, hash: hashOf(1) }]))
      expect(html).not.toMatch(/<(?:img|script|em|del|table)\b/)
      const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
      expect(links).toEqual([expect.stringMatching('https://notary.example/'), source.runUrl])
      expect(html.match(/<(?:h[1-6]|pre)\b/g)).toHaveLength(9)
    },
  )
})
