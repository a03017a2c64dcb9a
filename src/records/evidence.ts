import { formatChecksum } from '../text/checksum-line.ts'
import { quote } from '../text/escape.ts'
import { fieldText, timeText } from '../text/field.ts'
import { baseName, compareCodeUnits, pluralize } from '../text/words.ts'
import { formatEvidencePage, type TruncatedList } from './evidence-page.ts'
import { assess } from './known-records.ts'
import { formatLine, isGoodRecord, type Entry, type RecordEntry } from './line.ts'

/** In UTF-16 code units. Release notes can have 125,000; this leaves space for other text. */
export const maxEvidenceLength = 120_000

export interface NamedHash {
  readonly name: string
  readonly hash: string
}

/** The share of the page that checksum lines may take. */
const checksumsShare = 0.75

/**
 * Renders the evidence page in Markdown; null if no record is without problems. `entries` are the
 * lines of all records files. Items beyond {@link maxEvidenceLength} are only counted.
 */
export function renderEvidence(
  entries: readonly Entry[],
  checksums: readonly NamedHash[],
): string | null {
  const records = listRecords(entries)
  if (records.length === 0) return null
  const files = listChecksums(checksums)
  const count = pluralize(records.length, 'registration')
  // Without its lists, the page is longest when it counts all items as left.
  const noFiles = { text: '', left: files.length }
  const noRecords = { text: '', left: records.length }
  const budget = maxEvidenceLength - formatEvidencePage(count, noFiles, noRecords).length
  const checksumList = joinFitting(files, formatChecksum, budget * checksumsShare)
  const entryList = joinFitting(records, formatEntry, budget - checksumList.text.length)
  return formatEvidencePage(count, checksumList, entryList)
}

/** Formats as many of the first items as fit. */
function joinFitting<T>(
  items: readonly T[],
  format: (item: T) => string,
  maxLength: number,
): TruncatedList {
  let text = ''
  for (const [index, item] of items.entries()) {
    const next = format(item)
    if (text.length + next.length > maxLength) return { text, left: items.length - index }
    text += next
  }
  return { text, left: 0 }
}

/** Lists the records without problems, newest first; `maybeChargedAgain` considers all lines. */
function listRecords(entries: readonly Entry[]): readonly RecordEntry[] {
  const records: RecordEntry[] = []
  const byHash = Map.groupBy(entries, ({ hash, service }) => `${hash} ${service}`)
  for (const ofHash of byHash.values()) {
    const known = assess(ofHash)
    if (known.state !== 'registered') continue
    const { maybeChargedAgain } = known
    const byLine = new Map(ofHash.filter(isGoodRecord).map(record => [formatLine(record), record]))
    for (const entry of byLine.values()) records.push({ ...entry, maybeChargedAgain })
  }
  // The order of the files does not matter: the same records make the same page.
  const keyOf = ({ at, hash }: RecordEntry): string => `${at ?? ''} ${hash}`
  return records.sort((a, b) => compareCodeUnits(keyOf(b), keyOf(a)))
}

function listChecksums(checksums: readonly NamedHash[]): readonly NamedHash[] {
  const listed: NamedHash[] = []
  const sorted = checksums.toSorted((a, b) => compareCodeUnits(a.name, b.name))
  for (const [name, files] of Map.groupBy(sorted, file => baseName(file.name))) {
    // Under one base name, one of two different files would be reported as changed.
    if (new Set(files.map(({ hash }) => hash)).size > 1) listed.push(...files)
    else listed.push(...files.slice(0, 1).map(({ hash }) => ({ name, hash })))
  }
  return listed
}

function formatEntry(entry: RecordEntry): string {
  const { artifact, size, hash, service, record, source, verificationUrl } = entry
  const { creationDate, userId, paymentId, blockchainType, txId, txHash } = record
  const bytes = size === null ? 'size unknown: only its checksum was read' : pluralize(size, 'byte')
  const transaction = fieldText(txId) === '' ? txHash : txId
  const lines = [
    linkedSpan(hash, verificationUrl),
    '',
    `- File: ${span(artifact)}, ${bytes}`,
    `- Time (UTC), by the clock of the service: ${spanField(timeText(creationDate))}`,
    `- Service: ${span(service)}`,
    `- Account at the service: ${spanField(userId)}`,
    `- Payment: ${spanField(paymentId)}`,
    `- Blockchain: ${spanField(blockchainType)}`,
    `- Transaction: ${spanField(transaction)}`,
  ]
  const { ref, sha, commitUrl, runId, runUrl } = source
  if (ref !== null) lines.push(formatRef(ref))
  if (sha !== null) lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`)
  if (runId !== null) lines.push(`- Run: ${linkedSpan(runId, runUrl)}`)
  if (entry.maybeChargedAgain)
    lines.push('- This registration may have been charged more than once.')
  return `${lines.join('\n')}\n\n`
}

function formatRef(ref: string): string {
  const [, kind, name] = /^refs\/(tags|heads)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined) return `- Ref: ${span(ref)}`
  return `- ${kind === 'tags' ? 'Tag' : 'Branch'}: ${span(name)}`
}

function spanField(value: unknown): string {
  const text = fieldText(value)
  return text.trim() === '' ? 'not given by the service' : span(text)
}

/** Formats untrusted text as a code span on one line: harmless in Markdown, and readable unrendered. */
function span(text: string): string {
  return `\`${quote(text, 256).replaceAll('`', '\\u0060')}\``
}

function linkedSpan(text: string, url: string | null): string {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return span(text)
  // URL.parse has encoded all other characters that could end the link or begin code.
  const address = parsed.href.replace(/[`\\]/g, encodeURIComponent)
  return `[${span(text)}](<${address}>)`
}
