import { randomUUID } from 'node:crypto'
import type { Artifact, PatternCount } from '../artifacts/artifact.ts'
import { isRecordsAsset, writeTestPrefix } from '../artifacts/own-files.ts'
import { problemAt, problemWith, Stop } from '../failure.ts'
import { readIfThere, systemDisk, type Disk } from '../records/disk.ts'
import type { NamedHash } from '../records/evidence.ts'
import type { RecordsSource } from '../records/store.ts'
import type { Environment, Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/words.ts'
import { GitHubApi, type ConnectOptions } from './api.ts'
import { attachEvidence, type Attachment, type EvidenceInput } from './attach.ts'
import { ReleaseContents } from './contents.ts'
import { GitHubError } from './github-error.ts'
import { listNames, type Release } from './github-types.ts'
import type { ReleaseFacts } from './guards.ts'
import { checkWritable } from './upload.ts'

/** A release as a source of artifacts and as storage for the evidence; empty without a tag. */
export interface ReleaseSource {
  /** Its assets, except the files that this action writes. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly warnings: readonly string[]
  /** For the guards of the plan. */
  readonly facts: ReleaseFacts | null
  /** The commit and run for the lines of the records file; the commit of the tag, if any. */
  readonly source: Source
  readonly records: readonly RecordsSource[]
  /** Returns the assets with one of these hashes; null without a release. */
  readonly evidenceChecksums: (hashes: ReadonlySet<string>) => readonly NamedHash[] | null
  /**
   * Checks, before anything is spent, that evidence can be attached. If nothing is left to
   * register, `evidence` is what to attach: no check if the release has it all. Throws a `Stop`.
   */
  readonly checkWritable: (evidence: EvidenceInput | null) => Promise<void>
  /** Attaches evidence if asked to; compares the assets with those at the start. Never rejects. */
  readonly attach: (evidence: EvidenceInput) => Promise<Attachment | null>
}

/** The inputs about a release. */
export interface ReleaseInputs {
  readonly releaseTag: string | null
  readonly githubToken: string
  readonly attachToRelease: boolean
}

/** The host, with the parts that tests replace. */
export interface ReleaseHost extends Host {
  /** Makes UUIDs. */
  readonly makeId?: () => string
  readonly disk?: Disk
  readonly connect?: (options: ConnectOptions) => Promise<GitHubApi>
}

const input = 'release-tag'
const maxReadTries = 5
const patienceMs = 120_000
const attachPatienceMs = 600_000
/** For attaching after calls in flight were ended: the runner soon kills the process. */
const attachAfterKillMs = 3_000

/** Opens the release of the input `release-tag`. Throws a `Stop` if it cannot be used. */
export async function openRelease(
  inputs: ReleaseInputs,
  host: ReleaseHost,
): Promise<ReleaseSource> {
  const { releaseTag: tag } = inputs
  if (tag === null) return withoutRelease(host.environment.source)
  try {
    return await openTag(tag, inputs, host)
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    // The report says that the run was cancelled.
    if (host.halt.isCancelled) throw new Stop()
    const what = `nothing was sent: the release "${quote(tag)}" cannot be read`
    throw new Stop(problemAt(input, `${what} (${error.message}); ${error.failure.remedy}`))
  }
}

function withoutRelease(source: Source): ReleaseSource {
  return {
    artifacts: [],
    counts: [],
    warnings: [],
    facts: null,
    source,
    records: [],
    evidenceChecksums: () => null,
    checkWritable: () => Promise.resolve(),
    attach: () => Promise.resolve(null),
  }
}

async function openTag(
  tag: string,
  { githubToken: token, attachToRelease: isAttaching }: ReleaseInputs,
  host: ReleaseHost,
): Promise<ReleaseSource> {
  const { environment, halt, clock, disk = systemDisk, makeId = randomUUID } = host
  const { repository, ref, sha: runCommit } = environment.source
  if (repository === null) {
    throw new Stop(problemWith(input, 'needs a repository, but GITHUB_REPOSITORY is not set'))
  }
  const connect = (signal: AbortSignal, ms: number, maxTries = Infinity): Promise<GitHubApi> => {
    const deadlineMs = clock.monotonic() + ms
    const options = { host, repository, token, deadlineMs, maxTries, signal }
    return host.connect?.(options) ?? GitHubApi.connect(options)
  }

  const api = await connect(halt.signal, patienceMs, maxReadTries)
  const release = await findRelease(api, tag)
  const contents = new ReleaseContents(release)
  await contents.refresh(api)
  const artifacts = await contents.readArtifacts(api)
  const { artifacts: before, unfinished } = contents
  const tagCommit = await api.findTagCommit(tag)
  const isTagOfRun = ref === `refs/tags/${tag}`
  const warnings: string[] = []
  if (unfinished.length > 0) {
    warnings.push(`Skipped release assets that were never fully uploaded: ${listNames(unfinished)}`)
  }
  return {
    artifacts,
    counts: [{ input, text: tag, count: artifacts.length }],
    warnings,
    facts: { tag, isDraft: release.draft, assets: artifacts, isTagOfRun, tagCommit, runCommit },
    source: sourceOf(release, tagCommit, environment),
    records: contents.records,
    evidenceChecksums: hashes => contents.checksums(hashes),
    checkWritable: async evidence => {
      if (!isAttaching || halt.signal.aborted) return
      const file = evidence === null ? null : readIfThere(evidence.recordsPath, disk)
      if (file !== null && contents.missingLines(file).length === 0) return
      const writer = await connect(halt.kill, patienceMs)
      await checkWritable(writer, release, { host, name: writeTestPrefix + makeId() })
    },
    attach: async evidence => {
      const signal = halt.kill.aborted ? AbortSignal.timeout(attachAfterKillMs) : halt.kill
      const writer = await connect(signal, attachPatienceMs)
      const task = { api: writer, contents, evidence, isAttaching, before, host, disk }
      const attachment = await attachEvidence(task)
      const hasNews = attachment.failure !== null || attachment.warnings.length > 0
      return isAttaching || hasNews ? attachment : null
    },
  }
}

/** Returns the published release, or else the only draft. Throws a `Stop` if there is none. */
async function findRelease(api: GitHubApi, tag: string): Promise<Release> {
  const published = await api.findPublished(tag)
  if (published !== null) return published
  const releases = await api.listReleases(tag)
  // It may just have been published.
  const release = releases.find(({ draft }) => !draft) ?? releases[0]
  if (release === undefined) {
    const text = `the release "${quote(tag)}" was not found; check the tag, and for a draft give the job the permission contents: write`
    throw new Stop(problemAt(input, text))
  }
  if (release.draft && releases.length > 1) {
    throw new Stop(problemAt(input, await describeDrafts(api, releases)))
  }
  return release
}

async function describeDrafts(api: GitHubApi, drafts: readonly Release[]): Promise<string> {
  const withRecords: string[] = []
  for (const draft of drafts) {
    const assets = await api.listAssets(draft)
    const hasRecords = assets.some(({ name, isUploaded }) => isUploaded && isRecordsAsset(name))
    if (hasRecords) withRecords.push(`${quote(draft.html_url)} (id ${draft.id})`)
  }
  const tag = quote(drafts[0]?.tag_name ?? '')
  const text = `nothing was sent: the release "${tag}" has ${drafts.length} drafts`
  if (withRecords.length === 0) return `${text}, none with notarization records; delete all but one`
  const shown = joinFirst(withRecords, 5, { separator: ', ' })
  return `${text}; notarization records are in ${shown}; keep one draft with all records, and delete the others`
}

/** Returns the source with the commit of the tag, or else the target of a draft, which may be a branch. */
function sourceOf(
  { tag_name, draft, target_commitish: target }: Release,
  tagCommit: string | null,
  { source, serverUrl }: Environment,
): Source {
  const targetCommit = draft && /^[0-9a-f]{40,64}$/.test(target) ? target : null
  const sha = tagCommit ?? targetCommit
  const { repository } = source
  const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`
  return { ...source, ref: `refs/tags/${tag_name}`, sha, commitUrl }
}
