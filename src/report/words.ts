/** The one table of what can go wrong: for each reason the likely cause, the next step, and what that needs. */
import type { Failure, Reason, Remedy } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { defaultBaseUrl } from '../inputs/shared-inputs.ts'
import { releaseRemedies } from '../release/octokit.ts'
import type { Host } from '../runtime/outside.ts'

/** Words for a reason: clauses without a period, which fit one file and several. A remedy `needs` the workflow or nothing. */
export interface Words extends Remedy {
  /** The likely cause. */
  readonly cause: string
}

/** A reason of a failure, or what only concerns a whole run. */
export type FindingReason = Reason | 'outputs-not-written'

export const confirmHash = 'records.md#confirm-a-hash'
const subscriptionDocs = 'reference.md#the-subscription'

/** For what only a look-up can settle. */
const lookUp = {
  next: 'look up each file at the service, and confirm those that it has',
  hint: 'to confirm a file, add its SHA-256 to the variable that your workflow passes as "confirmed-hashes"',
  docs: confirmHash,
} as const

const rejected: Words = {
  cause: 'the service rejected the registration',
  next: 'ask the service why it rejected the registration',
}

const maintenance: Words = {
  cause: 'something other than the service responded, probably because of maintenance',
  next: 'wait until the service responds again',
}

export const words: Readonly<Record<FindingReason, Words>> = {
  'wrong-key': {
    cause: 'the service did not accept the API key',
    next: 'replace the key in the secret that you pass as "api-key"',
  },
  'rejected-token': {
    cause: 'the service rejected a token that it had just issued',
    next: 'ask the service what your API key is allowed to do',
  },
  'not-the-service': maintenance,
  blocked: {
    cause: 'something in front of the service, such as bot protection, blocks this runner',
    next: 'ask the service to allow your runners',
    hint: 'the API key and your account are not the cause',
  },
  unpaid: {
    cause: 'the subscription has probably ended, or has no registrations left',
    next: 'renew the subscription at the service',
  },
  forbidden: {
    cause: 'your account is probably not allowed to register files',
    next: 'check the permissions of your account at the service',
  },
  'already-registered': {
    cause: 'the service already has the hash, from an earlier run or an earlier call',
    ...lookUp,
  },
  'no-request': {
    cause: 'the service cannot find the request that this run just made',
    next: 'give the service a few minutes to process the request',
  },
  rejected,
  'request-rejected': rejected,
  'no-subscription': {
    cause: 'the service returned no subscription to charge',
    next: 'activate a subscription at the service',
    docs: subscriptionDocs,
  },
  'unexpected-response': {
    cause: 'the service sent an unexpected response',
    next: 'ask the service about this response',
  },
  redirect: maintenance,
  'not-yet-registered': {
    cause: 'the service accepted the hash, but has not registered it yet',
    next: 'give the service a few minutes to register it',
  },
  'record-mismatch': {
    cause: 'the record from the service does not match the request',
    next: 'ask the service why its record does not match',
  },
  'rate-limit': {
    cause: 'the service asked to wait',
    next: 'wait as long as the service asks, or a few minutes',
  },
  unavailable: {
    cause: 'the service failed or did not respond in time',
    next: 'wait until the service responds',
  },
  unreachable: {
    cause: 'the runner cannot reach the service',
    next: 'check that the service is up, and that the runner has network access',
  },
  proxy: {
    cause: 'the proxy of the runner did not connect to the service',
    next: 'check the proxy in the variable https_proxy of the runner',
  },
  'certificate-untrusted': {
    cause: 'the runner does not trust the certificate of the service',
    next: 'set NODE_EXTRA_CA_CERTS in the workflow for a private certificate authority',
    hint: 'for a public one, report the certificate to the service',
    needs: 'workflow',
  },
  'certificate-expired': {
    cause: 'the certificate of the service has expired',
    next: 'wait until the service has renewed its certificate',
  },
  'certificate-early': {
    cause:
      'the clock of the runner is probably wrong, because the certificate of the service is not valid yet',
    next: 'set the clock of the runner',
  },
  'certificate-name': {
    cause: 'something else probably responds at the address of the service',
    next: 'find out what responds there, such as a firewall or a wrong DNS entry',
  },
  'proxy-certificate': {
    cause: 'the runner does not trust the certificate of the proxy',
    next: "set NODE_EXTRA_CA_CERTS in the workflow to the proxy's certificate authority",
    needs: 'workflow',
  },
  'file-unreadable': {
    cause: 'reading failed',
    next: 'make each file readable, or exclude it from the patterns',
    needs: 'workflow',
  },
  'file-changed': {
    cause: 'the content changed while it was being read',
    next: 'finish writing the files before this step starts',
    needs: 'workflow',
  },
  'asset-changed': {
    cause: 'the download differs from the asset that GitHub lists',
    ...releaseRemedies['asset-changed'],
  },
  'github-token': { cause: 'GitHub rejected the token', ...releaseRemedies['github-token'] },
  'github-permission': {
    cause: 'the token is not allowed to read the release',
    ...releaseRemedies['github-permission'],
  },
  'github-unavailable': {
    cause: 'GitHub failed, did not respond in time, or asked to wait',
    ...releaseRemedies['github-unavailable'],
  },
  'not-saved': {
    cause: 'the records file could not be written',
    next: 'free disk space on the runner, or make {recordsPath} writable',
  },
  canceled: {
    cause: 'the run was canceled',
    next: 'find out who or what canceled the run, such as a timeout or a newer run',
  },
  bug: {
    cause: 'this action has a bug (internal-error)',
    next: 'report the bug at {reportTo}',
  },
  'outputs-not-written': {
    cause: 'the outputs of the step could not be written',
    next: 'make sure that the action can write to the file in GITHUB_OUTPUT',
  },
}

