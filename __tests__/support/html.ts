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
