/** Zips, as far as the artifacts of the tests need them. */
import { crc32, inflateRawSync } from 'node:zlib'

/** Makes a zip of files that are not compressed. */
export function makeZip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = []
  const heads: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const fields = Buffer.alloc(26)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(content.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const head = Buffer.alloc(46)
    head.write('PK\x01\x02')
    fields.copy(head, 6)
    head.writeUInt32LE(offset, 42)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), content])
    locals.push(local)
    heads.push(head, Buffer.from(name))
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(locals.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...heads, end])
}

/** Returns the text of a file in a zip. Throws an error if there is none. */
export function readZipEntry(zip: Buffer, name: string): string {
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16)
  while (zip.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
    if (zip.toString('latin1', at + 46, nameEnd) === name) {
      const local = zip.readUInt32LE(at + 42)
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const content = zip.subarray(start, start + zip.readUInt32LE(at + 20))
      return (zip.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content)).toString()
    }
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  throw new Error(`the zip has no file ${name}`)
}
