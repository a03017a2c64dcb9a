import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { formatChecksum, parseChecksums } from '../artifacts/checksums.ts'
import { attachedNames } from '../artifacts/own-files.ts'
import { mergeRecords } from '../records/merge.ts'
import { Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { compareCodeUnits } from '../text/words.ts'
import type { GitHubApi } from './api.ts'
import { assetsOfOthers, hashAsset, readVersions, versionsOf } from './assets.ts'
import { GitHubError, type GitHubFailure } from './github-error.ts'
import type { Asset, Release } from './shapes.ts'

/** What is attached. */
export interface Evidence {
  /** Absolute; the file may be missing. */
  readonly recordsPath: string
  /** Hashes that are registered. */
  readonly hashes: ReadonlySet<string>
  /** Makes the evidence page of the content of a records file; null if nothing in it is registered. */
  readonly renderEvidence: (records: Buffer) => string | null
}

/** Where it is attached. */
interface AttachTarget {
  readonly api: GitHubApi
  readonly release: Release
  /** Hashes that were found out by reading assets, by their id. */
  readonly knownHashes: ReadonlyMap<number, string>
  /** Makes names that no two uploads share: UUIDs. */
  readonly makeId: () => string
}

/** A file that the release has, at a URL for a browser. */
export interface AttachedFile {
  readonly name: string
  readonly url: string
}

/**
 * Finds out whether the release takes files, before anything is spent: by what GitHub says of it, and by uploading and
 * deleting a file of one byte, as no other call tells the rights of a token for sure. Throws a `Stop`.
 */
export async function checkWritable({ api, release, makeId }: AttachTarget): Promise<void> {
  if (release.isImmutable) {
    const tag = quote(release.tag)
    throw stop(`the release "${tag}" is immutable; attach to the draft before it is published`)
  }
  try {
    const name = temporaryName(attachedNames.records, makeId)
    await api.deleteAsset(await api.uploadAsset(release, name, Buffer.from('\n')))
  } catch (error) {
    throw cannotWrite(release, error)
  }
}

/** Whether the release lacks something of the evidence. Throws a `Stop`. */
export async function lacksEvidence(evidence: Evidence, target: AttachTarget): Promise<boolean> {
  try {
    const listed = await target.api.listAssets(target.release.id)
    for (const name of names) {
      const content = await contentOf(name, { ...evidence, ...target, listed })
      if (content === null && name === attachedNames.records) return false
      const versions = versionsOf(listed, name)
      if (content !== null && !(await isThere(name, content, { ...target, versions }))) return true
    }
    return false
  } catch (error) {
    throw cannotWrite(target.release, error)
  }
}

const rights = 'give the job the permission contents: write'

function cannotWrite({ tag }: Release, error: unknown): Stop {
  if (!(error instanceof GitHubError)) throw error
  const remedy = error.remedy(rights)
  return stop(`the release "${quote(tag)}" cannot be written (${error.message}); ${remedy}`)
}

function stop(why: string): Stop {
  const message = `input "attach-to-release": ${why}; nothing was sent`
  return new Stop({ input: 'attach-to-release', message })
}

/**
 * Attaches records, checksums and evidence page, merged with what the release holds just before. Each is uploaded under
 * a temporary name, then the old one is deleted and the new one renamed: at no moment is the release without its records.
 * Gives what the release has then; throws a `GitHubError` or a system error.
 */
export async function attachEvidence(
  evidence: Evidence,
  target: AttachTarget,
): Promise<readonly AttachedFile[]> {
  const attached: AttachedFile[] = []
  for (const name of names) {
    const replace = (): Promise<Asset | null> => replaceOnce(name, evidence, target)
    const asset = await target.api.repeat(replace, mayReplaceAgain)
    // Without records there is nothing to prove.
    if (asset === null && name === attachedNames.records) break
    const url = asset?.url ?? null
    if (url !== null) attached.push({ name, url })
  }
  return attached
}

/** Why the evidence could not be attached, as a clause. */
export function describeAttachError(error: unknown): string {
  if (!(error instanceof GitHubError)) return describeError(error)
  const remedy = error.remedy(rights)
  return remedy === 'run the job again' ? error.message : `${error.message}; ${remedy}`
}

/** No answer, a fault of the server, or another job that replaced the same file in between. */
function mayReplaceAgain({ mayPass, status, isRateLimit }: GitHubFailure): boolean {
  return mayPass || (!isRateLimit && [404, 409, 422].includes(status ?? 0))
}

type AttachedName = (typeof attachedNames)[keyof typeof attachedNames]

const names = Object.values(attachedNames)

type ContentQuery = Evidence & AttachTarget & { readonly listed: readonly Asset[] }

/** What the release should hold, by the assets that it has; null leaves it as it is, nothing takes the file away. */
async function contentOf(name: AttachedName, query: ContentQuery): Promise<Buffer | null> {
  if (name === attachedNames.checksums) return makeChecksums(query)
  const { api, listed, recordsPath, renderEvidence } = query
  const own = existsSync(recordsPath) ? await readFile(recordsPath) : Buffer.alloc(0)
  const held = await readVersions(api, listed, attachedNames.records)
  const merged = own.length === 0 ? held : mergeRecords(held, own)
  if (merged.length === 0) return null
  if (name === attachedNames.records) return merged
  const page = renderEvidence(merged)
  return page === null ? null : Buffer.from(page)
}

/**
 * The checksums of the assets that are registered, by this run or by the file that the release holds, and that the
 * release has as they are: so `sha256sum -c` beside the downloaded assets is good.
 */
async function makeChecksums({ api, listed, hashes, knownHashes }: ContentQuery): Promise<Buffer> {
  const held = await readVersions(api, listed, attachedNames.checksums)
  const { entries: heldEntries } = parseChecksums(held, attachedNames.checksums)
  const heldHashes = new Map(heldEntries.map(({ name, hash }) => [name, hash]))
  const entries: { readonly name: string; readonly hash: string }[] = []
  for (const asset of assetsOfOthers(listed).filter(({ isUploaded }) => isUploaded)) {
    const { name } = asset
    const known = asset.hash ?? knownHashes.get(asset.id)
    // Another job that attached its checksum meanwhile is the reason to read an asset once more.
    if (known === undefined && !heldHashes.has(name)) continue
    const hash = known ?? (await hashAsset(api, asset))
    if (hashes.has(hash) || heldHashes.get(name) === hash) entries.push({ name, hash })
  }
  entries.sort((a, b) => compareCodeUnits(a.name, b.name))
  return Buffer.from(entries.map(formatChecksum).join(''))
}

async function replaceOnce(
  name: AttachedName,
  evidence: Evidence,
  target: AttachTarget,
): Promise<Asset | null> {
  const { api, release, makeId } = target
  const listed = await api.listAssets(release.id)
  const content = await contentOf(name, { ...evidence, ...target, listed })
  const versions = versionsOf(listed, name)
  if (content === null) return null
  if (await isThere(name, content, { api, versions })) return versions[0] ?? null
  const uploaded =
    content.length === 0
      ? null
      : await api.uploadAsset(release, temporaryName(name, makeId), content)
  // All that was merged goes: the file itself, and what interrupted uploads left.
  for (const old of versions) await api.deleteAsset(old)
  return uploaded === null ? null : api.renameAsset(uploaded, name)
}

/** Whether the release has this content under the final name, and nothing that an interrupted upload left. */
async function isThere(
  name: string,
  content: Buffer,
  { api, versions }: { readonly api: GitHubApi; readonly versions: readonly Asset[] },
): Promise<boolean> {
  if (content.length === 0) return versions.length === 0
  const [only, second] = versions
  if (only?.name !== name || second !== undefined || only.size !== content.length) return false
  return (await hashAsset(api, only)) === createHash('sha256').update(content).digest('hex')
}

function temporaryName(name: string, makeId: () => string): string {
  return `${name}.${makeId()}.tmp`
}
