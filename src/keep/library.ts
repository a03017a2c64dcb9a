/** What is done with `@actions/artifact`: a bundle of its own, which is loaded when it is used. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'
import type { ArtifactCall } from '../runtime/outside.ts'
import { recordsName } from '../text/names.ts'

/** Of the artifacts that hold records: the run attempt, and the first 12 digits of the SHA-256 of both files. */
const nameForm = /^notarization-records-\d+-[0-9a-f]{12}(?:-1)?$/

/** For all artifacts together, as they are listed. */
const maxKeptBytes = 64 * 1024 * 1024

/** How long to wait before each repetition, in milliseconds: the library gives up at once after a reset, a 403 or a 404. */
const waitsMs = [5000, 10_000, 20_000, 40_000]

/** Uploads the files of a folder under a name, or finds what another step has uploaded. Returns the artifact; rejects with whatever the library throws. */
export async function upload(name: string, folder: string, call: ArtifactCall) {
  const files = (await readdir(folder)).map(file => join(folder, file))
  const client = new DefaultArtifactClient()
  // The first one: it may block the name, and then hide behind a conflict.
  let failure: unknown
  return repeat(async () => {
    // A broken upload, its own too, blocks the first name.
    for (const candidate of [name, `${name}-1`]) {
      try {
        const { id } = await client.uploadArtifact(candidate, files, folder)
        if (id !== undefined) return { name: candidate, id }
      } catch (error) {
        failure ??= error
      }
      // The same name means the same bytes, from another step or from this upload without its response.
      const { artifacts } = await client.listArtifacts().catch(() => ({ artifacts: [] }))
      const listed = artifacts.find(artifact => artifact.name === candidate)
      if (listed !== undefined) return { name: candidate, id: listed.id }
    }
    throw failure
  }, call)
}

/**
 * Downloads the records that jobs of this run kept, each to a folder of its own below `folder`, which is empty. Every job
 * can upload such artifacts: of each, only the file of our name at its top is read, null if it is
 * damaged, or one of the largest if they are too large together.
 */
export async function download(folder: string, call: ArtifactCall) {
  const client = new DefaultArtifactClient()
  const { artifacts } = await repeat(() => client.listArtifacts(), call)
  const found = artifacts.filter(({ name }) => nameForm.test(name))
  found.sort((a, b) => a.size - b.size)
  let bytesOfAll = 0
  const downloads = found.map(async ({ id, name, size, digest = '' }) => {
    bytesOfAll += size
    if (bytesOfAll > maxKeptBytes) return { name, id, bytes: null }
    const path = join(folder, String(id))
    await mkdir(path)
    const options = { path, expectedHash: digest }
    const { digestMismatch } = await repeat(() => client.downloadArtifact(id, options), call)
    const bytes = await readFile(join(path, recordsName)).catch(() => null)
    return { name, id, bytes: digestMismatch === true ? null : bytes }
  })
  return Promise.all(downloads)
}

/** Repeats what fails, unless the signal aborts. Rejects with the last error. */
async function repeat<T>(use: () => Promise<T>, { host, signal }: ArtifactCall): Promise<T> {
  for (const waitMs of waitsMs) {
    try {
      return await use()
    } catch {
      await host.clock.sleep(waitMs, signal)
      signal.throwIfAborted()
    }
  }
  return use()
}
