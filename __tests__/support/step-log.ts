import { CommandReader, LineSplitter, type Command } from './commands.ts'

/** Messages of annotations, whole and unmasked, in order. */
export interface Annotations {
  readonly error: readonly string[]
  readonly warning: readonly string[]
  readonly notice: readonly string[]
}

/** What the runner makes of the lines that a step prints, on both streams, in the order of their arrival. */
export class StepLog {
  readonly lines: string[] = []
  /** The workflow commands among the lines: the runner reads both streams. */
  readonly commands: Command[] = []
  readonly masks: string[] = []
  readonly #visible: string[] = []
  readonly #reader = new CommandReader()

  /** `secrets` are masked from the start, as the runner does with what comes from `secrets.*`. */
  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.#mask(secret)
  }

  /** Reads a stream line by line; gives a function for all of its text so far. */
  follow(stream: NodeJS.ReadableStream): () => string {
    const splitter = new LineSplitter()
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
      for (const line of splitter.push(chunk)) this.#add(line)
    })
    stream.once('close', () => {
      for (const line of splitter.flush()) this.#add(line)
    })
    return () => text
  }

  /** The log as a reader sees it, masked. A mask hides only what is printed after it. */
  get visible(): string {
    return this.#visible.map(line => `${line}\n`).join('')
  }

  get annotations(): Annotations {
    const messages = (name: string): string[] =>
      this.commands.filter(({ command }) => command === name).map(({ message }) => message)
    return { error: messages('error'), warning: messages('warning'), notice: messages('notice') }
  }

  #add(line: string): void {
    this.lines.push(line)
    const command = this.#reader.read(line)
    if (command !== undefined) this.commands.push(command)
    if (command?.command === 'add-mask') this.#mask(command.message)
    if (command === undefined) this.#show(line)
    else if (/^(error|warning|notice|group|endgroup)$/.test(command.command)) {
      this.#show(`##[${command.command}]${command.message}`)
    }
  }

  #show(line: string): void {
    const longestFirst = this.masks.toSorted((a, b) => b.length - a.length)
    this.#visible.push(longestFirst.reduce((shown, mask) => shown.replaceAll(mask, '***'), line))
  }

  /** As the runner does: every trimmed line that is not empty is a mask, however short. */
  #mask(secret: string): void {
    const lines = secret.split(/[\r\n]/).map(line => line.trim())
    for (const line of lines) {
      if (line !== '' && !this.masks.includes(line)) this.masks.push(line)
    }
  }
}
