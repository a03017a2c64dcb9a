import type { Artifact } from '../artifacts/artifact.ts'
import { isOwnFile, isRecordsAsset } from '../artifacts/own-files.ts'
import { makeFailure } from '../failure.ts'
import type { NamedHash } from '../records/evidence.ts'
import type { Entry } from '../records/line.ts'
import { missingLines, parseRecords } from '../records/parse-records.ts'
import type { RecordsSource } from '../records/store.ts'
import { describeError } from '../text/system-error.ts'
import type { GitHubApi } from './api.ts'
import type { Asset, Release } from './github-types.ts'

/** The assets of a release as last listed, and what was read from them. */
export class ReleaseContents {
  readonly release: Release
  #assets: readonly Asset[] = []
  /** By the id of the asset. */
  readonly #records = new Map<number, RecordsSource>()
  readonly #hashes = new Map<number, string>()

  constructor(release: Release) {
    this.release = release
  }

  /** Lists the assets and reads new records; returns whether there are any. Rejects with a `GitHubError`. */
  async refresh(api: GitHubApi): Promise<boolean> {
    const assets = await api.listAssets(this.release)
    const countBefore = this.#records.size
    for (const asset of assets) {
      const { id, name, isUploaded } = asset
      if (!isUploaded || !isRecordsAsset(name) || this.#records.has(id)) continue
      this.addRecords(asset, await api.readAsset(asset))
    }
    this.#assets = assets
    return this.#records.size > countBefore
  }

  /** Adds records uploaded since the last listing. */
  addRecords(asset: Asset, bytes: Buffer): void {
    this.#assets = [...this.#assets, asset]
    this.#records.set(asset.id, { name: `${asset.name} of the release`, bytes })
  }

  /** Finds the asset with this name, which may be an unfinished upload. */
  find(name: string): Asset | undefined {
    return this.#assets.find(asset => asset.name === name)
  }

  /** Assets whose upload has not finished. */
  get unfinished(): readonly Asset[] {
    return this.#assets.filter(({ isUploaded }) => !isUploaded)
  }

  /** The assets that this action does not write. */
  get artifacts(): readonly Asset[] {
    return this.#assets.filter(({ name, isUploaded }) => isUploaded && !isOwnFile(name))
  }

  get records(): readonly RecordsSource[] {
    return this.#assets.flatMap(({ id }) => this.#records.get(id) ?? [])
  }

  /** The lines of all records. */
  get entries(): readonly Entry[] {
    return this.records.flatMap(({ name, bytes }) => parseRecords(bytes, name).entries)
  }

  /** Returns the lines of a records file that no records asset has. */
  missingLines(file: Buffer): Buffer {
    const known = this.records.map(({ bytes }) => bytes)
    return missingLines(known, [file])
  }

  /** Returns the artifacts with their hashes; an asset that cannot be read is an artifact that failed. */
  async readArtifacts(api: GitHubApi): Promise<readonly Artifact[]> {
    const source = 'release-tag'
    const artifacts: Artifact[] = []
    for (const asset of this.artifacts) {
      const { id, name, size } = asset
      try {
        const hash = await api.hashAsset(asset)
        this.#hashes.set(id, hash)
        artifacts.push({ source, name, size, hash })
      } catch (error) {
        const what = `the release asset could not be read: ${describeError(error)}`
        const failure = makeFailure({ code: 'unreadable', what, remedy: 'run the job again' })
        artifacts.push({ source, name, failure })
      }
    }
    return artifacts
  }

  /** Returns the artifacts with one of these hashes; omits artifacts whose hash was not read. */
  checksums(hashes: ReadonlySet<string>): readonly NamedHash[] {
    const known = this.artifacts.map(({ id, name, hash }) => {
      return { name, hash: hash ?? this.#hashes.get(id) ?? '' }
    })
    return known.filter(({ hash }) => hashes.has(hash))
  }
}
