/** Long words may be keys, and so may shorter words with a digit. */
const longWord = /\S{24,}|(?=\S*\d)\S{12,}/g

/** HTML, XML, damaged JSON and binary data do not help a reader. */
const notPlainText = /<[a-z!?/]|^\s*[{["]|[\0\ufffd]/i

/**
 * Returns the text of an error body on one line: `message` or `error` of a JSON object, or plain
 * text. `redact` replaces known secrets; words that may be unknown secrets become `***`.
 */
export function readErrorText(body: string, redact: (text: string) => string): string {
  return maskWords(redact(messageIn(body)))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Replaces words that may be unknown secrets with `***`. */
export function maskWords(text: string): string {
  return text.replace(longWord, '***')
}

function messageIn(body: string): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return notPlainText.test(body) ? '' : body
  }
  if (typeof parsed !== 'object' || parsed === null) return ''
  if ('message' in parsed && typeof parsed.message === 'string') return parsed.message
  if ('error' in parsed && typeof parsed.error === 'string') return parsed.error
  return ''
}
