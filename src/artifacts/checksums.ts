import { isUtf8 } from 'node:buffer'
import { planned, type HashedArtifact } from '../outcome.ts'

const maxLineErrors = 5

const gnuLine = /^(?<escape>\\?)(?:sha256:)?(?<hash>[0-9A-Fa-f]{64}) [ *]?(?<name>.*)$/s
const bsdLine =
  /^(?<escape>\\?)SHA(?:2-)?256 ?\((?<name>.+)\) ?= (?:sha256:)?(?<hash>[0-9A-Fa-f]{64})$/s
const loneHash = /^(?:sha256:)?(?<hash>[0-9A-Fa-f]{64})$/

/** A byte order mark in UTF-8, read as Latin-1. */
const byteOrderMark = /^\u00ef\u00bb\u00bf/

/**
 * Parses a checksums file in GNU or BSD format. A single hash without a name belongs to `fileName`
 * without `.sha256` or `.sha256sum`. Ignores blank lines, `#` comments and a BOM. Names are as
 * listed, without a leading `./`. Returns at most five errors; each begins with the line number.
 */
export function parseChecksums(
  bytes: Buffer,
  fileName: string,
): { readonly entries: readonly HashedArtifact[]; readonly errors: readonly string[] } {
  const entries: HashedArtifact[] = []
  const errors: string[] = []
  let lone: string | null = null
  const text = bytes.toString('latin1').replace(byteOrderMark, '')
  for (const [index, raw] of text.split('\n').entries()) {
    const encoded = Buffer.from(raw.replace(/\r$/, ''), 'latin1')
    const line = encoded.toString()
    if (line.trim() === '' || line.startsWith('#')) continue
    const entry = isUtf8(encoded) && readLine(line)
    if (entry) entries.push(entry)
    else errors.push(`line ${index + 1} is not a SHA-256 checksum with a name`)
    lone = loneHash.exec(line)?.groups?.['hash'] ?? null
    if (errors.length === maxLineErrors) break
  }
  const [, name] = /^(.*[^/])\.sha256(?:sum)?$/s.exec(fileName) ?? []
  const isLone = errors.length === 1 && entries.length === 0
  if (lone === null || name === undefined || !isLone) return { entries, errors }
  return { entries: [toEntry(name, lone)], errors: [] }
}

function readLine(line: string): HashedArtifact | null {
  const { escape, hash, name } = (gnuLine.exec(line) ?? bsdLine.exec(line))?.groups ?? {}
  if (hash === undefined || name === undefined) return null
  const plain = (escape === '' ? name : unescape(name)).replace(/^\.\/+/, '')
  if (plain === '') return null
  return toEntry(plain, hash)
}

function toEntry(name: string, hash: string): HashedArtifact {
  return { input: 'checksums', name, size: null, hash: hash.toLowerCase(), outcome: planned }
}

/** Resolves the escapes of GNU coreutils. */
function unescape(name: string): string {
  const characters: Readonly<Record<string, string>> = { n: '\n', r: '\r' }
  return name.replace(/\\(.)/gs, (_, escaped: string) => characters[escaped] ?? escaped)
}
