import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, type PathLike } from 'node:fs'
import { errorCode } from '../text/system-error.ts'

/** What stands in a folder. */
export interface Entry {
  readonly name: string
  /** Links are followed. */
  readonly kind: 'file' | 'folder' | 'FIFO, socket or device' | 'broken link'
  /** Where it leads, if it is a link or may be one. */
  readonly target: string | null
  /** The name with its bytes as `\xHH` where they are no UTF-8, so that nothing can be opened by it; else null. */
  readonly shown: string | null
}

/** What a folder lists; `path` ends with a separator. Throws what the system throws. */
export function listFolder(path: string): readonly Entry[] {
  const entries = readdirSync(path, { withFileTypes: true })
  // What cannot be decoded has this character; only then are the bytes worth their time.
  return entries.some(({ name }) => name.includes('\ufffd'))
    ? readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map(one => toEntry(one, path))
    : entries.map(entry => toEntry(entry, path))
}

function toEntry(entry: Dirent<string | Buffer<ArrayBuffer>>, folder: string): Entry {
  const { name: given } = entry
  const name = given.toString()
  const shown = typeof given === 'string' || isUtf8(given) ? null : showBytes(given)
  if (entry.isFile()) return { name, kind: 'file', target: null, shown }
  if (entry.isDirectory()) return { name, kind: 'folder', target: null, shown }
  const path =
    typeof given === 'string' ? folder + given : Buffer.concat([Buffer.from(folder), given])
  const kind = entry.isSymbolicLink() ? kindOf(path) : 'FIFO, socket or device'
  // A link may be gone by now, but must not be passed over.
  return { name, kind: kind ?? 'broken link', target: realPathOf(folder + name), shown }
}

/** What stands in a folder under a name; null if nothing does. */
export function look(path: string, name: string): Entry | null {
  const kind = kindOf(path + name)
  return kind && { name, kind, target: realPathOf(path + name), shown: null }
}

function kindOf(path: PathLike): Entry['kind'] | null {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'FIFO, socket or device'
  } catch (error) {
    const code = errorCode(error) ?? ''
    // Anything else, such as a lack of rights, is said when the file is read.
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return 'file'
    return isLink(path) ? 'broken link' : null
  }
}

function isLink(path: PathLike): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** The path without links, or the path itself if it leads nowhere. */
export function realPathOf(absolutePath: string): string {
  try {
    return realpathSync.native(absolutePath)
  } catch {
    return absolutePath
  }
}

// As the encoding is defined: no overlong form, no surrogate, nothing beyond U+10FFFF.
const character =
  /[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|([\x80-\xff])/g

function showBytes(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(character, (valid: string, byte: string | undefined) =>
      byte === undefined
        ? Buffer.from(valid, 'latin1').toString()
        : `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`,
    )
}
