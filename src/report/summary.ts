import type { WorkflowArtifact } from '../runtime/outside.ts'
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { fieldText } from '../text/json.ts'
import { evidenceName, recordsName } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'
import { formatTime } from '../text/units.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { countArtifacts, stateOf, states, type Again, type Finding } from './judge.ts'
import { countStates, formatVerdict, lookUpUrl, type Told } from './log.ts'
import * as page from './page.ts'
import type { Job } from './report.ts'

/** Formats the job summary: verdict, counts, what to do, warnings, where the records are, and the table. */
export function formatSummary(told: Told, warnings: readonly string[], job: Job): string {
  const { ranked, verdict, findings, again, docsUrl, recordsPath } = told
  const { total, failed } = countArtifacts(ranked)
  const head: string[] = []
  const counts = countStates(ranked)
  if (counts.length > 0) head.push(`<p>${counts.join(' · ')}</p>`)
  head.push(...formatTodo(findings, again, told))
  head.push(...page.formatNotes(warnings))
  if (verdict === 'nothing-found') {
    const docs = page.docsLink(docsUrl, 'reference.md#patterns')
    head.push(`<p>If you expected artifacts, check the patterns: ${docs}</p>`)
  }
  head.push(...formatPlace(told, job))
  const titles = ['Registered at (UTC)', 'Blockchain']
  if (ranked.some(artifact => transactionOf(artifact) !== '')) titles.push('Transaction')
  const plainCount = ranked.filter(({ outcome }) => !stateOf(outcome).isProblem).length
  const elsewhere = `see the outputs and ${page.code(recordsPath)}`
  const rows = ranked.values().map(artifact => formatArtifactRow(artifact, titles.length, told))
  const table = { titles, rows, total, plainCount, isFolded: failed > 0, elsewhere }
  return page.formatPage(formatVerdict(told), head, table)
}

/** Formats all steps as a numbered list; empty if nothing failed. */
export function formatTodo(
  findings: readonly Finding[],
  again: Again | null,
  about: { readonly template: string | null; readonly docsUrl: string },
): readonly string[] {
  if (again === null) return []
  const items = findings.map(finding => formatStep(finding, about))
  const docs = again.docs === null ? '' : ` ${page.docsLink(about.docsUrl, again.docs)}`
  items.push(`${page.sentence(again.text)}${docs}`)
  return page.formatList('<b>What to do</b>', items)
}

const maxExamples = 3

/** Formats what to do, then what happened, to which artifacts, and what it cost. */
function formatStep(
  { next, happened, cost, docs, artifacts }: Finding,
  { template, docsUrl }: { readonly template: string | null; readonly docsUrl: string },
): string {
  const link = docs === null ? '' : ` ${page.docsLink(docsUrl, docs)}`
  const lines = [`<b>${page.sentence(next, page.maxStepLength)}</b>${link}`]
  const examples = artifacts.map(artifact => {
    return page.linked(page.code(artifact.name), lookUpUrl(artifact, template))
  })
  const names = joinFirst(examples, maxExamples, { separator: ', ' })
  const what = happened.map(text => page.sentence(text))
  what.push(names === '' ? page.sentence(cost) : `${names}: ${page.plain(cost)}.`)
  lines.push(what.filter(text => text !== '').join(' '))
  return lines.join('<br>')
}

/** Says where the records are, and how to use them; empty if there are none. */
function formatPlace({ end, ranked, docsUrl, recordsPath }: Told, job: Job): readonly string[] {
  const { place, release, evidencePath } = end
  const { environment } = job.host
  const docs = (section: string): string => page.docsLink(docsUrl, section)
  const compare = `<code>sha256sum --ignore-missing -c ${evidenceName}</code>`
  const lines: string[] = []
  switch (place.kind) {
    case 'artifact': {
      const names = joinFirst(place.artifacts.map(formatArtifactLink), 5, { separator: ', ' })
      lines.push(`<b>Records and evidence page:</b> workflow artifact ${names}`)
      break
    }
    case 'release':
      lines.push(`<b>Records:</b> release ${page.code(release?.tag ?? '')}`)
      break
    case 'post-step':
      lines.push('<b>Records:</b> the end of the log says where the post step kept them.')
      break
    case 'log':
      lines.push(
        `<b>Records:</b> only in the log of this step. Save them: ${docs('records.md#save-lines-from-the-log')}`,
      )
      break
    case 'file':
      lines.push(
        `<b>Records:</b> only in the file ${page.code(recordsPath)}, which a later step has to keep: ${docs('records.md#where-it-is-kept')}`,
      )
      break
    case 'none':
    case 'unreadable':
    case 'unknown':
      break
  }
  if (release?.lacksLines === true && lines.length > 0 && ranked.some(isRegistered)) {
    const { runId, runAttempt } = environment.source
    const name = `notarization-records-${runId ?? 'run'}-${runAttempt ?? '1'}.jsonl`
    const command = `cp ${recordsName} ${name} && gh release upload ${shellQuote(release.tag)} ${name}`
    lines.push(
      `The release lacks records of this run. To upload them, download the records and run <code>${page.plain(command)}</code>: ${docs('releases.md#notarize-an-existing-release')}`,
    )
  }
  if (evidencePath !== '') {
    lines.push(
      `To compare downloaded files, put ${page.code(evidenceName)} from there next to them and run ${compare}: ${docs('verify.md')}`,
    )
  }
  return lines.length === 0 ? [] : [`<p>${lines.join('<br>')}</p>`]
}

function formatArtifactLink({ name, url }: WorkflowArtifact): string {
  return page.linked(page.code(name), url ?? undefined)
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Formats the row of an artifact; the details of a registered one fill `columns` cells. */
function formatArtifactRow(artifact: Artifact, columns: number, told: Told): string {
  const { template } = told
  const { sign, words, cost } = stateOf(artifact.outcome)
  const record = isRegistered(artifact) ? artifact.outcome.record : {}
  let details: readonly string[] | string = page.sentence(cost)
  if (isRegistered(artifact)) {
    const { creationDate, blockchainType } = artifact.outcome.record
    const texts = [formatTime(creationDate), fieldText(blockchainType), transactionOf(artifact)]
    details = texts.slice(0, columns).map(page.plain)
    if (artifact.outcome.isConfirmed) details = 'Confirmed by a person after a look-up.'
  } else if (isFailed(artifact)) {
    const finding = told.findings.find(({ artifacts }) => artifacts.includes(artifact))
    details = page.sentence(finding?.short ?? artifact.outcome.failure.code)
  } else if (stateOf(artifact.outcome) === states.planned) details = ''
  const url = fillVerificationUrl(template, { hash: artifact.hash, record })
  return page.formatRow(`${sign}&nbsp;${words}`, artifact, { url, details, columns })
}

function transactionOf({ outcome }: Artifact): string {
  if (outcome.state !== 'registered') return ''
  return fieldText(outcome.record['txId']) || fieldText(outcome.record['txHash'])
}
