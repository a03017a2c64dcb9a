/** One entry of a checksums file. */
export interface ChecksumEntry {
  /** The name as it stands there, without a leading `./`. */
  readonly name: string
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
}

/** A reading of a checksums file; each error begins with the line number. */
export interface ChecksumsReading {
  readonly entries: readonly ChecksumEntry[]
  readonly errors: readonly string[]
}

const newline = 0x0a
const gnu = /^(\\?)([0-9A-Fa-f]+) [ *](.+)$/s
const bsd = /^(\\?)([A-Za-z0-9/-]+) \((.+)\) = ([0-9A-Fa-f]+)$/s

/**
 * Reads a checksums file in GNU form (`<hex>  name`, `<hex> *name`) or BSD form (`SHA256 (name) = <hex>`), LF or CRLF,
 * with the `\` escapes of GNU. Blank lines, `#` comments and a BOM are dropped; anything else is an error.
 */
export function parseChecksums(bytes: Uint8Array): ChecksumsReading {
  const entries: ChecksumEntry[] = []
  const errors: string[] = []
  let start = 0
  for (let number = 1; start <= bytes.length; number++) {
    const next = bytes.indexOf(newline, start)
    const end = next === -1 ? bytes.length : next
    const entry = readLine(bytes.subarray(start, end), number === 1)
    if (typeof entry === 'string') errors.push(`line ${number}: ${entry}`)
    else if (entry !== null) entries.push(entry)
    start = end + 1
  }
  return { entries, errors }
}

/** An entry, null for a line without one, or what is wrong. */
function readLine(bytes: Uint8Array, mayHaveBom: boolean): ChecksumEntry | string | null {
  let line: string
  try {
    const options = { fatal: true, ignoreBOM: !mayHaveBom }
    line = new TextDecoder('utf-8', options).decode(bytes).replace(/\r$/, '')
  } catch {
    return 'it is not UTF-8 text'
  }
  return line.trim() === '' || line.startsWith('#') ? null : parseLine(line)
}

function parseLine(line: string): ChecksumEntry | string {
  const [, gnuEscape, gnuHash = '', gnuName] = gnu.exec(line) ?? []
  const [, bsdEscape, algorithm = 'SHA256', bsdName, bsdHash = ''] = bsd.exec(line) ?? []
  const given = gnuName ?? bsdName
  if (given === undefined) return 'neither "<hex>  name" nor "SHA256 (name) = <hex>"'
  if (gnuName === undefined && algorithm !== 'SHA256') {
    return `the algorithm ${algorithm.slice(0, 20)} is not accepted; give SHA-256 checksums`
  }
  const hash = (gnuName === undefined ? bsdHash : gnuHash).toLowerCase()
  if (hash.length !== 64) {
    return `a checksum of ${hash.length} hex digits is not SHA-256, which has 64; give SHA-256 checksums`
  }
  const isEscaped = (gnuName === undefined ? bsdEscape : gnuEscape) === '\\'
  const name = (isEscaped ? unescapeName(given) : given)?.replace(/^\.\/+/, '')
  if (name === undefined) return 'the name has an escape other than \\\\, \\n and \\r'
  return name === '' || name.includes('\0') ? 'there is no usable name' : { name, hash }
}

/** Undoes the escapes of GNU coreutils; undefined for any other. */
function unescapeName(name: string): string | undefined {
  if (/\\(?![nr])/.test(name.replaceAll('\\\\', ''))) return undefined
  return name.replace(/\\([\\nr])/g, (_, code: string) =>
    code === 'n' ? '\n' : code === 'r' ? '\r' : '\\',
  )
}

/** One line of a checksums file in GNU form, as `sha256sum` writes it. */
export function formatChecksum({ name, hash }: ChecksumEntry): string {
  // A dash alone would be standard input to sha256sum.
  if (name === '-') return `${hash}  ./-\n`
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`
}
