const hash = String.raw`(?:sha256:)?(?<hash>[0-9A-Fa-f]{64})`
// Without control characters, and without what stands for bytes that are not valid UTF-8.
const name = String.raw`(?<name>[^\p{Cc}\ufffd]+)`
const gnuLine = new RegExp(String.raw`^(?<escape>\\?)${hash}[ \t][ *]?${name}$`, 'u')
const bsdLine = new RegExp(String.raw`^(?<escape>\\?)SHA(?:2-)?256 ?\(${name}\) ?= ${hash}$`, 'u')
const loneHash = new RegExp(`^${hash}$`)
/** By the letter with which GNU coreutils escape them. */
const lineEnds: Readonly<Record<string, string>> = { n: '\n', r: '\r' }

export interface ChecksumsEntry {
  /** As listed, without a leading `./`; or the path of the checksums file without its ending. */
  readonly name: string
  /** Whether the entry has no name, or that of standard input. */
  readonly isLone: boolean
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
}

/** Parses a checksums file in GNU, BSD or OpenSSL format (docs/reference.md). Each error begins with the line number. */
export function parseChecksums(bytes: Buffer, fileName: string) {
  const entries: ChecksumsEntry[] = []
  const errors: string[] = []
  const lines = decode(bytes)
    .split('\n')
    .map((text, index) => ({ text: text.trimEnd(), number: index + 1 }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
  for (const { text, number } of lines) {
    const entry = readEntry(lines.length === 1 ? text.replace(loneHash, '$&  -') : text, fileName)
    if (entry === null) errors.push(`line ${number} is not a SHA-256 checksum with a name`)
    else entries.push(entry)
  }
  return { entries, errors }
}

/** Decodes UTF-16 with a byte order mark, or else UTF-8. */
function decode(bytes: Buffer): string {
  let encoding = 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) encoding = 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) encoding = 'utf-16be'
  return new TextDecoder(encoding).decode(bytes)
}

/** Returns the entry of a line; null if the line has another form. */
function readEntry(line: string, fileName: string): ChecksumsEntry | null {
  const parts = (gnuLine.exec(line) ?? bsdLine.exec(line))?.groups
  const { escape, hash = '', name: listed = '' } = parts ?? {}
  const isLone = listed === '-' || listed === 'stdin'
  let name = listed
  if (escape !== '') {
    if (listed.replace(/\\[\\nr]/g, '').includes('\\')) return null
    name = listed.replace(/\\(.)/g, (_, sign: string) => lineEnds[sign] ?? sign)
  }
  if (isLone) name = /(.*[^/])\.sha256(?:sum|\.txt)?$/is.exec(fileName)?.[1] ?? ''
  else name = name.replace(/^\.\/+/, '')
  if (name === '') return null
  return { name, isLone, hash: hash.toLowerCase() }
}
