import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

export function makeZip(files: Readonly<Record<string, string>>): Buffer {
  const contents = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const)
  return Buffer.from(zipSync(Object.fromEntries(contents)))
}

/** Returns the text of a file in a zip. Throws an error if there is none. */
export function readZipEntry(zip: Buffer, name: string): string {
  const { [name]: content } = unzipSync(zip)
  if (content === undefined) throw new Error(`the zip has no file ${name}`)
  return strFromU8(content)
}
