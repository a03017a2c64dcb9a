/** The workflow artifacts of a run. */
import { hash } from 'node:crypto'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { describeError } from '../failure.ts'
import type { Environment } from '../runtime/environment.ts'
import { guard } from '../runtime/guard.ts'
import type {
  ArtifactCall,
  KeptFiles,
  KeptRecords,
  WorkflowArtifact,
  WorkflowArtifacts,
} from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { evidenceName, recordsName } from '../text/names.ts'
import type * as library from './library.ts'

export const workflowArtifacts: WorkflowArtifacts = { keep: keepFiles, find: findRecords }

/** Uploads a copy that nothing else can change. */
async function keepFiles(
  { records, evidencePath }: KeptFiles,
  call: ArtifactCall,
): Promise<WorkflowArtifact> {
  const { environment, disk } = call.host
  const folder = disk.makeFolder(environment.tempFolder)
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
  const digits = hash('sha256', records).slice(0, 12)
  const name = `notarization-records-${environment.attempt}-${digits}`
  const title = 'Keep the records as a workflow artifact'
  const kept = await useLibrary(title, ({ upload }) => upload({ name, files, folder }), call)
  return { name: kept.name, url: urlOf(kept.id, environment) }
}

async function findRecords(call: ArtifactCall): Promise<readonly KeptRecords[]> {
  const { environment, disk } = call.host
  const folder = disk.makeFolder(environment.tempFolder)
  const title = 'Find the records of earlier attempts'
  const found = await useLibrary(title, ({ download }) => download(folder), call)
  return found
    .map(({ name, id, bytes }) => ({ name, url: urlOf(id, environment), bytes }))
    .sort(compareAge)
}

/** Compares by the attempt in the name. Of one attempt, the longer file is newer, because steps only append to it. */
function compareAge(a: KeptRecords, b: KeptRecords): number {
  const attemptOf = ({ name }: KeptRecords): number => Number(name.split('-')[2])
  return attemptOf(a) - attemptOf(b) || a.bytes.length - b.bytes.length
}

/** Calls the library within a group of the log. Rejects with an error that has no secrets. */
async function useLibrary<T>(
  title: string,
  use: (bundle: typeof library) => Promise<T>,
  { host: { runner, secrets }, signal }: ArtifactCall,
): Promise<T> {
  try {
    // The build loads the bundle instead.
    const call = async (): Promise<T> => use(await import('./library.ts'))
    return await runner.group(title, () => guard(call, signal))
  } catch (error) {
    const text = secrets.redactLine(describeThrown(error)).replaceAll(/\bsig=[^&\s]*/g, 'sig=***')
    throw new Error(quote(text, 300))
  }
}

/** An error of the storage behind the artifact service: often it has no message. */
const storageErrorSchema = z.object({
  name: z.literal('RestError'),
  message: z.string(),
  statusCode: z.optional(z.int()),
  request: z.object({ url: z.string() }),
})

function describeThrown(error: unknown): string {
  const ofStorage = storageErrorSchema.safeParse(error)
  if (!ofStorage.success) return describeError(error)
  const { message, statusCode, request } = ofStorage.data
  const host = URL.parse(request.url)?.host ?? 'the storage'
  return statusCode === undefined ? `${host}: ${message}` : `${host} returned HTTP ${statusCode}`
}

/** Returns the page of a workflow artifact. */
function urlOf(id: number, { serverUrl, source }: Environment): string | null {
  const { repository, runId } = source
  return repository && runId && `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`
}
