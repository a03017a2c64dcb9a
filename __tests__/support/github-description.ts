/**
 * GitHub's own OpenAPI description of its API, as the judge of what the client asks and the stand-in answers; an extract,
 * which scripts/refresh-github-description.ts makes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { z } from 'zod'
import type { Route, SeenCall } from './github.ts'

const tree = z.record(z.string(), z.unknown())
const text = readFileSync(join(import.meta.dirname, 'github-openapi.json'), 'utf8')
const description = z
  .object({ paths: z.record(z.string(), tree), references: tree })
  // The text of the description names the state `starter`, its schema does not.
  .parse(JSON.parse(text.replaceAll('["uploaded","open"]', '["uploaded","open","starter"]')))

const operationSchema = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string() })),
  responses: z.record(
    z.string(),
    z.object({ content: z.record(z.string(), z.object({ schema: tree.optional() })).optional() }),
  ),
})

const calls: Readonly<Partial<Record<Route, readonly [method: string, path: string]>>> = {
  'list-releases': ['get', 'releases'],
  'get-release-by-tag': ['get', 'releases/tags/{tag}'],
  'get-release': ['get', 'releases/{release_id}'],
  'list-assets': ['get', 'releases/{release_id}/assets'],
  'upload-asset': ['post', 'releases/{release_id}/assets'],
  'get-asset': ['get', 'releases/assets/{asset_id}'],
  'delete-asset': ['delete', 'releases/assets/{asset_id}'],
  'get-ref': ['get', 'git/ref/{ref}'],
  'get-tag': ['get', 'git/tags/{tag_sha}'],
}

/** Puts what is referred to in the place of the reference; allows no field that is not described, and requires none. */
function inline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inline)
  const node = tree.safeParse(value).data
  if (node === undefined) return value
  const { $ref: reference } = node
  if (typeof reference === 'string') return inline(description.references[reference])
  const fields = Object.entries(node).filter(([key, field]) => key !== 'required' || field === true)
  const result = Object.fromEntries(fields.map(([key, field]) => [key, inline(field)]))
  if ('properties' in node) result['additionalProperties'] ??= false
  return result
}

const operations = new Map(
  Object.entries(calls).map(([route, [method, path]]) => {
    const operation = description.paths[`/repos/{owner}/{repo}/${path}`]?.[method]
    return [route, operationSchema.parse(inline(operation))]
  }),
)
const ajv = new Ajv({ strict: false, validateFormats: false })

/** What in a request, or in its answer unless a fault took its place, is not as GitHub describes it. */
export function findDeviations({ route, path, reply }: SeenCall): readonly string[] {
  const operation = operations.get(route)
  if (operation === undefined) return []
  const { parameters, responses } = operation
  const known = parameters.filter(one => one.in === 'query').map(({ name }) => name)
  const query = new URLSearchParams(path.split('?')[1] ?? '')
  const strange = [...query.keys()].filter(name => !known.includes(name))
  if (strange.length > 0) return strange.map(name => `${route}: query ${name} is not described`)
  const { status = 400, json } = reply ?? {}
  if (json === undefined || status >= 400) return []
  const schema = responses[String(status)]?.content?.['application/json']?.schema ?? false
  return ajv.validate(schema, json) ? [] : [`${route}: ${ajv.errorsText()}`]
}
