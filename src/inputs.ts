import * as z from 'zod/mini'
import {
  applyDefaults,
  baseUrl,
  filePath,
  githubToken,
  input,
  inputProblems,
  oneOf,
  optionalBaseUrl,
  patterns,
  releaseTag,
  verificationUrl,
  wholeNumber,
  yesOrNo,
} from './input-values.ts'
import type { Secrets } from './secrets.ts'
import {
  readSubscription,
  severalLines,
  type Subscription,
  type SubscriptionReading,
} from './service/subscription.ts'
import type { Problem } from './stop.ts'

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

/** What the other inputs mean for a field. */
interface Context {
  readonly raw: RawInputs
  readonly subscription: SubscriptionReading | null
}

const policy = oneOf('error', 'warn', 'ignore')
const deferral = oneOf('error', 'warn')

const isTrue = (text: string): boolean => yesOrNo.safeParse(text).data === true

const attach = (tag: string) =>
  z.pipe(
    yesOrNo,
    z.transform((value: boolean, { issues }) => {
      const message = 'needs "release-tag"; give the tag of the release'
      if (value && tag === '') issues.push({ code: 'custom', message, input: value })
      return value
    }),
  )

const fields = ({ raw }: Context) => ({
  path: patterns(raw.checksums + raw['release-tag']),
  checksums: z.string(),
  'if-no-files-found': policy,
  'records-path': filePath,
  'max-registrations': wholeNumber(0, 10_000_000),
  concurrency: wholeNumber(1, 64),
  'max-attempts': wholeNumber(1, 20),
  'timeout-seconds': wholeNumber(1, 600),
  'dry-run': yesOrNo,
  'show-summary': yesOrNo,
  'request-registration': yesOrNo,
  description: z.string(),
  'verification-url': verificationUrl,
  'release-tag': releaseTag,
  'attach-to-release': attach(raw['release-tag']),
  'if-service-unavailable': deferral,
  'retry-unanswered': yesOrNo,
  'github-token': githubToken(raw['release-tag']),
})

const common = (read: z.infer<z.ZodMiniObject<ReturnType<typeof fields>>>) => ({
  path: read.path,
  checksums: read.checksums,
  ifNoFilesFound: read['if-no-files-found'],
  recordsPath: read['records-path'],
  maxRegistrations: read['max-registrations'],
  concurrency: read.concurrency,
  maxAttempts: read['max-attempts'],
  timeoutMs: 1000 * read['timeout-seconds'],
  showSummary: read['show-summary'],
  description: read.description,
  verificationUrl: read['verification-url'],
  releaseTag: read['release-tag'],
  attachToRelease: read['attach-to-release'],
  ifServiceUnavailable: read['if-service-unavailable'],
  retryUnanswered: read['retry-unanswered'],
  githubToken: read['github-token'],
})

const dryRunSchema = (context: Context) =>
  z.pipe(
    z.object({
      ...fields(context),
      'api-key': apiKey(true),
      'base-url': optionalBaseUrl,
      subscription: subscription(context, false),
    }),
    z.transform(read => ({
      ...common(read),
      isDryRun: true as const,
      baseUrl: read['base-url'],
    })),
  )

const notarizeSchema = (context: Context) =>
  z.pipe(
    z.object({
      ...fields(context),
      'api-key': apiKey(false),
      'base-url': baseUrl,
      subscription: subscription(context, !isTrue(context.raw['request-registration'])),
    }),
    z.transform(read => ({
      ...common(read),
      isDryRun: false as const,
      apiKey: read['api-key'],
      baseUrl: read['base-url'],
      /** How registrations are made; a `subscription` of null: that of the request's answer pays. */
      way: {
        kind: read['request-registration'] ? ('request' as const) : ('complete' as const),
        subscription: read.subscription,
      },
    })),
  )

/** Checked inputs of a dry run, which needs no secret and no service. */
export type DryRunInputs = z.infer<ReturnType<typeof dryRunSchema>>

/** Checked inputs of a run that notarizes. */
export type NotarizeInputs = z.infer<ReturnType<typeof notarizeSchema>>

/** Checked inputs; `isDryRun` tells the two apart. */
export type Inputs = DryRunInputs | NotarizeInputs

/** One line; may be missing in a dry run only. */
function apiKey(isOptional: boolean) {
  return input(value => {
    if (value === '' && !isOptional) {
      const error =
        'is empty; give the secret API key, for example ${{ secrets.NOTARIZATION_API_KEY }} (secrets are not given to runs from forks; with dry-run: true none is needed)'
      return { error }
    }
    const error = 'must be one line; store the key without line breaks'
    return /[\r\n]/.test(value) ? { error } : { value }
  })
}

