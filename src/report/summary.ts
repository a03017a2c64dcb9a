import { evidenceName } from '../artifacts/own-files.ts'
import { isFailed, isRegistered, type Result } from '../outcome.ts'
import { maxMessageLength } from '../text/escape.ts'
import { fieldText, timeText } from '../text/field.ts'
import { joinFirst } from '../text/words.ts'
import { describeCode, explain, type Explanation } from './explain.ts'
import { describeFailure, lookupUrl, type Findings, type Reason } from './findings.ts'
import * as page from './page.ts'
import type { RunFailure } from './run-failures.ts'
import { isPlain, standingOf, standingOfFailure, standings } from './standing.ts'

/** What a summary shows in addition to the findings; without secrets. */
export interface SummaryParts {
  /** The first line. */
  readonly verdict: string
  readonly runFailures: readonly RunFailure[]
  /** Warnings that change what the reader must do. */
  readonly warnings: readonly string[]
}

/** Formats the job summary: verdict, what happened, what to do, table, and how to check. */
export function formatSummary(findings: Findings, parts: SummaryParts): string {
  const { host, counts, inputs, reasons, ranked } = findings
  const { docsUrl } = host.environment
  const recordsFile = page.code(host.secrets.redactText(inputs.recordsPath))
  const head: string[] = []
  for (const runFailure of parts.runFailures) {
    if (reasons.some(({ failure }) => failure.code === runFailure.code)) continue
    head.push(`<p>❌ ${formatAnswers(runFailure, docsUrl)}</p>`)
  }
  const items = reasons.map(reason => {
    const answers = formatAnswers(explain(reason.failure), docsUrl)
    return `${titleOf(reason, findings)}<br>${answers}`
  })
  head.push(...page.formatList('<b>What happened, and what to do next</b>', items))
  head.push(...page.formatNotes(parts.warnings))
  const isPartial = counts.failed > 0 && counts.registered > 0
  if (isPartial && parts.runFailures.length === 0 && !inputs.dryRun) {
    head.push(`<p>Artifacts with a record in ${recordsFile} are not sent or charged again.</p>`)
  }
  const foot: string[] = []
  if (counts.registered > 0 && !inputs.dryRun) {
    const command = `<code>sha256sum --ignore-missing -c ${evidenceName}</code>`
    const docs = page.docsLink(docsUrl, 'verify.md')
    foot.push(`<p>To check downloaded files, run ${command} next to them; see ${docs}.</p>`)
  }
  const titles = ['Registered at (UTC)', 'Blockchain']
  const hasTransactions = ranked.some(result => transactionOf(result) !== '')
  if (hasTransactions) titles.push('Transaction')
  const table = {
    titles,
    rows: ranked.values().map(result => formatRow(result, findings, hasTransactions)),
    total: counts.total,
    plainCount: ranked.filter(isPlain).length,
    elsewhere: `see the outputs and ${recordsFile}`,
  }
  return page.formatPage({ verdict: parts.verdict, head, table, foot })
}

function formatAnswers(answers: Explanation, docsUrl: string): string {
  return [
    `<b>What happened:</b> ${page.sentence(answers.what)}`,
    `<b>Registered or charged?</b> ${page.sentence(answers.aftermath)}`,
    `<b>Next:</b> ${page.sentence(answers.remedy)}`,
    `More: ${page.docsLink(docsUrl, answers.page)}`,
  ].join('<br>')
}

const maxExamples = 3

/** Formats the standing of a reason, its code and status, and its first artifacts. */
function titleOf({ failure, results }: Reason, findings: Findings): string {
  const examples = results.map(result => {
    const url = lookupUrl(result, findings)
    const link = url === undefined ? '' : ` (${page.linked('look up', url)})`
    return page.code(result.name) + link
  })
  const names = joinFirst(examples, maxExamples, { separator: ', ' })
  return `<b>${standings[standingOfFailure(failure)]}</b> (${describeCode(failure)}): ${names}`
}

function formatRow(result: Result, findings: Findings, hasTransactions: boolean): page.Row {
  const state = standings[standingOf(result.outcome)].replace(' ', '&nbsp;')
  const row = { state, artifact: result, url: lookupUrl(result, findings) }
  if (isRegistered(result)) {
    const { record } = result.outcome
    const details = [timeText(record['creationDate']), record['blockchainType']].map(page.code)
    if (hasTransactions) details.push(page.code(transactionOf(result)))
    return { ...row, details }
  }
  if (isFailed(result)) {
    const text = describeFailure(result.outcome.failure, findings)
    return { ...row, details: page.breakable(text, maxMessageLength * 3) }
  }
  if (isPlain(result)) return { ...row, details: '' }
  const { docsUrl } = findings.host.environment
  const settling = page.docsLink(docsUrl, 'records.md#settle-an-open-hash')
  return { ...row, details: `To settle it, see ${settling}` }
}

function transactionOf({ outcome }: Result): string {
  if (outcome.state !== 'registered') return ''
  return fieldText(outcome.record['txId']) || fieldText(outcome.record['txHash'])
}
