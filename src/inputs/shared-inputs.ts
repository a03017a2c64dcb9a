/** How the inputs of both actions are read, and the schemas of single inputs. */
import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'
import { quote } from '../text/escape.ts'

const secretInputs = ['api-key', 'github-token']

/** Returns the name of an input: `base-url` for the field `baseUrl`. */
function inputNameOf(field: string): string {
  return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/**
 * Checks each input by itself, and what several inputs need. Every field of the schema has a valid default, which replaces
 * an empty text, and an invalid value too, so that the run can find other problems. Its error messages continue the name
 * of the input. `keys` are the key and the token as given: an invalid one is secret too.
 */
export function parseInputs<Inputs>(
  schema: z.ZodMiniType<Inputs> & { readonly shape: object },
  rawInputs: RawInputs,
) {
  const texts: Record<string, string> = {}
  for (const field of Object.keys(schema.shape)) {
    const text = rawInputs[inputNameOf(field)]
    // A variable that is not set yet is no hash: only a workflow that does not name the input leaves it out.
    if (text !== undefined && (text !== '' || field === 'confirmedHashes')) texts[field] = text
  }
  const problems = [...checkSources(texts)]
  const { error } = schema.safeParse(texts, { reportInput: true })
  const byField = Map.groupBy(error?.issues ?? [], ({ path }) => String(path[0]))
  for (const [field, issues] of byField) {
    Reflect.deleteProperty(texts, field)
    const name = inputNameOf(field)
    const isSecret = secretInputs.includes(name)
    const message = [...new Set(issues.map(issue => issue.message))].join(' and ')
    const shown = isSecret ? '' : showValue(String(issues[0]?.input))
    // A re-run reads secrets and variables anew.
    const needs = isSecret || name === 'confirmed-hashes' ? 'nothing' : 'workflow'
    const next = `correct the value of "${name}"`
    problems.push(problemWith(name, `${message}${shown}`, { next, needs }))
  }
  const keys = secretInputs.map(name => rawInputs[name] ?? '').filter(text => text !== '')
  return { inputs: schema.parse(texts), problems, keys }
}

/** Checks what names the artifacts, and what reads releases. */
function checkSources(texts: Readonly<Record<string, string>>): readonly Problem[] {
  const { path = '', checksums = '', releaseTag = '', githubToken = '' } = texts
  const needing = releaseTag === '' ? 'earlier-releases' : 'release-tag'
  const needsToken = releaseTag !== '' || /^true$/i.test(texts['earlierReleases'] ?? '')
  const problems: Problem[] = []
  if (path + checksums + releaseTag === '') {
    const text = 'is empty, and so are "checksums" and "release-tag"'
    problems.push(problemWith('path', text, { next: 'set one of them, with one pattern per line' }))
  }
  if (releaseTag !== '' && path + checksums !== '') {
    const text = 'cannot be combined with "path" or "checksums"'
    const next = 'remove either "release-tag", or "path" and "checksums"'
    problems.push(problemWith('release-tag', text, { next }))
  }
  if (needsToken && githubToken === '') {
    const next = 'remove this input to use the token of the job'
    problems.push(problemWith('github-token', `is empty, but "${needing}" needs it`, { next }))
  }
  return problems
}

const maxValueLength = 100

/** Shows a value, but not a URL with what may be credentials or a query, and no part of a value: secrets are only found in the whole. */
function showValue(value: string): string {
  const mayBeSecret = /[@?#]|%40|\/\/[^/[]*:(?!\d+(?:\/|$))/.test(value)
  if (mayBeSecret || value.length > maxValueLength) return ''
  return ` (got "${quote(value)}")`
}

/** Makes an input null unless it is set. */
export function optional<Value extends z.core.SomeType>(value: Value) {
  return z._default(z.nullable(value), null)
}

/** A boolean, spelled as `core.getBooleanInput` accepts it. */
export const boolean = z.stringbool({
  truthy: ['true', 'True', 'TRUE'],
  falsy: ['false', 'False', 'FALSE'],
  case: 'sensitive',
  error: 'must be true or false',
})

export function wholeNumber(min: number, max: number) {
  const isWithin = (text: string): boolean =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
  const error = `must be a whole number from ${min} to ${max}`
  return z.pipe(z.string().check(z.refine(isWithin, error)), z.transform(Number))
}

export const secretLine = z.string().check(z.regex(/^.*$/, 'must be one line'))

/** A template for a link to each record. What it is filled with cannot change its host. */
export const verificationUrl = z.string().check(
  z.refine(text => {
    const isUrl = URL.canParse(text) && /^https:\/\/[^/?@\s\\{}]+[/?]\S+$/i.test(text)
    return isUrl && /^[^{}]+(?:\{(?:hash|txId)\}[^{}]*)+$/.test(text)
  }, 'must be an https:// URL without credentials, with {hash} or {txId} and no other placeholder'),
)

const hashRule = 'must contain only SHA-256 hashes of 64 hex digits, separated by white space'

const hashSchema = z.string().check(
  z.regex(/^(?:sha256:)?[0-9a-f]{64}$/i, hashRule),
  z.overwrite(text => text.slice(-64).toLowerCase()),
)

/** SHA-256 hashes separated by white space, converted to a set of 64 digits in lower case; null for the word `none`. */
export const hashes = z.pipe(
  z.transform((text: string): ReadonlySet<string> | null => {
    return text === 'none' ? null : new Set(text.match(/\S+/g))
  }),
  z.nullable(z.readonly(z.set(hashSchema))),
)

/** The public service, in normal form. */
export const defaultBaseUrl = 'https://app.dedit.io'

const apiPathRule = 'must end before /api/v2, which the action adds itself'

/** A base URL, converted to the normal form that records use in `service`. */
export const baseUrl = z.pipe(
  z
    .string()
    .check(
      z.refine(isServiceUrl, 'must be a URL that starts with https://'),
      z.regex(/^[^?#]*$/, 'must not contain a query or a fragment'),
      z.regex(/^(?![^/]*\/\/[^/?#]*@)/, 'must not contain credentials'),
      z.regex(/^(?!.*\/api\/v2(?:[/?#]|$))/i, apiPathRule),
    ),
  z.transform(text => {
    const { protocol, host, pathname } = new URL(text)
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
  }),
)

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a text is a URL with https, or with http on this machine. */
function isServiceUrl(text: string): boolean {
  const url = URL.parse(text)
  // The parser drops white space, and would read the first part of the path of https:///part as the host.
  if (url === null || !/^https?:\/\/[^/\s\\][^\s\\]*$/i.test(text)) return false
  return url.protocol === 'https:' || loopbackHost.test(url.hostname)
}

const releaseTag = z
  .string()
  .check(z.regex(/^(?!refs\/)\S+$/, 'must be one tag, such as ${{ github.ref_name }}'))

/** The inputs that both actions have, with their defaults as in both `action.yml`. */
export const commonInputs = {
  /** Normal form. */
  baseUrl: z.prefault(baseUrl, defaultBaseUrl),
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  releaseTag: optional(releaseTag),
  showSummary: z.prefault(boolean, 'true'),
  githubToken: z.prefault(secretLine, ''),
}
