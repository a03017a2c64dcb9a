import { deflateRawSync } from 'node:zlib'

/** Names and contents of the files in a zip. */
export type ZipFiles = readonly (readonly [name: string, content: string | Buffer])[]

/** Makes a zip whose files are deflated, as `@actions/artifact` does. */
export function makeZip(files: ZipFiles): Buffer {
  const locals: Buffer[] = []
  const heads: Buffer[] = []
  let offset = 0
  for (const [name, content] of files) {
    const deflated = deflateRawSync(content, { level: 9 })
    const local = Buffer.alloc(30 + name.length)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    local.write(name, 30, 'latin1')
    const head = Buffer.alloc(46 + name.length)
    head.writeUInt32LE(0x02014b50, 0)
    head.writeUInt16LE(8, 10)
    head.writeUInt32LE(deflated.length, 20)
    // The size of the content is left out, because nothing may rely on it.
    head.writeUInt16LE(name.length, 28)
    head.writeUInt32LE(offset, 42)
    head.write(name, 46, 'latin1')
    locals.push(local, deflated)
    heads.push(head)
    offset += local.length + deflated.length
  }
  const list = Buffer.concat(heads)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, list, end])
}
