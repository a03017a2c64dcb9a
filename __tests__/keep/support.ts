/** Zips as jobs keep them. */
import { hash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

export const FILE = 'notarization-records.jsonl'

/** Returns the name of the artifact that holds these records. */
export function nameFor(records: string | Buffer, attempt = 1): string {
  return `notarization-records-${attempt}-${hash('sha256', records).slice(0, 12)}`
}

/** Makes a zip of deflated files, each with other fields and a comment. Nothing in it says how large they are. */
export function makeZip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const locals: Buffer[] = []
  const heads: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const deflated = deflateRawSync(content)
    const local = Buffer.alloc(30 + name.length + 5)
    local.writeUInt16LE(name.length, 26)
    local.writeUInt16LE(5, 28)
    local.write(name, 30)
    const head = Buffer.alloc(46 + name.length + 2 + 3)
    head.writeUInt32LE(deflated.length, 20)
    head.writeUInt16LE(name.length, 28)
    head.writeUInt16LE(2, 30)
    head.writeUInt16LE(3, 32)
    head.writeUInt32LE(offset, 42)
    head.write(name, 46)
    locals.push(local, deflated)
    heads.push(head)
    offset += local.length + deflated.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(heads.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...heads, end])
}
