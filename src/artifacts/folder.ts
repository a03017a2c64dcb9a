import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, type PathLike } from 'node:fs'
import { errorCode } from '../text/system-error.ts'

/** What stands at a path, links followed. */
export type Kind = 'file' | 'folder' | 'other' | 'broken link'

/** What stands in a folder. */
export interface Entry {
  readonly name: string
  readonly kind: Kind
  /** Where it leads, if it is a link or may be one. */
  readonly target: string | null
  /** The name with its bytes as `\xHH` where they are no UTF-8, so that nothing can be opened by it; else null. */
  readonly shown: string | null
}

/** What a folder lists; `path` ends with a separator. Throws what the system throws. */
export function listFolder(path: string): readonly Entry[] {
  const entries = readdirSync(path, { withFileTypes: true })
  // What cannot be decoded has this character; only then are the bytes worth their time.
  if (entries.some(({ name }) => name.includes('\ufffd'))) return listBytes(path)
  return entries.map(entry => toEntry(entry, path + entry.name, entry.name))
}

function listBytes(path: string): readonly Entry[] {
  return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map(entry => {
    const place = Buffer.concat([Buffer.from(path), entry.name])
    const shown = isUtf8(entry.name) ? null : showBytes(entry.name)
    return { ...toEntry(entry, place, entry.name.toString()), shown }
  })
}

function toEntry(
  entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>,
  path: string | Buffer,
  name: string,
): Entry {
  if (entry.isSymbolicLink()) {
    const kind = kindOf(path)
    const target = realPathOf(path.toString())
    // It may be gone by now, but must not be passed over.
    return { name, kind: kind === 'missing' ? 'broken link' : kind, target, shown: null }
  }
  const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other'
  return { name, kind, target: null, shown: null }
}

/** What stands in a folder under a name; nothing if nothing does. */
export function look(path: string, name: string): readonly Entry[] {
  const kind = kindOf(path + name)
  const target = realPathOf(path + name)
  return kind === 'missing' ? [] : [{ name, kind, target, shown: null }]
}

function kindOf(path: PathLike): Kind | 'missing' {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    const code = errorCode(error) ?? ''
    // Anything else, such as a lack of rights, is said when the file is read.
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return 'file'
    return isLink(path) ? 'broken link' : 'missing'
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
