import { formatChecksum } from '../text/checksum-line.ts'
import { quote } from '../text/escape.ts'
import { fieldText, timeText } from '../text/field.ts'
import { baseName, compareCodeUnits, pluralize } from '../text/words.ts'
import { formatEvidencePage, type TruncatedList } from './evidence-page.ts'
import { assess } from './known-records.ts'
import { formatLine, isGoodRecord, isRecord, type Entry, type RecordEntry } from './line.ts'

/** A release note takes 125,000 characters; this leaves space for some words around the page. */
export const maxEvidenceLength = 120_000

/** A registered artifact with its SHA-256. */
export interface NamedHash {
  readonly name: string
  readonly hash: string
}

/** An entry with the fields of its record that the page shows. */
export function withShownFields(entry: Entry): Entry {
  if (!isRecord(entry)) return entry
  const { creationDate, userId, paymentId, blockchainType, txId, txHash } = entry.record
  return { ...entry, record: { creationDate, userId, paymentId, blockchainType, txId, txHash } }
}

/** Of what fits on the page, the share that checksum lines have at most. */
const checksumsShare = 0.75

/**
 * The evidence page in Markdown, for a reader without this action, its log or an account; null if there is no record
 * without problems. `entries` are the lines of all records files, equal ones counted once; each of `checksums`, the
 * registered artifacts, has a checksum line under its base name. Pure. At most {@link maxEvidenceLength} UTF-16 code units:
 * what does not fit is counted.
 */
export function renderEvidence(
  entries: readonly Entry[],
  checksums: readonly NamedHash[],
): string | null {
  const records = listRecords(entries)
  if (records.length === 0) return null
  const sums = listChecksums(checksums)
  const count = pluralize(records.length, 'registration')
  // The longest that the page can be without them.
  const nothing = { checksums: fit(sums, formatChecksum, 0), entries: fit(records, formatEntry, 0) }
  const budget = maxEvidenceLength - formatEvidencePage(count, nothing).length
  const wanted = fit(records, formatEntry, budget).text.length
  const room = Math.max(budget * checksumsShare, budget - wanted)
  const listed = fit(sums, formatChecksum, room)
  const shown = fit(records, formatEntry, budget - listed.text.length)
  return formatEvidencePage(count, { checksums: listed, entries: shown })
}

/** As many of the first items as fit, and how many are left. */
function fit<T>(
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

/** The records without problems, the newest first; `maybeChargedAgain` by all that is known of the hash. */
function listRecords(entries: readonly Entry[]): readonly RecordEntry[] {
  const records: RecordEntry[] = []
  const byHash = Map.groupBy(entries, ({ hash, service }) => `${hash} ${service}`)
  for (const ofHash of byHash.values()) {
    const known = assess(ofHash)
    if (known?.state !== 'registered') continue
    const { maybeChargedAgain } = known
    const byLine = new Map(ofHash.filter(isGoodRecord).map(one => [formatLine(one), one]))
    for (const entry of byLine.values()) records.push({ ...entry, maybeChargedAgain })
  }
  // Not by the order of the files: the same records make the same page.
  const keyOf = ({ at, hash }: RecordEntry): string => `${at ?? ''} ${hash}`
  return records.sort((a, b) => compareCodeUnits(keyOf(b), keyOf(a)))
}

function listChecksums(checksums: readonly NamedHash[]): readonly NamedHash[] {
  const listed: NamedHash[] = []
  const sorted = checksums.toSorted((a, b) => compareCodeUnits(a.name, b.name))
  for (const [name, files] of Map.groupBy(sorted, one => baseName(one.name))) {
    const [hash = '', ...others] = new Set(files.map(one => one.hash))
    // One of two different files with the same base name would be reported as changed.
    if (others.length === 0) listed.push({ name, hash })
    else listed.push(...files)
  }
  return listed
}

const notGiven = 'not given by the service'

function formatEntry(entry: RecordEntry): string {
  const { artifact, size, hash, service, record, source, verificationUrl } = entry
  const { creationDate, userId, paymentId, blockchainType, txId, txHash } = record
  const bytes = size === null ? notRead : pluralize(size, 'byte')
  const transaction = fieldText(txId) === '' ? txHash : txId
  const lines = [
    linkedSpan(hash, verificationUrl),
    '',
    `- File: ${span(artifact)}, ${bytes}`,
    `- Time in UTC, by the clock of the service: ${spanField(timeText(creationDate))}`,
    `- Service: ${span(service)}`,
    `- Account at the service: ${spanField(fieldText(userId))}`,
    `- Payment: ${spanField(fieldText(paymentId))}`,
    `- Blockchain: ${spanField(fieldText(blockchainType))}`,
    `- Transaction: ${spanField(fieldText(transaction))}`,
  ]
  const { ref, sha, commitUrl, runId, runUrl } = source
  if (ref !== null) lines.push(formatRef(ref))
  if (sha !== null) lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`)
  if (runId !== null) lines.push(`- Run: ${linkedSpan(runId, runUrl)}`)
  if (entry.maybeChargedAgain)
    lines.push('- This registration may have been charged more than once.')
  return `${lines.join('\n')}\n\n`
}

const notRead = 'size not known: only its checksum was read'

function formatRef(ref: string): string {
  const [, kind, name] = /^refs\/(tags|heads)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined) return `- Ref: ${span(ref)}`
  return `- ${kind === 'tags' ? 'Tag' : 'Branch'}: ${span(name)}`
}

function spanField(text: string): string {
  return text.trim() === '' ? notGiven : span(text)
}

/** Foreign text that does nothing in Markdown and reads the same without it: a code span on one line. */
function span(text: string): string {
  return `\`${quote(text, 256).replaceAll('`', '\\u0060')}\``
}

function linkedSpan(text: string, url: string | null): string {
  const parsed = URL.parse(url ?? '')
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return span(text)
  // What else could end the link, or begin code, is encoded by now.
  const address = parsed.href.replace(/[`\\]/g, encodeURIComponent)
  return `[${span(text)}](<${address}>)`
}
