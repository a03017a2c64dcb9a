import { evidenceName } from '../text/names.ts'
import { fieldText } from '../text/json.ts'
import { formatTime } from '../text/units.ts'
import { joinFirst } from '../text/phrases.ts'
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Fault } from './faults.ts'
import { countArtifacts, formatVerdict, lookUpUrl, referTo, type Judgement } from './log.ts'
import * as page from './page.ts'
import { stateOf } from './states.ts'

/** Formats the job summary: verdict, what to do, warnings, table, and how to check. */
export function formatSummary(judgement: Judgement, warnings: readonly string[]): string {
  const { ranked, verdict, steps, rerun, cost, docsUrl, recordsPath } = judgement
  const { total, registered } = countArtifacts(ranked)
  let lead = '<b>What happened, and what to do next:</b>'
  if (steps.length > 1) lead += ' Take the steps in this order.'
  if (registered > 0 && steps.every(step => step.cost !== cost)) lead += ` ${page.sentence(cost)}`
  const items = steps.map(step => formatStep(step, judgement))
  const head = [...page.formatList(lead, items)]
  if (rerun !== '') head.push(`<p><b>${page.sentence(rerun)}</b></p>`)
  head.push(...page.formatNotes(warnings))
  const foot: string[] = []
  if (verdict === 'nothing-found') {
    const docs = page.docsLink(docsUrl, 'reference.md#patterns')
    foot.push(`<p>If you expected artifacts, check the patterns; see ${docs}.</p>`)
  }
  if (registered > 0 && verdict !== 'dry-run') {
    const command = `<code>sha256sum --ignore-missing -c ${evidenceName}</code>`
    const docs = page.docsLink(docsUrl, 'verify.md')
    foot.push(`<p>To check downloaded files, run ${command}; see ${docs}.</p>`)
  }
  const titles = ['Registered at (UTC)', 'Blockchain']
  if (ranked.some(artifact => transactionOf(artifact) !== '')) titles.push('Transaction')
  const plainCount = ranked.filter(({ outcome }) => stateOf(outcome).cost === null).length
  const elsewhere = `see the outputs and ${page.code(recordsPath)}`
  const rows = ranked.values().map(artifact => formatRow(artifact, titles.length, judgement))
  const table = { titles, rows, total, plainCount, elsewhere }
  return page.formatPage(formatVerdict(judgement), head, { table, foot })
}

const maxExamples = 3

/** Formats what happened, whether anything is registered or charged, and what to do next. */
function formatStep(step: Fault, { template, docsUrl }: Judgement): string {
  const { what, cost, remedy, artifacts } = step
  const lines: string[] = []
  const [first] = artifacts
  if (first !== undefined) {
    const { sign, words } = stateOf(first.outcome)
    const examples = Array.from(artifacts, artifact => {
      const url = lookUpUrl(artifact, template)
      const link = url === undefined ? '' : ` (${page.linked('look up', url)})`
      return page.code(artifact.name) + link
    })
    const names = joinFirst(examples, maxExamples, { separator: ', ' })
    lines.push(`<b>${sign} ${words}:</b> ${names}`)
  }
  const more = page.docsLink(docsUrl, step.page)
  lines.push(`<b>What happened:</b> ${what.map(text => page.sentence(text)).join(' ')}`)
  lines.push(`<b>Registered or charged?</b> ${page.sentence(cost)}`)
  lines.push(`<b>Next:</b> ${page.sentence(remedy)} More: ${more}`)
  return lines.join('<br>')
}

/** Formats the row of an artifact; the details of a registered one fill `columns` cells. */
function formatRow(artifact: Artifact, columns: number, judgement: Judgement): string {
  const { steps, template, docsUrl } = judgement
  const { sign, words, cost } = stateOf(artifact.outcome)
  const record = isRegistered(artifact) ? artifact.outcome.record : {}
  let details: readonly string[] | string = ''
  if (isRegistered(artifact)) {
    const { creationDate, blockchainType } = artifact.outcome.record
    const texts = [formatTime(creationDate), fieldText(blockchainType), transactionOf(artifact)]
    details = texts.slice(0, columns).map(page.plain)
  } else if (isFailed(artifact)) {
    details = referTo(artifact, steps)
  } else if (cost !== null) {
    const docs = page.docsLink(docsUrl, 'records.md#settle-an-open-hash')
    details = `${page.sentence(cost)} To settle it, see ${docs}`
  }
  const url = fillVerificationUrl(template, { hash: artifact.hash, record })
  return page.formatRow(`${sign}&nbsp;${words}`, artifact, { url, details, columns })
}

function transactionOf({ outcome }: Artifact): string {
  if (outcome.state !== 'registered') return ''
  return fieldText(outcome.record['txId']) || fieldText(outcome.record['txHash'])
}
