import type { PlatformPath } from 'node:path'

/** Where patterns are read: the folder that relative ones start from, the home of `~`, the path rules of the system. */
export interface PatternPlace {
  readonly workspace: string
  readonly home: string
  readonly path: PlatformPath
}

/** A pattern as an absolute path with wildcards. */
export interface AbsolutePattern {
  readonly root: string
  readonly parts: readonly string[]
  readonly endsWithSeparator: boolean
}

/** Makes a pattern absolute, as `@actions/glob` does. Throws an `Error` that says what is wrong with it. */
export function resolvePattern(
  body: string,
  { workspace, home, path }: PatternPlace,
): AbsolutePattern {
  const isWindows = path.sep === '\\'
  const text = isWindows ? body.replaceAll('\\', '/') : body
  const { root } = path.parse(isWindows ? body.replaceAll('/', '\\') : body)
  if (/[*?[]/.test(root)) throw new Error('the root of a pattern must not have wildcards')
  const given = partsOf(text.slice(root.length), '/')
  const [first] = root === '' ? given : []
  // On Windows `\x` and `C:x` stand on the current drive or folder: resolve gives the whole path.
  const folder = first === '~' ? home : path.resolve(workspace, root)
  const top = path.parse(folder).root
  const above = partsOf(folder.slice(top.length), path.sep).map(name => escapeGlob(name, isWindows))
  const parts = [...above, ...given.slice(first === '~' || first === '.' ? 1 : 0)]
  return {
    root: normalRoot(top, path),
    // A folder stands for all below it, so that `**` at the end says nothing.
    parts: parts.slice(0, parts.findLastIndex(part => part !== '**') + 1),
    endsWithSeparator: text.endsWith('/') && given.length > 0,
  }
}

/** The names of a path below its root. */
export function partsOf(path: string, separator: string): readonly string[] {
  return path.split(separator).filter(part => part !== '')
}

/** One form of a root: Windows does not tell `c:` from `C:`. */
export function normalRoot(root: string, path: PlatformPath): string {
  return path.sep === '\\' ? root.replaceAll('/', '\\').toUpperCase() : root
}

/** What names are compared by: Windows does not tell upper from lower case. */
export function fold(name: string, { sep }: PlatformPath): string {
  return sep === '\\' ? name.toLowerCase() : name
}

function escapeGlob(name: string, isWindows: boolean): string {
  return (isWindows ? name : name.replaceAll('\\', '\\\\')).replace(/[[?*]/g, '[$&]')
}
