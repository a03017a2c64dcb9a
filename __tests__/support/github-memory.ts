/** The releases, assets and tags of one repository, as GitHub keeps them. */
import { createHash } from 'node:crypto'

/** Bytes, or so many zeros that are made as they are sent. */
export type Content = Uint8Array | { readonly zeros: number }

/** What makes an asset; what is missing is as GitHub makes it. */
export interface AssetSeed {
  readonly name: string
  readonly content?: string | Content
  /** Default: `sha256:<hex>` of the content. */
  readonly digest?: string | null
  /** Default: `uploaded`; `starter` for an upload that never ended. */
  readonly state?: 'uploaded' | 'starter'
  /** Default: that of the content. */
  readonly size?: number
}

/** What makes a release. */
export interface ReleaseSeed {
  readonly tag: string
  readonly draft?: boolean
  readonly immutable?: boolean
  readonly assets?: readonly AssetSeed[]
}

/** Where a tag points to; `annotations` is the number of tag objects between the tag and its commit. */
export interface TagSeed {
  readonly commit: string
  readonly annotations?: number
}

/** An asset as it is kept. */
export interface StoredAsset {
  readonly id: number
  name: string
  readonly content: Content
  readonly digest: string | null
  readonly state: 'uploaded' | 'starter'
  readonly size: number
}

/** A release as it is kept. */
export interface StoredRelease {
  readonly id: number
  readonly tag: string
  draft: boolean
  immutable: boolean
  assets: StoredAsset[]
}

/** GitHub puts one dot in the place of what it does not take in the name of an asset. */
export function sanitizeAssetName(name: string): string {
  return name.replaceAll(/[^\w.@+-]+/g, '.').replaceAll(/\.{2,}/g, '.')
}

/** See the top of this file. Ids are never used again. */
export class GitHubMemory {
  readonly releases: StoredRelease[] = []
  /** Tag to the object that it points to. */
  readonly tags = new Map<string, GitObject>()
  /** Annotated tags by their own id. */
  readonly tagObjects = new Map<string, GitObject>()
  readonly #givesDigests: boolean
  #lastId = 1000

  constructor(givesDigests: boolean) {
    this.#givesDigests = givesDigests
  }

  /** Adds a release, the newest first, as GitHub lists them. */
  addRelease({ tag, draft = false, immutable = false, assets = [] }: ReleaseSeed): StoredRelease {
    const release: StoredRelease = { id: this.#nextId(), tag, draft, immutable, assets: [] }
    for (const asset of assets) this.addAsset(release, asset)
    this.releases.unshift(release)
    return release
  }

  /** Adds an asset under its name as GitHub writes it. */
  addAsset(release: StoredRelease, { name, content = '', ...seed }: AssetSeed): StoredAsset {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const size = seed.size ?? ('zeros' in bytes ? bytes.zeros : bytes.length)
    const known = this.#givesDigests && !('zeros' in bytes) ? sha256Digest(bytes) : null
    const asset: StoredAsset = {
      id: this.#nextId(),
      name: sanitizeAssetName(name),
      content: bytes,
      digest: seed.digest === undefined ? known : seed.digest,
      state: seed.state ?? 'uploaded',
      size,
    }
    release.assets.push(asset)
    return asset
  }

  /** Takes an asset away; false if there is none. */
  removeAsset(id: number): boolean {
    const release = this.releaseOfAsset(id)
    if (release === undefined) return false
    release.assets = release.assets.filter(asset => asset.id !== id)
    return true
  }

  /** The release that has the asset. */
  releaseOfAsset(id: number): StoredRelease | undefined {
    return this.releases.find(({ assets }) => assets.some(asset => asset.id === id))
  }

  /** Points a tag to a commit, through as many tag objects as given. */
  setTag(tag: string, { commit, annotations = 0 }: TagSeed): void {
    let object: GitObject = { sha: commit, type: 'commit' }
    for (let depth = 0; depth < annotations; depth++) {
      const sha = createHash('sha1').update(`${tag} ${commit} ${depth}`).digest('hex')
      this.tagObjects.set(sha, object)
      object = { sha, type: 'tag' }
    }
    this.tags.set(tag, object)
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }
}

/** What a reference or an annotated tag points to. */
export interface GitObject {
  readonly sha: string
  readonly type: 'commit' | 'tag'
}

function sha256Digest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
