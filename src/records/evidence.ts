import type { HashedArtifact } from '../outcome.ts'
import { quote } from '../text/escape.ts'
import { textOf } from '../text/json.ts'
import { baseName, evidenceName, formatChecksum } from '../text/names.ts'
import { formatTime, pluralize, takeFitting } from '../text/phrases.ts'
import type { RecordEntry } from './lines.ts'
import { describeFields } from './record.ts'

/** Of both lists, in UTF-16 code units: the page is below 120,000 then. Release notes can have 125,000, with other text. */
const maxListsLength = 117_500

export interface Evidence extends Pick<HashedArtifact, 'name' | 'size' | 'hash'> {
  readonly entry: RecordEntry
  /** Where people look up the registration; null if there is no such page. */
  readonly verificationUrl: string | null
  readonly maybeChargedAgain: boolean
}

/** Renders the evidence page in Markdown. What does not fit in 120,000 characters is counted. */
export function renderEvidence(items: readonly Evidence[]): string {
  const lines = listChecksums(items)
  const checksums = joinFitting(lines, lines.length, maxListsLength / 3)
  const left = maxListsLength - checksums.length
  const registrations = joinFitting(items.values().map(formatEntry), items.length, left)
  return `# Notarization evidence

Unless it says otherwise, each entry below is a response of a notarization service: this account registered this
SHA-256 at this time, by the service's clock. A file with the same SHA-256 has exactly the registered bytes. This page
does not prove who made a file, what it was built from, or that it has no defects. Anyone who can replace a file can
replace this page too, so compare it with what they cannot change: the look-up at the service, the blockchain
transaction, or the attestation.

## Compare files

Save this page as \`${evidenceName}\` beside the files, and run one of these commands there. Each listed file that you
have must be OK. Ignore a warning about improperly formatted lines.

- Linux: \`sha256sum --ignore-missing -c ${evidenceName}\`
- macOS: \`shasum -a 256 --ignore-missing -c ${evidenceName}\`
- Windows, for one file: \`certutil -hashfile FILE SHA256\`, then search this page for the result

\`\`\`text
${checksums}\`\`\`

## Check the attestation

If the release has attestations, GitHub CLI 2.67 or newer shows who notarized a file, and its record. Take the names of
the repository, the workflow and its ref (refs/tags/TAG, or refs/heads/BRANCH if it ran later) from a source that you
trust, not from this page.

\`gh attestation verify FILE --repo OWNER/REPO --limit 1000 --predicate-type https://github.com/OWNER/REPO/notarization/v1 --cert-identity https://github.com/OWNER/REPO/.github/workflows/WORKFLOW@REF\`

## Registrations

${registrations}`
}

/** Joins as many of `count` texts as fit, and counts the rest, which is not even made. */
function joinFitting(texts: Iterable<string>, count: number, maxLength: number): string {
  const shown = takeFitting(texts, maxLength, text => text.length)
  const more = count - shown.length
  return shown.join('') + (more === 0 ? '' : `… and ${more} more, in the records file\n`)
}

/** Lists each file under its base name, or under its whole name if two different files share the base name. */
function listChecksums(items: readonly Evidence[]): readonly string[] {
  const lines = new Set<string>()
  for (const [name, files] of Map.groupBy(items, file => baseName(file.name))) {
    const isAmbiguous = new Set(files.map(({ hash }) => hash)).size > 1
    for (const file of files) lines.add(formatChecksum(isAmbiguous ? file : { ...file, name }))
  }
  return [...lines]
}

function formatEntry(item: Evidence): string {
  const { name, size, hash, entry } = item
  const bytes = size === null ? 'size unknown: only its checksum was read' : pluralize(size, 'byte')
  const lines = [
    linkedSpan(hash, item.verificationUrl),
    '',
    `- File: ${span(name)}, ${bytes}`,
    `- Service: ${span(entry.service)}`,
    ...formatRecord(entry),
    ...formatSource(entry.source),
  ]
  if (item.maybeChargedAgain)
    lines.push('- This registration may have been charged more than once.')
  return `${lines.join('\n')}\n\n`
}

/** Lists what the service responded, or that a person added the entry without a response. */
function formatRecord({ at, confirmed, record }: RecordEntry): readonly string[] {
  if (confirmed) {
    const time = span(formatTime(Date.parse(at)))
    const what = 'a person looked up this SHA-256 at the service and found it registered'
    return [`- Confirmed at ${time} (UTC): ${what}. This entry is not a response from the service.`]
  }
  const { userId, paymentId, creationDate, blockchainType, txId, txHash } = record
  const { time, blockchain, transaction } = describeFields(record)
  return [
    `- Time (UTC), by the clock of the service: ${spanField(creationDate, time)}`,
    `- Account at the service: ${spanField(userId)}`,
    `- Payment: ${spanField(paymentId)}`,
    `- Blockchain: ${spanField(blockchainType, blockchain)}`,
    `- Transaction: ${spanField(txId ?? txHash, transaction)}`,
  ]
}

function formatSource({ ref, sha, commitUrl, runId, runUrl }: RecordEntry['source']) {
  const lines: string[] = []
  const tag = /^refs\/tags\/(.*)$/s.exec(ref ?? '')?.[1]
  if (tag !== undefined) lines.push(`- Tag: ${span(tag)}`)
  else if (ref !== null) lines.push(`- Ref: ${span(ref)}`)
  if (sha !== null) lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`)
  if (runId !== null) lines.push(`- Run: ${linkedSpan(runId, runUrl)}`)
  return lines
}

/** Formats a field of a record; `text` is how it is shown, empty if it has an unexpected type. */
function spanField(value: unknown, text = textOf(value) ?? ''): string {
  if (text.trim() !== '') return span(text)
  return (value ?? '') === '' ? 'not given by the service' : '–'
}

/** Formats untrusted text as a code span on one line: harmless in Markdown, and readable unrendered. */
function span(text: string): string {
  return `\`${quote(text).replaceAll('`', '\\u0060')}\``
}

function linkedSpan(text: string, url: string | null): string {
  const parsed = URL.parse(url ?? '')
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return span(text)
  // URL.parse has encoded all other characters that could end the link or begin code.
  const address = parsed.href.replace(/[`\\]/g, encodeURIComponent)
  return `[${span(text)}](<${address}>)`
}
