import { maxNameLength, quote, toHtml } from './escape.ts'
import { formatSize } from './size.ts'

/** A table of the job summary, as HTML: Markdown in foreign text does nothing there. */
export interface Table {
  readonly titles: readonly string[]
  /** Each made by {@link tableRow}. */
  readonly rows: readonly string[]
  /** For the whole table; rows that do not fit are counted. */
  readonly maxBytes: number
  /** Where the rows that do not fit can be found; HTML. */
  readonly elsewhere: string
}

/** The lines of a table. */
export function formatTable({ titles, rows, maxBytes, elsewhere }: Table): readonly string[] {
  const header = `<tr>${titles.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  let bytes = Buffer.byteLength(header)
  const tooMany = rows.findIndex(row => (bytes += Buffer.byteLength(row) + 1) > maxBytes)
  const kept = tooMany === -1 ? rows : rows.slice(0, tooMany)
  const missing = rows.length - kept.length
  const rest = `${countArtifacts(missing)} more ${missing === 1 ? 'is' : 'are'} not shown; ${elsewhere}.`
  return ['<table>', header, ...kept, '</table>', '', ...(missing > 0 ? [rest, ''] : [])]
}

/** One row of HTML cells; `last` spans several columns. */
export function tableRow(
  cells: readonly string[],
  last?: { readonly html: string; readonly span: number },
): string {
  const end = last === undefined ? '' : `<td colspan="${last.span}">${last.html}</td>`
  return `<tr>${cells.map(html => `<td>${html}</td>`).join('')}${end}</tr>`
}

/** A number of artifacts in words. */
export function countArtifacts(count: number): string {
  return `${count} ${count === 1 ? 'artifact' : 'artifacts'}`
}

/** Foreign text in a cell, as it is. */
export function code(text: string): string {
  return `<code>${breakable(text)}</code>`
}

/**
 * A hash or another id in a cell, in lines of the same length where one line has no room. The title keeps it whole for
 * who searches the Markdown; in the page, what is copied or searched for has no break in it.
 */
export function idCode(id: string, lines = 2): string {
  const part = Math.ceil(id.length / lines)
  const parts = Array.from({ length: lines }, (_, index) =>
    id.slice(index * part, (index + 1) * part),
  )
  return `<code title="${toHtml(id)}">${parts.map(text => toHtml(text)).join('<wbr>')}</code>`
}

const maxWord = 64
const pieces = /[^/_]{1,31}[/_]|[^/_]{1,32}|[/_]/gu

/**
 * Foreign text as HTML in which a line may end within words that are longer than 64 characters. A browser breaks no such
 * word, and one of them (a path) would push the rest of the table out of sight.
 */
export function breakable(text: string, maxLength = maxNameLength): string {
  const words = quote(text, maxLength).split(/(\s+)/u)
  return words
    .map(word => (word.length > maxWord ? (word.match(pieces) ?? []) : [word]))
    .map(parts => parts.map(part => toHtml(part)).join('<wbr>'))
    .join('')
}

/** A size in a cell, in one line. */
export function sizeCell(bytes: number | null): string {
  return formatSize(bytes).replace(' ', '&nbsp;')
}

/** HTML of ours, linked where there is a URL. */
export function linked(html: string, url: string | undefined): string {
  return url === undefined ? html : `<a href="${toHtml(url, url.length)}">${html}</a>`
}

/** A string of a record in a cell; a dash for anything else. */
export function shown(value: unknown): string {
  return typeof value === 'string' && value !== '' ? code(value) : '–'
}

/** Epoch milliseconds as `2026-01-31 12:00:00`; a dash for what is no time. */
export function formatTime(value: unknown): string {
  const date = new Date(typeof value === 'number' ? value : NaN)
  return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(0, 19).replace('T', ' ')
}
