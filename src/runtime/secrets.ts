import { isJsonObject, textOf, type JsonObject } from '../text/json.ts'

/** Shorter lines are neither masked nor replaced: as masks they would obscure the log. */
const minSecretLength = 6

/** Shorter base64 occurs by chance. */
const minBase64Length = 8

/**
 * The secrets of this run. They are masked before first use, and replaced wherever text leaves the action, in the forms that
 * the runner masks: plain, JSON, URI, and base64 at its three offsets. Keys and tokens always are; other secret details, such
 * as a customer or a password, are not if they stand in an exempt value, such as the name of an artifact: a replaced name
 * would make a check pass that should fail, and GitHub drops a job output that contains a mask.
 */
export class Secrets {
  readonly #mask: (line: string) => void
  readonly #exempt = new Set<string>()
  readonly #keys = new Set<string>()
  readonly #details = new Set<string>()
  readonly #masked = new Set<string>()
  /** What is replaced, the longest first; null if it has to be found. */
  #forms: readonly string[] | null = null

  /** `mask` makes the runner mask one line of text. */
  constructor(mask: (line: string) => void) {
    this.#mask = mask
  }

  exempt(values: readonly string[]): void {
    for (const value of values) this.#exempt.add(value)
    this.#forms = null
  }

  /** Masks keys and tokens: each line of each value, except short lines. */
  add(values: readonly string[]): void {
    for (const line of linesOf(values)) {
      if (!this.#keys.has(line)) this.#mask(line)
      this.#keys.add(line)
    }
    this.#forms = null
  }

  /** Notes other secrets, which are replaced from now on unless they stand in an exempt value. */
  addDetails(values: readonly string[]): void {
    for (const line of linesOf(values)) this.#details.add(line)
    this.#forms = null
  }

  /** Masks these secrets, but for what is exempt, all of which is known now: a mask cannot be taken back. */
  maskDetails(exempt: readonly string[]): void {
    this.exempt(exempt)
    for (const line of this.#details.difference(this.#masked)) {
      if (this.#isExempt(line)) continue
      this.#mask(line)
      this.#masked.add(line)
    }
  }

  redactText(text: string): string {
    if (this.#forms === null) {
      const details = [...this.#details].filter(line => !this.#isExempt(line))
      const forms = new Set([...this.#keys, ...details].flatMap(formsOf))
      this.#forms = [...forms].sort((a, b) => b.length - a.length)
    }
    return this.#forms.reduce((clean, form) => clean.replaceAll(form, '***'), text)
  }

  /** Replaces each secret, then makes the text a single line. The reverse would make secrets unrecognizable. */
  redactLine(text: string): string {
    return this.redactText(text).replaceAll(/\s*[\r\n]+\s*/g, ' ')
  }

  /** Replaces each secret inside a JSON object with `***`, in its keys too. */
  redactJson(object: JsonObject): JsonObject {
    const text = JSON.stringify(object)
    if (this.redactText(text) === text) return object
    const fields = Object.entries(object).map(([key, value]) => {
      return [this.redactText(key), this.#redactValue(value)] as const
    })
    return Object.fromEntries(fields)
  }

  #redactValue(value: unknown): unknown {
    if (isJsonObject(value)) return this.redactJson(value)
    if (Array.isArray(value)) return value.map(item => this.#redactValue(item))
    const text = textOf(value)
    const clean = text && this.redactText(text)
    return clean === text ? value : clean
  }

  #isExempt(line: string): boolean {
    return this.#exempt.values().some(exempt => exempt.includes(line))
  }
}

function linesOf(values: readonly string[]): readonly string[] {
  const lines = values.flatMap(value => value.split(/[\r\n]/)).map(line => line.trim())
  return lines.filter(({ length }) => length >= minSecretLength)
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
