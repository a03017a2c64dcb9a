import { evidenceName } from '../artifacts/own-files.ts'
import type { Failure } from '../failure.ts'
import { failed, isFailed, isRegistered, type Result } from '../outcome.ts'
import type { Attachment } from '../release/attach.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/host.ts'
import { maxMessageLength } from '../text/escape.ts'
import { fieldText, timeText } from '../text/field.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import {
  describeState,
  explain,
  formatExplanation,
  lookUpUrl,
  type Explanation,
} from './explain.ts'
import { isPlain, type Findings, type Reason } from './findings.ts'
import * as page from './page.ts'
import { cancelled, type Troubles } from './troubles.ts'

/** What the summary of a run has beside the findings. */
export interface SummaryParts {
  /** The first line. */
  readonly verdict: string
  readonly troubles: Troubles
  /** The commit and run of the records. */
  readonly source: Source
  /** Warnings that change what the reader must do. */
  readonly warnings: readonly string[]
  /** Null if nothing was to be attached. */
  readonly attachment: Attachment | null
}

/** The job summary: the verdict, what the reader must know and do, a table with failures first, how to check. */
export function formatSummary(findings: Findings, parts: SummaryParts): string {
  const { host, counts, inputs, reasons } = findings
  const hasCancelled = reasons.some(({ failure }) => failure.code === 'cancelled')
  // A cancel that a reason names already is said once.
  const troubles = parts.troubles.filter(trouble => trouble !== cancelled || !hasCancelled)
  // Secrets are replaced before a text is escaped, as an escaped one is not recognized.
  const redact = (text: string): string => host.secrets.redactText(text)
  const items = troubles.map(trouble => {
    const title = `❌ <b>${page.sentence(redact(trouble.short))}</b>`
    return itemOf(title, { ...trouble, what: redact(trouble.what) }, host)
  })
  for (const reason of reasons) {
    items.push(itemOf(titleOf(reason, findings), explain(reason.failure), host))
  }
  const head = [
    ...page.formatPlace(parts.source, inputs.baseUrl),
    ...page.formatNotes(parts.warnings.map(redact)),
    ...page.formatReasonItems('What happened, and what to do next', items),
  ]
  if (counts.failed > 0 && !inputs.dryRun) {
    const file = page.code(inputs.recordsPath)
    head.push(`<p>What has a record in ${file} is neither sent nor charged again.</p>`, '')
  }
  const table = counts.total === 0 ? null : tableOf(findings)
  const foot = footOf(findings, parts.attachment)
  return page.formatPage({ verdict: parts.verdict, head, table, foot })
}

function itemOf(title: string, answers: Explanation, { environment }: Host): page.ReasonItem {
  return {
    title,
    answers: {
      'What happened:': answers.what,
      'Registered or charged?': answers.aftermath,
      'Next:': answers.remedy,
    },
    more: `More: ${page.docsLink(environment.docsUrl, answers.page)}`,
  }
}

const maxExamples = 3

function titleOf({ failure, results }: Reason, { host, inputs }: Findings): string {
  const examples = results.slice(0, maxExamples).map(result => {
    const name = page.code(host.secrets.redactText(result.name))
    const url = lookUpUrl(result, inputs.verificationUrl)
    return url === undefined ? name : `${name} (${page.linked('look up', url)})`
  })
  const status = failure.status === null ? '' : `, HTTP ${failure.status}`
  const names = page.formatExamples(examples, results.length)
  return `<b>${describeState(failed(failure))}</b> (${failure.code}${status}): ${names}`
}

function tableOf(findings: Findings): page.Table {
  const { ranked, inputs, counts } = findings
  const titles = ['Registered at (UTC)', 'Blockchain']
  const hasTransactions = ranked.some(result => transactionOf(result) !== '')
  if (hasTransactions) titles.push('Transaction')
  return {
    titles,
    rows: ranked.values().map(result => rowOf(result, findings, hasTransactions)),
    total: counts.total,
    plainCount: ranked.filter(isPlain).length,
    elsewhere: `see the outputs and ${page.code(inputs.recordsPath)}`,
  }
}

function rowOf(result: Result, findings: Findings, hasTransactions: boolean): page.Row {
  const { secrets } = findings.host
  const { verificationUrl: template } = findings.inputs
  const state = describeState(result.outcome).replace(' ', '&nbsp;')
  const artifact = { ...result, name: secrets.redactText(result.name) }
  if (isFailed(result)) {
    const verificationUrl = lookUpUrl(result, template)
    const details = failureDetails(result.outcome.failure, findings)
    return { state, artifact: { ...artifact, verificationUrl }, details }
  }
  if (!isRegistered(result)) {
    const docs = page.docsLink(findings.host.environment.docsUrl, 'records.md#settle-an-open-hash')
    return { state, artifact, details: isPlain(result) ? '' : `More: ${docs}` }
  }
  const { record } = result.outcome
  const verificationUrl = fillVerificationUrl(template, { hash: result.hash, record })
  const cells = [timeText(record['creationDate']), fieldText(record['blockchainType'])]
  const details = cells.map(text => page.code(secrets.redactText(text)))
  if (hasTransactions) details.push(page.idCode(secrets.redactText(transactionOf(result))))
  return { state, artifact: { ...artifact, verificationUrl }, details }
}

/** The list above the table has the text of most failures, once for all with the same. */
function failureDetails(failure: Failure, { reasons }: Findings): string {
  const index = reasons.findIndex(reason => reason.failure === failure)
  if (index >= 0) return `<b>${failure.code}</b>: see ${index + 1} above`
  const text = formatExplanation(explain(failure))
  return `<b>${failure.code}</b>: ${page.breakable(text, maxMessageLength)}`
}

function transactionOf({ outcome }: Result): string {
  if (outcome.state !== 'registered') return ''
  return fieldText(outcome.record['txId']) || fieldText(outcome.record['txHash'])
}

function footOf({ host, counts, inputs }: Findings, attachment: Attachment | null): string[] {
  const lines: string[] = []
  const links = (attachment?.links ?? []).map(({ name, url }) => page.linked(page.code(name), url))
  if (links.length > 0) lines.push(`<p>Attached to the release: ${links.join(', ')}.</p>`, '')
  if (counts.registered > 0 && !inputs.dryRun) {
    const command = `<code>sha256sum --ignore-missing -c ${evidenceName}</code>`
    const docs = page.docsLink(host.environment.docsUrl, 'verify.md')
    lines.push(`<p>To check downloaded files, run ${command} next to them; see ${docs}.</p>`, '')
  }
  return lines
}
