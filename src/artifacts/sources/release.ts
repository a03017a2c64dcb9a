import { createHash } from 'node:crypto'
import { describeError } from '../../errors.ts'
import { GitHubError, type Asset, type GitHubApi, type Release } from '../../github/api.ts'
import { failed, type Problem } from '../../outcome.ts'
import { quote } from '../../report/escape.ts'
import type { HashedFile } from '../hash.ts'

/** The files that this action attaches to a release; they are never artifacts. */
export const attachedNames = {
  records: 'notarization-records.jsonl',
  checksums: 'notarization-checksums.txt',
} as const

/** Behind the name of an attached file while it is uploaded: a UUID, so that no file of others is taken for it. */
const temporary = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/** Whether an asset is the attached file, or what an interrupted upload of it left. */
export function isAttached(assetName: string, name: string): boolean {
  if (!assetName.startsWith(name)) return false
  const rest = assetName.slice(name.length)
  return rest === '' || temporary.test(rest)
}

/** A release as the source of artifacts. */
export interface FoundRelease {
  readonly release: Release
  /** Each asset under its name; never our own attached files. */
  readonly assets: readonly HashedFile[]
  /** Every asset as GitHub lists it, our own included. */
  readonly listed: readonly Asset[]
  /** What the tag of the run points to now; undefined when the run is not for this tag. */
  readonly tagCommit: string | null | undefined
  readonly warnings: readonly string[]
}

/** What to look for. */
export interface ReleaseQuery {
  readonly tag: string
  /** `GITHUB_REF`. */
  readonly ref: string | null
  readonly halt: AbortSignal
}

const chunkTimeoutMs = 60_000

/** Reads a release, drafts included, with the hashes of its assets; a problem says why it cannot be used. */
export async function readRelease(
  api: GitHubApi,
  { tag, ref, halt }: ReleaseQuery,
): Promise<FoundRelease | Problem> {
  try {
    const releases = await api.findReleases(tag)
    const published = releases.filter(release => !release.isDraft)
    const [release, second] = published.length > 0 ? published : releases
    if (release === undefined) return notFound(tag)
    if (second !== undefined) return problem(tag, 'has several drafts; delete all but one')
    const listed = await api.listAssets(release.id)
    const own = listed.filter(
      asset => !Object.values(attachedNames).some(name => isAttached(asset.name, name)),
    )
    const assets: HashedFile[] = []
    for (const asset of own.filter(({ isUploaded }) => isUploaded)) {
      assets.push(await hashAsset(api, asset, halt))
    }
    return {
      release,
      assets,
      listed,
      tagCommit: ref === `refs/tags/${tag}` ? await api.findTagCommit(tag) : undefined,
      warnings: own
        .filter(({ isUploaded }) => !isUploaded)
        .map(({ name }) => `the release asset "${quote(name)}" is skipped: its upload never ended`),
    }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    const isRefused = [401, 403, 404].includes(error.status ?? 0)
    const remedy = isRefused
      ? 'check the permissions of "github-token" (contents: read, or contents: write for a draft)'
      : 'run the job again'
    return problem(tag, `cannot be read (${error.message}); ${remedy}`)
  }
}

function notFound(tag: string): Problem {
  return problem(
    tag,
    'was not found; check the tag, and for a draft give the job the permission contents: write, as others do not see it',
  )
}

function problem(tag: string, text: string): Problem {
  return {
    input: 'release-tag',
    message: `input "release-tag": the release "${quote(tag)}" ${text}`,
  }
}

async function hashAsset(api: GitHubApi, asset: Asset, halt: AbortSignal): Promise<HashedFile> {
  const { name, size } = asset
  const [, digest] = /^sha256:([0-9a-f]{64})$/i.exec(asset.digest ?? '') ?? []
  if (digest !== undefined) return { name, size, hash: digest.toLowerCase() }
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of streamAsset(api, asset, halt)) {
      hash.update(chunk)
      bytes += chunk.length
    }
    if (bytes === size) return { name, size, hash: hash.digest('hex') }
    return unread(name, `it has ${size} bytes, and ${bytes} came`)
  } catch (error) {
    return halt.aborted
      ? { name, failure: failed('cancelled', 'no', 'the run was cancelled; run the job again') }
      : unread(name, describeError(error))
  }
}

function unread(name: string, why: string): HashedFile {
  const message = `the release asset could not be read: ${why}; nothing was sent for it; run the job again`
  return { name, failure: failed('unreadable', 'no', message) }
}

/** The bytes of an asset; rejects when none come for a minute, or at the halt. */
export async function* streamAsset(
  api: GitHubApi,
  { id }: Asset,
  halt: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const silence = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const rewind = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      silence.abort(new Error('no bytes came for a minute'))
    }, chunkTimeoutMs)
  }
  try {
    rewind()
    const content = await api.streamAsset(id, AbortSignal.any([silence.signal, halt]))
    for await (const chunk of content) {
      rewind()
      yield chunk
    }
  } finally {
    clearTimeout(timer)
  }
}
