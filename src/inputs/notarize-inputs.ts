import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'
import { readSubscription, type Subscription } from '../service/subscription.ts'
import { recordsName } from '../text/names.ts'
import * as shared from './shared-inputs.ts'

const policy = z.enum(['error', 'warn', 'ignore'], 'must be error, warn or ignore')
const filePath = z.string().check(z.regex(/^.*[^/\\]$/, 'must be the path of one file'))

/** Every input, with its default as in `action.yml`. The common ones include those that name the artifacts. */
const notarizeSchema = z.object({
  ...shared.commonInputs,
  apiKey: z.prefault(shared.secretLine, ''),
  /** The text; see `payment`. */
  subscription: z.prefault(z.string(), ''),
  ifNoFilesFound: z.prefault(policy, 'error'),
  /** Relative to the workspace. */
  recordsPath: z.prefault(filePath, recordsName),
  maxRegistrations: z.prefault(shared.wholeNumber(0, 10_000_000), '100'),
  concurrency: z.prefault(shared.wholeNumber(1, 64), '4'),
  maxAttempts: z.prefault(shared.wholeNumber(1, 20), '7'),
  timeoutSeconds: z.prefault(shared.wholeNumber(1, 600), '60'),
  dryRun: z.prefault(shared.boolean, 'false'),
  /** Null if not given. */
  requestRegistration: shared.optional(shared.boolean),
  description: z.prefault(z.string(), '{artifact} of {repository} at {ref}'),
  verificationUrl: shared.optional(shared.verificationUrl),
  /** Null if the workflow does not name the input. */
  confirmedHashes: z.prefault(shared.hashes, 'none'),
  keepRecords: z.prefault(shared.boolean, 'true'),
  earlierReleases: z.prefault(shared.boolean, 'false'),
})

export interface NotarizeInputs extends Readonly<z.infer<typeof notarizeSchema>> {
  readonly requestRegistration: boolean
  /** The subscription that is charged; null if the response to each request names it. */
  readonly payment: Subscription | 'active' | null
}

const severalLines =
  'input "subscription" has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64'

/** Checks all inputs at once; pure. `keys` and `details` are secret; `exempt` are values of the subscription that must stay readable. */
export function readInputs(rawInputs: RawInputs) {
  const { inputs, keys, ...parsed } = shared.parseInputs(notarizeSchema, rawInputs)
  const { subscription, baseUrl } = inputs
  const hasData = subscription !== '' && subscription !== 'active'
  const data = hasData ? readSubscription(subscription) : null
  const { secrets: details = [], exempt = [] } = data ?? {}
  const publicPage = baseUrl === shared.defaultBaseUrl ? `${baseUrl}/verification/{hash}` : null
  const problems = [...checkRequired(inputs, rawInputs), ...parsed.problems]
  if (hasData && data === null) {
    const text = 'is not subscription data (its value is secret and not shown)'
    const next = 'set the secret to subscription data, or set the input to the word active'
    const hint =
      'subscription data is a JSON object with fields such as sessionId and id, or base64 of one; to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION'
    problems.push(problemWith('subscription', text, { next, hint, needs: 'nothing' }))
  }
  const complete: NotarizeInputs = {
    ...inputs,
    requestRegistration: inputs.requestRegistration ?? subscription === '',
    verificationUrl: inputs.verificationUrl ?? publicPage,
    payment: subscription === 'active' ? 'active' : data,
  }
  const warnings = data !== null && /[\r\n]/.test(subscription) ? [severalLines] : []
  return { inputs: complete, problems, warnings, keys, details, exempt }
}

/** Finds inputs that are required because of other inputs. */
function checkRequired(
  { dryRun, subscription, requestRegistration }: z.infer<typeof notarizeSchema>,
  { 'api-key': key = '' }: RawInputs,
): readonly Problem[] {
  const problems: Problem[] = []
  if (!dryRun && key === '') {
    const next =
      'make sure that the secret in "api-key" exists and that this job can read it, such as ${{ secrets.NOTARIZATION_API_KEY }}'
    const hint =
      'runs from forks and of Dependabot get no secrets, a reusable workflow gets only those that are passed to it, and the secrets of an environment need "environment" in the job; with dry-run: true, no key is needed'
    problems.push(problemWith('api-key', 'is empty', { next, hint, needs: 'nothing' }))
  }
  if (!dryRun && requestRegistration === false && subscription === '') {
    const text = 'is false, but "subscription" is empty, so there is no subscription to charge'
    const next =
      'remove this input, or set "subscription" to the word active or to a secret with your subscription data'
    problems.push(problemWith('request-registration', text, { next }))
  }
  return problems
}
