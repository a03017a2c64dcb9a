import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { PatternCount } from '../artifacts/collect.ts'
import { readRelease, type FoundRelease } from '../artifacts/sources/release.ts'
import type { Environment } from '../environment.ts'
import { NotarizeError } from '../errors.ts'
import type { Inputs } from '../inputs.ts'
import type { Outcome, Problem } from '../outcome.ts'
import type { ReleaseFacts } from '../plan-release.ts'
import type { PlannedArtifact } from '../plan.ts'
import type { Halt } from '../register/halt.ts'
import { connectToGitHub, GitHubError } from './api.ts'
import { attachEvidence, checkAttachable, readAttachedRecords } from './attach.ts'

/** A release that a run works with. */
export interface OpenRelease {
  readonly found: FoundRelease
  readonly facts: ReleaseFacts
  readonly counts: readonly PatternCount[]
  /** The records that it holds; null without any. Rejects with a `NotarizeError`. */
  readonly readRecords: (signal: AbortSignal) => Promise<Buffer | null>
  /** Whether records can be attached, before anything is spent; null if so, or if none are to be attached. */
  readonly check: () => Promise<Problem | null>
  /** Attaches the records file, if that was asked for and there is one; gives what failed, or null. */
  readonly attach: (
    artifacts: readonly PlannedArtifact[],
    recordsPath: string,
    outcomeOf: (artifact: PlannedArtifact) => Outcome,
  ) => Promise<string | null>
}

type ReleaseInputs = Pick<Inputs, 'releaseTag' | 'attachToRelease' | 'githubToken'>

/** How long attaching may take, in milliseconds: little after a cancel, as the runner kills soon. */
const attachTimeoutMs = 300_000
const attachTimeoutAfterCancelMs = 1_500

/** Opens the release of the input `release-tag`; null without one. */
export async function openRelease(
  { releaseTag, attachToRelease, githubToken }: ReleaseInputs,
  { source }: Environment,
  halt: Halt,
): Promise<OpenRelease | { readonly problem: Problem } | null> {
  if (releaseTag === null) return null
  if (source.repository === null) return { problem: noRepository }
  const place = { token: githubToken, repository: source.repository }
  const api = await connectToGitHub(place, halt.signal)
  const found = await readRelease(api, { tag: releaseTag, ref: source.ref, halt: halt.signal })
  if ('message' in found) return { problem: found }
  const { release, assets, listed, tagCommit } = found
  const makeId = (): string => randomUUID()
  const target = { api, release, makeId }
  return {
    found,
    counts: [{ input: 'release-tag', text: release.tag, count: assets.length }],
    facts: {
      ...{ tag: release.tag, isDraft: release.isDraft, assets, tagCommit },
      runCommit: source.sha,
    },
    readRecords: async signal => {
      try {
        return await readAttachedRecords(api, listed, signal)
      } catch (error) {
        const why = error instanceof GitHubError ? error.message : 'the connection broke'
        throw new NotarizeError('unavailable', `of the release cannot be read: ${why}`, error)
      }
    },
    check: async () =>
      attachToRelease ? checkAttachable({ ...target, signal: halt.signal }) : null,
    attach: async (artifacts, recordsPath, outcomeOf) => {
      if (!attachToRelease || !existsSync(recordsPath)) return null
      const registered = new Set(
        artifacts.filter(one => outcomeOf(one).state === 'registered').map(({ hash }) => hash),
      )
      const checksums = assets
        .filter(asset => 'hash' in asset)
        .filter(({ hash }) => registered.has(hash))
      const signal = attachSignal(halt)
      const writer = { ...target, api: await connectToGitHub(place, signal), signal }
      const late = once(signal, 'abort').then(() => tooLate)
      return Promise.race([attachEvidence({ recordsPath, checksums }, writer), late])
    },
  }
}

/** Ends the attaching in time, and soon after a cancel, before it or while it goes on. */
function attachSignal({ kill }: Halt): AbortSignal {
  const end = kill.aborted ? AbortSignal.timeout(attachTimeoutAfterCancelMs) : kill
  return AbortSignal.any([AbortSignal.timeout(attachTimeoutMs), end])
}

const tooLate =
  'The records could not be attached to the release in time. The records file has all of them; run the job again'

const noRepository: Problem = {
  input: 'release-tag',
  message: 'input "release-tag" needs a repository, and GITHUB_REPOSITORY is not set',
}
