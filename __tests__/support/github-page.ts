import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fromHtml } from 'hast-util-from-html'
import { defaultSchema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** The tags that GitHub allows in addition to those of the schema (the allow list of its html-pipeline). */
const moreTags = 'abbr bdo caption cite dfn figcaption figure mark small time wbr'.split(' ')

const tagNames = (defaultSchema.tagNames ?? []).concat(moreTags)
const schema = { ...defaultSchema, tagNames }

const styleSheet = 'github-markdown-css/github-markdown.css'

/** The page around a job summary, in the colors of GitHub's light and dark themes. */
const frame = `
  :root { --page: #ffffff; --line: #d1d9e0; color-scheme: light dark }
  @media (prefers-color-scheme: dark) { :root { --page: #0d1117; --line: #3d444d } }
  html, body { margin: 0; background: var(--page) }
  main { padding: 8px }
  .markdown-body { padding: 24px; border: 1px solid var(--line); border-radius: 6px }
  @media (max-width: 600px) { .markdown-body { padding: 16px } }
`

/** Renders GitHub Flavored Markdown as HTML, with only the tags and attributes that GitHub allows. */
export function renderMarkdown(markdown: string): string {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
  return toHtml(sanitize(fromHtml(html, { fragment: true }), schema))
}

/** Returns a page without scripts or external resources that shows Markdown as a job summary. */
export function makePage(markdown: string): string {
  const css = readFileSync(fileURLToPath(import.meta.resolve(styleSheet)), 'utf8')
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${css}${frame}</style></head>`,
    `<body><main><article class="markdown-body">${renderMarkdown(markdown)}</article></main></body></html>`,
  ].join('\n')
}
