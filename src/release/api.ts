import assert from 'node:assert'
import { createHash, hash } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { recordsName } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'
import { Failure, problemAt, Stop } from '../failure.ts'
import { cancelledFailure } from '../runtime/halt.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { octetStream, toFailure, type GitHubClient } from './octokit.ts'

const assetSchema = z.pipe(
  z.object({
    id: z.number(),
    name: z.string(),
    /** Bytes. */
    size: z.number(),
    digest: z.nullish(z.string()),
    state: z.string(),
  }),
  z.transform(({ id, name, size, digest, state }) => {
    /** SHA-256, 64 lower-case hex digits; null if GitHub does not know it. */
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null
    return { id, name, size, hash, isUploaded: state === 'uploaded' }
  }),
)

/** An asset of a release. One that is not uploaded is an unfinished upload. */
export type Asset = Readonly<z.infer<typeof assetSchema>>

const releaseSchema = z.object({
  id: z.number(),
  tag_name: z.string(),
  draft: z.boolean(),
  /** Missing on a server that does not know it. */
  immutable: z._default(z.boolean(), false),
  /** The branch or commit that the tag of a draft will point to. */
  target_commitish: z._default(z.string(), ''),
  /** For a browser. */
  html_url: z._default(z.string(), ''),
  /** A URI template with the parameter `name`. */
  upload_url: z.string(),
})

/** A release, published or a draft. */
export type ReleaseAnswer = Readonly<z.infer<typeof releaseSchema>>

const gitObjectSchema = z.object({ object: z.object({ sha: z.string(), type: z.string() }) })
const streamSchema = z.custom<AsyncIterable<Uint8Array>>(
  (data: unknown) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data,
)

const maxUploads = 3

/** The releases of a repository. All calls reject with a `Failure`, also at a signal. */
export class GitHubApi {
  readonly #client: GitHubClient
  readonly #host: Host
  /** The path of the repository. */
  readonly #root: string

  /** `repository` is `owner/name`. */
  constructor(client: GitHubClient, host: Host, repository: string) {
    this.#client = client
    this.#host = host
    this.#root = `/repos/${repository}`
  }

  /** Returns the published release with this tag, or else the only draft. Rejects with a `Stop` if there is none. */
  async findRelease(tag: string): Promise<ReleaseAnswer> {
    const { request, paginate } = this.#client
    const call = request(`GET ${this.#root}/releases/tags/{tag}`, { tag })
    const published = await nullIfMissing(this.#read(releaseSchema, call))
    if (published !== null) return published
    // Includes drafts only if the token can write. Few per page, because all assets are included.
    const pages = paginate(`GET ${this.#root}/releases`, { per_page: 30 })
    const all = await this.#read(z.array(releaseSchema), pages)
    const releases = all.filter(({ tag_name }) => tag_name === tag)
    const [release] = releases
    if (release !== undefined && releases.length === 1) return release
    const urls = releases.map(({ html_url }) => quote(html_url))
    const problem =
      release === undefined
        ? 'was not found; check the tag, and for a draft give the job the permission contents: write'
        : `has ${releases.length} drafts (${joinFirst(urls, 5)}); keep the one with the notarization records, if any, and delete the others`
    throw new Stop(problemAt('release-tag', `the release "${quote(tag)}" ${problem}`))
  }

  listAssets({ id }: ReleaseAnswer): Promise<readonly Asset[]> {
    const route = `GET ${this.#root}/releases/{id}/assets`
    return this.#read(z.array(assetSchema), this.#client.paginate(route, { id, per_page: 100 }))
  }

  /** Returns the commit of a tag, which may be annotated; null if there is no such tag. */
  async findTagCommit(tag: string): Promise<string | null> {
    const { request } = this.#client
    const call = request(`GET ${this.#root}/git/ref/tags/{tag}`, { tag })
    let target = await nullIfMissing(this.#read(gitObjectSchema, call))
    while (target?.object.type === 'tag') {
      const { sha } = target.object
      const next = request(`GET ${this.#root}/git/tags/{sha}`, { sha })
      target = await this.#read(gitObjectSchema, next)
    }
    return target?.object.sha ?? null
  }

  /** Returns the content of an asset, which must fit into memory. */
  readAsset(asset: Asset): Promise<Buffer> {
    return this.#download(asset, buffer)
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

  #download<T>({ id }: Asset, read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const route = `GET ${this.#root}/releases/assets/{id}`
    const headers = { accept: octetStream }
    const request = { parseSuccessResponseBody: false }
    const download = async (): Promise<T> => {
      const { data } = await this.#client.request(route, { id, headers, request })
      return read(streamSchema.parse(data))
    }
    return this.#untilSignal(download())
  }

  /**
   * Uploads a file; returns null if another file has its name. After an upload without a good answer,
   * and if the name is taken, looks for the file among the assets first: the same digest is success,
   * and an unfinished upload of ours is replaced.
   */
  async uploadAsset(release: ReleaseAnswer, name: string, data: Buffer): Promise<Asset | null> {
    const { clock, halt } = this.#host
    const headers = { 'content-type': octetStream }
    const parameters = { name, data, headers, request: { retries: 0 } }
    // Other jobs use the usual name of records, too.
    let isOurs = name !== recordsName
    for (let tries = 1; ; tries++) {
      try {
        const call = this.#client.request(`POST ${release.upload_url}`, parameters)
        return await this.#read(assetSchema, call)
      } catch (error) {
        assert(error instanceof Failure)
        const { status } = error
        const mayHaveActed = status === null || status >= 500
        if (!mayHaveActed && status !== 422) throw error
        isOurs ||= mayHaveActed
        const assets = await this.listAssets(release)
        const asset = assets.find(listed => listed.name === name)
        if (asset?.isUploaded === true) {
          return (await this.hashAsset(asset)) === hash('sha256', data) ? asset : null
        }
        if (asset !== undefined && !isOurs) return null
        if (tries === maxUploads) throw error
        if (asset !== undefined) await this.deleteAsset(asset)
        // It may not be listed yet.
        else await clock.sleep(1000 * tries ** 2, halt.cancelled)
      }
    }
  }

  /** Deletes an asset; ignores one that is already gone. */
  async deleteAsset({ id }: Asset): Promise<void> {
    const call = this.#client.request(`DELETE ${this.#root}/releases/assets/{id}`, { id })
    await nullIfMissing(this.#read(z.unknown(), call))
  }

  #read<T>(schema: z.ZodMiniType<T>, call: Promise<{ readonly data: unknown }>): Promise<T> {
    return this.#untilSignal(call.then(({ data }) => schema.parse(data)))
  }

  /** Waits for work, but not after a signal: a plug-in may sleep for a minute. */
  async #untilSignal<T>(work: Promise<T>): Promise<T> {
    const { halt, secrets } = this.#host
    const signal = halt.isCancelled ? Promise.resolve() : once(halt.cancelled, 'abort')
    try {
      return await Promise.race([work, signal.then(() => Promise.reject(cancelledFailure))])
    } catch (error) {
      throw halt.isCancelled ? cancelledFailure : toFailure(error, secrets)
    }
  }
}

async function nullIfMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return null
    throw error
  }
}
