import { hash } from 'node:crypto'
import type { PatternCount } from '../artifacts/collect.ts'
import { evidenceName, isOwnFile, isRecordsAsset, recordsName } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'
import { Failure, problemAt, problemWith, Stop, type Explanation } from '../failure.ts'
import { failed, planned, type Artifact } from '../outcome.ts'
import { systemDisk, type Disk } from '../records/disk.ts'
import { renderEvidence, type NamedHash } from '../records/evidence.ts'
import { isGoodRecord, missingLines, parseRecords, type Entry } from '../records/lines.ts'
import { readRecordsFile, type RecordsPlace, type RecordsSource } from '../records/store.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { GitHubApi, type Asset, type ReleaseAnswer } from './api.ts'
import type { ReleaseFacts } from './guards.ts'
import { connectToGitHub, describeFailure } from './octokit.ts'

/** The host, with the parts that tests replace: `connect` returns all that GitHub answers. */
export interface ReleaseHost extends Host {
  readonly disk?: Disk
  readonly connect?: typeof connectToGitHub
}

/** The result of attaching, and of comparing the assets with those at the start. */
export interface Attachment {
  readonly tag: string
  /** Why the run fails although every artifact may be registered; null if it does not. */
  readonly failure: Explanation | null
  readonly warnings: readonly string[]
  /** Whether the release holds every line of the records file. */
  readonly hasAllLines: boolean
}

const input = 'release-tag'

/** What a run has registered. */
interface KeptRun {
  /** Absolute. */
  readonly recordsPath: string
  /** Base URL of the service in normal form. */
  readonly service: string
  /** Of what is registered. */
  readonly hashes: ReadonlySet<string>
  readonly attachToRelease: boolean
}

/** A release as a source of artifacts, and as a place that keeps the records. */
export class Release implements RecordsPlace {
  readonly #api: GitHubApi
  readonly #host: ReleaseHost
  readonly #answer: ReleaseAnswer
  /** As last listed. */
  #assets: readonly Asset[] = []
  /** The content of records assets, by their ids. */
  readonly #records = new Map<number, RecordsSource>()
  /** The SHA-256 of assets without a digest, by their ids. */
  readonly #hashes = new Map<number, string>()
  /** The assets, except the files that this action writes, when it was opened. */
  #before: readonly Asset[] = []
  /** What these assets are as artifacts. */
  artifacts: readonly Artifact[] = []
  #tagCommit: string | null = null

  private constructor(api: GitHubApi, host: ReleaseHost, answer: ReleaseAnswer) {
    this.#api = api
    this.#host = host
    this.#answer = answer
  }

  /** Finds and reads the release of the input `release-tag`; null without a tag. Throws a `Stop`. */
  static async open(
    inputs: { readonly releaseTag: string | null; readonly githubToken: string },
    host: ReleaseHost,
  ): Promise<Release | null> {
    const { releaseTag: tag, githubToken: token } = inputs
    const { connect = connectToGitHub, environment, halt } = host
    const { repository } = environment.source
    if (tag === null) return null
    if (repository === null) {
      throw new Stop(problemWith(input, 'needs a repository, but GITHUB_REPOSITORY is not set'))
    }
    const api = new GitHubApi(await connect(host, token), host, repository)
    try {
      const release = new Release(api, host, await api.findRelease(tag))
      await release.#refresh()
      release.#before = release.#published
      release.artifacts = await release.#readArtifacts()
      release.#tagCommit = await api.findTagCommit(tag)
      return release
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      // The report says that the run was canceled.
      if (halt.isCancelled) throw new Stop()
      const what = `the release "${quote(tag)}" cannot be read: ${describeFailure(error)}`
      throw new Stop(problemAt(input, `${what}; ${error.remedy}, then re-run the failed jobs`))
    }
  }

