import type { PlatformPath } from 'node:path'

/** Where patterns are read: the folder that relative ones start from, the home of `~`, the path rules of the system. */
export interface PatternPlace {
  readonly workspace: string
  readonly home: string
  readonly path: PlatformPath
}

/**
 * The parts of a pattern as an absolute path with wildcards; the first is the root. As `@actions/glob` makes it. Throws an
 * `Error` that says what is wrong with it.
 */
export function resolvePattern(
  body: string,
  { workspace, home, path }: PatternPlace,
): readonly string[] {
  const isWindows = path.sep === '\\'
  const text = isWindows ? body.replaceAll('\\', '/') : body
  const { root } = path.parse(isWindows ? body.replaceAll('/', '\\') : body)
  if (/[*?[]/.test(root)) throw new Error('the root of a pattern must not have wildcards')
  const given = text.slice(root.length).split('/').filter(isNotEmpty)
  const [first] = root === '' ? given : []
  // On Windows `\x` and `C:x` stand on the current drive or folder: resolve gives the whole path.
  const folder = path.resolve(first === '~' ? home : workspace, root)
  const names = given.slice(first === '~' || first === '.' ? 1 : 0)
  const parts = [...partsOf(folder, path).map(escapeGlob), ...names]
  // A folder stands for all below it, so that `**` at the end says nothing.
  return parts.slice(0, parts.findLastIndex(part => part !== '**') + 1)
}

/** The root and the names of an absolute path. */
export function partsOf(absolute: string, path: PlatformPath): readonly string[] {
  const { root } = path.parse(absolute)
  return [root, ...absolute.slice(root.length).split(path.sep).filter(isNotEmpty)]
}

/** What names are compared by: Windows does not tell upper from lower case. */
export function fold(name: string, { sep }: PlatformPath): string {
  return sep === '\\' ? name.toLowerCase() : name
}

/** A place whose workspace is an absolute path with a separator at its end. */
export function normalPlace(place: PatternPlace): PatternPlace {
  return { ...place, workspace: asFolder(place.path.resolve(place.workspace), place) }
}

/** A path with a separator at its end. */
export function asFolder(path: string, { path: { sep } }: PatternPlace): string {
  return path.endsWith(sep) ? path : path + sep
}

/** Whether it is the workspace or a folder above it, of which no part counts as hidden. The place is normal. */
export function leadsToWorkspace(path: string, place: PatternPlace): boolean {
  const folder = fold(asFolder(path, place), place.path)
  return fold(place.workspace, place.path).startsWith(folder)
}

/** A path relative to the workspace, or as it is when it lies outside, with `/` on every system. The place is normal. */
export function nameOf(path: string, { workspace, path: rules }: PatternPlace): string {
  const isInside = fold(path, rules).startsWith(fold(workspace, rules))
  const name = isInside ? path.slice(workspace.length) : path
  return rules.sep === '/' ? name : name.replaceAll(rules.sep, '/')
}

function isNotEmpty(part: string): boolean {
  return part !== ''
}

function escapeGlob(name: string): string {
  return name.replaceAll('\\', '\\\\').replace(/[[?*]/g, '[$&]')
}
