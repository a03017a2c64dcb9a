import type { KeptRecord } from './outcome.ts'
import { decodeDigits } from './text/digits.ts'
import { hideNamedSecrets, readErrorBody } from './text/error-body.ts'
import { decodeEscapes } from './text/escapes.ts'
import { isJsonObject, type JsonObject } from './text/json.ts'
import { byteLayer, toByteText, toOuter, type Span } from './text/layer.ts'

/** Shorter values are neither masked nor replaced: as masks they would blacken the whole log. */
export const minSecretLength = 6

const replacement = '***'

/** So often a secret may be encoded: a claim of a token in base64 within JSON is encoded three times. */
const maxLayers = 3

/** What is replaced can bring to light what stood around it; so often a text is looked through anew. */
const maxRounds = 8

/**
 * The secrets of this run. Each is masked before its first use, and replaced in everything that leaves the action, also
 * where it is encoded. A secret that equals or stands inside a spared value (`id`, `userId`, `planId` of the
 * subscription) is neither: the platform drops a job output that contains a mask.
 */
export class Secrets {
  readonly #mask: (value: string) => void
  readonly #spared = new Set<string>()
  readonly #values = new Set<string>()
  /** The values as byte texts. */
  readonly #needles = new Set<string>()
  /** The bytes that encoded content of interest has: text, which may be encoded once more, and those of the values. */
  readonly #bytes = new Uint8Array(256).fill(1, 0x20, 0x7f)
  #minLength = Infinity

  /** `mask` has the runner mask one line of text. */
  constructor(mask: (value: string) => void) {
    this.#mask = mask
    for (const space of '\t\r\n') this.#bytes[space.charCodeAt(0)] = 1
  }

  /** Names values that must stay readable; call it before `add`. */
  spare(values: readonly string[]): void {
    for (const value of values) this.#spared.add(value)
  }

  /** Masks each line of each value, but for lines that are short or stand inside a spared value. */
  add(values: readonly string[]): void {
    for (const text of values.flatMap(value => value.split(/[\r\n]/))) {
      const line = text.trim()
      if (line.length < minSecretLength || this.#values.has(line)) continue
      if ([...this.#spared].some(spared => spared.includes(line))) continue
      this.#mask(line)
      this.#values.add(line)
      // In a form a space may be written as a plus sign.
      for (const needle of [line, line.replaceAll(' ', '+')].map(toByteText)) {
        this.#needles.add(needle)
        this.#minLength = Math.min(this.#minLength, needle.length)
        for (const byte of needle) this.#bytes[byte.charCodeAt(0)] = 1
      }
    }
  }

  /** Whether a secret stands in the text, as it is or encoded. */
  isIn(text: string): boolean {
    return this.#find(text).length > 0
  }

  /**
   * Replaces each secret by `***`, also where it is encoded, up to three times over: with JSON or percent escapes or
   * HTML entities, in hex or base64, at any offset. What is not part of a secret stays as it is.
   */
  redactText(text: string): string {
    let clean = text
    for (let round = 0; round < maxRounds; round++) {
      const spans = this.#find(clean)
      if (spans.length === 0) break
      clean = replaceSpans(clean, spans)
    }
    return clean
  }

  /**
   * What the body of an error says, fit to be shown but not cut; empty if it says nothing. The values of its secret
   * fields are replaced, too. Nothing of an answer to the login may be shown.
   */
  saying(body: string): string {
    const { said, secrets } = readErrorBody(body)
    const others = new Secrets(() => undefined)
    others.add(secrets)
    return hideNamedSecrets(others.redactText(this.redactText(said)))
  }

  /** Replaces each secret inside a JSON object, keys included, and lists the places. */
  redact(record: JsonObject): KeptRecord {
    // Most records hold none, as one look at the whole text shows where nothing in it is escaped.
    const text = JSON.stringify(record)
    if (!text.includes('\\') && !this.isIn(text)) return { record, redacted: [] }
    const redacted = new Set<string>()
    const walkFields = (fields: JsonObject, pointer: string): JsonObject => {
      const keys = Object.keys(fields).map(key => [key, this.redactText(key)] as const)
      const taken = new Set(keys.flatMap(([key, clean]) => (clean === key ? [key] : [])))
      const entries = keys.map(([key, cleanKey]) => {
        let clean = cleanKey
        while (clean !== key && taken.has(clean)) clean += '*'
        taken.add(clean)
        const place = `${pointer}/${clean.replaceAll('~', '~0').replaceAll('/', '~1')}`
        if (clean !== key) redacted.add(place)
        return [clean, walk(fields[key], place)] as const
      })
      return Object.fromEntries(entries)
    }
    const walk = (value: unknown, pointer: string): unknown => {
      if (Array.isArray(value)) {
        return value.map((item: unknown, index) => walk(item, `${pointer}/${index}`))
      }
      if (isJsonObject(value)) return walkFields(value, pointer)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const clean = this.redactText(text)
      if (clean === text) return value
      redacted.add(pointer)
      return clean
    }
    return { record: walkFields(record, ''), redacted: [...redacted] }
  }

  /** The places of all secrets. */
  #find(text: string): readonly Span[] {
    if (this.#needles.size === 0) return []
    const bytes = toByteText(text)
    if (bytes.length < this.#minLength) return []
    const spans = this.#findIn(bytes, maxLayers, new Set())
    // Where each byte stands is found out for the few texts that hold a secret alone.
    const layer = spans.length === 0 ? null : byteLayer(text)
    return layer === null ? spans : spans.map(span => toOuter(layer, span))
  }

  /** The places in a byte text; `seen` are the texts that were looked through already, decoded another way. */
  #findIn(text: string, layersLeft: number, seen: Set<string>): readonly Span[] {
    const plain = [...this.#needles].flatMap(needle => findAll(text, needle))
    if (layersLeft === 0) return plain
    const wanted = { bytes: this.#bytes, minLength: this.#minLength }
    const encoded = [...decodeEscapes(text), ...decodeDigits(text, wanted)].flatMap(layer => {
      if (seen.has(layer.text)) return []
      seen.add(layer.text)
      return this.#findIn(layer.text, layersLeft - 1, seen).map(span => toOuter(layer, span))
    })
    return [...plain, ...encoded]
  }
}

/** The places of a needle; those that overlap are one. */
function findAll(text: string, needle: string): readonly Span[] {
  const spans: Span[] = []
  for (let start = text.indexOf(needle); start !== -1; start = text.indexOf(needle, start + 1)) {
    spans.push({ start, end: start + needle.length })
  }
  return merge(spans)
}

function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || start >= last.end) merged.push({ start, end })
    else merged.splice(-1, 1, { start: last.start, end: Math.max(last.end, end) })
  }
  return merged
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  let clean = ''
  let done = 0
  for (const { start, end } of merge(spans)) {
    clean += text.slice(done, start) + replacement
    done = end
  }
  return clean + text.slice(done)
}