  /** Returns the artifacts with their hashes; an asset that cannot be read is an artifact that failed. */
  async #readArtifacts(): Promise<readonly Artifact[]> {
    const artifacts: Artifact[] = []
    for (const asset of this.#before) {
      const artifact = { source: input, name: asset.name, size: asset.size } as const
      try {
        artifacts.push({ ...artifact, hash: await this.#hashOf(asset), outcome: planned })
      } catch (error) {
        if (!(error instanceof Failure) || this.#host.halt.isCancelled) throw error
        const cause = `the release asset could not be read: ${error.cause}`
        const outcome = failed(error.with({ cause, status: null }))
        artifacts.push({ ...artifact, size: null, hash: null, outcome })
      }
    }
    return artifacts
  }

  /** For the guards of the plan. */
  get facts(): ReleaseFacts {
    const { tag_name: tag, draft: isDraft, immutable } = this.#answer
    const { ref, sha } = this.#host.environment.source
    return {
      tag,
      isDraft,
      isImmutable: immutable && !isDraft,
      assets: this.artifacts,
      tagCommit: this.#tagCommit,
      runCommit: ref === `refs/tags/${tag}` ? sha : null,
    }
  }

  get counts(): readonly PatternCount[] {
    return [{ input, text: this.#answer.tag_name, count: this.artifacts.length }]
  }

  get warnings(): readonly string[] {
    const unfinished = this.#assets.filter(({ isUploaded }) => !isUploaded)
    if (unfinished.length === 0) return []
    return [`Skipped release assets that were never fully uploaded: ${listNames(unfinished)}`]
  }

  /** For the lines of the records file: the commit of the tag, or else the target of a draft, which may be a branch. */
  get source(): Source {
    const { source, serverUrl } = this.#host.environment
    const { tag_name: tag, draft, target_commitish: target } = this.#answer
    const targetCommit = draft && /^[0-9a-f]{40,64}$/.test(target) ? target : null
    const sha = this.#tagCommit ?? targetCommit
    const { repository } = source
    const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`
    return { ...source, ref: `refs/tags/${tag}`, sha, commitUrl }
  }

  get records(): readonly RecordsSource[] {
    return this.#assets.flatMap(({ id }) => this.#records.get(id) ?? [])
  }

  /** Whether a records file has a line that no records asset has. */
  lacksLines(file: Buffer): boolean {
    const known = this.records.map(({ bytes }) => bytes)
    return missingLines(known, [file]).length > 0
  }

  /** Returns the assets with one of these hashes; omits assets whose hash was not read. */
  checksums(hashes: ReadonlySet<string>): readonly NamedHash[] {
    const checksums: NamedHash[] = []
    for (const { id, name, hash: digest } of this.#published) {
      const hash = digest ?? this.#hashes.get(id)
      if (hash !== undefined && hashes.has(hash)) checksums.push({ name, hash })
    }
    return checksums
  }

  /**
   * Attaches the records file and the evidence page if asked to, and compares the assets with those
   * at the start. After a signal, nothing more is attached. Never rejects.
   */
  async keep(run: KeptRun): Promise<Attachment> {
    const { halt, environment, disk = systemDisk } = this.#host
    const { recordsPath, hashes, attachToRelease } = run
    const warnings: string[] = []
    let failure: Explanation | null = null
    let file: Buffer | null = null
    const isBehind = (): boolean => file === null || this.lacksLines(file)
    try {
      file = readRecordsFile(recordsPath, disk, hashes.size > 0)
      if (attachToRelease && this.lacksLines(file)) await this.#attachRecords(file)
      let pageFailure = attachToRelease ? await this.#replacePage(hashes) : null
      const newRecords = await this.#refresh()
      if (pageFailure !== null || (attachToRelease && newRecords.length > 0)) {
        pageFailure = await this.#replacePage(hashes)
      }
      const { replaced = [], added = [] } = await this.#findUnregistered(file, run)
      if (replaced.length > 0) {
        const cause = `replaced assets of ${this.#answer.tag_name} have no record`
        const remedy = 'check the new files (new content is charged), and replace wrong ones'
        failure = {
          cause,
          detail: `replaced during this run: ${listNames(replaced)}`,
          remedy,
          rerun: 'failed-jobs',
        }
      } else if (attachToRelease && isBehind()) {
        const cause = 'records were deleted from the release during this run'
        failure = { cause, detail: '', remedy: 'find out what deleted them', rerun: 'failed-jobs' }
      }
      if (added.length > 0) {
        const text = 'New assets were uploaded to the release during this run, without a record'
        warnings.push(`${text}: ${listNames(added)}`)
      }
      const damage = newRecords.flatMap(({ name, bytes }) => parseRecords(bytes, name).damage)
      if (damage.length > 0) {
        const remedy = 'delete that asset, and upload an intact copy from the workflow artifact'
        warnings.push(`Damaged records stop the next run: ${joinFirst(damage, 5)}; ${remedy}`)
      }
      if (pageFailure !== null) {
        const text = 'The release has all records, but its evidence page could not be replaced'
        warnings.push(`${text}: ${describeFailure(pageFailure)}`)
      }
    } catch (error) {
      const text = 'The assets of the release were not compared again at the end'
      if (!(error instanceof Failure)) halt.noteBug(error, environment.reportTo)
      else if (attachToRelease && isBehind()) failure = error
      else if (!halt.isCancelled) warnings.push(`${text}: ${describeFailure(error)}`)
    }
    return { tag: this.#answer.tag_name, failure, warnings, hasAllLines: !isBehind() }
  }

  /** Lists the assets, and reads and returns new records. */
  async #refresh(): Promise<readonly RecordsSource[]> {
    const assets = await this.#api.listAssets(this.#answer)
    const newRecords: RecordsSource[] = []
    for (const asset of assets) {
      if (!asset.isUploaded || !isRecordsAsset(asset.name) || this.#records.has(asset.id)) continue
      newRecords.push(this.#addRecords(asset, await this.#api.readAsset(asset)))
    }
    this.#assets = assets
    return newRecords
  }

  #addRecords({ id, name }: Asset, bytes: Buffer): RecordsSource {
    const remedy =
      'delete that asset, upload an intact copy from the workflow artifact, then re-run the failed jobs'
    const source = { name: `${name} of the release`, bytes, remedy }
    this.#records.set(id, source)
    return source
  }

  /** The assets that this action does not write. */
  get #published(): readonly Asset[] {
    return this.#assets.filter(({ name, isUploaded }) => isUploaded && !isOwnFile(name))
  }

  /** The lines of all records. */
  get #entries(): readonly Entry[] {
    return this.records.flatMap(({ name, bytes }) => parseRecords(bytes, name).entries)
  }

  /** Returns the SHA-256 of an asset. */
  async #hashOf(asset: Asset): Promise<string> {
    const hash = this.#hashes.get(asset.id) ?? (await this.#api.hashAsset(asset))
    this.#hashes.set(asset.id, hash)
    return hash
  }

  /** Uploads a whole records file under a name that is not taken. */
  async #attachRecords(file: Buffer): Promise<void> {
    const ownName = recordsName.replace('.', `-${hash('sha256', file).slice(0, 12)}.`)
    const isTaken = this.#assets.some(({ name }) => name === recordsName)
    let asset = isTaken ? null : await this.#api.uploadAsset(this.#answer, recordsName, file)
    asset ??= await this.#api.uploadAsset(this.#answer, ownName, file)
    if (asset === null) throw nameTaken(ownName)
    this.#addRecords(asset, file)
    this.#assets = [...this.#assets, asset]
  }

