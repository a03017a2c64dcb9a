import { hash as digestOf } from 'node:crypto'
import type { Source } from '../runtime/environment.ts'
import { isRecord, type RecordEntry } from './line.ts'
import { parseRecords, recordOf, type Line } from './reading.ts'
import { quote } from '../text/escape.ts'
import { isInteger } from '../text/json.ts'
import { formatTime } from '../text/time.ts'
import { compareCodeUnits, counted } from '../text/words.ts'
import { instructions, introduction } from './evidence-texts.ts'

/** A release note takes 125,000 characters; this leaves room for some words around the page. */
export const maxEvidenceLength = 120_000

/**
 * The evidence page of a records file, for a reader without this action, its log or an account; null if it has no record
 * without problems. Depends on nothing but the bytes. At most {@link maxEvidenceLength} UTF-16 code units.
 */
export function renderEvidence(records: Buffer): string | null {
  const runs = readRuns(records)
  const [first] = runs
  if (first === undefined) return null
  const count = runs.reduce((sum, { lines }) => sum + lines.size, 0)
  const head = introduction(counted(count, 'registration'), digestOf('sha256', records))
  const foot = instructions(first.source.repository ?? '')
  const room = maxEvidenceLength - head.length - foot.length - 500
  let tables = ''
  let left = count
  for (const row of rowsOf(sortRuns(runs))) {
    if (tables.length + row.length > room) break
    tables += row
    left -= 1
  }
  const rest = `\n**${counted(left, 'more registration')} ${left === 1 ? 'is' : 'are'} not shown here**, as this page has a limit; the records file has all of them.\n`
  return `${head}${tables}${left > 0 ? rest : ''}\n${foot}`
}

/** What one run registered. */
interface Run {
  readonly source: Source
  /** When the last of it was registered, by the clock of the service. */
  newest: number
  /** By a digest of artifact, service and hash: equal lines, as after a merge of files, count once. */
  readonly lines: Map<string, Line>
}

/** The records without problems, in the order of the file. */
function readRuns(records: Buffer): readonly Run[] {
  const runs = new Map<string, Run>()
  parseRecords(records, '', (entry, line) => {
    if (!isRecord(entry) || entry.problems.length > 0) return
    const { artifact, service, hash, source } = entry
    const { repository, runId, runAttempt, sha, ref } = source
    const name = JSON.stringify([repository, runId, runAttempt, sha, ref])
    const run = runs.get(name) ?? { source, newest: -1, lines: new Map<string, Line>() }
    runs.set(name, run)
    run.newest = Math.max(run.newest, timeOf(entry))
    const key = digestOf('sha256', JSON.stringify([artifact, service, hash]), 'base64')
    run.lines.set(key, line)
  })
  return [...runs.values()]
}

/** The newest run first, of equal ones the later in the file. */
function sortRuns(runs: readonly Run[]): readonly Run[] {
  return runs.toReversed().sort((a, b) => b.newest - a.newest)
}

function timeOf({ record: { creationDate } }: RecordEntry): number {
  return typeof creationDate === 'number' ? creationDate : -1
}

/** A table for each run, by the names of its artifacts; the head of a table comes with its first row. */
function* rowsOf(runs: readonly Run[]): Generator<string> {
  for (const { source, lines } of runs) {
    const sorted = [...lines.values()].sort((a, b) => compareCodeUnits(a.artifact, b.artifact))
    let head = headOf(source)
    for (const line of sorted) {
      yield `${head}${rowOf(recordOf(line))}\n`
      head = ''
    }
  }
}

const notGiven = 'not given by the service'

function rowOf(entry: RecordEntry): string {
  const { artifact, size, hash, record, service, verificationUrl, unansweredTries } = entry
  const { userId, paymentId, blockchainType, txId, txHash, creationDate } = record
  const time = formatTime(creationDate)
  const tries = counted(unansweredTries, 'try before had no answer', 'tries before had no answer')
  const link = address(verificationUrl)
  const registered = [
    time === '–' ? `time ${notGiven}` : `${time} UTC`,
    ...[span(service), `account ${fieldOf(userId)}`, `payment ${fieldOf(paymentId)}`],
  ].join(', ')
  const cells = [
    `${span(artifact)}, ${size === null ? 'size not read' : counted(size, 'byte')}, SHA-256 ${span(hash)}`,
    unansweredTries > 0 ? `${registered}; ${tries}` : registered,
    `${fieldOf(blockchainType)}, transaction ${fieldOf(isText(txId) ? txId : txHash)}`,
    link === null ? 'no address given' : `[look it up](${link})`,
  ]
  return `| ${cells.join(' | ')} |`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function fieldOf(value: unknown): string {
  if (isText(value)) return span(value)
  return isInteger(value) ? span(JSON.stringify(value)) : notGiven
}

const maxSpanLength = 256

/** Foreign text that does nothing in Markdown, and that reads as it is without it: in a code span, on one line. */
function span(text: string): string {
  const shown = quote(text, maxSpanLength).replace(
    /[`|]/g,
    character => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
  return shown.trim() === '' ? '–' : `\`${shown}\``
}

const maxUrlLength = 1000

/** A URL as a link of Markdown that shows it; null for what is none. */
function address(url: string | null | undefined): string | null {
  const parsed = URL.parse(url ?? '')
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null
  const href = parsed.href.replace(/[^\x21-\x7e]|[<>|`\\"]/gu, character =>
    encodeURIComponent(character.toWellFormed()),
  )
  return href.length > maxUrlLength ? null : `<${href}>`
}

function linkedSpan(text: string, url: string | null): string {
  const link = address(url)
  return link === null ? span(text) : `[${span(text)}](${link})`
}

/** For which ref, commit and run the rows below are; the head of their table. */
function headOf(source: Source): string {
  const { repository, ref, sha, commitUrl, runId, runAttempt, runUrl } = source
  const facts = [
    ...(ref ? [`ref ${span(ref)}`] : []),
    ...(sha ? [`commit ${linkedSpan(sha, commitUrl)}`] : []),
    ...(runId ? [`run ${linkedSpan(runId, runUrl)}`] : []),
    ...(runAttempt ? [`attempt ${span(runAttempt)}`] : []),
    ...(repository ? [`repository ${span(repository)}`] : []),
  ]
  const name = ref ? span(ref.replace(/^refs\/(heads|tags)\//, '')) : 'A run without a ref'
  const about = facts.length === 0 ? 'Nothing is known of the run.' : `For ${facts.join(', ')}.`
  return `
### ${name}

${about}

| File | Registered | Blockchain | Look it up |
| --- | --- | --- | --- |
`
}
