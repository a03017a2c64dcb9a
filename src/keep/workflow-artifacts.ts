/** The workflow artifacts of a run. */
import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { describeError } from '../failure.ts'
import type { Environment } from '../runtime/environment.ts'
import { guard } from '../runtime/guard.ts'
import type { ArtifactCall, WorkflowArtifacts } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { evidenceName, recordsName } from '../text/names.ts'
import type * as library from './library.ts'

/** An error of the storage behind the artifact service. */
const storageError = z.object({ statusCode: z.int(), request: z.object({ url: z.url() }) })

export const workflowArtifacts: WorkflowArtifacts = {
  keep: async ({ records, evidencePath }, call) => {
    const { environment, disk } = call.host
    // A copy that nothing else can change.
    const folder = disk.makeFolder(environment.tempFolder)
    const contents = new Map([[recordsName, records]])
    if (evidencePath !== '') contents.set(evidenceName, await readFile(evidencePath))
    for (const [name, content] of contents) await writeFile(join(folder, name), content)
    // The same name means the same bytes.
    const digits = hash('sha256', Buffer.concat([...contents.values()])).slice(0, 12)
    const name = `notarization-records-${environment.attempt}-${digits}`
    const title = 'Keep the records as a workflow artifact'
    const kept = await useLibrary(title, ({ upload }) => upload(name, folder, call), call)
    return { name: kept.name, url: urlOf(kept.id, environment) }
  },
  find: async call => {
    const { environment, disk } = call.host
    const folder = disk.makeFolder(environment.tempFolder)
    const title = 'Find the records of earlier attempts'
    const found = await useLibrary(title, ({ download }) => download(folder, call), call)
    const attemptOf = (name: string): number => Number(name.split('-')[2])
    // Of one attempt, the longer file is newer, because steps only append to it.
    const sizeOf = (bytes: Buffer | null): number => bytes?.length ?? 0
    found.sort((a, b) => attemptOf(a.name) - attemptOf(b.name) || sizeOf(a.bytes) - sizeOf(b.bytes))
    return found.map(({ name, id, bytes }) => ({ name, url: urlOf(id, environment), bytes }))
  },
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
    const { data } = storageError.safeParse(error)
    let text = describeError(error)
    // Such an error often has no message.
    if (data !== undefined)
      text = `${new URL(data.request.url).host} returned HTTP ${data.statusCode}`
    text = secrets.redactLine(text).replaceAll(/\bsig=[^&\s]*/g, 'sig=***')
    throw new Error(quote(text, 300))
  }
}

/** Returns the page of a workflow artifact; null where that of the run is unknown. */
function urlOf(id: number, { serverUrl, source }: Environment): string | null {
  const { repository, runId, runUrl } = source
  return runUrl && `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`
}