  /** Replaces the evidence page if its content differs. Returns why that failed, or null. */
  async #replacePage(hashes: ReadonlySet<string>): Promise<Failure | null> {
    const entries = this.#entries
    // Includes hashes of other runs: jobs that attach at the same time must make the same page.
    const registered = new Set(entries.filter(isGoodRecord).map(({ hash }) => hash))
    const page = renderEvidence(entries, this.checksums(registered.union(hashes)))
    if (page === null) return null
    const bytes = Buffer.from(this.#host.secrets.redactText(page))
    const old = this.#assets.find(({ name }) => name === evidenceName)
    try {
      const oldHash = old?.isUploaded === true ? await this.#hashOf(old) : null
      if (oldHash === hash('sha256', bytes)) return null
      if (old !== undefined) await this.#api.deleteAsset(old)
      const asset = await this.#api.uploadAsset(this.#answer, evidenceName, bytes)
      // Another job may have been faster.
      return asset === null ? nameTaken(evidenceName) : null
    } catch (error) {
      return Failure.from(error)
    }
  }

  /** Finds the artifacts that are new and have no record; `replaced` are those with a name from the start. */
  async #findUnregistered(file: Buffer, { recordsPath, service, hashes }: KeptRun) {
    const entries = this.#entries.concat(parseRecords(file, recordsPath).entries)
    const records = entries.filter(isGoodRecord).filter(entry => entry.service === service)
    const registered = new Set(records.map(({ hash }) => hash)).union(hashes)
    const found: Asset[] = []
    for (const asset of this.#published) {
      if (this.#before.some(({ id }) => id === asset.id)) continue
      if (!registered.has(await this.#hashOf(asset))) found.push(asset)
    }
    return Object.groupBy(found, asset =>
      this.#before.some(({ name }) => name === asset.name) ? 'replaced' : 'added',
    )
  }
}

/** Lists the names of the first assets, and counts the others. */
function listNames(assets: readonly Asset[]): string {
  const names = assets.map(({ name }) => `"${quote(name)}"`)
  return joinFirst(names, 5, { separator: ', ' })
}

function nameTaken(name: string): Failure {
  const cause = 'another file has the name of an upload'
  const remedy = 'delete that asset from the release'
  return new Failure({ code: 'unreadable', cause, detail: `"${name}"`, remedy })
}
