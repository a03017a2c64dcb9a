import { hash } from 'node:crypto'
import { recordsName } from '../artifacts/own-files.ts'
import { problemAt, Stop } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import type { GitHubApi } from './api.ts'
import { GitHubError, nullForStatus } from './github-error.ts'
import type { Asset, Release } from './github-types.ts'

/** A file to upload. */
export interface Upload {
  readonly name: string
  readonly bytes: Buffer
  /** Called when the release may have it although the upload failed. */
  readonly onLost?: () => void
}

/**
 * Uploads a file; null if the name is taken by another one. After a failure the assets are listed, as the upload may have
 * happened: the same digest is success, our unfinished one is deleted and uploaded again. Other jobs upload records of
 * their own under the usual name of records only.
 */
export async function uploadFile(
  { name, bytes, onLost }: Upload,
  release: Release,
  api: GitHubApi,
): Promise<Asset | null> {
  let lost: GitHubError | null = null
  return api.repeat(async () => {
    try {
      return await api.uploadAsset(release, name, bytes)
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error
      // A success that cannot be understood is one that may have happened.
      if (error.failure.mayPass || error.failure.status === 200) {
        lost = error
        onLost?.()
      } else if (error.failure.status !== 422) throw error
      const found = (await api.listAssets(release)).find(asset => asset.name === name)
      // It may not be listed yet.
      if (found === undefined) throw lost ?? error
      if (found.isUploaded) {
        return (await api.hashAsset(found)) === hash('sha256', bytes) ? found : null
      }
      if (lost === null && name === recordsName) return null
      await api.deleteAsset(found)
      // Another job may have been faster.
      return await nullForStatus(422, api.uploadAsset(release, name, bytes))
    }
  })
}

/**
 * Checks, before anything is spent, that the release takes files: a file of one byte is uploaded and deleted, as no other
 * call tells what a token may do. No other file has its `name`. Throws a `Stop`; that the file could not be deleted is a
 * warning.
 */
export async function checkWritable(
  api: GitHubApi,
  release: Release,
  { host, name }: { readonly host: Host; readonly name: string },
): Promise<void> {
  const problem = (text: string): Stop => {
    const subject = `nothing was sent: the release "${quote(release.tag)}"`
    return new Stop(problemAt('attach-to-release', `${subject} ${text}`))
  }
  if (release.isImmutable) throw problem('is immutable; attach before it is published')
  let asset: Asset | null = null
  const losses: string[] = []
  const onLost = (): void => {
    losses.push(name)
  }
  try {
    asset = await uploadFile({ name, bytes: Buffer.from('\n'), onLost }, release, api)
    if (asset !== null) await api.deleteAsset(asset)
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    if (asset !== null || losses.length > 0) {
      host.runner.warning(`The release may still have "${name}" (${error.message}); delete it`)
    }
    // The report says that it was cancelled.
    if (host.halt.isCancelled) throw new Stop()
    if (asset === null) throw problem(`takes no files (${error.message}); ${error.failure.remedy}`)
  }
}
