/** The job summary of a run of the notarizing action, and of a run of either action that stopped. */
import { isRegistered, type Artifact } from '../outcome.ts'
import type { Place } from '../keep/keep.ts'
import { describeFields } from '../records/record.ts'
import { evidenceName, recordsName } from '../text/names.ts'
import { joinFirst, pluralize } from '../text/phrases.ts'
import {
  countArtifacts,
  describeCharges,
  describeReason,
  lookUpUrl,
  stateOf,
  states,
} from './judge.ts'
import { confirmedNote, countStates, formatVerdict } from './log.ts'
import * as page from './page.ts'
import type { Told } from './report.ts'

/** Formats the job summary: verdict, counts, what to do, warnings, where the records are, and the table. */
export function formatSummary(told: Told, warnings: readonly string[]): string {
  const { ranked, verdict, steps, inputs } = told
  const { docsUrl } = told.host.environment
  const { total, failed } = countArtifacts(ranked)
  const head = [
    ...formatCounts(ranked),
    ...page.formatSteps('What to do', { steps, docs: 'failures.md', docsUrl }),
    ...page.formatNotes(warnings, docsUrl),
  ]
  if (verdict === 'nothing-found') {
    const docs = page.docsLink(docsUrl, 'reference.md#patterns')
    head.push(`<p>If you expected artifacts, check the patterns: ${docs}</p>`)
  }
  const places = formatPlace(told)
  if (places.length > 0) head.push(`<p>${places.join('<br>')}</p>`)
  const titles = ['Registered at (UTC)', 'Blockchain']
  if (ranked.some(artifact => fieldsOf(artifact).transaction !== '')) titles.push('Transaction')
  const plainCount = ranked.filter(isPlain).length
  const file = page.code(inputs.recordsPath)
  let elsewhere = `see the outputs and ${file}`
  if (verdict === 'dry-run') elsewhere = `see the log; without dry-run, see ${file}`
  const rows = ranked.values().map(artifact => formatArtifactRow(artifact, titles.length, told))
  const table = { titles, rows, total, plainCount, isFolded: failed > 0, elsewhere }
  return page.formatPage(formatVerdict(told), head, table)
}

/** Formats the job summary of a run that stopped: what was not done, what to do, warnings, and where the records are. */
export function formatStopSummary(
  title: string,
  {
    nothing,
    todo,
    warnings,
    place,
  }: {
    readonly nothing: string
    readonly todo: page.Todo
    readonly warnings: readonly string[]
    /** Where the records are; null where nothing is ever charged. */
    readonly place: Place | null
  },
): string {
  const head: string[] = []
  if (!title.endsWith(nothing)) head.push(`<p>${page.sentence(nothing)}</p>`)
  head.push(...page.formatSteps('What to do', todo), ...page.formatNotes(warnings, todo.docsUrl))
  if (place !== null && place.workflowArtifacts.length > 0) {
    head.push(`<p>${formatKept(place, false)}</p>`)
  }
  return page.formatPage(title, head)
}

/** Formats how many artifacts have which state; empty if all have the same. */
function formatCounts(ranked: readonly Artifact[]): readonly string[] {
  const counts = countStates(ranked)
  if (counts.size < 2) return []
  const texts = Array.from(counts, ([state, count]) => {
    if (state !== states.registered) return `${count} ${state.words}`
    const own = ranked.filter(({ outcome }) => stateOf(outcome) === state)
    return `${count} new${describeCharges(own)}`
  })
  return [`<p>${texts.join(' · ')}</p>`]
}

/** Whether nothing is to be said about an artifact. */
function isPlain({ outcome }: Artifact): boolean {
  return stateOf(outcome).cost === '' && stateOf(outcome) !== states.chargedAgain
}

