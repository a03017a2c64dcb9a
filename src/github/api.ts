import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import { describeError } from '../errors.ts'
import { quote } from '../report/escape.ts'

/** A release, published or a draft. */
export interface Release {
  readonly id: number
  readonly tag: string
  readonly isDraft: boolean
  /** Whether its assets cannot be changed any more. */
  readonly isImmutable: boolean
  /** Where assets are uploaded to, without its URL template. */
  readonly uploadUrl: string
}

/** An asset of a release. */
export interface Asset {
  readonly id: number
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** `sha256:<hex>` where GitHub knows it. */
  readonly digest: string | null
  readonly isUploaded: boolean
}

/** The calls to the GitHub API that the action needs, each for one repository. All reject with a {@link GitHubError}. */
export interface GitHubApi {
  /** All releases with this tag; drafts are seen only with a token that can write. */
  readonly findReleases: (tag: string) => Promise<readonly Release[]>
  readonly listAssets: (releaseId: number) => Promise<readonly Asset[]>
  /** The bytes of an asset, as they come. */
  readonly streamAsset: (assetId: number, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>
  /** The commit that a tag points to, annotated tags peeled; null if there is no such tag. */
  readonly findTagCommit: (tag: string) => Promise<string | null>
  readonly uploadAsset: (release: Release, name: string, content: Buffer) => Promise<number>
  readonly renameAsset: (assetId: number, name: string) => Promise<void>
  /** An asset that is gone already is no error. */
  readonly deleteAsset: (assetId: number) => Promise<void>
}

/** A call to the GitHub API that failed; `status` is null if no answer came. */
export class GitHubError extends Error {
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause })
    this.name = 'GitHubError'
    this.status = status
  }
}

const releaseSchema = z.object({
  id: z.number(),
  tag_name: z.string(),
  draft: z.boolean(),
  immutable: z.optional(z.boolean()),
  upload_url: z.string(),
})

const assetSchema = z.object({
  id: z.number(),
  name: z.string(),
  size: z.number(),
  digest: z.nullish(z.string()),
  state: z.string(),
})

const gitObjectSchema = z.object({ object: z.object({ sha: z.string(), type: z.string() }) })
const uploadedSchema = z.object({ id: z.number() })
const failureSchema = z.object({ status: z.number(), message: z.string() })

const callTimeoutMs = 60_000
const maxReadTries = 3
const readRetryWaitMs = 1000
const pageSize = 100
const maxPages = 100
const maxTagDepth = 10

/** What to connect to. */
export interface GitHubTarget {
  readonly token: string
  /** `owner/name`. */
  readonly repository: string
}

/**
 * The API for a repository; all calls end when `halt` aborts. Loads `@actions/github` only now: most runs do not need it.
 */
