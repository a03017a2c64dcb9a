import { isJsonObject, parseJson, type JsonObject } from '../text/json.ts'

/** Shorter lines are neither masked nor replaced: as masks they would obscure the log. */
const minSecretLength = 6

/** Shorter base64 occurs by chance. */
const minBase64Length = 8

const replacement = '***'

/**
 * The secrets of this run. They are masked before first use, and replaced wherever text leaves the
 * action, in the forms that the runner masks: plain, JSON, URI, and base64 at its three offsets. Secrets
 * within an exempt value (`id`, `userId`, `planId` of the subscription) stay, because GitHub drops a job
 * output that contains a mask.
 */
export class Secrets {
  readonly #mask: (line: string) => void
  readonly #exempt = new Set<string>()
  readonly #lines = new Set<string>()
  #pattern: RegExp | null = null

  /** `mask` makes the runner mask one line of text. */
  constructor(mask: (line: string) => void) {
    this.#mask = mask
  }

  /** Exempts values that must stay readable; call it before `add`. */
  exempt(values: readonly string[]): void {
    for (const value of values) this.#exempt.add(value)
  }

  /** Masks each line of each value, except short lines and those that are part of an exempt value. */
  add(values: readonly string[]): void {
    for (const text of values.flatMap(value => value.split(/[\r\n]/))) {
      const line = text.trim()
      if (line.length < minSecretLength || this.#lines.has(line)) continue
      if (this.#exempt.values().some(exempt => exempt.includes(line))) continue
      this.#mask(line)
      this.#lines.add(line)
      this.#pattern = null
    }
  }

  /** Replaces each secret with `***`. */
  redactText(text: string): string {
    if (this.#lines.size === 0) return text
    this.#pattern ??= patternOf([...this.#lines])
    return text.replace(this.#pattern, replacement)
  }

  /** Replaces each secret, then makes the text a single line. The reverse would make secrets unrecognizable. */
  redactLine(text: string): string {
    return this.redactText(text).replaceAll(/\s*[\r\n]+\s*/g, ' ')
  }

  /** Replaces each secret inside a JSON object with `***`: in its keys, and in texts that are JSON themselves. */
  redactJson(object: JsonObject): JsonObject {
    const fields = Object.entries(object).map(([key, value]) => {
      return [this.redactText(key), this.#redactValue(value)] as const
    })
    return Object.fromEntries(fields)
  }

  #redactValue(value: unknown): unknown {
    if (isJsonObject(value)) return this.redactJson(value)
    if (Array.isArray(value)) return value.map(item => this.#redactValue(item))
    if (typeof value === 'string') return this.redactText(this.#redactInner(value))
    const text = JSON.stringify(value)
    const clean = this.redactText(text)
    return clean === text ? value : clean
  }

  /** Redacts a text that is a JSON object, array or string: inside, secrets are escaped more than once. */
  #redactInner(text: string): string {
    if (!/^\s*["[{]/.test(text)) return text
    try {
      const inner = parseJson(text)
      const clean = JSON.stringify(this.#redactValue(inner))
      return clean === JSON.stringify(inner) ? text : clean
    } catch {
      return text
    }
  }
}

/** Returns a pattern that matches every form of every line, the longest first. */
function patternOf(lines: readonly string[]): RegExp {
  const forms = [...new Set(lines.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  return new RegExp(forms.map(form => RegExp.escape(form)).join('|'), 'g')
}

function formsOf(line: string): readonly string[] {
  const bytes = Buffer.from(line)
  const base64 = [0, 1, 2].flatMap(offset => {
    const shifted = bytes.subarray(offset)
    const whole = shifted.toString('base64')
    // Text after the secret changes its last digits, unless the secret ends on a group of three bytes.
    const stable = whole.slice(0, Math.floor(shifted.length / 3) * 4)
    return [whole, stable].filter(form => form.length >= minBase64Length)
  })
  const json = JSON.stringify(line).slice(1, -1)
  return [line, json, encodeURIComponent(line.toWellFormed()), ...base64]
}
