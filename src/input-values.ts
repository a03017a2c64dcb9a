import * as z from 'zod/mini'
import { quote } from './text/escape.ts'
import { checkVerificationTemplate } from './text/verification-url.ts'

/** Trims the texts; an empty one is its default. */
export function applyDefaults<Name extends string>(
  defaults: Readonly<Record<Name, string>>,
  given: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const texts: Record<Name, string> = { ...defaults }
  for (const name in defaults) texts[name] = given[name].trim() || defaults[name]
  return texts
}

/** A value, or what is wrong with the text: what was given (never a secret) and the remedy. */
type Reading<T> = { readonly value: T } | { readonly error: string }

/** The schema of an input that `read` understands. */
export function input<T>(read: (text: string) => Reading<T>) {
  return z.pipe(
    z.string(),
    z.transform((text: string, { issues }): T => {
      const reading = read(text)
      if ('value' in reading) return reading.value
      issues.push({ code: 'custom', message: reading.error, input: undefined })
      return z.NEVER
    }),
  )
}

/** One of some words. */
export function oneOf<const Word extends string>(...words: readonly [Word, ...Word[]]) {
  const listed = `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`
  return z.enum(words, { error: issue => `must be ${listed} (got ${shown(issue.input)})` })
}

/** As `core.getBooleanInput` reads it. */
export const yesOrNo = z.stringbool({
  truthy: ['true', 'True', 'TRUE'],
  falsy: ['false', 'False', 'FALSE'],
  case: 'sensitive',
  error: issue => `must be true or false (got ${shown(issue.input)})`,
})

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number) {
  return input(text => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    return value >= min && value <= max
      ? { value }
      : { error: `must be a whole number from ${min} to ${max} (got ${shown(text)})` }
  })
}

/** `path`: may be empty only if another input names artifacts. */
export function patterns(others: string) {
  const error =
    'is empty and so are "checksums" and "release-tag"; give at least one of them, one pattern a line'
  return input(value => (value === '' && others === '' ? { error } : { value }))
}

/** A tag on one line; null without one. */
export const releaseTag = input<string | null>(text => {
  if (/[\s\p{Cc}]/u.test(text))
    return { error: `must be one tag without white space (got ${shown(text)})` }
  return text.startsWith('refs/')
    ? {
        error: `must be the tag alone (got ${shown(text)}); give for example \${{ github.ref_name }}`,
      }
    : { value: text === '' ? null : text }
})

/** A token, needed only with a release. */
export function githubToken(tag: string) {
  return input(value => {
    if (/\s/.test(value)) return { error: 'must be one line without white space' }
    return value === '' && tag !== ''
      ? { error: 'is empty, and "release-tag" needs it; leave it out to use the token of the job' }
      : { value }
  })
}

/** A path to a file. */
export const filePath = input(value => {
  if (/[\r\n\0]/.test(value)) return { error: `must be one path on one line (got ${shown(value)})` }
  return /[/\\]$/.test(value)
    ? { error: `must name a file, not a folder (got ${shown(value)})` }
    : { value }
})

/** A template; null without one. */
export const verificationUrl = input<string | null>(text => {
  const problem = text === '' ? null : checkVerificationTemplate(text)
  if (problem === null) return { value: text === '' ? null : text }
  const got = text.includes('@') ? '' : ` (got ${shown(text)})`
  return { error: `${problem}${got}; give for example https://notary.example/verification/{hash}` }
})

/** A whole commit id in lower case; null for any. */
export const commitId = input<string | null>(text => {
  if (text === '') return { value: null }
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)) return { value: text.toLowerCase() }
  return { error: `must be a whole commit id of 40 or 64 hex digits (got ${shown(text)})` }
})

/** Whether a base URL leads to this machine: such a service is a simulator. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname = '' } = URL.parse(baseUrl) ?? {}
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** The base URL in normal form, null without one; `service` in the records file is compared with it. */
export const optionalBaseUrl = input<string | null>(text =>
  text === '' ? { value: null } : readBaseUrl(text),
)

/** See {@link optionalBaseUrl}. */
export const baseUrl = input(text =>
  text === '' ? { error: 'is empty; give the https:// URL of the service' } : readBaseUrl(text),
)

function readBaseUrl(text: string): Reading<string> {
  const url = URL.parse(text)
  const got = text.includes('@') ? '' : ` (got ${shown(text.replace(/[?#].*/s, ''))})`
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return { error: `must be one URL without white space or backslashes${got}` }
  }
  // The parser would take the first part of the path for the host of https:///part.
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
    return { error: `must be a URL that starts with https://${got}` }
  }
  const isPlain = url.protocol === 'http:' && !isLoopback(text)
  const errors = [
    ...(isPlain ? [`must start with https://${got}; use the https address of the service`] : []),
    ...(url.username !== '' || url.password !== ''
      ? ['must not contain credentials; the key belongs in "api-key"']
      : []),
    ...(text.includes('?') || text.includes('#')
      ? [`must not contain a query or a fragment${got}; give the address alone`]
      : []),
    ...(/\/api\/v2(\/|$)/i.test(url.pathname)
      ? [`must stop before /api/v2${got}; the action adds that part itself`]
      : []),
  ]
  return errors.length > 0
    ? { error: errors.join('; it ') }
    : { value: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}` }
}

function shown(value: unknown): string {
  return `"${quote(typeof value === 'string' ? value : '', 100)}"`
}

/** What is wrong with each input, as a problem of the run. */
export function inputProblems(issues: readonly { path: PropertyKey[]; message: string }[]) {
  return issues.map(({ path, message }) => {
    const name = String(path[0])
    return { input: name, message: `input "${name}" ${message}` }
  })
}
