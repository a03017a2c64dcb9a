/** Reads what a step says to its runner, as `ActionCommand.cs` and `FileCommandManager.cs` of actions/runner 2.336 do. */

/** A workflow command, unescaped, with its name in lower case. */
interface Command {
  readonly command: string
  readonly message: string
}

/** The white space that .NET trims. JavaScript trims other characters. */
const leadingSpace = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

/**
 * Reads one line: `::name properties::message` after leading white space, or `##[name properties]message` anywhere, where
 * only the first `##[` counts. Returns undefined for plain text. Any name counts, although the runner knows only some.
 */
function parseCommand(line: string): Command | undefined {
  for (const match of [
    /^::(.*?)::(.*)$/s.exec(line.replace(leadingSpace, '')),
    /##\[(.*?)\](.*)$/s.exec(line),
  ]) {
    const [, head = '', escaped = ''] = match ?? []
    const [name = ''] = head.split(' ')
    // In the order of the runner: %25 is last, so nothing is unescaped twice.
    const message = escaped.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
    const command = name.toLowerCase()
    if (command !== '') return { command, message }
  }
  return undefined
}

/** Splits a text where the runner does: at LF, CRLF and a bare CR. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

export function parseCommands(text: string): Command[] {
  return splitLines(text).flatMap(line => parseCommand(line) ?? [])
}

export interface StepLog {
  readonly lines: readonly string[]
  readonly commands: readonly Command[]
  readonly masks: readonly string[]
  /** Messages, whole and unmasked. */
  readonly annotations: Readonly<Record<'error' | 'warning' | 'notice', readonly string[]>>
  /** The log as its reader sees it. A mask hides only what is printed after it. */
  readonly visibleLog: string
}

export function readLog(text: string): StepLog {
  const lines = splitLines(text)
  const commands = parseCommands(text)
  const messages = (name: string): readonly string[] =>
    commands.filter(({ command }) => command === name).map(({ message }) => message)
  const masks = new Set<string>()
  let visibleLog = ''
  for (const line of lines) {
    const { command = '', message = '' } = parseCommand(line) ?? {}
    const shown = command === '' ? line : `##[${command}]${message}`
    if (command === 'add-mask') {
      // As in the runner, every nonblank line is a mask, however short.
      for (const part of message.split(/[\r\n]/)) masks.add(part.trim())
      masks.delete('')
    } else if (/^(|error|warning|notice|group|endgroup)$/.test(command)) {
      const longestFirst = [...masks].sort((a, b) => b.length - a.length)
      visibleLog += `${longestFirst.reduce((rest, mask) => rest.replaceAll(mask, '***'), shown)}\n`
    }
  }
  const [error, warning, notice] = [messages('error'), messages('warning'), messages('notice')]
  const annotations = { error, warning, notice }
  return { lines, commands, masks: [...masks], annotations, visibleLog }
}

/**
 * Reads the output file of a step: `name<<delimiter` blocks. The last value of a name counts. Throws for everything that the
 * runner would reject, and for a line `name=value`, which the actions never write.
 */
export function parseKeyValues(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n')
  const values = new Map<string, string>()
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const [, name = '', rest = ''] = /^([^=]+?)<<(.*)$/s.exec(line) ?? []
    const end = rest === '' ? -1 : lines.indexOf(rest, at + 1)
    if (end < 0) throw new Error(`The runner rejects "${line}"`)
    values.set(name, lines.slice(at + 1, end).join('\n'))
    at = end
  }
  return Object.fromEntries(values)
}
