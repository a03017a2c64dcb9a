import { isHashed, type Artifact, type PatternCount } from '../artifacts/artifact.ts'
import { attachedNames } from '../artifacts/own-files.ts'
import type { Environment } from '../environment.ts'
import { makeFailure } from '../failure.ts'
import { cancelledFailure, type Halt } from '../halt.ts'
import { checkProxy } from '../service/proxy.ts'
import { Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { connectToGitHub, type GitHubApi } from './api.ts'
import { assetsOfOthers, hashAsset, readVersions } from './assets.ts'
import { attachEvidence, checkWritable, type AttachedFile, type Evidence } from './attach.ts'
import { GitHubError, stopFor, type GitHubHost } from './github-error.ts'
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

/** Opens the release of the input `release-tag`. Throws a `Stop` that says why it cannot be used. */
export async function openRelease(
  inputs: {
    /** Null for none. */
    readonly releaseTag: string | null
    readonly githubToken: string
    readonly attachToRelease: boolean
  },
  host: ReleaseHost,
): Promise<ReleaseSource> {
  const { releaseTag: tag, githubToken: token, attachToRelease } = inputs
  if (tag === null) return noRelease
  const { source, halt, apiUrl, makeId } = host
  const { repository } = source
  if (repository === null) throw stop(' needs a repository, and GITHUB_REPOSITORY is not set')
  checkProxy(apiUrl, host.proxyProblems)
  const connect = (signal: AbortSignal): Promise<GitHubApi> =>
    connectToGitHub({ ...host, token, repository, signal })
  const api = await connect(halt.signal)

  const read = async () => {
    const release = (await api.findPublished(tag)) ?? (await findDraft(api, tag))
    const listed = await api.listAssets(release)
    const artifacts: Artifact[] = []
    const knownHashes = new Map<number, string>()
    for (const asset of assetsOfOthers(listed).filter(({ isUploaded }) => isUploaded)) {
      const artifact = await toArtifact(api, asset, halt.signal)
      artifacts.push(artifact)
      if (isHashed(artifact)) knownHashes.set(asset.id, artifact.hash)
    }
    const isTagOfRun = source.ref === `refs/tags/${tag}`
    const tagCommit = isTagOfRun ? await api.findTagCommit(tag) : undefined
    return { release, listed, artifacts, knownHashes, tagCommit }
  }
  const { release, listed, artifacts, knownHashes, tagCommit } = await read().catch(
    (error: unknown) => {
      throw stopFor(error, input, `the release "${quote(tag)}" cannot be read`)
    },
  )
  const target = { api, release, knownHashes, makeId }
  return {
    artifacts,
    warnings: assetsOfOthers(listed)
      .filter(({ isUploaded }) => !isUploaded)
      .map(({ name }) => `the release asset "${quote(name)}" is skipped: its upload never ended`),
    counts: [{ input, text: tag, count: artifacts.length }],
    facts: { tag, isDraft: release.isDraft, assets: artifacts, tagCommit, runCommit: source.sha },
    readRecords: async () => {
      const { records } = attachedNames
      const held = await readVersions(api, listed, records).catch((error: unknown) => {
        throw stopFor(error, input, `${records} of the release "${quote(tag)}" cannot be read`)
      })
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

const input = 'release-tag'

function stop(text: string): Stop {
  return new Stop({ input, message: `input "${input}"${text}` })
}

/** Looks only as far as the page that has it: a release comes with all its assets, and there may be thousands. */
async function findDraft(api: GitHubApi, tag: string): Promise<Release> {
  for await (const page of api.listReleases()) {
    const releases = page.filter(release => release.tag === tag)
    // Published meanwhile, it counts before drafts.
    const release = releases.find(({ isDraft }) => !isDraft) ?? releases[0]
    if (release?.isDraft === true && releases.length > 1) {
      throw stop(`: the release "${quote(tag)}" has several drafts; delete all but one`)
    }
    if (release !== undefined) return release
  }
  throw stop(
    `: the release "${quote(tag)}" was not found; check the tag, and for a draft give the job the permission contents: write, as others do not see it`,
  )
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
  const remedy = error instanceof GitHubError ? error.remedy : null
  return describeError(error) + (remedy === null ? '' : `; ${remedy}`)
}

/** Ends the attaching in time, and soon after a cancel, before it or while it goes on. */
function attachSignal({ kill }: Halt): AbortSignal {
  const end = kill.aborted ? AbortSignal.timeout(attachTimeoutAfterCancelMs) : kill
  return AbortSignal.any([AbortSignal.timeout(attachTimeoutMs), end])
}
