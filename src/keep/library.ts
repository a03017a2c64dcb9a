/** What the child process does with `@actions/artifact`, which may throw, hang, and leave timers behind. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DefaultArtifactClient, type DownloadArtifactOptions } from '@actions/artifact'
import { setSecret } from '@actions/core'
import { describeError } from '../failure.ts'
import { quote, toSingleLine } from '../text/escape.ts'
import {
  maxKeptBytes,
  nameForm,
  whyTooLarge,
  type ChildReply,
  type ChildTask,
  type DownloadTask,
  type FailedTask,
  type UploadTask,
} from './messages.ts'

const maxDownloads = 4

/** Uploads or downloads. Never rejects, but may hang. */
export async function performTask(task: ChildTask): Promise<ChildReply> {
  // The library shows responses in the log.
  task.secrets.forEach(setSecret)
  try {
    if (task.kind === 'upload') return await upload(task)
    return await download(task)
  } catch (error) {
    return failTask(error, task)
  }
}

/** Describes any thrown value without the secrets of the task. */
export function failTask(
  error: unknown,
  { secrets }: ChildTask,
  cause: FailedTask['cause'] = 'other',
): FailedTask {
  let text = describeError(error)
  for (const secret of secrets) text = text.replaceAll(secret, '***')
  const why = quote(toSingleLine(text).replaceAll(/\bsig=[^&\s]*/g, 'sig=***'), 300)
  return { kind: 'failed', why, cause }
}

async function upload({ name, files, folder }: UploadTask): Promise<ChildReply> {
  const client = new DefaultArtifactClient()
  let failure: unknown
  // A broken upload, its own too, blocks the first name.
  for (const candidate of [name, `${name}-1`]) {
    try {
      const { id } = await client.uploadArtifact(candidate, [...files], folder)
      if (id !== undefined) return { kind: 'uploaded', name: candidate, id }
    } catch (error) {
      failure = error
    }
    // The same name means the same bytes, from another step or from this upload without its response.
    const { artifacts } = await client.listArtifacts()
    const listed = artifacts.find(artifact => artifact.name === candidate)
    if (listed !== undefined) return { kind: 'uploaded', name: candidate, id: listed.id }
  }
  throw failure
}

/** Every job of the run can upload artifacts with such names: the caller checks what they hold. */
async function download(task: DownloadTask): Promise<ChildReply> {
  const { folder, findBy } = task
  const client = new DefaultArtifactClient()
  const scope = findBy === null ? {} : { findBy }
  let listed: Awaited<ReturnType<typeof client.listArtifacts>>['artifacts']
  try {
    listed = (await client.listArtifacts(scope)).artifacts
  } catch (error) {
    return failTask(error, task, causeOf(error))
  }
  const found = listed.filter(({ name }) => nameForm.test(name))
  if (found.reduce((bytes, { size }) => bytes + size, 0) > maxKeptBytes) {
    return { kind: 'failed', why: whyTooLarge, cause: 'too-large' }
  }
  const artifacts: { name: string; id: number; path: string }[] = []
  // The workers share the iterator: each takes the next artifact.
  const queue = found.values()
  const work = async (): Promise<void> => {
    for (const { id, name, digest } of queue) {
      const path = join(folder, String(id))
      await mkdir(path)
      // The library would unzip whatever the archive holds.
      const options: DownloadArtifactOptions = { path, skipDecompress: true }
      if (digest !== undefined) options.expectedHash = digest
      const { digestMismatch } = await client.downloadArtifact(id, { ...scope, ...options })
      const [file] = await readdir(path)
      if (digestMismatch === true || file === undefined) {
        throw new Error(`the download of ${name} is damaged`)
      }
      artifacts.push({ name, id, path: join(path, file) })
    }
  }
  await Promise.all(Array.from({ length: maxDownloads }, work))
  return { kind: 'downloaded', artifacts }
}

function causeOf(error: unknown): FailedTask['cause'] {
  if (!(error instanceof Error) || !('status' in error)) return 'other'
  const status = Number(error.status)
  if (status >= 400 && status < 500) return 'refused'
  return 'other'
}
