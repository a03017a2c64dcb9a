import {
  applyDefaults,
  integerFrom,
  parseApiKey,
  parseAttach,
  parseBaseUrl,
  parseBoolean,
  parseDeferral,
  parseGithubToken,
  parsePatterns,
  parsePolicy,
  parseRecordsPath,
  parseReleaseTag,
  parseVerificationUrl,
  type Parsed,
  type Policy,
} from './input-values.ts'
import type { Problem } from './outcome.ts'
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
  'request-registration': 'false',
  description: '{artifact} of {repository} at {ref}',
  'verification-url': '',
  'release-tag': '',
  'attach-to-release': 'false',
  'if-service-unavailable': 'error',
  'github-token': '',
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
  /** `active`: to be retrieved from the service; null: none was given. */
  readonly subscription: Subscription | 'active' | null
  readonly ifNoFilesFound: Policy
  /** As given: relative to the workspace, or absolute. */
  readonly recordsPath: string
  readonly maxRegistrations: number
  readonly concurrency: number
  readonly maxAttempts: number
  readonly timeoutMs: number
  readonly isDryRun: boolean
  readonly showSummary: boolean
  readonly requestRegistration: boolean
  /** Template with `{artifact}`, `{repository}` and `{ref}`. */
  readonly description: string
  /** Template with `{hash}` and `{txId}`; null without one. */
  readonly verificationUrl: string | null
  /** Tag of the release whose assets are artifacts, too; null without one. */
  readonly releaseTag: string | null
  readonly attachToRelease: boolean
  readonly ifServiceUnavailable: 'error' | 'warn'
  /** Secret; empty if none is needed. */
  readonly githubToken: string
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

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readInputs(given: RawInputs, nowMs: number): InputReading {
  const raw = applyDefaults(inputDefaults, given)
  const problems: Problem[] = []
  const read = <T>(input: InputName, parse: (text: string) => Parsed<T>, placeholder: T): T => {
    const parsed = parse(raw[input])
    if ('value' in parsed) return parsed.value
    problems.push({ input, message: `input "${input}" ${parsed.error}` })
    return placeholder
  }
  const isDryRun = read('dry-run', parseBoolean, false)
  const requestRegistration = read('request-registration', parseBoolean, false)
  const isGiven = raw.subscription !== '' && raw.subscription !== 'active'
  const reading = isGiven ? readSubscription(raw.subscription, nowMs) : null
  const inputs: Inputs = {
    apiKey: read('api-key', text => parseApiKey(text, isDryRun), ''),
    baseUrl: read('base-url', text => parseBaseUrl(text, isDryRun), null),
    path: read('path', text => parsePatterns(text, raw.checksums + raw['release-tag']), ''),
    checksums: raw.checksums,
    subscription: read<Inputs['subscription']>(
      'subscription',
      () => {
        if (raw.subscription === 'active') return { value: 'active' }
        if (reading === null) {
          const isNeeded = !isDryRun && !requestRegistration
          return isNeeded ? { error: missingSubscription } : { value: null }
        }
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
    requestRegistration,
    description: raw.description,
    verificationUrl: read('verification-url', parseVerificationUrl, null),
    releaseTag: read('release-tag', parseReleaseTag, null),
    attachToRelease: read(
      'attach-to-release',
      text => parseAttach(text, raw['release-tag']),
      false,
    ),
    ifServiceUnavailable: read('if-service-unavailable', parseDeferral, 'error'),
    githubToken: read('github-token', text => parseGithubToken(text, raw['release-tag']), ''),
  }
  const lacksId = reading?.subscription?.id === null
  return {
    inputs,
    problems,
    warnings: (reading?.warnings ?? []).map(warning => `input "subscription" ${warning}`),
    notices: lacksId ? [noId] : [],
    secrets: [raw['api-key'], raw['github-token'], ...(reading?.secrets ?? [])],
    spared: reading?.spared ?? [],
  }
}

const noId =
  'input "subscription" has no id, so paymentId of the records cannot be compared with it'

const missingSubscription =
  'is empty; give the subscription data as one line of JSON or as base64, from a secret, or the word active (secrets are not given to runs from forks; with dry-run: true none is needed)'
