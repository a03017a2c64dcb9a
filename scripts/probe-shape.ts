/** How the probe shows an answer: names and types of fields, never a value. */
import { cut } from '../src/text/escape.ts'
import { isInteger, isJsonObject, type JsonObject } from '../src/text/json.ts'
import { counted } from '../src/text/words.ts'

/** Names of fields to types, with `|` between several. */
export type Types = Readonly<Record<string, string>>

/** Deeper levels, further fields and longer shapes are only said to be there. */
const maxDepth = 6
const maxFields = 60
const maxShapeLength = 400

/** Reads names and types: `hash string, txId string|null`. */
export function readTypes(text: string): Types {
  return Object.fromEntries(
    text.split(',').map(field => {
      const [name = '', types = ''] = field.trim().split(' ')
      return [name, types]
    }),
  )
}

/** Tells names of fields from data that stands in the place of one. */
export type IsName = (name: string) => boolean

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isInteger(value)) return 'integer'
  return isJsonObject(value) || typeof value !== 'object' ? typeof value : 'number'
}

/** The type of a value, and of all that is in it, on one line. */
export function shapeOf(value: unknown, isName: IsName, depth = 0): string {
  if (depth === maxDepth) return typeOf(value)
  const isArray = Array.isArray(value)
  const inside = isArray
    ? [...new Set(value.map(item => shapeOf(item, isName, depth + 1)))].join(' or ')
    : isJsonObject(value)
      ? fieldsOf(value, { isName, depth: depth + 1 }).join(', ')
      : ''
  if (inside === '') return typeOf(value)
  return cut(isArray ? `array of ${inside}` : `{ ${inside} }`, maxShapeLength)
}

/** The fields of an object with their shapes; `types`: what they must be. */
export function fieldsOf(
  object: JsonObject,
  { isName, types, depth = 0 }: { isName: IsName; types?: Types; depth?: number },
): readonly string[] {
  const names = Object.keys(object)
  const shown = names.filter(isName).slice(0, maxFields)
  const hidden = names.length - shown.length
  const missing = Object.keys(types ?? {}).filter(name => !names.includes(name))
  return [
    ...shown.map(name => {
      const wanted = types?.[name] ?? 'listed'
      const isRight = types === undefined || wanted.split('|').includes(typeOf(object[name]))
      const shape = shapeOf(object[name], isName, depth)
      return `${name}: ${shape}${isRight ? '' : `, not ${wanted.replaceAll('|', ' or ')}`}`
    }),
    ...missing.map(name => `${name}: missing`),
    ...(hidden === 0 ? [] : [`${counted(hidden, 'field')}, not shown`]),
  ]
}

/** Whether each listed field is there, with a type that is listed for it. */
export function isAsListed(object: JsonObject | undefined, types: Types): boolean | undefined {
  return (
    object &&
    Object.entries(types).every(
      ([name, type]) => name in object && type.split('|').includes(typeOf(object[name])),
    )
  )
}
