import type { PatternCount } from '../artifacts/collect.ts'
import { Failure, problemAt, problemWith, Stop, type Explanation } from '../failure.ts'
import { failed, planned, type Artifact } from '../outcome.ts'
import { readIfThere, systemDisk, type Disk } from '../records/disk.ts'
import type { NamedHash } from '../records/evidence.ts'
import type { RecordsPlace, RecordsSource } from '../records/store.ts'
import type { Environment, Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { joinFirst } from '../text/words.ts'
import { GitHubApi } from './api.ts'
import { listNames, type Asset, type ReleaseAnswer } from './assets.ts'
import { ReleaseContents, type EvidenceInput } from './contents.ts'
import type { ReleaseFacts } from './guards.ts'
import { connectToGitHub } from './octokit.ts'
import { canceled, ReleaseError, rerun } from './release-error.ts'

/** The inputs about a release. */
export interface ReleaseInputs {
  readonly releaseTag: string | null
  readonly githubToken: string
  readonly attachToRelease: boolean
}

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

interface OpenedRelease {
  readonly facts: ReleaseFacts
  readonly contents: ReleaseContents
  readonly inputs: ReleaseInputs
  readonly host: ReleaseHost
}

/** A release as a source of artifacts, and as a place that keeps the records. */
export class Release implements RecordsPlace {
  /** Its assets, except the files that this action writes. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly warnings: readonly string[]
  /** For the guards of the plan. */
  readonly facts: ReleaseFacts
  /** The commit and run for the lines of the records file; the commit is that of the tag, if any. */
  readonly source: Source
  readonly #opened: OpenedRelease
  /** The artifacts when it was opened. */
  readonly #before: readonly Asset[]

  private constructor(opened: OpenedRelease) {
    const { facts, contents, host } = opened
    const { unfinished } = contents
    const text = `Skipped release assets that were never fully uploaded: ${listNames(unfinished)}`
    this.artifacts = facts.assets
    this.counts = [{ input, text: facts.tag, count: facts.assets.length }]
    this.warnings = unfinished.length === 0 ? [] : [text]
    this.facts = facts
    this.source = sourceOf(contents.release, facts.tagCommit, host.environment)
    this.#opened = opened
    this.#before = contents.artifacts
  }

  /** Finds and reads the release of the input `release-tag`; null without a tag. Throws a `Stop`. */
  static async open(inputs: ReleaseInputs, host: ReleaseHost): Promise<Release | null> {
    const { releaseTag: tag, githubToken: token } = inputs
    const { repository, ref, sha: runCommit } = host.environment.source
    if (tag === null) return null
    if (repository === null) {
      throw new Stop(problemWith(input, 'needs a repository, but GITHUB_REPOSITORY is not set'))
    }
    const connect = host.connect ?? connectToGitHub
    const api = new GitHubApi(await connect(host, token), host, repository)
    try {
      const release = await findRelease(api, tag)
      const contents = new ReleaseContents(release, api)
      await contents.refresh()
      const facts: ReleaseFacts = {
        tag,
        isDraft: release.draft,
        isImmutable: release.immutable && !release.draft,
        assets: await readArtifacts(contents, host),
        isTagOfRun: ref === `refs/tags/${tag}`,
        tagCommit: await api.findTagCommit(tag),
        runCommit,
      }
      return new Release({ facts, contents, inputs, host })
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error
      // The report says that the run was canceled.
      if (host.halt.isCancelled) throw new Stop()
      const what = `the release "${quote(tag)}" cannot be read`
      throw new Stop(problemAt(input, `${what}: ${error.message}; ${error.explanation.remedy}`))
    }
  }

  get records(): readonly RecordsSource[] {
    return this.#opened.contents.records
  }

  /** Whether a records file has a line that no records asset has. */
  lacksLines(file: Buffer): boolean {
    return this.#opened.contents.lacksLines(file)
  }

  /** Returns the assets with one of these hashes. */
  checksums(hashes: ReadonlySet<string>): readonly NamedHash[] {
    return this.#opened.contents.checksums(hashes)
  }

  /**
   * Attaches the records file and the evidence page if asked to, and compares the assets with those
   * at the start. After a signal, nothing more is attached. Never rejects.
   */
  async keep(evidence: EvidenceInput): Promise<Attachment> {
    const { contents, host, inputs, facts } = this.#opened
    const { halt, environment, disk = systemDisk } = host
    const warnings: string[] = []
    let failure: Explanation | null = null
    let file: Buffer | null = null
    const isBehind = (): boolean => file === null || contents.lacksLines(file)
    try {
      file = readRecordsFile(evidence, disk)
      if (halt.isCancelled) throw canceled
      await contents.refresh()
      if (inputs.attachToRelease) warnings.push(...(await this.#attach(file, evidence.hashes)))
      const { replaced, added } = await contents.findUnregistered(this.#before, evidence)
      if (replaced.length > 0) failure = explainReplaced(replaced)
      if (added.length > 0) warnings.push(`${newAssets}: ${listNames(added)}`)
    } catch (error) {
      if (!(error instanceof ReleaseError)) halt.noteBug(error, environment.reportTo)
      else if (inputs.attachToRelease && isBehind()) failure = explainMissing(error)
      else if (!halt.isCancelled) warnings.push(`${notCompared}: ${error.message}`)
    }
    return { tag: facts.tag, failure, warnings, hasAllLines: !isBehind() }
  }

  /** Attaches what is missing. Returns a warning if only the evidence page could not be replaced. */
  async #attach(file: Buffer, hashes: ReadonlySet<string>): Promise<readonly string[]> {
    const { contents, host } = this.#opened
    if (contents.lacksLines(file)) await contents.attachRecords(file)
    try {
      await contents.replacePage(hashes)
      return []
    } catch (error) {
      if (!(error instanceof ReleaseError) || host.halt.isCancelled) throw error
      return [`${stalePage}: ${error.message}`]
    }
  }
}

const newAssets = 'New assets were uploaded to the release during this run, without a record'
const notCompared = 'The assets of the release were not compared again at the end'
const stalePage =
  'The release has all records, but its evidence page may lack some until the next run for this tag'

/** Returns the published release, or else the only draft. Throws a `Stop` if there is none. */
async function findRelease(api: GitHubApi, tag: string): Promise<ReleaseAnswer> {
  const published = await api.findPublished(tag)
  if (published !== null) return published
  const releases = await api.listReleases(tag)
  const [release] = releases
  if (release === undefined) {
    const text = `the release "${quote(tag)}" was not found; check the tag, and for a draft give the job the permission contents: write`
    throw new Stop(problemAt(input, text))
  }
  if (releases.length === 1) return release
  const urls = releases.map(({ html_url }) => quote(html_url))
  const text = `the release "${quote(tag)}" has ${releases.length} drafts (${joinFirst(urls, 5)}); keep the one with the notarization records, if any, and delete the others`
  throw new Stop(problemAt(input, text))
}

/** Returns the artifacts with their hashes; an asset that cannot be read is an artifact that failed. */
async function readArtifacts(
  contents: ReleaseContents,
  { halt }: Host,
): Promise<readonly Artifact[]> {
  const artifacts: Artifact[] = []
  for (const asset of contents.artifacts) {
    const artifact = { source: input, name: asset.name, size: asset.size } as const
    try {
      artifacts.push({ ...artifact, hash: await contents.hashOf(asset), outcome: planned })
    } catch (error) {
      if (!(error instanceof ReleaseError) || halt.isCancelled) throw error
      const { cause, detail, remedy } = error.explanation
      const what = `the release asset could not be read: ${cause}`
      const outcome = failed(new Failure({ code: 'unreadable', cause: what, detail, remedy }))
      artifacts.push({ ...artifact, size: null, hash: null, outcome })
    }
  }
  return artifacts
}

/** Returns the source with the commit of the tag, or else the target of a draft, which may be a branch. */
function sourceOf(
  { tag_name, draft, target_commitish: target }: ReleaseAnswer,
  tagCommit: string | null,
  { source, serverUrl }: Environment,
): Source {
  const targetCommit = draft && /^[0-9a-f]{40,64}$/.test(target) ? target : null
  const sha = tagCommit ?? targetCommit
  const { repository } = source
  const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`
  return { ...source, ref: `refs/tags/${tag_name}`, sha, commitUrl }
}

/** Reads the records file; it must exist if something is registered. */
function readRecordsFile({ recordsPath, hashes }: EvidenceInput, disk: Disk): Buffer {
  try {
    return hashes.size === 0 ? readIfThere(recordsPath, disk) : disk.read(recordsPath)
  } catch (error) {
    const cause = 'the records file could not be read'
    throw new ReleaseError({ cause, detail: describeError(error), remedy: rerun })
  }
}

/** Explains why records are not attached. Where the release takes no more files, trying again is useless. */
function explainMissing({ explanation, status }: ReleaseError): Explanation {
  if (status === 422) return explanation
  const { cause, detail, remedy } = explanation
  return { cause, detail, remedy: `${remedy}, which attaches the records` }
}

function explainReplaced(assets: readonly Asset[]): Explanation {
  const cause = 'assets were replaced during this run, and have no record'
  const remedy = `find out what replaced them, then ${rerun} to notarize the new files`
  return { cause, detail: listNames(assets), remedy }
}
