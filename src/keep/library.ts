/** Entry of the bundle `dist/keep`, which holds `@actions/artifact` and is loaded only when it is used. */
import assert from 'node:assert'
import { hash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'
import * as core from '@actions/core'
import { evidenceName, recordsName } from '../text/names.ts'
import type { RecordsSource } from '../records/store.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Environment } from '../runtime/environment.ts'
import { quote, toSingleLine } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { readZipEntry } from './zip-entry.ts'

/** The job whose artifacts are kept or read, and what ends a call to the artifact service. */
export interface KeepJob {
  readonly environment: Environment
  readonly clock: Clock
  /** Its reason is the error. */
  readonly signal: AbortSignal
}

/** Of the artifacts that hold records: the run attempt, and the first 12 digits of the SHA-256 of the records. */
const nameForm = /^notarization-records-\d+-([0-9a-f]{12})(?:-1)?$/

/** How long to wait; the library waits up to 15 minutes for a silent service. */
const patienceMs = 120_000

/** For all artifacts together. */
const maxBytes = 64 * 1024 * 1024
const maxDownloads = 4

/**
 * Keeps the records as a workflow artifact, with the evidence page if its path is not empty. Returns the name of the
 * artifact. Rejects after 2 minutes, or when the signal aborts; then the upload may go on.
 */
export async function keepRecords(
  records: Buffer,
  evidencePath: string,
  job: KeepJob,
): Promise<string> {
  return callService('Keep the records', job, () => {
    return withinLimits(uploadCopy(records, evidencePath, job), job)
  })
}

/** Makes calls in a group of the log. Errors do not show the token. */
async function callService<T>(
  title: string,
  { environment: { artifactService } }: KeepJob,
  call: () => Promise<T>,
): Promise<T> {
  assert(artifactService !== null, 'the server has an artifact service')
  const { token } = artifactService
  // The library shows answers.
  core.setSecret(token)
  try {
    return await core.group(title, call)
  } catch (error) {
    const text = describeError(error).replaceAll(token, '***')
    throw new Error(quote(toSingleLine(text), 300))
  }
}

/** Uploads a copy that nothing else can change. Returns the name of the artifact. */
async function uploadCopy(
  records: Buffer,
  evidencePath: string,
  { environment: { tempFolder, source } }: KeepJob,
): Promise<string> {
  // The runner empties its temporary folder.
  const folder = await mkdtemp(join(tempFolder, 'notarization-'))
  const files = [join(folder, recordsName)]
  await writeFile(join(folder, recordsName), records)
  if (evidencePath !== '') {
    const page = join(folder, evidenceName)
    // The records matter more than the page.
    await copyFile(evidencePath, page).then(
      () => files.push(page),
      () => undefined,
    )
  }
  const client = new DefaultArtifactClient()
  const name = `notarization-records-${source.runAttempt ?? '1'}-${hash('sha256', records).slice(0, 12)}`
  let failure: unknown
  // A broken upload, its own too, blocks the first name.
  for (const candidate of [name, `${name}-1`]) {
    try {
      await client.uploadArtifact(candidate, files, folder)
      return candidate
    } catch (error) {
      failure = error
    }
    // The same name means the same bytes, from another step or from this upload without its answer.
    const { artifacts } = await client.listArtifacts()
    if (artifacts.some(artifact => artifact.name === candidate)) return candidate
  }
  throw new Error(describeError(failure))
}

/**
 * Reads the records files that jobs of this run kept. Every job of the run can upload artifacts with such names, so their
 * content is untrusted. Rejects if one of them cannot be read within 2 minutes, or if they exceed 64 MiB together.
 */
export async function findRecords(job: KeepJob): Promise<readonly RecordsSource[]> {
  return callService('Find the records of earlier attempts', job, async () => {
    const client = new DefaultArtifactClient()
    const listed = await withinLimits(client.listArtifacts(), job)
    const artifacts = listed.artifacts.filter(({ name }) => nameForm.test(name))
    if (artifacts.reduce((bytes, { size }) => bytes + size, 0) > maxBytes) throw tooLarge()
    // The runner empties its temporary folder.
    const folder = await mkdtemp(join(job.environment.tempFolder, 'notarization-'))
    // The workers share the iterator: each takes the next artifact.
    const queue = artifacts.values()
    const download = async (): Promise<void> => {
      for (const { id } of queue) {
        const path = join(folder, String(id))
        await mkdir(path)
        // The library would unzip whatever the archive holds.
        const options = { path, skipDecompress: true }
        await withinLimits(client.downloadArtifact(id, options), job)
      }
    }
    await Promise.all(Array.from({ length: maxDownloads }, download))

    const sources: RecordsSource[] = []
    let left = maxBytes
    for (const { id, name } of artifacts) {
      const bytes = await readRecords(join(folder, String(id)), name, left)
      left -= bytes.length
      sources.push({ name: `${recordsName} of the workflow artifact ${name}`, bytes, remedy })
    }
    return sources
  })
}

const remedy =
  'save a copy of that workflow artifact, delete it, and re-run the failed jobs, which pays again for what only it knows'

/** Returns the records of a downloaded artifact. Rejects if they are not what its name promises. */
async function readRecords(folder: string, name: string, maxBytes: number): Promise<Buffer> {
  const [file] = await readdir(folder)
  assert(file !== undefined, 'a download is a file')
  const path = join(folder, file)
  if ((await stat(path)).size > maxBytes) throw tooLarge()
  try {
    const bytes = readZipEntry(await readFile(path), recordsName, maxBytes)
    const [, digits] = nameForm.exec(name) ?? []
    if (hash('sha256', bytes).slice(0, 12) === digits) return bytes
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new Error(`${name} is damaged: ${describeError(error)}`)
  }
  throw new Error(`the records in ${name} do not have the SHA-256 of its name`)
}

function tooLarge(): Error {
  return new Error('they exceed 64 MiB together')
}

/** Settles as `call` does; rejects after 2 minutes, or when the signal aborts. The call itself goes on. */
async function withinLimits<T>(call: Promise<T>, { clock, signal }: KeepJob): Promise<T> {
  const settled = new AbortController()
  const ended = clock.sleep(patienceMs, AbortSignal.any([signal, settled.signal])).then(() => {
    signal.throwIfAborted()
    throw new Error('it took more than 2 minutes')
  })
  return Promise.race([call, ended]).finally(() => {
    settled.abort()
  })
}
