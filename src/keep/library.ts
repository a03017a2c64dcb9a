/** What is done with `@actions/artifact`: a bundle of its own, which is loaded when it is used. */
import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'
import { unzipSync, type UnzipFileFilter } from 'fflate'
import type { Environment } from '../runtime/environment.ts'
import type { ArtifactCall, WorkflowArtifacts } from '../runtime/outside.ts'
import { evidenceName, recordsName } from '../text/names.ts'

/** Of the artifacts that hold records: the run attempt, and the first 12 digits of the SHA-256 of both files. */
const nameForm = /^notarization-records-\d+-[0-9a-f]{12}(?:-1)?$/

/** For all artifacts together, as they are listed. */
const maxKeptBytes = 64 * 1024 * 1024

const maxUnpackedBytes = 1024 * 1024 * 1024

/** How long to wait before each repetition, in milliseconds: the library gives up at once after a reset, a 403 or a 404. */
const waitsMs = [5000, 10_000, 20_000, 40_000]

/** Uploads the files, or finds what another step has uploaded. Rejects with whatever the library throws. */
export const keep: WorkflowArtifacts['keep'] = async ({ records, evidencePath }, call) => {
  const { environment, disk } = call.host
  // A copy that nothing else can change.
  const folder = disk.makeFolder(environment.tempFolder)
  const contents = new Map([[recordsName, records]])
  if (evidencePath !== '') contents.set(evidenceName, await readFile(evidencePath))
  for (const [name, content] of contents) await writeFile(join(folder, name), content)
  const files = [...contents.keys()].map(name => join(folder, name))
  // The same name means the same bytes.
  const digits = hash('sha256', Buffer.concat([...contents.values()])).slice(0, 12)
  const name = `notarization-records-${environment.attempt}-${digits}`

  const client = new DefaultArtifactClient()
  // The first one: it may block the name, and then hide behind a conflict.
  let failure: unknown
  return repeat(async () => {
    // A broken upload, its own too, blocks the first name.
    for (const candidate of [name, `${name}-1`]) {
      try {
        const { id } = await client.uploadArtifact(candidate, files, folder)
        if (id !== undefined) return { name: candidate, url: urlOf(id, environment) }
      } catch (error) {
        failure ??= error
      }
      // From another step, or from this upload without its response.
      const { artifacts } = await client.listArtifacts().catch(() => ({ artifacts: [] }))
      const listed = artifacts.find(artifact => artifact.name === candidate)
      if (listed !== undefined) return { name: candidate, url: urlOf(listed.id, environment) }
    }
    throw failure
  }, call)
}

/**
 * Downloads the records that jobs of this run kept, the newest last. Every job can upload such artifacts: of each, only the
 * file of our name at its top is read, null if it is damaged, or one of the largest if they are too large together.
 */
export const find: WorkflowArtifacts['find'] = async call => {
  const { environment, disk } = call.host
  const folder = disk.makeFolder(environment.tempFolder)
  const client = new DefaultArtifactClient()
  const { artifacts } = await repeat(() => client.listArtifacts(), call)
  const ours = artifacts.filter(({ name }) => nameForm.test(name))
  ours.sort((a, b) => a.size - b.size)
  let bytesOfAll = 0
  const downloads = ours.map(async ({ id, name, size, digest = '' }) => {
    const artifact = { id, name, url: urlOf(id, environment) }
    bytesOfAll += size
    if (bytesOfAll > maxKeptBytes) return { ...artifact, bytes: null }
    const path = join(folder, String(id))
    // Unpacked here: the library would repeat the download of one that is damaged.
    const options = { path, expectedHash: digest, skipDecompress: true }
    const { digestMismatch } = await repeat(() => client.downloadArtifact(id, options), call)
    if (digestMismatch === true) return { ...artifact, bytes: null }
    const [file = ''] = await readdir(path)
    return { ...artifact, bytes: unpackRecords(await readFile(join(path, file))) }
  })
  // GitHub numbers artifacts as they are made.
  return (await Promise.all(downloads)).sort((a, b) => a.id - b.id)
}

/** Returns the records file at the top of a zip file; null if there is none, or if the zip file is damaged. */
function unpackRecords(zip: Buffer): Buffer | null {
  let files = 0
  const isMeant: UnzipFileFilter = ({ name, originalSize }) => {
    files += 1
    // Ours have the records and the page. A list of any length would block the process.
    if (files > 2) throw new Error('there are too many files')
    return name === recordsName && originalSize <= maxUnpackedBytes
  }
  try {
    const records = unzipSync(zip, { filter: isMeant })[recordsName]
    return records === undefined ? null : Buffer.from(records)
  } catch {
    return null
  }
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

/** Returns the page of a workflow artifact; null where that of the run is unknown. */
function urlOf(id: number, { serverUrl, source }: Environment): string | null {
  const { repository, runId, runUrl } = source
  return runUrl && `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`
}
