/** Formats a report as the job summary. */
import { maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { formatChecksum } from '../text/names.ts'
import { formatSize, joinFirst, pluralize, toSentence } from '../text/phrases.ts'
import type { Link, Place, Report, Row, Step, Table } from './report.ts'

/** GitHub drops a summary over 1 MiB; the other step of this action may add to it. */
const maxSummaryBytes = 1_000_000

/** Formats a summary within {@link maxSummaryBytes}; only rows are left out. */
export function formatPage(report: Report, docsUrl: string): string {
  const { title, cost, counts, steps, todo, warnings, places, table } = report
  const head = [`## ${toHtml(title, maxMessageLength)}`, '', `<p>${sentence(cost, docsUrl)}</p>`]
  if (counts.length > 0) head.push(`<p>${counts.map(text => breakable(text)).join(' · ')}</p>`)
  if (steps.length > 0) {
    const items = steps.map(step => `<li>${formatStep(step, docsUrl)}</li>`)
    head.push(`<p><b>${todo.lead}</b> (${docsLink(docsUrl, todo.docs)})</p>`)
    head.push('<ol>', ...items, '</ol>')
  }
  if (warnings.length > 0) {
    const notes = warnings.map(text => `⚠️ ${sentence(text, docsUrl)}`)
    const rest = 'more in the log of this step'
    head.push(`<p>${joinFirst(notes, maxNotes, { separator: '<br>', rest })}</p>`)
  }
  if (places.length > 0) {
    head.push(`<p>${places.map(place => formatPlace(place, docsUrl)).join('<br>')}</p>`)
  }
  const left = maxSummaryBytes - Buffer.byteLength(head.join('\n'))
  return [...head, ...formatTable(table, left), ''].join('\n')
}

const maxNames = 3
const maxNotes = 10
const maxLinks = 5
/** For the message of a problem that stopped the run, such as one that lists patterns. */
const maxStepLength = 4000

/** Formats what to do, then on lines of their own what happened, and what it cost and what it is about. */
function formatStep({ next, hint, happened, results }: Step, docsUrl: string): string {
  const lines = [`<b>${sentence(next, docsUrl)}</b>`]
  if (hint !== '') lines[0] += ` ${sentence(hint, docsUrl)}`
  lines.push(...happened.map(text => sentence(text, docsUrl)))
  for (const { cost, about } of results) {
    const names = about.map(({ name, url }) => linked(code(name), url))
    const what = breakable(cost)
    lines.push(`${capitalized(what)}: ${joinFirst(names, maxNames, { separator: ', ' })}`)
  }
  return lines.join('<br>')
}

function capitalized(html: string): string {
  return html.slice(0, 1).toUpperCase() + html.slice(1)
}

function formatPlace({ label, text, links, command }: Place, docsUrl: string): string {
  let html = `<b>${label}:</b> ${withDocs(text, docsUrl)}`
  const all = links.map(({ name, url }) => linked(code(name), url))
  if (all.length > 0) html += ` ${joinFirst(all, maxLinks, { separator: ', ' })}`
  if (command !== '') html += ` <code>${toHtml(command)}</code>`
  return html
}

const maxUnfoldedRows = 50
/** For the lines around the rows. */
const reservedBytes = 3000

/** Formats a table as HTML, in which Markdown in untrusted text has no effect, and the hashes to copy below it. */
function formatTable(
  { columns, rows, isFolded, elsewhere }: Table,
  maxBytes: number,
): readonly string[] {
  if (rows.length === 0) return []
  const shown: string[] = []
  const checksums: string[] = []
  let bytes = reservedBytes
  for (const row of rows) {
    const html = formatRow(row, columns.length)
    const checksum = formatHash(row)
    bytes += Buffer.byteLength(html) + Buffer.byteLength(checksum) + 1
    if (bytes > maxBytes) break
    shown.push(html)
    checksums.push(checksum)
  }
  const all = ['State', 'Artifact', 'Size', 'SHA-256', ...columns]
  const header = `<tr>${all.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  const plainCount = rows.filter(({ isPlain }) => isPlain).length
  let openCount = rows.length
  if (isFolded || plainCount > maxUnfoldedRows) openCount -= plainCount
  const open = shown.slice(0, openCount)
  const folded = shown.slice(openCount)
  const lines: string[] = []
  if (open.length > 0) lines.push('<table>', header, ...open, '</table>')
  if (folded.length > 0) {
    lines.push(`<details><summary>${pluralize(plainCount, 'more artifact')}</summary>`)
    lines.push('<table>', header, ...folded, '</table>', '</details>')
  }
  if (checksums.join('') !== '') {
    lines.push(`<details><summary>SHA-256 of each artifact</summary>`)
    lines.push(`<pre>${checksums.join('')}</pre>`, '</details>')
  }
  const missing = pluralize(rows.length - shown.length, 'more artifact is', 'more artifacts are')
  if (shown.length < rows.length)
    lines.push(`<p>${missing} not shown; ${breakable(elsewhere)}.</p>`)
  return lines
}

/** Formats the line of an artifact in GNU format; empty if it was not hashed. */
function formatHash({ artifact: { name, hash } }: Row): string {
  if (hash === null) return ''
  return toHtml(formatChecksum({ name, hash }).trimEnd(), maxMessageLength) + '&#10;'
}

const shownDigits = 12

/** Formats a row. The reason stands beside the name, where a narrow screen shows it. */
function formatRow({ sign, words, artifact, url, note, cells }: Row, columns: number): string {
  const { name, size, hash } = artifact
  let digits = '–'
  if (hash !== null) digits = linked(`<code>${hash.slice(0, shownDigits)}</code>`, url)
  const why = note === '' ? '' : `<br>${sentence(note, '')}`
  const bytes = formatSize(size).replace(' ', '&nbsp;')
  const html = [`${sign}&nbsp;${words}`, code(name) + why, bytes, digits]
  for (let column = 0; column < columns; column++) html.push(plain(cells[column] ?? ''))
  return `<tr>${html.map(cell => `<td>${cell}</td>`).join('')}</tr>`
}

/** Shows untrusted text as code. */
function code(text: string): string {
  return `<code>${breakable(text)}</code>`
}

/** Shows untrusted text; a dash if there is none. */
function plain(text: string): string {
  return text === '' ? '–' : breakable(text)
}

/** Formats a clause as a sentence in which sections of the docs are linked. */
function sentence(text: string, docsUrl: string): string {
  return withDocs(toSentence(text), docsUrl)
}

/** A section of the docs in a text. */
const docsPart = /\bdocs:([a-z-]+\.md(?:#[a-z-]+)?)/

function withDocs(text: string, docsUrl: string): string {
  const parts = text.split(docsPart)
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return docsLink(docsUrl, part)
      return breakable(part, maxStepLength)
    })
    .join('')
}

/** Replaces the sections of the docs in a text for the log with their addresses. */
export function showDocs(text: string, docsUrl: string): string {
  return text
    .split(docsPart)
    .map((part, index) => (index % 2 === 1 ? `${docsUrl}/${part}` : part))
    .join('')
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

/** Formats a page of the docs such as `failures.md#codes`, linked if `docsUrl` is an address. */
function docsLink(docsUrl: string, page: string): string {
  return linked(`docs/${page.replace(/#.*/, '')}`, `${docsUrl}/${page}`)
}
