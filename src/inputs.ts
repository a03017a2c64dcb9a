import * as z from 'zod/mini'
import type { Problem } from './outcome.ts'
import { quote } from './report/escape.ts'
import { readSubscription, type Subscription } from './service/core/subscription.ts'

/** Every input with its default, as in `action.yml`. An empty input is its default. */
export const inputDefaults = {
  'api-key': '',
  'base-url': '',
  path: '',
  checksums: '',
  subscription: '',
  'if-no-files-found': 'error',
  'records-path': 'notarization-records.jsonl',
  'max-registrations': '100',
  concurrency: '4',
  'max-attempts': '5',
  'timeout-seconds': '30',
  'dry-run': 'false',
  'show-summary': 'true',
} as const

/** Name of an input. */
export type InputName = keyof typeof inputDefaults

/** The texts that the runner gives, trimmed. */
export type RawInputs = Readonly<Record<InputName, string>>

/** Checked inputs. Where {@link InputReading.problems} names an input, its value here is only a placeholder. */
export interface Inputs {
  readonly apiKey: string
  /** Normal form without trailing slash; null when a dry run has none. */
  readonly baseUrl: string | null
  /** Patterns, one a line. */
  readonly path: string
  /** Patterns of checksums files, one a line. */
  readonly checksums: string
  readonly subscription: Subscription | null
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  /** As given: relative to the workspace, or absolute. */
  readonly recordsPath: string
  readonly maxRegistrations: number
  readonly concurrency: number
  readonly maxAttempts: number
  readonly timeoutMs: number
  readonly isDryRun: boolean
  readonly showSummary: boolean
}

/** What reading the inputs gives: everything that is wrong at once. `secrets` must be masked before anything is said. */
export interface InputReading {
  readonly inputs: Inputs
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  readonly notices: readonly string[]
  readonly secrets: readonly string[]
  readonly spared: readonly string[]
}

type Parsed<T> = { readonly value: T } | { readonly error: string }

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readInputs(given: RawInputs, nowMs: number): InputReading {
  const raw = withDefaults(given)
  const problems: Problem[] = []
  const read = <T>(input: InputName, parse: (text: string) => Parsed<T>, placeholder: T): T => {
    const parsed = parse(raw[input])
    if ('value' in parsed) return parsed.value
    problems.push({ input, message: `input "${input}" ${parsed.error}` })
    return placeholder
  }
  const isDryRun = read('dry-run', parseBoolean, false)
  const reading = raw.subscription === '' ? null : readSubscription(raw.subscription, nowMs)
  const inputs: Inputs = {
    apiKey: read('api-key', text => parseApiKey(text, isDryRun), ''),
    baseUrl: read('base-url', text => parseBaseUrl(text, isDryRun), null),
    path: read('path', text => parsePatterns(text, raw.checksums), ''),
    checksums: raw.checksums,
    subscription: read(
      'subscription',
      () => {
        if (reading === null) return isDryRun ? { value: null } : { error: missingSubscription }
        return reading.errors.length > 0
          ? { error: reading.errors.join('; ') }
          : { value: reading.subscription }
      },
      null,
    ),
    ifNoFilesFound: read('if-no-files-found', parsePolicy, 'error'),
    recordsPath: read('records-path', parseRecordsPath, inputDefaults['records-path']),
    maxRegistrations: read('max-registrations', integerFrom(0, 10_000_000), 100),
    concurrency: read('concurrency', integerFrom(1, 64), 4),
    maxAttempts: read('max-attempts', integerFrom(1, 20), 5),
    timeoutMs: 1000 * read('timeout-seconds', integerFrom(1, 600), 30),
    isDryRun,
    showSummary: read('show-summary', parseBoolean, true),
  }
  const lacksId = inputs.subscription !== null && inputs.subscription.id === null
  return {
    inputs,
    problems,
    warnings: (reading?.warnings ?? []).map(warning => `input "subscription" ${warning}`),
    notices: lacksId ? [noId] : [],
    secrets: [raw['api-key'], ...(reading?.secrets ?? [])],
    spared: reading?.spared ?? [],
  }
}