type Variants = Readonly<Partial<Record<FindingReason, Words>>>

const correctAddress = { next: 'correct the input "base-url"', needs: 'workflow' } as const

/** For the login, where the workflow sets "base-url". */
const withAddress: Variants = {
  'not-the-service': {
    cause: 'the input "base-url" is probably not the address of the service',
    ...correctAddress,
  },
  blocked: {
    cause:
      'something other than the service responds at the address in "base-url", or blocks this runner',
    next: 'check the input "base-url", and ask the service to allow your runners',
  },
  redirect: {
    cause: 'the address in the input "base-url" redirects, and redirects are never followed',
    next: 'set the input "base-url" to the final address',
    needs: 'workflow',
  },
  unreachable: {
    cause: 'the runner cannot reach the address in the input "base-url"',
    next: 'check the address in "base-url", that the service is up, and that the runner has network access',
  },
  'certificate-name': {
    cause: 'the address in the input "base-url" has the certificate of another host',
    ...correctAddress,
  },
}

/** Where the workflow passes subscription data. */
const withData: Variants = {
  unpaid: {
    cause:
      'the subscription in the input "subscription" has probably ended or has no registrations left',
    next: 'renew the subscription, and replace the secret that you pass as "subscription"',
    docs: subscriptionDocs,
  },
  rejected: {
    cause: 'the service rejected the registration, probably because of the subscription data',
    next: 'replace the secret that you pass as "subscription"',
    docs: subscriptionDocs,
  },
}

/** Where the service may have registered the hash, but a re-run would probably end in the same way. */
const inDoubt: Variants = {
  'record-mismatch': { cause: words['record-mismatch'].cause, ...lookUp },
  rejected: { ...rejected, ...lookUp },
  'request-rejected': { ...rejected, ...lookUp },
}

/** Where the workflow does not request registrations. */
const withoutRequest: Variants = {
  'no-request': {
    cause: 'the service probably expects a request before it registers a file',
    next: 'set the input "request-registration" to true',
    needs: 'workflow',
  },
}

/** Returns the address of a section of the docs, such as `records.md#lines`. */
export function addressOf(section: string, { environment }: Host): string {
  return `${environment.docsUrl}/${section}`
}

/** Whether only a look-up can settle what became of a hash, although a re-run sends it again. */
export function isForLookUp({ reason, registered }: Failure): boolean {
  return registered === 'unknown' && inDoubt[reason] !== undefined
}

/** Finds the words that fit the inputs: no text tells a reader to correct an input that has its default. */
export function findWords(failure: Failure, inputs: NotarizeInputs): Words {
  const { reason, registered, endsRun } = failure
  const { baseUrl, payment, requestRegistration } = inputs
  let variant: Words | undefined
  if (registered === 'unknown') variant = inDoubt[reason]
  // After a login at an address, it is the right one.
  if (baseUrl !== defaultBaseUrl && endsRun) variant ??= withAddress[reason]
  if (payment !== null && payment !== 'active') variant ??= withData[reason]
  if (!requestRegistration) variant ??= withoutRequest[reason]
  return variant ?? words[reason]
}
