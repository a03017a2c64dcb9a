/** Writes a report to the log, the summary and the annotations. */
import { describeError } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import type { Note } from '../runtime/runner.ts'
import { maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { evidenceName, formatChecksum } from '../text/names.ts'
import { joinFirst, pluralize, takeFitting, upperFirst } from '../text/phrases.ts'
import { maxNames, type Fact, type Report, type Row, type Step } from './report.ts'
import { formatStep } from './steps.ts'

/** GitHub drops a summary over 1 MiB; the other step of this action may add to it. */
const maxSummaryBytes = 1_000_000
/** For all steps: the rows have the rest. */
const maxStepsBytes = 500_000
/** For the lines around the rows. */
const reservedBytes = 3000

/** For the tags around a row, and its end. */
const lineBytes = '<tr></tr>\n'.length

const maxWarnings = 10
const maxUnfoldedRows = 50
/** Failures of one state and cause that are not folded: if they are alike, and if they are to be looked up. */
const maxAlike = 5
const maxToLookUp = 20
/** For the message of a problem that stopped the run, such as one that lists patterns. */
const maxHappenedLength = 4000
const shownDigits = 12

/** Returns the exit code. Never rejects. */
export async function writeReport(
  report: Report,
  { runner, environment: { docsUrl } }: Host,
  showSummary: boolean,
): Promise<0 | 1> {
  const { steps, rows, facts, title, errors, exitCode } = report
  for (const row of rows) runner.info(formatRow(row))
  for (const [index, step] of steps.entries()) {
    runner.info(`${index + 1}. ${formatStep(step, docsUrl)}`)
  }
  for (const { label, warning, text } of facts) {
    runner.info(`${label}: ${[warning, text].join(' ').trim()}`)
  }
  runner.info(title)
  if (showSummary) {
    try {
      await runner.writeSummary(formatPage(report, docsUrl))
    } catch (error) {
      // The work is done.
      runner.warning(`The job summary could not be written: ${describeError(error)}`)
    }
  }
  errors.forEach(runner.error)
  return exitCode
}

function formatRow({ state, artifact, note, url }: Row): string {
  const { name, size, hash } = artifact
  const bytes = size === null ? '–' : `${size} B`
  const what = `"${quote(name)}" (${bytes}, ${hash ?? 'not hashed'})`
  const parts = [`${state}: ${what}`, quote(note, maxMessageLength), url ?? '']
  return parts.filter(part => part !== '').join('; ')
}

/** Formats a summary within {@link maxSummaryBytes}: what does not fit is only counted. `docsUrl` is that of the docs. */
function formatPage(report: Report, docsUrl: string): string {
  const { title, facts, rows, steps, warnings, pointers } = report
  const lines = [
    `## ${toHtml(title, maxMessageLength)}`,
    '',
    `<p>${facts.map(renderFact).join('<br>')}</p>`,
  ]
  if (steps.length > 0) {
    // Without a table, the step has all of its files.
    const max = rows.length > 0 ? maxNames : Infinity
    const items = steps.values().map(step => `<li>${renderStep(step, max, docsUrl)}</li>`)
    const shown = [...takeFitting(items, maxStepsBytes, bytesOf)]
    if (shown.length < steps.length) shown.push('<li>More steps are in the log.</li>')
    lines.push('<h4>What to do, in order</h4>', '<ol>', ...shown, '</ol>')
  }
  const notes = warnings.map(note => `⚠️ ${renderNote(note, docsUrl)}`)
  const rest = 'more in the log of this step'
  if (notes.length > 0)
    lines.push(`<p>${joinFirst(notes, maxWarnings, { separator: '<br>', rest })}</p>`)
  const places = pointers.map(note => renderNote(note, docsUrl))
  if (places.length > 0) lines.push(`<p>${places.join('<br>')}</p>`)
  const left = maxSummaryBytes - reservedBytes - Buffer.byteLength(lines.join('\n'))
  return [...lines, ...renderTables(report, left), ''].join('\n')
}

function renderFact({ label, warning, text }: Fact): string {
  const bold = warning === '' ? '' : `<b>${breakable(warning)}</b> `
  return `<b>${label}:</b> ${bold}${breakable(text, maxMessageLength)}`
}

function renderNote({ text, docs, link }: Note, docsUrl: string): string {
  const parts = [breakable(text, maxMessageLength)]
  if (link !== undefined) parts.push(linked(code(link.name), link.url))
  if (docs !== undefined) parts.push(`(${linkDocs(docs, docsUrl)})`)
  return parts.join(' ')
}

/** Formats a step: one bold sentence, and below it what happened, for which files, and what to do after each finding. */
function renderStep(step: Step, max: number, docsUrl: string): string {
  const { warning = '', next, happened, files = [], answers = [], docs } = step
  const lines = [`<b>${breakable(`${warning} ${next}`.trim(), maxMessageLength)}</b>`]
  const told = happened.filter(text => text !== '').map(text => breakable(text, maxHappenedLength))
  if (told.length > 0) lines.push(told.join(' '))
  const toLookUp = files.filter(({ hash }) => hash !== null)
  for (const { name, hash, url } of toLookUp.slice(0, max)) {
    lines.push(`${linked(code(name), url)}: <code>${hash ?? ''}</code>`)
  }
  const more = toLookUp.length - max
  const links = toLookUp.some(({ url }) => url !== null) ? 'links in the table, ' : ''
  if (more > 0) lines.push(`and ${more} more: ${links}whole SHA-256 at the end of this page`)
  const names = files.filter(({ hash }) => hash === null).map(({ name }) => code(name))
  if (names.length > 0) lines.push(`Files: ${joinFirst(names, maxNames, { separator: ', ' })}`)
  for (const answer of answers) {
    const how = answer.docs === undefined ? '' : ` (${linkDocs(answer.docs, docsUrl)})`
    lines.push(`• <b>${answer.label}:</b> ${breakable(answer.text)}${how}`)
  }
  if (docs !== undefined) lines.push(`More: ${linkDocs(docs, docsUrl)}`)
  return lines.join('<br>')
}

/** Formats the rows as HTML tables, in which Markdown in untrusted text has no effect, and the hashes to copy below them. */
function renderTables({ rows, hasPage }: Report, maxBytes: number): readonly string[] {
  if (rows.length === 0) return []
  const all = rows.values().map(row => ({ row, cells: renderRow(row), line: renderHash(row) }))
  const shown = takeFitting(all, maxBytes, ({ cells, line }) => bytesOf(line + cells.join('')))
  const hasFailed = rows.some(({ rank }) => rank < 2)
  const plainCount = rows.filter(({ rank }) => rank === 3).length
  const isFolded = ({ rank, url }: Row, count: number): boolean => {
    if (rank < 2) return count > (url === null ? maxAlike : maxToLookUp)
    return rank === 3 && (hasFailed || plainCount > maxUnfoldedRows)
  }
  const open: (readonly string[])[] = []
  const folded: string[] = []
  const cellsOf = new Map(shown.map(({ row, cells }) => [row, cells]))
  const groups = Map.groupBy(rows, ({ state, rank }) => `${rank} ${state}`)
  for (const group of groups.values()) {
    const cells = group.flatMap(row => [cellsOf.get(row) ?? []]).filter(({ length }) => length > 0)
    const [first] = group
    if (first === undefined || cells.length === 0) continue
    const summary = `${first.state} (${pluralize(group.length, 'file')})`
    if (isFolded(first, group.length)) folded.push(...fold(summary, renderTable(cells)))
    else open.push(...cells)
  }
  const lines = [...renderTable(open), ...folded]
  if (hasPage) lines.push(...fold('Compare downloaded files with the evidence page', comparing))
  const hashes = shown.map(({ line }) => line).join('')
  if (hashes !== '') lines.push(...fold('SHA-256 of each file', [`<pre>${hashes}</pre>`]))
  if (shown.length < rows.length) {
    const missing = pluralize(rows.length - shown.length, 'file is', 'files are')
    const where = 'the log of this step has all of them, and the records file their records'
    lines.push(`<p>${missing} not shown; ${where}.</p>`)
  }
  return lines
}

const comparing = [
  `<p>Put <code>${evidenceName}</code> from the workflow artifact beside the downloaded files, and run:</p>`,
  `<pre>sha256sum --ignore-missing -c ${evidenceName}</pre>`,
]

const columns = ['State', 'File', 'SHA-256', 'Registered at (UTC)', 'Blockchain', 'Transaction']

/** Formats one table of rendered rows. A column that is empty in all its rows is left out. */
function renderTable(rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const titles = columns.map(title => `<th align="left">${title}</th>`)
  const used = [...titles.keys()].filter(index => rows.some(cells => cells[index] !== noCell))
  const lines = [titles, ...rows].map(
    cells => `<tr>${used.map(index => cells[index] ?? '').join('')}</tr>`,
  )
  return ['<table>', ...lines, '</table>']
}

function fold(summary: string, lines: readonly string[]): readonly string[] {
  return [`<details><summary>${breakable(summary)}</summary>`, ...lines, '</details>']
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text) + lineBytes
}

