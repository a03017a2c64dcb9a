/**
 * Workflow commands as the runner reads them in the output of a step (`ActionCommand.cs` of actions/runner 2.336).
 */

/** A workflow command, unescaped. */
export interface Command {
  /** In lower case. */
  readonly command: string
  /** Names in lower case: the runner takes cases for the same. */
  readonly properties: Readonly<Record<string, string>>
  readonly message: string
}

/** The commands that the runner knows; a line with any other name is plain text. */
const KNOWN: ReadonlySet<string> = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
])

type Escapes = readonly (readonly [escaped: string, plain: string])[]

// In the order of the runner: %25 comes last, so that nothing is unescaped twice.
const LINE_ENDS: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
]
const PERCENT: Escapes = [['%25', '%']]
const DATA: Escapes = [...LINE_ENDS, ...PERCENT]
const PROPERTY: Escapes = [...LINE_ENDS, ['%3A', ':'], ['%2C', ','], ...PERCENT]
const OLD_FORM: Escapes = [['%3B', ';'], ...LINE_ENDS, ['%5D', ']'], ...PERCENT]

/** What .NET trims; JavaScript's own list differs. */
const LEADING_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

function decode(text: string, escapes: Escapes): string {
  return escapes.reduce((rest, [escaped, plain]) => rest.replaceAll(escaped, plain), text)
}

function parseProperties(text: string, separator: string, escapes: Escapes): Command['properties'] {
  const pairs = text.split(separator).flatMap(property => {
    // An empty name or value makes the runner drop the property.
    const [, name, value] = /^=*([^=]+)=+(?!=)(.+)$/s.exec(property) ?? []
    return name === undefined || value === undefined
      ? []
      : [[name.toLowerCase(), decode(value, escapes)] as const]
  })
  return Object.fromEntries(pairs)
}

function splitAtSpace(text: string): readonly [name: string, rest: string] {
  const space = text.indexOf(' ')
  return space < 0
    ? [text.toLowerCase(), '']
    : [text.slice(0, space).toLowerCase(), text.slice(space + 1)]
}

/** `::name key=value,key=value::message`, after leading white space only. */
function parseNewForm(line: string, known: ReadonlySet<string>): Command | undefined {
  const text = line.replace(LEADING_SPACE, '')
  const end = text.indexOf('::', 2)
  if (!text.startsWith('::') || end < 0) return undefined
  const [command, properties] = splitAtSpace(text.slice(2, end))
  if (!known.has(command)) return undefined
  return {
    command,
    properties: parseProperties(properties.trim(), ',', PROPERTY),
    message: decode(text.slice(end + 2), DATA),
  }
}

/** `##[name key=value;key=value]message`, anywhere in a line; only the first `##[` counts. */
function parseOldForm(line: string, known: ReadonlySet<string>): Command | undefined {
  const start = line.indexOf('##[')
  const end = line.indexOf(']', start)
  if (start < 0 || end < 0) return undefined
  const [command, properties] = splitAtSpace(line.slice(start + 3, end))
  if (!known.has(command)) return undefined
  return {
    command,
    properties: parseProperties(properties, ';', OLD_FORM),
    message: decode(line.slice(end + 1), OLD_FORM),
  }
}

/** Reads one line of output; undefined when it is plain text. */
export function parseCommand(
  line: string,
  known: ReadonlySet<string> = KNOWN,
): Command | undefined {
  return parseNewForm(line, known) ?? parseOldForm(line, known)
}

/** Reads lines one after the other, and minds `stop-commands`. */
export class CommandReader {
  #resumeToken: string | undefined

  /** Gives the command that the runner would carry out, or undefined for a line that it only shows. */
  read(line: string): Command | undefined {
    const token = this.#resumeToken
    if (token !== undefined) {
      const resume = parseCommand(line, new Set([token.toLowerCase()]))
      if (resume !== undefined) this.#resumeToken = undefined
      return undefined
    }
    const command = parseCommand(line)
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
    const last = this.#rest.replace(/\r$/, '')
    const hadText = this.#rest !== ''
    this.#rest = ''
    return hadText ? [last] : []
  }
}

/** Cuts a whole text into lines like {@link LineSplitter}. */
export function splitLines(text: string): string[] {
  const splitter = new LineSplitter()
  return [...splitter.push(text), ...splitter.flush()]
}

/** Every command in a whole text, in order. */
export function parseCommands(text: string): Command[] {
  const reader = new CommandReader()
  return splitLines(text).flatMap(line => reader.read(line) ?? [])
}