/** Says where the records are and how to use them: lines of HTML, none if there are no records. */
function formatPlace(told: Told): readonly string[] {
  const { place, release, evidencePath, unsaved } = told.end
  if (told.verdict === 'dry-run') return []
  const { docsUrl, source, attempt } = told.host.environment
  const see = (section: string): string => page.docsLink(docsUrl, section)
  const saveLines = `To save them: ${see('records.md#save-lines-from-the-log')}`
  const lines: string[] = []
  if (release?.lacksRecords === false && told.ranked.some(isRegistered)) {
    lines.push(`<b>Records:</b> on the release ${page.linked(page.code(release.tag), release.url)}`)
  }
  if (place.kind === 'log') {
    lines.push(`<b>Records:</b> only in the log of this step. ${saveLines}`)
  } else if (unsaved.length > 0) {
    const some = pluralize(unsaved.length, 'record is', 'records are')
    lines.push(`<b>Records:</b> ${some} only in the log of this step. ${saveLines}`)
  }
  if (place.kind === 'file') {
    const file = page.code(told.inputs.recordsPath)
    const docs = see('records.md#where-it-is-kept')
    lines.push(`<b>Records:</b> only in the file ${file}. To keep it: ${docs}`)
  }
  const { workflowArtifacts: kept } = place
  if (kept.length > 0) lines.push(formatKept(place, evidencePath !== ''))
  const newest = kept.at(-1)
  const hasAll = place.kind === 'workflow-artifact' && unsaved.length === 0
  const { runId } = source
  if (release?.lacksRecords === true && hasAll && newest !== undefined && runId !== null) {
    const file = `notarization-records-${runId}-${attempt}.jsonl`
    const commands = [
      `gh run download ${runId} --name ${newest.name}`,
      `cp ${recordsName} ${file}`,
      `gh release upload ${shellQuote(release.tag)} ${file}`,
    ]
    const docs = see('releases.md#notarize-an-existing-release')
    const command = page.code(commands.join(' && '), page.maxStepLength)
    lines.push(`The release lacks records of this run. To add them, run ${command}: ${docs}`)
  }
  if (evidencePath !== '') {
    let from = '(the output <code>evidence-path</code>)'
    if (isWhole(place)) from = 'from there'
    const compare = `<code>sha256sum --ignore-missing -c ${evidenceName}</code>`
    lines.push(
      `To compare downloaded files, put ${page.code(evidenceName)} ${from} next to them and run ${compare}: ${see('verify.md')}`,
    )
  }
  return lines
}

/** Whether the newest workflow artifact has everything that the records file has. */
function isWhole({ kind, workflowArtifacts }: Place): boolean {
  return kind !== 'log' && workflowArtifacts.length > 0
}

/** Links the workflow artifacts with the records, the newest first. */
function formatKept(place: Place, hasEvidence: boolean): string {
  const links = place.workflowArtifacts
    .toReversed()
    .map(({ name, url }) => page.linked(page.code(name), url))
  let what = 'Records'
  if (!isWhole(place)) what = 'Records of earlier attempts'
  else if (hasEvidence) what = 'Records and evidence page'
  return `<b>${what}:</b> workflow artifact ${joinFirst(links, 5, { separator: ', ' })}`
}

/** Quotes a text for a shell unless it is plain. */
function shellQuote(text: string): string {
  if (/^[\w./+-]+$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Formats the row of an artifact; the details of a registered one fill `columns` cells. */
function formatArtifactRow(artifact: Artifact, columns: number, told: Told): string {
  const { sign, words } = stateOf(artifact.outcome)
  const note = confirmedNote(artifact)
  let details: readonly string[] | string = page.sentence(note)
  if (!isRegistered(artifact)) details = page.sentence(describeReason(artifact, told))
  else if (note === '') {
    const { time, blockchain, transaction } = fieldsOf(artifact)
    details = [time, blockchain, transaction].slice(0, columns).map(page.plain)
  }
  const url = lookUpUrl(told.inputs.verificationUrl, artifact)
  return page.formatRow(`${sign}&nbsp;${words}`, artifact, { url, details, columns })
}

function fieldsOf({ outcome }: Artifact) {
  return describeFields(outcome.state === 'registered' ? outcome.record : {})
}
