import { createHash, hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { Stop } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { proxyProblem } from '../service/proxy.ts'
import { backoffMs } from '../service/retry.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/time.ts'
import { GitHubError, nullForStatus, toGitHubError } from './github-error.ts'
import { fetchGitHub, octetStream, type GitHubRequest } from './github-http.ts'
import {
  assetSchema,
  bytesSchema,
  gitObjectSchema,
  releaseSchema,
  type Asset,
  type Release,
} from './github-types.ts'

export interface ConnectOptions {
  readonly host: Host
  /** `owner/name`. */
  readonly repository: string
  readonly token: string
  /** When to stop repeating failed calls, on the monotonic clock. */
  readonly deadlineMs: number
  readonly maxTries: number
  /** Ends the call in flight. */
  readonly signal: AbortSignal
}

/** An answer from octokit; the types it declares for the data are not trusted. */
export interface Answer {
  readonly data: unknown
  readonly headers?: { readonly link?: string | undefined }
}

interface ParsedAnswer<T> {
  readonly data: T
  /** Number of the last page of a listing; null on the last page. */
  readonly lastPage: number | null
}

/** A call: the route in octokit's form, and its parameters. */
export type Call = readonly [route: string, parameters: Readonly<Record<string, unknown>>]

/** Makes one call; rejects with an error of octokit. Tests replace it. */
export type Send = (...call: Call) => Promise<Answer>

/** Few, because GitHub includes all assets of each release. */
const releasesPerPage = 30
const assetsPerPage = 100
const repository = '/repos/{owner}/{repo}'

/** The GitHub API of one repository. Repeats all calls but uploads; rejects with `GitHubError`s. */
export class GitHubApi {
  readonly #send: Send
  readonly #options: ConnectOptions

  constructor(send: Send, options: ConnectOptions) {
    this.#send = send
    this.#options = options
  }

  /** Imports the toolkit, which most runs do not need. Rejects with a `Stop` for a wrong proxy. */
  static async connect(options: ConnectOptions): Promise<GitHubApi> {
    const { apiUrl, proxies } = options.host.environment
    // With such a proxy, the import throws.
    const problem = proxyProblem(apiUrl, proxies)
    if (problem !== null) throw new Stop(problem)
    const { getOctokit } = await import('@actions/github')
    const silent = (): void => undefined
    // The toolkit's own fetch uses the API's proxy for uploads, too, and has no limits.
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

  /** Returns the published release with this tag; null if none. */
  async findPublished(tag: string): Promise<Release | null> {
    const call: Call = [`GET ${repository}/releases/tags/{tag}`, { tag }]
    return nullForStatus(404, this.#ask('finding the release', releaseSchema, call))
  }

  /** Lists the releases with this tag; GitHub includes drafts only if the token can write. */
  async listReleases(tag: string): Promise<readonly Release[]> {
    const call: Call = [`GET ${repository}/releases`, { per_page: releasesPerPage }]
    const pages = await this.#listPages('listing the releases', releaseSchema, call)
    const releases = pages.flat().filter(({ tag_name }) => tag_name === tag)
    // A release created between two pages pushes another to the next page, which repeats it.
    return [...new Map(releases.map(release => [release.id, release])).values()]
  }

  /** Lists all assets, if possible in one answer: a deletion between pages would hide one. */
  async listAssets({ id }: Release): Promise<readonly Asset[]> {
    const what = 'listing the assets'
    const call: Call = [`GET ${repository}/releases/{id}/assets`, { id, per_page: assetsPerPage }]
    const first = await this.repeat(() => this.#askOnce(what, z.array(assetSchema), call))
    if (first.lastPage === null) return first.data
    const { assets } = await this.#ask(what, releaseSchema, [
      `GET ${repository}/releases/{id}`,
      { id },
    ])
    if (assets.length > first.data.length * (first.lastPage - 1)) return assets
    // This server omits assets from releases: list pages until two listings are equal.
    let previousIds = ''
    for (;;) {
      const listed = (await this.#listPages(what, assetSchema, call)).flat()
      const ids = listed.map(asset => asset.id).join()
      if (ids === previousIds) return listed
      previousIds = ids
    }
  }

  async #listPages<T>(
    what: string,
    schema: z.ZodMiniType<T>,
    [route, query]: Call,
  ): Promise<readonly T[][]> {
    const pages: T[][] = []
    for (let page = 1; ; page++) {
      const call: Call = [route, { ...query, page }]
      const { data, lastPage } = await this.repeat(() => this.#askOnce(what, z.array(schema), call))
      pages.push(data)
      if (lastPage === null) return pages
    }
  }

  /** Returns the commit of a tag, which may be annotated; null if there is no such tag. */
  async findTagCommit(tag: string): Promise<string | null> {
    const what = 'reading the tag'
    const call: Call = [`GET ${repository}/git/ref/tags/{tag}`, { tag }]
    let target = await nullForStatus(404, this.#ask(what, gitObjectSchema, call))
    while (target?.object.type === 'tag') {
      const { sha } = target.object
      target = await this.#ask(what, gitObjectSchema, [`GET ${repository}/git/tags/{sha}`, { sha }])
    }
    return target?.object.sha ?? null
  }

  /** Returns the content of a small asset. */
  readAsset(asset: Asset): Promise<Buffer> {
    return this.#download(asset, async bytes => {
      const content = await buffer(bytes)
      if (asset.hash === null || hash('sha256', content) === asset.hash) return content
      throw new Error('its bytes do not match its digest')
    })
  }

  /** Returns the SHA-256 of an asset: its digest, or else that of its bytes, which are streamed. */
  async hashAsset(asset: Asset): Promise<string> {
    if (asset.hash !== null) return asset.hash
    return this.#download(asset, async bytes => {
      const sha256 = createHash('sha256')
      await pipeline(bytes, sha256)
      return sha256.digest('hex')
    })
  }

  #download<T>(asset: Asset, read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const what = `downloading "${quote(asset.name)}"`
    return this.repeat(() => this.#describe(what, read(this.#stream(asset))))
  }

  /** Streams the bytes of an asset; throws unless there are as many as GitHub says. */
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
    if (length !== size)
      throw new Error(`received at least ${length} bytes, but GitHub says ${size}`)
  }

  /** Uploads an asset in one try, because a failed upload may still have happened. */
  async uploadAsset({ upload_url }: Release, name: string, data: Buffer): Promise<Asset> {
    const headers = { 'content-type': octetStream }
    const url = upload_url.replace(/\{.*$/, '')
    const call: Call = [`POST ${url}{?name}`, { name, headers, data }]
    return (await this.#askOnce(`uploading "${name}"`, assetSchema, call)).data
  }

  /** Deletes an asset; ignores one that is already gone. */
  async deleteAsset({ id, name }: Asset): Promise<void> {
    const call: Call = [`DELETE ${repository}/releases/assets/{id}`, { id }]
    await nullForStatus(404, this.#ask(`deleting "${quote(name)}"`, z.unknown(), call))
  }

  /**
   * Repeats `work` while its failure may pass, with the waits that GitHub asks for; after a signal,
   * tries once. Octokit's plugins count tries, not time, sleep through signals, and delay writes.
   */
  async repeat<T>(work: () => Promise<T>): Promise<T> {
    const { host, deadlineMs, maxTries } = this.#options
    const { halt, clock, random, runner } = host
    const { cancelled } = halt
    for (let tries = 1; ; tries++) {
      const isLast = cancelled.aborted || tries === maxTries
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof GitHubError) || !error.failure.mayPass || isLast) throw error
        const waitMs = Math.max(backoffMs(tries, random()), error.failure.waitMs)
        if (clock.monotonic() + waitMs > deadlineMs) throw error
        const pause = halt.isCancelled ? 'now' : `in ${formatDuration(waitMs / 1000)}`
        runner.info(`GitHub: ${error.message}; next try ${pause}`)
        await clock.sleep(waitMs, cancelled)
      }
    }
  }

  async #ask<T>(what: string, schema: z.ZodMiniType<T>, call: Call): Promise<T> {
    return (await this.repeat(() => this.#askOnce(what, schema, call))).data
  }

  async #askOnce<T>(what: string, schema: z.ZodMiniType<T>, call: Call): Promise<ParsedAnswer<T>> {
    const { data, headers } = await this.#describe(what, this.#send(...call))
    const parsed = schema.safeParse(data)
    if (!parsed.success) {
      const message = `an answer that cannot be understood while ${what}`
      throw new GitHubError(message, { mayHaveActed: true })
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
