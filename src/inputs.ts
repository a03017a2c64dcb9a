import * as z from 'zod/mini'
import { readTexts, sharedNeeds } from './input-texts.ts'
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
import { readSubscription, severalLines, type Subscription } from './service/subscription.ts'
import { problemWith, type Problem } from './stop.ts'

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
  'retry-unanswered': 'true',
  'github-token': '',
} as const

/** Name of an input. */
export type InputName = keyof typeof inputDefaults

/** The texts that the runner gives, trimmed. */
export type RawInputs = Readonly<Record<InputName, string>>

/** Each input by itself; what it needs of the others comes after. The subscription data has a reader of its own. */
const schema = z.pipe(
  z.object({
    apiKey,
    baseUrl,
    path: z.string(),
    checksums: z.string(),
    ifNoFilesFound: oneOf('error', 'warn', 'ignore'),
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
    retryUnanswered: yesOrNo,
    githubToken,
  }),
  z.transform(({ dryRun, timeoutSeconds, ...read }) => ({
    ...read,
    isDryRun: dryRun,
    timeoutMs: timeoutSeconds * 1000,
  })),
)

/** The inputs, each by itself: as given, or by default where that is wrong. */
export type UsableInputs = Readonly<z.infer<typeof schema>>

type CommonInputs = Omit<UsableInputs, 'apiKey' | 'requestRegistration'>

/** Checked inputs of a dry run, which needs no secret and no service. */
export interface DryRunInputs extends CommonInputs {
  readonly isDryRun: true
}

/** Checked inputs of a run that notarizes. */
export interface NotarizeInputs extends CommonInputs {
  readonly isDryRun: false
  readonly apiKey: string
  readonly baseUrl: string
  /** How registrations are made; a `subscription` of null: that of the request's answer pays. */
  readonly way: {
    readonly kind: 'request' | 'complete'
    readonly subscription: Subscription | 'active' | null
  }
}

/** Checked inputs; `isDryRun` tells the two apart. */
export type Inputs = DryRunInputs | NotarizeInputs

/** What reading the inputs gives. */
export type InputReading = ReturnType<typeof readInputs>

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readInputs(given: RawInputs, nowMs: number) {
  const { texts, usable, problems: wrong } = readTexts(schema, inputDefaults, given)
  const { isDryRun } = usable
  const isActive = texts.subscription === 'active'
  const hasData = texts.subscription !== '' && !isActive
  const data = hasData ? readSubscription(texts.subscription, nowMs) : null
  const dataErrors = data?.errors ?? []
  const problems: readonly Problem[] = [
    ...findNeeds(texts, usable),
    ...wrong,
    ...(dataErrors.length > 0 ? [problemWith('subscription', dataErrors.join('; '))] : []),
  ]
  const subscription = isActive ? 'active' : (data?.subscription ?? null)
  return {
    /** Null if anything is wrong. */
    inputs: problems.length > 0 ? null : toInputs(usable, subscription),
    /** Everything that is wrong, at once. */
    problems,
    // What is wrong with data that is not used is no news.
    warnings: (data?.warnings ?? [])
      .filter(warning => !isDryRun || warning === severalLines)
      .map(warning => `input "subscription" ${warning}`),
    notices: data?.subscription?.id === null && !isDryRun ? [noId] : [],
    /** Must be masked before anything is said. */
    secrets: [texts['api-key'], texts['github-token'], ...(data?.secrets ?? [])],
    /** Values that must stay readable. */
    spared: data?.spared ?? [],
    /** When the period of the given subscription ended, epoch milliseconds; null while it goes on. */
    periodEndedMs: data?.periodEndedMs ?? null,
    /** What a run with wrong inputs goes by all the same, to name all problems and to report them. */
    usable,
  }
}

function toInputs(
  { apiKey, requestRegistration, isDryRun, baseUrl, ...common }: UsableInputs,
  subscription: NotarizeInputs['way']['subscription'],
): Inputs | null {
  if (isDryRun) return { ...common, baseUrl, isDryRun }
  if (baseUrl === null) return null
  const kind = requestRegistration ? 'request' : 'complete'
  return { ...common, baseUrl, isDryRun, apiKey, way: { kind, subscription } }
}

/** What is wrong with an input only because of the others. */
function findNeeds(
  texts: RawInputs,
  { isDryRun, requestRegistration, attachToRelease }: UsableInputs,
): readonly Problem[] {
  const isEmpty = (input: InputName): boolean => texts[input] === ''
  return [
    !isDryRun && isEmpty('api-key') && problemWith('api-key', keyNeeded),
    !isDryRun && isEmpty('base-url') && problemWith('base-url', urlNeeded),
    !isDryRun &&
      !requestRegistration &&
      isEmpty('subscription') &&
      problemWith('subscription', subscriptionNeeded),
    attachToRelease && isEmpty('release-tag') && problemWith('attach-to-release', tagNeeded),
    ...sharedNeeds(texts),
  ].filter(problem => problem !== false)
}

const whyEmpty = '(secrets are not given to runs from forks; with dry-run: true none is needed)'
const keyNeeded = `is empty; give the secret API key, for example \${{ secrets.NOTARIZATION_API_KEY }} ${whyEmpty}`
const urlNeeded = 'is empty; give the https:// URL of the service'
const subscriptionNeeded = `is empty; give the subscription data as one line of JSON or as base64, from a secret, or the word active ${whyEmpty}`
const tagNeeded = 'needs "release-tag"; give the tag of the release'
const noId =
  'input "subscription" has no id, so paymentId of the records cannot be compared with it'
