/** The one table of what went wrong: for each reason, the likely cause, the next step, and what that changes. */
import type { Needs, Reason } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { defaultBaseUrl } from '../inputs/shared-inputs.ts'

/** Words for a reason: clauses without a period, which fit one file and several. */
export interface Words {
  /** The likely cause. */
  readonly cause: string
  /** What to do, without how to run again. */
  readonly next: string
  readonly needs: Needs
}

/** Reasons whose words depend on the inputs, and what goes wrong apart from artifacts. */
const variants = [
  'wrong-address',
  'wrong-host',
  'wrong-redirect',
  'unpaid-data',
  'rejected-data',
  'record-in-log',
  'outputs-not-written',
] as const

/** What a finding is about. */
export type FindingReason = Reason | (typeof variants)[number]

const addHash = 'name its SHA-256 in "confirmed-hashes"'

/** The words for each reason, in the order of the docs. */
export const words: Readonly<Record<FindingReason, Words>> = {
  'wrong-key': {
    cause: 'the service rejected the API key',
    next: 'replace the secret that you pass as "api-key" with a valid key',
    needs: 'secret',
  },
  'rejected-token': {
    cause: 'the service rejected a token that it had just issued',
    next: 'check at the service what your API key is allowed to do',
    needs: 'nothing',
  },
  'not-the-service': {
    cause: 'the service did not respond like itself, and is probably under maintenance',
    next: 'wait until the service is available',
    needs: 'nothing',
  },
  'wrong-address': {
    cause: '"base-url" is probably not the address of the service',
    next: 'correct the input "base-url"',
    needs: 'workflow',
  },
  unpaid: {
    cause: 'the subscription has probably ended or is used up',
    next: 'renew the subscription at the service',
    needs: 'nothing',
  },
  'unpaid-data': {
    cause: 'the subscription has probably ended or is used up',
    next: 'renew the subscription, and update the secret that you pass as "subscription"',
    needs: 'secret',
  },
  forbidden: {
    cause: 'the account is probably not allowed to register files',
    next: 'check the permissions of your account at the service',
    needs: 'nothing',
  },
  'no-request': {
    cause: 'the service probably has no request for this file',
    next: 'set the input "request-registration" to true',
    needs: 'workflow',
  },
  'request-not-found': {
    cause: 'the service cannot find the request that this run just made',
    next: 'wait a few minutes',
    needs: 'nothing',
  },
  'already-registered': {
    cause: 'the service already has this hash, from an earlier run or an earlier call of this run',
    next: `look up the file at the service; if it is registered, ${addHash}`,
    needs: 'person',
  },
  'registration-rejected': {
    cause: 'the service rejected the registration',
    next: 'ask the service why',
    needs: 'person',
  },
  'rejected-data': {
    cause: 'the service rejected the registration, probably because of the subscription data',
    next: 'update the secret that you pass as "subscription"',
    needs: 'secret',
  },
  'request-exists': {
    cause: 'the service already has a request for this file, but does not complete it',
    next: 'ask the service about this request',
    needs: 'person',
  },
  'request-rejected': {
    cause: 'the service rejected the request',
    next: 'ask the service why',
    needs: 'person',
  },
  'no-active-subscription': {
    cause: 'the account probably has no active subscription',
    next: 'activate a subscription at the service',
    needs: 'nothing',
  },
  'no-subscription-data': {
    cause: 'the service responded without subscription data',
    next: 'set the input "subscription" to your subscription data',
    needs: 'workflow',
  },
  'unexpected-response': {
    cause: 'the service sent an unexpected response',
    next: 'wait a few minutes; if it happens again, report the response to the service',
    needs: 'nothing',
  },
  redirect: {
    cause: 'the service redirected the call, and redirects are never followed',
    next: 'wait until the service is available',
    needs: 'nothing',
  },
  'wrong-redirect': {
    cause: '"base-url" redirects to another address, and redirects are never followed',
    next: 'set the input "base-url" to the final address',
    needs: 'workflow',
  },
  'rate-limit': {
    cause: 'the rate limit of the service was reached',
    next: 'wait a few minutes',
    needs: 'nothing',
  },
  'long-wait': {
    cause: 'the service asked to be called again later',
    next: 'wait as long as the service asks',
    needs: 'nothing',
  },
  unavailable: {
    cause: 'the service failed, or did not respond in time',
    next: 'wait until the service is available',
    needs: 'nothing',
  },
  unreachable: {
    cause: 'the service cannot be reached',
    next: 'check the network of the runner',
    needs: 'nothing',
  },
  'unknown-host': {
    cause: 'the host name of the service cannot be resolved',
    next: 'check the network and the DNS of the runner',
    needs: 'nothing',
  },
  'wrong-host': {
    cause: 'the host name in "base-url" cannot be resolved',
    next: 'correct the input "base-url"',
    needs: 'workflow',
  },
  'proxy-refused': {
    cause: 'the proxy did not connect to the service',
    next: 'check the proxy of the runner (https_proxy)',
    needs: 'nothing',
  },
  'untrusted-certificate': {
    cause: 'the certificate of the service is not trusted',
    next: 'for a private certificate authority, set NODE_EXTRA_CA_CERTS in the workflow; otherwise, report it to the service',
    needs: 'workflow',
  },
  'expired-certificate': {
    cause: 'the certificate of the service has expired',
    next: 'wait until the service has renewed it',
    needs: 'nothing',
  },
  'record-mismatch': {
    cause: 'the record from the service does not match the file',
    next: `ask the service whether the file is registered; if it is, ${addHash}`,
    needs: 'person',
  },
  'not-saved': {
    cause: 'the records file could not be written',
    next: 'make sure that the runner has free disk space and may write the file',
    needs: 'nothing',
  },
  'record-in-log': {
    cause: 'a record could not be saved, and is only in the log',
    next: 'save its line from the log of this step',
    needs: 'nothing',
  },
  'file-unreadable': {
    cause: 'the file could not be read',
    next: 'make the file readable, or exclude it with a pattern that begins with !',
    needs: 'workflow',
  },
  'file-changed': {
    cause: 'the file changed while it was read',
    next: 'make sure that every step that writes the file has finished',
    needs: 'workflow',
  },
  'name-not-utf8': {
    cause: 'the name of the file is not valid UTF-8',
    next: 'rename the file, or exclude it with a pattern that begins with !',
    needs: 'workflow',
  },
  'asset-incomplete': {
    cause: 'the downloaded asset is not what GitHub lists',
    next: 'wait a few minutes; if it happens again, upload the asset again',
    needs: 'nothing',
  },
  'github-token': {
    cause: 'GitHub rejected the token',
    next: 'if you set "github-token", replace that token',
    needs: 'secret',
  },
  'github-permission': {
    cause: 'the token is not allowed to read the release',
    next: 'give the job the permission "contents: read"',
    needs: 'workflow',
  },
  'github-rate-limit': {
    cause: "GitHub's rate limit is used up",
    next: 'wait until the limit is reset, an hour at most',
    needs: 'nothing',
  },
  'github-unavailable': {
    cause: 'GitHub failed, or did not respond in time',
    next: 'wait until GitHub is available',
    needs: 'nothing',
  },
  'outputs-not-written': {
    cause: 'the outputs of the step could not be written',
    next: 'make sure that the runner has free disk space',
    needs: 'nothing',
  },
  canceled: {
    cause: 'the run was canceled',
    next: 'find out what canceled the run, such as a timeout or a newer run',
    needs: 'nothing',
  },
  bug: {
    cause: 'this action has a bug (internal-error)',
    next: 'report the bug at {reportTo}',
    needs: 'nothing',
  },
}

/** Finds the reason whose words fit the inputs: nothing tells a reader to correct an input that the workflow does not set. */
export function fitReason(reason: Reason, { baseUrl, payment }: NotarizeInputs): FindingReason {
  const hasAddress = baseUrl !== defaultBaseUrl
  const hasData = payment !== null && payment !== 'active'
  switch (reason) {
    case 'not-the-service':
      return hasAddress ? 'wrong-address' : reason
    case 'unknown-host':
      return hasAddress ? 'wrong-host' : reason
    case 'redirect':
      return hasAddress ? 'wrong-redirect' : reason
    case 'unpaid':
      return hasData ? 'unpaid-data' : reason
    case 'registration-rejected':
      return hasData ? 'rejected-data' : reason
    default:
      return reason
  }
}
