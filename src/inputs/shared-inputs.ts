/** How the inputs of both actions are read, and the schemas of single inputs. */
import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'
import { quote } from '../text/escape.ts'
import { checkVerificationTemplate } from '../text/verification-url.ts'

/** The inputs of an action, read with its schema. With any problem, nothing may be sent. */
export interface ParsedInputs<Inputs> {
  /** Defaults replace invalid values, so the run can still find and report other problems. */
  readonly inputs: Inputs
  readonly problems: readonly Problem[]
  /** The key and the token as given, because invalid ones are secret too: mask them before anything is logged. */
  readonly secrets: readonly string[]
}

/** Inputs that are usually set to a secret or a variable, which a re-run reads anew. */
const readAnew: ReadonlySet<string> = new Set(['api-key', 'github-token', 'confirmed-hashes'])

/** Returns the names of the inputs that a schema reads. */
export function inputNames({ shape }: { readonly shape: object }): readonly string[] {
  return Object.keys(shape).map(nameOf)
}

/** Returns the name of an input: `base-url` for the field `baseUrl`. */
function nameOf(field: string): string {
  return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/**
 * Checks each input by itself, and what both actions need. Each problem names the value (never a
 * secret) and the remedy. Every field of the schema has a valid default, which replaces an empty text.
 */
export function parseInputs<Inputs>(
  schema: z.ZodMiniType<Inputs> & { readonly shape: object },
  rawInputs: RawInputs,
): ParsedInputs<Inputs> {
  const texts: Record<string, string> = {}
  for (const field of Object.keys(schema.shape)) {
    const text = rawInputs[nameOf(field)] ?? ''
    if (text !== '') texts[field] = text
  }
  const { path = '', checksums = '', releaseTag = '', githubToken = '' } = texts
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
  if (releaseTag !== '' && githubToken === '') {
    const next = 'remove this input to use the token of the job'
    problems.push(problemWith('github-token', 'is empty, but "release-tag" needs it', { next }))
  }
  for (const { path, message } of schema.safeParse(texts).error?.issues ?? []) {
    const field = String(path[0])
    const name = nameOf(field)
    const needs = readAnew.has(name) ? 'secret' : 'workflow'
    const [text = '', next = `correct the input "${name}"`] = message.split(remedyMark)
    problems.push(problemWith(name, text, { next, needs }))
    Reflect.deleteProperty(texts, field)
  }
  const { 'api-key': key = '', 'github-token': token = '' } = rawInputs
  const secrets = [key, token].filter(text => text !== '')
  return { inputs: schema.parse(texts), problems, secrets }
}

/** Stands between what is wrong and what to do in an error message; no value that is shown contains a line break. */
const remedyMark = '\n'

/** Builds an error message that shows the value; not for inputs that may hold a secret. */
function withValue(requirement: string, remedy = '') {
  return ({ input }: { readonly input?: unknown }): string =>
    `${requirement} (got "${quote(String(input), 100)}")${remedy}`
}

/** Shows a URL, or `shown` of it, unless it may contain credentials. */
function gotUrl(url: string, shown = url): string {
  if (url.includes('@')) return ''
  return ` (got "${quote(shown, 100)}")`
}

/** Checks a text with a function that returns the problem with it, or null. */
function checkWith(findProblem: (text: string) => string | null) {
  return z.refine<string>(text => findProblem(text) === null, {
    error: ({ input }) => findProblem(String(input)) ?? undefined,
  })
}

/** Makes an input null unless it is set. */
export function optional<Value extends z.core.SomeType>(value: Value) {
  return z._default(z.nullable(value), null)
}

export const ifNoFilesFound = z.enum(['error', 'warn', 'ignore'], {
  error: withValue('must be error, warn or ignore'),
})

/** A boolean, spelled as `core.getBooleanInput` accepts it. */
export const boolean = z.stringbool({
  truthy: ['true', 'True', 'TRUE'],
  falsy: ['false', 'False', 'FALSE'],
  case: 'sensitive',
  error: withValue('must be true or false'),
})

/** Accepts a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  const isWithin = (text: string) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max
  const error = withValue(`must be a whole number from ${min} to ${max}`)
  return z.pipe(z.string().check(z.refine<string>(isWithin, { error })), z.transform(Number))
}

export const apiKey = z
  .string()
  .check(z.regex(/^[^\r\n]*$/, `must be one line${remedyMark}store the key without line breaks`))

export const githubToken = z.string().check(z.regex(/^\S*$/, 'must be one line without whitespace'))

export const releaseTag = z.string().check(
  z.regex(/^[^\s\p{Cc}]*$/u, {
    abort: true,
    error: withValue('must be one tag without whitespace'),
  }),
  z.regex(/^(?!refs\/)/, {
    error: withValue(
      'must be the tag alone',
      `${remedyMark}use a tag such as \${{ github.ref_name }}`,
    ),
  }),
)

export const filePath = z
  .string()
  .check(
    z.regex(/^[^\r\n\0]*$/, { abort: true, error: withValue('must be one path on one line') }),
    z.regex(/[^/\\]$/, { error: withValue('must name a file, not a folder') }),
  )

/** A template for a link to each record. */
export const verificationUrl = z.string().check(
  checkWith(text => {
    const problem = checkVerificationTemplate(text)
    if (problem === null) return null
    return `${problem}${gotUrl(text)}${remedyMark}use a URL such as https://notary.example/verification/{hash}`
  }),
)

/** SHA-256 hashes separated by white space, converted to a set in lower case. */
export const hashes = z.pipe(
  z.string().check(
    checkWith(text => {
      const wrong = splitWords(text).find(word => !/^[0-9a-f]{64}$/i.test(word))
      if (wrong === undefined) return null
      return `must contain only SHA-256 hashes of 64 hex digits, separated by white space (got "${quote(wrong, 100)}")`
    }),
  ),
  z.transform((text): ReadonlySet<string> => new Set(splitWords(text.toLowerCase()))),
)

function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

/** The public service, in normal form. */
export const defaultBaseUrl = 'https://app.dedit.io'

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A base URL, converted to the normal form that records use in `service`. */
export const baseUrl = z.pipe(
  z.string().check(checkWith(findBaseUrlProblem)),
  z.transform(text => {
    const { protocol, host, pathname } = new URL(text)
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
  }),
)

function findBaseUrlProblem(text: string): string | null {
  const url = URL.parse(text)
  const value = gotUrl(text, text.replace(/[?#].*/s, ''))
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return `must be one URL without whitespace or backslashes${value}`
  }
  // The parser would read the first part of the path of https:///part as the host.
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
    return `must be a valid URL that starts with https://${value}`
  }
  const faults: string[] = []
  const remedies: string[] = []
  const note = (isWrong: boolean, fault: string, remedy: string): void => {
    if (!isWrong) return
    faults.push(fault)
    remedies.push(remedy)
  }
  const isPlain = url.protocol === 'http:' && !loopbackHost.test(url.hostname)
  note(isPlain, `must start with https://${value}`, 'use the https address of the service')
  const hasCredentials = url.username + url.password !== ''
  note(hasCredentials, 'must not contain credentials', 'put the key into "api-key"')
  const hasMore = /[?#]/.test(text)
  note(hasMore, `must not contain a query or a fragment${value}`, 'use only the address')
  const hasPath = /\/api\/v2(\/|$)/i.test(url.pathname)
  note(hasPath, `must end before /api/v2${value}`, 'remove that part, which the action adds itself')
  if (faults.length === 0) return null
  return `${faults.join('; it ')}${remedyMark}${remedies.join('; ')}`
}
