import { toHtml } from './escape.ts'

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
  return `<code>${toHtml(text)}</code>`
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
