const maxLines = 30

/** Logs retries, at most a few dozen lines a run: the first 30, then every one whose number is a power of two. */
export function createRetryLog(log: (line: string) => void): (line: string) => void {
  let count = 0
  return line => {
    count++
    const isRound = (count & (count - 1)) === 0
    if (count > maxLines && !isRound) return
    const number = count > maxLines ? ` (retry ${count} of this run)` : ''
    const more = count === maxLines ? '; of further retries only a few are logged' : ''
    log(`${line}${number}${more}`)
  }
}
