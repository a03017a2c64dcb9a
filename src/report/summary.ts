import { isFailed, isRegistered, type FailedResult, type Result } from '../outcome.ts'
import type { Attachment } from '../release/open.ts'
import { maxMessageLength, toHtml } from '../text/escape.ts'
import { formatTime } from '../text/time.ts'
import { counted } from '../text/words.ts'
import {
  explainReason,
  lookUpAt,
  messageOf,
  stateInWords,
  type Explanation,
  type Facts,
  type Reason,
} from './explain.ts'
import { howToCheck } from './how-to-check.ts'
import type { LogInput } from './log.ts'
import type { Publisher } from './outputs.ts'
import {
  breakable,
  code,
  formatNotes,
  formatPlace,
  formatReasonItems,
  formatTable,
  idCode,
  linked,
  maxSummaryBytes,
  sentence,
  sizeCell,
  tableRow,
  type Place,
  type ReasonItem,
} from './page.ts'
import { cancelled, type Counts, type Trouble } from './verdict.ts'

/** What the summary of a run is made of, beside what the log is made of. */
export interface SummaryInput extends LogInput {
  readonly counts: Counts
  readonly troubles: readonly Trouble[]
  readonly isDryRun: boolean
  readonly place: Place
  /** Warnings that change what the reader must do. */
  readonly warnings: readonly string[]
  readonly releaseTag: string | null
  /** Where the attached evidence is. */
  readonly links: Attachment['links']
  /** Takes the secrets out of a record, and links it; asked for rows that are shown only. */
  readonly publish: Publisher
}

/** The job summary: the verdict, what the reader must know and do, a table with failures first, how to check. */
export function formatSummary(input: SummaryInput): string {
  const { verdict, results, reasons, troubles, facts, isDryRun, place, warnings } = input
  const hasCancelled = reasons.shown.some(({ failure }) => failure.code === 'cancelled')
  const items = [
    // A cancel that the reasons name already is said once.
    ...troubles.filter(trouble => trouble !== cancelled || !hasCancelled).map(troubleItem),
    ...reasons.shown.map(one => reasonItem(one, facts)),
  ]
  const what = isDryRun ? 'What could not be hashed' : 'What happened, and what to do next'
  const head = [
    ...[`## ${toHtml(verdict, maxMessageLength)}`, '', ...formatPlace(place)],
    ...[...formatNotes(warnings), ...formatReasonItems(what, items), ...closing(input)],
  ]
  if (results.length === 0) return [...head, ''].join('\n')
  const check = isDryRun ? [] : howToCheck({ ...input, lookUp: lookUpHint(input) })
  const foot = [...attached(input), ...check]
  const room = maxSummaryBytes - Buffer.byteLength([...head, ...foot].join('\n')) - 1000
  return [...head, ...summaryTable(input, room), ...foot, ''].join('\n')
}

function troubleItem(trouble: Trouble): ReasonItem {
  return { title: sentence(trouble.what), answers: answersOf(trouble) }
}

/** What a reader looks for. */
const answersOf = ({ aftermath, remedy }: Explanation): ReasonItem['answers'] => ({
  ...{ 'Registered or charged?': aftermath, 'Next:': remedy },
})

const maxExamples = 3

function reasonItem(reason: Reason, facts: Facts): ReasonItem {
  const { failure, examples, count } = reason
  const names = examples
    .slice(0, maxExamples)
    .map(({ name, verificationUrl }) => linked(code(name), verificationUrl))
  const rest = count > names.length ? ` and ${count - names.length} more` : ''
  const isLinked = examples.some(({ verificationUrl }) => verificationUrl !== undefined)
  const lookUp = isLinked ? 'by the link of its name' : lookUpAt(undefined)
  const explanation = explainReason(reason, facts, lookUp)
  const state = stateInWords(failure)
  const status = failure.status === undefined ? [] : [`HTTP ${failure.status}`]
  const how = [...(failure.code === state ? [] : [failure.code]), ...status].join(', ')
  return {
    title: `${signOf(failure)}&nbsp;<b>${state}</b> (${how}): ${names.join(', ')}${rest}`,
    answers: { 'What happened:': explanation.what, ...answersOf(explanation) },
  }
}

