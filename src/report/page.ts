import { maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { fieldText } from '../text/field.ts'
import { formatSize } from '../text/size.ts'
import { pluralize } from '../text/words.ts'

/** The platform drops a summary over 1 MiB whole; other steps of ours may add a little. */
const maxSummaryBytes = 1_000_000

/** A numbered list below a sentence, all of it HTML; nothing without items. */
export function formatList(lead: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return []
  return [`<p>${lead}</p>`, '<ol>', ...items.map(item => `<li>${item}</li>`), '</ol>', '']
}

const maxNotes = 10

/** Warnings that the reader must know of. */
export function formatNotes(warnings: readonly string[]): readonly string[] {
  if (warnings.length === 0) return []
  const notes = warnings.slice(0, maxNotes).map(text => `<p>⚠️ ${sentence(text)}</p>`)
  const left = warnings.length - notes.length
  if (left > 0) notes.push(`<p>⚠️ ${left} more warnings are in the log of this step.</p>`)
  return [...notes, '']
}

/** A clause or sentence of a message as HTML: with a capital letter and a full stop. */
export function sentence(text: string, maxLength = maxMessageLength): string {
  const isPlainWord = /^[a-z]+[ :,;]/.test(text)
  const start = isPlainWord ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text
  return `${breakable(start, maxLength)}${/[.!?…\]]$/.test(text) ? '' : '.'}`
}

/** A page within {@link maxSummaryBytes}; only rows are left out where there is no space. `verdict` is text. */
export function formatPage(page: {
  readonly verdict: string
  readonly head: readonly string[]
  readonly table?: Table | null
  readonly foot?: readonly string[]
}): string {
  const { verdict, head, table = null, foot = [] } = page
  const above = [`## ${toHtml(verdict, maxMessageLength)}`, '', ...head]
  const others = Buffer.byteLength([...above, ...foot].join('\n'))
  const rows = table === null ? [] : formatTable(table, maxSummaryBytes - others)
  return [...above, ...rows, ...foot, ''].join('\n')
}

/** A table with a row for each artifact. */
export interface Table {
  /** Of the columns behind state, artifact, size and hash. */
  readonly titles: readonly string[]
  /** No more are asked for than fit. */
  readonly rows: Iterable<Row>
  /** How many rows there are. */
  readonly total: number
  /** How many rows at the end need no attention: more than 50 are folded. */
  readonly plainCount: number
  /** Where the rows that do not fit can be found; HTML. */
  readonly elsewhere: string
}

/** What log and table say of every artifact. */
export interface ShownArtifact {
  readonly name: string
  /** Bytes; null when not read. */
  readonly size: number | null
  /** SHA-256; null when not read. */
  readonly hash: string | null
}

/** A row: HTML, with the cells below {@link Table.titles} or one that spans them all. */
export interface Row {
  readonly state: string
  readonly artifact: ShownArtifact
  /** Where the hash can be looked up. */
  readonly url: string | null | undefined
  readonly details: readonly string[] | string
}

const maxOpenRows = 50
/** For the lines around the rows. */
const reservedBytes = 3000

/** HTML, in which Markdown in foreign text does nothing; rows that do not fit are counted. */
function formatTable(table: Table, maxBytes: number): readonly string[] {
  const { titles, rows, total, plainCount, elsewhere } = table
  const kept: string[] = []
  let bytes = reservedBytes
  for (const one of rows) {
    const row = formatRow(one, titles.length)
    bytes += Buffer.byteLength(row) + 1
    if (bytes > maxBytes) break
    kept.push(row)
  }
  const all = ['State', 'Artifact', 'Size', 'SHA-256', ...titles]
  const header = `<tr>${all.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  const openCount = plainCount > maxOpenRows ? total - plainCount : total
  const open = kept.slice(0, openCount)
  const folded = kept.slice(openCount)
  const lines: string[] = []
  if (open.length > 0) lines.push('<table>', header, ...open, '</table>', '')
  if (folded.length > 0) {
    lines.push(`<details><summary>${plainCount} artifacts without a problem</summary>`)
    lines.push('<table>', header, ...folded, '</table>', '</details>', '')
  }
  const missing = pluralize(total - kept.length, 'more artifact is', 'more artifacts are')
  if (kept.length < total) lines.push(`<p>${missing} not shown; ${elsewhere}.</p>`, '')
  return lines
}

function formatRow({ state, artifact, url, details }: Row, columns: number): string {
  const size = formatSize(artifact.size).replace(' ', '&nbsp;')
  const cells = [state, code(artifact.name), size, linked(code(artifact.hash), url)]
  let wide = ''
  if (typeof details === 'string') wide = `<td colspan="${columns}">${details}</td>`
  else cells.push(...details)
  return `<tr>${cells.map(html => `<td>${html}</td>`).join('')}${wide}</tr>`
}

/** Foreign text as code; a dash for a value that no text can show. What may break is whole in the title, for a search. */
export function code(value: unknown): string {
  const text = fieldText(value)
  if (text === '') return '–'
  const title = longWord.test(text) ? ` title="${toAttribute(text)}"` : ''
  return `<code${title}>${breakable(text)}</code>`
}

const longWord = /(\S{41,})/u

/**
 * Foreign text as HTML in which words of more than 40 characters, as a hash, may break: a browser breaks none, so that
 * they would push the rest of the table out of sight. For use within an HTML block.
 */
export function breakable(text: string, maxLength = maxNameLength): string {
  const escape = (part: string): string => toHtml(part, part.length)
  // Every second part is a long word.
  const parts = quote(text, maxLength).split(longWord)
  return parts
    .map((part, index) => (index % 2 === 0 ? [part] : (part.match(/.{1,16}/gu) ?? [])))
    .map(pieces => pieces.map(escape).join('<wbr>'))
    .join('')
}

/** HTML of ours, linked where there is a URL. */
export function linked(html: string, url: string | null | undefined): string {
  if (url === undefined || url === null || !/^https?:\/\//i.test(url)) return html
  return `<a href="${toAttribute(url, url.length)}">${html}</a>`
}

/** A page of the docs such as `failures.md#refused` as HTML, linked if `docsUrl` is an address. */
export function docsLink(docsUrl: string, page: string): string {
  return linked(`docs/${page.replace(/#.*/, '')}`, `${docsUrl}/${page}`)
}
