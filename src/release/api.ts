import { text as textOf } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { quote } from '../text/escape.ts'
import {
  GitHubError,
  repeat,
  toGitHubError,
  type GitHubFailure,
  type GitHubHost,
} from './github-error.ts'
import {
  assetSchema,
  bytesSchema,
  gitObjectSchema,
  releaseSchema,
  type Asset,
  type Release,
} from './shapes.ts'

const silenceMs = 60_000
/** Small, as each release comes with all its assets. */
const releasesPerPage = 10
const assetsPerPage = 100
/** GitHub lists no more than 10,000 releases. */
const maxPages = 1000
const maxTagDepth = 10

/** The calls to the GitHub API that the action needs, each for one repository. All reject with a {@link GitHubError}. */
export type GitHubApi = Awaited<ReturnType<typeof connectToGitHub>>

/**
 * The API for a repository (`owner/name`) at `GITHUB_API_URL`, until `signal` aborts; loads `@actions/github` only now, as
 * most runs do not need it.
 */
export async function connectToGitHub(
  target: { readonly apiUrl: string; readonly token: string; readonly repository: string },
  how: GitHubHost & { readonly signal: AbortSignal },
) {
  const { getOctokit } = await import('@actions/github')
  const quiet = (): void => undefined
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const octokit = getOctokit(target.token, { log, baseUrl: target.apiUrl })
  const home = `/repos/${encodePath(target.repository)}`

  // Every call, those for further pages too, comes through here.
  octokit.hook.wrap('request', async (send, options) => {
    const call = `${options.method} ${pathOf(options.url)}`
    const given = options.request
    const sendOnce = async (): Promise<Awaited<ReturnType<typeof send>>> => {
      const silence = watchSilence()
      silence.rewind()
      const signals = [how.signal, silence.signal, given.signal]
      const signal = AbortSignal.any(signals.filter(one => one instanceof AbortSignal))
      // In place: the hooks below this one get these very options. Octokit takes JSON that broke off for an empty text,
      // and needs several times the memory to parse it.
      options.request = { ...given, signal, parseSuccessResponseBody: false }
      try {
        const response = await send(options)
        const isWanted = given.parseSuccessResponseBody === false || response.status === 204
        return isWanted ? response : { ...response, data: await readJson(response.data, call) }
      } catch (error) {
        throw toGitHubError(call, error, how)
      } finally {
        silence.end()
      }
    }
    // A write that got no good answer may have been done; only a rate limit says that it was not.
    const isRead = options.method === 'GET'
    return repeat(sendOnce, how, failure => failure.mayPass && (isRead || failure.isRateLimit))
  })

  const request = async <T>(
    route: string,
    schema: z.ZodMiniType<T>,
    options: Record<string, unknown> = {},
  ): Promise<T> => {
    const response: { readonly data: unknown } = await octokit.request(route, options)
    return parse(schema, response.data, route)
  }

  async function* readPages<T>(
    path: string,
    perPage: number,
    schema: z.ZodMiniType<T>,
  ): AsyncGenerator<readonly T[]> {
    const route = `GET ${path}`
    let count = 0
    try {
      for await (const { data } of octokit.paginate.iterator(route, { per_page: perPage })) {
        yield parse(z.array(schema), data, route)
        count += 1
        if (count >= maxPages) throw new GitHubError(`${route} has too many pages`)
      }
    } catch (error) {
      // The iterator stumbles over an answer that is no list.
      throw error instanceof GitHubError ? error : new GitHubError(`${route} ${notUnderstood}`)
    }
  }

  return {
    /** Null if there is no published release with this tag. */
    findPublished: (tag: string): Promise<Release | null> =>
      orNull(request(`GET ${home}/releases/tags/${encodePath(tag)}`, releaseSchema)),

    /** All releases, page by page, the newest first; drafts are seen only with a token that can write. */
    listReleases: (): AsyncIterable<readonly Release[]> =>
      readPages(`${home}/releases`, releasesPerPage, releaseSchema),

    listAssets: async (releaseId: number): Promise<readonly Asset[]> => {
      // By id: what is added or removed meanwhile moves the others over the edge of a page.
      const assets = new Map<number, Asset>()
      const path = `${home}/releases/${releaseId}/assets`
      for await (const page of readPages(path, assetsPerPage, assetSchema)) {
        for (const asset of page) assets.set(asset.id, asset)
      }
      return [...assets.values()]
    },

    /** The bytes of an asset, as they come; rejects when none come for a minute. */
    streamAsset: async function* ({ id }: Asset): AsyncGenerator<Uint8Array> {
      // Fetch leaves the token behind when the API redirects to the storage, which is another origin.
      const route = `GET ${home}/releases/assets/${id}`
      const silence = watchSilence()
      try {
        const content = await octokit.request(route, {
          headers: { accept: 'application/octet-stream' },
          request: { signal: silence.signal, parseSuccessResponseBody: false },
        })
        silence.rewind()
        for await (const chunk of parse(bytesSchema, content.data, route)) {
          silence.rewind()
          yield chunk
        }
      } catch (error) {
        throw toGitHubError(route, error, how)
      } finally {
        silence.end()
      }
    },

    /** The commit that a tag points to, annotated tags peeled; null if there is no such tag. */
    findTagCommit: async (tag: string): Promise<string | null> => {
      let route = `GET ${home}/git/ref/tags/${encodePath(tag)}`
      for (let depth = 0; depth < maxTagDepth; depth++) {
        const found = await orNull(request(route, gitObjectSchema))
        if (found === null) return null
        if (found.object.type !== 'tag') return found.object.sha
        route = `GET ${home}/git/tags/${encodeURIComponent(found.object.sha)}`
      }
      throw new GitHubError(`the tag "${quote(tag)}" leads to too many other tags`)
    },

    uploadAsset: (release: Release, name: string, data: Buffer): Promise<Asset> => {
      const route = `POST ${release.uploadUrl}?name=${encodeURIComponent(name)}`
      const type = 'application/octet-stream'
      const headers = { 'content-type': type, 'content-length': data.length }
      return request(route, assetSchema, { headers, data })
    },

    renameAsset: ({ id }: Asset, name: string): Promise<Asset> =>
      request(`PATCH ${home}/releases/assets/${id}`, assetSchema, { name }),

    /** An asset that is gone already is no error. */
    deleteAsset: async ({ id }: Asset): Promise<void> => {
      await orNull(request(`DELETE ${home}/releases/assets/${id}`, z.unknown()))
    },

    /** Does something of several calls again as long as its failure may pass, or `canRepeat` says so. */
    repeat: <T>(
      work: () => Promise<T>,
      canRepeat = ({ mayPass }: GitHubFailure): boolean => mayPass,
    ): Promise<T> => repeat(work, how, canRepeat),
  }
}

