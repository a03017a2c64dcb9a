import type { Result } from '../outcome.ts'
import type { Source } from '../records/record-line.ts'
import { maxMessageLength } from './escape.ts'
import {
  breakable,
  code,
  countArtifacts,
  formatTable,
  formatTime,
  idCode,
  linked,
  shown,
  sizeCell,
  tableRow,
} from './table.ts'
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
  readonly source?: Pick<Source, 'commitUrl' | 'runUrl' | 'sha' | 'runId' | 'ref'>
}

const maxCheckedArtifacts = 50
const maxCheckedLength = 300

/**
 * The job summary: the verdict, a table with failures first, how to check. Rows that do not fit are counted.
 */
export function formatSummary(input: SummaryInput): string {
  const counts = countResults(input.results)
  const reasons = groupReasons(input.results)
  const head = [
    ...[`## ${formatVerdict(counts, input)}`, ''],
    ...sourceLine(input.source),
    ...advice(counts, input),
    ...reasonList(reasons),
  ]
  const foot = howToCheck(input.results)
  if (input.results.length === 0) return `${head.join('\n')}\n`
  const room = maxSummaryBytes - Buffer.byteLength([...head, ...foot].join('\n')) - 1000
  const table = summaryTable(input, reasons, room)
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
    return `⚠️ NOT NOTARIZED: deferred; ${registered} of ${countArtifacts(total)} registered (${split}); the service was not available for ${failed}${unsure}`
  }
  const lost = `${failed} failed${unknown === 0 ? '' : `, ${unknown} of them may be registered`}`
  return registered === 0
    ? `❌ NOT NOTARIZED: 0 of ${countArtifacts(total)} registered; ${lost}`
    : `❌ PARTLY NOTARIZED: ${registered} of ${countArtifacts(total)} registered (${split}); ${lost}`
}

function advice({ failed, unknown }: Counts, { recordsPath, isDryRun }: SummaryInput): string[] {
  if (failed === 0 || isDryRun) return []
  const again = `run the job again with the records file ${code(recordsPath)}: what is registered is not sent again.`
  const lines =
    unknown === 0
      ? [`**What to do next:** mend what the reason below says, then ${again}`]
      : [
          `**What to do next:** first look up at the service the ${unknown === 1 ? 'hash of the one' : `hashes of the ${unknown}`} that may be registered: another run may pay for ${unknown === 1 ? 'it' : 'them'} a second time. Then ${again}`,
        ]
  return [...lines, '']
}

interface Columns {
  readonly hasRecords: boolean
  readonly hasTransactions: boolean
}

function summaryTable(
  { results, recordsPath }: SummaryInput,
  reasons: Reasons,
  maxBytes: number,
): readonly string[] {
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
    isFailed(result) ? failedRow(result, reasons, titles.length) : foundRow(result, columns),
  )
  const elsewhere = `${code(recordsPath)} has every record`
  return formatTable({ titles, rows, maxBytes, elsewhere })
}

function failedRow(result: FailedResult, reasons: Reasons, columns: number): string {
  const { name, size, hash, outcome } = result
  const known = [
    failedState(outcome),
    code(name),
    sizeCell(size),
    hash === null ? '–' : idCode(hash),
  ]
  const isListed = (reasons.get(keyOf(result))?.number ?? Infinity) <= maxReasons
  // What it means and what to do next stands in the list above the table, once for all with the same reason.
  const [what = ''] = isListed ? outcome.message.split('; ', 1) : [outcome.message]
  const html = `<b>${outcome.code}</b>: ${breakable(what, maxMessageLength)}`
  return tableRow(known, { html, span: columns - known.length })
}

const maxReasons = 10

type Reasons = ReadonlyMap<
  string,
  { readonly number: number; readonly failures: readonly FailedResult[] }
>

function keyOf({ outcome }: FailedResult): string {
  return `${outcome.registered} ${outcome.code} ${outcome.message}`
}

function groupReasons(results: readonly Result[]): Reasons {
  const groups = [...Map.groupBy(results.filter(isFailed), keyOf)]
  return new Map(groups.map(([key, failures], index) => [key, { number: index + 1, failures }]))
}

