/** The job summary of a completed run. */
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import type { Source } from '../runtime/environment.ts'
import type { WorkflowArtifact } from '../runtime/outside.ts'
import { fieldText } from '../text/json.ts'
import { evidenceName, recordsName } from '../text/names.ts'
import { formatTime, joinFirst } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { countArtifacts, stateOf, states, withStatus } from './judge.ts'
import { confirmedNote, countStates, formatVerdict, type Told } from './log.ts'
import * as page from './page.ts'
import type { CompletedRun } from './report.ts'
import { words } from './words.ts'

/** What a summary shows besides what the log tells. */
export interface SummaryParts {
  readonly end: CompletedRun
  readonly warnings: readonly string[]
  /** This run. */
  readonly source: Source
  /** The records file, as the user named it. */
  readonly recordsPath: string
}

/** Formats the job summary: verdict, counts, what to do, warnings, where the records are, and the table. */
export function formatSummary(told: Told, parts: SummaryParts): string {
  const { ranked, verdict, findings, again, docsUrl } = told
  const { total, failed } = countArtifacts(ranked)
  const head: string[] = []
  const counts = countStates(ranked)
  if (counts.size > 1) {
    const texts = Array.from(counts, ([state, count]) => {
      return `${count} ${state === states.registered ? 'new' : state.words}`
    })
    head.push(`<p>${texts.join(' · ')}</p>`)
  }
  head.push(
    ...page.formatSteps('What to do', { steps: findings, again, docs: 'failures.md', docsUrl }),
  )
  head.push(...page.formatNotes(parts.warnings, docsUrl))
  if (verdict === 'nothing-found') {
    const docs = page.docsLink(docsUrl, 'reference.md#patterns')
    head.push(`<p>If you expected artifacts, check the patterns: ${docs}</p>`)
  }
  const places = verdict === 'dry-run' ? [] : formatPlace(told, parts)
  if (places.length > 0) head.push(`<p>${places.join('<br>')}</p>`)
  const titles = ['Registered at (UTC)', 'Blockchain']
  if (ranked.some(artifact => transactionOf(artifact) !== '')) titles.push('Transaction')
  const plainCount = ranked.filter(isPlain).length
  const elsewhere = `see the outputs and ${page.code(parts.recordsPath)}`
  const rows = ranked.values().map(artifact => formatArtifactRow(artifact, titles.length, told))
  const table = { titles, rows, total, plainCount, isFolded: failed > 0, elsewhere }
  return page.formatPage(formatVerdict(told), head, table)
}

/** Whether nothing is to be said about an artifact. */
function isPlain({ outcome }: Artifact): boolean {
  return stateOf(outcome).cost === '' && stateOf(outcome) !== states.chargedAgain
}

/** Says where the records are and how to use them: lines of HTML, none if there are no records. */
function formatPlace(
  { docsUrl }: Told,
  { end: { place, release, evidencePath }, source, recordsPath }: SummaryParts,
): readonly string[] {
  const see = (section: string): string => page.docsLink(docsUrl, section)
  const lines: string[] = []
  const artifacts = 'artifacts' in place ? place.artifacts : []
  const isKept = artifacts.length > 0 || place.kind === 'post-step'
  if (place.kind === 'artifact') lines.push(formatKept(place.artifacts, evidencePath !== ''))
  else if (place.kind === 'release') {
    lines.push(`<b>Records:</b> on the release ${page.code(release?.tag ?? '')}`)
    if (artifacts.length > 0) lines.push(formatKept(artifacts, evidencePath !== ''))
  } else if (place.kind === 'post-step') {
    lines.push('<b>Records:</b> the end of the log of this job says where they are')
  } else if (place.kind === 'log') {
    const docs = see('records.md#save-lines-from-the-log')
    lines.push(`<b>Records:</b> only in the log of this step. To save them: ${docs}`)
  } else if (place.kind === 'file') {
    const docs = see('records.md#where-it-is-kept')
    lines.push(`<b>Records:</b> only in the file ${page.code(recordsPath)}. To keep it: ${docs}`)
  }
  const newest = place.kind === 'artifact' ? place.artifacts.at(-1) : undefined
  if (release?.lacksLines === true && newest !== undefined) {
    const { runId, runAttempt } = source
    const file = `notarization-records-${runId ?? 'run'}-${runAttempt ?? '1'}.jsonl`
    const commands = [
      `gh run download ${runId ?? 'RUN'} --name ${newest.name}`,
      `cp ${recordsName} ${file}`,
      `gh release upload ${shellQuote(release.tag)} ${file}`,
    ]
    const docs = see('releases.md#notarize-an-existing-release')
    const command = page.code(commands.join(' && '), page.maxStepLength)
    lines.push(`The release lacks records of this run. To add them, run ${command}: ${docs}`)
  }
  if (evidencePath !== '') {
    const from = isKept ? 'from there' : '(the output <code>evidence-path</code>)'
    const compare = `<code>sha256sum --ignore-missing -c ${evidenceName}</code>`
    lines.push(
      `To compare downloaded files, put ${page.code(evidenceName)} ${from} next to them and run ${compare}: ${see('verify.md')}`,
    )
  }
  return lines
}

/** Links the workflow artifacts with the records. */
export function formatKept(artifacts: readonly WorkflowArtifact[], hasEvidence: boolean): string {
  const links = artifacts.map(({ name, url }) => page.linked(page.code(name), url ?? undefined))
  const what = hasEvidence ? 'Records and evidence page' : 'Records'
  return `<b>${what}:</b> workflow artifact ${joinFirst(links, 5, { separator: ', ' })}`
}

/** Quotes a text for a shell unless it is plain. */
function shellQuote(text: string): string {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Formats the row of an artifact; the details of a registered one fill `columns` cells. */
function formatArtifactRow(artifact: Artifact, columns: number, told: Told): string {
  const { outcome, hash } = artifact
  const state = stateOf(outcome)
  const record = isRegistered(artifact) ? artifact.outcome.record : {}
  let details: readonly string[] | string = page.sentence(state.cost)
  if (isFailed(artifact)) {
    const finding = told.findings.find(({ artifacts }) => artifacts.has(artifact))
    const { failure } = artifact.outcome
    const cause = finding?.cause ?? failure.reason
    const isSeen = failure.status === null && failure.observed !== ''
    details = page.sentence(isSeen ? `${cause}: ${failure.observed}` : withStatus(cause, failure))
  } else if (isRegistered(artifact)) {
    const { creationDate, blockchainType } = artifact.outcome.record
    const texts = [formatTime(creationDate), fieldText(blockchainType), transactionOf(artifact)]
    const note = confirmedNote(artifact)
    details = note === '' ? texts.slice(0, columns).map(page.plain) : page.sentence(note)
  } else if (outcome.state === 'contradicted') {
    details = page.sentence(`${words['record-mismatch'].cause}: ${outcome.problems.join(', ')}`)
  }
  const url = fillVerificationUrl(told.template, { hash, record })
  return page.formatRow(`${state.sign}&nbsp;${state.words}`, artifact, { url, details, columns })
}

function transactionOf({ outcome }: Artifact): string {
  if (outcome.state !== 'registered') return ''
  return fieldText(outcome.record['txId']) || fieldText(outcome.record['txHash'])
}
