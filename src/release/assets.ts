import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { isAttached, isOwnAsset } from '../artifacts/own-files.ts'
import { mergeRecords } from '../records/merge.ts'
import { quote } from '../text/escape.ts'
import type { GitHubApi } from './api.ts'
import { GitHubError } from './github-error.ts'
import type { Asset } from './shapes.ts'

/** The assets that are not our own attached files, whole or still being uploaded. */
export function assetsOfOthers(listed: readonly Asset[]): readonly Asset[] {
  return listed.filter(({ name }) => !isOwnAsset(name))
}

/** An attached file, and what interrupted uploads of it left. */
export function versionsOf(listed: readonly Asset[], name: string): readonly Asset[] {
  return listed.filter(asset => isAttached(asset.name, name))
}

/** The lines of all versions of an attached file; empty without any. A probe of one byte has none. */
export async function readVersions(
  api: GitHubApi,
  listed: readonly Asset[],
  name: string,
): Promise<Buffer> {
  const versions = versionsOf(listed, name)
  let merged: Buffer | null = null
  for (const asset of versions.filter(({ isUploaded, size }) => isUploaded && size > 1)) {
    const content = await api.repeat(() => readAsset(api, asset))
    // A single file stays as it is, so that whoever reads it sees whether its last line is incomplete.
    merged = merged === null ? content : mergeRecords(merged, content)
  }
  return merged ?? Buffer.alloc(0)
}

/** The content of a small asset, as GitHub has it: of its size, and with its digest where there is one. */
async function readAsset(api: GitHubApi, asset: Asset): Promise<Buffer> {
  const content = await buffer(readBytes(api, asset))
  const hash = createHash('sha256').update(content).digest('hex')
  if (asset.hash === null || hash === asset.hash) return content
  throw incomplete(asset, `its bytes have SHA-256 ${hash}, and GitHub says ${asset.hash}`)
}

/** The SHA-256 of an asset: what GitHub says, else of its bytes, which are held nowhere. Rejects with a `GitHubError`. */
export async function hashAsset(api: GitHubApi, asset: Asset): Promise<string> {
  if (asset.hash !== null) return asset.hash
  const hash = createHash('sha256')
  for await (const chunk of readBytes(api, asset)) hash.update(chunk)
  return hash.digest('hex')
}

/** The bytes of an asset; rejects at the end if they are not as many as GitHub says. */
async function* readBytes(api: GitHubApi, asset: Asset): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of await api.streamAsset(asset)) {
    bytes += chunk.length
    yield chunk
  }
  if (bytes !== asset.size) throw incomplete(asset, `${bytes} of ${asset.size} bytes came`)
}

function incomplete({ name }: Asset, why: string): GitHubError {
  return new GitHubError(`the asset "${quote(name)}" did not come whole: ${why}`, { mayPass: true })
}