/** Formats the line of an artifact in GNU format; empty if it was not hashed. */
function renderHash({ artifact: { name, hash } }: Row): string {
  if (hash === null) return ''
  return `${toHtml(formatChecksum({ name, hash }).trimEnd(), maxMessageLength)}&#10;`
}

const noCell = '<td>–</td>'

/** Formats the cells of a row. What is to be said about it alone stands below the name, where a narrow screen shows it. */
function renderRow({ state, artifact, url, note, cells }: Row): readonly string[] {
  const { name, hash } = artifact
  let digits = ''
  if (hash !== null) digits = linked(`<code>${hash.slice(0, shownDigits)}</code>`, url)
  const file = note === '' ? code(name) : `${code(name)}<br>${breakable(note, maxMessageLength)}`
  const others = [0, 1, 2].map(index => breakable(cells[index] ?? ''))
  const all = [breakable(state).replace(' ', '&nbsp;'), file, digits, ...others]
  return all.map(cell => (cell === '' ? noCell : `<td>${cell}</td>`))
}

/** Links a section of the docs by its title, which its address has: `records.md#save-lines-from-the-log`. */
function linkDocs(section: string, docsUrl: string): string {
  const [page = '', anchor = page] = section.split('#')
  const title = upperFirst(anchor.replaceAll('-', ' ').replace(/\.md$/, ''))
  return linked(title, `${docsUrl}/${section}`)
}

function code(text: string): string {
  return `<code>${breakable(text)}</code>`
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
function linked(html: string, url: string | null): string {
  if (url === null || !/^https?:\/\//i.test(url)) return html
  return `<a href="${toAttribute(url)}">${html}</a>`
}
