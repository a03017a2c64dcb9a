import { fromHtml } from 'hast-util-from-html'
import { renderMarkdown } from '../__tests__/support/github-page.ts'

type Node = ReturnType<typeof fromHtml>['children'][number]
type Element = Extract<Node, { readonly type: 'element' }>

/** A page of GitHub as plain text for a terminal: each cell of a table on a line, behind the title of its column. */
export function toPlainText(markdown: string): string {
  const { children } = fromHtml(renderMarkdown(markdown), { fragment: true })
  const text = children.flatMap(blockLines).join('\n')
  return `${text.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`
}

/** The lines of a paragraph, list, table or the like, with an empty one before it. */
function blockLines(node: Node): readonly string[] {
  if (node.type !== 'element') return [lineOf(node)]
  if (node.tagName === 'table') return tableLines(node)
  if (/^(details|div)$/.test(node.tagName)) return node.children.flatMap(blockLines)
  if (node.tagName === 'pre') return ['', ...textOf(node).trimEnd().split('\n')]
  const items = /^[ou]l$/.test(node.tagName) ? elementsIn(node, 'li') : []
  return items.length > 0 ? items.flatMap(item => ['', `- ${lineOf(item)}`]) : ['', lineOf(node)]
}

function tableLines(table: Element): readonly string[] {
  const [titles = [], ...rows] = elementsIn(table, 'tr').map(row =>
    row.children.filter(cell => cell.type === 'element').map(lineOf),
  )
  const width = Math.max(...titles.map(title => title.length))
  return rows.flatMap(cells => {
    const lines = cells.map((cell, at) => `    ${(titles[at] ?? '').padEnd(width)}  ${cell}`)
    return ['', ...lines]
  })
}

function elementsIn(node: Element, tagName: string): readonly Element[] {
  const elements = node.children.filter(child => child.type === 'element')
  return elements.flatMap(one => (one.tagName === tagName ? [one] : elementsIn(one, tagName)))
}

function lineOf(node: Node): string {
  return textOf(node).replaceAll(/\s+/g, ' ').trim()
}

/** The text of a node; that of a link is followed by its address. */
function textOf(node: Node): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return ''
  const text = node.children.map(textOf).join('')
  const { href } = node.properties
  return typeof href === 'string' ? `${text} (${href})` : text
}
