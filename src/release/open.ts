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

/** A release as a source of artifacts, and as storage of the evidence. Without a tag there is nothing in it. */
export interface ReleaseSource {
  /** Its assets, but for what this action writes. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly warnings: readonly string[]
  /** For the guards of the plan. */
  readonly facts: ReleaseFacts | null
  /** The commit and run that lines are written for; with a release, the commit of its tag. */
  readonly source: Source
  readonly records: readonly RecordsSource[]
  /** The assets with one of these hashes; null without a release. */
  readonly evidenceChecksums: (hashes: ReadonlySet<string>) => readonly NamedHash[] | null
  /**
   * Checks, before anything is spent, that evidence can be attached; does nothing if none is to be attached. With evidence
   * (nothing is left to register) only if the release lacks some of it. Throws a `Stop`.
   */
  readonly checkWritable: (evidence: EvidenceInput | null) => Promise<void>
  /** Attaches the evidence, if that was asked for, and compares the assets with those at the beginning. Never rejects. */
  readonly attach: (evidence: EvidenceInput) => Promise<Attachment | null>
}

/** The inputs about a release. */
export interface ReleaseInputs {
  readonly releaseTag: string | null
  readonly githubToken: string
  readonly attachToRelease: boolean
}

/** What a release needs of the run. */
export interface ReleaseHost extends Host {
  /** Makes UUIDs; `randomUUID` unless given. */
  readonly makeId?: () => string
  /** That of the machine unless given. */
  readonly disk?: Disk
  /** How GitHub is reached unless by octokit. */
  readonly connect?: (options: ConnectOptions) => Promise<GitHubApi>
}

const input = 'release-tag'
const neverEnded = 'Release assets were skipped, as their upload never ended'
const maxReadTries = 5
const patienceMs = 120_000
const attachPatienceMs = 600_000
/** For attaching that begins when the calls in flight have been ended: the runner kills soon after. */
const attachAfterKillMs = 3_000

/** Opens the release of the input `release-tag`. Throws a `Stop` that says why it cannot be used. */
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
    // The report says that it was cancelled.
    if (host.halt.isCancelled) throw new Stop()
    const what = `nothing was sent: the release "${quote(tag)}" cannot be read`
    throw new Stop(problemAt(input, `${what} (${error.message}); ${error.failure.remedy}`))
  }
}

async function openTag(
  tag: string,
  { githubToken: token, attachToRelease }: ReleaseInputs,
  host: ReleaseHost,
): Promise<ReleaseSource> {
  const { environment, halt, clock, disk = systemDisk, makeId = randomUUID } = host
  const { source } = environment
  const { repository } = source
  if (repository === null) {
    throw new Stop(problemWith(input, 'needs a repository, but GITHUB_REPOSITORY is not set'))
  }
  const open = (signal: AbortSignal, ms: number, maxTries = Infinity): Promise<GitHubApi> => {
    const deadlineMs = clock.monotonic() + ms
    const options = { host, repository, token, deadlineMs, maxTries, signal }
    return host.connect?.(options) ?? GitHubApi.connect(options)
  }

  const api = await open(halt.signal, patienceMs, maxReadTries)
  const release = await findRelease(api, tag)
  const contents = new ReleaseContents(release)
  await contents.refresh(api)
  const artifacts = await contents.readArtifacts(api)
  const before = contents.artifacts
  const tagCommit = await api.findTagCommit(tag)
  const { isDraft } = release
  const { unfinished } = contents
  const isTagOfRun = source.ref === `refs/tags/${tag}`
  return {
    artifacts,
    counts: [{ input, text: tag, count: artifacts.length }],
    warnings: unfinished.length === 0 ? [] : [`${neverEnded}: ${listNames(unfinished)}`],
    facts: { tag, isDraft, assets: artifacts, isTagOfRun, tagCommit, runCommit: source.sha },
    source: sourceOf(release, tagCommit, environment),
    records: contents.records,
    evidenceChecksums: hashes => contents.checksums(hashes),
    checkWritable: async evidence => {
      if (!attachToRelease || halt.signal.aborted) return
      const file = evidence === null ? null : readIfThere(evidence.recordsPath, disk)
      if (file !== null && contents.missingLines(file).length === 0) return
      const writer = await open(halt.kill, patienceMs)
      const name = writeTestPrefix + makeId()
      await checkWritable(writer, release, { host, name })
    },
    attach: async evidence => {
      const signal = halt.kill.aborted ? AbortSignal.timeout(attachAfterKillMs) : halt.kill
      const writer = await open(signal, attachPatienceMs)
      const isAttaching = attachToRelease
      const task = { api: writer, contents, evidence, before, host, disk, isAttaching }
      const attachment = await attachEvidence(task)
      const hasNews = attachment.failure !== null || attachment.warnings.length > 0
      return attachToRelease || hasNews ? attachment : null
    },
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

/** A published release counts before drafts, of which there must be only one. Throws a `Stop`. */
async function findRelease(api: GitHubApi, tag: string): Promise<Release> {
  const published = await api.findPublished(tag)
  if (published !== null) return published
  const releases = await api.listReleases(tag)
  // Published in the meantime.
  const release = releases.find(({ isDraft }) => !isDraft) ?? releases[0]
  if (release === undefined) {
    const text = `the release "${quote(tag)}" was not found; check the tag, and for a draft give the job the permission contents: write`
    throw new Stop(problemAt(input, text))
  }
  if (release.isDraft && releases.length > 1) {
    throw new Stop(problemAt(input, await describeDrafts(api, releases)))
  }
  return release
}

async function describeDrafts(api: GitHubApi, drafts: readonly Release[]): Promise<string> {
  const holders: string[] = []
  for (const draft of drafts) {
    const assets = await api.listAssets(draft)
    const hasRecords = assets.some(({ name, isUploaded }) => isUploaded && isRecordsAsset(name))
    if (hasRecords) holders.push(`${quote(draft.url)} (id ${draft.id})`)
  }
  const tag = quote(drafts[0]?.tag ?? '')
  const count = `nothing was sent: the release "${tag}" has ${drafts.length} drafts`
  const shown = joinFirst(holders, 5, { separator: ', ' })
  if (holders.length === 0) return `${count}, none with notarization records; delete all but one`
  if (holders.length === 1) {
    return `${count}; keep ${shown}, which has the notarization records, and delete the others`
  }
  return `${count}; several have notarization records: ${shown}; upload those of the others to one of them, then delete the others`
}

/** The commit of the tag, else the target of a draft, which may be a branch. */
function sourceOf(
  { tag, isDraft, target }: Release,
  tagCommit: string | null,
  { source, serverUrl }: Environment,
): Source {
  const targetCommit = isDraft && /^[0-9a-f]{40,64}$/.test(target) ? target : null
  const sha = tagCommit ?? targetCommit
  const { repository } = source
  const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`
  return { ...source, ref: `refs/tags/${tag}`, sha, commitUrl }
}
