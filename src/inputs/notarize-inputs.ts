import * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import { readSubscription, type Subscription } from '../service/subscription.ts'
import { findSharedNeeds, readTexts } from './input-texts.ts'
import {
  apiKey,
  baseUrl,
  filePath,
  githubToken,
  oneOf,
  releaseTag,
  verificationUrl,
  wholeNumber,
  yesOrNo,
} from './input-values.ts'

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

/** The texts that the runner gives. */
export type RawInputs = Readonly<Record<InputName, string>>

const schema = z.object({
  apiKey,
  /** Normal form; null without one. */
  baseUrl,
  path: z.string(),
  checksums: z.string(),
  /** The text: the subscription data has a reader of its own. */
  subscription: z.string(),
  ifNoFilesFound: oneOf('error', 'warn', 'ignore'),
  /** Relative to the workspace. */
  recordsPath: filePath,
  maxRegistrations: wholeNumber(0, 10_000_000),
  concurrency: wholeNumber(1, 64),
  maxAttempts: wholeNumber(1, 20),
  timeoutSeconds: wholeNumber(1, 600),
  dryRun: yesOrNo,
  showSummary: yesOrNo,
  requestRegistration: yesOrNo,
  description: z.string(),
  verificationUrl,
  releaseTag,
  attachToRelease: yesOrNo,
  ifServiceUnavailable: oneOf('error', 'warn'),
  githubToken,
})

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
  readonly spared: readonly string[]
}

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readInputs(given: RawInputs, nowMs: number): InputReading {
  const { texts, usable, problems: wrong } = readTexts(schema, inputDefaults, given)
  const isActive = usable.subscription === 'active'
  const hasData = usable.subscription !== '' && !isActive
  const data = hasData ? readSubscription(usable.subscription, nowMs) : null
  const needed = [...findNeeds(texts, usable), ...findSharedNeeds(texts)]
  const wrongData = (data?.errors ?? []).map(error => problemWith('subscription', error))
  const problems = [...needed, ...wrong, ...wrongData]
  const payment = isActive ? 'active' : (data?.subscription ?? null)
  const dataSecrets = data?.secrets ?? []
  return {
    inputs: problems.length > 0 ? null : toInputs(usable, payment),
    usable,
    problems,
    warnings: (data?.warnings ?? []).map(warning => `input "subscription" ${warning}`),
    // The texts, as also a wrong one is secret.
    secrets: [texts['api-key'], texts['github-token'], ...dataSecrets],
    spared: data?.spared ?? [],
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
function findNeeds(texts: RawInputs, usable: UsableInputs): readonly Problem[] {
  const { dryRun, requestRegistration, attachToRelease } = usable
  const problems: Problem[] = []
  if (!dryRun && texts['api-key'] === '') problems.push(problemWith('api-key', keyNeeded))
  if (!dryRun && texts['base-url'] === '') problems.push(problemWith('base-url', urlNeeded))
  if (!dryRun && !requestRegistration && texts.subscription === '') {
    problems.push(problemWith('subscription', subscriptionNeeded))
  }
  if (attachToRelease && texts['release-tag'] === '') {
    problems.push(problemWith('attach-to-release', tagNeeded))
  }
  return problems
}

const whyEmpty = '(secrets are not given to runs from forks; a dry run needs none: dry-run: true)'
const keyNeeded = `is empty; give the secret API key, for example \${{ secrets.NOTARIZATION_API_KEY }} ${whyEmpty}`
const urlNeeded = 'is empty; give the https:// URL of the service'
const subscriptionNeeded = `is empty; give the subscription data as one line of JSON or as base64, from a secret, or the word active ${whyEmpty}`
const tagNeeded = 'needs "release-tag"; give the tag of the release'
