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

const fencedBlock = /^( *)```\w*\n(.*?)^\1```$/gms

/** Returns the fenced blocks of a page, including those in lists. */
export function blocksOf(page: string): readonly string[] {
  return Array.from(readPage(page).matchAll(fencedBlock), ([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

/** Returns the text between a heading and the next one. */
export function section(page: string, heading: string): string {
  const [, rest] = readPage(page).split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`${page} has no "${heading}"`)
  return rest.split(/\n(?:#{2,4} |<\/details>)/)[0] ?? ''
}

/** Returns the anchors that GitHub derives from the headings of a page, which are unique. */
export function anchorsOf(page: string): readonly string[] {
  const prose = readPage(page).replaceAll(fencedBlock, '')
  return Array.from(prose.matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) => {
    const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    return text.trim().replaceAll(/\s/g, '-')
  })
}

/** Returns the targets of the links and images of a page. */
export function linksOf(page: string): readonly string[] {
  const prose = readPage(page)
    .replaceAll(fencedBlock, '')
    .replaceAll(/`[^`\n]*`(?!\])/g, '')
  return Array.from(prose.matchAll(/\]\(<?([^()\s>]+)>?\)/g), ([, target = '']) => target)
}
