/** Formats a report as the job summary. */
import { maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { formatChecksum } from '../text/names.ts'
import { capitalize, formatSize, joinFirst, pluralize, toSentence } from '../text/phrases.ts'
import { maxNames } from './findings.ts'
import type { Link, Listing, Report, Row, Step, Table } from './report.ts'

/** GitHub drops a summary over 1 MiB; the other step of this action may add to it. */
const maxSummaryBytes = 1_000_000
/** For all steps: the rows have the rest. */
const maxStepsBytes = 500_000
/** For the lines around the rows. */
const reservedBytes = 3000

const maxWarnings = 10
const maxUnfoldedRows = 50
/** For the message of a problem that stopped the run, such as one that lists patterns. */
const maxHappenedLength = 4000
const shownDigits = 12

/** Formats a summary within {@link maxSummaryBytes}: what does not fit is only counted. */
export function formatPage(report: Report, docsUrl: string): string {
  const { title, cost, counts, steps, warnings, pointers, table } = report
  const show = linkDocs(docsUrl)
  const head = [`## ${toHtml(title, maxMessageLength)}`, '', `<p>${show(toSentence(cost))}</p>`]
  if (counts.length > 0) head.push(`<p>${counts.map(text => breakable(text)).join(' · ')}</p>`)
  if (steps.length > 0) {
    const items = steps.values().map(step => [`<li>${renderStep(step, show)}</li>`])
    const shown = takeFitting(items, maxStepsBytes).flat()
    if (shown.length < steps.length) shown.push('<li>More steps are in the log.</li>')
    head.push(`<p><b>${show(report.lead)}</b></p>`, '<ol>', ...shown, '</ol>')
  }
  if (warnings.length > 0) {
    const notes = warnings.map(text => `⚠️ ${show(toSentence(text))}`)
    const rest = 'more in the log of this step'
    head.push(`<p>${joinFirst(notes, maxWarnings, { separator: '<br>', rest })}</p>`)
  }
  if (pointers.length > 0) {
    const lines = pointers.map(({ text, links }) => renderListing(show(text), links))
    head.push(`<p>${lines.join('<br>')}</p>`)
  }
  const left = maxSummaryBytes - reservedBytes - Buffer.byteLength(head.join('\n'))
  return [...head, ...renderTable(table, left, show), ''].join('\n')
}

/** Bold ends before a parenthesis, a second clause, or an address. */
const endOfLead = / \(|; |: https|$/

/** Formats what to do, then on lines of their own what happened, and what it cost and what it is about. */
function renderStep(step: Step, show: Show): string {
  const { next, hint, happened, results } = step
  const text = toSentence(next)
  const end = next.search(endOfLead)
  let first = `<b>${show(text.slice(0, end))}</b>${show(text.slice(end))}`
  if (hint !== '') first += ` ${show(hint)}`
  const lines = [first, ...happened.map(sentence => show(sentence, maxHappenedLength))]
  for (const { text: cost, links } of results) {
    lines.push(renderListing(breakable(capitalize(`${cost}:`)), links))
  }
  return lines.join('<br>')
}

/** Lists the first names or commands after what they have in common. */
function renderListing(text: string, links: Listing['links']): string {
  const all = links.map(({ name, url }) => linked(code(name), url))
  return `${text} ${joinFirst(all, maxNames, { separator: ', ' })}`.trimEnd()
}

/** Formats a table as HTML, in which Markdown in untrusted text has no effect, and the hashes to copy below it. */
function renderTable(
  { columns, rows, isFolded, elsewhere }: Table,
  maxBytes: number,
  show: Show,
): readonly string[] {
  if (rows.length === 0) return []
  const lines: string[] = []
  const both = rows.values().map(row => [renderRow(row, columns, show), renderHash(row)])
  const shown = takeFitting(both, maxBytes)
  const html = shown.flatMap(texts => texts.slice(0, 1))
  const checksums = shown.flatMap(texts => texts.slice(1)).join('')
  const titles = ['State', 'Artifact', 'Size', 'SHA-256', ...columns]
  const header = `<tr>${titles.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  const plainCount = rows.filter(({ isPlain }) => isPlain).length
  const foldedCount = isFolded || plainCount > maxUnfoldedRows ? plainCount : 0
  const open = html.slice(0, rows.length - foldedCount)
  const folded = html.slice(open.length)
  if (open.length > 0) lines.push('<table>', header, ...open, '</table>')
  if (folded.length > 0) {
    lines.push(`<details><summary>${pluralize(plainCount, 'more artifact')}</summary>`)
    lines.push('<table>', header, ...folded, '</table>', '</details>')
  }
  if (checksums !== '') {
    lines.push('<details><summary>SHA-256 of each artifact</summary>')
    lines.push(`<pre>${checksums}</pre>`, '</details>')
  }
  if (html.length < rows.length) {
    const missing = pluralize(rows.length - html.length, 'artifact is', 'artifacts are')
    lines.push(`<p>${missing} not shown; ${show(elsewhere)}.</p>`)
  }
  return lines
}

/** Returns as many items from the start as fit. The rest is not even rendered. */
function takeFitting(items: Iterable<readonly string[]>, maxBytes: number): (readonly string[])[] {
  const shown: (readonly string[])[] = []
  let bytes = 0
  for (const texts of items) {
    bytes += Buffer.byteLength(texts.join('')) + 1
    if (bytes > maxBytes) break
    shown.push(texts)
  }
  return shown
}

/** Formats the line of an artifact in GNU format; empty if it was not hashed. */
function renderHash({ artifact: { name, hash } }: Row): string {
  if (hash === null) return ''
  return `${toHtml(formatChecksum({ name, hash }).trimEnd(), maxMessageLength)}&#10;`
}

/** Formats a row. The reason stands below the name, where a narrow screen shows it. */
function renderRow(row: Row, columns: Table['columns'], show: Show): string {
  const { sign, label, artifact, url, note, cells } = row
  const { name, size, hash } = artifact
  let digits = '–'
  if (hash !== null) digits = linked(`<code>${hash.slice(0, shownDigits)}</code>`, url)
  const why = note === '' ? '' : `<br>${show(toSentence(note))}`
  const bytes = formatSize(size).replace(' ', '&nbsp;')
  const html = [`${sign}&nbsp;${label}`, code(name) + why, bytes, digits]
  for (const column of columns.keys()) {
    const cell = cells[column] ?? ''
    html.push(cell === '' ? '–' : breakable(cell))
  }
  return `<tr>${html.map(cell => `<td>${cell}</td>`).join('')}</tr>`
}

/** Shows untrusted text as code. */
function code(text: string): string {
  return `<code>${breakable(text)}</code>`
}

/** Formats untrusted text, in which the addresses of pages of the docs become links. */
type Show = (text: string, maxLength?: number) => string

function linkDocs(docsUrl: string): Show {
  const address = new RegExp(`${RegExp.escape(docsUrl)}/([a-z-]+\\.md)(?:#[a-z-]+)?`, 'g')
  return (text, maxLength = maxMessageLength) => {
    let html = ''
    let end = 0
    for (const { 0: url, 1: page = '', index } of text.matchAll(address)) {
      html += breakable(text.slice(end, index), maxLength) + linked(`docs/${page}`, url)
      end = index + url.length
    }
    return html + breakable(text.slice(end), maxLength)
  }
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
function linked(html: string, url: Link['url']): string {
  if (url === null || !/^https?:\/\//i.test(url)) return html
  return `<a href="${toAttribute(url, url.length)}">${html}</a>`
}
