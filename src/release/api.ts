import { createHash, hash } from 'node:crypto'
import * as z from 'zod/mini'
import { quote } from '../text/escape.ts'
import { Stop } from '../failure.ts'
import { proxyProblem } from '../service/proxy.ts'
import {
  GitHubError,
  nullForStatus,
  repeat,
  toGitHubError,
  type CallOptions,
} from './github-error.ts'
import { fetchGitHub, octetStream, type GitHubRequest } from './github-http.ts'
import {
  assetSchema,
  bytesSchema,
  gitObjectSchema,
  releaseSchema,
  type Asset,
  type Release,
} from './github-types.ts'

/** What a connection to GitHub needs. */
export interface ConnectOptions extends CallOptions {
  /** `owner/name`. */
  readonly repository: string
  readonly token: string
  /** Ends the call in flight. */
  readonly signal: AbortSignal
}

/** An answer of octokit; what its types say of the data is not trusted. */
export interface Answer {
  readonly data: unknown
  readonly headers?: { readonly link?: string | undefined }
}

interface Page<T> {
  readonly data: T
  /** The number of the last page; null on the last page. */
  readonly lastPage: number | null
}

/** A call: its route as octokit reads it, and its parameters. */
export type Call = readonly [route: string, parameters: Readonly<Record<string, unknown>>]

/** Makes one call; rejects as octokit does. Tests have one of their own. */
export type Send = (...call: Call) => Promise<Answer>

/** Few, as each comes with all its assets. */
const releasesPerPage = 30
const assetsPerPage = 100
const repository = '/repos/{owner}/{repo}'

/** The calls to GitHub for one repository. All but an upload are repeated; all reject with a {@link GitHubError}. */
export class GitHubApi {
  readonly #send: Send
  readonly #options: CallOptions

  constructor(send: Send, options: CallOptions) {
    this.#send = send
    this.#options = options
  }

  /** Loads `@actions/github` only now, as most runs do not need it. Rejects with a `Stop` for a proxy that cannot be used. */
  static async connect(options: ConnectOptions): Promise<GitHubApi> {
    const { apiUrl, proxies } = options.host.environment
    // Loading it throws for such a proxy.
    const problem = proxyProblem(apiUrl, proxies)
    if (problem !== null) throw new Stop(problem)
    const { getOctokit } = await import('@actions/github')
    const silent = (): void => undefined
    // That of the toolkit uses the proxy of the API for uploads, too, and has no limits.
    const fetch = (url: string, request: GitHubRequest): Promise<Response> =>
      fetchGitHub(url, request, { proxies, signal: options.signal })
    const octokit = getOctokit(options.token, {
      baseUrl: apiUrl,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      request: { fetch },
    })
    const [owner = '', repo = ''] = options.repository.split('/')
    const send = octokit.request.defaults({ owner, repo })
    return new GitHubApi((...call) => send(...call), options)
  }

  /** Null if there is no published release with this tag. */
  async findPublished(tag: string): Promise<Release | null> {
    const call: Call = [`GET ${repository}/releases/tags/{tag}`, { tag }]
    return nullForStatus(404, this.#ask('finding the release', releaseSchema, call))
  }

  /** All releases with this tag; GitHub lists drafts only for a token that can write. */
  async listReleases(tag: string): Promise<readonly Release[]> {
    // What is created meanwhile moves a release to the next page: it is listed twice.
    const releases = new Map<number, Release>()
    for (let page = 1; ; page++) {
      const call: Call = [`GET ${repository}/releases`, { per_page: releasesPerPage, page }]
      const what = 'listing the releases'
      const { data, lastPage } = await this.#askPage(what, z.array(releaseSchema), call)
      for (const release of data) if (release.tag === tag) releases.set(release.id, release)
      if (lastPage === null) return [...releases.values()]
    }
  }

  /** All assets. More than a page of them come in one answer: what is deleted between two pages would hide another. */
  async listAssets({ id }: Release): Promise<readonly Asset[]> {
    const first = await this.#listPage(id, 1)
    if (first.lastPage === null) return first.data
    const call: Call = [`GET ${repository}/releases/{id}`, { id }]
    const { assets } = await this.#ask('listing the assets', releaseSchema, call)
    const isWhole = assets.length > first.data.length * (first.lastPage - 1)
    return isWhole ? assets : this.#listPages(id)
  }

  /** For a server that leaves assets out of a release: page by page, until two listings are equal. */
  async #listPages(releaseId: number, idsBefore = ''): Promise<readonly Asset[]> {
    const assets: Asset[] = []
    let lastPage: number | null = 1
    for (let page = 1; lastPage !== null; page++) {
      const answer: Page<Asset[]> = await this.#listPage(releaseId, page)
      assets.push(...answer.data)
      lastPage = answer.lastPage
    }
    const ids = assets.map(({ id }) => id).join()
    return ids === idsBefore ? assets : this.#listPages(releaseId, ids)
  }

