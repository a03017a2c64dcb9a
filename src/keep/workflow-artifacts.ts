/** The workflow artifacts of a run. */
import * as z from 'zod/mini'
import { describeError } from '../failure.ts'
import { guard } from '../runtime/guard.ts'
import type { ArtifactCall, WorkflowArtifacts } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'

export const workflowArtifacts: WorkflowArtifacts = {
  keep: (files, call) =>
    useLibrary('Keep the records as a workflow artifact', ({ keep }) => keep(files, call), call),
  find: call => useLibrary('Find the records of earlier attempts', ({ find }) => find(call), call),
}

/** An error of the storage behind the artifact service. */
const storageError = z.object({ statusCode: z.int(), request: z.object({ url: z.url() }) })

/** Calls the library within a group of the log. Rejects with an error that has no secrets. */
async function useLibrary<T>(
  title: string,
  use: (library: WorkflowArtifacts) => Promise<T>,
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
