import type { Problem } from '../outcome.ts'
import { deliver, mergeByInput, type Reporter } from '../report/deliver.ts'
import { maxMessageLength, quote } from '../report/escape.ts'
import { formatProblems } from '../report/log.ts'
import { maxRecordsLength } from '../report/outputs.ts'
import { formatSize } from '../report/size.ts'
import { formatStopped, maxSummaryBytes } from '../report/summary.ts'
import {
  breakable,
  code,
  countArtifacts,
  formatTable,
  formatTime,
  idCode,
  shown,
  sizeCell,
  tableRow,
} from '../report/table.ts'
import type { Verified, VerifyState } from './compare.ts'

/** How a verification ended. */
export type VerifyEnding =
  | { readonly kind: 'stopped'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'ended'
      /** Sorted by name. */
      readonly artifacts: readonly Verified[]
      readonly missing: readonly Verified[]
    }

/** What the report needs of the run. */
export interface VerifyReportOptions {
  readonly runner: Reporter
  readonly requireAll: boolean
  readonly showSummary: boolean
  readonly isCancelled: boolean
}

type Counts = Readonly<Record<VerifyState, number>>

const maxLines = 100

/** Writes log, outputs and summary, and gives the exit code: 0 only if all match. Never rejects. */
export async function reportVerification(
  ending: VerifyEnding,
  { runner, requireAll, showSummary, isCancelled }: VerifyReportOptions,
): Promise<0 | 1> {
  const isStopped = ending.kind === 'stopped'
  const artifacts = isStopped ? [] : ending.artifacts
  const missing = isStopped ? [] : ending.missing
  const counts = countStates([...artifacts, ...missing])
  const told = sortForReader([...artifacts, ...(requireAll ? missing : [])])
  const problems = isStopped ? mergeByInput(ending.problems) : []
  const verdict = isStopped ? 'stopped' : decideVerdict(counts, requireAll)
  const errors = [
    ...formatProblems(problems),
    ...(isStopped ? [] : mismatch(counts, told, requireAll)),
  ]
  if (!isStopped) {
    for (const line of logLines(told, counts, requireAll)) runner.info(line)
    if (isCancelled) errors.push('The run was cancelled by a signal')
  }
  const outputs = {
    verdict,
    results: formatResults([...artifacts, ...(requireAll ? missing : [])]),
    'matched-count': counts.matched,
    'altered-count': counts.altered,
    'unknown-count': counts.unknown,
    'missing-count': counts.missing,
  }
  if (outputs.results === '') {
    runner.warning('The output "results" is empty, as it would be longer than the platform takes')
  }
  const summary = isStopped
    ? formatStopped('NOT VERIFIED: nothing was held against the records', problems.length)
    : formatVerifySummary(told, counts, requireAll)
  errors.push(...(await deliver(outputs, showSummary ? summary : null, runner)))
  for (const error of errors) runner.error(error)
  return errors.length === 0 ? 0 : 1
}

function countStates(all: readonly Verified[]): Counts {
  const count = (state: VerifyState): number => all.filter(one => one.state === state).length
  return {
    matched: count('matched'),
    altered: count('altered'),
    unknown: count('unknown'),
    missing: count('missing'),
  }
}

function decideVerdict(counts: Counts, requireAll: boolean): VerifyState {
  if (counts.altered > 0) return 'altered'
  if (counts.unknown > 0) return 'unknown'
  return requireAll && counts.missing > 0 ? 'missing' : 'matched'
}

const order: readonly VerifyState[] = ['altered', 'unknown', 'missing', 'matched']

function sortForReader(all: readonly Verified[]): readonly Verified[] {
  return order.flatMap(state => all.filter(one => one.state === state))
}

function formatResults(all: readonly Verified[]): string {
  const items = all.map(({ name, size, hash, state, recorded, message }) => {
    return { artifact: name, size, hash, state, recorded, message }
  })
  const text = JSON.stringify(items)
  return text.length > maxRecordsLength ? '' : text
}

function verdictLine({ matched, altered, unknown, missing }: Counts, requireAll: boolean): string {
  const total = matched + altered + unknown
  const absent = requireAll ? `, ${missing} recorded but missing` : ''
  const isGood = matched === total && (!requireAll || missing === 0)
  return isGood
    ? `✅ VERIFIED: ${matched} of ${countArtifacts(total)} match their notarization records${absent}`
    : `❌ NOT VERIFIED: ${matched} of ${countArtifacts(total)} match; ${altered} altered, ${unknown} unknown${absent}`
}

function mismatch(
  counts: Counts,
  told: readonly Verified[],
  requireAll: boolean,
): readonly string[] {
  const first = told.find(({ state }) => state !== 'matched')
  if (first === undefined) return []
  const { name, state, message } = first
  return [
    `${verdictLine(counts, requireAll).replace(/^\S+ /, '')}. The first, "${quote(name)}": ${state}: ${quote(message, maxMessageLength)}`,
  ]
}

function logLines(
  told: readonly Verified[],
  counts: Counts,
  requireAll: boolean,
): readonly string[] {
  const lines = told.slice(0, maxLines).map(({ name, size, hash, state, message }) => {
    const why = message === '' ? '' : `: ${quote(message, maxMessageLength)}`
    return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})${why}`
  })
  const rest = told.length - lines.length
  const more = rest > 0 ? [`and ${rest} more, see the job summary`] : []
  return [...lines, ...more, verdictLine(counts, requireAll)]
}

const signs: Readonly<Record<VerifyState, string>> = {
  matched: '✅&nbsp;matched',
  altered: '❌&nbsp;altered',
  unknown: '❌&nbsp;unknown',
  missing: '❌&nbsp;missing',
}

function formatVerifySummary(
  told: readonly Verified[],
  counts: Counts,
  requireAll: boolean,
): string {
  const rows = told.map(({ name, size, hash, state, recorded, message }) => {
    const cells = [signs[state], code(name), sizeCell(size), hash === null ? '–' : idCode(hash)]
    if (state !== 'matched') {
      return tableRow(cells, { html: breakable(message, maxMessageLength), span: 2 })
    }
    const { creationDate, blockchainType } = recorded?.record ?? {}
    return tableRow([...cells, formatTime(creationDate), shown(blockchainType)])
  })
  const titles = ['State', 'Artifact', 'Size', 'SHA-256', 'Registered at (UTC)', 'Blockchain']
  const elsewhere = 'the records file has every record'
  const table = formatTable({ titles, rows, maxBytes: maxSummaryBytes, elsewhere })
  const note = 'A match proves agreement with the records file, not who wrote that file.'
  return `${[`## ${verdictLine(counts, requireAll)}`, '', ...table, note].join('\n')}\n`
}
