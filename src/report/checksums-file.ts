import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatChecksum } from '../artifacts/sources/checksums.ts'
import { describeError, NotarizeError } from '../errors.ts'

/** An artifact as far as a checksums file needs it. */
export interface Hashed {
  readonly name: string
  readonly hash: string | null
}

/**
 * Writes the checksums of all hashed artifacts in GNU format to a new folder below `tempFolder`, and gives the absolute
 * path; the empty string when nothing was hashed. Rejects with a `NotarizeError` when it cannot be written.
 */
export async function writeChecksumsFile(
  artifacts: readonly Hashed[],
  tempFolder: string,
): Promise<string> {
  const lines = artifacts.flatMap(({ name, hash }) =>
    hash === null ? [] : [formatChecksum({ name, hash })],
  )
  if (lines.length === 0) return ''
  try {
    const folder = await mkdtemp(join(tempFolder, 'notarization-'))
    const path = join(folder, 'notarization-checksums.txt')
    await writeFile(path, lines.join(''))
    return path
  } catch (error) {
    const message = `the checksums file cannot be written to the folder for temporary files (RUNNER_TEMP): ${describeError(error)}; make room or mend the rights, then run the job again`
    throw new NotarizeError('not-saved', message, error)
  }
}
