import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'
import { readSubscription, type Subscription } from '../service/subscription.ts'
import * as shared from './shared-inputs.ts'

/** Every input, with its default as in `action.yml`. */
const schema = z.object({
  apiKey: z.prefault(shared.apiKey, ''),
  /** Normal form. */
  baseUrl: z.prefault(shared.baseUrl, shared.defaultBaseUrl),
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  /** The text; see `payment`. */
  subscription: z.prefault(z.string(), ''),
  ifNoFilesFound: z.prefault(shared.ifNoFilesFound, 'error'),
  /** Relative to the workspace. */
  recordsPath: z.prefault(shared.filePath, 'notarization-records.jsonl'),
  maxRegistrations: z.prefault(shared.wholeNumber(0, 10_000_000), '100'),
  concurrency: z.prefault(shared.wholeNumber(1, 64), '4'),
  maxAttempts: z.prefault(shared.wholeNumber(1, 20), '5'),
  timeoutSeconds: z.prefault(shared.wholeNumber(1, 600), '30'),
  dryRun: z.prefault(shared.boolean, 'false'),
  showSummary: z.prefault(shared.boolean, 'true'),
  /** Null if not given. */
  requestRegistration: shared.optional(shared.boolean),
  description: z.prefault(z.string(), '{artifact} of {repository} at {ref}'),
  verificationUrl: shared.optional(shared.verificationUrl),
  keepRecords: z.prefault(shared.boolean, 'true'),
  releaseTag: shared.optional(shared.releaseTag),
  attachToRelease: z.prefault(shared.boolean, 'false'),
  githubToken: z.prefault(shared.githubToken, ''),
})

export const notarizeInputNames = shared.inputNames(schema)

/** The inputs of the action that notarizes. */
export interface NotarizeInputs extends Readonly<z.infer<typeof schema>> {
  readonly requestRegistration: boolean
  /** The subscription that pays; null if the answer to each request contains it. */
  readonly payment: Subscription | 'active' | null
}

/** The inputs as read. */
export interface InputReading extends shared.ParsedInputs<NotarizeInputs> {
  readonly warnings: readonly string[]
  /** Values that must stay readable. */
  readonly exempt: readonly string[]
}

/** Checks all inputs at once; pure. */
export function readInputs(rawInputs: RawInputs, nowMs: number): InputReading {
  const { inputs, ...parsed } = shared.parseInputs(schema, rawInputs)
  const { subscription, baseUrl } = inputs
  const hasData = subscription !== '' && subscription !== 'active'
  const data = hasData ? readSubscription(subscription, nowMs) : null
  const { warnings = [], secrets = [], exempt = [] } = data ?? {}
  const publicPage = baseUrl === shared.defaultBaseUrl ? `${baseUrl}/verification/{hash}` : null
  const problems = [...checkRequired(rawInputs, inputs), ...parsed.problems]
  if (hasData && data === null) {
    const text =
      'must be a JSON object with subscription data, such as sessionId and id, base64 of one, or the word active (its text is secret and not shown); to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION'
    problems.push(problemWith('subscription', text))
  }
  return {
    inputs: {
      ...inputs,
      requestRegistration: inputs.requestRegistration ?? subscription === '',
      verificationUrl: inputs.verificationUrl ?? publicPage,
      payment: subscription === 'active' ? 'active' : data,
    },
    problems,
    warnings: warnings.map(warning => `input "subscription" ${warning}`),
    secrets: [...parsed.secrets, ...secrets],
    exempt,
  }
}

/** Finds inputs that are required because of other inputs. */
function checkRequired(
  rawInputs: RawInputs,
  { dryRun, subscription, requestRegistration, attachToRelease }: z.infer<typeof schema>,
): readonly Problem[] {
  const { 'api-key': key = '', 'release-tag': tag = '' } = rawInputs
  const problems: Problem[] = []
  if (!dryRun && key === '') {
    const text =
      'is empty; set it to the secret API key, for example ${{ secrets.NOTARIZATION_API_KEY }} (runs from forks get no secrets; dry-run: true needs none)'
    problems.push(problemWith('api-key', text))
  }
  if (!dryRun && requestRegistration === false && subscription === '') {
    const text =
      'is false, but "subscription" is empty, so nothing pays for the registrations; omit this input, or set "subscription" to a secret with the subscription data or to the word active'
    problems.push(problemWith('request-registration', text))
  }
  if (attachToRelease && tag === '') {
    const text = 'needs "release-tag"; set that to the tag of the release'
    problems.push(problemWith('attach-to-release', text))
  }
  return problems
}
