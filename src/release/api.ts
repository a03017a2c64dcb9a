import { text as textOf } from 'node:stream/consumers'
import * as z from 'zod/mini'
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
const octetStream = 'application/octet-stream'

/** The calls to the GitHub API that the action needs, each for one repository. All reject with a {@link GitHubError}. */
export type GitHubApi = Awaited<ReturnType<typeof connectToGitHub>>

/** Where the API is, and what its calls need; they end when `signal` aborts. */
interface Connection extends GitHubHost {
  /** `GITHUB_API_URL`. */
  readonly apiUrl: string
  readonly token: string
  /** `owner/name`. */
  readonly repository: string
  readonly signal: AbortSignal
}

/** Connects to the API; loads `@actions/github` only now, as most runs do not need it. */
export async function connectToGitHub(connection: Connection) {
  const { getOctokit } = await import('@actions/github')
  const quiet = (): void => undefined
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const octokit = getOctokit(connection.token, { log, baseUrl: connection.apiUrl })
  const { repos, git } = octokit.rest
  const [owner = '', repo = ''] = connection.repository.split('/')
  const home = { owner, repo }
  /** Not by octokit's own calls: they encode the slashes of a tag, and some enterprise servers do not find it then. */
  const getByTag = (path: string, tag: string): Promise<Answer> => {
    const parts = tag.split('/').map(encodeURIComponent)
    return octokit.request(`GET /repos/{owner}/{repo}/${path}/${parts.join('/')}`, home)
  }

  // Every call, those for further pages too, comes through here.
  octokit.hook.wrap('request', async (send, options) => {
    const { method, url } = octokit.request.endpoint(options)
    const call = `${method} ${pathOf(url)}`
    const sendOnce = async (): Promise<Awaited<ReturnType<typeof send>>> => {
      const silence = new AbortController()
      const timer = setTimeout(() => {
        silence.abort(new Error('no answer came for a minute'))
      }, silenceMs).unref()
      const readBytes = async function* (body: unknown): AsyncGenerator<Uint8Array> {
        try {
          for await (const chunk of parse(bytesSchema, { url, data: body })) {
            timer.refresh()
            yield chunk
          }
        } catch (error) {
          throw toGitHubError(call, error, connection)
        } finally {
          clearTimeout(timer)
        }
      }
      const signal = AbortSignal.any([connection.signal, silence.signal])
      // In place: the hooks below this one get these very options. Octokit takes JSON that broke off for an empty text,
      // and needs several times the memory to parse it.
      options.request = { ...options.request, signal, parseSuccessResponseBody: false }
      try {
        const response = await send(options)
        if (response.status === 204) return response
        const bytes = readBytes(response.data)
        const isJson = options.headers.accept !== octetStream
        return { ...response, data: isJson ? await readJson(bytes, call) : bytes }
      } catch (error) {
        throw toGitHubError(call, error, connection)
      }
    }
    // Writes, too: what was done without an answer is refused the second time, and who attaches then looks anew.
    return repeat(sendOnce, connection)
  })

  return {
    /** Null if there is no published release with this tag. */
    findPublished: (tag: string): Promise<Release | null> =>
      orNull(read(releaseSchema, getByTag('releases/tags', tag))),

    /** All releases, page by page, the newest first; drafts are seen only with a token that can write. */
    listReleases: async function* (): AsyncGenerator<readonly Release[]> {
      // Few a page, as each comes with all its assets.
      const pages = octokit.paginate.iterator(repos.listReleases, { ...home, per_page: 10 })
      for await (const page of pages) yield parse(z.array(releaseSchema), page)
    },

    listAssets: async ({ id }: Release): Promise<readonly Asset[]> => {
      const query = { ...home, release_id: id, per_page: 100 }
      const pages = octokit.paginate.iterator(repos.listReleaseAssets, query)
      // By id: what is added or removed meanwhile moves the others over the edge of a page.
      const assets = new Map<number, Asset>()
      for await (const page of pages) {
        for (const asset of parse(z.array(assetSchema), page)) assets.set(asset.id, asset)
      }
      return [...assets.values()]
    },

    /** The bytes of an asset, as they come; rejects when none come for a minute. */
    streamAsset: ({ id }: Asset): Promise<AsyncIterable<Uint8Array>> => {
      // Fetch leaves the token behind when the API redirects to the storage, which is another origin.
      const headers = { accept: octetStream }
      return read(bytesSchema, repos.getReleaseAsset({ ...home, asset_id: id, headers }))
    },

    /** The commit that a tag points to, annotated tags peeled; null if there is no such tag. */
    findTagCommit: async (tag: string): Promise<string | null> => {
      let target = (await orNull(read(gitObjectSchema, getByTag('git/ref/tags', tag))))?.object
      // Ends, as a tag names its target by a hash, and cannot lead to itself.
      while (target?.type === 'tag') {
        const tagObject = git.getTag({ ...home, tag_sha: target.sha })
        target = (await read(gitObjectSchema, tagObject)).object
      }
      return target?.sha ?? null
    },

    uploadAsset: ({ uploadUrl }: Release, name: string, data: Buffer): Promise<Asset> => {
      const headers = { 'content-type': octetStream }
      return read(assetSchema, octokit.request(`POST ${uploadUrl}{?name}`, { name, headers, data }))
    },

    renameAsset: ({ id }: Asset, name: string): Promise<Asset> =>
      read(assetSchema, repos.updateReleaseAsset({ ...home, asset_id: id, name })),

    /** An asset that is gone already is no error. */
    deleteAsset: async ({ id }: Asset): Promise<void> => {
      await orNull(repos.deleteReleaseAsset({ ...home, asset_id: id }))
    },

    /** Does something of several calls again as long as its failure may pass, or `canRepeat` says so. */
    repeat: <T>(
      work: () => Promise<T>,
      canRepeat?: (failure: GitHubFailure) => boolean,
    ): Promise<T> => repeat(work, connection, canRepeat),
  }
}

const notUnderstood = 'gave an answer that cannot be understood'

/** An answer of octokit; what its types say of the data is not checked. */
interface Answer {
  readonly url: string
  readonly data: unknown
}

async function read<T>(schema: z.ZodMiniType<T>, answer: Promise<Answer>): Promise<T> {
  return parse(schema, await answer)
}

function parse<T>(schema: z.ZodMiniType<T>, { url, data }: Answer): T {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new GitHubError(`${pathOf(url)} ${notUnderstood}`)
}

/** An object or a list; anything else is an answer that broke off, or of which octokit would make an empty page. */
async function readJson(bytes: AsyncIterable<Uint8Array>, call: string): Promise<unknown> {
  const text = await textOf(bytes)
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null) return data
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
