/** The table of a run: a row for each artifact; pure. */
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { describeFields } from '../records/record.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { summarize } from './findings.ts'
import type { Row, Table } from './report.ts'
import type { Job } from './run-end.ts'
import { findWords, stateOf, states } from './words.ts'

/** Makes the table of a run. */
export function makeTable(ranked: readonly Artifact[], job: Job): Table {
  const records = ranked.filter(isRegistered).map(({ outcome }) => describeFields(outcome.record))
  const columns: string[] = []
  if (records.length > 0) columns.push('Registered at (UTC)', 'Blockchain')
  if (records.some(({ transaction }) => transaction !== '')) columns.push('Transaction')
  const inFile = records.length === 0 ? '' : `, and ${job.recordsPath} has their records`
  return {
    columns,
    rows: ranked.map(artifact => makeRow(artifact, job)),
    isFolded: ranked.some(isFailed),
    elsewhere: `the log of this step has all of them${inFile}`,
  }
}

function makeRow(artifact: Artifact, job: Job): Row {
  const { outcome } = artifact
  const state = stateOf(outcome)
  const { sign, label } = state
  const url = lookUpUrl(artifact, job)
  // The table says nothing more of these.
  const isPlain = sign === '✅' || state === states.planned
  const row = { sign, label, artifact, url, note: '', cells: [], isPlain }
  switch (outcome.state) {
    case 'planned':
      return { ...row, note: state.cost }
    case 'failed': {
      const { cause } = findWords(outcome.failure, job.inputs)
      return { ...row, note: summarize(cause, outcome.failure.observed) }
    }
    case 'registered': {
      const { time, blockchain, transaction } = describeFields(outcome.record)
      if (!outcome.isConfirmed) return { ...row, cells: [time, blockchain, transaction] }
      return { ...row, note: 'confirmed by a person after a look-up' }
    }
  }
}

/** Returns where people look up an artifact; null if that is unknown, or if it cannot be registered. */
export function lookUpUrl({ hash, outcome }: Artifact, { inputs }: Job): string | null {
  const state = stateOf(outcome)
  if (state === states.failed || state === states.planned) return null
  const record = outcome.state === 'registered' ? outcome.record : {}
  return fillVerificationUrl(inputs.verificationUrl, { hash, record })
}
