import { isJsonObject, type JsonObject } from '../text/json.ts'

/** Shorter lines are neither masked nor replaced: as masks they would obscure the log. */
const minSecretLength = 6

/** Shorter base64 occurs by chance. */
const minBase64Length = 8

const replacement = '***'

/** A JSON object without secrets; `redacted` lists the JSON Pointers of the places where one was replaced. */
export interface RedactedJson {
  readonly value: JsonObject
  readonly redacted: readonly string[]
}

/**
 * The secrets of this run. Each is masked before its first use, and replaced where text leaves the action, in the forms
 * that the runner masks: plain, JSON, URI, and base64 at its three offsets. A secret that equals or stands inside a
 * exempt value (`id`, `userId`, `planId` of the subscription) is left alone, as the platform drops a job output that
 * contains a mask.
 */
export class Secrets {
  readonly #mask: (line: string) => void
  readonly #exempt = new Set<string>()
  readonly #lines = new Set<string>()
  #pattern: RegExp | null = null

  /** `mask` has the runner mask one line of text. */
  constructor(mask: (line: string) => void) {
    this.#mask = mask
  }

  /** Names values that must stay readable; call it before `add`. */
  exempt(values: readonly string[]): void {
    for (const value of values) this.#exempt.add(value)
  }

  /** Masks each line of each value, but for lines that are short or stand inside an exempt value. */
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

  /** Replaces each secret by `***`. */
  redactText(text: string): string {
    if (this.#lines.size === 0) return text
    this.#pattern ??= patternOf([...this.#lines])
    return text.replace(this.#pattern, replacement)
  }

  /** Replaces each secret inside a JSON object, keys included, and lists the places. */
  redactJson(given: JsonObject): RedactedJson {
    // Most objects hold no secret, as one look at the whole text shows.
    const text = JSON.stringify(given)
    if (this.redactText(text) === text) return { value: given, redacted: [] }
    const redacted = new Set<string>()
    const redactFields = (fields: JsonObject, pointer: string): JsonObject => {
      // A map, as a field may be named __proto__.
      const clean = new Map<string, unknown>()
      for (const [key, value] of Object.entries(fields)) {
        let cleanKey = this.redactText(key)
        while (cleanKey !== key && (clean.has(cleanKey) || cleanKey in fields)) cleanKey += '*'
        const place = `${pointer}/${cleanKey.replaceAll('~', '~0').replaceAll('/', '~1')}`
        if (cleanKey !== key) redacted.add(place)
        clean.set(cleanKey, redactValue(value, place))
      }
      return Object.fromEntries(clean)
    }
    const redactValue = (value: unknown, place: string): unknown => {
      if (Array.isArray(value)) {
        return value.map((item: unknown, index) => redactValue(item, `${place}/${index}`))
      }
      if (isJsonObject(value)) return redactFields(value, place)
      const plain = typeof value === 'string' ? value : JSON.stringify(value)
      const clean = this.redactText(plain)
      if (clean === plain) return value
      redacted.add(place)
      return clean
    }
    return { value: redactFields(given, ''), redacted: [...redacted] }
  }
}

/** Matches every form of every line, the longest first. */
function patternOf(lines: readonly string[]): RegExp {
  const forms = [...new Set(lines.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  return new RegExp(forms.map(form => RegExp.escape(form)).join('|'), 'g')
}

function formsOf(line: string): readonly string[] {
  const bytes = Buffer.from(line)
  const base64 = [0, 1, 2].flatMap(offset => {
    const shifted = bytes.subarray(offset)
    const whole = shifted.toString('base64')
    // What follows the secret changes the last digits, unless it ends with a group of three bytes.
    const stable = whole.slice(0, Math.floor(shifted.length / 3) * 4)
    return [whole, stable].filter(form => form.length >= minBase64Length)
  })
  const json = JSON.stringify(line).slice(1, -1)
  return [line, json, encodeURIComponent(line.toWellFormed()), ...base64]
}
