/** Words of so many characters may be keys; so may shorter ones that have a digit. */
const longWord = /\S{24,}|(?=\S*\d)\S{12,}/g

/** HTML, XML, damaged JSON and bytes that are no text say nothing to a reader. */
const noPlainText = /<[a-z!?/]|^\s*[{["]|[\0\ufffd]/i

/**
 * What the body of an error says to a reader: `message` or `error` of a JSON object, or a plain text, without secrets, on
 * one line and in full length; empty if it says nothing. `redact` replaces the known secrets; words that may be unknown ones become
 * `***`.
 */
export function readErrorText(body: string, redact: (text: string) => string): string {
  return maskWords(redact(messageIn(body)))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** A text in which the words that may be unknown secrets are `***`. */
export function maskWords(text: string): string {
  return text.replace(longWord, '***')
}

function messageIn(body: string): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return noPlainText.test(body) ? '' : body
  }
  if (typeof parsed !== 'object' || parsed === null) return ''
  if ('message' in parsed && typeof parsed.message === 'string') return parsed.message
  if ('error' in parsed && typeof parsed.error === 'string') return parsed.error
  return ''
}
