/** The log of a step as the runner reads and shows it (`ActionCommand.cs` of actions/runner 2.336). */

/** A workflow command, unescaped. */
export interface Command {
  /** In lower case. */
  readonly command: string
  /** As they came: no command of ours has any. */
  readonly properties: string
  readonly message: string
}

/** The commands that the runner knows; a line with any other name is plain text. */
const known: ReadonlySet<string> = new Set(
  `add-mask add-matcher add-path debug echo endgroup error group notice remove-matcher save-state set-env set-output
  stop-commands warning`.split(/\s+/),
)

// In the order of the runner: %25 comes last, so that nothing is unescaped twice.
const escapes = { '%0D': '\r', '%0A': '\n', '%25': '%' }
const escapesOfOldForm = { '%3B': ';', '%0D': '\r', '%0A': '\n', '%5D': ']', '%25': '%' }

/** What .NET trims; JavaScript's own list differs. */
const leadingSpace = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

function decode(text: string, by: Readonly<Record<string, string>>): string {
  return Object.entries(by).reduce(
    (rest, [escaped, plain]) => rest.replaceAll(escaped, plain),
    text,
  )
}

/**
 * Reads one line of output: `::name properties::message` after leading white space, or `##[name properties]message`
 * anywhere, where only the first `##[` counts. Undefined when it is plain text.
 */
function parseCommand(line: string): Command | undefined {
  const forms = [
    [/^::(.*?)::(.*)$/s.exec(line.replace(leadingSpace, '')), escapes],
    [/##\[(.*?)\](.*)$/s.exec(line), escapesOfOldForm],
  ] as const
  for (const [match, by] of forms) {
    const [, head = '', message = ''] = match ?? []
    const [name = '', ...properties] = head.split(' ')
    const command = name.toLowerCase()
    if (known.has(command)) {
      return { command, properties: properties.join(' '), message: decode(message, by) }
    }
  }
  return undefined
}

/** Cuts a text into lines where the runner does: at LF, CRLF and a bare CR. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Every command in a text, in order. */
export function parseCommands(text: string): Command[] {
  return splitLines(text).flatMap(line => parseCommand(line) ?? [])
}

/** Messages of annotations, whole and unmasked, in order. */
export interface Annotations {
  readonly error: readonly string[]
  readonly warning: readonly string[]
  readonly notice: readonly string[]
}

/** What the runner makes of the text that a step prints. */
export interface StepLog {
  readonly lines: readonly string[]
  readonly commands: readonly Command[]
  readonly masks: readonly string[]
  readonly annotations: Annotations
  /** The log as a reader sees it, masked. A mask hides only what is printed after it. */
  readonly visibleLog: string
}

/** Reads a log; `secrets` are masked from the start, as the runner does with what comes from `secrets.*`. */
export function readLog(text: string, secrets: readonly string[]): StepLog {
  const lines = splitLines(text)
  const commands = parseCommands(text)
  const messages = (name: string): string[] =>
    commands.filter(({ command }) => command === name).map(({ message }) => message)
  const masks = new Set<string>()
  let visibleLog = ''
  // As the runner does: every trimmed line that is not empty is a mask, however short.
  const mask = (secret: string): void => {
    for (const line of secret.split(/[\r\n]/)) masks.add(line.trim())
    masks.delete('')
  }
  for (const secret of secrets) mask(secret)
  for (const line of lines) {
    const { command = '', message = '' } = parseCommand(line) ?? {}
    const shown = command === '' ? line : `##[${command}]${message}`
    if (command === 'add-mask') mask(message)
    else if (/^(|error|warning|notice|group|endgroup)$/.test(command)) {
      const longestFirst = [...masks].sort((a, b) => b.length - a.length)
      visibleLog += `${longestFirst.reduce((rest, one) => rest.replaceAll(one, '***'), shown)}\n`
    }
  }
  const annotations = {
    error: messages('error'),
    warning: messages('warning'),
    notice: messages('notice'),
  }
  return { lines, commands, masks: [...masks], annotations, visibleLog }
}