/** Subscription data; `active` to have it retrieved, null without any. */
function subscription({ subscription: reading }: Context, isNeeded: boolean) {
  return input<Subscription | 'active' | null>(text => {
    if (text === 'active') return { value: 'active' }
    if (reading === null) return isNeeded ? { error: missingSubscription } : { value: null }
    return reading.errors.length > 0
      ? { error: reading.errors.join('; ') }
      : { value: reading.subscription }
  })
}

const missingSubscription =
  'is empty; give the subscription data as one line of JSON or as base64, from a secret, or the word active (secrets are not given to runs from forks; with dry-run: true none is needed)'

/** What reading the inputs gives. `secrets` must be masked before anything is said. */
export interface InputReading {
  /** Null if anything is wrong. */
  readonly inputs: Inputs | null
  /** Everything that is wrong, at once. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  readonly notices: readonly string[]
  readonly secrets: readonly string[]
  /** Values that must stay readable. */
  readonly spared: readonly string[]
  /** What a run with wrong inputs needs all the same, to name all problems and to report them: as given, or the default. */
  readonly usable: UsableInputs
  /** When the period of the given subscription ended, epoch milliseconds; null while it goes on. */
  readonly periodEndedMs: number | null
}

/** See {@link InputReading.usable}. */
export type UsableInputs = Pick<
  Inputs,
  | 'path'
  | 'checksums'
  | 'ifNoFilesFound'
  | 'recordsPath'
  | 'releaseTag'
  | 'attachToRelease'
  | 'verificationUrl'
  | 'ifServiceUnavailable'
  | 'showSummary'
  | 'baseUrl'
> & { readonly isDryRun: boolean }

/** Checks all inputs at once; pure. Each problem names what was given (never a secret) and the remedy. */
export function readInputs(given: RawInputs, nowMs: number): InputReading {
  const raw = applyDefaults(inputDefaults, given)
  const hasData = raw.subscription !== '' && raw.subscription !== 'active'
  const data = hasData ? readSubscription(raw.subscription, nowMs) : null
  const context = { raw, subscription: data }
  const isDryRun = isTrue(raw['dry-run'])
  const schema = isDryRun ? dryRunSchema(context) : notarizeSchema(context)
  const parsed = schema.safeParse(raw)
  return {
    inputs: parsed.success ? parsed.data : null,
    problems: parsed.success ? [] : inputProblems(parsed.error.issues),
    // What is wrong with data that is not used is no news.
    warnings: (data?.warnings ?? [])
      .filter(warning => !isDryRun || warning === severalLines)
      .map(warning => `input "subscription" ${warning}`),
    notices: data?.subscription?.id === null && !isDryRun ? [noId] : [],
    secrets: [raw['api-key'], raw['github-token'], ...(data?.secrets ?? [])],
    spared: data?.spared ?? [],
    periodEndedMs: data?.periodEndedMs ?? null,
    usable: {
      path: raw.path,
      checksums: raw.checksums,
      ifNoFilesFound: policy.safeParse(raw['if-no-files-found']).data ?? 'error',
      recordsPath: filePath.safeParse(raw['records-path']).data ?? inputDefaults['records-path'],
      releaseTag: releaseTag.safeParse(raw['release-tag']).data ?? null,
      attachToRelease: isTrue(raw['attach-to-release']),
      verificationUrl: verificationUrl.safeParse(raw['verification-url']).data ?? null,
      ifServiceUnavailable: deferral.safeParse(raw['if-service-unavailable']).data ?? 'error',
      showSummary: yesOrNo.safeParse(raw['show-summary']).data ?? true,
      baseUrl: optionalBaseUrl.safeParse(raw['base-url']).data ?? null,
      isDryRun,
    },
  }
}

const noId =
  'input "subscription" has no id, so paymentId of the records cannot be compared with it'

const secretInputs: ReadonlySet<string> = new Set(['api-key', 'subscription', 'github-token'])

/**
 * Inputs are shown in messages, and stand in records and requests: only the secret ones may hold a secret. Any other one
 * that does is a problem, and is left empty, so that no part of it is shown.
 */
export function leaveOutSecrets<Name extends string>(
  given: Readonly<Record<Name, string>>,
  secrets: Secrets,
): { readonly raw: Readonly<Record<Name, string>>; readonly leaks: readonly Problem[] } {
  const raw: Record<Name, string> = { ...given }
  const leaks: Problem[] = []
  for (const name in given) {
    if (secretInputs.has(name) || !secrets.isIn(given[name])) continue
    raw[name] = ''
    const message = `input "${name}" contains the value of a secret (it is not shown); logs and records would publish it, so leave it out`
    leaks.push({ input: name, message })
  }
  return { raw, leaks }
}
