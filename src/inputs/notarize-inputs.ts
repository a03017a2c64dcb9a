import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'
import { readSubscription, type Subscription } from '../service/subscription.ts'
import {
  apiKey,
  baseUrl,
  filePath,
  githubToken,
  oneOf,
  orNull,
  releaseTag,
  verificationUrl,
  wholeNumber,
  flag,
} from './input-values.ts'
import { checkShared, inputNames, parseInputs } from './parse-inputs.ts'

/** Every input, with its default as in `action.yml`. */
const schema = z.object({
  apiKey: z.prefault(apiKey, ''),
  /** Normal form; null without one. */
  baseUrl: orNull(baseUrl),
  path: z.prefault(z.string(), ''),
  checksums: z.prefault(z.string(), ''),
  /** The text: the subscription data has a reader of its own. */
  subscription: z.prefault(z.string(), ''),
  ifNoFilesFound: z.prefault(oneOf('error', 'warn', 'ignore'), 'error'),
  /** Relative to the workspace. */
  recordsPath: z.prefault(filePath, 'notarization-records.jsonl'),
  maxRegistrations: z.prefault(wholeNumber(0, 10_000_000), '100'),
  concurrency: z.prefault(wholeNumber(1, 64), '4'),
  maxAttempts: z.prefault(wholeNumber(1, 20), '5'),
  timeoutSeconds: z.prefault(wholeNumber(1, 600), '30'),
  dryRun: z.prefault(flag, 'false'),
  showSummary: z.prefault(flag, 'true'),
  requestRegistration: z.prefault(flag, 'false'),
  description: z.prefault(z.string(), '{artifact} of {repository} at {ref}'),
  verificationUrl: orNull(verificationUrl),
  releaseTag: orNull(releaseTag),
  attachToRelease: z.prefault(flag, 'false'),
  ifServiceUnavailable: z.prefault(oneOf('error', 'warn'), 'error'),
  githubToken: z.prefault(githubToken, ''),
})

/** The names of the inputs. */
export const notarizeInputNames = inputNames(schema)

/** The inputs, each by itself: as given, or the default where that is wrong. */
export type UsableInputs = Readonly<z.infer<typeof schema>>

/** Checked inputs of a dry run, which needs no secret and no service. */
export interface DryRunInputs extends UsableInputs {
  readonly kind: 'dry-run'
}

/** Checked inputs of a run that notarizes. */
export interface NotarizeInputs extends UsableInputs {
  readonly kind: 'notarize'
  readonly baseUrl: string
  /** What pays; null if the data of the answer to each request does. */
  readonly payment: Subscription | 'active' | null
}

/** What reading the inputs gives. */
export interface InputReading {
  /** Null if anything is wrong. */
  readonly inputs: DryRunInputs | NotarizeInputs | null
  /** What a run with wrong inputs uses to name all problems and to report them. */
  readonly usable: UsableInputs
  /** Everything that is wrong, at once. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Must be masked before anything is logged. */
  readonly secrets: readonly string[]
  /** Values that must stay readable. */
  readonly exempt: readonly string[]
}

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readInputs(given: RawInputs, nowMs: number): InputReading {
  const { usable, problems: wrong } = parseInputs(schema, given)
  const isActive = usable.subscription === 'active'
  const hasData = usable.subscription !== '' && !isActive
  const data = hasData ? readSubscription(usable.subscription, nowMs) : null
  const wrongData = (data?.errors ?? []).map(error => problemWith('subscription', error))
  const needed = [...checkRequired(given, usable), ...checkShared(given)]
  const problems = [...needed, ...wrong, ...wrongData]
  const payment = isActive ? 'active' : (data?.subscription ?? null)
  const dataSecrets = data?.secrets ?? []
  // The texts, as also a wrong one is secret.
  const { 'api-key': key = '', 'github-token': token = '' } = given
  return {
    inputs: problems.length > 0 ? null : toInputs(usable, payment),
    usable,
    problems,
    warnings: (data?.warnings ?? []).map(warning => `input "subscription" ${warning}`),
    secrets: [key, token, ...dataSecrets],
    exempt: data?.exempt ?? [],
  }
}

function toInputs(
  usable: UsableInputs,
  payment: NotarizeInputs['payment'],
): DryRunInputs | NotarizeInputs | null {
  if (usable.dryRun) return { ...usable, kind: 'dry-run' }
  const { baseUrl } = usable
  return baseUrl === null ? null : { ...usable, kind: 'notarize', baseUrl, payment }
}

/** What is wrong with an input only because of the others. */
function checkRequired(given: RawInputs, usable: UsableInputs): readonly Problem[] {
  const { dryRun, requestRegistration, attachToRelease } = usable
  const isEmpty = (name: string): boolean => (given[name] ?? '') === ''
  const problems: Problem[] = []
  if (!dryRun && isEmpty('api-key')) problems.push(problemWith('api-key', keyNeeded))
  if (!dryRun && isEmpty('base-url')) problems.push(problemWith('base-url', urlNeeded))
  if (!dryRun && !requestRegistration && isEmpty('subscription')) {
    problems.push(problemWith('subscription', subscriptionNeeded))
  }
  if (attachToRelease && isEmpty('release-tag')) {
    problems.push(problemWith('attach-to-release', tagNeeded))
  }
  return problems
}

const whyEmpty = '(secrets are not given to runs from forks; a dry run needs none: dry-run: true)'
const keyNeeded = `is empty; give the secret API key, for example \${{ secrets.NOTARIZATION_API_KEY }} ${whyEmpty}`
const urlNeeded = 'is empty; give the https:// URL of the service'
const subscriptionNeeded = `is empty; give the subscription data as one line of JSON or as base64, from a secret, or the word active ${whyEmpty}`
const tagNeeded = 'needs "release-tag"; give the tag of the release'
