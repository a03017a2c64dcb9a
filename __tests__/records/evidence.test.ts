import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { renderEvidence, type Evidence } from '../../src/records/evidence.ts'
import type { RecordEntry } from '../../src/records/lines.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { hashOf, sha256, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf } from './entries.ts'

/** A registered file; a number stands for its content. */
type Entry = Partial<RecordEntry>
function evidenceOf(name: string, content: number, changes?: Entry, more?: Partial<Evidence>) {
  const ofFile = { name, size: content, hash: hashOf(content), verificationUrl: null }
  return { ...ofFile, entry: entryOf(content, changes), maybeChargedAgain: false, ...more }
}

describe('the evidence page', () => {
  it('reads as approved, with each kind of entry', () => {
    const verificationUrl = `https://notary.example/${hashOf(1)}`
    const noSource = { ...source, ref: null, sha: null, runId: null }
    const otherTypes = { userId: {}, creationDate: '1', blockchainType: 7, txId: '', txHash: 'T' }
    const inHttp = { ...source, ref: 'x', commitUrl: 'http://x/y' }
    const [ofX, noUrl] = [{ source: inHttp }, { verificationUrl: 'javascript:x' }]
    const items = [
      evidenceOf('a`b', 4, ofX, noUrl),
      // Of what a person confirmed, the service responded nothing.
      evidenceOf('confirmed', 5, { confirmed: true, record: { paymentId: 'x' }, source: noSource }),
      evidenceOf('d/other', 2, { source: { ...source, ref: 'refs/heads/a/b' } }, { size: null }),
      evidenceOf('d/twin', 1, {}, { verificationUrl, maybeChargedAgain: true }),
      evidenceOf('e/other', 3, { record: otherTypes }),
      evidenceOf('e/twin', 1, {}, { verificationUrl }),
    ]
    expect(renderEvidence(items)).toMatchSnapshot()
  })

  it('is a checksums file for sha256sum', () => {
    // Names and texts that could look like other checksum lines, or end the list.
    const evil = `x\n${hashOf(9)}  other\n\`\`\`\nSHA256 (other) = ${hashOf(9)}`
    const names = ['a', 'with space', '-', 'back\\slash\n', '```']
    const files = Object.fromEntries(names.map(name => [name, `dist/${name}`]))
    const workspace = makeWorkspace({ ...files, 'x/twin': 'x/twin', 'y/twin': 'changed' })
    const changes = { artifact: evil, service: evil, source: { ...source, ref: evil } }
    const items = [...Object.values(files), `dist/${evil}`, 'x/twin', 'y/twin'].map(name =>
      evidenceOf(name, 1, changes, { hash: sha256(name) }),
    )
    workspace.write('notarization-evidence.md', renderEvidence(items))
    const command = 'LC_ALL=C sha256sum --ignore-missing -c notarization-evidence.md'
    const { stdout, status } = spawnSync(command, { cwd: workspace.root, shell: true })

    expect(status).toBe(1)
    const lines = stdout.toString().trim().split('\n')
    expect(lines.filter(line => line.endsWith(': OK'))).toHaveLength(6)
    expect(lines.filter(line => !line.endsWith(': OK'))).toEqual(['y/twin: FAILED'])
    expect(workspace.read('notarization-evidence.md')).not.toMatch(/… and \d+ more/)
  })

  it('has at most 120,000 characters, for long names too, and counts what does not fit', () => {
    const items = Array.from({ length: 3000 }, (_, number) =>
      evidenceOf(`dist/${'\u202e'.repeat(30)}${number}`, number),
    )
    const page = renderEvidence(items)
    expect(page.length).toBeLessThanOrEqual(120_000)
    expect(page.length).toBeGreaterThan(117_000)
    const left = page.match(/(?<=… and )\d+(?= more, in the records file\n)/g)?.map(Number)
    const listed = page.match(/^[0-9a-f]{64} {2}/gm)?.length ?? 0
    const shown = page.match(/^`[0-9a-f]{64}`/gm)?.length ?? 0
    expect(Math.min(listed, shown)).toBeGreaterThan(100)
    expect(left).toEqual([3000 - listed, 3000 - shown])
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
      const entry = {
        service: evil,
        record: { userId: evil, paymentId: evil, blockchainType: evil, txId: evil },
        source: { ...source, sha: evil, ref: evil, runId: evil, commitUrl: `javascript:${evil}` },
      }
      const item = evidenceOf(evil, 1, entry, { verificationUrl: `https://notary.example/${evil}` })
      const html = renderMarkdown(renderEvidence([item]))
      expect(html).not.toMatch(/<(?:img|script|em|del|table)\b/)
      const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
      expect(links).toEqual([expect.stringMatching('https://notary.example/'), source.runUrl])
      expect(html.match(/<(?:h[1-6]|pre)\b/g)).toHaveLength(5)
    },
  )
})
