import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { formatChecksum, parseChecksums } from '../artifacts/checksums.ts'
import { attachedNames } from '../artifacts/own-files.ts'
import { renderEvidence } from '../records/evidence.ts'
import { mergeRecords } from '../records/merge.ts'
import { problemAt, Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { compareCodeUnits } from '../text/words.ts'
import type { GitHubApi } from './api.ts'
import { assetsOfOthers, hashAsset, readVersions, versionsOf } from './assets.ts'
import { orStop, type GitHubFailure } from './github-error.ts'
import type { Asset, Release } from './shapes.ts'

/** Where it is attached. */
interface AttachTarget {
  readonly api: GitHubApi
  readonly release: Release
  /** Hashes that were found out by reading assets, by their id. */
  readonly knownHashes: ReadonlyMap<number, string>
  /** Makes names that no two uploads share: UUIDs. */
  readonly makeId: () => string
}

/** What is attached: a records file, and what is made of it. */
export interface Evidence {
  /** Absolute; the file may be missing. */
  readonly recordsPath: string
  /** Hashes that are registered. */
  readonly hashes: ReadonlySet<string>
}

type AttachTask = Evidence & AttachTarget

/** A file that the release has, at a URL for a browser. */
export type AttachedFile = Pick<Asset, 'name' | 'url'>

const input = 'attach-to-release'
const names = Object.values(attachedNames)

/**
 * Finds out whether the release takes files, before anything is spent: by what GitHub says of it, and by uploading and
 * deleting a file of one byte, as no other call tells the rights of a token for sure. With evidence, only if the release
 * lacks some of it. Throws a `Stop`.
 */
export async function checkWritable(
  evidence: Evidence | null,
  target: AttachTarget,
): Promise<void> {
  const { api, release, makeId } = target
  const noted = `nothing was sent, as the release "${quote(release.tag)}"`
  const check = async (): Promise<void> => {
    if (evidence !== null && !(await lacksSome({ ...evidence, ...target }))) return
    if (release.isImmutable) {
      const why = 'is immutable; attach to the draft before it is published'
      throw new Stop(problemAt(input, `${noted} ${why}`))
    }
    const name = temporaryName(attachedNames.records, makeId)
    await api.deleteAsset(await api.uploadAsset(release, name, Buffer.from('\n')))
  }
  await check().catch(orStop(input, `${noted} cannot be written`))
}

async function lacksSome(task: AttachTask): Promise<boolean> {
  const listed = await task.api.listAssets(task.release)
  for (const name of names) {
    const content = await makeContent(name, task, listed)
    if (content === null) continue
    if (!(await isThere(task.api, versionsOf(listed, name), { name, content }))) return true
  }
  return false
}

/**
 * Attaches records, checksums and evidence page, merged with what the release holds just before. Each is uploaded under
 * a temporary name, then the old one is deleted and the new one renamed: at no moment is the release without its records.
 * Gives what the release has then; throws a `GitHubError` or a system error.
 */
export async function attachEvidence(task: AttachTask): Promise<readonly AttachedFile[]> {
  const attached: AttachedFile[] = []
  for (const name of names) {
    const asset = await task.api.repeat(() => replaceOnce(name, task), mayBeReplaced)
    if (asset !== null) attached.push({ name, url: asset.url })
  }
  return attached
}

/** No answer, a fault of the server, or another job that replaces the same file at this moment. */
export function mayBeReplaced({ mayPass, status }: GitHubFailure): boolean {
  return mayPass || [404, 409, 422].includes(status)
}

async function replaceOnce(name: string, task: AttachTask): Promise<Asset | null> {
  const { api, release, makeId } = task
  const listed = await api.listAssets(release)
  const versions = versionsOf(listed, name)
  const content = await makeContent(name, task, listed)
  if (content === null) return null
  if (await isThere(api, versions, { name, content })) return versions[0] ?? null
  const uploaded =
    content.length === 0
      ? null
      : await api.uploadAsset(release, temporaryName(name, makeId), content)
  // All that was merged goes: the file itself, and what interrupted uploads left.
  for (const old of versions) await api.deleteAsset(old)
  return uploaded && api.renameAsset(uploaded, name)
}

function temporaryName(name: string, makeId: () => string): string {
  return `${name}.${makeId()}.tmp`
}

/** Whether the release has a file as it should be, and nothing that an interrupted upload left. */
async function isThere(
  api: GitHubApi,
  [only, second]: readonly Asset[],
  { name, content }: { readonly name: string; readonly content: Buffer },
): Promise<boolean> {
  if (content.length === 0) return only === undefined
  if (only?.name !== name || second !== undefined || only.size !== content.length) return false
  return (await hashAsset(api, only)) === hash('sha256', content)
}

/** What the release should hold under a name, empty for nothing; null, with nothing to prove, leaves it as it is. */
async function makeContent(
  name: string,
  task: AttachTask,
  listed: readonly Asset[],
): Promise<Buffer | null> {
  const { api, recordsPath } = task
  const own = existsSync(recordsPath) ? await readFile(recordsPath) : Buffer.alloc(0)
  const records = mergeRecords(await readVersions(api, listed, attachedNames.records), own)
  if (records.length === 0) return null
  if (name === attachedNames.records) return records
  if (name === attachedNames.checksums) return makeChecksums(task, listed)
  const page = renderEvidence(records)
  return page === null ? null : Buffer.from(page)
}

/**
 * The checksums of the assets that are registered, by this run or by the file that the release holds, and that the
 * release has as they are: so `sha256sum -c` beside the downloaded assets is good.
 */
async function makeChecksums(
  { api, hashes, knownHashes }: AttachTask,
  listed: readonly Asset[],
): Promise<Buffer> {
  const { checksums } = attachedNames
  const held = parseChecksums(await readVersions(api, listed, checksums), checksums)
  const heldHashes = new Map(held.entries.map(({ name, hash }) => [name, hash]))
  const entries: { readonly name: string; readonly hash: string }[] = []
  for (const asset of assetsOfOthers(listed).filter(({ isUploaded }) => isUploaded)) {
    const { name } = asset
    const known = asset.hash ?? knownHashes.get(asset.id)
    // Another job that attached its checksum meanwhile is the reason to read an asset once more.
    if (known === undefined && !heldHashes.has(name)) continue
    const sha256 = known ?? (await hashAsset(api, asset))
    if (hashes.has(sha256) || heldHashes.get(name) === sha256) entries.push({ name, hash: sha256 })
  }
  entries.sort((a, b) => compareCodeUnits(a.name, b.name))
  return Buffer.from(entries.map(formatChecksum).join(''))
}
