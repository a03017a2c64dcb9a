import type { Artifact } from '../outcome.ts'
import { maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { formatSize, joinFirst, pluralize, toSentence } from '../text/phrases.ts'
import type { Step } from './judge.ts'

/** GitHub drops a summary over 1 MiB; the other step of this action may add to it. */
const maxSummaryBytes = 1_000_000

/** For the message of a problem that stopped the run, such as one that lists patterns. */
export const maxStepLength = 4000

/** Formats a summary within {@link maxSummaryBytes}; only rows are left out. All texts but `verdict` are HTML. */
export function formatPage(
  verdict: string,
  head: readonly string[],
  table: Table | null = null,
): string {
  const lines = [`## ${toHtml(verdict, maxMessageLength)}`, '', ...head]
  const bytes = Buffer.byteLength(lines.join('\n'))
  if (table !== null) lines.push(...formatTable(table, maxSummaryBytes - bytes))
  return [...lines, ''].join('\n')
}

const maxNames = 3

/** Everything to do. */
export interface Todo {
  readonly steps: readonly Step[]
  /** The page of the docs on all of it. */
  readonly docs: string
  readonly docsUrl: string
}

/** Formats numbered steps below a lead; empty without steps. */
export function formatSteps(lead: string, { steps, docs, docsUrl }: Todo): readonly string[] {
  if (steps.length === 0) return []
  return [
    `<p><b>${lead}</b> (${docsLink(docsUrl, docs)})</p>`,
    '<ol>',
    ...steps.map(step => `<li>${formatStep(step, docsUrl)}</li>`),
    '</ol>',
  ]
}

/** Formats what to do, on a line of its own what happened, and on another what it cost and what it is about. */
function formatStep({ next, hint, happened, cost, docs, about }: Step, docsUrl: string): string {
  const [, first = '', rest = ''] = /^(.*?)(; .*)?$/su.exec(toSentence(next)) ?? []
  let todo = `<b>${breakable(first, maxStepLength)}</b>${breakable(rest, maxStepLength)}`
  if (hint !== '') todo += ` ${sentence(hint)}`
  if (docs !== null) todo += ` ${docsLink(docsUrl, docs)}`
  let what = sentence(cost)
  if (about.length > 0) {
    const names = about.map(({ name, url }) => linked(code(name), url))
    what = `${what.slice(0, -1)}: ${joinFirst(names, maxNames, { separator: ', ' })}`
  }
  return [todo, sentence(happened), what].filter(text => text !== '').join('<br>')
}

const maxNotes = 10

/** Formats warnings that the reader must know about; sections of the docs are linked. Empty without any. */
export function formatNotes(warnings: readonly string[], docsUrl: string): readonly string[] {
  if (warnings.length === 0) return []
  const notes = warnings.map(text => {
    const [before = '', ...rest] = toSentence(text).split(/docs\/([\w-]+\.md(?:#[\w-]+)?)/)
    let html = `⚠️ ${breakable(before, maxMessageLength)}`
    // Each section, and the text after it.
    for (let at = 0; at < rest.length; at += 2) {
      html += docsLink(docsUrl, rest[at] ?? '') + breakable(rest[at + 1] ?? '', maxMessageLength)
    }
    return html
  })
  const rest = 'more in the log of this step'
  return [`<p>${joinFirst(notes, maxNotes, { separator: '<br>', rest })}</p>`]
}

/** Formats a clause as a sentence in HTML. */
export function sentence(text: string, maxLength = maxMessageLength): string {
  if (text === '') return ''
  return breakable(toSentence(text), maxLength)
}

/** A table with a row for each artifact; all texts are HTML. */
export interface Table {
  /** Of the columns after state, artifact, size and hash. */
  readonly titles: readonly string[]
  /** Of {@link formatRow}; read only as far as they fit. */
  readonly rows: Iterable<string>
  /** The number of rows. */
  readonly total: number
  /** How many rows at the end need no attention. */
  readonly plainCount: number
  /** Whether these are folded; more than 50 always are. */
  readonly isFolded: boolean
  /** Where to find the rows that do not fit. */
  readonly elsewhere: string
}

const maxUnfoldedRows = 50
/** For the lines around the rows. */
const reservedBytes = 3000

/** Formats a table as HTML, in which Markdown in untrusted text has no effect. */
function formatTable(table: Table, maxBytes: number): readonly string[] {
  const { titles, total, plainCount, isFolded, elsewhere } = table
  const rows: string[] = []
  let bytes = reservedBytes
  for (const row of table.rows) {
    bytes += Buffer.byteLength(row) + 1
    if (bytes > maxBytes) break
    rows.push(row)
  }
  const all = ['State', 'Artifact', 'Size', 'SHA-256', ...titles]
  const header = `<tr>${all.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  let openCount = total
  if (isFolded || plainCount > maxUnfoldedRows) openCount -= plainCount
  const open = rows.slice(0, openCount)
  const folded = rows.slice(openCount)
  const lines: string[] = []
  if (open.length > 0) lines.push('<table>', header, ...open, '</table>')
  if (folded.length > 0) {
    lines.push(`<details><summary>${pluralize(plainCount, 'artifact')} without a problem</summary>`)
    lines.push('<table>', header, ...folded, '</table>', '</details>')
  }
  const missing = pluralize(total - rows.length, 'more artifact is', 'more artifacts are')
  if (rows.length < total) lines.push(`<p>${missing} not shown; ${elsewhere}.</p>`)
  return lines
}

const shownDigits = 12

/**
 * Formats a row. `url` is where the hash can be looked up; `details` are the cells below {@link Table.titles}, or
 * one cell that spans all `columns` of them. `state` and `details` are HTML.
 */
export function formatRow(
  state: string,
  { name, size, hash }: Pick<Artifact, 'name' | 'size' | 'hash'>,
  more: {
    readonly url: string | null
    readonly details: readonly string[] | string
    readonly columns: number
  },
): string {
  const { url, details, columns } = more
  let digits = '–'
  if (hash !== null) {
    const short = `<code title="${toAttribute(hash)}">${hash.slice(0, shownDigits)}</code>`
    digits = linked(short, url)
  }
  const cells = [state, code(name), formatSize(size).replace(' ', '&nbsp;'), digits]
  const html = cells.map(cell => `<td>${cell}</td>`)
  if (typeof details === 'string') html.push(`<td colspan="${columns}">${details}</td>`)
  else html.push(...details.map(cell => `<td nowrap>${cell}</td>`))
  return `<tr>${html.join('')}</tr>`
}

/** Shows untrusted text as code. */
export function code(text: string, maxLength = maxNameLength): string {
  return `<code>${breakable(text, maxLength)}</code>`
}

/** Shows untrusted text; a dash if there is none. */
export function plain(text: string): string {
  return text === '' ? '–' : breakable(text)
}

const longWord = /(\S{41,})/u

/** Formats untrusted text as HTML in which long words, such as hashes, can wrap. */
function breakable(text: string, maxLength = maxNameLength): string {
  let html = ''
  for (const part of quote(text, maxLength).split(longWord)) {
    const pieces = longWord.test(part) ? (part.match(/.{1,16}/gu) ?? []) : [part]
    html += pieces.map(piece => toHtml(piece, piece.length)).join('<wbr>')
  }
  return html
}

/** Links HTML if there is the URL of a web page. */
export function linked(html: string, url: string | null): string {
  if (url === null || !/^https?:\/\//i.test(url)) return html
  return `<a href="${toAttribute(url, url.length)}">${html}</a>`
}

/** Formats a page of the docs such as `failures.md#refused`, linked if `docsUrl` is an address. */
export function docsLink(docsUrl: string, page: string): string {
  return linked(`docs/${page.replace(/#.*/, '')}`, `${docsUrl}/${page}`)
}
