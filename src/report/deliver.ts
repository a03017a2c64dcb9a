import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Stop } from '../failure.ts'
import type { NamedHash } from '../records/evidence.ts'
import type { Runner } from '../runtime/runner.ts'
import { formatChecksum } from '../text/format.ts'
import { describeError } from '../text/system-error.ts'

/** The outputs of a step by name. */
export type Outputs = Readonly<Record<string, string | number>>

/** Sets all outputs of a step. Returns why that failed, or null. */
export function deliverOutputs(outputs: Outputs, runner: Runner): string | null {
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
    return null
  } catch (error) {
    return describeError(error)
  }
}

/** Writes the summary. A failure is only a warning, because the work is done. Never rejects. */
export async function deliverSummary(markdown: string, runner: Runner): Promise<void> {
  try {
    await runner.writeSummary(markdown)
  } catch (error) {
    runner.warning(`The job summary could not be written (${describeError(error)})`)
  }
}

/** Writes a checksums file. Returns its absolute path, or '' without checksums. Throws a `Stop`. */
export async function writeChecksumsFile(
  checksums: readonly NamedHash[],
  tempFolder: string,
): Promise<string> {
  if (checksums.length === 0) return ''
  try {
    const text = checksums.map(formatChecksum).join('')
    return await writeTemporary(tempFolder, 'notarization-checksums.txt', text)
  } catch (error) {
    const message = `the checksums file could not be written to RUNNER_TEMP: ${describeError(error)}; free disk space or fix the permissions, then re-run the failed jobs`
    throw new Stop({ input: null, message })
  }
}

/** Writes a file to a new folder below `tempFolder`. Returns its absolute path. */
export async function writeTemporary(
  tempFolder: string,
  name: string,
  text: string,
): Promise<string> {
  const path = join(await mkdtemp(join(tempFolder, 'notarization-')), name)
  await writeFile(path, text)
  return path
}
