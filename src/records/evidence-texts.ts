/** The head of the evidence page: what it is, and what it proves. `registrations` is a number with its noun. */
export function introduction(registrations: string, digest: string): string {
  return `# Notarization evidence

This page shows ${registrations} of files on a blockchain notarization service. It was made from the records file
\`notarization-records.jsonl\` with the SHA-256 \`${digest}\`, and needs no account and no program to be read.

## What it proves, and what it does not

- Each row is what the service answered: this account registered this SHA-256 at this time, by the clock of the service.
- A file with exactly this SHA-256 existed then, and has not changed since by a single byte.
- It does not prove who made the file, from which source, what it is worth, or that it is free of faults.
- This page is text, and whoever can replace it can change it. What stands against that is the service (look the SHA-256 up there),
  the transaction on the blockchain where the service gave one, and an attestation of the records file, if there is one.

## What is registered
`
}

const plainRepository = /^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/

/** The foot of the evidence page: how its reader checks what it says. */
export function instructions(repository: string): string {
  return `## How to compare a file

Compute the SHA-256 of the file, with the name of yours in place of FILE:

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows, PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

It must be one of those above, all 64 digits of it; capital letters make no difference. Then it is the registered file, whatever its name is now.

## How to look the registration up

Open the address in the row, or ask the service that the row names for the SHA-256. Where the row names a transaction, any explorer of that
blockchain shows it. Account and payment are the numbers by which the service knows who registered and how it was paid.

## How to look for an attestation of the records file

The records file may be signed (attested) by the workflow that wrote it. With the records file and the GitHub CLI:

\`\`\`sh
gh attestation verify notarization-records.jsonl --repo ${plainRepository.test(repository) ? repository : 'OWNER/REPOSITORY'}
\`\`\`

It succeeds only if a workflow of that repository attested exactly these bytes. That it finds nothing says only that there is no attestation.
`
}
