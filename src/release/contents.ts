import { hash } from 'node:crypto'
import { evidenceName, isOwnFile, isRecordsAsset, recordsName } from '../artifacts/own-files.ts'
import { renderEvidence, type NamedHash } from '../records/evidence.ts'
import { isGoodRecord, missingLines, parseRecords, type Entry } from '../records/lines.ts'
import type { RecordsSource } from '../records/store.ts'
import type { GitHubApi } from './api.ts'
import type { Asset, ReleaseAnswer } from './assets.ts'
import { ReleaseError } from './release-error.ts'

/** The evidence of a run. */
export interface EvidenceInput {
  /** Absolute path of the records file. */
  readonly recordsPath: string
  /** Base URL of the service in normal form. */
  readonly service: string
  /** The hashes that are registered. */
  readonly hashes: ReadonlySet<string>
}

/** The assets of a release as last listed, and what was read from them. Rejects with `ReleaseError`s. */
export class ReleaseContents {
  readonly release: ReleaseAnswer
  readonly #api: GitHubApi
  #assets: readonly Asset[] = []
  /** By the id of the asset. */
  readonly #records = new Map<number, RecordsSource>()
  readonly #hashes = new Map<number, string>()

  constructor(release: ReleaseAnswer, api: GitHubApi) {
    this.release = release
    this.#api = api
  }

  /** Lists the assets and reads new records; returns whether there are any. */
  async refresh(): Promise<boolean> {
    const assets = await this.#api.listAssets(this.release)
    const isNew = ({ id, name, isUploaded }: Asset): boolean =>
      isUploaded && isRecordsAsset(name) && !this.#records.has(id)
    const added = assets.filter(isNew)
    for (const asset of added) this.#addRecords(asset, await this.#api.readAsset(asset))
    this.#assets = assets
    return added.length > 0
  }

  #addRecords({ id, name }: Asset, bytes: Buffer): void {
    const remedy =
      'delete that asset, upload an intact copy from the workflow artifact, then re-run the failed jobs'
    this.#records.set(id, { name: `${name} of the release`, bytes, remedy })
  }

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

  /** Whether a records file has a line that no records asset has. */
  lacksLines(file: Buffer): boolean {
    const known = this.records.map(({ bytes }) => bytes)
    return missingLines(known, [file]).length > 0
  }

  /** Returns the SHA-256 of an asset. */
  async hashOf(asset: Asset): Promise<string> {
    const hash = this.#hashes.get(asset.id) ?? (await this.#api.hashAsset(asset))
    this.#hashes.set(asset.id, hash)
    return hash
  }

  /** Returns the artifacts with one of these hashes; omits artifacts whose hash was not read. */
  checksums(hashes: ReadonlySet<string>): readonly NamedHash[] {
    const checksums: NamedHash[] = []
    for (const { id, name, hash: digest } of this.artifacts) {
      const hash = digest ?? this.#hashes.get(id)
      if (hash !== undefined && hashes.has(hash)) checksums.push({ name, hash })
    }
    return checksums
  }

  /** Uploads a whole records file under a name that is not taken. */
  async attachRecords(file: Buffer): Promise<void> {
    const ownName = recordsName.replace('.', `-${hash('sha256', file).slice(0, 12)}.`)
    const isTaken = this.#assets.some(({ name }) => name === recordsName)
    let asset: Asset | null = null
    if (!isTaken) asset = await this.#api.uploadAsset(this.release, recordsName, file)
    asset ??= await this.#api.uploadAsset(this.release, ownName, file)
    if (asset === null) throw nameTaken(ownName)
    this.#addRecords(asset, file)
    this.#assets = [...this.#assets, asset]
  }

  /**
   * Replaces the evidence page if its content differs, and once more if other jobs attached records
   * meanwhile; later ones are left to the next run. `hashes` are those that this run knows as registered.
   */
  async replacePage(hashes: ReadonlySet<string>): Promise<void> {
    for (const isLast of [false, true]) {
      const { entries } = this
      // Includes hashes of other runs: jobs that attach at the same time must make the same page.
      const page = renderEvidence(entries, this.checksums(recordedHashes(entries).union(hashes)))
      if (page === null) return
      const bytes = Buffer.from(page)
      const old = this.#assets.find(({ name }) => name === evidenceName)
      const oldHash = old?.isUploaded === true ? await this.hashOf(old) : null
      if (oldHash === hash('sha256', bytes)) return
      if (old !== undefined) await this.#api.deleteAsset(old)
      const asset = await this.#api.uploadAsset(this.release, evidenceName, bytes)
      // Another job was faster.
      if (asset === null && isLast) throw nameTaken(evidenceName)
      const hasNewRecords = await this.refresh()
      if (asset !== null && !hasNewRecords) return
    }
  }

  /** Finds the artifacts that have no record and are not those `before`; some have the same name. */
  async findUnregistered(
    before: readonly Asset[],
    { service, hashes }: EvidenceInput,
  ): Promise<{ readonly replaced: readonly Asset[]; readonly added: readonly Asset[] }> {
    const entries = this.entries.filter(entry => entry.service === service)
    const registered = recordedHashes(entries).union(hashes)
    const replaced: Asset[] = []
    const added: Asset[] = []
    for (const asset of this.artifacts) {
      if (before.some(({ id }) => id === asset.id)) continue
      if (registered.has(await this.hashOf(asset))) continue
      if (before.some(({ name }) => name === asset.name)) replaced.push(asset)
      else added.push(asset)
    }
    return { replaced, added }
  }
}

function recordedHashes(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.filter(isGoodRecord).map(entry => entry.hash))
}

function nameTaken(name: string): ReleaseError {
  const remedy = 'delete that asset from the release, then re-run the failed jobs'
  const cause = 'another file has the name of an upload'
  return new ReleaseError({ cause, detail: `"${name}"`, remedy })
}
