import { baseName, compareCodeUnits, formatChecksum } from '../text/names.ts'
import { fieldText } from '../text/json.ts'
import { formatTime, pluralize } from '../text/phrases.ts'
import { quote } from '../text/escape.ts'
import { assess } from './assess.ts'
import { formatLine, isGoodRecord, type Entry, type RecordEntry } from './lines.ts'
import { describeFields } from './record.ts'

/** In UTF-16 code units. Release notes can have 125,000; this leaves space for other text. */
export const maxEvidenceLength = 120_000

export interface NamedHash {
  readonly name: string
  readonly hash: string
}

/** In UTF-16 code units: what the page needs at most besides its two lists. */
const frameLength = 3_200

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
  const space = maxEvidenceLength - frameLength
  const files = joinFitting(listChecksums(checksums), formatChecksum, space * 0.75)
  const list = joinFitting(records, formatEntry, space - files.text.length)
  return formatEvidence(pluralize(records.length, 'registration'), files, list)
}

/** The part of a list that fits on the page, as Markdown, and the number of items that do not. */
interface FittingList {
  readonly text: string
  readonly left: number
}

function joinFitting<T>(
  items: readonly T[],
  format: (item: T) => string,
  maxLength: number,
): FittingList {
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
  const { artifact, size, hash, service, verificationUrl } = entry
  let bytes = 'size unknown: only its checksum was read'
  if (size !== null) bytes = pluralize(size, 'byte')
  const lines = [
    linkedSpan(hash, verificationUrl),
    '',
    `- File: ${span(artifact)}, ${bytes}`,
    `- Service: ${span(service)}`,
    ...formatRecord(entry),
    ...formatSource(entry.source),
  ]
  if (entry.maybeChargedAgain) {
    lines.push('- This registration may have been charged more than once.')
  }
  return `${lines.join('\n')}\n\n`
}

/** Lists what the service responded, or that a person added the entry without a response. */
function formatRecord({ at, confirmed, record }: RecordEntry): readonly string[] {
  const noResponse = 'This entry is not a response from the service.'
  if (confirmed && at !== null) {
    const time = span(formatTime(Date.parse(at)))
    const what = 'a person looked up this SHA-256 at the service and found it registered'
    return [`- Confirmed at ${time} (UTC): ${what}. ${noResponse}`]
  }
  const { userId, paymentId } = record
  const { time, blockchain, transaction } = describeFields(record)
  const lines = [
    `- Time (UTC), by the clock of the service: ${spanField(time)}`,
    `- Account at the service: ${spanField(userId)}`,
    `- Payment: ${spanField(paymentId)}`,
    `- Blockchain: ${spanField(blockchain)}`,
    `- Transaction: ${spanField(transaction)}`,
  ]
  // A line of this action has the time at which its hash was sent.
  if (at === null) lines.push(`- Added by hand. ${noResponse}`)
  return lines
}

function formatSource(source: RecordEntry['source']): readonly string[] {
  const { ref, sha, commitUrl, runId, runUrl } = source
  const lines: string[] = []
  if (ref !== null) lines.push(formatRef(ref))
  if (sha !== null) lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`)
  if (runId !== null) lines.push(`- Run: ${linkedSpan(runId, runUrl)}`)
  return lines
}

const refKinds = new Map([
  ['tags', 'Tag'],
  ['heads', 'Branch'],
])

function formatRef(ref: string): string {
  const [, kind = '', name = ref] = /^refs\/(tags|heads)\/(.+)$/s.exec(ref) ?? []
  return `- ${refKinds.get(kind) ?? 'Ref'}: ${span(name)}`
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
  const parsed = URL.parse(url ?? '')
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return span(text)
  // URL.parse has encoded all other characters that could end the link or begin code.
  const address = parsed.href.replace(/[`\\]/g, encodeURIComponent)
  return `[${span(text)}](<${address}>)`
}

/** Fills in the page. Its lines are short, because it is also read unrendered. */
function formatEvidence(count: string, files: FittingList, registrations: FittingList): string {
  let rest = ''
  if (registrations.left > 0) {
    const more = pluralize(registrations.left, 'more registration is', 'more registrations are')
    rest = `**${more} not shown**, because this page has a size limit.
The records files (\`notarization-records*.jsonl\`) contain every registration.

`
  }
  return `# Notarization evidence

This page lists ${count} of SHA-256 digests with a notarization service.
You can read and check it without an account.

## What this page proves, and what it does not

- Each entry records a response from the service: this account registered this SHA-256 at this time,
  according to the service's clock. An entry that a person added says so.
- A file with the same SHA-256 contains exactly the bytes that were notarized.
- It does not prove who made the file, what source it was built from, or that it is free of defects.
- This page is plain text, which anyone who can replace the file can change. Compare it with what they
  cannot change: the service and, if there is one, the blockchain transaction or an attestation of the
  records.

## Compare downloaded files

${formatChecksumList(files)}To compare a single file, compute its SHA-256 and search for it on this page, ignoring case.

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

## Registrations, newest first

${registrations.text}${rest}## Look up a registration

If the SHA-256 is a link, follow it. Otherwise, ask the service about it. If the entry has a
transaction, you can look it up in any explorer for that blockchain.

"Account at the service" is the customer number of the account that registered the file. "Payment"
is the number of the subscription that was charged. Only the service can tell who they belong to.

## Check who wrote the records

This page was made from records files that a workflow may have attested. To check a records file,
use GitHub CLI 2.49 or later, and replace OWNER/REPO with the repository that you downloaded this
page from. Do not take the name of the repository from this page.

\`\`\`sh
gh attestation verify notarization-records.jsonl --repo OWNER/REPO
\`\`\`

The command succeeds only if a workflow of that repository attested this exact file. Without an
attestation, you cannot tell who wrote the records.
`
}

function formatChecksumList({ text, left }: FittingList): string {
  if (text === '' && left === 0) return ''
  let rest = ''
  if (left > 0) {
    const more = pluralize(left, 'more file is', 'more files are')
    rest = `**${more} not listed**, because this page has a size limit.\n\n`
  }
  return `Save this page as \`notarization-evidence.md\` in the folder with the files, then run the command
for your system there. It must report OK for every listed file that you have. Ignore the warning
about improperly formatted lines, which is about the text of this page.

- Linux: \`sha256sum --ignore-missing -c notarization-evidence.md\`
- macOS: \`shasum -a 256 --ignore-missing -c notarization-evidence.md\`
- Windows PowerShell:

  \`\`\`powershell
  Select-String '^([0-9a-f]{64})  (.+)$' notarization-evidence.md | ForEach-Object {
    $hash, $name = $_.Matches[0].Groups[1].Value, $_.Matches[0].Groups[2].Value
    if (Test-Path -LiteralPath $name) {
      $result = if ((Get-FileHash -LiteralPath $name).Hash -eq $hash) { 'OK' } else { 'FAILED' }
      "\${name}: $result"
    }
  }
  \`\`\`

The files:

\`\`\`text
${text}\`\`\`

${rest}`
}