const notUnderstood = 'gave an answer that cannot be understood'

function parse<T>(schema: z.ZodMiniType<T>, data: unknown, route: string): T {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new GitHubError(`${pathOf(route)} ${notUnderstood}`)
}

async function readJson(body: unknown, call: string): Promise<unknown> {
  const text = await textOf(parse(bytesSchema, body, call))
  try {
    const data: unknown = JSON.parse(text)
    // To the iterator nothing is an empty page.
    if (data !== null) return data
  } catch {
    // Not shown: it repeats the text.
  }
  throw new GitHubError(`${call} ${notUnderstood}`, { mayPass: true })
}

/** Without host and query, for messages. */
function pathOf(url: string): string {
  return url.replace(/https?:\/\/[^/]+/, '').replace(/\?.*$/, '')
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof GitHubError && error.failure.status === 404) return null
    throw error
  }
}

/** Encodes the parts of a path, so that no name adds one of its own. */
function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** A signal that aborts a minute after the last `rewind`. */
function watchSilence() {
  const silence = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    clearTimeout(timer)
  }
  const rewind = (): void => {
    end()
    timer = setTimeout(() => {
      silence.abort(new Error('no answer came for a minute'))
    }, silenceMs)
  }
  return { signal: silence.signal, rewind, end }
}
