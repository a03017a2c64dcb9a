import assert from 'node:assert'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { Failure, problemAt, problemWith, Stop, type Problem } from '../failure.ts'
import type { Reason, Remedy } from '../failure.ts'
import { failed, planned, type Artifact } from '../outcome.ts'
import type { FoundRecords } from '../records/lines.ts'
import type { Environment, Source } from '../runtime/environment.ts'
import { guard } from '../runtime/guard.ts'
import type { GitHubClient, Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { isOwnFile } from '../text/names.ts'
import { joinFirst, pluralize } from '../text/phrases.ts'
import { releaseRemedies, statusOf, toFailure } from './octokit.ts'

/** How long a download may take, its retries included, in milliseconds. */
const downloadMs = 600_000

/** A GitHub release with its artifacts and records, as it was when it was read. */
export interface Release {
  readonly tag: string
  readonly isDraft: boolean
  /** For a browser. */
  readonly url: string
  /** Its assets, except the files that this action writes. One that could not be read is an artifact that failed. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly string[]
  readonly records: readonly FoundRecords[]
  /** The commit that the tag points to now; null if there is no such tag. */
  readonly tagCommit: string | null
  /** The commit of the run; null if the run is not for this tag. */
  readonly runCommit: string | null
  /** For the lines of the records file: the commit of the tag, or else the target of a draft if it is a commit. */
  readonly source: Source
}

const tagInput = 'release-tag'

type Parameters = Readonly<Record<string, unknown>>

/** Reads the release of the input `release-tag`; null without a tag. Changes nothing on GitHub. Rejects with a `Stop`. */
export async function readRelease(
  inputs: { readonly releaseTag: string | null; readonly githubToken: string },
  host: Host,
): Promise<Release | null> {
  const { releaseTag: tag, githubToken } = inputs
  if (tag === null) return null
  const what = `the release "${quote(tag)}"`
  const query = { input: tagInput, what, remedies: releaseRemedies, githubToken }
  return readFromGitHub(query, host, async reader => {
    const release = await reader.findRelease(tag)
    const page = { id: release.id, per_page: 100 }
    const assets = await reader.list(assetSchema, 'releases/{id}/assets', page)
    const ofRecords = assets.filter(({ hasRecords }) => hasRecords)
    const records = await Array.fromAsync(ofRecords, async (asset): Promise<FoundRecords> => {
      const name = `${asset.name} of the release`
      return { name, bytes: await reader.read(asset), input: tagInput }
    })
    const others = assets.filter(({ name }) => !isOwnFile(name))
    const artifacts = await Array.fromAsync(others, asset => readArtifact(asset, reader))
    const tagCommit = await reader.findTagCommit(tag)

    const { draft: isDraft, target_commitish: target, html_url: url } = release
    let sha = tagCommit
    if (isDraft && /^[0-9a-f]{40,64}$/.test(target)) sha ??= target
    const { source, serverUrl } = host.environment
    const { repository } = source
    const ref = `refs/tags/${tag}`
    const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`
    const runCommit = source.ref === ref ? source.sha : null
    const counts = [`${what} has ${pluralize(artifacts.length, 'file')}`]
    const ofTag = { ...source, ref, sha, commitUrl }
    return { tag, isDraft, url, artifacts, counts, records, tagCommit, runCommit, source: ofTag }
  })
}

/** Finds inputs that read releases where the server is not GitHub. */
export function checkServer(
  inputs: { readonly releaseTag: string | null; readonly earlierReleases?: boolean },
  { isGitHub }: Environment,
): readonly Problem[] {
  if (isGitHub) return []
  const text = 'reads releases on GitHub, but this server is not GitHub'
  const ofTag = { next: 'download the files in an earlier step, and set "path" instead' }
  const ofEarlier = { next: 'set "earlier-releases" to false' }
  const { releaseTag, earlierReleases = false } = inputs
  const problems: Problem[] = []
  if (releaseTag !== null) problems.push(problemWith(tagInput, text, ofTag))
  if (earlierReleases) problems.push(problemWith('earlier-releases', text, ofEarlier))
  return problems
}

/** What is read from GitHub, and what to do if that fails. */
interface GitHubQuery {
  readonly input: string
  /** As messages name it. */
  readonly what: string
  readonly remedies: Readonly<Partial<Record<Reason, Remedy>>>
  readonly githubToken: string
}

/** Reads releases of the repository. Rejects with a `Stop`. */
export async function readFromGitHub<T>(
  query: GitHubQuery,
  host: Host,
  read: (reader: ReleaseReader) => Promise<T>,
): Promise<T> {
  const { halt, environment } = host
  const { repository } = environment.source
  assert(repository !== null, 'GitHub names the repository of each run')
  const client = await host.connectToGitHub(host, query.githubToken)
  try {
    // A retry may wait long, and does not know signals.
    return await guard(() => read(createReader(client, repository, host)), halt.canceled)
  } catch (error) {
    throw halt.isCanceled ? new Stop() : toStop(error, query)
  }
}

export function toStop(error: unknown, { input, what, remedies }: GitHubQuery): Stop {
  const { reason, observed } = Failure.orRethrow(error)
  const remedy = remedies[reason]
  assert(remedy !== undefined, 'reading a release fails for a reason of its own')
  return new Stop(problemAt(input, `${what} cannot be read: ${observed}`, remedy))
}

/** Returns an asset as an artifact with its hash, or as one that failed. */
async function readArtifact(asset: Asset, reader: ReleaseReader): Promise<Artifact> {
  const { name, size } = asset
  try {
    if (!asset.isUploaded) {
      const observed = `GitHub does not have all of "${quote(name)}" yet`
      throw new Failure('unreadable', 'asset-changed', { observed })
    }
    const hash = asset.hash ?? (await reader.download(asset))
    return { input: tagInput, name, size, hash, outcome: planned }
  } catch (error) {
    const outcome = failed(Failure.orRethrow(error))
    return { input: tagInput, name, size: null, hash: null, outcome }
  }
}

/** An asset, as GitHub lists it. */
export const assetSchema = z.pipe(
  z.object({
    id: z.number(),
    name: z.string(),
    size: z.number(),
    digest: z.nullish(z.string()),
    state: z.string(),
  }),
  z.transform(({ id, name, size, digest, state }) => {
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase()
    const isUploaded = state === 'uploaded'
    const hasRecords = isUploaded && /^notarization-records.*\.jsonl$/s.test(name)
    return { id, name, size, hash, isUploaded, hasRecords }
  }),
)

/** `size` is in bytes; `hash` is the SHA-256, 64 lower-case hex digits, if GitHub lists one. */
type Asset = Readonly<z.infer<typeof assetSchema>>

const releaseSchema = z.object({
  id: z.number(),
  tag_name: z.string(),
  draft: z.boolean(),
  /** The branch or commit that the tag of a draft will point to. */
  target_commitish: z.string(),
  /** For a browser. */
  html_url: z.string(),
})

const gitObjectSchema = z.object({ object: z.object({ sha: z.string(), type: z.string() }) })
const streamSchema = z.custom<AsyncIterable<Uint8Array>>(
  data => Symbol.asyncIterator in Object(data),
)

type ReleaseReader = ReturnType<typeof createReader>

/** Creates functions that read the releases of a repository, `owner/name`. They reject with a `Failure`, or a `Stop` if there is not one release. */
function createReader(client: GitHubClient, repository: string, host: Host) {
  const root = `/repos/${repository}`

  /** Returns null if GitHub does not find it. */
  async function find<T>(schema: z.ZodMiniType<T>, path: string, parameters: Parameters) {
    try {
      const { data } = await client.request(`GET ${root}/${path}`, parameters)
      return schema.parse(data)
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw toFailure(error, path, host)
    }
  }

  /** Returns the items of all pages, or of the first pages that have `maxItems`. */
  async function list<T>(
    schema: z.ZodMiniType<T>,
    path: string,
    { maxItems = Infinity, ...parameters }: Parameters & { readonly maxItems?: number },
  ): Promise<T[]> {
    const items: T[] = []
    try {
      for await (const { data } of client.pages(`GET ${root}/${path}`, parameters)) {
        items.push(...z.array(schema).parse(data))
        if (items.length >= maxItems) break
      }
      return items
    } catch (error) {
      throw toFailure(error, path, host)
    }
  }

  /** Returns the published release with this tag, or else the only draft. Rejects with a `Stop` if there is none. */
  async function findRelease(tag: string): Promise<z.infer<typeof releaseSchema>> {
    const published = await find(releaseSchema, 'releases/tags/{tag}', { tag })
    if (published !== null) return published
    // Includes drafts only if the token can write. Few per page, because all assets are included.
    const listed = await list(releaseSchema, 'releases', { per_page: 30 })
    const drafts = listed.filter(({ tag_name }) => tag_name === tag)
    const [release] = drafts
    const name = `the release "${quote(tag)}"`
    if (release === undefined) {
      const next = 'check the tag'
      const hint =
        'if the release is a draft, give the job the permission "contents: write", because GitHub hides drafts from other tokens'
      throw new Stop(problemAt(tagInput, `${name} was not found`, { next, hint }))
    }
    if (drafts.length === 1) return release
    const urls = drafts.map(({ html_url }) => quote(html_url))
    const text = `${name} has ${drafts.length} drafts (${joinFirst(urls, 5)})`
    const next = 'delete all drafts but the right one'
    throw new Stop(problemAt(tagInput, text, { next, needs: 'nothing' }))
  }

  /** Returns the commit of a tag, which may be annotated; null if there is no such tag. */
  async function findTagCommit(tag: string): Promise<string | null> {
    let target = await find(gitObjectSchema, 'git/ref/tags/{tag}', { tag })
    while (target?.object.type === 'tag') {
      const { sha } = target.object
      target = await find(gitObjectSchema, 'git/tags/{sha}', { sha })
    }
    return target?.object.sha ?? null
  }

  /** Downloads an asset as a stream, and returns its SHA-256. Rejects if it is not what GitHub lists. */
  async function download(
    { id, name, size, hash }: Asset,
    onChunk?: (chunk: Uint8Array) => void,
  ): Promise<string> {
    const what = `the download of "${quote(name)}"`
    const sha256 = createHash('sha256')
    const deadline = AbortSignal.timeout(downloadMs)
    let bytes = 0
    try {
      const headers = { accept: 'application/octet-stream' }
      const request = { parseSuccessResponseBody: false, signal: deadline }
      const route = `GET ${root}/releases/assets/{id}`
      const { data } = await client.request(route, { id, headers, request })
      for await (const chunk of streamSchema.parse(data)) {
        bytes += chunk.length
        sha256.update(chunk)
        onChunk?.(chunk)
      }
    } catch (error) {
      const failure = toFailure(error, what, host)
      if (deadline.aborted) throw failure.with({ observed: `${what} took more than 10 min` })
      if (statusOf(error) !== 404) throw failure
      // It was listed a moment ago, so the token may see it: it is gone.
      throw new Failure('unreadable', 'asset-changed', { observed: failure.observed })
    }
    const digest = sha256.digest('hex')
    if (bytes === size && digest === (hash ?? digest)) return digest
    let observed = `${what} does not have the digest that GitHub lists`
    if (bytes !== size) observed = `${what} has ${bytes} bytes, but GitHub lists ${size}`
    throw new Failure('unreadable', 'asset-changed', { observed })
  }

  async function read(asset: Asset): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    await download(asset, chunk => chunks.push(chunk))
    return Buffer.concat(chunks)
  }

  return { list, findRelease, findTagCommit, download, read }
}