const noId =
  'input "subscription" has no id, so paymentId of the records cannot be compared with it'

const missingSubscription =
  'is empty; give the subscription data as one line of JSON or as base64, from a secret (secrets are not given to runs from forks; with dry-run: true none is needed)'

function withDefaults(given: RawInputs): RawInputs {
  const or = (name: InputName): string =>
    given[name].trim() === '' ? inputDefaults[name] : given[name].trim()
  return {
    'api-key': or('api-key'),
    'base-url': or('base-url'),
    path: or('path'),
    checksums: or('checksums'),
    subscription: or('subscription'),
    'if-no-files-found': or('if-no-files-found'),
    'records-path': or('records-path'),
    'max-registrations': or('max-registrations'),
    concurrency: or('concurrency'),
    'max-attempts': or('max-attempts'),
    'timeout-seconds': or('timeout-seconds'),
    'dry-run': or('dry-run'),
    'show-summary': or('show-summary'),
  }
}

function parseApiKey(text: string, isDryRun: boolean): Parsed<string> {
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

function parsePatterns(path: string, checksums: string): Parsed<string> {
  return path === '' && checksums === ''
    ? { error: 'is empty and so is "checksums"; give at least one of them, one pattern a line' }
    : { value: path }
}

function parseBoolean(text: string): Parsed<boolean> {
  if (['true', 'True', 'TRUE'].includes(text)) return { value: true }
  if (['false', 'False', 'FALSE'].includes(text)) return { value: false }
  return { error: `must be true or false (got ${shown(text)})` }
}

function parsePolicy(text: string): Parsed<Inputs['ifNoFilesFound']> {
  const parsed = z.enum(['error', 'warn', 'ignore']).safeParse(text)
  if (parsed.success) return { value: parsed.data }
  return { error: `must be error, warn or ignore (got ${shown(text)})` }
}

function parseRecordsPath(text: string): Parsed<string> {
  if (/[\r\n\0]/.test(text)) return { error: 'must be one path on one line' }
  if (/[/\\]$/.test(text)) return { error: `must name a file, not a folder (got ${shown(text)})` }
  return { value: text }
}

function integerFrom(min: number, max: number): (text: string) => Parsed<number> {
  return text => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    return value >= min && value <= max
      ? { value }
      : { error: `must be a whole number from ${min} to ${max} (got ${shown(text)})` }
  }
}

function shown(text: string): string {
  return `"${quote(text, 100)}"`
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The base URL in normal form; `service` in the records file is compared with it. */
function parseBaseUrl(text: string, isDryRun: boolean): Parsed<string | null> {
  if (text === '') {
    return isDryRun ? { value: null } : { error: 'is empty; give the https:// URL of the service' }
  }
  if (/[\s\p{Cc}\\]/u.test(text))
    return { error: 'must be one URL without white space or backslashes' }
  const url = URL.parse(text)
  const got = text.includes('@') ? '' : ` (got ${shown(text.replace(/[?#].*/, ''))})`
  if (url === null || !/^https?:\/\//i.test(text)) {
    return { error: `must be a URL that starts with https://${got}` }
  }
  if (url.username !== '' || url.password !== '') {
    return { error: 'must not contain credentials; the key belongs in "api-key"' }
  }
  if (text.includes('?') || text.includes('#')) {
    return { error: `must not contain a query or a fragment${got}; give the address alone` }
  }
  if (/\/api\/v2(\/|$)/i.test(url.pathname)) {
    return { error: `must stop before /api/v2${got}; the action adds that part itself` }
  }
  if (url.protocol === 'http:' && !loopbackHost.test(url.hostname)) {
    return { error: `must start with https://${got}; use the https address of the service` }
  }
  return { value: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}` }
}
