import type { Source } from '../environment.ts'
import { cut, maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { counted } from '../text/words.ts'

/** The platform drops a summary over 1 MiB whole; other steps of ours may add a little. */
export const maxSummaryBytes = 1_000_000

/** For which commit and run, and at which service. */
export interface Place {
  readonly source: Source
  /** Base URL of the service; null where none is known. */
  readonly service: string | null
}

/** A line that says for which ref, commit and run a summary is; nothing if that is not known. */
export function formatPlace({ source, service }: Place): readonly string[] {
  const { commitUrl, runUrl, sha, runId, ref } = source
  const parts = [
    ...(ref === null ? [] : [code(ref.replace(/^refs\/(heads|tags)\//, ''))]),
    ...(sha === null ? [] : [`commit ${linked(code(sha.slice(0, 12)), commitUrl)}`]),
    ...(runId === null ? [] : [`run ${linked(code(runId), runUrl)}`]),
    ...(service === null ? [] : [`service ${code(service)}`]),
  ]
  return parts.length === 0 ? [] : [`<p>For ${parts.join(', ')}.</p>`, '']
}

/** A reason why something is wrong. */
export interface ReasonItem {
  /** HTML. */
  readonly title: string
  /** What a reader looks for, by the label that it finds it by; texts. */
  readonly answers: Readonly<Record<string, string>>
}

/** The reasons as a list; `lead` is a sentence above it, as HTML. */
export function formatReasonItems(lead: string, items: readonly ReasonItem[]): readonly string[] {
  if (items.length === 0) return []
  const lines = items.map(({ title, answers }) => {
    const texts = Object.entries(answers).map(([label, text]) => {
      return `<br><b>${label}</b> ${sentence(text)}`
    })
    return `<li>${title}${texts.join('')}</li>`
  })
  return [`<p><b>${lead}</b></p>`, '<ol>', ...lines, '</ol>', '']
}

const maxNotes = 10

/** Warnings that the reader must know of. */
export function formatNotes(warnings: readonly string[]): readonly string[] {
  const shown = warnings.slice(0, maxNotes).map(text => `<p>⚠️ ${sentence(text)}</p>`)
  const left = warnings.length - shown.length
  const more = left > 0 ? [`<p>⚠️ ${left} more warnings are in the log of this step.</p>`] : []
  return shown.length === 0 ? [] : [...shown, ...more, '']
}

/** A clause or sentence of a message as HTML: with a capital letter and a full stop. */
export function sentence(text: string, maxLength = maxMessageLength): string {
  const first = text.slice(0, 1)
  const begun = /^[a-z]+[ :,]/.test(text) ? `${first.toUpperCase()}${text.slice(1)}` : text
  return `${breakable(begun, maxLength)}${/[.!?…\]]$/.test(text) ? '' : '.'}`
}

const maxStopMessageLength = 4000

/** The summary of a run that stopped because of its inputs or a guard. */
export function formatStopped(page: {
  /** The first line. */
  readonly verdict: string
  /** What stands between the first line and the messages, as HTML: whether anything is registered, and what to do. */
  readonly lead: string
  /** One text for each input. */
  readonly messages: readonly string[]
  readonly place: Place
}): string {
  const { verdict, lead, messages, place } = page
  const items = messages.map(text => `<li>${sentence(text, maxStopMessageLength)}</li>`)
  const list = items.length === 0 ? [''] : ['<ul>', ...items, '</ul>', '']
  return [`## ${verdict}`, '', ...formatPlace(place), `<p>${lead}</p>`, ...list, ''].join('\n')
}

/** The lines of a table of HTML, in which Markdown in foreign text does nothing; rows that do not fit are counted. */
export function formatTable(table: {
  readonly titles: readonly string[]
  /** Each made by {@link tableRow}; no more are asked for than fit. */
  readonly rows: Iterable<string>
  /** How many rows there are. */
  readonly total: number
  /** For the whole table. */
  readonly maxBytes: number
  /** Where the rows that do not fit can be found; HTML. */
  readonly elsewhere: string
}): readonly string[] {
  const { titles, rows, total, maxBytes, elsewhere } = table
  const header = `<tr>${titles.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  const kept: string[] = []
  let bytes = Buffer.byteLength(header)
  for (const row of rows) {
    bytes += Buffer.byteLength(row) + 1
    if (bytes > maxBytes) break
    kept.push(row)
  }
  const missing = total - kept.length
  const rest = `<p>${counted(missing, 'more artifact')} ${missing === 1 ? 'is' : 'are'} not shown; ${elsewhere}.</p>`
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

/** Foreign text as it is; a dash for a value of a record that is no text. */
export function code(text: unknown): string {
  return typeof text === 'string' && text !== '' ? `<code>${breakable(text)}</code>` : '–'
}

/**
 * A hash or another id in a cell, which may break after each 16 characters where a line has no room. The title keeps it
 * whole for who searches the Markdown; in the page, what is copied or searched for has no break in it.
 */
export function idCode(id: string): string {
  const parts = cut(id, maxNameLength).match(/.{1,16}/gsu) ?? []
  return `<code title="${toAttribute(id)}">${parts.map(part => toHtml(part)).join('<wbr>')}</code>`
}

const maxWord = 64
const pieces = /[^/_]{1,31}[/_]|[^/_]{1,32}|[/_]/gu

/**
 * Foreign text as HTML in which a line may end within words that are longer than 64 characters. A browser breaks no such
 * word, and one of them (a path) would push the rest of the table out of sight. For use within an HTML block.
 */
export function breakable(text: string, maxLength = maxNameLength): string {
  return quote(text, maxLength)
    .split(/(\s+)/u)
    .map(word => (word.length > maxWord ? (word.match(pieces) ?? []) : [word]))
    .map(parts => parts.map(part => toHtml(part)).join('<wbr>'))
    .join('')
}

/** A size in a cell, in one line. */
export function sizeCell(bytes: number | null): string {
  return formatSize(bytes).replace(' ', '&nbsp;')
}

/** HTML of ours, linked where there is a URL. */
export function linked(html: string, url: string | null | undefined): string {
  if (url === undefined || url === null || !/^https?:\/\//i.test(url)) return html
  return `<a href="${toAttribute(url, url.length)}">${html}</a>`
}