function reasonList(reasons: Reasons): string[] {
  const items = [...reasons.values()].slice(0, maxReasons).flatMap(({ failures }) => {
    const [first] = failures
    if (first === undefined) return []
    const { code: failure, message } = first.outcome
    const who =
      failures.length === 1 ? code(first.name) : `<b>${countArtifacts(failures.length)}</b>`
    return [
      `<li>${failedState(first.outcome)}, <b>${failure}</b>, ${who}:<br>${breakable(message, maxMessageLength)}</li>`,
    ]
  })
  return items.length === 0 ? [] : ['<ol>', ...items, '</ol>', '']
}

function failedState({ registered }: FailedResult['outcome']): string {
  return registered === 'no' ? '❌&nbsp;not registered' : '❓&nbsp;may&nbsp;be registered'
}

function foundRow(result: Result, { hasRecords, hasTransactions }: Columns): string {
  const { name, size, hash, outcome, verificationUrl } = result
  const record = outcome.state === 'registered' ? outcome.record : {}
  const transaction = transactionOf(result)
  const cells = [
    ...[stateOf(result), code(name), sizeCell(size)],
    hash === null ? '–' : linked(idCode(hash, hasTransactions ? 4 : 2), verificationUrl),
    ...(hasRecords ? [formatTime(record['creationDate']), shown(record['blockchainType'])] : []),
    ...(hasTransactions ? [transaction === '' ? '–' : idCode(transaction, 4)] : []),
  ]
  return tableRow(cells)
}

function stateOf({ outcome }: Result): string {
  switch (outcome.state) {
    case 'planned':
      return '🔎&nbsp;would&nbsp;be registered'
    case 'held':
      return '⚠️&nbsp;record has problems'
    case 'registered':
      return outcome.from === 'this-run' ? '✅&nbsp;registered' : '✅&nbsp;registered before'
    case 'failed':
      return '❌&nbsp;failed'
  }
}

function transactionOf({ outcome }: Result): string {
  if (outcome.state !== 'registered') return ''
  const { txId, txHash } = outcome.record
  return [txId, txHash].find(value => typeof value === 'string' && value !== '')?.toString() ?? ''
}

// What a shell here-document and `sha256sum -c` take as it is.
const plainName = /^[A-Za-z0-9._+@%,=][A-Za-z0-9._+@%,=/ -]*$/

function sourceLine(source: SummaryInput['source']): string[] {
  const { commitUrl, runUrl, sha, runId, ref } = source ?? {}
  const parts = [
    ...(ref ? [code(ref.replace(/^refs\/(heads|tags)\//, ''))] : []),
    ...(commitUrl ? [`commit ${linked(code((sha ?? '').slice(0, 12)), commitUrl)}`] : []),
    ...(runUrl ? [`run ${linked(code(runId ?? ''), runUrl)}`] : []),
  ]
  return parts.length === 0 ? [] : [`For ${parts.join(', ')}.`, '']
}

function howToCheck(results: readonly Result[]): string[] {
  const registered = results.filter(isRegistered)
  if (registered.length === 0) return []
  const lines = registered
    .filter(({ name }) => name.length <= maxCheckedLength && plainName.test(name))
    .slice(0, maxCheckedArtifacts)
    .map(({ name, hash }) => `${hash ?? ''}  ${name}`)
  const rest = registered.length - lines.length
  const file = 'the file of the output <code>checksums-path</code>'
  if (lines.length === 0) {
    return [
      `**How to check:** <code>sha256sum -c</code> with ${file}, in the folder that has the artifacts.`,
    ]
  }
  return [
    '**How to check:** in the folder that has the artifacts, paste this; each line must end with `OK`.',
    ...['', '```sh', "sha256sum -c - <<'END'", ...lines, 'END', '```'],
    ...(rest > 0
      ? ['', `${rest} more ${rest === 1 ? 'is' : 'are'} not in these lines; ${file} has all.`]
      : []),
  ]
}
