import { hash } from 'node:crypto'
import { evidenceName, recordsName } from '../artifacts/own-files.ts'
import { readIfThere, type Disk } from '../records/disk.ts'
import { renderEvidence } from '../records/evidence.ts'
import { isGoodRecord } from '../records/line.ts'
import { completeLines } from '../records/parse-records.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import type { GitHubApi } from './api.ts'
import type { ReleaseContents } from './contents.ts'
import { GitHubError } from './github-error.ts'
import { listNames, type Asset } from './github-types.ts'
import { uploadFile } from './upload.ts'

/** What is to be attached. */
export interface EvidenceInput {
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** Base URL of the service in normal form. */
  readonly service: string
  /** The hashes that are registered. */
  readonly hashes: ReadonlySet<string>
}

/** The result of attaching, and of comparing the assets with those at the beginning. */
export interface Attachment {
  readonly tag: string
  /** What keeps the release from being complete, as a clause; null for nothing. */
  readonly failure: string | null
  readonly warnings: readonly string[]
  /** Whether the release lacks lines of the records file; all of them are in the log. */
  readonly hasPrintedLines: boolean
}

/** What attaching depends on. */
export interface AttachTask {
  readonly api: GitHubApi
  readonly contents: ReleaseContents
  readonly evidence: EvidenceInput
  /** Whether evidence is attached; else the assets are only compared. */
  readonly isAttaching: boolean
  /** The artifacts of the release when it was opened. */
  readonly before: readonly Asset[]
  readonly host: Host
  readonly disk: Disk
}

/** How often the page is replaced while other jobs attach records. */
const maxReplacements = 5

/**
 * Uploads the records file if the release lacks some of its lines, then the evidence page, and compares the assets with
 * those at the beginning. Never rejects: if it fails, every line that the release lacks is in the log.
 */
export async function attachEvidence(task: AttachTask): Promise<Attachment> {
  const { api, contents, evidence, before, isAttaching, host, disk } = task
  const { cancelled } = host.halt
  const { tag } = contents.release
  const warnings: string[] = []
  let failure: string | null = null
  let file: Buffer = Buffer.alloc(0)
  let isRead = false
  let hasPrinted = false
  const findMissing = (): readonly Buffer[] => completeLines(contents.missingLines(file))
  const printMissing = (): void => {
    const lines = findMissing()
    if (hasPrinted || lines.length === 0) return
    hasPrinted = true
    host.runner.info(
      `Lines of the records file that the release "${quote(tag)}" lacks; this job's machine may be the only other place that has them:`,
    )
    for (const line of lines) host.runner.info(line.toString())
  }

  cancelled.addEventListener('abort', printMissing)
  try {
    if (isAttaching) file = readRecordsFile(evidence, disk)
    isRead = true
    if (cancelled.aborted) printMissing()
    await contents.refresh(api)
    if (findMissing().length > 0) await uploadRecords(file, task)
    if (isAttaching) warnings.push(...(await attachPage(task)))
    const names = new Set(before.map(({ name }) => name))
    const { replaced, added } = Object.groupBy(await findUnregistered(task), ({ name }) =>
      names.has(name) ? 'replaced' : 'added',
    )
    const what = 'during this run, without a record'
    if (replaced !== undefined) failure = `replaced ${what}: ${listNames(replaced)}`
    if (added !== undefined) warnings.push(`Uploaded to the release ${what}: ${listNames(added)}`)
  } catch (error) {
    printMissing()
    if (!isRead || findMissing().length > 0) failure = describeFailure(error)
    else warnings.push(`The assets were not compared again: ${describeFailure(error)}`)
  }
  cancelled.removeEventListener('abort', printMissing)

  return { tag, failure, warnings, hasPrintedLines: findMissing().length > 0 }
}

/** With something registered it must be there. */
function readRecordsFile({ recordsPath, hashes }: EvidenceInput, disk: Disk): Buffer {
  return hashes.size === 0 ? readIfThere(recordsPath, disk) : disk.read(recordsPath)
}

function describeFailure(error: unknown): string {
  const remedy = error instanceof GitHubError ? error.failure.remedy : 'run the job again'
  return `${describeError(error)}; ${remedy}`
}

/** Uploads the whole records file, under a name that is not taken. */
async function uploadRecords(file: Buffer, { api, contents }: AttachTask): Promise<void> {
  const { release } = contents
  const ownName = recordsName.replace('.', `-${hash('sha256', file).slice(0, 12)}.`)
  const isTaken = contents.named(recordsName) !== undefined
  const first = isTaken ? null : await uploadFile({ name: recordsName, bytes: file }, release, api)
  const asset = first ?? (await uploadFile({ name: ownName, bytes: file }, release, api))
  if (asset === null) throw new GitHubError(`"${ownName}" is the name of another file`)
  contents.addRecords(asset, file)
}

/** Replaces the evidence page until it has all records that are listed. Gives warnings, as it can be made again. */
async function attachPage({ api, contents, evidence }: AttachTask): Promise<readonly string[]> {
  if (contents.release.isImmutable) return []
  try {
    for (let replacements = 0; replacements < maxReplacements; replacements++) {
      const { entries } = contents
      // Not only those of this run: jobs that attach at the same time must make the same page.
      const recorded = new Set(entries.filter(isGoodRecord).map(entry => entry.hash))
      const checksums = contents.checksums(recorded.union(evidence.hashes))
      const page = renderEvidence(entries, checksums)
      if (page === null) return []
      const bytes = Buffer.from(page)
      const old = contents.named(evidenceName)
      const mayBeCurrent = old?.isUploaded === true && old.size === bytes.length
      if (mayBeCurrent && (await contents.hashOf(old, api)) === hash('sha256', bytes)) return []
      if (old !== undefined) await api.deleteAsset(old)
      const asset = await uploadFile({ name: evidenceName, bytes }, contents.release, api)
      const hasNewRecords = await contents.refresh(api)
      if (asset !== null && !hasNewRecords) return []
    }
    return [`"${evidenceName}" may lack records, as other jobs attach some at the same time`]
  } catch (error) {
    return [`The release has all records, but not the evidence page: ${describeFailure(error)}`]
  }
}

/** The assets that came during the run and have no record. */
async function findUnregistered(task: AttachTask): Promise<readonly Asset[]> {
  const { api, before, contents, evidence } = task
  const ids = new Set(before.map(({ id }) => id))
  const late = contents.artifacts.filter(({ id }) => !ids.has(id))
  if (late.length === 0) return []
  const ours = contents.entries.filter(({ service }) => service === evidence.service)
  const recorded = new Set(ours.filter(isGoodRecord).map(entry => entry.hash))
  const registered = recorded.union(evidence.hashes)
  const unregistered: Asset[] = []
  for (const asset of late) {
    if (!registered.has(await contents.hashOf(asset, api))) unregistered.push(asset)
  }
  return unregistered
}
