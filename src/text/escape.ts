/** How many UTF-16 code units of a name the log and the summary show; longer ones are cut visibly. */
export const maxNameLength = 256

/** How many UTF-16 code units of a message the log, the summary and the outputs show. */
export const maxMessageLength = 1000

// C0, DEL and C1 controls, zero-width and bidi characters, line and paragraph separators, tags, lone surrogates.
const acting =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu

/** Shows control, bidi and invisible characters as `\uXXXX`, so that they are seen and do nothing. */
export function showControls(text: string): string {
  return text.replace(acting, character => character.split('').map(unicodeEscape).join(''))
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Text on one line: an escaped line break says nothing to a reader. */
export function toSingleLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ')
}

/** Cuts text to `maxLength` code units, before a word or between two characters, and says so with the full length. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const kept = text.slice(0, maxLength).replace(/\s\S{0,30}$|[\ud800-\udbff]$/, '')
  return `${kept}… [cut, ${text.length} characters]`
}

/**
 * One harmless log line: no workflow command of either form (`::x::` at its start, `##[x]` anywhere), no control
 * character, no second line.
 */
export function toLogLine(text: string): string {
  return showControls(text)
    .replaceAll('##[', '\\u0023#[')
    .replace(/^(\s*)::/u, '$1\\u003a:')
}

/** Foreign text within a sentence of ours for the log: in one line, harmless, and cut visibly. */
export function quote(text: string, maxLength = maxNameLength): string {
  return cut(showControls(text), maxLength)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

// What could begin HTML, Markdown or a mention; in text also an underscore that could begin or end emphasis, and what
// makes a link of a bare address: the colon of `scheme://` and the dot of `www.`.
const special = /[&<>"'`|[\]*~@!\\$]/g
const specialInText =
  /[&<>"'`|[\]*~@#!\\$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=www)\./giu

/**
 * Foreign text for the job summary: cut, controls shown, and every character that could begin HTML, Markdown, a link or
 * a mention written as an entity. GitHub links an e-mail address all the same, unless an element parts it at its `@`.
 */
export function toHtml(text: string, maxLength = maxNameLength): string {
  const html = quote(text, maxLength).replace(specialInText, entityOf)
  return html.replace(/&#(?:35|64);/g, '$&<wbr>')
}

/** As {@link toHtml}, for an attribute in double quotes: URLs stay as they are read. */
export function toAttribute(text: string, maxLength = maxNameLength): string {
  return quote(text, maxLength).replace(special, entityOf)
}

function entityOf(character: string): string {
  return entities[character] ?? `&#${character.charCodeAt(0)};`
}
