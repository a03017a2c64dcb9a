import { isUtf8 } from 'node:buffer'
import type { HashedArtifact } from './artifact.ts'

export { formatChecksum } from '../text/checksum-line.ts'

/** A reading of a checksums file. */
export interface ChecksumsReading {
  /** Each under the name that stands there, without a leading `./`. */
  readonly entries: readonly HashedArtifact[]
  /** The first few; each begins with the line number. */
  readonly errors: readonly string[]
  readonly errorCount: number
}

const source = 'checksums'
const maxErrors = 5
const newline = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from('\ufeff')

const gnuLine =
  /^(?<escape>\\?)(?:(?<prefix>[a-z0-9/-]{1,20}):)?(?<hash>[0-9A-Fa-f]{32,200})(?: [ *]?(?<name>.*))?$/s
const bsdLine =
  /^(?<escape>\\?)(?<algorithm>[A-Za-z0-9/-]{1,20}) ?\((?<name>.*)\) ?= (?:(?<prefix>[a-z0-9/-]{1,20}):)?(?<hash>[0-9A-Fa-f]{32,200})$/s
const accepted: ReadonlySet<string> = new Set(['SHA256', 'SHA2-256', 'sha256'])

/**
 * Reads a checksums file in GNU form (`<hex>  name`, `<hex> *name`, `<hex> name`) or in that of BSD and OpenSSL
 * (`SHA256 (name) = <hex>`, `SHA2-256(name)= <hex>`), each hash also as `sha256:<hex>`, LF or CRLF, with the `\` escapes
 * of GNU; or with nothing but one hash, which is that of the file named like `fileName` without `.sha256` or
 * `.sha256sum`. Blank lines, `#` comments and a BOM are dropped; anything else is an error.
 */
export function parseChecksums(bytes: Buffer, fileName: string): ChecksumsReading {
  const entries: HashedArtifact[] = []
  const errors: string[] = []
  let errorCount = 0
  let loneHash: string | null = null
  const isText = isUtf8(bytes)
  const hasMark = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  let start = hasMark ? byteOrderMark.length : 0
  for (let number = 1; start <= bytes.length; number++) {
    const next = bytes.indexOf(newline, start)
    const end = next === -1 ? bytes.length : next
    const isCrLf = end > start && bytes[end - 1] === carriageReturn
    const line = bytes.subarray(start, isCrLf ? end - 1 : end)
    const read = isText || isUtf8(line) ? readLine(line.toString()) : wrong('it is not UTF-8 text')
    start = end + 1
    if (read === null) continue
    if ('name' in read) entries.push({ source, name: read.name, size: null, hash: read.hash })
    else {
      errorCount += 1
      if (errors.length < maxErrors) errors.push(`line ${number}: ${read.error}`)
      loneHash = read.hash
    }
  }
  const [, name] = /^(.*[^/])\.sha256(?:sum)?$/s.exec(fileName) ?? []
  return loneHash !== null && name !== undefined && errorCount === 1 && entries.length === 0
    ? { entries: [{ source, name, size: null, hash: loneHash }], errors: [], errorCount: 0 }
    : { entries, errors, errorCount }
}

/** An entry, or what is wrong with a line; a hash alone is wrong unless the file has nothing else. */
type LineReading =
  | { readonly name: string; readonly hash: string }
  | { readonly hash: string | null; readonly error: string }

function readLine(line: string): LineReading | null {
  if (line.startsWith('#') || line.trim() === '') return null
  const { groups } = gnuLine.exec(line) ?? bsdLine.exec(line) ?? {}
  if (groups === undefined) return wrong('neither "<hex>  name" nor "SHA256 (name) = <hex>"')
  const { escape, algorithm, prefix, hash = '', name } = groups
  const other = [algorithm, prefix].find(one => one !== undefined && !accepted.has(one))
  if (other !== undefined) {
    return wrong(`the algorithm ${other} is not accepted; give SHA-256 checksums`)
  }
  if (hash.length !== 64) {
    return wrong(
      `a checksum of ${hash.length} hex digits is not SHA-256, which has 64; give SHA-256 checksums`,
    )
  }
  if (name === undefined) {
    const error = 'a checksum without a name; it may stand alone in a file named <artifact>.sha256'
    return { hash: hash.toLowerCase(), error }
  }
  const text = escape === '' ? name : unescapeName(name)
  if (text === undefined) return wrong('the name has an escape other than \\\\, \\n and \\r')
  const plain = text.replace(/^\.\/+/, '')
  return plain === '' || plain.includes('\0')
    ? wrong('there is no usable name')
    : { name: copy(plain), hash: copy(hash.toLowerCase()) }
}

/** Through bytes, as a part of a line would keep all of it in memory. */
function copy(text: string): string {
  return Buffer.from(text).toString()
}

function wrong(error: string): LineReading {
  return { hash: null, error }
}

const escaped: ReadonlyMap<string, string> = new Map([
  ['\\\\', '\\'],
  ['\\n', '\n'],
  ['\\r', '\r'],
])

/** Undoes the escapes of GNU coreutils; undefined for any other. */
function unescapeName(name: string): string | undefined {
  let others = 0
  const text = name.replace(/\\.?/gs, found => {
    if (!escaped.has(found)) others += 1
    return escaped.get(found) ?? ''
  })
  return others === 0 ? text : undefined
}
