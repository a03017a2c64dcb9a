import { failed, isFailed, isRegistered, type RegisteredResult, type Result } from '../outcome.ts'
import type { Attachment } from '../release/open.ts'
import { maxMessageLength } from '../text/escape.ts'
import { formatTime } from '../text/time.ts'
import { counted } from '../text/words.ts'
import { describeState, type Explanation, type Reason } from './explain.ts'
import type { Findings } from './findings.ts'
import { howToCheck } from './how-to-check.ts'
import {
  breakable,
  code,
  formatExamples,
  formatNotes,
  formatPage,
  formatPlace,
  formatReasonItems,
  idCode,
  linked,
  sentence,
  type Place,
  type ReasonItem,
  type Row,
  type Table,
} from './page.ts'
import { cancelled, type Trouble } from './verdict.ts'

/** What the summary of a run is made of. */
export interface SummaryInput extends Findings {
  /** The first line. */
  readonly line: string
  readonly troubles: readonly Trouble[]
  readonly place: Place
  /** Warnings that change what the reader must do. */
  readonly warnings: readonly string[]
  /** The records file as the user gave it. */
  readonly recordsPath: string
  readonly releaseTag: string | null
  /** Where the attached evidence is. */
  readonly links: Attachment['links']
}

/** The job summary: the verdict, what the reader must know and do, a table with failures first, how to check. */
export function formatSummary(input: SummaryInput): string {
  const { line, verdict, counts, reasons, troubles, place, warnings } = input
  const isDryRun = verdict === 'dry-run'
  const hasCancelled = reasons.shown.some(({ failure }) => failure.code === 'cancelled')
  const items = [
    // A cancel that the reasons name already is said once.
    ...troubles.filter(trouble => trouble !== cancelled || !hasCancelled).map(troubleItem),
    ...reasons.shown.map(reasonItem),
  ]
  const what = isDryRun ? 'What could not be hashed' : 'What happened, and what to do next'
  const head = [
    ...[...formatPlace(place), ...formatNotes(warnings), ...formatReasonItems(what, items)],
    ...closing(input),
  ]
  if (counts.total === 0) return formatPage({ verdict: line, head })
  const check = isDryRun ? [] : howToCheck({ ...input, lookUp: lookUpHint(input) })
  const foot = [...attached(input), ...check]
  return formatPage({ verdict: line, head, table: tableOf(input), foot })
}

function troubleItem(trouble: Trouble): ReasonItem {
  return { title: sentence(trouble.what), answers: answersOf(trouble) }
}

/** What a reader looks for. */
const answersOf = ({ aftermath, remedy }: Explanation): ReasonItem['answers'] => ({
  ...{ 'Registered or charged?': aftermath, 'Next:': remedy },
})

function reasonItem(reason: Reason): ReasonItem {
  const { failure, examples, count, what } = reason
  const names = examples.map(({ name, verificationUrl }) => linked(code(name), verificationUrl))
  const { sign, state } = describeState(failed(failure))
  const how = [
    ...(failure.code === state ? [] : [failure.code]),
    ...(failure.status === undefined ? [] : [`HTTP ${failure.status}`]),
  ].join(', ')
  return {
    title: `${sign}&nbsp;<b>${state}</b> (${how}): ${formatExamples(names, count)}`,
    answers: { 'What happened:': what, ...answersOf(reason) },
  }
}

/** What holds for all failures together. */
function closing({ reasons, recordsPath, counts, verdict }: SummaryInput): readonly string[] {
  const { shown, left } = reasons
  const more = `<p>${counted(left, 'more artifact')} failed for other reasons; each row has its own.</p>`
  const again = `<p>What the records file ${code(recordsPath)} has a record of is neither sent nor charged again.</p>`
  // A record that contradicts its request is never sent again: to run the job again changes nothing for it.
  const isAnyRepeated = shown.some(({ failure }) => failure.code !== 'record-mismatch')
  const lines = [
    ...(left > 0 ? [more] : []),
    ...(verdict !== 'dry-run' && counts.failed > 0 && isAnyRepeated ? [again] : []),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

function tableOf(input: SummaryInput): Table {
  const { ranked, counts, recordsPath } = input
  const columns = {
    hasRecords: counts.registered > 0,
    hasTransactions: ranked.some(({ outcome }) => transactionOf(outcome) !== ''),
  }
  return {
    titles: [
      ...(columns.hasRecords ? ['Registered at (UTC)', 'Blockchain'] : []),
      ...(columns.hasTransactions ? ['Transaction'] : []),
      ...(!columns.hasRecords && counts.failed > 0 ? ['Reason'] : []),
    ],
    rows: ranked.values().map(result => rowOf(result, input, columns)),
    total: counts.total,
    elsewhere: columns.hasRecords
      ? `${code(recordsPath)} has every record`
      : 'the log of this step and the outputs have more',
  }
}

function rowOf(
  given: Result,
  { publish, reasons }: SummaryInput,
  columns: Readonly<Record<'hasRecords' | 'hasTransactions', boolean>>,
): Row {
  const artifact = isRegistered(given) ? publish(withShownFields(given)) : given
  const { outcome, verificationUrl: url } = artifact
  const { sign, state: words } = describeState(outcome)
  const state = `${sign}&nbsp;${words.replace(' ', '&nbsp;')}`
  if (isFailed(artifact)) {
    const { failure } = artifact.outcome
    const lookUp = url === undefined ? '' : `<br>${linked('look it up', url)}`
    // What it means and what to do next stands in the list above the table, once for all with the same reason.
    const why = reasons.has(failure) ? failure.what : reasons.explain(artifact)
    const details = `<b>${failure.code}</b>: ${breakable(why, maxMessageLength)}`
    return { state: `${state}${lookUp}`, artifact, details }
  }
  const { creationDate, blockchainType } = outcome.state === 'registered' ? outcome.record : {}
  const transaction = transactionOf(outcome)
  const details = [
    ...(columns.hasRecords ? [formatTime(creationDate), code(blockchainType)] : []),
    ...(columns.hasTransactions ? [transaction === '' ? '–' : idCode(transaction)] : []),
  ]
  return { state, artifact, details }
}

const shownFields = ['creationDate', 'blockchainType', 'txId', 'txHash']

/** With the fields of the record that a row shows: to look for secrets in all of them takes time and memory. */
function withShownFields(result: RegisteredResult): RegisteredResult {
  const fields = Object.entries(result.outcome.record)
  const record = Object.fromEntries(fields.filter(([name]) => shownFields.includes(name)))
  return { ...result, outcome: { ...result.outcome, record } }
}

function transactionOf(outcome: Result['outcome']): string {
  if (outcome.state !== 'registered') return ''
  const { txId, txHash } = outcome.record
  return [txId, txHash].find(value => typeof value === 'string' && value !== '')?.toString() ?? ''
}

/** Where the registration itself is looked up. */
function lookUpHint({ results, publish, place }: SummaryInput): string {
  const first = results.find(isRegistered)
  if (first !== undefined && publish(first).verificationUrl !== undefined)
    return 'at the service: each SHA-256 above links it'
  const where = place.service === null ? '' : ` (${code(place.service)})`
  return `at the service${where}; with the input <code>verification-url</code>, each SHA-256 above would link it`
}

function attached({ links, releaseTag }: SummaryInput): readonly string[] {
  if (links.length === 0) return []
  const names = links.map(({ name, url }) => linked(code(name), url)).join(', ')
  return [`<p>Attached to ${code(releaseTag ?? 'the release')}: ${names}.</p>`, '']
}
