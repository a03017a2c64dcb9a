const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** Removes `<wbr>` and decodes entities, in one pass. */
export function decodeHtml(html: string): string {
  const entities = /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi
  return html
    .replaceAll('<wbr>', '')
    .replaceAll(entities, (entity, decimal?: string, hex?: string, name = '') => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16))
      return named[String(name)] ?? entity
    })
}

/** Returns a job summary as text: a line for each paragraph, step and table row, and the target of each link. */
export function toText(summary: string): string {
  const lines = summary
    .split('\n')
    .map(line => line.replaceAll('<br>', line.startsWith('<p>') ? '\n' : ' / '))
  const text = lines
    .join('\n')
    .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/g, '$2 [$1]')
    .replaceAll('</td><td', ' | <td')
    .replaceAll('</th><th', ' | <th')
    .replaceAll('<li>', '- ')
    .replaceAll(/<(?!wbr)[^<>]*>/g, '')
  return decodeHtml(text).replaceAll(/\n+/g, '\n').trim()
}
