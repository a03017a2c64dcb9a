/**
 * GitHub's own OpenAPI description of its API, as the judge of what the client sends and the stand-in answers; an extract,
 * which scripts/refresh-github-description.ts makes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { z } from 'zod'
import type { SeenCall } from './github.ts'

type Tree = Readonly<Record<string, unknown>>

const tree = z.record(z.string(), z.unknown())
const contentSchema = z.record(z.string(), z.object({ schema: tree.optional() }))
const operationSchema = z.object({
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        schema: tree,
      }),
    )
    .default([]),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.object({ content: contentSchema.optional() })),
})
type Operation = z.infer<typeof operationSchema>

const description = z
  .object({ paths: z.record(z.string(), tree), references: tree })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'github-openapi.json'), 'utf8')))

/** Puts what is referred to in the place of the reference, and allows no field that is not described. */
function inline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inline)
  const node = tree.safeParse(value).data
  if (node === undefined) return value
  const { $ref: reference } = node
  if (typeof reference === 'string') return inline(description.references[reference])
  const fields = Object.entries(node).map(([key, field]) => [key, inline(field)] as const)
  const isObject = 'properties' in node && !('additionalProperties' in node)
  const result = Object.fromEntries(fields)
  return isObject ? { ...result, additionalProperties: false } : result
}

const ajv = new Ajv({
  strict: false,
  coerceTypes: false,
  formats: {
    uri: text => URL.canParse(text),
    'date-time': text => !Number.isNaN(Date.parse(text)),
    binary: true,
    email: true,
    int64: true,
  },
})

/** What is wrong with a value; an empty array if nothing is. */
function check(schema: Tree | undefined, value: unknown, what: string): readonly string[] {
  if (schema === undefined || ajv.validate(schema, value)) return []
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${what}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  )
}

interface Described {
  readonly name: string
  readonly pattern: RegExp
  readonly operation: Operation
}

const operations = Object.entries(description.paths).flatMap(([template, methods]) => {
  // A tag or reference may have slashes.
  const source = template
    .replaceAll(/\{(tag|ref)\}/g, '.+')
    .replaceAll(/\{\w+_id\}/g, '\\d+')
    .replaceAll(/\{\w+\}/g, '[^/]+')
  return Object.entries(methods).map(([key, operation]): Described => {
    const method = key.toUpperCase()
    const pattern = new RegExp(`^${method} ${source}$`)
    // The text of the description names the state `starter`, its schema does not.
    const text = JSON.stringify(inline(operation))
    const withStarter = text.replaceAll('["uploaded","open"]', '["uploaded","open","starter"]')
    const parsed = operationSchema.parse(JSON.parse(withStarter))
    return { name: `${method} ${template}`, pattern, operation: parsed }
  })
})

function find({ method, path }: SeenCall) {
  // Pages are linked by the number of the repository; uploads and enterprise servers have a place of their own.
  const plain = path
    .replace(/\?.*$/, '')
    .replace(/^.*?\/repositories\/\d+/, '/repos/o/r')
    .replace(/^.*?\/repos\//, '/repos/')
  return operations.find(({ pattern }) => pattern.test(`${method} ${plain}`))
}

/** What in a request, or in its answer unless a fault took its place, is not as GitHub describes it. */
export function findDeviations(call: SeenCall): readonly string[] {
  if (call.origin !== 'api') return []
  const found = find(call)
  if (found === undefined) return [`${call.method} ${call.path} is not described`]
  const { name, operation } = found
  const deviations = [...checkRequest(operation, call), ...checkReply(operation, call)]
  return deviations.map(text => `${name}: ${text}`)
}

function checkRequest(operation: Operation, call: SeenCall): readonly string[] {
  const query = new URLSearchParams(call.path.split('?')[1] ?? '')
  const known = operation.parameters.filter(parameter => parameter.in === 'query')
  const wrong = known.flatMap(({ name, required = false, schema }) => {
    const text = query.get(name)
    if (text === null) return required ? [`query ${name} is missing`] : []
    return check(schema, schema['type'] === 'integer' ? Number(text) : text, `query ${name}`)
  })
  const strange = [...query.keys()].filter(key => known.every(({ name }) => name !== key))
  const type = String(call.headers['content-type'])
  const hasType = call.body.length === 0 || type in (operation.requestBody?.content ?? {})
  return [
    ...wrong,
    ...strange.map(name => `query ${name} is not described`),
    ...(hasType ? [] : [`a body of type ${type} is not described`]),
  ]
}

function checkReply(operation: Operation, { reply, headers }: SeenCall): readonly string[] {
  if (reply === undefined) return []
  const described = operation.responses[String(reply.status)]
  const isBytes = reply.content !== undefined
  if (isBytes) return headers['accept'] === 'application/octet-stream' ? [] : ['bytes, not JSON']
  const schema = described?.content?.['application/json']?.schema
  if (reply.status >= 400) return check(schema ?? failureSchema, reply.json, 'answer')
  if (described === undefined) return [`status ${reply.status} is not described`]
  if (schema === undefined) return reply.json === undefined ? [] : ['a body is not described']
  return check(schema, reply.json, 'answer')
}

/** Many failures, such as 401 and 403, are described for no operation; some have the list of a failed validation. */
const failureSchema: Tree = {
  anyOf: ['basic-error', 'validation-error'].map(name =>
    inline({ $ref: `#/components/schemas/${name}` }),
  ),
}
