/** The files that prove what is registered, for later steps of the job and for people. */
import { join } from 'node:path'
import { describeError } from '../failure.ts'
import { isHashed, isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { evidenceName, formatChecksum } from '../text/names.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { renderEvidence, type Evidence } from './evidence.ts'
import type { Ledger } from './ledger.ts'

/** In bytes of UTF-8: `actions/attest` takes predicates of up to 16 MiB. */
const maxPredicateBytes = 16_000_000

/** The absolute paths of the files by output; empty where there is no file. */
export type ProofPaths = Readonly<Record<keyof typeof noPaths, string>>

export const noPaths = { 'checksums-path': '', 'predicate-path': '', 'evidence-path': '' }

/** Writes the files, each unless it has no content. Warns of those that cannot be written, because the registrations are done. */
export function writeProofs(
  run: {
    /** Sorted by name, without secrets. */
    readonly artifacts: readonly Artifact[]
    readonly ledger: Ledger
    readonly inputs: { readonly dryRun: boolean; readonly verificationUrl: string | null }
    /** An empty folder. */
    readonly folder: string
  },
  { disk, runner, secrets }: Host,
): ProofPaths {
  const { artifacts, ledger, folder, inputs } = run
  const { dryRun: isDryRun, verificationUrl: template } = inputs
  const write = (name: string, text: string): string => {
    if (text === '') return ''
    const path = join(folder, name)
    try {
      disk.write(path, text)
      return path
    } catch (error) {
      runner.warning(`"${path}" could not be written: ${describeError(error)}`)
      return ''
    }
  }
  const registered = artifacts.filter(isRegistered)
  const listed = isDryRun ? artifacts.filter(isHashed) : registered
  const checksums = listed.map(formatChecksum).join('')
  const checksumsPath = write('notarization-checksums.txt', checksums)
  if (isDryRun || registered.length === 0) return { ...noPaths, 'checksums-path': checksumsPath }
  const items = registered.map(({ name, size, hash, outcome: { record, otherCharge } }) => {
    const entry = { ...ledger.recordOf(hash), record }
    const verificationUrl = fillVerificationUrl(template, { hash, record })
    return { name, size, hash, entry, verificationUrl, maybeChargedAgain: otherCharge !== null }
  })
  let predicate = renderPredicate(items, ledger)
  if (Buffer.byteLength(predicate) > maxPredicateBytes) {
    predicate = ''
    runner.warning(
      'The output "predicate-path" is empty, because the predicate would exceed 16,000,000 bytes',
    )
  }
  return {
    'checksums-path': checksumsPath,
    'predicate-path': write('notarization-predicate.json', predicate),
    'evidence-path': write(evidenceName, secrets.redactText(renderEvidence(items))),
  }
}

function renderPredicate(items: readonly Evidence[], { service, source }: Ledger): string {
  const records = items.map(({ name: artifact, size, hash, entry, verificationUrl }) => {
    const { at, record, confirmed } = entry
    return { artifact, size, hash, at, record, confirmed, verificationUrl }
  })
  return `${JSON.stringify({ service, source, records })}\n`
}
