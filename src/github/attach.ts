import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { attachedNames, isAttached, streamAsset } from '../artifacts/sources/release.ts'
import {
  formatChecksum,
  parseChecksums,
  type ChecksumEntry,
} from '../artifacts/sources/checksums.ts'
import { describeError } from '../errors.ts'
import { compareCodeUnits, type Problem } from '../outcome.ts'
import { mergeRecords } from '../records/merge.ts'
import { quote } from '../report/escape.ts'
import { GitHubError, type Asset, type GitHubApi, type Release } from './api.ts'

/** Makes names that no two uploads share. */
export type MakeId = () => string

/** What is attached. */
export interface Evidence {
  /** Absolute. */
  readonly recordsPath: string
  /** The registered assets under their names. */
  readonly checksums: readonly ChecksumEntry[]
}

/** Where it is attached. */
export interface AttachTarget {
  readonly api: GitHubApi
  readonly release: Release
  readonly makeId: MakeId
  /** Ends the work. */
  readonly signal: AbortSignal
}

const maxTries = 3
const retryWaitMs = 1000

/**
 * Finds out whether the release takes files, before anything is spent: by what GitHub says of it, and by uploading and
 * deleting a file of one byte, as no other call tells the rights of a token for sure.
 */
export async function checkAttachable({
  api,
  release,
  makeId,
}: AttachTarget): Promise<Problem | null> {
  const say = (why: string): Problem => ({
    input: 'attach-to-release',
    message: `input "attach-to-release": ${why}; nothing was sent`,
  })
  if (release.isImmutable) {
    return say(
      `the release "${quote(release.tag)}" is immutable; attach to the draft before it is published`,
    )
  }
  try {
    const name = temporaryName(attachedNames.records, makeId)
    await api.deleteAsset(await api.uploadAsset(release, name, Buffer.from('\n')))
    return null
  } catch (error) {
    const why = error instanceof GitHubError ? error.message : describeError(error)
    const isRefused = error instanceof GitHubError && [401, 403, 404].includes(error.status ?? 0)
    const remedy = isRefused ? 'give the job the permission contents: write' : 'run the job again'
    return say(`the release "${quote(release.tag)}" cannot be written (${why}); ${remedy}`)
  }
}

/** The records that a release holds: the attached file, or what an interrupted upload left; null without any. */
export async function readAttachedRecords(
  api: GitHubApi,
  listed: readonly Asset[],
  signal: AbortSignal,
): Promise<Buffer | null> {
  const versions = listed.filter(asset => isAttached(asset.name, attachedNames.records))
  const content = await readVersions(api, versions, signal)
  return content.length === 0 ? null : content
}

/**
 * Attaches records and checksums, merged with what the release holds just before. Each is uploaded under a temporary
 * name, then the old one is deleted and the new one renamed: at no moment is the release without its records.
 * Gives what failed, or null.
 */
export async function attachEvidence(
  evidence: Evidence,
  target: AttachTarget,
): Promise<string | null> {
  try {
    const records = await readFile(evidence.recordsPath)
    await replaceAsset(attachedNames.records, held => mergeRecords(held, records), target)
    const merge = (held: Buffer): Buffer => mergeChecksums(held, evidence.checksums)
    await replaceAsset(attachedNames.checksums, merge, target)
    return null
  } catch (error) {
    const why = error instanceof GitHubError ? error.message : describeError(error)
    return `The records could not be attached to the release "${quote(target.release.tag)}": ${why}. The records file has all of them; run the job again, or attach it by hand as ${attachedNames.records}`
  }
}

async function replaceAsset(
  name: string,
  merge: (held: Buffer) => Buffer,
  target: AttachTarget,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await replaceOnce(name, merge, target)
      return
    } catch (error) {
      if (tries >= maxTries || !isPassing(error) || target.signal.aborted) throw error
      await setTimeout(tries * retryWaitMs)
    }
  }
}

/** No answer, a fault of the server, or another job that replaced the same file in between. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof GitHubError)) return false
  const { status } = error
  return status === null || status >= 500 || [404, 409, 422].includes(status)
}

async function replaceOnce(
  name: string,
  merge: (held: Buffer) => Buffer,
  { api, release, makeId, signal }: AttachTarget,
): Promise<void> {
  const versions = (await api.listAssets(release.id)).filter(asset => isAttached(asset.name, name))
  const held = await readVersions(api, versions, signal)
  const content = merge(held)
  const isThere = versions.length === 1 && versions[0]?.name === name && content.equals(held)
  if (content.length === 0 || isThere) return
  signal.throwIfAborted()
  const uploaded = await api.uploadAsset(release, temporaryName(name, makeId), content)
  // All that was merged goes: the file itself, and what interrupted uploads left.
  for (const old of versions) await api.deleteAsset(old.id)
  await api.renameAsset(uploaded, name)
}

function temporaryName(name: string, makeId: MakeId): string {
  return `${name}.${makeId()}.tmp`
}

/** The lines of all versions: the file, and what interrupted uploads left. A probe of one byte has none. */
async function readVersions(
  api: GitHubApi,
  versions: readonly Asset[],
  signal: AbortSignal,
): Promise<Buffer> {
  const [first, ...rest] = versions.filter(({ isUploaded, size }) => isUploaded && size > 1)
  if (first === undefined) return Buffer.alloc(0)
  // A single file stays as it is, so that whoever reads it sees whether its last line is torn.
  let merged = await readAsset(api, first, signal)
  for (const asset of rest) merged = mergeRecords(merged, await readAsset(api, asset, signal))
  return merged
}

async function readAsset(api: GitHubApi, asset: Asset, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const cut = `the asset "${quote(asset.name)}" did not come whole`
  try {
    for await (const chunk of streamAsset(api, asset, signal)) chunks.push(chunk)
  } catch (error) {
    throw error instanceof GitHubError ? error : new GitHubError(cut, null, error)
  }
  const content = Buffer.concat(chunks)
  if (content.length === asset.size) return content
  throw new GitHubError(cut, null)
}

/** The checksums of this run, and those of other names that the release holds. */
function mergeChecksums(held: Buffer, entries: readonly ChecksumEntry[]): Buffer {
  const byName = new Map(
    [...parseChecksums(held).entries, ...entries].map(entry => [entry.name, entry]),
  )
  const sorted = [...byName.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
  return Buffer.from(sorted.map(formatChecksum).join(''))
}
