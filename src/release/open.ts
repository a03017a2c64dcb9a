import { isHashed, type Artifact, type PatternCount } from '../artifacts/artifact.ts'
import { attachedNames } from '../artifacts/own-files.ts'
import type { Environment } from '../environment.ts'
import { makeFailure } from '../failure.ts'
import { cancelledFailure, type Halt } from '../halt.ts'
import type { UsableInputs } from '../inputs.ts'
import { checkProxy } from '../service/proxy.ts'
import { problemAt, problemWith, Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { connectToGitHub, type GitHubApi } from './api.ts'
import { assetsOfOthers, hashAsset, readVersions } from './assets.ts'
import {
  attachEvidence,
  checkWritable,
  mayBeReplaced,
  type AttachedFile,
  type Evidence,
} from './attach.ts'
import { GitHubError, orStop, type GitHubHost } from './github-error.ts'
import type { ReleaseFacts } from './guards.ts'
import type { Asset, Release } from './shapes.ts'

/** What became of attaching the evidence to a release. */
export interface Attachment {
  readonly tag: string
  /** Why it is not attached, as a clause; null if it is. */
  readonly failure: string | null
  /** Where the attached files are. */
  readonly links: readonly AttachedFile[]
}

/** A release as a source of artifacts, and as the place of the evidence. Without a tag there is nothing in it. */
export interface ReleaseSource {
  /** Its assets, but for our own attached files. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly warnings: readonly string[]
  /** For the guards of the plan. */
  readonly facts: ReleaseFacts | null
  /** The records that it holds; null without any. Throws a `Stop`. */
  readonly readRecords: () => Promise<Buffer | null>
  /**
   * Whether evidence can be attached, before anything is spent; does nothing if none is to be attached. With nothing left
   * to register give the evidence: then only if the release lacks some of it. Throws a `Stop`.
   */
  readonly checkAttachable: (evidence: Evidence | null) => Promise<void>
  /** Attaches the evidence; null if that was not asked for. Never rejects. */
  readonly attach: (evidence: Evidence) => Promise<Attachment | null>
}

/** What the release room needs from its host; `makeId` makes UUIDs. */
type ReleaseHost = GitHubHost &
  Pick<Environment, 'apiUrl' | 'proxyProblems'> & {
    readonly source: Pick<Environment['source'], 'repository' | 'ref' | 'sha'>
    readonly halt: Halt
    readonly makeId: () => string
  }

/** How long attaching may take, in milliseconds: little after a cancel, as the runner kills soon. */
const attachTimeoutMs = 600_000
const attachTimeoutAfterCancelMs = 1_500

const noRelease: ReleaseSource = {
  ...{ artifacts: [], counts: [], warnings: [], facts: null },
  readRecords: () => Promise.resolve(null),
  checkAttachable: () => Promise.resolve(),
  attach: () => Promise.resolve(null),
}

const input = 'release-tag'

/** Opens the release of the input `release-tag`. Throws a `Stop` that says why it cannot be used. */
export async function openRelease(
  inputs: Pick<UsableInputs, 'releaseTag' | 'githubToken' | 'attachToRelease'>,
  host: ReleaseHost,
): Promise<ReleaseSource> {
  const { releaseTag: tag, githubToken: token, attachToRelease } = inputs
  if (tag === null) return noRelease
  const { halt, apiUrl, makeId } = host
  const { repository } = host.source
  if (repository === null) {
    throw new Stop(problemWith(input, 'needs a repository, and GITHUB_REPOSITORY is not set'))
  }
  checkProxy(apiUrl, host.proxyProblems)
  const connect = (signal: AbortSignal): Promise<GitHubApi> =>
    connectToGitHub({ ...host, token, repository, signal })
  const api = await connect(halt.signal)
  const orStopAt = (what: string) => orStop(input, `${what} "${quote(tag)}" cannot be read`)

  const reading = readRelease(api, tag, host)
  const { release, listed, knownHashes, ...found } = await reading.catch(orStopAt('the release'))
  const target = { api, release, knownHashes, makeId }
  return {
    ...found,
    readRecords: async () => {
      const { records } = attachedNames
      const what = `${records} of the release`
      let known: readonly Asset[] | null = listed
      const readOnce = async (): Promise<Buffer> => {
        const assets = known ?? (await api.listAssets(release))
        known = null
        return readVersions(api, assets, records)
      }
      const held = await api.repeat(readOnce, mayBeReplaced).catch(orStopAt(what))
      return held.length === 0 ? null : held
    },
    checkAttachable: async evidence => {
      if (attachToRelease) await checkWritable(evidence, target)
    },
    attach: async evidence => {
      if (!attachToRelease) return null
      const signal = attachSignal(halt)
      try {
        const links = await attachEvidence({ ...evidence, ...target, api: await connect(signal) })
        return { tag, failure: null, links }
      } catch (error) {
        const failure = signal.aborted ? 'it took too long, or the run was cancelled' : why(error)
        return { tag, failure, links: [] }
      }
    },
  }
}

/** Finds a release and reads what is an artifact. Throws a `GitHubError`, or a `Stop` if there is none, or several. */
async function readRelease(api: GitHubApi, tag: string, { source, halt }: ReleaseHost) {
  const release = (await api.findPublished(tag)) ?? (await findDraft(api, tag))
  const listed = await api.listAssets(release)
  const artifacts: Artifact[] = []
  const warnings: string[] = []
  const knownHashes = new Map<number, string>()
  for (const asset of assetsOfOthers(listed)) {
    if (!asset.isUploaded) {
      warnings.push(`the release asset "${quote(asset.name)}" is skipped: its upload never ended`)
      continue
    }
    const artifact = await toArtifact(api, asset, halt.signal)
    artifacts.push(artifact)
    if (isHashed(artifact)) knownHashes.set(asset.id, artifact.hash)
  }
  const isTagOfRun = source.ref === `refs/tags/${tag}`
  const tagCommit = isTagOfRun ? await api.findTagCommit(tag) : undefined
  const facts = {
    tag,
    isDraft: release.isDraft,
    assets: artifacts,
    tagCommit,
    runCommit: source.sha,
  }
  const counts = [{ input, text: tag, count: artifacts.length }] as const
  return { release, listed, knownHashes, artifacts, warnings, counts, facts }
}

/** Looks only as far as the page that has it: a release comes with all its assets, and there may be thousands. */
async function findDraft(api: GitHubApi, tag: string): Promise<Release> {
  for await (const page of api.listReleases()) {
    const releases = page.filter(release => release.tag === tag)
    // Published meanwhile, it counts before drafts.
    const release = releases.find(({ isDraft }) => !isDraft) ?? releases[0]
    if (release?.isDraft === true && releases.length > 1) {
      const text = `the release "${quote(tag)}" has several drafts; delete all but one`
      throw new Stop(problemAt(input, text))
    }
    if (release !== undefined) return release
  }
  const text = `the release "${quote(tag)}" was not found; check the tag, and for a draft give the job the permission contents: write, as others do not see it`
  throw new Stop(problemAt(input, text))
}

async function toArtifact(api: GitHubApi, asset: Asset, halt: AbortSignal): Promise<Artifact> {
  const { name, size } = asset
  const common = { source: input, name } as const
  try {
    return { ...common, size, hash: await hashAsset(api, asset) }
  } catch (error) {
    if (halt.aborted) return { ...common, failure: cancelledFailure }
    const what = `the release asset could not be read: ${describeError(error)}`
    const failure = makeFailure({ code: 'unreadable', what, remedy: 'run the job again' })
    return { ...common, failure }
  }
}

/** Why the evidence could not be attached, as a clause. */
function why(error: unknown): string {
  const remedy = error instanceof GitHubError ? error.failure.remedy : null
  return describeError(error) + (remedy === null ? '' : `; ${remedy}`)
}

/** Ends the attaching in time, and soon after a cancel, before it or while it goes on. */
function attachSignal({ kill }: Halt): AbortSignal {
  const end = kill.aborted ? AbortSignal.timeout(attachTimeoutAfterCancelMs) : kill
  return AbortSignal.any([AbortSignal.timeout(attachTimeoutMs), end])
}
