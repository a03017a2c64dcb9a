import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DefaultArtifactClient, type Artifact } from '@actions/artifact'
import * as core from '@actions/core'
import { recordsName } from '../artifacts/own-files.ts'
import type { RecordsSource } from '../records/store.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { readDigits } from './artifact-name.ts'
import { withinLimits, type Limits } from './artifact-service.ts'
import { readZipEntry } from './zip-entry.ts'

/** For all artifacts together. */
const maxBytes = 64 * 1024 * 1024
const maxDownloads = 4

const remedy =
  'delete that workflow artifact, which another job of this run may have uploaded, then re-run the failed jobs'

/** Where to download to, and how long each call may take. */
export interface FindTask extends Limits {
  /** Of the job; the library reads it from the environment. */
  readonly token: string
  /** `RUNNER_TEMP`. */
  readonly tempFolder: string
}

export type FindRecords = (task: FindTask) => Promise<readonly RecordsSource[]>

/**
 * Reads the records files that jobs of this run kept. Every job of the run can upload artifacts with such names, so their
 * content is untrusted. Rejects if one of them cannot be read within 2 minutes, or if they exceed 64 MiB together.
 */
export const findRecords: FindRecords = task =>
  core.group('Find the records of earlier attempts', async () => {
    // The library shows answers.
    core.setSecret(task.token)
    // The runner empties its temporary folder.
    const folder = await mkdtemp(join(task.tempFolder, 'notarization-'))
    const artifacts = await downloadAll(folder, task)
    return readAll(folder, artifacts)
  })

/** Downloads each artifact as a zip to a folder of its own, named by its id. */
async function downloadAll(folder: string, limits: Limits): Promise<readonly Artifact[]> {
  const client = new DefaultArtifactClient()
  const listed = await withinLimits(client.listArtifacts(), limits)
  const artifacts = listed.artifacts.filter(({ name }) => readDigits(name) !== null)
  if (artifacts.reduce((bytes, { size }) => bytes + size, 0) > maxBytes) throw tooLarge()
  // The workers share the iterator: each takes the next artifact.
  const queue = artifacts.values()
  const work = async (): Promise<void> => {
    for (const artifact of queue) {
      const path = join(folder, String(artifact.id))
      await mkdir(path)
      await withinLimits(download(client, artifact, path), limits)
    }
  }
  await Promise.all(Array.from({ length: maxDownloads }, work))
  return artifacts
}

async function download(
  client: DefaultArtifactClient,
  { id, name, digest = '' }: Artifact,
  path: string,
): Promise<void> {
  // The library would unzip whatever the archive holds.
  const options = { path, skipDecompress: true, expectedHash: digest }
  const { digestMismatch } = await client.downloadArtifact(id, options)
  if (digestMismatch) throw new Error(`the download of ${name} does not have its digest`)
}

async function readAll(
  folder: string,
  artifacts: readonly Artifact[],
): Promise<readonly RecordsSource[]> {
  const sources: RecordsSource[] = []
  let left = maxBytes
  for (const { id, name } of artifacts) {
    const bytes = await readRecords(join(folder, String(id)), name, left)
    left -= bytes.length
    sources.push({ name: `${recordsName} of the workflow artifact ${name}`, bytes, remedy })
  }
  return sources
}

/** Returns the records of a downloaded artifact. Rejects if they are not what its name promises. */
async function readRecords(folder: string, name: string, maxBytes: number): Promise<Buffer> {
  const [file = ''] = await readdir(folder)
  const path = join(folder, file)
  if ((await stat(path)).size > maxBytes) throw tooLarge()
  const bytes = unzipRecords(await readFile(path), name, maxBytes)
  if (hash('sha256', bytes).slice(0, 12) === readDigits(name)) return bytes
  throw new Error(`the records in ${name} do not have the SHA-256 of its name`)
}

function unzipRecords(zip: Buffer, name: string, maxBytes: number): Buffer {
  try {
    return readZipEntry(zip, recordsName, maxBytes)
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new Error(`${name} is damaged: ${describeError(error)}`)
  }
}

function tooLarge(): Error {
  return new Error('they exceed 64 MiB together')
}
