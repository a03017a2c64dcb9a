import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'
import { readSubscription, type Subscription } from '../service/subscription.ts'
import * as values from './input-values.ts'
import { checkShared, inputNames, parseInputs, type ParsedInputs } from './parse-inputs.ts'

/** Every input, with its default as in `action.yml`. */
const schema = z.object({
  apiKey: z.prefault(values.apiKey, ''),
  /** Normal form. */
  baseUrl: z.prefault(values.baseUrl, values.defaultBaseUrl),
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  /** The text; see `payment`. */
  subscription: z.prefault(z.string(), ''),
  ifNoFilesFound: z.prefault(values.ifNoFilesFound, 'error'),
  /** Relative to the workspace. */
  recordsPath: z.prefault(values.filePath, 'notarization-records.jsonl'),
  maxRegistrations: z.prefault(values.wholeNumber(0, 10_000_000), '100'),
  concurrency: z.prefault(values.wholeNumber(1, 64), '4'),
  maxAttempts: z.prefault(values.wholeNumber(1, 20), '5'),
  timeoutSeconds: z.prefault(values.wholeNumber(1, 600), '30'),
  dryRun: z.prefault(values.boolean, 'false'),
  showSummary: z.prefault(values.boolean, 'true'),
  /** Null if not given. */
  requestRegistration: values.optional(values.boolean),
  description: z.prefault(z.string(), '{artifact} of {repository} at {ref}'),
  verificationUrl: values.optional(values.verificationUrl),
  keepRecords: z.prefault(values.boolean, 'true'),
  releaseTag: values.optional(values.releaseTag),
  attachToRelease: z.prefault(values.boolean, 'false'),
  githubToken: z.prefault(values.githubToken, ''),
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
  const { subscription, baseUrl } = inputs
  const hasData = subscription !== '' && subscription !== 'active'
  const data = hasData ? readSubscription(subscription, nowMs) : null
  const { warnings = [], secrets = [], exempt = [] } = data ?? {}
  const { 'api-key': key = '', 'github-token': token = '' } = rawInputs
  const publicPage = baseUrl === values.defaultBaseUrl ? `${baseUrl}/verification/{hash}` : null
  const allProblems = [...checkRequired(rawInputs, inputs), ...checkShared(rawInputs), ...problems]
  if (hasData && data === null) allProblems.push(problemWith('subscription', dataNeeded))
  return {
    inputs: {
      ...inputs,
      requestRegistration: inputs.requestRegistration ?? subscription === '',
      verificationUrl: inputs.verificationUrl ?? publicPage,
      payment: subscription === 'active' ? 'active' : data,
    },
    problems: allProblems,
    warnings: warnings.map(warning => `input "subscription" ${warning}`),
    // The key and the token as given, because invalid ones are secret too.
    secrets: [key, token, ...secrets],
    exempt,
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
  'is false, but "subscription" is empty, so nothing pays for the registrations; omit this input, or set "subscription" to a secret with the subscription data or to the word active'
const tagNeeded = 'needs "release-tag"; set that to the tag of the release'
const dataNeeded =
  'must be a JSON object with subscription data, such as sessionId and id, base64 of one, or the word active (its text is secret and not shown); to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION'
