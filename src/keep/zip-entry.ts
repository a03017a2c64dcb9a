import { inflateRawSync } from 'node:zlib'

const endSignature = 'PK\x05\x06'
const headBytes = 46
const localHeadBytes = 30

/**
 * Returns the deflated file of a zip that has exactly this name, and looks at no other. Throws an error if there is
 * none, if the zip is damaged, or, with the code `ERR_BUFFER_TOO_LARGE`, as soon as the file exceeds `maxBytes`.
 */
export function readZipEntry(zip: Buffer, name: string, maxBytes: number): Buffer {
  const end = zip.lastIndexOf(endSignature, undefined, 'latin1')
  if (end === -1) throw new Error('it is not a zip')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameEnd = at + headBytes + zip.readUInt16LE(at + 28)
    if (zip.toString('latin1', at + headBytes, nameEnd) === name) {
      const local = zip.readUInt32LE(at + 42)
      const start =
        local + localHeadBytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const deflated = zip.subarray(start, start + zip.readUInt32LE(at + 20))
      return inflateRawSync(deflated, { maxOutputLength: maxBytes })
    }
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  throw new Error(`it has no file ${name}`)
}
