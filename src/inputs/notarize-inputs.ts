import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'
import { readSubscription, type Subscription } from '../service/subscription.ts'
import {
  apiKey,
  baseUrl,
  boolean,
  defaultBaseUrl,
  filePath,
  githubToken,
  oneOf,
  optional,
  releaseTag,
  verificationUrl,
  wholeNumber,
} from './input-values.ts'
import { checkShared, inputNames, parseInputs, type ParsedInputs } from './parse-inputs.ts'

/** Every input, with its default as in `action.yml`. */
const schema = z.object({
  apiKey: z.prefault(apiKey, ''),
  /** Normal form. */
  baseUrl: z.prefault(baseUrl, defaultBaseUrl),
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  /** The text; see `payment`. */
  subscription: z.prefault(z.string(), ''),
  ifNoFilesFound: z.prefault(oneOf('error', 'warn', 'ignore'), 'error'),
  /** Relative to the workspace. */
  recordsPath: z.prefault(filePath, 'notarization-records.jsonl'),
  maxRegistrations: z.prefault(wholeNumber(0, 10_000_000), '100'),
  concurrency: z.prefault(wholeNumber(1, 64), '4'),
  maxAttempts: z.prefault(wholeNumber(1, 20), '5'),
  timeoutSeconds: z.prefault(wholeNumber(1, 600), '30'),
  dryRun: z.prefault(boolean, 'false'),
  showSummary: z.prefault(boolean, 'true'),
  /** Null if not given. */
  requestRegistration: optional(boolean),
  description: z.prefault(z.string(), '{artifact} of {repository} at {ref}'),
  verificationUrl: optional(verificationUrl),
  keepRecords: z.prefault(boolean, 'true'),
  releaseTag: optional(releaseTag),
  attachToRelease: z.prefault(boolean, 'false'),
  githubToken: z.prefault(githubToken, ''),
})

export const notarizeInputNames = inputNames(schema)

/** The inputs of the action that notarizes. */
export interface NotarizeInputs extends Readonly<z.infer<typeof schema>> {
  readonly requestRegistration: boolean
  /** The subscription that pays; null if the answer to each request contains it. */
  readonly payment: Subscription | 'active' | null
}

/** The inputs as read. With any problem, nothing may be sent. */
export interface InputReading extends ParsedInputs<NotarizeInputs> {
  readonly warnings: readonly string[]
  /** Must be masked before anything is logged. */
  readonly secrets: readonly string[]
  /** Values that must stay readable. */
  readonly exempt: readonly string[]
}

/** Checks all inputs at once; pure. Each problem names the value (never a secret) and the remedy. */
export function readInputs(rawInputs: RawInputs, nowMs: number): InputReading {
  const { inputs, problems } = parseInputs(schema, rawInputs)
  const { subscription } = inputs
  const isActive = subscription === 'active'
  const data = subscription === '' || isActive ? null : readSubscription(subscription, nowMs)
  const allProblems = [...checkRequired(rawInputs, inputs), ...checkShared(rawInputs), ...problems]
  const error = data?.error ?? null
  if (error !== null) allProblems.push(problemWith('subscription', error))
  const dataSecrets = data?.secrets ?? []
  const publicPage =
    inputs.baseUrl === defaultBaseUrl ? `${defaultBaseUrl}/verification/{hash}` : null
  return {
    inputs: {
      ...inputs,
      requestRegistration: inputs.requestRegistration ?? subscription === '',
      verificationUrl: inputs.verificationUrl ?? publicPage,
      payment: isActive ? 'active' : (data?.subscription ?? null),
    },
    problems: allProblems,
    warnings: (data?.warnings ?? []).map(warning => `input "subscription" ${warning}`),
    // As given, because an invalid key or token is secret too.
    secrets: [rawInputs['api-key'] ?? '', rawInputs['github-token'] ?? '', ...dataSecrets],
    exempt: data?.exempt ?? [],
  }
}

/** Finds inputs that are required because of other inputs. */
function checkRequired(
  rawInputs: RawInputs,
  { dryRun, subscription, requestRegistration, attachToRelease }: z.infer<typeof schema>,
): readonly Problem[] {
  const isEmpty = (name: string): boolean => (rawInputs[name] ?? '') === ''
  const problems: Problem[] = []
  if (!dryRun && isEmpty('api-key')) problems.push(problemWith('api-key', keyNeeded))
  if (!dryRun && requestRegistration === false && subscription === '') {
    problems.push(problemWith('request-registration', paymentNeeded))
  }
  if (attachToRelease && isEmpty('release-tag')) {
    problems.push(problemWith('attach-to-release', tagNeeded))
  }
  return problems
}

const keyNeeded =
  'is empty; set it to the secret API key, for example ${{ secrets.NOTARIZATION_API_KEY }} (runs from forks get no secrets; dry-run: true needs none)'
const paymentNeeded =
  'is false, but "subscription" is empty, so nothing can pay; omit "request-registration", or set "subscription" to a secret with the subscription data or to the word active'
const tagNeeded = 'needs "release-tag"; set that to the tag of the release'
