/**
 * Reads the output file of a step, as `FileCommandManager.cs` of actions/runner 2.336 does: `name=value` lines and
 * `name<<delimiter` blocks. The last value of a name counts. Throws for everything that the runner would reject.
 */
export function parseKeyValues(text: string): Record<string, string> {
  const lines = text.split('\n')
  const values = new Map<string, string>()
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const [, name = '', kind, rest = ''] = /^(.+?)(=|<<)(.*)$/s.exec(line) ?? []
    if (kind === '=') {
      values.set(name, rest)
      continue
    }
    if (name === '' || rest === '') throw new Error(`Invalid format '${line}'`)
    const end = lines.indexOf(rest, at + 1)
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${rest}'`)
    values.set(name, lines.slice(at + 1, end).join('\n'))
    at = end
  }
  return Object.fromEntries(values)
}
