import { LayerBuilder, type Layer } from './layer.ts'

/** A kind of escapes: how one begins and looks, and what it stands for, text or a byte. */
interface Escapes {
  readonly first: string
  readonly pattern: RegExp
  readonly meaning: (groups: readonly (string | undefined)[]) => string | number | undefined
}

const letters: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '/': '/', '\\': '\\' },
}

const json: Escapes = {
  first: '\\',
  pattern: /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/iy,
  meaning: ([, high, low, code, byte, letter = '']) => {
    if (high !== undefined) return fromCodes(high, low ?? '')
    if (code !== undefined) return fromCodes(code)
    return byte === undefined ? letters[letter] : Number.parseInt(byte, 16)
  },
}

function fromCodes(...codes: readonly string[]): string {
  return String.fromCharCode(...codes.map(code => Number.parseInt(code, 16)))
}

const percent: Escapes = {
  first: '%',
  pattern: /%([0-9a-f]{2})/iy,
  meaning: ([, byte = '']) => Number.parseInt(byte, 16),
}

/** The names that HTML has for ASCII; the first row needs no semicolon. */
const names: Readonly<Record<string, string>> = {
  ...{ amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"' },
  ...{ Tab: '\t', NewLine: '\n', nbsp: ' ', excl: '!', num: '#', dollar: '$', percnt: '%' },
  ...{ apos: "'", lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+', comma: ',', period: '.' },
  ...{ sol: '/', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@', lsqb: '[' },
  ...{ lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^', lowbar: '_', UnderBar: '_' },
  ...{ grave: '`', DiacriticalGrave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|' },
  ...{ VerticalLine: '|', rcub: '}', rbrace: '}', fjlig: 'fj' },
}

const maxCodePoint = 0x10ffff

const html: Escapes = {
  first: '&',
  pattern: /&(?:#0*(\d{1,7})|#x0*([0-9a-f]{1,6})|(amp|lt|gt|quot)|([a-z]{2,16})(?=;));?/iy,
  meaning: ([, decimal, hexadecimal = '', short, long]) => {
    const name = short ?? long
    if (name !== undefined) return Object.hasOwn(names, name) ? names[name] : undefined
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code <= maxCodePoint ? String.fromCodePoint(code) : undefined
  },
}

/** A byte text with its JSON escapes, its percent escapes or its HTML entities replaced; no layer for what it lacks. */
export function decodeEscapes(text: string): readonly Layer[] {
  if (!/[\\%&]/.test(text)) return []
  return [json, percent, html].flatMap(escapes => decode(text, escapes) ?? [])
}

function decode(text: string, { first, pattern, meaning }: Escapes): Layer | null {
  let at = text.indexOf(first)
  if (at === -1) return null
  const layer = new LayerBuilder(text.length)
  let done = 0
  const copyTo = (end: number): void => {
    for (; done < end; done++) layer.add(text.charCodeAt(done), done, done + 1)
  }
  while (at !== -1) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    const meant = found === null ? undefined : meaning(found)
    const end = at + (meant === undefined ? 1 : (found?.[0].length ?? 1))
    if (meant !== undefined) {
      copyTo(at)
      if (typeof meant === 'number') layer.add(meant, at, end)
      else for (const character of meant) layer.add(character, at, end)
      done = end
    }
    at = text.indexOf(first, end)
  }
  if (done === 0) return null
  copyTo(text.length)
  return layer.build()
}
