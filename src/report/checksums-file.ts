import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatChecksum } from '../artifacts/sources/checksums.ts'

/** An artifact as far as a checksums file needs it. */
export interface Hashed {
  readonly name: string
  readonly hash: string | null
}

/**
 * Writes the checksums of all hashed artifacts in GNU format to a new folder below `tempFolder`, and gives the absolute
 * path; the empty string when nothing was hashed. Rejects when it cannot be written.
 */
export async function writeChecksumsFile(
  artifacts: readonly Hashed[],
  tempFolder: string,
): Promise<string> {
  const lines = artifacts.flatMap(({ name, hash }) =>
    hash === null ? [] : [formatChecksum({ name, hash })],
  )
  if (lines.length === 0) return ''
  const folder = await mkdtemp(join(tempFolder, 'notarization-'))
  const path = join(folder, 'notarization-checksums.txt')
  await writeFile(path, lines.join(''))
  return path
}
