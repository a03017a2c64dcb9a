import { basename, parse, sep } from 'node:path'
import { create } from '@actions/glob'

/** A line of an input that is neither blank nor a comment. */
export interface Pattern {
  /** As written. */
  readonly text: string
  readonly isExclusion: boolean
  /** The same pattern, in a form that does not depend on the working folder. */
  readonly absolute: string
  /** Whether it names a hidden file or folder, such as `.env` or `.github/x`. */
  readonly namesHidden: boolean
}

/** Reads patterns, one per line, and ignores blank lines and `#` comments. Relative ones start at the workspace. */
export function readPatterns(input: string, workspace: string): readonly Pattern[] {
  const lines = input.split(/[\r\n]/).map(line => line.trim())
  const texts = lines.filter(line => line !== '' && !line.startsWith('#'))
  return texts.map(text => readPattern(text, workspace))
}

function readPattern(text: string, workspace: string): Pattern {
  const [, marks = '', body = ''] = /^([!\s]*)(.*)$/.exec(text) ?? []
  const path = body.replaceAll(sep, '/')
  const isRelative = path !== '' && parse(path).root === '' && !/^~(?:\/|$)/.test(path)
  let absolute = text
  if (isRelative) absolute = `${marks}${escape(workspace)}/${path.replace(/^\.(?:\/|$)/, '')}`
  const below = path.replace(workspace.replaceAll(sep, '/'), '')
  return {
    text,
    isExclusion: marks.replaceAll(/\s/g, '').length % 2 === 1,
    absolute,
    namesHidden: /(?:^|\/)\.(?!\.?(?:\/|$))/.test(below),
  }
}

/** Escapes a path in the way the library escapes the working folder. */
function escape(path: string): string {
  const slashed = sep === '/' ? path.replaceAll('\\', '\\\\') : path
  return slashed.replace(/[[?*]/g, '[$&]')
}

/** Returns those of the patterns that the library cannot use. */
export async function findInvalid(patterns: readonly Pattern[]): Promise<readonly Pattern[]> {
  const invalid: Pattern[] = []
  for (const pattern of patterns) {
    await create(pattern.absolute).catch(() => invalid.push(pattern))
  }
  return invalid
}

/** Returns the absolute paths that a pattern matches and the exclusions after it leave. Rejects with an error of the library or the system. */
export async function glob(
  pattern: Pattern,
  exclusions: readonly Pattern[],
  workspace: string,
): Promise<readonly string[]> {
  const lines = [pattern, ...exclusions].map(({ absolute }) => absolute)
  let excludeHiddenFiles = !pattern.namesHidden
  if (excludeHiddenFiles && basename(workspace).startsWith('.')) {
    // The library would leave out the workspace itself, such as that of a repository called `.github`.
    excludeHiddenFiles = false
    lines.push(`!${escape(workspace)}/**/.*`)
  }
  const options = { excludeHiddenFiles, matchDirectories: false, omitBrokenSymbolicLinks: false }
  const globber = await create(lines.join('\n'), options)
  return globber.glob()
}
