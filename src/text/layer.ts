/**
 * A text that is encoded in another one, with one byte of UTF-8 a character: the one at `index` is written there from
 * `starts[index]` to `ends[index]`.
 */
export interface Layer {
  readonly text: string
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** From the first code unit to behind the last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The place in the outer text of a span of a layer that is not empty. */
export function toOuter({ starts, ends }: Layer, { start, end }: Span): Span {
  return { start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }
}

/** The bytes of UTF-8, one a character. */
export function toByteText(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1')
}

/** As {@link toByteText}, with the place of each byte; null for ASCII, where all places are the same. */
export function byteLayer(text: string): Layer | null {
  if (isAscii(text)) return null
  const layer = new LayerBuilder(text.length * 3)
  let at = 0
  for (const character of text) layer.add(character, at, (at += character.length))
  return layer.build()
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text)
}

/** Collects the bytes of a layer, at most `maxLength`. */
export class LayerBuilder {
  readonly #bytes: Uint8Array
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  #length = 0

  constructor(maxLength: number) {
    this.#bytes = new Uint8Array(maxLength)
    this.#starts = new Uint32Array(maxLength)
    this.#ends = new Uint32Array(maxLength)
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length
  }

  /** Adds a byte, or a character with all its bytes. */
  add(value: number | string, start: number, end: number): void {
    if (typeof value === 'string' && value.charCodeAt(0) >= 0x80) {
      for (const byte of Buffer.from(value)) this.add(byte, start, end)
      return
    }
    this.#bytes[this.#length] = typeof value === 'string' ? value.charCodeAt(0) : value
    this.#starts[this.#length] = start
    this.#ends[this.#length] = end
    this.#length++
  }

  /** Takes back what was added after the first `length` bytes. */
  truncate(length: number): void {
    this.#length = length
  }

  /** Lets the last byte reach to `end`. */
  extend(end: number): void {
    this.#ends[this.#length - 1] = end
  }

  /** The layer; null if nothing is in it. */
  build(): Layer | null {
    if (this.#length === 0) return null
    const text = Buffer.from(this.#bytes.buffer, 0, this.#length).toString('latin1')
    return { text, starts: this.#starts, ends: this.#ends }
  }
}
