/** Decides what the table says about each artifact; pure. */
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { describeFields } from '../records/record.ts'
import { lookUpUrl, summarize } from './findings.ts'
import type { Row, Table } from './report.ts'
import type { Job } from './run-end.ts'
import { isPlain, stateOf } from './states.ts'
import { findWords } from './words.ts'

export function makeTable(ranked: readonly Artifact[], job: Job): Table {
  const records = ranked.filter(isRegistered).map(({ outcome }) => describeFields(outcome.record))
  const columns: string[] = []
  if (records.length > 0) columns.push('Registered at (UTC)', 'Blockchain')
  if (records.some(({ transaction }) => transaction !== '')) columns.push('Transaction')
  return {
    columns,
    rows: ranked.map(artifact => makeRow(artifact, job)),
    isFolded: ranked.some(isFailed),
    elsewhere: `the outputs and ${job.recordsPath} have all of them`,
  }
}

function makeRow(artifact: Artifact, job: Job): Row {
  const { outcome } = artifact
  const state = stateOf(outcome)
  const { sign, words } = state
  const url = lookUpUrl(artifact, job)
  const row = { sign, words, artifact, url, note: '', cells: [], isPlain: isPlain(state) }
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
