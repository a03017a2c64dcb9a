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

const emptyIsNull = z.transform((text: string) => (text === '' ? null : text))

/** One of some words. */
export function oneOf<const Word extends string>(...words: readonly [Word, ...Word[]]) {
  const error = got(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`)
  return z.enum(words, { error })
}

/** As `core.getBooleanInput` reads it. */
export const yesOrNo = z.stringbool({
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

/** A tag; null without one. */
export const releaseTag = z.pipe(
  z.string().check(
    z.regex(/^[^\s\p{Cc}]*$/u, { abort: true, error: got('must be one tag without white space') }),
    z.regex(/^(?!refs\/)/, {
      error: got('must be the tag alone', '; give for example ${{ github.ref_name }}'),
    }),
  ),
  emptyIsNull,
)

/** A path to a file. */
export const filePath = z
  .string()
  .check(
    z.regex(/^[^\r\n\0]*$/, { abort: true, error: got('must be one path on one line') }),
    z.regex(/[^/\\]$/, { error: got('must name a file, not a folder') }),
  )

/** A template; null without one. */
export const verificationUrl = z.pipe(z.string().check(wrongIf(templateProblem)), emptyIsNull)

function templateProblem(text: string): string | null {
  const problem = text === '' ? null : checkVerificationTemplate(text)
  const given = text.includes('@') ? '' : ` (got ${shown(text)})`
  return problem === null
    ? null
    : `${problem}${given}; give for example https://notary.example/verification/{hash}`
}

/** A whole commit id in lower case; null for any. */
export const commitId = z.pipe(
  z.string().check(
    z.regex(/^([0-9a-f]{40}|[0-9a-f]{64})?$/i, {
      error: got('must be a whole commit id of 40 or 64 hex digits'),
    }),
    z.toLowerCase(),
  ),
  emptyIsNull,
)

/** Whether a base URL leads to this machine: such a service is a simulator. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname = '' } = URL.parse(baseUrl) ?? {}
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** The base URL in normal form, null without one; `service` in the records file is compared with it. */
export const baseUrl = z.pipe(
  z.string().check(wrongIf(baseUrlProblem)),
  z.transform(text => {
    if (text === '') return null
    const { protocol, host, pathname } = new URL(text)
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
  }),
)

function baseUrlProblem(text: string): string | null {
  if (text === '') return null
  const url = URL.parse(text)
  const given = text.includes('@') ? '' : ` (got ${shown(text.replace(/[?#].*/s, ''))})`
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return `must be one URL without white space or backslashes${given}`
  }
  // The parser would take the first part of the path for the host of https:///part.
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
    return `must be a valid URL that starts with https://${given}`
  }
  const problems = [
    url.protocol === 'http:' &&
      !isLoopback(text) &&
      `must start with https://${given}; use the https address of the service`,
    url.username + url.password !== '' &&
      'must not contain credentials; the key belongs in "api-key"',
    /[?#]/.test(text) && `must not contain a query or a fragment${given}; give the address alone`,
    /\/api\/v2(\/|$)/i.test(url.pathname) &&
      `must stop before /api/v2${given}; the action adds that part itself`,
  ].filter(problem => problem !== false)
  return problems.length > 0 ? problems.join('; it ') : null
}
