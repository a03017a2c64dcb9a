import type { Result } from '../outcome.ts'
import type { Source } from '../records/record-line.ts'
import { maxMessageLength, toHtml } from './escape.ts'
import { formatSize } from './size.ts'
import { code, countArtifacts, formatTable, formatTime, linked, shown, tableRow } from './table.ts'
import { countResults, isFailed, isRegistered, type Counts, type FailedResult } from './outputs.ts'

/** The platform drops a summary over 1 MiB whole; other steps of ours may add a little. */
export const maxSummaryBytes = 1_000_000

/** What the summary tells. */
export interface SummaryInput {
  /** Sorted by name. */
  readonly results: readonly Result[]
  readonly isDryRun: boolean
  /** The records file as the user gave it. */
  readonly recordsPath: string
  /** Whether the run passes all the same, as only the service was not available. */
  readonly isDeferred?: boolean
  /** The commit and the run, to link. */
  readonly source?: Pick<Source, 'commitUrl' | 'runUrl' | 'sha' | 'runId'>
}

const maxCheckedArtifacts = 50

/**
 * The job summary: the verdict, a table with failures first, how to check. Rows that do not fit are counted.
 */
export function formatSummary(input: SummaryInput): string {
  const counts = countResults(input.results)
  const head = [`## ${formatVerdict(counts, input)}`, '', ...advice(counts, input)]
  const foot = [...howToCheck(input.results), ...sourceLinks(input.source)]
  if (input.results.length === 0) return `${head.join('\n')}\n`
  const room = maxSummaryBytes - Buffer.byteLength([...head, ...foot].join('\n')) - 1000
  const table = summaryTable(input, room)
  return `${[...head, ...table, ...foot].join('\n')}\n`
}

/** The summary of a run that stopped because of its inputs or a guard; `verdict` begins the line. */
export function formatStopped(verdict: string, inputs: number): string {
  const what = inputs === 1 ? '1 input is wrong' : `${inputs} inputs are wrong`
  return `## ❌ ${verdict}, ${what}; see the errors of this step\n`
}

/** The answer in one line. */
export function formatVerdict(
  counts: Counts,
  { isDryRun, isDeferred = false }: Pick<SummaryInput, 'isDryRun' | 'isDeferred'>,
): string {
  const { total, registered, newlyRegistered, failed, unknown, planned, held } = counts
  const before = registered - newlyRegistered
  if (isDryRun) {
    const unread = failed === 0 ? '' : `, ${failed} could not be hashed`
    const wrong = held === 0 ? '' : `, ${held} not sent again as their records have problems`
    return `🔎 DRY RUN, nothing was sent: ${planned} of ${countArtifacts(total)} would be registered, ${registered} known before${wrong}${unread}`
  }
  if (total === 0) return '⚠️ NOTHING NOTARIZED: no artifact was found'
  const split = `${newlyRegistered} newly registered, ${before} known before`
  if (failed === 0)
    return `✅ NOTARIZED: ${registered} of ${countArtifacts(total)} registered (${split})`
  if (isDeferred) {
    const unsure = unknown === 0 ? '' : `, ${unknown} of them may be registered`
    return `⚠️ NOT NOTARIZED: deferred, the service was not available for ${failed} of ${countArtifacts(total)}${unsure} (${split})`
  }
  const lost = `${failed} failed${unknown === 0 ? '' : `, ${unknown} of them may be registered`}`
  return registered === 0
    ? `❌ NOT NOTARIZED: 0 of ${countArtifacts(total)} registered; ${lost}`
    : `❌ PARTLY NOTARIZED: ${registered} of ${countArtifacts(total)} registered (${split}); ${lost}`
}

function advice({ failed, unknown }: Counts, { recordsPath, isDryRun }: SummaryInput): string[] {
  if (failed === 0 || isDryRun) return []
  const file = `<code>${toHtml(recordsPath)}</code>`
  const lines = [
    `**What to do next:** run the job again with the records file ${file}: what is registered is not sent again.`,
  ]
  if (unknown > 0) {
    lines.push(
      `For the ${unknown} that may be registered, look their hashes up at the service first: another run would send those that are not in the records file again.`,
    )
  }
  return [...lines, '']
}