export async function connectToGitHub(
  { token, repository }: GitHubTarget,
  halt: AbortSignal,
): Promise<GitHubApi> {
  const { getOctokit } = await import('@actions/github')
  const quiet = (): void => undefined
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const octokit = getOctokit(token, { log })
  const home = `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`

  const requestOnce = async (
    route: string,
    options: Record<string, unknown> = {},
  ): Promise<unknown> => {
    const signal = AbortSignal.any([halt, AbortSignal.timeout(callTimeoutMs)])
    try {
      const response: { readonly data: unknown } = await octokit.request(route, {
        request: { signal },
        ...options,
      })
      return response.data
    } catch (error) {
      throw toGitHubError(route, error)
    }
  }

  /** Reads are tried again after a fault that may pass; writes never, as they may have been done. */
  const request: typeof requestOnce = async (route, options) => {
    for (let tries = 1; ; tries++) {
      try {
        return await requestOnce(route, options)
      } catch (error) {
        const isRead = route.startsWith('GET ')
        if (!isRead || tries >= maxReadTries || halt.aborted || !mayPass(error)) throw error
        await setTimeout(tries * readRetryWaitMs)
      }
    }
  }

  const readAll = async <T>(path: string, schema: z.ZodMiniType<T>): Promise<readonly T[]> => {
    const all: T[] = []
    for (let page = 1; page <= maxPages; page++) {
      const route = `GET ${path}?per_page=${pageSize}&page=${page}`
      const items = parse(z.array(schema), await request(route), route)
      all.push(...items)
      if (items.length < pageSize) break
    }
    return all
  }

  const findTagCommit = async (tag: string): Promise<string | null> => {
    const name = tag.split('/').map(encodeURIComponent).join('/')
    let route = `GET ${home}/git/ref/tags/${name}`
    for (let depth = 0; depth < maxTagDepth; depth++) {
      const data = await request(route).catch((error: unknown) => {
        if (error instanceof GitHubError && error.status === 404) return null
        throw error
      })
      if (data === null) return null
      const { object } = parse(gitObjectSchema, data, route)
      if (object.type !== 'tag') return object.sha
      route = `GET ${home}/git/tags/${encodeURIComponent(object.sha)}`
    }
    throw new GitHubError(`the tag "${quote(tag)}" leads to too many other tags`, null)
  }

  return {
    findReleases: async tag => {
      const releases = await readAll(`${home}/releases`, releaseSchema)
      return releases.filter(release => release.tag_name === tag).map(toRelease)
    },
    listAssets: async releaseId => {
      const assets = await readAll(`${home}/releases/${releaseId}/assets`, assetSchema)
      return assets.map(({ id, name, size, digest, state }) => ({
        ...{ id, name, size, digest: digest ?? null },
        isUploaded: state === 'uploaded',
      }))
    },
    streamAsset: async (assetId, signal) => {
      // Fetch leaves the token behind when the API redirects to the storage, which is another origin.
      const route = `GET ${home}/releases/assets/${assetId}`
      const headers = { accept: 'application/octet-stream' }
      const data = await request(route, {
        headers,
        request: { signal, parseSuccessResponseBody: false },
      })
      if (!isByteStream(data)) throw new GitHubError(`${route} gave no content`, null)
      return data
    },
    findTagCommit,
    uploadAsset: async (release, name, content) => {
      const route = `POST ${release.uploadUrl}?name=${encodeURIComponent(name)}`
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': content.length,
      }
      return parse(uploadedSchema, await request(route, { headers, data: content }), route).id
    },
    renameAsset: async (assetId, name) => {
      await request(`PATCH ${home}/releases/assets/${assetId}`, { name })
    },
    deleteAsset: async assetId => {
      await request(`DELETE ${home}/releases/assets/${assetId}`).catch((error: unknown) => {
        if (!(error instanceof GitHubError) || error.status !== 404) throw error
      })
    },
  }
}

function toRelease(release: z.infer<typeof releaseSchema>): Release {
  return {
    id: release.id,
    tag: release.tag_name,
    isDraft: release.draft,
    isImmutable: release.immutable ?? false,
    uploadUrl: release.upload_url.replace(/\{.*$/, ''),
  }
}

function parse<T>(schema: z.ZodMiniType<T>, data: unknown, route: string): T {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new GitHubError(`${route} gave an answer that cannot be understood`, null)
}

/** Whether no answer came, or one that says the server is in trouble or busy. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof GitHubError)) return false
  return error.status === null || error.status >= 500 || error.status === 429
}

function isByteStream(data: unknown): data is AsyncIterable<Uint8Array> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data
}

function toGitHubError(route: string, error: unknown): GitHubError {
  const call = route.replace(/\?.*$/, '')
  const answered = failureSchema.safeParse(error)
  const hasAnswer = error instanceof Error && 'response' in error && error.response !== undefined
  if (answered.success && hasAnswer) {
    const { status, message } = answered.data
    return new GitHubError(`${call}: HTTP ${status}, ${quote(message, 200)}`, status, error)
  }
  return new GitHubError(`${call}: ${describeError(error)}`, null, error)
}
