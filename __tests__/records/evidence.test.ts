import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { renderEvidence, type NamedHash } from '../../src/records/evidence.ts'
import type { Entry } from '../../src/records/lines.ts'
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

describe('the evidence page', () => {
  it('reads as approved, with each kind of entry', () => {
    const entries = [
      entryOf(1, { verificationUrl: url, maybeChargedAgain: true }),
      entryOf(2, { size: null, source: { ...source, ref: 'refs/heads/a/b' } }),
      entryOf(3, { artifact: 'a`b', record: { userId: {}, txId: '', txHash: 'T' } }),
      entryOf(4, { verificationUrl: 'javascript:x', source: { ...source, ref: 'refs/x' } }),
      // Of what a person confirmed or added, the service responded nothing.
      entryOf(5, { confirmed: true, record: { paymentId: 'x' } }),
      entryOf(6, { at: null, source: { ...source, ref: null, sha: null, runId: null } }),
    ]
    const checksums = ['d/twin 1', 'e/twin 1', 'd/other 2', 'e/other 3'].map(text => {
      const [name = '', number] = text.split(' ')
      return { name, hash: hashOf(Number(number)) }
    })
    expect(pageOf(entries, checksums)).toMatchSnapshot()
    expect(pageOf(entries.slice(0, 1))).toMatch(
      /^This page lists 1 registration of[^]*\n\n## Compare downloaded files\n\nTo compare a single file/m,
    )
  })

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
    expect(page.match(/may have been charged more than once/g)).toHaveLength(2)
    // Another service charges for itself.
    const others = [entryOf(1), entryOf(1, { service: 'https://other.example', at: null })]
    expect(pageOf(others)).not.toMatch('charged more than once')
  })

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
