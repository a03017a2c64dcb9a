/** Reads documentation pages as GitHub does. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** The paths of all pages, with `/`. */
export const pages: readonly string[] = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
  .map(file => file.replaceAll(sep, '/'))
  .sort()

export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** Returns the fenced blocks of a page, including those in lists. */
export function blocksOf(page: string) {
  return [...readPage(page).matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', text = '']) => {
      return { page, language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
    },
  )
}

/** Returns a page without its fenced blocks. */
function proseOf(page: string): string {
  return readPage(page).replaceAll(/^( *)```.*?^\1```$/gms, '')
}

/** Returns the text between a heading and the next one. */
export function section(page: string, heading: string): string {
  const [, rest] = readPage(page).split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`${page} has no "${heading}"`)
  return rest.split(/\n(?:#{2,4} |<\/details>)/)[0] ?? ''
}

/** Returns the table rows whose first cell is a code span: the content of the span, and the other cells. */
export function rowsOf(text: string): readonly (readonly [string, ...string[]])[] {
  return [...text.matchAll(/^\| `([^`]+)` *\|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    ...rest.split('|').map(cell => cell.trim()),
  ])
}

/** Returns the anchors that GitHub derives from the headings of a page, which are unique. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    return text.trim().replaceAll(/\s/g, '-')
  })
  return new Set(anchors)
}

/** Returns the targets of the links and images of a page. */
export function linksOf(page: string): readonly string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`(?!\])/g, '')
  return [...prose.matchAll(/\]\(<?([^()\s>]+)>?\)/g)].map(([, target = '']) => target)
}
