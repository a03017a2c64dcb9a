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
  /** Set after a failed try that may have uploaded the file anyway. */
  lost?: GitHubError
}

/**
 * Uploads a file; returns null if another file has its name. A failed upload may still have
 * happened: lists the assets, accepts the same digest, and replaces our unfinished upload. Other
 * jobs use the usual name of records too: an unfinished one there is ours only if a try was lost.
 */
export async function uploadFile(
  upload: Upload,
  release: Release,
  api: GitHubApi,
): Promise<Asset | null> {
  const { name, bytes } = upload
  return api.repeat(async () => {
    try {
      return await api.uploadAsset(release, name, bytes)
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error
      const { mayHaveActed, status } = error.failure
      if (mayHaveActed) upload.lost = error
      else if (status !== 422) throw error
      const assets = await api.listAssets(release)
      const asset = assets.find(listed => listed.name === name)
      // It may not be listed yet.
      if (asset === undefined) throw upload.lost ?? error
      if (asset.isUploaded) {
        return (await api.hashAsset(asset)) === hash('sha256', bytes) ? asset : null
      }
      if (upload.lost === undefined && name === recordsName) return null
      await api.deleteAsset(asset)
      // Another job may have been faster.
      return await nullForStatus(422, api.uploadAsset(release, name, bytes))
    }
  })
}

/**
 * Checks that the release accepts files by uploading and deleting one byte: no other call shows
 * what a token may do. `name` must be unique. Throws a `Stop`; warns if the file cannot be deleted.
 */
export async function checkWritable(
  api: GitHubApi,
  release: Release,
  { host, name }: { readonly host: Host; readonly name: string },
): Promise<void> {
  const problem = (text: string): Stop => {
    const subject = `nothing was sent: the release "${quote(release.tag_name)}"`
    return new Stop(problemAt('attach-to-release', `${subject} ${text}`))
  }
  if (release.immutable) throw problem('is immutable; attach before it is published')
  const upload: Upload = { name, bytes: Buffer.from('\n') }
  let asset: Asset | null = null
  try {
    asset = await uploadFile(upload, release, api)
    if (asset !== null) await api.deleteAsset(asset)
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    if (asset !== null || upload.lost !== undefined) {
      host.runner.warning(`Delete "${name}" from the release, if it is there: ${error.message}`)
    }
    // The report says that the run was cancelled.
    if (host.halt.isCancelled) throw new Stop()
    if (asset === null) {
      throw problem(`does not accept files (${error.message}); ${error.failure.remedy}`)
    }
  }
}
