/** The schemas of single inputs, from which both actions compose theirs. */
import * as z from 'zod/mini'
import { quote } from '../text/escape.ts'
import { checkVerificationTemplate } from '../text/verification-url.ts'

/** What a text must be, with what was given: for no input that may hold a secret. */
function got(must: string, remedy = '') {
  return ({ input }: { readonly input?: unknown }): string =>
    `${must} (got ${shown(input)})${remedy}`
}

function shown(value: unknown): string {
  return `"${quote(typeof value === 'string' ? value : '', 100)}"`
}

/** Checks a text by a function that gives what is wrong with it, or null. */
function wrongIf(problemOf: (text: string) => string | null) {
  return z.refine<string>(text => problemOf(text) === null, {
    error: ({ input }) => problemOf(String(input)) ?? undefined,
  })
}

/** What is null by default. */
export function orNull<Value extends z.core.SomeType>(value: Value) {
  return z._default(z.nullable(value), null)
}

/** One of some words. */
export function oneOf<const Word extends string>(...words: readonly [Word, ...Word[]]) {
  const error = got(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`)
  return z.enum(words, { error })
}

/** As `core.getBooleanInput` reads it. */
export const flag = z.stringbool({
  truthy: ['true', 'True', 'TRUE'],
  falsy: ['false', 'False', 'FALSE'],
  case: 'sensitive',
  error: got('must be true or false'),
})

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number) {
  const isWithin = (text: string) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max
  const error = got(`must be a whole number from ${min} to ${max}`)
  return z.pipe(z.string().check(z.refine<string>(isWithin, { error })), z.transform(Number))
}

/** A secret key. */
export const apiKey = z
  .string()
  .check(z.regex(/^[^\r\n]*$/, 'must be one line; store the key without line breaks'))

/** A token for the GitHub API. */
export const githubToken = z
  .string()
  .check(z.regex(/^\S*$/, 'must be one line without white space'))

/** A tag. */
export const releaseTag = z.string().check(
  z.regex(/^[^\s\p{Cc}]*$/u, { abort: true, error: got('must be one tag without white space') }),
  z.regex(/^(?!refs\/)/, {
    error: got('must be the tag alone', '; give for example ${{ github.ref_name }}'),
  }),
)

/** A path to a file. */
export const filePath = z
  .string()
  .check(
    z.regex(/^[^\r\n\0]*$/, { abort: true, error: got('must be one path on one line') }),
    z.regex(/[^/\\]$/, { error: got('must name a file, not a folder') }),
  )

/** A template for a link to each record. */
export const verificationUrl = z.string().check(wrongIf(templateProblem))

function templateProblem(text: string): string | null {
  const problem = checkVerificationTemplate(text)
  if (problem === null) return null
  const given = text.includes('@') ? '' : ` (got ${shown(text)})`
  return `${problem}${given}; give for example https://notary.example/verification/{hash}`
}

/** A whole commit id, in lower case. */
export const commitId = z.string().check(
  z.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/i, {
    error: got('must be a whole commit id of 40 or 64 hex digits'),
  }),
  z.toLowerCase(),
)

/** Whether a base URL leads to this machine: such a service is a simulator. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname = '' } = URL.parse(baseUrl) ?? {}
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** A base URL in normal form; `service` in the records file is compared with it. */
export const baseUrl = z.pipe(
  z.string().check(wrongIf(baseUrlProblem)),
  z.transform(text => {
    const { protocol, host, pathname } = new URL(text)
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
  }),
)

function baseUrlProblem(text: string): string | null {
  const url = URL.parse(text)
  const given = text.includes('@') ? '' : ` (got ${shown(text.replace(/[?#].*/s, ''))})`
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return `must be one URL without white space or backslashes${given}`
  }
  // The parser would take the first part of the path for the host of https:///part.
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
    return `must be a valid URL that starts with https://${given}`
  }
  const problems: string[] = []
  if (url.protocol === 'http:' && !isLoopback(text)) {
    problems.push(`must start with https://${given}; use the https address of the service`)
  }
  if (url.username + url.password !== '') {
    problems.push('must not contain credentials; the key belongs in "api-key"')
  }
  if (/[?#]/.test(text)) {
    problems.push(`must not contain a query or a fragment${given}; give the address alone`)
  }
  if (/\/api\/v2(\/|$)/i.test(url.pathname)) {
    problems.push(`must stop before /api/v2${given}; the action adds that part itself`)
  }
  return problems.length > 0 ? problems.join('; it ') : null
}