/** What holds for all failures together. */
function closing({ reasons, facts, counts, isDryRun }: SummaryInput): readonly string[] {
  const { shown, left } = reasons
  const more = `<p>${counted(left, 'more artifact')} failed for other reasons; each row has its own.</p>`
  const again = `<p>What the records file ${code(facts.recordsPath)} has a record of is neither sent nor charged again.</p>`
  // A record that contradicts its request is never sent again: to run the job again changes nothing for it.
  const isAnyRepeated = shown.some(({ failure }) => failure.code !== 'record-mismatch')
  const lines = [
    ...(left > 0 ? [more] : []),
    ...(!isDryRun && counts.failed > 0 && isAnyRepeated ? [again] : []),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

interface Columns {
  readonly hasRecords: boolean
  readonly hasTransactions: boolean
  readonly count: number
}

function summaryTable(input: SummaryInput, maxBytes: number): readonly string[] {
  const { results, counts, facts } = input
  const hasRecords = counts.registered > 0
  const hasTransactions = hasRecords && results.some(result => transactionOf(result) !== '')
  const titles = [
    ...['State', 'Artifact', 'Size', 'SHA-256'],
    ...(hasRecords ? ['Registered at (UTC)', 'Blockchain'] : []),
    ...(hasTransactions ? ['Transaction'] : []),
    ...(!hasRecords && counts.failed > 0 ? ['Reason'] : []),
  ]
  const columns = { hasRecords, hasTransactions, count: titles.length }
  const elsewhere = hasRecords
    ? `${code(facts.recordsPath)} has every record`
    : 'the log of this step and the outputs have more'
  const rows = rowsOf(input, columns)
  return formatTable({ titles, rows, total: results.length, maxBytes, elsewhere })
}

function* rowsOf(input: SummaryInput, columns: Columns): Generator<string> {
  const { results, publish } = input
  const failed = results.filter(isFailed)
  for (const certainty of ['unknown', 'no']) {
    for (const result of failed) {
      if (result.outcome.failure.registered === certainty) yield failedRow(result, input, columns)
    }
  }
  for (const result of results) {
    if (isRegistered(result)) yield foundRow(publish.registered(result), columns)
    else if (!isFailed(result)) yield foundRow(result, columns)
  }
}

function failedRow(result: FailedResult, { reasons, facts }: SummaryInput, { count }: Columns) {
  const { name, size, hash, outcome, verificationUrl } = result
  const { failure } = outcome
  const state = `${signOf(failure)}&nbsp;${stateInWords(failure).replace(' ', '&nbsp;')}`
  const lookUp = verificationUrl === undefined ? '' : `<br>${linked('look it up', verificationUrl)}`
  const known = [
    ...[`${state}${lookUp}`, code(name), sizeCell(size)],
    hash === null ? '–' : linked(idCode(hash), verificationUrl),
  ]
  // What it means and what to do next stands in the list above the table, once for all with the same reason.
  const why = reasons.has(failure) ? failure.what : messageOf(failure, facts, verificationUrl)
  const html = `<b>${failure.code}</b>: ${breakable(why, maxMessageLength)}`
  return tableRow(known, { html, span: count - known.length })
}

function signOf({ registered }: FailedResult['outcome']['failure']): string {
  return registered === 'unknown' ? '❓' : '❌'
}

function foundRow(result: Result, { hasRecords, hasTransactions }: Columns): string {
  const { name, size, hash, outcome, verificationUrl } = result
  const record = outcome.state === 'registered' ? outcome.record : {}
  const transaction = transactionOf(result)
  return tableRow([
    ...[stateOf(result), code(name), sizeCell(size)],
    hash === null ? '–' : linked(idCode(hash, hasTransactions ? 4 : 2), verificationUrl),
    ...(hasRecords ? [formatTime(record['creationDate']), code(record['blockchainType'])] : []),
    ...(hasTransactions ? [transaction === '' ? '–' : idCode(transaction, 4)] : []),
  ])
}

function stateOf({ outcome }: Result): string {
  switch (outcome.state) {
    case 'planned':
      return outcome.isOpen
        ? '⚠️&nbsp;would&nbsp;be sent again: an earlier run may have registered it'
        : '🔎&nbsp;would&nbsp;be registered'
    case 'held':
      return '⚠️&nbsp;a person must settle it'
    case 'registered': {
      const state = outcome.from === 'this-run' ? '✅&nbsp;registered' : '✅&nbsp;registered before'
      const tries = outcome.unansweredTries
      return tries === 0
        ? state
        : `${state}; ⚠️&nbsp;may have been charged more than once (${counted(tries, 'try', 'tries')} without an answer)`
    }
    case 'failed':
      return '❌&nbsp;failed'
  }
}

function transactionOf({ outcome }: Result): string {
  if (outcome.state !== 'registered') return ''
  const { txId, txHash } = outcome.record
  return [txId, txHash].find(value => typeof value === 'string' && value !== '')?.toString() ?? ''
}

/** Where the registration itself is looked up. */
function lookUpHint({ results, publish, place }: SummaryInput): string {
  const first = results.find(isRegistered)
  if (first !== undefined && publish.registered(first).verificationUrl !== undefined)
    return 'at the service: each SHA-256 above links it'
  const where = place.service === null ? '' : ` (${code(place.service)})`
  return `at the service${where}; with the input <code>verification-url</code>, each SHA-256 above would link it`
}

function attached({ links, releaseTag }: SummaryInput): readonly string[] {
  if (links.length === 0) return []
  const names = links.map(({ name, url }) => linked(code(name), url)).join(', ')
  return [`<p>Attached to ${code(releaseTag ?? 'the release')}: ${names}.</p>`, '']
}
