import type { Source } from '../environment.ts'
import type { Result } from '../outcome.ts'
import { cut, maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { counted } from '../text/words.ts'

/** The platform drops a summary over 1 MiB whole; other steps of ours may add a little. */
const maxSummaryBytes = 1_000_000

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

/** The first few of so many, as HTML. */
export function formatExamples(examples: readonly string[], count: number): string {
  const left = count - examples.length
  return `${examples.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

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

/**
 * A page within {@link maxSummaryBytes}: the first line, what stands above the table, the table if there is one, and what
 * stands below it. Only rows are left out where there is no room.
 */
export function formatPage(page: {
  /** The first line; text. */
  readonly verdict: string
  readonly head: readonly string[]
  readonly table?: Table | null
  readonly foot?: readonly string[]
}): string {
  const { verdict, table = null, foot = [] } = page
  const head = [`## ${toHtml(verdict, maxMessageLength)}`, '', ...page.head]
  // The line that counts what is left out needs some, too.
  const room = maxSummaryBytes - Buffer.byteLength([...head, ...foot].join('\n')) - 1000
  return [...head, ...(table === null ? [] : formatTable(table, room)), ...foot, ''].join('\n')
}

/** A table with a row for each artifact. */
export interface Table {
  /** Of the columns behind state, artifact, size and hash. */
  readonly titles: readonly string[]
  /** No more are asked for than fit. */
  readonly rows: Iterable<Row>
  /** How many rows there are. */
  readonly total: number
  /** Where the rows that do not fit can be found; HTML. */
  readonly elsewhere: string
}

/** What a table says of an artifact. */
export interface Row {
  /** HTML. */
  readonly state: string
  readonly artifact: Omit<Result, 'outcome'>
  /** HTML of the cells below {@link Table.titles}, or of one that spans them all. */
  readonly details: readonly string[] | string
}

/** The lines of a table of HTML, in which Markdown in foreign text does nothing; rows that do not fit are counted. */
function formatTable({ titles, rows, total, elsewhere }: Table, maxBytes: number) {
  const all = ['State', 'Artifact', 'Size', 'SHA-256', ...titles]
  const header = `<tr>${all.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  const kept: string[] = []
  let bytes = Buffer.byteLength(header)
  for (const one of rows) {
    const row = formatRow(one, titles.length)
    bytes += Buffer.byteLength(row) + 1
    if (bytes > maxBytes) break
    kept.push(row)
  }
  const missing = total - kept.length
  const rest = `<p>${counted(missing, 'more artifact')} ${missing === 1 ? 'is' : 'are'} not shown; ${elsewhere}.</p>`
  return ['<table>', header, ...kept, '</table>', '', ...(missing > 0 ? [rest, ''] : [])]
}

function formatRow({ state, artifact, details }: Row, span: number): string {
  const { name, size, hash, verificationUrl } = artifact
  const cells = [
    ...[state, code(name), formatSize(size).replace(' ', '&nbsp;')],
    hash === null ? '–' : linked(idCode(hash), verificationUrl),
    ...(typeof details === 'string' ? [] : details),
  ]
  const wide = typeof details === 'string' ? `<td colspan="${span}">${details}</td>` : ''
  return `<tr>${cells.map(html => `<td>${html}</td>`).join('')}${wide}</tr>`
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

/** HTML of ours, linked where there is a URL. */
export function linked(html: string, url: string | null | undefined): string {
  if (url === undefined || url === null || !/^https?:\/\//i.test(url)) return html
  return `<a href="${toAttribute(url, url.length)}">${html}</a>`
}
