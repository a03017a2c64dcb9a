/** Pages of the documentation, read as GitHub reads them, as far as the tests ask. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'

/** The repository. */
export const root = resolve(import.meta.dirname, '../..')

/** All pages by path, with `/`. */
export const pages: readonly string[] = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
  .map(file => file.replaceAll(sep, '/'))
  .sort()

/** A fenced block. */
export interface Block {
  readonly page: string
  readonly language: string
  readonly text: string
}

/** The commands of npm by name. */
export const npmScripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readPage('package.json'))).scripts

/** The text of a page. */
export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** The fenced blocks of a page, also of its lists. */
export function blocksOf(page: string): readonly Block[] {
  return [...readPage(page).matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', text = '']) => {
      return { page, language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
    },
  )
}

/** A page without its fenced blocks. */
function proseOf(page: string): string {
  return readPage(page).replaceAll(/^( *)```.*?^\1```$/gms, '')
}

/** The text between a heading and the next one. */
export function section(page: string, heading: string): string {
  const [, rest] = readPage(page).split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`${page} has no "${heading}"`)
  return rest.split(/\n(?:#{2,4} |<\/details>)/)[0] ?? ''
}

/** The rows of all tables of a text whose first cell is one code span: that span, and the cells behind it. */
export function rowsOf(text: string): readonly (readonly [string, ...string[]])[] {
  return [...text.matchAll(/^\| `([^`]+)` *\|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    ...rest.split('|').map(cell => cell.trim()),
  ])
}

/** The anchors of a page, as GitHub makes them of its headings. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const anchors = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    const slug = text.trim().replaceAll(/\s/g, '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
  return new Set(anchors)
}

/** Where the links and images of a page lead to. */
export function linksOf(page: string): readonly string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`(?!\])/g, '')
  return [...prose.matchAll(/\]\(<?([^()\s>]+)>?\)/g)].map(([, target = '']) => target)
}
