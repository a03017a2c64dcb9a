import { evidenceName } from '../artifacts/own-files.ts'
import { failed, isFailed, isRegistered, type Result } from '../outcome.ts'
import { maxMessageLength } from '../text/escape.ts'
import { fieldText, timeText } from '../text/field.ts'
import { joinFirst } from '../text/words.ts'
import { describeState, explain, type Explanation } from './explain.ts'
import { describeFailure, isPlain, lookUpUrl, type Findings, type Reason } from './findings.ts'
import * as page from './page.ts'
import { isCoveredBy, type RunFailure } from './run-failures.ts'

/** What the summary of a run has beside the findings; no text has a secret. */
export interface SummaryParts {
  /** The first line. */
  readonly verdict: string
  readonly runFailures: readonly RunFailure[]
  /** Warnings that change what the reader must do. */
  readonly warnings: readonly string[]
}

/** The job summary: the verdict, what the reader must know and do, a table with failures first, how to check. */
export function formatSummary(findings: Findings, parts: SummaryParts): string {
  const { host, counts, inputs, reasons } = findings
  const { docsUrl } = host.environment
  // Each failure has the number by which log and table refer to it.
  const items = reasons.map(reason =>
    formatAnswers(titleOf(reason, findings), explain(reason.failure), docsUrl),
  )
  const others = parts.runFailures.filter(
    runFailure => !reasons.some(({ failure }) => isCoveredBy(failure, runFailure)),
  )
  // First, as what they ask for comes before another run.
  const runFailures = others.flatMap(runFailure => {
    const title = `<b>❌ ${page.sentence(runFailure.short)}</b>`
    return [`<p>${formatAnswers(title, runFailure, docsUrl)}</p>`, '']
  })
  const head = [
    ...page.formatNotes(parts.warnings),
    ...runFailures,
    ...page.formatList('<b>What happened, and what to do next</b>', items),
  ]
  if (counts.failed > 0 && !inputs.dryRun) {
    const file = recordsFile(findings)
    head.push(`<p>Artifacts with a record in ${file} are not sent or charged again.</p>`, '')
  }
  const table = counts.total === 0 ? null : tableOf(findings)
  return page.formatPage({ verdict: parts.verdict, head, table, foot: footOf(findings) })
}

function formatAnswers(title: string, answers: Explanation, docsUrl: string): string {
  return [
    title,
    `<b>What happened:</b> ${page.sentence(answers.what)}`,
    `<b>Registered or charged?</b> ${page.sentence(answers.aftermath)}`,
    `<b>Next:</b> ${page.sentence(answers.remedy)}`,
    `More: ${page.docsLink(docsUrl, answers.page)}`,
  ].join('<br>')
}

function recordsFile({ host, inputs }: Findings): string {
  return page.code(host.secrets.redactText(inputs.recordsPath))
}

const maxExamples = 3

function titleOf({ failure, results }: Reason, findings: Findings): string {
  const examples = results.map(result => {
    const url = lookUpUrl(result, findings)
    const link = url === undefined ? '' : ` (${page.linked('look up', url)})`
    return page.code(result.name) + link
  })
  const status = failure.status === null ? '' : `, HTTP ${failure.status}`
  const names = joinFirst(examples, maxExamples, { separator: ', ' })
  return `<b>${describeState(failed(failure))}</b> (${failure.code}${status}): ${names}`
}

function tableOf(findings: Findings): page.Table {
  const { ranked, counts } = findings
  const titles = ['Registered at (UTC)', 'Blockchain']
  const hasTransactions = ranked.some(result => transactionOf(result) !== '')
  if (hasTransactions) titles.push('Transaction')
  return {
    titles,
    rows: ranked.values().map(result => rowOf(result, findings, hasTransactions)),
    total: counts.total,
    plainCount: ranked.filter(isPlain).length,
    elsewhere: `see the outputs and ${recordsFile(findings)}`,
  }
}

function rowOf(result: Result, findings: Findings, hasTransactions: boolean): page.Row {
  const state = describeState(result.outcome).replace(' ', '&nbsp;')
  const row = { state, artifact: result, url: lookUpUrl(result, findings) }
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
  const { docsUrl } = findings.host.environment
  const settling = page.docsLink(docsUrl, 'records.md#settle-an-open-hash')
  return { ...row, details: isPlain(result) ? '' : `More: ${settling}` }
}

function transactionOf({ outcome }: Result): string {
  if (outcome.state !== 'registered') return ''
  return fieldText(outcome.record['txId']) || fieldText(outcome.record['txHash'])
}

function footOf({ host, counts, inputs }: Findings): readonly string[] {
  if (counts.registered === 0 || inputs.dryRun) return []
  const command = `<code>sha256sum --ignore-missing -c ${evidenceName}</code>`
  const docs = page.docsLink(host.environment.docsUrl, 'verify.md')
  return [`<p>To check downloaded files, run ${command} next to them; see ${docs}.</p>`, '']
}
