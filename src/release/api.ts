import assert from 'node:assert'
import { createHash, hash } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { recordsName } from '../artifacts/own-files.ts'
import type { Host } from '../runtime/host.ts'
import { assetSchema, releaseSchema, type Asset, type ReleaseAnswer } from './assets.ts'
import { canceled, ReleaseError, toReleaseError } from './release-error.ts'
import { octetStream, type GitHubClient } from './octokit.ts'

const maxUploads = 3
const gitObjectSchema = z.object({ object: z.object({ sha: z.string(), type: z.string() }) })
const streamSchema = z.custom<AsyncIterable<Uint8Array>>(
  (data: unknown) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data,
)

/** The releases of a repository. All calls reject with a `ReleaseError`, also at a signal. */
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

  /** Returns the published release with this tag; null if none. */
  findPublished(tag: string): Promise<ReleaseAnswer | null> {
    const call = this.#client.request(`GET ${this.#root}/releases/tags/{tag}`, { tag })
    return nullIfMissing(this.#read(releaseSchema, call))
  }

  /** Lists the releases with this tag; GitHub includes drafts only if the token can write. */
  async listReleases(tag: string): Promise<readonly ReleaseAnswer[]> {
    // Few per page, because GitHub includes all assets of each release.
    const call = this.#client.paginate(`GET ${this.#root}/releases`, { per_page: 30 })
    const releases = await this.#read(z.array(releaseSchema), call)
    return releases.filter(({ tag_name }) => tag_name === tag)
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

  async #download<T>(
    { id }: Asset,
    read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    const route = `GET ${this.#root}/releases/assets/{id}`
    const headers = { accept: octetStream }
    const request = { parseSuccessResponseBody: false }
    const download = async (): Promise<T> => {
      const call = this.#client.request(route, { id, headers, request })
      return read(await this.#read(streamSchema, call))
    }
    const repeat = (error: unknown): Promise<T> => {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError'
      if (isTimeout || error instanceof ReleaseError) throw error
      return download()
    }
    // Once more, because the plug-ins do not see that a download breaks off.
    return this.#until(download().catch(repeat))
  }

  /**
   * Uploads a file; returns null if another file has its name. After an upload without a good answer,
   * and if the name is taken, looks for the file among the assets first: the same digest is success,
   * and an unfinished upload of ours is replaced.
   */
  async uploadAsset(release: ReleaseAnswer, name: string, data: Buffer): Promise<Asset | null> {
    const { clock, halt } = this.#host
    const parameters = { name, data, headers: { 'content-type': octetStream } }
    // Other jobs use the usual name of records, too.
    let isOurs = name !== recordsName
    for (let tries = 1; ; tries++) {
      try {
        const request = { retries: 0 }
        const call = this.#client.request(`POST ${release.upload_url}`, { ...parameters, request })
        return await this.#read(assetSchema, call)
      } catch (error) {
        assert(error instanceof ReleaseError)
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
    return this.#until(call.then(({ data }) => schema.parse(data)))
  }

  /** Waits for work until a signal; the plug-ins may sleep for a minute. */
  async #until<T>(work: Promise<T>): Promise<T> {
    const { halt, secrets } = this.#host
    const cancelled = once(halt.cancelled, 'abort').then(() => Promise.reject(canceled))
    try {
      return await Promise.race([work, cancelled])
    } catch (error) {
      throw halt.isCancelled ? canceled : toReleaseError(error, secrets)
    }
  }
}

async function nullIfMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ReleaseError && error.status === 404) return null
    throw error
  }
}
