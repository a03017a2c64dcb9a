const newline = 0x0a

/**
 * Merges two records files: the lines of the first, then those of the second that the first does not have, byte for
 * byte. A torn last line is dropped, one that lacks only its newline gets it. Pure.
 */
export function mergeRecords(first: Buffer, second: Buffer): Buffer {
  const lines = new Set([...wholeLines(first), ...wholeLines(second)].filter(line => line !== ''))
  return Buffer.from([...lines].map(line => `${line}\n`).join(''), 'latin1')
}

/** The whole lines of the second records file that the first does not have, byte for byte. Pure. */
export function missingLines(first: Buffer, second: Buffer): Buffer {
  const has = new Set(wholeLines(first))
  const missing = wholeLines(second).filter(line => line !== '' && !has.has(line))
  return Buffer.from(missing.map(line => `${line}\n`).join(''), 'latin1')
}

/** The lines as Latin-1 text, which keeps every byte. */
function wholeLines(bytes: Buffer): readonly string[] {
  const lines = bytes.toString('latin1').split('\n')
  const last = lines.pop() ?? ''
  const isWhole =
    bytes.at(-1) === newline ||
    last === '' ||
    isJson(bytes.subarray(bytes.lastIndexOf(newline) + 1))
  return isWhole && last !== '' ? [...lines, last] : lines
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}
