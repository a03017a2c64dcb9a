/** The releases, assets and tags of one repository, as GitHub stores them. */
import { sha256 } from './samples.ts'

export interface AssetSeed {
  readonly name: string
  readonly content?: string | Uint8Array
  /** Default: `sha256:<hex>` of the content. */
  readonly digest?: string | null
  /** Default: `uploaded`; `starter` for an upload that has not finished. */
  readonly state?: 'uploaded' | 'starter'
}

export interface ReleaseSeed {
  readonly tag: string
  readonly draft?: boolean
  /** The commit or branch that the tag of a draft will point to; default: `main`. */
  readonly target?: string
  readonly assets?: readonly AssetSeed[]
}

/** The commit of a tag; `annotations` is the number of tag objects between the two. */
export interface TagSeed {
  readonly commit: string
  readonly annotations?: number
}

export interface StoredAsset extends Required<AssetSeed> {
  readonly id: number
  readonly content: Uint8Array
}

export interface StoredRelease {
  readonly id: number
  readonly tag: string
  readonly target: string
  readonly draft: boolean
  readonly assets: StoredAsset[]
}

export interface MemoryOptions {
  /** The permission of the token for the contents of the repository. Default: `write`. */
  readonly access?: 'read' | 'write'
  /** Newest first. */
  readonly releases?: readonly ReleaseSeed[]
  readonly tags?: Readonly<Record<string, TagSeed>>
}

/** The stored repository. IDs are never reused. */
export class GitHubMemory {
  /** Newest first, as GitHub lists them. */
  readonly releases: StoredRelease[] = []
  /** The targets of tags, by name, and of annotated tags, by their own ID. */
  readonly objects = new Map<string, { readonly sha: string; readonly type: 'commit' | 'tag' }>()
  readonly access: 'read' | 'write'
  #lastId = 1000

  constructor({ access = 'write', releases = [], tags = {} }: MemoryOptions) {
    this.access = access
    for (const { tag, assets = [], ...seed } of releases.toReversed()) {
      const { draft = false, target = 'main' } = seed
      this.releases.unshift({ id: ++this.#lastId, tag, target, draft, assets: [] })
      for (const asset of assets) this.addAsset(tag, asset)
    }
    for (const [tag, seed] of Object.entries(tags)) this.setTag(tag, seed)
  }

  /** Returns the newest release with this tag; throws if there is none. */
  release(tag: string): StoredRelease {
    const release = this.releases.find(stored => stored.tag === tag)
    if (release === undefined) throw new Error(`There is no release ${tag}`)
    return release
  }

  addAsset(tag: string, { name, content = '', ...seed }: AssetSeed): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const digest = `sha256:${sha256(bytes)}`
    const asset: StoredAsset = {
      id: ++this.#lastId,
      name,
      content: bytes,
      digest,
      state: 'uploaded',
      ...seed,
    }
    this.release(tag).assets.push(asset)
  }

  setTag(tag: string, { commit, annotations = 0 }: TagSeed): void {
    this.objects.set(tag, { sha: commit, type: 'commit' })
    for (let depth = 0; depth < annotations; depth++) {
      const sha = sha256(`${tag} ${commit} ${depth}`).slice(0, 40)
      const target = this.objects.get(tag)
      if (target !== undefined) this.objects.set(sha, target)
      this.objects.set(tag, { sha, type: 'tag' })
    }
  }
}
