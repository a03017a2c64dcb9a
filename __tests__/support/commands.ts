/** Workflow commands as the runner reads them in the output of a step (`ActionCommand.cs` of actions/runner 2.336). */

/** A workflow command, unescaped. */
export interface Command {
  /** In lower case. */
  readonly command: string
  /** Names in lower case. */
  readonly properties: Readonly<Record<string, string>>
  readonly message: string
}

/** The commands that the runner knows; a line with any other name is plain text. */
const known: ReadonlySet<string> = new Set(
  `add-mask add-matcher add-path debug echo endgroup error group notice remove-matcher save-state set-env set-output
  stop-commands warning`.split(/\s+/),
)

type Escapes = readonly (readonly [escaped: string, plain: string])[]

// In the order of the runner: %25 comes last, so that nothing is unescaped twice.
const inData: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
]
const inProperty: Escapes = inData.toSpliced(2, 0, ['%3A', ':'], ['%2C', ','])
const inOldForm: Escapes = inData.toSpliced(2, 0, ['%5D', ']']).toSpliced(0, 0, ['%3B', ';'])

/** What .NET trims; JavaScript's own list differs. */
const leadingSpace = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

function decode(text: string, escapes: Escapes): string {
  return escapes.reduce((rest, [escaped, plain]) => rest.replaceAll(escaped, plain), text)
}

/** `name key=value,key=value`, or with another separator. An empty name or value makes the runner drop the property. */
function parseHead(text: string, separator: string, escapes: Escapes): Omit<Command, 'message'> {
  const [command = '', ...rest] = text.split(' ')
  const properties: Record<string, string> = {}
  const given = rest.join(' ')
  for (const property of (separator === ',' ? given.trim() : given).split(separator)) {
    const [, name, value] = /^=*([^=]+)=+(?!=)(.+)$/s.exec(property) ?? []
    if (name === undefined || value === undefined) continue
    properties[name.toLowerCase()] = decode(value, escapes)
  }
  return { command: command.toLowerCase(), properties }
}

/**
 * Reads one line of output: `::name key=value::message` after leading white space, or `##[name key=value]message`
 * anywhere, where only the first `##[` counts. Undefined when it is plain text.
 */
function parseCommand(line: string, names: ReadonlySet<string>): Command | undefined {
  const text = line.replace(leadingSpace, '')
  const end = text.startsWith('::') ? text.indexOf('::', 2) : -1
  const head = parseHead(text.slice(2, Math.max(end, 2)), ',', inProperty)
  if (end >= 0 && names.has(head.command)) {
    return { ...head, message: decode(text.slice(end + 2), inData) }
  }
  const start = line.indexOf('##[')
  const close = line.indexOf(']', start)
  if (start < 0 || close < 0) return undefined
  const old = parseHead(line.slice(start + 3, close), ';', inOldForm)
  if (!names.has(old.command)) return undefined
  return { ...old, message: decode(line.slice(close + 1), inOldForm) }
}

/** Reads lines one after the other, and minds `stop-commands`. */
export class CommandReader {
  #resumeToken: string | undefined

  /** Gives the command that the runner would carry out, or undefined for a line that it only shows. */
  read(line: string): Command | undefined {
    const token = this.#resumeToken
    if (token !== undefined) {
      if (parseCommand(line, new Set([token.toLowerCase()]))) this.#resumeToken = undefined
      return undefined
    }
    const command = parseCommand(line, known)
    if (command?.command === 'stop-commands') this.#resumeToken = command.message
    return command
  }
}

/** Cuts a stream of text into lines where the runner does: at LF, CRLF and a bare CR. */
export class LineSplitter {
  #rest = ''

  /** Gives the lines that are complete; a CR at the end waits for the LF that may follow. */
  push(text: string): string[] {
    const parts = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = parts.pop() ?? ''
    return parts
  }

  /** Gives the last line if it has no end of its own. */
  flush(): string[] {
    const last = this.#rest
    this.#rest = ''
    return last === '' ? [] : [last.replace(/\r$/, '')]
  }
}

/** Cuts a whole text into lines like {@link LineSplitter}. */
export function splitLines(text: string): string[] {
  const splitter = new LineSplitter()
  return splitter.push(text).concat(splitter.flush())
}

/** Every command in a whole text, in order. */
export function parseCommands(text: string): Command[] {
  const reader = new CommandReader()
  return splitLines(text).flatMap(line => reader.read(line) ?? [])
}
