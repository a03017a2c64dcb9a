import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatChecksum } from '../artifacts/checksums.ts'
import { attachedNames } from '../artifacts/own-files.ts'
import type { Result } from '../outcome.ts'
import type { Runner } from '../runner.ts'
import { Stop } from '../stop.ts'
import { describeError } from '../text/system-error.ts'

/** What the report is given to. */
export type Reporter = Pick<Runner, 'info' | 'warning' | 'error' | 'setOutput' | 'writeSummary'>

/** The outputs of a step by name. */
export type Outputs = Readonly<Record<string, string | number>>

/** Sets all outputs of a step; gives what to say if that failed, which makes the run fail, or null. */
export function deliverOutputs(outputs: Outputs, runner: Reporter): string | null {
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
    return null
  } catch (error) {
    return `The outputs could not be written (${describeError(error)})`
  }
}

/** What to do where outputs could not be written. */
export const makeRoom = 'make room on the machine, then run the job again'

/** Writes the summary; a failure is a warning, as the work is done. Never rejects. */
export async function deliverSummary(markdown: string, runner: Reporter): Promise<void> {
  try {
    await runner.writeSummary(markdown)
  } catch (error) {
    runner.warning(`The job summary could not be written (${describeError(error)})`)
  }
}

type Named = Pick<Result, 'name' | 'hash'>

/**
 * Writes the checksums of all hashed artifacts in GNU format to a new folder below `tempFolder`, and gives the absolute
 * path; the empty string when nothing was hashed. Rejects with a `Stop` when it cannot be written.
 */
export async function writeChecksumsFile(
  artifacts: readonly Named[],
  tempFolder: string,
): Promise<string> {
  if (artifacts.every(({ hash }) => hash === null)) return ''
  const file = { name: attachedNames.checksums, text: checksumsOf(artifacts) }
  try {
    return await writeTemporary(tempFolder, file)
  } catch (error) {
    const message = `the checksums file cannot be written to the folder for temporary files (RUNNER_TEMP): ${describeError(error)}; make room or correct the rights, then run the job again`
    throw new Stop({ input: null, message })
  }
}

const linesAtOnce = 1000

/** In parts, as a list may be as long as a mirror has files. */
function* checksumsOf(artifacts: readonly Named[]): Generator<string> {
  for (let at = 0; at < artifacts.length; at += linesAtOnce) {
    const lines = artifacts
      .slice(at, at + linesAtOnce)
      .map(({ name, hash }) => (hash === null ? '' : formatChecksum({ name, hash })))
    yield lines.join('')
  }
}

/** Writes a file to a new folder below `tempFolder`, and gives its absolute path. */
export async function writeTemporary(
  tempFolder: string,
  { name, text }: { readonly name: string; readonly text: string | Iterable<string> },
): Promise<string> {
  const path = join(await mkdtemp(join(tempFolder, 'notarization-')), name)
  await writeFile(path, text)
  return path
}
