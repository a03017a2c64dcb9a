import { CommandReader } from './commands.ts'
import type { Command } from './commands.ts'
import { applyMasks, toMasks } from './masks.ts'

/** Messages of annotations, whole and unmasked, in order. */
export interface Annotations {
  readonly error: readonly string[]
  readonly warning: readonly string[]
  readonly notice: readonly string[]
}

/** What the runner makes of the lines that a step prints, on both streams, in the order of their arrival. */
export class StepLog {
  readonly lines: string[] = []
  readonly commands: Command[] = []
  readonly masks: string[] = []
  readonly #visible: string[] = []
  readonly #reader = new CommandReader()
  readonly #showsDebug: boolean

  /** `secrets` are masked from the start, as the runner does with what comes from `secrets.*`. */
  constructor(secrets: readonly string[], showsDebug: boolean) {
    for (const secret of secrets) this.#mask(secret)
    this.#showsDebug = showsDebug
  }

  add(line: string): void {
    this.lines.push(line)
    const command = this.#reader.read(line)
    if (command !== undefined) this.commands.push(command)
    if (command?.command === 'add-mask') this.#mask(command.message)
    const shown = this.#show(line, command)
    if (shown !== undefined) this.#visible.push(applyMasks(shown, this.masks))
  }

  /** The log as a reader sees it. A mask hides only what is printed after it. */
  get visible(): string {
    return this.#visible.map(line => `${line}\n`).join('')
  }

  get annotations(): Annotations {
    return {
      error: this.messages('error'),
      warning: this.messages('warning'),
      notice: this.messages('notice'),
    }
  }

  /** The messages of every command of this name. */
  messages(name: string): string[] {
    return this.commands.flatMap(({ command, message }) => (command === name ? [message] : []))
  }

  #mask(secret: string): void {
    for (const mask of toMasks(secret)) {
      if (!this.masks.includes(mask)) this.masks.push(mask)
    }
  }

  #show(line: string, command: Command | undefined): string | undefined {
    switch (command?.command) {
      case undefined:
      case 'stop-commands':
        return line
      case 'error':
      case 'warning':
      case 'notice':
      case 'group':
        return `##[${command.command}]${command.message}`
      case 'endgroup':
        return '##[endgroup]'
      case 'debug':
        return this.#showsDebug ? `##[debug]${command.message}` : undefined
      default:
        return undefined
    }
  }
}
