import { hash } from 'node:crypto'
import { evidenceName, recordsName } from '../artifacts/own-files.ts'
import { readIfThere, type Disk } from '../records/disk.ts'
import { renderEvidence } from '../records/evidence.ts'
import { isGoodRecord, type Entry } from '../records/line.ts'
import { completeLines } from '../records/parse-records.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import type { GitHubApi } from './api.ts'
import type { ReleaseContents } from './contents.ts'
import { GitHubError } from './github-error.ts'
import { listNames, type Asset } from './github-types.ts'
import { uploadFile } from './upload.ts'

/** The evidence of a run. */
export interface EvidenceInput {
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** Base URL of the service in normal form. */
  readonly service: string
  /** The hashes that are registered. */
  readonly hashes: ReadonlySet<string>
}

/** The result of attaching, and of comparing the assets with those at the start. */
export interface Attachment {
  readonly tag: string
  /** Why the release is not complete, as a clause; null if it is. */
  readonly failure: string | null
  readonly warnings: readonly string[]
  /** Whether the release lacks lines of the records file; the log has them all. */
  readonly hasPrintedLines: boolean
}

export interface AttachTask {
  readonly api: GitHubApi
  readonly contents: ReleaseContents
  readonly evidence: EvidenceInput
  /** Whether to attach evidence; otherwise, the assets are only compared. */
  readonly isAttaching: boolean
  /** The artifacts of the release when it was opened. */
  readonly before: readonly Asset[]
  readonly host: Host
  readonly disk: Disk
}

/** How often the page is replaced while other jobs attach records. */
const maxReplacements = 5

/**
 * Uploads the records file if the release lacks any of its lines, then the evidence page; compares
 * the assets with those at the start. After a signal or failure, prints these lines. Never rejects.
 */
export async function attachEvidence(task: AttachTask): Promise<Attachment> {
  const { contents, evidence, isAttaching, host, disk } = task
  const { cancelled } = host.halt
  const tag = contents.release.tag_name
  const warnings: string[] = []
  let failure: string | null = null
  let file: Buffer
  try {
    file = isAttaching ? readRecordsFile(evidence, disk) : Buffer.alloc(0)
  } catch (error) {
    return { tag, failure: describeFailure(error), warnings, hasPrintedLines: false }
  }
  const findMissing = (): readonly Buffer[] => completeLines(contents.missingLines(file))
  const printMissing = (): void => {
    const lines = findMissing()
    if (lines.length === 0) return
    host.runner.info(
      `Lines of the records file that the release "${quote(tag)}" lacks; the only other copy may be on this job's machine:`,
    )
    for (const line of lines) host.runner.info(line.toString())
  }

  if (cancelled.aborted) printMissing()
  cancelled.addEventListener('abort', printMissing)
  try {
    await contents.refresh(task.api)
    if (findMissing().length > 0) await uploadRecords(file, task)
    if (isAttaching) warnings.push(...(await attachPage(task)))
    const unregistered = await findUnregistered(task)
    const names = new Set(task.before.map(({ name }) => name))
    const replaced = unregistered.filter(({ name }) => names.has(name))
    const added = unregistered.filter(({ name }) => !names.has(name))
    if (replaced.length > 0)
      failure = `replaced during this run, without a record: ${listNames(replaced)}`
    if (added.length > 0) warnings.push(`${newAssets}: ${listNames(added)}`)
  } catch (error) {
    if (!cancelled.aborted) printMissing()
    if (findMissing().length > 0) failure = describeFailure(error)
    else warnings.push(`The assets were not compared again: ${describeFailure(error)}`)
  }
  cancelled.removeEventListener('abort', printMissing)

  return { tag, failure, warnings, hasPrintedLines: findMissing().length > 0 }
}

const newAssets = 'New assets were uploaded to the release during this run, without a record'

/** Reads the records file; it must exist if something is registered. Throws a system error. */
function readRecordsFile({ recordsPath, hashes }: EvidenceInput, disk: Disk): Buffer {
  return hashes.size === 0 ? readIfThere(recordsPath, disk) : disk.read(recordsPath)
}

function describeFailure(error: unknown): string {
  const remedy = error instanceof GitHubError ? error.failure.remedy : 'run the job again'
  return `${describeError(error)}; ${remedy}`
}

/** Uploads the whole records file under a name that is not taken. */
async function uploadRecords(bytes: Buffer, { api, contents }: AttachTask): Promise<void> {
  const { release } = contents
  const ownName = recordsName.replace('.', `-${hash('sha256', bytes).slice(0, 12)}.`)
  let asset: Asset | null = null
  if (contents.find(recordsName) === undefined) {
    asset = await uploadFile({ name: recordsName, bytes }, release, api)
  }
  asset ??= await uploadFile({ name: ownName, bytes }, release, api)
  if (asset === null) throw new GitHubError(`"${ownName}" is the name of another file`)
  contents.addRecords(asset, bytes)
}

/** Replaces the evidence page until it has all listed records. Failures are only warnings. */
async function attachPage({ api, contents, evidence }: AttachTask): Promise<readonly string[]> {
  if (contents.release.immutable) return []
  try {
    for (let replacements = 0; replacements < maxReplacements; replacements++) {
      const { entries } = contents
      // Includes hashes of other runs: jobs that attach at the same time must make the same page.
      const checksums = contents.checksums(recordedHashes(entries).union(evidence.hashes))
      const page = renderEvidence(entries, checksums)
      if (page === null) return []
      const bytes = Buffer.from(page)
      const old = contents.find(evidenceName)
      const mayBeCurrent = old?.isUploaded === true && old.size === bytes.length
      if (mayBeCurrent && (await api.hashAsset(old)) === hash('sha256', bytes)) return []
      if (old !== undefined) await api.deleteAsset(old)
      const asset = await uploadFile({ name: evidenceName, bytes }, contents.release, api)
      const hasNewRecords = await contents.refresh(api)
      if (asset !== null && !hasNewRecords) return []
    }
    return [`"${evidenceName}" may lack records that other jobs attached at the same time`]
  } catch (error) {
    return [
      `The release has all records, but its evidence page may lack some: ${describeFailure(error)}`,
    ]
  }
}

function recordedHashes(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.filter(isGoodRecord).map(entry => entry.hash))
}

/** Finds the assets that were uploaded during the run and have no record. */
async function findUnregistered(task: AttachTask): Promise<readonly Asset[]> {
  const { api, before, contents, evidence } = task
  const ids = new Set(before.map(({ id }) => id))
  const late = contents.artifacts.filter(({ id }) => !ids.has(id))
  if (late.length === 0) return []
  const entries = contents.entries.filter(({ service }) => service === evidence.service)
  const registered = recordedHashes(entries).union(evidence.hashes)
  const unregistered: Asset[] = []
  for (const asset of late) {
    if (!registered.has(await api.hashAsset(asset))) unregistered.push(asset)
  }
  return unregistered
}
