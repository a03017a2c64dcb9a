import { pluralize } from '../text/words.ts'

/** The part of a list that fits on the page, as Markdown. */
export interface TruncatedList {
  readonly text: string
  /** The number of items that do not fit. */
  readonly left: number
}

/**
 * Fills in the evidence page. Its lines are short, because it is also read unrendered.
 * @param count The number of registrations, with its noun.
 * @param checksums Lines in GNU format, each with its newline.
 * @param entries Registrations, each followed by an empty line.
 */
export function formatEvidencePage(
  count: string,
  checksums: TruncatedList,
  entries: TruncatedList,
): string {
  const moreEntries = pluralize(entries.left, 'more registration is', 'more registrations are')
  const left = `**${moreEntries} not shown**, because this page has a size limit.
The records files (\`notarization-records*.jsonl\`) contain every registration.

`
  return `# Notarization evidence

This page shows ${count} of SHA-256 digests with a notarization service.
You can read and check it without an account.

## What this page proves, and what it does not

- Each entry records an answer from the service: this account registered this SHA-256 at this time,
  according to the service's clock.
- A file with the same SHA-256 contains exactly the bytes that were notarized.
- It does not prove who made the file, what source it was built from, or that it is free of defects.
- This page is plain text: anyone who can replace the file can change it. Compare it with what they
  cannot change: the service and, if available, the blockchain transaction and an attestation of the
  records.

## Compare downloaded files

${checksums.text === '' && checksums.left === 0 ? '' : formatChecksumList(checksums)}To compare a single file, compute its SHA-256 and search for it on this page, ignoring case.

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

## Registrations, newest first

${entries.text}${entries.left > 0 ? left : ''}## Look up a registration

If the SHA-256 is a link, follow it. Otherwise, ask the service about it. If the entry has a
transaction, you can look it up in any explorer for that blockchain.

"Account at the service" is the customer number of the account that registered the file. "Payment"
is the number of the subscription that paid for it. Only the service can tell who they belong to.

## Check who wrote the records

This page was created from records files that a workflow may have attested. To check a records file,
use GitHub CLI 2.49 or later, and replace OWNER/REPO with the repository you downloaded this page
from. Do not copy the repository name from this page.

\`\`\`sh
gh attestation verify notarization-records.jsonl --repo OWNER/REPO
\`\`\`

The command succeeds only if a workflow of that repository attested this exact file. Without an
attestation, you cannot tell who wrote the records.
`
}

function formatChecksumList({ text, left }: TruncatedList): string {
  const more = pluralize(left, 'more file is', 'more files are')
  const rest = `**${more} not listed**, because this page has a size limit.\n\n`
  return `Save this page as \`notarization-evidence.md\` in the folder with the files, then run the command
for your system there. It must report OK for every listed file that you have. Ignore the warning
about improperly formatted lines: it refers to the text of this page.

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

${left > 0 ? rest : ''}`
}
