/**
 * The files of a step, GITHUB_OUTPUT above all, as the runner reads them (`FileCommandManager.cs` of actions/runner 2.336).
 */

/** What a job can pass on, in UTF-16 code units: 1 MB in two bytes each, less some for the names. */
const MAX_JOB_OUTPUT_CHARACTERS = 500_000

const LINE_END = process.platform === 'win32' ? /\r?\n/ : '\n'

/**
 * Reads `name=value` lines and `name<<delimiter` blocks; a name that comes twice has its last value.
 * Throws for everything the runner would refuse.
 */
export function parseKeyValues(text: string): Record<string, string> {
  const lines = text.split(LINE_END)
  // The runner sees no line after the last line end.
  if (lines.at(-1) === '') lines.pop()
  const values = new Map<string, string>()

  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const equals = line.indexOf('=')
    const block = line.indexOf('<<')
    if (equals > 0 && (block < 0 || equals < block)) {
      values.set(line.slice(0, equals), line.slice(equals + 1))
      continue
    }
    if (block < 0 || equals === 0) throw new Error(`Invalid format '${line}'`)
    const name = line.slice(0, block)
    const delimiter = line.slice(block + 2)
    if (name === '' || delimiter === '') {
      throw new Error(
        `Invalid format '${line}'. Name must not be empty and delimiter must not be empty`,
      )
    }
    const end = lines.indexOf(delimiter, at + 1)
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`)
    values.set(name, lines.slice(at + 1, end).join('\n'))
    at = end
  }
  return Object.fromEntries(values)
}

/**
 * The outputs that reach other jobs, if the job passes on all of them under their names: the runner drops an empty
 * one and one with a masked part, the platform what goes over its limit for all outputs of a job.
 */
export function passOnOutputs(
  outputs: Readonly<Record<string, string>>,
  masks: readonly string[],
): Record<string, string> {
  let left = MAX_JOB_OUTPUT_CHARACTERS
  const passed = Object.entries(outputs).filter(([, value]) => {
    if (value === '' || masks.some(mask => value.includes(mask))) return false
    if (value.length > left) return false
    left -= value.length
    return true
  })
  return Object.fromEntries(passed)
}