  #listPage(id: number, page: number): Promise<Page<Asset[]>> {
    const query = { id, per_page: assetsPerPage, page }
    const call: Call = [`GET ${repository}/releases/{id}/assets`, query]
    return this.#askPage('listing the assets', z.array(assetSchema), call)
  }

  /** The commit that a tag points to, annotated tags peeled; null if there is no such tag. */
  async findTagCommit(tag: string): Promise<string | null> {
    const call: Call = [`GET ${repository}/git/ref/tags/{tag}`, { tag }]
    let found = await nullForStatus(404, this.#ask('reading the tag', gitObjectSchema, call))
    while (found?.object.type === 'tag') {
      const peel: Call = [`GET ${repository}/git/tags/{sha}`, { sha: found.object.sha }]
      found = await this.#ask('reading the tag', gitObjectSchema, peel)
    }
    return found?.object.sha ?? null
  }

  /** The content of a small asset. */
  readAsset(asset: Asset): Promise<Buffer> {
    return this.#download(asset, async bytes => {
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes) chunks.push(chunk)
      const content = Buffer.concat(chunks)
      if (asset.hash === null || hash('sha256', content) === asset.hash) return content
      throw new Error('its bytes do not have its digest')
    })
  }

  /** The SHA-256 of an asset: its digest, else that of its bytes, none of which is kept. */
  async hashAsset(asset: Asset): Promise<string> {
    if (asset.hash !== null) return asset.hash
    return this.#download(asset, async bytes => {
      const sha256 = createHash('sha256')
      for await (const chunk of bytes) sha256.update(chunk)
      return sha256.digest('hex')
    })
  }

  #download<T>(asset: Asset, read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const what = `downloading "${quote(asset.name)}"`
    return this.repeat(() => this.#describe(what, read(this.#stream(asset))))
  }

  /** The bytes of an asset; ends with an error unless they are as many as GitHub says. */
  async *#stream({ id, size }: Asset): AsyncGenerator<Uint8Array> {
    const options = {
      headers: { accept: octetStream },
      request: { parseSuccessResponseBody: false },
    }
    const { data } = await this.#send(`GET ${repository}/releases/assets/{id}`, { id, ...options })
    let length = 0
    for await (const chunk of bytesSchema.parse(data)) {
      length += chunk.length
      if (length > size) break
      yield chunk
    }
    if (length !== size) throw new Error(`${length} bytes or more came, but GitHub says ${size}`)
  }

  /** Tries once, as an upload that failed may have happened. */
  async uploadAsset({ uploadUrl }: Release, name: string, data: Buffer): Promise<Asset> {
    const headers = { 'content-type': octetStream }
    const call: Call = [`POST ${uploadUrl}{?name}`, { name, headers, data }]
    return (await this.#askOnce(`uploading "${name}"`, assetSchema, call)).data
  }

  /** An asset that is gone already is no error. */
  async deleteAsset({ id, name }: Asset): Promise<void> {
    const call: Call = [`DELETE ${repository}/releases/assets/{id}`, { id }]
    await nullForStatus(404, this.#ask(`deleting "${quote(name)}"`, z.unknown(), call))
  }

  /** Repeats several calls as if they were one. */
  repeat<T>(work: () => Promise<T>): Promise<T> {
    return repeat(work, this.#options)
  }

  async #ask<T>(what: string, schema: z.ZodMiniType<T>, call: Call): Promise<T> {
    const { data } = await this.#askPage(what, schema, call)
    return data
  }

  #askPage<T>(what: string, schema: z.ZodMiniType<T>, call: Call): Promise<Page<T>> {
    return this.repeat(() => this.#askOnce(what, schema, call))
  }

  async #askOnce<T>(what: string, schema: z.ZodMiniType<T>, call: Call): Promise<Page<T>> {
    const { data, headers } = await this.#describe(what, this.#send(...call))
    const parsed = schema.safeParse(data)
    if (!parsed.success) {
      const text = `an answer that cannot be understood while ${what}`
      throw new GitHubError(text, { status: 200 })
    }
    const link = headers?.link ?? ''
    const [, last = '2'] = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(link) ?? []
    return { data: parsed.data, lastPage: link.includes('rel="next"') ? Number(last) : null }
  }

  async #describe<T>(what: string, call: Promise<T>): Promise<T> {
    try {
      return await call
    } catch (error) {
      throw toGitHubError(what, error, this.#options.host)
    }
  }
}
