import * as z from 'zod/mini'
import { quote } from './report/escape.ts'
import { checkVerificationTemplate } from './report/verification-url.ts'

/** What to do about a pattern that matches nothing. */
export type Policy = 'error' | 'warn' | 'ignore'

/** A value, or what is wrong with its text: what was given (never a secret) and the remedy. */
export type Parsed<T> = { readonly value: T } | { readonly error: string }

/** Trims the texts; an empty one is its default. */
export function applyDefaults<Name extends string>(
  defaults: Readonly<Record<Name, string>>,
  given: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const texts: Record<Name, string> = { ...defaults }
  for (const name in defaults) texts[name] = given[name].trim() || defaults[name]
  return texts
}

/** One line; may be missing in a dry run only. */
export function parseApiKey(text: string, isDryRun: boolean): Parsed<string> {
  if (text === '') {
    if (isDryRun) return { value: '' }
    return {
      error:
        'is empty; give the secret API key, for example ${{ secrets.NOTARIZATION_API_KEY }} (secrets are not given to runs from forks; with dry-run: true none is needed)',
    }
  }
  if (/[\r\n]/.test(text)) return { error: 'must be one line; store the key without line breaks' }
  return { value: text }
}

/** `path` may be empty only if another input names artifacts. */
export function parsePatterns(path: string, others: string): Parsed<string> {
  return path === '' && others === ''
    ? {
        error:
          'is empty and so are "checksums" and "release-tag"; give at least one of them, one pattern a line',
      }
    : { value: path }
}

/** As `core.getBooleanInput` reads it. */
export function parseBoolean(text: string): Parsed<boolean> {
  if (['true', 'True', 'TRUE'].includes(text)) return { value: true }
  if (['false', 'False', 'FALSE'].includes(text)) return { value: false }
  return { error: `must be true or false (got ${shown(text)})` }
}

/** `error`, `warn` or `ignore`. */
export function parsePolicy(text: string): Parsed<Policy> {
  const parsed = z.enum(['error', 'warn', 'ignore']).safeParse(text)
  if (parsed.success) return { value: parsed.data }
  return { error: `must be error, warn or ignore (got ${shown(text)})` }
}

/** `error` or `warn`. */
export function parseDeferral(text: string): Parsed<'error' | 'warn'> {
  const parsed = z.enum(['error', 'warn']).safeParse(text)
  if (parsed.success) return { value: parsed.data }
  return { error: `must be error or warn (got ${shown(text)})` }
}

/** A tag on one line; null without one. */
export function parseReleaseTag(text: string): Parsed<string | null> {
  if (/[\s\p{Cc}]/u.test(text))
    return { error: `must be one tag without white space (got ${shown(text)})` }
  if (text.startsWith('refs/')) {
    return {
      error: `must be the tag alone (got ${shown(text)}); give for example \${{ github.ref_name }}`,
    }
  }
  return { value: text === '' ? null : text }
}

/** A boolean that makes sense only with a release. */
export function parseAttach(text: string, releaseTag: string): Parsed<boolean> {
  const parsed = parseBoolean(text)
  return 'value' in parsed && parsed.value && releaseTag === ''
    ? { error: 'needs "release-tag"; give the tag of the release' }
    : parsed
}

/** A token; needed only with a release. */
export function parseGithubToken(text: string, releaseTag: string): Parsed<string> {
  if (/\s/.test(text)) return { error: 'must be one line without white space' }
  return text === '' && releaseTag !== ''
    ? { error: 'is empty, and "release-tag" needs it; leave it away to use the token of the job' }
    : { value: text }
}

/** A path to a file. */
export function parseRecordsPath(text: string): Parsed<string> {
  if (/[\r\n\0]/.test(text)) return { error: `must be one path on one line (got ${shown(text)})` }
  if (/[/\\]$/.test(text)) return { error: `must name a file, not a folder (got ${shown(text)})` }
  return { value: text }
}

/** A whole number within bounds, both included. */
export function integerFrom(min: number, max: number): (text: string) => Parsed<number> {
  return text => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    return value >= min && value <= max
      ? { value }
      : { error: `must be a whole number from ${min} to ${max} (got ${shown(text)})` }
  }
}

/** A template; null without one. */
export function parseVerificationUrl(text: string): Parsed<string | null> {
  if (text === '') return { value: null }
  const problem = checkVerificationTemplate(text)
  if (problem === null) return { value: text }
  const got = text.includes('@') ? '' : ` (got ${shown(text)})`
  return { error: `${problem}${got}; give for example https://notary.example/verification/{hash}` }
}

function shown(text: string): string {
  return `"${quote(text, 100)}"`
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The base URL in normal form; `service` in the records file is compared with it. */
export function parseBaseUrl(text: string, isDryRun: boolean): Parsed<string | null> {
  if (text === '') {
    return isDryRun ? { value: null } : { error: 'is empty; give the https:// URL of the service' }
  }
  const url = URL.parse(text)
  const got = text.includes('@') ? '' : ` (got ${shown(text.replace(/[?#].*/s, ''))})`
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return { error: `must be one URL without white space or backslashes${got}` }
  }
  // The parser would take the first part of the path for the host of https:///part.
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
    return { error: `must be a URL that starts with https://${got}` }
  }
  const isPlain = url.protocol === 'http:' && !loopbackHost.test(url.hostname)
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
  if (errors.length > 0) return { error: errors.join('; it ') }
  return { value: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}` }
}