interface Columns {
  readonly hasRecords: boolean
  readonly hasTransactions: boolean
}

function summaryTable({ results, recordsPath }: SummaryInput, maxBytes: number): readonly string[] {
  const sorted = [...results.filter(isFailed), ...results.filter(result => !isFailed(result))]
  const columns = {
    hasRecords: sorted.some(isRegistered),
    hasTransactions: sorted.some(result => transactionOf(result) !== ''),
  }
  const titles = [
    ...['State', 'Artifact', 'Size', 'SHA-256'],
    ...(columns.hasRecords ? ['Registered at (UTC)', 'Blockchain'] : []),
    ...(columns.hasTransactions ? ['Transaction'] : []),
    ...(!columns.hasRecords && sorted.some(isFailed) ? ['Reason'] : []),
  ]
  const rows = sorted.map(result =>
    isFailed(result) ? failedRow(result, titles.length) : foundRow(result, columns),
  )
  const elsewhere = `${code(recordsPath)} has every record`
  return formatTable({ titles, rows, maxBytes, elsewhere })
}

function failedRow({ name, size, hash, outcome }: FailedResult, columns: number): string {
  const state = outcome.registered === 'no' ? '❌ not registered' : '❓ may be registered'
  const reason = `<b>${outcome.code}</b>: ${toHtml(outcome.message, maxMessageLength)}`
  const known = [state, code(name), formatSize(size), hash === null ? '–' : code(hash)]
  return tableRow(known, { html: reason, span: columns - known.length })
}

function foundRow(result: Result, { hasRecords, hasTransactions }: Columns): string {
  const { name, size, hash, outcome, verificationUrl } = result
  const record = outcome.state === 'registered' ? outcome.record : {}
  const transaction = transactionOf(result)
  const cells = [
    ...[stateOf(result), code(name), formatSize(size)],
    hash === null ? '–' : linked(code(hash), verificationUrl),
    ...(hasRecords ? [formatTime(record['creationDate']), shown(record['blockchainType'])] : []),
    ...(hasTransactions ? [shown(transaction)] : []),
  ]
  return tableRow(cells)
}

function stateOf({ outcome }: Result): string {
  switch (outcome.state) {
    case 'planned':
      return '🔎 would be registered'
    case 'held':
      return '⚠️ record has problems'
    case 'registered':
      return outcome.from === 'this-run' ? '✅ registered' : '✅ registered before'
    case 'failed':
      return '❌ failed'
  }
}

function transactionOf({ outcome }: Result): string {
  if (outcome.state !== 'registered') return ''
  const { txId, txHash } = outcome.record
  return [txId, txHash].find(value => typeof value === 'string' && value !== '')?.toString() ?? ''
}

// What a shell here-document and `sha256sum -c` take as it is.
const plainName = /^[A-Za-z0-9._+@%,=][A-Za-z0-9._+@%,=/ -]*$/

function sourceLinks(source: SummaryInput['source']): string[] {
  const { commitUrl, runUrl, sha, runId } = source ?? {}
  const links = [
    ...(commitUrl ? [`commit ${linked(code((sha ?? '').slice(0, 12)), commitUrl)}`] : []),
    ...(runUrl ? [`run ${linked(code(runId ?? ''), runUrl)}`] : []),
  ]
  return links.length === 0 ? [] : ['', `Notarized for ${links.join(', ')}.`]
}

function howToCheck(results: readonly Result[]): string[] {
  const checked = results.filter(isRegistered).filter(({ name }) => plainName.test(name))
  if (checked.length === 0) return []
  const lines = checked
    .slice(0, maxCheckedArtifacts)
    .map(({ name, hash }) => `${hash ?? ''}  ${name}`)
  const rest = checked.length - lines.length
  return [
    '**How to check:** in the folder that has the artifacts, paste this; each line must end with `OK`.',
    '',
    '```sh',
    "sha256sum -c - <<'END'",
    ...lines,
    'END',
    '```',
    ...(rest > 0 ? ['', `${rest} more are in the table above.`] : []),
  ]
}
