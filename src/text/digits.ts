import { LayerBuilder, type Layer } from './layer.ts'

/** What is looked for: at least `minLength` bytes in a row, of those that `bytes` has a 1 for. */
export interface Wanted {
  readonly bytes: Uint8Array
  readonly minLength: number
}

const skipped = -1
const other = -2

/** Digits of `bits` bits each, the value of each character; after `period` of them a byte begins with a digit again. */
function createDigits(bits: 4 | 6, alphabets: readonly string[], between: string) {
  const values = new Int8Array(256).fill(other)
  for (const character of between) values[character.charCodeAt(0)] = skipped
  for (const alphabet of alphabets)
    for (const [value, digit] of Array.from(alphabet).entries()) values[digit.charCodeAt(0)] = value
  return { bits, period: bits === 4 ? 2 : 4, values }
}

type Digits = ReturnType<typeof createDigits>

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const hex = createDigits(4, ['0123456789abcdef', '0123456789ABCDEF'], ' \t\r\n:-')
const base64 = createDigits(6, [`${letters}+/`, `${letters}-_`], ' \t\r\n')

/**
 * What the hex digits and the base64 digits of a byte text stand for, wherever their first byte begins: all stretches
 * of wanted bytes that are long enough, one a line. NUL is left out, as the encoded text may be UTF-16.
 */
export function decodeDigits(text: string, wanted: Wanted): readonly Layer[] {
  return [hex, base64]
    .filter(digits => hasStretch(text, digits, wanted))
    .flatMap(digits => collectStretches(text, digits, wanted) ?? [])
}

/** Whether there is such a stretch; most texts have none, and this asks all beginnings at once. */
function hasStretch(text: string, { bits, period, values }: Digits, wanted: Wanted): boolean {
  if (text.length * bits < wanted.minLength * 8) return false
  const lengths = new Uint32Array(period)
  let last = other
  for (let at = 0, count = 0; at < text.length; at++) {
    const value = values[text.charCodeAt(at)] ?? other
    if (value === skipped) continue
    if (value === other || last === other) lengths.fill(0)
    // Only the first of so many digits ends no byte.
    for (let step = 1; step < period && value !== other && last !== other; step++) {
      const byte = (((last << bits) | value) >> (((step + 1) * bits) % 8)) & 255
      const beginning = (count + period - step) % period
      if (wanted.bytes[byte] === 1) {
        const length = (lengths[beginning] ?? 0) + 1
        if (length >= wanted.minLength) return true
        lengths[beginning] = length
      } else if (byte !== 0) lengths[beginning] = 0
    }
    last = value
    count++
  }
  return false
}

function collectStretches(text: string, digits: Digits, wanted: Wanted): Layer | null {
  const { bits, period, values } = digits
  const layer = new LayerBuilder(text.length * period)
  for (let beginning = 0; beginning < period; beginning++) {
    let mark = layer.length
    const endStretch = (): void => {
      if (layer.length - mark < wanted.minLength) layer.truncate(mark)
      else layer.add('\n', text.length, text.length)
      mark = layer.length
    }
    let last = other
    let lastAt = 0
    let hasByte = false
    for (let at = 0, count = 0; at < text.length; at++) {
      const value = values[text.charCodeAt(at)] ?? other
      if (value === skipped) continue
      const step = (count + period - beginning) % period
      if (value === other) {
        // What fills the last group of base64 up belongs to it.
        const padding = text.startsWith('==', at) ? 2 : text.startsWith('=', at) ? 1 : 0
        if (hasByte && lastAt === at - 1) layer.extend(at + padding)
        endStretch()
      } else if (last !== other && step > 0) {
        const byte = (((last << bits) | value) >> (((step + 1) * bits) % 8)) & 255
        if (wanted.bytes[byte] === 1) layer.add(byte, lastAt, at + 1)
        else if (byte !== 0) endStretch()
      }
      hasByte = layer.length > mark && step > 0
      last = value
      lastAt = at
      count++
    }
    endStretch()
  }
  return layer.build()
}
