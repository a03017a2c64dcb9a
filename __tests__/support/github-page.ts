import { fromHtml } from 'hast-util-from-html'
import { defaultSchema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** The tags that GitHub allows in addition to those of the schema (the allow list of its html-pipeline). */
const moreTags = 'abbr bdo caption cite dfn figcaption figure mark small time wbr'.split(' ')

const tagNames = (defaultSchema.tagNames ?? []).concat(moreTags)
const schema = { ...defaultSchema, tagNames }

/** Renders GitHub Flavored Markdown as HTML, with only the tags and attributes that GitHub allows. */
export function renderMarkdown(markdown: string): string {
  const flavor = { extensions: [gfm()], htmlExtensions: [gfmHtml()] }
  const html = micromark(markdown, { allowDangerousHtml: true, ...flavor })
  return toHtml(sanitize(fromHtml(html, { fragment: true }), schema))
}
