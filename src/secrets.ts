import type { JsonObject, KeptRecord } from './outcome.ts'
import { isJsonObject } from './service/core/json.ts'

/** Shorter values are neither masked nor replaced: as masks they would blacken the whole log. */
export const minSecretLength = 6

const replacement = '***'
const maxFresh = 32

/**
 * The secrets of this run. Each is masked before its first use, and replaced in everything that leaves the action.
 * A secret that equals or stands inside a spared value (`id`, `userId`, `planId` of the subscription) is neither:
 * the platform drops a job output that contains a mask.
 */
export class Secrets {
  readonly #mask: (value: string) => void
  readonly #spared = new Set<string>()
  readonly #values = new Set<string>()
  /** Compiled in groups, so that a secret that comes late does not compile all anew. */
  readonly #patterns: RegExp[] = []
  #fresh: string[] = []
  #freshPattern: RegExp | null = null

  /** `mask` tells the runner to mask one line of text. */
  constructor(mask: (value: string) => void) {
    this.#mask = mask
  }

  /** Names values that must stay readable; call it before `add`. */
  spare(values: readonly string[]): void {
    for (const value of values) this.#spared.add(value)
  }

  /** Masks each line of each value, but for lines that are short or stand inside a spared value. */
  add(values: readonly string[]): void {
    for (const line of values
      .flatMap(value => value.split(/\r\n|\r|\n/))
      .map(line => line.trim())) {
      if (line.length < minSecretLength || this.#values.has(line)) continue
      if ([...this.#spared].some(spared => spared.includes(line))) continue
      this.#mask(line)
      // In one group, where the longest is looked for first: else a part of the longer one would stay.
      const overlaps = [...this.#values].some(one => one.includes(line) || line.includes(one))
      if (overlaps) this.#fresh = [...this.#values]
      if (overlaps) this.#patterns.length = 0
      this.#values.add(line)
      this.#fresh.push(line)
      this.#freshPattern = null
    }
  }

  /** Whether a secret stands in the text, as it is or encoded. */
  isIn(text: string): boolean {
    return this.redactText(text) !== text
  }

  /** Replaces each secret by `***`, also in its JSON, URI, base64 and base64url forms. */
  redactText(text: string): string {
    if (this.#fresh.length > maxFresh) {
      this.#patterns.push(patternOf(this.#fresh))
      this.#fresh = []
      this.#freshPattern = null
    }
    if (this.#fresh.length > 0) this.#freshPattern ??= patternOf(this.#fresh)
    const fresh = this.#freshPattern === null ? [] : [this.#freshPattern]
    return [...this.#patterns, ...fresh].reduce(
      (clean, pattern) => clean.replace(pattern, replacement),
      text,
    )
  }

  /** Replaces each secret inside a JSON object, keys included, and lists the places. */
  redact(record: JsonObject): KeptRecord {
    const redacted: string[] = []
    const walk = (value: unknown, pointer: string): unknown => {
      if (Array.isArray(value)) {
        return value.map((item: unknown, index) => walk(item, `${pointer}/${index}`))
      }
      if (isJsonObject(value)) {
        return this.#redactFields(value, (field, key, keyChanged) => {
          const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
          if (keyChanged) redacted.push(place)
          return walk(field, place)
        })
      }
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const clean = this.redactText(text)
      if (clean === text) return value
      if (redacted.at(-1) !== pointer) redacted.push(pointer)
      return clean
    }
    const clean = walk(record, '')
    return { record: isJsonObject(clean) ? clean : {}, redacted }
  }

  #redactFields(
    fields: JsonObject,
    walk: (field: unknown, key: string, keyChanged: boolean) => unknown,
  ): JsonObject {
    const taken = new Set(Object.keys(fields).filter(key => !this.isIn(key)))
    const entries = Object.entries(fields).map(([key, field]) => {
      let clean = this.redactText(key)
      while (clean !== key && taken.has(clean)) clean += '*'
      taken.add(clean)
      return [clean, walk(field, clean, clean !== key)] as const
    })
    return Object.fromEntries(entries)
  }
}

function patternOf(values: readonly string[]): RegExp {
  const forms = values.flatMap(value => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ])
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(form => RegExp.escape(form)).join('|'), 'g')
}
