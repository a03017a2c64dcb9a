/** Maximum length of a name in log and summary, in UTF-16 code units. */
export const maxNameLength = 256

/** Maximum length of a message in log, summary and outputs, in UTF-16 code units. */
export const maxMessageLength = 1000

// C0, DEL and C1 controls, zero-width and bidi characters, line and paragraph separators, tags, lone surrogates.
const acting =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu

/** Replaces control, bidi and invisible characters with a visible `\uXXXX`. */
export function showControls(text: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(acting, character => character.split('').map(escape).join(''))
}

/** Replaces words that may be unknown secrets with `***`: long words, and shorter words with a digit. */
export function maskWords(text: string): string {
  return text.replace(/\S{24,}|(?=\S*\d)\S{12,}/g, '***')
}

/** In UTF-16 code units: 200 with the note that a text is cut. */
const maxSaidLength = 170

/** Quotes on one line, as the end of a clause (`: "…"`), what the service says; empty if that is no text. `redact` replaces secrets. */
export function quoteSaid(said: unknown, redact: (text: string) => string): string {
  if (typeof said !== 'string') return ''
  const line = maskWords(redact(said))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line === '' ? '' : `: "${quote(line, maxSaidLength)}"`
}

/** Truncates text to `maxLength` code units, not within a word or character, and appends the full length. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength).replace(/\s\S{0,30}$|[\ud800-\udbff]$/, '')
  return `${start}… [cut, ${text.length} characters]`
}

/** Returns one log line without workflow commands (`::x::`, `##[x]`) and control characters. */
export function toLogLine(text: string): string {
  return showControls(text)
    .replaceAll('##[', '\\u0023#[')
    .replace(/^(\s*)::/u, '$1\\u003a:')
}

/** Makes untrusted text safe inside a log message: controls are shown, and long text is truncated. */
export function quote(text: string, maxLength = maxNameLength): string {
  return cut(showControls(text), maxLength)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

// Characters that could start HTML, Markdown or a mention. In text, also underscores that could be
// emphasis, and what makes an address a link: the colon of `scheme://` and the dot of `www.`.
const special = /[&<>"'`|[\]*~@!\\$]/g
const specialInText =
  /[&<>"'`|[\]*~@#!\\$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=www)\./giu

/**
 * Makes untrusted text safe in the job summary: encodes what could start HTML, Markdown, a link or
 * a mention. GitHub would still link an email address unless an element splits it at its `@`.
 */
export function toHtml(text: string, maxLength = maxNameLength): string {
  const html = quote(text, maxLength).replace(specialInText, entityOf)
  return html.replace(/&#(?:35|64);/g, '$&<wbr>')
}

/** Makes untrusted text safe in a double-quoted attribute; URLs stay readable. */
export function toAttribute(text: string): string {
  return showControls(text).replace(special, entityOf)
}

function entityOf(character: string): string {
  return entities[character] ?? `&#${character.charCodeAt(0)};`
}
