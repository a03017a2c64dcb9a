/** The releases, assets and tags of one repository, as GitHub keeps them. */
import { createHash } from 'node:crypto'

/** What makes an asset; what is missing is as GitHub makes it. */
export interface AssetSeed {
  readonly name: string
  readonly content?: string | Uint8Array
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
  /** What the tag of a draft will point to; default: `main`. */
  readonly target?: string
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
  readonly name: string
  readonly content: Uint8Array
  readonly digest: string | null
  state: 'uploaded' | 'starter'
  readonly size: number
}

/** A release as it is kept. */
export interface StoredRelease {
  readonly id: number
  readonly tag: string
  readonly target: string
  draft: boolean
  immutable: boolean
  assets: StoredAsset[]
}

/** What a reference or an annotated tag points to. */
export interface GitObject {
  readonly sha: string
  readonly type: 'commit' | 'tag'
}

/** GitHub puts one dot in the place of what it does not take in the name of an asset. */
export function sanitizeAssetName(name: string): string {
  return name.replaceAll(/[^\w.@+-]+/g, '.').replaceAll(/\.{2,}/g, '.')
}

/** See the top of this file. Ids are never used again. */
export class GitHubMemory {
  /** The newest first, as GitHub lists them. */
  readonly releases: StoredRelease[] = []
  /** What tags, by their name, and annotated tags, by their own id, point to. */
  readonly objects = new Map<string, GitObject>()
  readonly #givesDigests: boolean
  #lastId = 1000
  /** The asset that was added last. */
  newest: StoredAsset | undefined

  constructor(givesDigests: boolean) {
    this.#givesDigests = givesDigests
  }

  addRelease({ tag, assets = [], ...seed }: ReleaseSeed): void {
    const { draft = false, immutable = false, target = 'main' } = seed
    const id = ++this.#lastId
    const release: StoredRelease = { id, tag, target, draft, immutable, assets: [] }
    for (const asset of assets) this.storeAsset(release, asset)
    this.releases.unshift(release)
  }

  /** Adds an asset under its name as GitHub writes it. */
  storeAsset(release: StoredRelease, { name, content = '', ...seed }: AssetSeed): StoredAsset {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const asset: StoredAsset = {
      id: ++this.#lastId,
      name: sanitizeAssetName(name),
      content: bytes,
      digest: this.#givesDigests ? `sha256:${digestOf('sha256', bytes)}` : null,
      state: 'uploaded',
      size: bytes.length,
      ...seed,
    }
    release.assets.push(asset)
    this.newest = asset
    return asset
  }

  dropAsset(removed: StoredAsset): void {
    for (const release of this.releases)
      release.assets = release.assets.filter(asset => asset !== removed)
  }

  /** Points a tag to a commit, through as many tag objects as given. */
  setTag(tag: string, { commit, annotations = 0 }: TagSeed): void {
    let object: GitObject = { sha: commit, type: 'commit' }
    for (let depth = 0; depth < annotations; depth++) {
      const sha = digestOf('sha1', `${tag} ${commit} ${depth}`)
      this.objects.set(sha, object)
      object = { sha, type: 'tag' }
    }
    this.objects.set(tag, object)
  }
}

function digestOf(algorithm: string, bytes: string | Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex')
}
