/** Formats a report as the job summary. */
import type { Note } from '../runtime/runner.ts'
import { maxMessageLength, maxNameLength, quote, toAttribute, toHtml } from '../text/escape.ts'
import { evidenceName, formatChecksum } from '../text/names.ts'
import { capitalize, joinFirst, pluralize } from '../text/phrases.ts'
import { maxNames, type Fact, type NamedFile, type Report, type Row, type Step } from './report.ts'

/** GitHub drops a summary over 1 MiB; the other step of this action may add to it. */
const maxSummaryBytes = 1_000_000
/** For all steps: the rows have the rest. */
const maxStepsBytes = 500_000
/** For the lines around the rows. */
const reservedBytes = 3000

const maxWarnings = 10
const maxUnfoldedRows = 50
/** Failures of one state and cause that are not folded: if they are alike, and if they are to be looked up. */
const maxAlike = 5
const maxToLookUp = 20
/** For the message of a problem that stopped the run, such as one that lists patterns. */
const maxHappenedLength = 4000
const shownDigits = 12

/** Formats a summary within {@link maxSummaryBytes}: what does not fit is only counted. `docsUrl` is that of the docs. */
export function formatPage(report: Report, docsUrl: string): string {
  const { title, facts, steps, warnings, pointers } = report
  const lines = [
    `## ${toHtml(title, maxMessageLength)}`,
    '',
    `<p>${facts.map(renderFact).join('<br>')}</p>`,
  ]
  if (steps.length > 0) {
    const items = steps.values().map(step => [`<li>${renderStep(step, docsUrl)}</li>`])
    const shown = takeFitting(items, maxStepsBytes).flat()
    if (shown.length < steps.length) shown.push('<li>More steps are in the log.</li>')
    lines.push(`<h4>${report.lead}</h4>`, '<ol>', ...shown, '</ol>')
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
  const bold = warning === '' ? '' : ` <b>${breakable(capitalize(warning))}</b>`
  return `<b>${label}:</b>${bold} ${breakable(text, maxMessageLength)}`
}

function renderNote({ text, docs, link }: Note, docsUrl: string): string {
  const parts = [breakable(text, maxMessageLength)]
  if (link !== undefined) parts.push(linked(code(link.name), link.url))
  if (docs !== undefined) parts.push(`(${linkDocs(docs, docsUrl)})`)
  return parts.join(' ')
}

/** Formats a step: one bold sentence, and below it what happened, for which files, and what to do after each finding. */
function renderStep(step: Step, docsUrl: string): string {
  const { next, happened, files = [], answers = [], docs } = step
  const lines = [`<b>${breakable(next, maxMessageLength)}</b>`]
  const told = happened.filter(text => text !== '').map(text => breakable(text, maxHappenedLength))
  if (told.length > 0) lines.push(told.join(' '))
  const toLookUp = files.filter(({ hash }) => hash !== null)
  lines.push(...toLookUp.slice(0, maxNames).map(renderFile))
  const more = toLookUp.length - maxNames
  if (more > 0)
    lines.push(`and ${more} more: links in the table, whole SHA-256 at the end of this page`)
  const names = files.filter(({ hash }) => hash === null).map(({ name }) => code(name))
  if (names.length > 0) lines.push(`Files: ${joinFirst(names, maxNames, { separator: ', ' })}`)
  for (const answer of answers) {
    const how = answer.docs === undefined ? '' : ` (${linkDocs(answer.docs, docsUrl)})`
    lines.push(`• <b>${answer.label}:</b> ${breakable(answer.text)}${how}`)
  }
  if (docs !== undefined) lines.push(`More: ${linkDocs(docs, docsUrl)}`)
  return lines.join('<br>')
}

function renderFile({ name, hash, url }: NamedFile): string {
  return `${linked(code(name), url)}: <code>${hash ?? ''}</code>`
}

/** Formats the rows as HTML tables, in which Markdown in untrusted text has no effect, and the hashes to copy below them. */
function renderTables({ columns, rows, hasPage }: Report, maxBytes: number): readonly string[] {
  if (rows.length === 0) return []
  const both = rows.values().map(row => [renderRow(row, columns.keys()), renderHash(row)])
  const fitting = takeFitting(both, maxBytes)
  const shown = rows.slice(0, fitting.length)
  const isAnyFailed = rows.some(({ hasFailed }) => hasFailed)
  const plainCount = rows.filter(({ isPlain }) => isPlain).length
  const isFolded = ({ hasFailed, isPlain, url }: Row, count: number): boolean => {
    if (hasFailed) return count > (url === null ? maxAlike : maxToLookUp)
    return isPlain && (isAnyFailed || plainCount > maxUnfoldedRows)
  }
  const groups = [...Map.groupBy(shown, ({ state, isPlain }) => `${state}${isPlain}`).values()]
  const folds = (of: readonly Row[]): boolean => of.some(row => isFolded(row, of.length))
  const lines = [...renderTable(groups.filter(of => !folds(of)).flat(), columns)]
  for (const group of groups.filter(folds)) {
    const summary = `${group[0]?.state ?? ''} (${pluralize(group.length, 'file')})`
    lines.push(...fold(summary, renderTable(group, columns)))
  }
  if (hasPage) lines.push(...fold('Compare downloaded files with the evidence page', comparing))
  const hashes = fitting.map(texts => texts[1]).join('')
  if (hashes !== '') lines.push(...fold('SHA-256 of each file', [`<pre>${hashes}</pre>`]))
  if (shown.length < rows.length) {
    const missing = pluralize(rows.length - shown.length, 'file is', 'files are')
    lines.push(
      `<p>${missing} not shown; the log of this step and the records file have all of them.</p>`,
    )
  }
  return lines
}

const comparing = [
  `<p>Put <code>${evidenceName}</code> from the workflow artifact beside the downloaded files, and run:</p>`,
  `<pre>sha256sum --ignore-missing -c ${evidenceName}</pre>`,
]

/** Formats one table. A column that is empty in all its rows is left out. */
function renderTable(rows: readonly Row[], columns: readonly string[]): readonly string[] {
  if (rows.length === 0) return []
  const used = [...columns.keys()].filter(index =>
    rows.some(({ cells }) => (cells[index] ?? '') !== ''),
  )
  const titles = ['State', 'File', 'SHA-256', ...used.map(index => columns[index] ?? '')]
  const header = `<tr>${titles.map(title => `<th align="left">${title}</th>`).join('')}</tr>`
  return ['<table>', header, ...rows.map(row => renderRow(row, used)), '</table>']
}

function fold(summary: string, lines: readonly string[]): readonly string[] {
  return [`<details><summary>${breakable(summary)}</summary>`, ...lines, '</details>']
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

/** Formats a row with the cells of some columns. What is to be said about it alone stands below the name, where a narrow screen shows it. */
function renderRow({ state, artifact, url, note, cells }: Row, columns: Iterable<number>): string {
  const { name, hash } = artifact
  let digits = '–'
  if (hash !== null) digits = linked(`<code>${hash.slice(0, shownDigits)}</code>`, url)
  const file = note === '' ? code(name) : `${code(name)}<br>${breakable(note, maxMessageLength)}`
  const others = Array.from(columns, index =>
    (cells[index] ?? '') === '' ? '–' : breakable(cells[index] ?? ''),
  )
  const all = [breakable(state).replace(' ', '&nbsp;'), file, digits, ...others]
  return `<tr>${all.map(cell => `<td>${cell}</td>`).join('')}</tr>`
}

/** Links a section of the docs by its title, which its address has: `records.md#save-lines-from-the-log`. */
function linkDocs(section: string, docsUrl: string): string {
  const [page = '', anchor = page] = section.split('#')
  return linked(
    capitalize(anchor.replaceAll('-', ' ').replace(/\.md$/, '')),
    `${docsUrl}/${section}`,
  )
}

/** Shows untrusted text as code. */
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
  return `<a href="${toAttribute(url, url.length)}">${html}</a>`
}
