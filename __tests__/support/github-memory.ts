/** The releases, assets and tags of one repository, as GitHub stores them. */
import { sha256 } from './samples.ts'

export interface AssetSeed {
  readonly name: string
  readonly content?: string | Uint8Array
  /** Default: `sha256:<hex>` of the content. */
  readonly digest?: string | null
  /** Default: `uploaded`; `starter` for an upload that never finished. */
  readonly state?: 'uploaded' | 'starter'
  /** Default: the size of the content. */
  readonly size?: number
  /** Default: the current user. */
  readonly uploader?: string
}

export interface ReleaseSeed {
  readonly tag: string
  readonly draft?: boolean
  readonly immutable?: boolean
  /** The commit or branch that the tag of a draft will point to; default: `main`. */
  readonly target?: string
  readonly assets?: readonly AssetSeed[]
  /** How many assets come in the answer with the release; default: all. */
  readonly embedded?: number
}

/** The commit of a tag; `annotations` is the number of tag objects between the two. */
export interface TagSeed {
  readonly commit: string
  readonly annotations?: number
}

export interface StoredAsset extends Required<AssetSeed> {
  readonly id: number
  readonly content: Uint8Array
  state: 'uploaded' | 'starter'
}

export interface StoredRelease {
  readonly id: number
  readonly tag: string
  readonly target: string
  draft: boolean
  /** Undefined on a server that does not know it. */
  immutable: boolean | undefined
  readonly embedded: number
  assets: StoredAsset[]
}

/** The target of a reference or of an annotated tag. */
export interface GitObject {
  readonly sha: string
  readonly type: 'commit' | 'tag'
}

export interface MemoryOptions {
  /** The permission of the token for the contents of the repository. Default: `write`. */
  readonly access?: GitHubMemory['access']
  /** Whether a draft becomes immutable when it is published. */
  readonly makesImmutable?: boolean
  /** False for an older server, without digests and immutable releases. */
  readonly givesDigests?: boolean
  /** Newest first. */
  readonly releases?: readonly ReleaseSeed[]
  readonly tags?: Readonly<Record<string, TagSeed>>
}

/** GitHub replaces characters that it does not allow in asset names with one dot. */
export function sanitizeAssetName(name: string): string {
  return name.replaceAll(/[^\w.@+-]+/g, '.').replaceAll(/\.{2,}/g, '.')
}

/** The stored repository. IDs are never reused. */
export class GitHubMemory {
  /** Newest first, as GitHub lists them. */
  readonly releases: StoredRelease[] = []
  /** The targets of tags, by name, and of annotated tags, by their own ID. */
  readonly objects = new Map<string, GitObject>()
  access: 'none' | 'read' | 'write'
  /** The user who uploads. */
  user = 'github-actions[bot]'
  readonly #givesDigests: boolean
  readonly #makesImmutable: boolean
  #lastId = 1000

  constructor({ releases = [], tags = {}, ...rules }: MemoryOptions) {
    this.access = rules.access ?? 'write'
    this.#givesDigests = rules.givesDigests ?? true
    this.#makesImmutable = rules.makesImmutable ?? false
    for (const seed of releases.toReversed()) this.addRelease(seed)
    for (const [tag, seed] of Object.entries(tags)) this.setTag(tag, seed)
  }

  addRelease({ tag, assets = [], ...seed }: ReleaseSeed): void {
    const { draft = false, target = 'main', embedded = Infinity } = seed
    const immutable = this.#givesDigests ? seed.immutable === true : undefined
    const id = ++this.#lastId
    this.releases.unshift({ id, tag, target, draft, immutable, embedded, assets: [] })
    for (const asset of assets) this.addAsset(tag, asset)
  }

  /** Returns the newest release with this tag; throws if there is none. */
  release(tag: string): StoredRelease {
    const release = this.releases.find(stored => stored.tag === tag)
    if (release === undefined) throw new Error(`There is no release ${tag}`)
    return release
  }

  publish(tag: string): void {
    const release = this.release(tag)
    if (release.draft) release.immutable = this.#makesImmutable
    release.draft = false
  }

  /** Deletes the newest release with this tag. */
  removeRelease(tag: string): void {
    this.releases.splice(this.releases.indexOf(this.release(tag)), 1)
  }

  addAsset(tag: string, seed: AssetSeed): void {
    this.storeAsset(this.release(tag), seed)
  }

  /** Adds an asset under its sanitized name. */
  storeAsset(release: StoredRelease, { name, content = '', ...seed }: AssetSeed): StoredAsset {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const asset: StoredAsset = {
      id: ++this.#lastId,
      name: sanitizeAssetName(name),
      content: bytes,
      digest: this.#givesDigests ? `sha256:${sha256(bytes)}` : null,
      state: 'uploaded',
      size: bytes.length,
      uploader: this.user,
      ...seed,
    }
    release.assets.push(asset)
    return asset
  }

  /** Throws if the release has no asset with this name. */
  removeAsset(tag: string, name: string): void {
    const { assets } = this.release(tag)
    const index = assets.findIndex(asset => asset.name === name)
    if (index < 0) throw new Error(`There is no asset ${name}`)
    assets.splice(index, 1)
  }

  texts(tag: string): Readonly<Record<string, string>> {
    const { assets } = this.release(tag)
    return Object.fromEntries(assets.map(asset => [asset.name, textOf(asset)]))
  }

  setTag(tag: string, { commit, annotations = 0 }: TagSeed): void {
    let object: GitObject = { sha: commit, type: 'commit' }
    for (let depth = 0; depth < annotations; depth++) {
      const sha = sha256(`${tag} ${commit} ${depth}`).slice(0, 40)
      this.objects.set(sha, object)
      object = { sha, type: 'tag' }
    }
    this.objects.set(tag, object)
  }
}

export function textOf({ content }: StoredAsset): string {
  return Buffer.from(content).toString()
}
