import { pluralize } from '../text/words.ts'

/** What fits on the page of a list. */
export interface TruncatedList {
  readonly text: string
  /** How many items do not fit. */
  readonly left: number
}

/** The lists of the evidence page. */
export interface EvidenceLists {
  /** Lines in GNU format, each with its newline. */
  readonly checksums: TruncatedList
  /** In Markdown, each with an empty line behind it. */
  readonly entries: TruncatedList
}

/** The evidence page; `count` is the number of registrations, with its noun. Its lines are short, as it is read raw, too. */
export function formatEvidencePage(count: string, { checksums, entries }: EvidenceLists): string {
  const moreEntries = pluralize(entries.left, 'more registration is', 'more registrations are')
  const left = `**${moreEntries} not shown**, because this page has a size limit.
The records files (\`notarization-records*.jsonl\`) have all of them.

`
  return `# Notarization evidence

This page shows ${count} of SHA-256 digests with a notarization service.
It can be read and checked without an account.

## What it proves, and what it does not

- Each entry is an answer of the service: this account registered this SHA-256 at this time, by the
  clock of the service.
- A file with this SHA-256 has exactly the bytes that were notarized.
- It does not prove who made the file, from which source, or that the file is free of defects.
- This page is text, and whoever can replace it can change it. Compare it with what they cannot
  change: the service, the transaction on the blockchain where there is one, and an attestation of
  the records where there is one.

## Compare downloaded files

${checksums.text === '' && checksums.left === 0 ? '' : formatChecksumList(checksums)}To compare a single file, compute its SHA-256 and look for it on this page. Upper-case letters make
no difference.

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

## Registrations, newest first

${entries.text}${entries.left > 0 ? left : ''}## Look up a registration

If the SHA-256 is a link, follow it; otherwise ask the service for it. If the entry names a
transaction, any explorer of that blockchain shows it.

"Account at the service" is the customer number of whoever registered the file, and "Payment" is the
number of the subscription that paid for it. Only the service can tell whose numbers these are.

## Check who wrote the records

This page was made from records files that a workflow may have attested. To check one with GitHub
CLI 2.49 or newer, put the repository from which you downloaded this page in place of OWNER/REPO.
Do not take its name from this page.

\`\`\`sh
gh attestation verify notarization-records.jsonl --repo OWNER/REPO
\`\`\`

It succeeds only if a workflow of that repository attested exactly this file. If it finds nothing,
this file has no attestation.
`
}

function formatChecksumList({ text, left }: TruncatedList): string {
  const more = pluralize(left, 'more file is', 'more files are')
  const rest = `**${more} not listed**, because this page has a size limit.\n\n`
  return `Save this page as \`notarization-evidence.md\` next to the files, and run the command there.
Every listed file that you have must be reported as OK. Ignore the warning about improperly
formatted lines: it is about the text of this page.

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
